//! `damier bench arena`: overhead of agent processes per turn, and of tournaments and the store per game.

use std::io::Write;
use std::path::Path;

use anyhow::Result;
use damier_arena::bench::{overhead, throughput};
use serde_json::json;

use super::{ruled_table, with_commas};
use crate::{Answer, games};

const LANGUAGES: [&str; 5] = ["c", "rust", "python", "javascript", "prolog"];
const TURNS: usize = 5_000;
const GAMES: usize = 10_000;

/// Measures the start templates of all languages, with full confinement, and then the store.
pub fn bench_arena(json: bool) -> Result<Answer> {
    let folder = std::env::temp_dir().join(format!("damier-bench-{}", std::process::id()));
    let mut table = ruled_table(&["agent", "turns", "median µs", "p99 µs"], 1);
    let mut out = std::io::stdout().lock();
    for language in LANGUAGES {
        let measured = overhead(games::all(), language, TURNS, &folder);
        let (median, p99) = match &measured {
            Ok(measured) => (measured.median.as_secs_f64() * 1e6, measured.p99.as_secs_f64() * 1e6),
            Err(_) => (f64::NAN, f64::NAN),
        };
        match (measured, json) {
            (Err(error), _) => eprintln!("damier: {error:#}"),
            (Ok(_), true) => {
                let line = json!({"arena": language, "turns": TURNS, "median_us": median, "p99_us": p99});
                writeln!(out, "{line}")?;
            }
            (Ok(_), false) => {
                let cells =
                    [language.to_owned(), TURNS.to_string(), format!("{median:.1}"), format!("{p99:.1}")];
                table.add_row(cells.to_vec());
            }
        }
    }
    if !json {
        writeln!(out, "{table}")?;
    }
    let measured = measure_store(&folder, json);
    std::fs::remove_dir_all(&folder)?;
    writeln!(out, "{}", measured?)?;
    Ok(Answer::Yes)
}

/// Measures the throughput of short games between built-in agents, with and without a store.
fn measure_store(folder: &Path, json: bool) -> Result<String> {
    let measured = throughput(games::all(), GAMES, folder)?;
    let per_second = |seconds: f64| (measured.games as f64 / seconds).round() as u64;
    let (bare, unstored, stored) =
        (per_second(measured.bare), per_second(measured.unstored), per_second(measured.stored));
    if json {
        let line = json!({"arena": "games", "games": measured.games, "bare_per_second": bare,
            "unstored_per_second": unstored, "stored_per_second": stored});
        return Ok(line.to_string());
    }
    let mut table = ruled_table(&["built-in agents", "games", "games/s", "of the engine"], 1);
    for (name, rate) in [("bare games", bare), ("tournament", unstored), ("tournament with store", stored)] {
        let share = format!("{:.0} %", 100.0 * rate as f64 / bare as f64);
        table.add_row(vec![name.to_owned(), with_commas(measured.games as u64), with_commas(rate), share]);
    }
    Ok(table.to_string())
}
