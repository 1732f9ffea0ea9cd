//! `damier analyze`.

use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result, anyhow};
use damier_kit::cancel::Cancel;
use damier_siam::analyze::{Analysis, Limits, Line, analyze, score_text};
use damier_siam::board::Board;
use damier_siam::level::Level;
use damier_siam::moves::MoveRules;

use super::perft::{position, rule_set};
use super::{cores, spinner, with_commas};
use crate::Answer;
use crate::args::AnalyzeArgs;

/// Analyses each position.
pub fn run(args: &AnalyzeArgs) -> Result<Answer> {
    let rules = rule_set(args.rules.as_deref())?.moves();
    for board in positions(&args.positions)? {
        let limits = Limits {
            // A depth alone is searched to its end.
            time: args.time.or_else(|| args.depth.is_none().then_some(std::time::Duration::from_secs(1))),
            depth: args.depth.unwrap_or(Limits::default().depth),
            threads: args.threads.unwrap_or_else(cores).max(1),
            lines: args.lines,
            cancel: Cancel::default(),
        };
        let analysis = think(&rules, &board, &limits);
        let text = if args.json { analysis.to_json().to_string() } else { as_text(&analysis) };
        writeln!(std::io::stdout().lock(), "{text}")?;
    }
    Ok(Answer::Yes)
}

fn think(rules: &MoveRules, board: &Board, limits: &Limits) -> Analysis {
    let bar = spinner("siam");
    let analysis = analyze(rules, board, limits, &mut |thought| {
        let line: Vec<String> = thought.line.iter().map(ToString::to_string).collect();
        bar.set_message(format!(
            "depth {}, {}: {}",
            thought.depth,
            score_text(thought.score, board.side()),
            line.join(" ")
        ));
    });
    bar.finish_and_clear();
    analysis
}

/// The positions as typed, or those of files; the start of the game if there are none.
fn positions(names: &[String]) -> Result<Vec<Board>> {
    if names.is_empty() {
        return Ok(vec![position(None)?]);
    }
    let mut boards = Vec::new();
    for name in names {
        if !Path::new(name).is_file() {
            boards.push(position(Some(name))?);
            continue;
        }
        let text = std::fs::read_to_string(name).with_context(|| name.clone())?;
        for (_, text) in Level::split(&text) {
            boards.push(Level::parse(&text).map_err(|error| anyhow!("{name}: {error}"))?.board);
        }
    }
    Ok(boards)
}

fn as_text(analysis: &Analysis) -> String {
    let seconds = analysis.took.as_secs_f64();
    let mut lines = vec![
        analysis.board.to_string(),
        format!(
            "  {}; depth {}, {} positions in {seconds:.2} s",
            analysis.verdict(),
            analysis.depth,
            with_commas(analysis.nodes)
        ),
    ];
    if let Some(proof) = analysis.proof {
        let shortest = if analysis.shortest { ", none is shorter" } else { "" };
        lines.push(format!("  proven: {proof} plies{shortest}"));
    }
    lines.extend(analysis.lines.iter().map(|line| line_text(analysis, line)));
    for (side, threats) in ["elephants", "rhinos"].into_iter().zip(&analysis.threats) {
        if !threats.is_empty() {
            let names: Vec<String> = threats.iter().map(ToString::to_string).collect();
            lines.push(format!("  {side} threaten to win by {}", names.join(", ")));
        }
    }
    lines.join("\n")
}

fn line_text(analysis: &Analysis, line: &Line) -> String {
    let moves: Vec<String> = line.moves.iter().map(ToString::to_string).collect();
    format!("  {:>6}  {}  ({})", line.score.0, moves.join(" "), score_text(line.score, analysis.board.side()))
}
