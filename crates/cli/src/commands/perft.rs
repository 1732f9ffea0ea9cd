//! `damier perft`.

use std::io::Write;
use std::time::Instant;

use anyhow::{Result, anyhow};
use serde_json::json;

use super::analyze::position;
use super::with_commas;
use crate::args::PerftArgs;
use crate::{Answer, games};

/// Counts the move sequences from a position.
pub fn run(args: &PerftArgs) -> Result<Answer> {
    let game = games::find(&args.game)?;
    let rules = games::rule_set(game.info(), args.rules.as_deref())?;
    let open = position(game, rules, args.position.as_deref())?;
    let started = Instant::now();
    let first_moves =
        open.divide(args.depth).ok_or_else(|| anyhow!("{} does not support perft", game.info().name))?;
    let seconds = started.elapsed().as_secs_f64();
    // There is one sequence of length 0.
    let nodes = if args.depth == 0 { 1 } else { first_moves.iter().map(|(_, count)| count).sum() };
    let mut out = std::io::stdout().lock();
    if args.json {
        let mut line = json!({"depth": args.depth, "nodes": nodes, "ms": seconds * 1000.0});
        if args.divide {
            line["divide"] = first_moves.into_iter().map(|(action, count)| (action, json!(count))).collect();
        }
        writeln!(out, "{line}")?;
        return Ok(Answer::Yes);
    }
    for (action, count) in first_moves.iter().filter(|_| args.divide) {
        writeln!(out, "{action} {}", with_commas(*count))?;
    }
    writeln!(
        out,
        "depth {}: {} nodes in {seconds:.3} s, {:.0} million per second",
        args.depth,
        with_commas(nodes),
        nodes as f64 / seconds.max(1e-9) / 1e6
    )?;
    Ok(Answer::Yes)
}
