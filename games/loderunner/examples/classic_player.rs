//! Lets our classic player, which does not know the chance to come, play levels with several seeds each, and says how the games
//! ended and what its decisions cost in processor time:
//!
//! ```text
//! cargo run --release -p damier-loderunner --example classic_player LEVELS/ 1..3 [LEVEL…]
//! ```
//!
//! The levels are the `.txt` files of a folder, or those of them that are named.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use damier_core::agent::Budget;
use damier_core::game::{Outcome, Status};
use damier_core::insight::Insight;
use damier_kit::table::{AnyGame, OpenLevel};
use damier_kit::time::{cpu, start_clock};
use damier_loderunner::LodeRunner;

/// How one game went.
struct Played {
    outcome: &'static str,
    ticks: u32,
    /// Processor time until the first key is pressed, the agent's preparation included.
    first: Duration,
    /// Processor time of all other decisions, the longest last.
    decisions: Vec<Duration>,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, seeds, wanted @ ..] = &arguments[..] else {
        eprintln!("usage: online FOLDER-OF-LEVELS SEEDS [LEVEL…]");
        return ExitCode::from(2);
    };
    let (first, last) = seeds.split_once("..").unwrap_or((seeds, seeds));
    let seed = |text: &str| -> u64 { text.parse().expect("a seed, or the first and the last: 1..3") };
    let seeds = seed(first)..=seed(last);
    let (mut games, mut won, mut complete) = (0u64, 0u64, 0u64);
    let mut decisions = Vec::new();
    let mut firsts = Vec::new();
    let files = files(Path::new(folder), wanted);
    for file in &files {
        let text = std::fs::read_to_string(file).expect("the level can be read");
        let level = LodeRunner.open(&text, "classic").expect("the level is well formed");
        let name = file.file_stem().unwrap_or_default().to_string_lossy();
        let (games_before, won_before) = (games, won);
        for seed in seeds.clone() {
            let played = play(level.as_ref(), seed);
            println!(
                "{name} seed {seed}: {}, {} ticks, first {:.0} ms, p99 {:.1} ms, longest {:.1} ms",
                played.outcome,
                played.ticks,
                milliseconds(played.first),
                milliseconds(percentile(&played.decisions, 0.99)),
                milliseconds(percentile(&played.decisions, 1.0)),
            );
            games += 1;
            won += u64::from(played.outcome == "won");
            firsts.push(played.first);
            decisions.extend(played.decisions);
        }
        complete += u64::from(won - won_before == games - games_before);
    }
    decisions.sort_unstable();
    firsts.sort_unstable();
    println!(
        "{won} of {games} games won, {complete} of {} levels with every seed; first decision at most {:.0} ms, later ones p99 {:.1} ms, \
         longest {:.1} ms",
        files.len(),
        milliseconds(percentile(&firsts, 1.0)),
        milliseconds(percentile(&decisions, 0.99)),
        milliseconds(percentile(&decisions, 1.0)),
    );
    ExitCode::SUCCESS
}

fn files(folder: &Path, wanted: &[String]) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("the folder can be read");
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.expect("the folder can be read").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "txt"))
        .filter(|path| wanted.is_empty() || wanted.iter().any(|name| path.ends_with(format!("{name}.txt"))))
        .collect();
    files.sort();
    files
}

/// Plays one game to its end or to the turn limit.
fn play(level: &dyn OpenLevel, seed: u64) -> Played {
    let mut table = level.table(seed, 0);
    let begun = cpu::of_thread();
    let mut agent = level.agent("best", 0, seed).expect("it plays classic levels");
    let mut first = Duration::ZERO;
    let mut decisions = Vec::new();
    let outcome = loop {
        match table.status() {
            Status::Over(over) if over.outcome(0) == Outcome::Win => break "won",
            Status::Over(over) => break over.reason,
            Status::ToMove(_) if table.turns() >= LodeRunner.info().turn_limit => break "turn limit",
            Status::ToMove(_) => {}
        }
        let before = cpu::of_thread();
        let clock = start_clock(Budget::default());
        agent.play(table.as_mut(), &clock, &mut Insight::unwanted()).expect("it only plays legal actions");
        match table.turns() {
            1 => first = cpu::of_thread().saturating_sub(begun),
            _ => decisions.push(cpu::of_thread().saturating_sub(before)),
        }
    };
    decisions.sort_unstable();
    Played { outcome, ticks: table.turns(), first, decisions }
}

/// The value below which a part of sorted times lies.
fn percentile(sorted: &[Duration], part: f64) -> Duration {
    let last = sorted.len().saturating_sub(1);
    sorted.get((last as f64 * part).round() as usize).copied().unwrap_or_default()
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
