//! Deadlines and cancellation: solver and checker return within 50 ms, on the largest caves too.

#[path = "common/levels.rs"]
mod levels;

use std::thread;
use std::time::Duration;

use damier_core::random::Rng;
use damier_delirium::{Level, RuleSet, Rules, Solvability, SolveOptions, check, solve};
use damier_kit::time::cpu;
use levels::random_level;

/// What a search may use after its end, in processor time: a busy machine may let it wait for longer.
const MOST: Duration = Duration::from_millis(50);

/// Caves of the largest size that keep a solver busy: a random one, and two patterns of rocks that are about to slide.
fn large_caves() -> [Level; 3] {
    let mut rng = Rng::new(5);
    let random = (0..200).map(|_| random_level(&mut rng, (126, 126)));
    let largest = random.max_by_key(|level| level.first().size().area()).expect("there are 200");
    [largest, cave_of(&["_r_r_.r.d", "d.r_.R..r", "_B_r..d.r"]), cave_of(&["r.d.r_.r", "_.r..w.r"])]
}

/// A cave of 128 by 128 cells that repeats a pattern, each row of it one cell further to the left.
fn cave_of(pattern: &[&str]) -> Level {
    let row = |y: usize| {
        let inner: String = pattern[y % pattern.len()].chars().cycle().skip(y).take(126).collect();
        format!("#{inner}#\n")
    };
    let edge = format!("{}\n", "#".repeat(128));
    let inner: String = (0..126).map(row).collect();
    Level::parse(&format!("; need: 900\n{edge}#PX{}{edge}", &inner[3..])).unwrap()
}

/// The processor time that work uses after its cancellation flag was raised.
fn overrun(work: impl FnOnce(&SolveOptions)) -> Duration {
    let options =
        SolveOptions { time: Duration::from_mins(1), chance: Rng::new(1), ..SolveOptions::default() };
    let cancel = options.cancel.clone();
    thread::scope(|scope| {
        let raised = scope.spawn(move || {
            thread::sleep(Duration::from_millis(300));
            let used = cpu::of_process();
            cancel.cancel();
            used
        });
        work(&options);
        cpu::of_process().saturating_sub(raised.join().unwrap())
    })
}

#[test]
fn cancellation_ends_a_search_soon() {
    for set in [RuleSet::Course, RuleSet::Boulder] {
        for (number, cave) in large_caves().into_iter().enumerate() {
            let rules = Rules::new(cave, set).unwrap();
            let took = overrun(|options| {
                assert_eq!(solve(&rules, options).outcome, Solvability::Unknown, "cave {number} is too easy");
            });
            assert!(took < MOST, "cave {number} under {set:?}: {took:?} after cancellation");
        }
    }
}

#[test]
fn a_check_without_time_ends_at_once() {
    for set in [RuleSet::Course, RuleSet::Boulder] {
        for (number, cave) in large_caves().into_iter().enumerate() {
            let rules = Rules::new(cave, set).unwrap();
            let options = SolveOptions { time: Duration::ZERO, ..SolveOptions::default() };
            let used = cpu::of_process();
            check(&rules, &options);
            let took = cpu::of_process().saturating_sub(used);
            assert!(took < MOST, "cave {number} under {set:?}: {took:?} without any time");
        }
    }
}
