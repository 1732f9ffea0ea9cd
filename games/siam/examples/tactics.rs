//! How long the analysis takes for tactical positions: `cargo run --release -p damier-siam --example tactics -- FILE`.
//!
//! FILE holds JSON lines with `position`, `plies` and `best`, such as `tests/fixtures/tactics.jsonl`. Each position gets 20 ms,
//! or 1 s if the win takes nine plies or more.

use std::time::Duration;

use damier_siam::board::Board;
use damier_siam::rules::RuleSet;
use damier_siam::{AnalyzeOptions, analyze};
use serde_json::Value;

fn main() {
    let path = std::env::args().nth(1).expect("a file of positions");
    let text = std::fs::read_to_string(path).expect("the file can be read");
    let rules = RuleSet::Official.moves();
    // The tables are made at their first use.
    analyze(
        &rules,
        &Board::start(5),
        &AnalyzeOptions { time: Some(Duration::from_millis(50)), ..AnalyzeOptions::default() },
        &mut |_| {},
    );
    let (mut found, mut count) = (0, 0);
    for line in text.lines() {
        let case: Value = serde_json::from_str(line).expect("JSON lines");
        let board = Board::parse(case["position"].as_str().expect("a position")).expect("a position");
        let time = Duration::from_millis(if case["plies"].as_u64() >= Some(9) { 1_000 } else { 20 });
        let analysis = analyze(
            &rules,
            &board,
            &AnalyzeOptions { time: Some(time), ..AnalyzeOptions::default() },
            &mut |_| {},
        );
        let best = analysis.best().map(ToString::to_string).unwrap_or_default();
        let right =
            case["best"].as_array().is_some_and(|moves| moves.iter().any(|text| *text == best.as_str()));
        (found, count) = (found + u32::from(right), count + 1);
        let (took, proof) =
            (analysis.took.as_secs_f64() * 1e3, analysis.proof.map(|proof| proof.to_string()));
        println!(
            "{:<16} {best:<7} {right:<5} {took:>7.2} ms {}",
            case["id"].as_str().unwrap_or(""),
            proof.unwrap_or_default()
        );
    }
    println!("{found} of {count} found");
}
