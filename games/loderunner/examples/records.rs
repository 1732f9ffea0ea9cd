//! Solves classic levels in so many seconds of processor time each and compares the plans with recorded human runs:
//!
//! ```text
//! cargo run --release -p damier-loderunner --example records RUNS.jsonl LEVELS/ 30 [LEVEL…]
//! ```
//!
//! The levels are files `001.txt`, `002.txt` and so on, by the number that a recording names.

use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use damier_kit::cancel::TimeSource;
use damier_kit::table::AnyGame;
use damier_kit::time::cpu;
use damier_kit::{Solvability, SolveOptions};
use damier_loderunner::LodeRunner;
use damier_loderunner::recording::Recording;

/// The game that plans are for.
const SEED: u64 = 1;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [recordings, levels, seconds, wanted @ ..] = &arguments[..] else {
        eprintln!("usage: records RECORDINGS.jsonl FOLDER-OF-LEVELS SECONDS [LEVEL…]");
        return ExitCode::from(2);
    };
    let time = Duration::from_secs_f64(seconds.parse().expect("a number of seconds"));
    let wanted: Vec<u32> = wanted.iter().map(|number| number.parse().expect("a level's number")).collect();
    let text = std::fs::read_to_string(recordings).expect("the recordings can be read");
    let mut ratios = Vec::new();
    let (mut all, mut beaten) = (0, 0);
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let recording = Recording::parse(line).expect("the recording is well formed");
        if !wanted.is_empty() && !wanted.contains(&recording.level) {
            continue;
        }
        all += 1;
        if let Some(ticks) = solve(&recording, Path::new(levels), time) {
            ratios.push(f64::from(ticks) / f64::from(recording.ticks));
            beaten += u32::from(ticks < recording.ticks);
        }
    }
    ratios.sort_by(f64::total_cmp);
    let median = ratios.get(ratios.len() / 2).copied().unwrap_or(f64::NAN);
    println!(
        "{} of {all} finished, median of plan over human ticks {median:.3}, {beaten} beaten",
        ratios.len()
    );
    ExitCode::SUCCESS
}

/// Solves one level and reports it; the ticks of the plan.
fn solve(recording: &Recording, levels: &Path, time: Duration) -> Option<u32> {
    let file = levels.join(format!("{:03}.txt", recording.level));
    let text = std::fs::read_to_string(&file).expect("the level can be read");
    let level = LodeRunner.open(&text, "classic").expect("the level is well formed");
    let options = SolveOptions { time, source: TimeSource::Cpu, ..SolveOptions::default() };
    let begun = cpu::of_process();
    let solution = level.table(SEED, 0).solve(&options, &|_| {}).solution;
    let used = cpu::of_process().saturating_sub(begun).as_secs_f64();
    let ticks = (solution.outcome == Solvability::Solved).then_some(solution.plan.len() as u32);
    let (human, bound) = (recording.ticks, solution.lower_bound.unwrap_or(0));
    match ticks {
        Some(ticks) => {
            let ratio = f64::from(ticks) / f64::from(human);
            println!(
                "{:03} {ticks} ticks, human {human}, ratio {ratio:.2}, bound {bound}, {used:.1} s {}",
                recording.level,
                solution.notes.join("; ")
            );
        }
        None => println!(
            "{:03} not finished, human {human}, bound {bound}, {used:.1} s: {}",
            recording.level,
            solution.notes.join("; ")
        ),
    }
    ticks
}
