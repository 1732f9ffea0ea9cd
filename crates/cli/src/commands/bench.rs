//! `damier bench`: speed and signature of each game.

use std::io::Write;

use anyhow::{Result, ensure};
use serde_json::json;

use super::{ruled_table, with_commas};
use crate::Answer;
use crate::games;

/// Measures one game, or all.
pub fn bench(game: Option<&str>, seconds: f64, json: bool) -> Result<Answer> {
    ensure!(seconds > 0.0 && seconds <= 600.0, "--seconds must be more than 0 and at most 600");
    let games = match game {
        Some(name) => vec![games::find(name)?],
        None => games::all().to_vec(),
    };
    let mut table = ruled_table(&["game", "signature", "what", "count", "per second", "ns each"], 3);
    let mut out = std::io::stdout().lock();
    for game in games {
        let name = game.info().name;
        let bench = game.bench(seconds);
        let signature = format!("{:016x}", bench.signature);
        if json {
            writeln!(out, "{}", json!({"game": name, "signature": signature, "measures": bench.measures}))?;
            continue;
        }
        for measure in &bench.measures {
            let each = measure.seconds / measure.count as f64;
            table.add_row(vec![
                name.to_owned(),
                signature.clone(),
                measure.what.to_owned(),
                with_commas(measure.count),
                with_commas((1.0 / each) as u64),
                format!("{:.1}", each * 1e9),
            ]);
        }
    }
    if !json {
        writeln!(out, "{table}")?;
    }
    Ok(Answer::Yes)
}
