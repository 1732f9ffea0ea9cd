//! Lets an agent play every cave of the given files and prints what became of each:
//! `online AGENT THREADS all|1,5,9 FILE…`. The time of each decision but the first is counted.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use damier_core::agent::{Budget, Turn};
use damier_core::game::{Game, Status, Verdict};
use damier_core::insight::Insight;
use damier_core::random::Rng;
use damier_delirium::Delirium;
use damier_delirium::rules::Rules;
use damier_kit::time::start_clock;
use damier_kit::{Kit, Levels};

/// Ticks after which a game counts as not finished.
const TICKS: u32 = 4_000;

struct Played {
    number: usize,
    line: String,
    won: bool,
    first_ms: f64,
    later_ms: Vec<f64>,
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let agent = arguments.next().expect("an agent's name");
    let threads: usize = arguments.next().and_then(|it| it.parse().ok()).expect("the number of threads");
    let only: Vec<usize> =
        arguments.next().expect("all, or numbers").split(',').filter_map(|it| it.parse().ok()).collect();
    let mut caves = Vec::new();
    for file in arguments {
        let text = std::fs::read_to_string(&file).expect("a readable file");
        let levels = Delirium::split(&text).into_iter().enumerate();
        for (number, (name, text)) in levels.filter(|(number, _)| only.is_empty() || only.contains(number)) {
            let name = name.unwrap_or_else(|| file.clone());
            match Delirium::open(&text, "course") {
                Ok(rules) => caves.push((number, name, Arc::new(rules))),
                Err(error) => println!("{number:3} {name} {error}"),
            }
        }
    }
    let next = AtomicUsize::new(0);
    let games: Mutex<Vec<Played>> = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some((number, name, rules)) = caves.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let game = play(&agent, *number, name, rules);
                    println!("{}", game.line);
                    games.lock().expect("no thread panics").push(game);
                }
            });
        }
    });
    let games = games.into_inner().expect("no thread panics");
    let won = games.iter().filter(|game| game.won).count();
    let mut later: Vec<f64> = games.iter().flat_map(|game| game.later_ms.iter().copied()).collect();
    later.sort_by(f64::total_cmp);
    let mut first: Vec<f64> = games.iter().map(|game| game.first_ms).collect();
    first.sort_by(f64::total_cmp);
    let at =
        |times: &[f64], part: f64| times.get((times.len() as f64 * part) as usize).copied().unwrap_or(0.0);
    println!(
        "{won} of {} won; later decisions: median {:.2} ms, 99 % {:.2} ms; first: median {:.0} ms, 90 % {:.0} ms",
        games.len(),
        at(&later, 0.5),
        at(&later, 0.99),
        at(&first, 0.5),
        at(&first, 0.9)
    );
    let lost: Vec<usize> = games.iter().filter(|game| !game.won).map(|game| game.number).collect();
    println!("not won: {lost:?}");
}

fn play(agent: &str, number: usize, name: &str, rules: &Arc<Rules>) -> Played {
    let mut player = Delirium::agent(rules, agent, 0, 1).expect("an agent");
    let (mut state, mut chance, mut legal) = (rules.start(), Rng::new(11), Vec::new());
    let mut times = Vec::new();
    for turn in 1..=TICKS {
        if let Status::Over(_) = rules.status(&state) {
            break;
        }
        rules.legal(&state, &mut legal);
        let clock = start_clock(Budget::default());
        let observation = rules.observe(&state, 0);
        let turn = Turn { seat: 0, number: turn, observation: &observation, legal: &legal, clock: &clock };
        let begun = Instant::now();
        let action = player.act(&turn, &mut Insight::unwanted());
        times.push(begun.elapsed().as_secs_f64() * 1_000.0);
        rules.apply(&mut state, action, &mut chance);
    }
    let (won, end) = match rules.status(&state) {
        Status::Over(outcome) => (outcome.verdict == Verdict::Won(0), outcome.reason),
        Status::ToMove(_) => (false, "not finished"),
    };
    let first_ms = times[0];
    let later_ms = times.split_off(1);
    let line = format!(
        "{number:3} {name:20} {end:22} {:4} ticks, {:2} missing, first {first_ms:.0} ms, worst later {:.0} ms",
        state.tick(),
        state.missing(),
        later_ms.iter().copied().fold(0.0, f64::max)
    );
    Played { number, line, won, first_ms, later_ms }
}
