//! Solves every cave of the given files and prints what became of each:
//! `caves course|boulder SECONDS all|1,5,9 FILE…`, the seconds being processor time for each cave.

use std::sync::Arc;
use std::thread;
use std::time::Duration;

use damier_core::game::{Game, Status, Verdict};
use damier_core::random::Rng;
use damier_delirium::Delirium;
use damier_delirium::rules::{Action, Rules};
use damier_delirium::solve::solve;
use damier_kit::cancel::Cancel;
use damier_kit::time::cpu;
use damier_kit::{Levels, Solution, Solvability, SolveOptions};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let set = arguments.next().expect("a rule set");
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
            let rules = match Delirium::open(&text, &set) {
                Ok(rules) => Arc::new(rules),
                Err(error) => {
                    println!("{number:3} {} {error}", name.as_deref().unwrap_or(&file));
                    continue;
                }
            };
            let chance = Rng::new(7);
            let (solution, used) = solve_cave(&rules, seconds, &chance);
            count += 1;
            won += usize::from(solution.outcome == Solvability::Solved);
            impossible += usize::from(solution.outcome == Solvability::Unsolvable);
            if solution.outcome == Solvability::Solved {
                assert!(wins(&rules, &solution.plan, chance), "the plan of {name:?} does not win");
            }
            println!(
                "{number:3} {:20} {:6} ms {:9} {:?} {} {}",
                name.as_deref().unwrap_or(&file),
                used.as_millis(),
                solution.states,
                solution.outcome,
                solution.plan.len(),
                solution.notes.join("; ")
            );
        }
    }
    println!("{won} of {count} solved, {impossible} impossible");
}

/// Solves a cave in so many seconds of processor time, and says how many it took.
fn solve_cave(rules: &Arc<Rules>, seconds: f64, chance: &Rng) -> (Solution<Action>, Duration) {
    let begun = cpu::of_process();
    let used = || cpu::of_process().saturating_sub(begun);
    let (cancel, solved) = (Cancel::default(), Cancel::default());
    let limits = SolveOptions {
        // On a busy machine more time passes than is used.
        time: Duration::from_secs_f64(20.0 * seconds),
        chance: chance.clone(),
        cancel: cancel.clone(),
        ..SolveOptions::default()
    };
    let solution = thread::scope(|scope| {
        scope.spawn(|| {
            while !solved.is_cancelled() && used().as_secs_f64() < seconds {
                thread::sleep(Duration::from_millis(2));
            }
            cancel.cancel();
        });
        let solution = solve(rules, &limits);
        solved.cancel();
        solution
    });
    (solution, used())
}

fn wins(rules: &Rules, plan: &[Action], mut chance: Rng) -> bool {
    let mut state = rules.start();
    for &action in plan {
        rules.apply(&mut state, action, &mut chance);
    }
    matches!(rules.status(&state), Status::Over(outcome) if outcome.verdict == Verdict::Won(0))
}
