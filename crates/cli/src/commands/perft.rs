//! `damier perft`.

use std::io::Write;
use std::time::Instant;

use anyhow::{Result, anyhow};
use damier_siam::board::Board;
use damier_siam::perft::{divide, perft};
use damier_siam::rules::RuleSet;
use serde_json::json;

use super::with_commas;
use crate::Answer;
use crate::args::PerftArgs;

/// Counts the sequences of plies from a position.
pub fn run(args: &PerftArgs) -> Result<Answer> {
    let rules = rule_set(args.rules.as_deref())?.moves();
    let board = position(args.position.as_deref())?;
    let started = Instant::now();
    let (first_moves, nodes) = if args.divide {
        let counts = divide(&rules, &board, args.depth);
        let nodes = if args.depth == 0 { 1 } else { counts.iter().map(|(_, count)| count).sum() };
        (counts, nodes)
    } else {
        (Vec::new(), perft(&rules, &board, args.depth))
    };
    let seconds = started.elapsed().as_secs_f64();
    let mut out = std::io::stdout().lock();
    if args.json {
        let mut line = json!({"depth": args.depth, "nodes": nodes, "ms": seconds * 1000.0});
        if args.divide {
            line["divide"] =
                first_moves.iter().map(|(action, count)| (action.to_string(), json!(count))).collect();
        }
        writeln!(out, "{line}")?;
        return Ok(Answer::Yes);
    }
    for (action, count) in &first_moves {
        writeln!(out, "{action:<8} {}", with_commas(*count))?;
    }
    writeln!(
        out,
        "depth {}: {} nodes in {seconds:.3} s, {:.0} million a second",
        args.depth,
        with_commas(nodes),
        nodes as f64 / seconds.max(1e-9) / 1e6
    )?;
    Ok(Answer::Yes)
}

/// The rule set of this name, or the default one.
pub fn rule_set(name: Option<&str>) -> Result<RuleSet> {
    let Some(name) = name else { return Ok(RuleSet::ALL[0]) };
    RuleSet::named(name).ok_or_else(|| {
        let names = RuleSet::ALL.map(RuleSet::name);
        anyhow!("siam has no rule set `{name}`; it has {}", names.join(", "))
    })
}

/// The position as typed, or the start of the game.
pub fn position(text: Option<&str>) -> Result<Board> {
    let Some(text) = text else { return Ok(damier_siam::level::Level::start().board) };
    Board::parse(text).map_err(|error| anyhow!("`{text}`: {error}"))
}
