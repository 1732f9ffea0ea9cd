//! Solves every cave of the given files and prints what became of each:
//! `caves SECONDS all|1,5,9 FILE…`, the seconds being wall time of one core for each cave.

use std::sync::Arc;
use std::time::{Duration, Instant};

use damier_core::game::{Game, Status, Verdict};
use damier_core::kit::{Kit, Solvability, SolveLimits};
use damier_core::random::Rng;
use damier_core::stop::Stop;
use damier_delirium::Delirium;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let seconds: f64 = arguments.next().and_then(|it| it.parse().ok()).expect("the seconds for each cave");
    let only: Vec<usize> =
        arguments.next().expect("all, or numbers").split(',').filter_map(|it| it.parse().ok()).collect();
    let (mut won, mut impossible, mut count) = (0, 0, 0);
    for file in arguments {
        let text = std::fs::read_to_string(&file).expect("a readable file");
        for (number, (name, text)) in Delirium::split(&text).into_iter().enumerate() {
            if !only.is_empty() && !only.contains(&number) {
                continue;
            }
            let rules = match Delirium::open(&text, "course") {
                Ok(rules) => Arc::new(rules),
                Err(error) => {
                    println!("{number:3} {} {error}", name.as_deref().unwrap_or(&file));
                    continue;
                }
            };
            let chance = Rng::new(7);
            let limits = SolveLimits {
                time: Duration::from_secs_f64(seconds),
                threads: 1,
                chance: chance.clone(),
                stop: Stop::default(),
            };
            let begun = Instant::now();
            let solution = Delirium::solve(&rules, &limits, &|_| {});
            count += 1;
            won += usize::from(solution.outcome == Solvability::Solved);
            impossible += usize::from(solution.outcome == Solvability::Unsolvable);
            if solution.outcome == Solvability::Solved {
                assert!(wins(&rules, &solution.plan, chance), "the plan of {name:?} does not win");
            }
            println!(
                "{number:3} {:20} {:6} ms {:9} {:?} {} {}",
                name.as_deref().unwrap_or(&file),
                begun.elapsed().as_millis(),
                solution.states,
                solution.outcome,
                solution.plan.len(),
                solution.notes.join("; ")
            );
        }
    }
    println!("{won} of {count} solved, {impossible} impossible");
}

fn wins(rules: &damier_delirium::rules::Rules, plan: &[String], mut chance: Rng) -> bool {
    let mut state = rules.start();
    for name in plan {
        let action = rules.parse_action(&state, name).expect("an action");
        rules.apply(&mut state, action, &mut chance);
    }
    matches!(rules.status(&state), Status::Over(outcome) if outcome.verdict == Verdict::Won(0))
}
