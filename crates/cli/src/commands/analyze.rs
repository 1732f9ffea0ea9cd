//! `damier analyze`.

use std::io::Write;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, anyhow};
use damier_host::{levels, solving};
use damier_kit::{Analysis, AnalysisLine, AnalyzeOptions, AnyGame, Cancel, Info, OpenLevel};

use super::{cores, spinner, with_commas};
use crate::args::AnalyzeArgs;
use crate::{Answer, games};

/// Analyzes each position.
pub fn run(args: &AnalyzeArgs) -> Result<Answer> {
    let game = games::find(&args.game)?;
    let rules = games::rule_set(game.info(), args.rules.as_deref())?;
    for open in positions(game, rules, &args.positions)? {
        let options = AnalyzeOptions {
            // With only a depth given, there is no time limit.
            time: args.time.or_else(|| args.depth.is_none().then_some(Duration::from_secs(1))),
            depth: args.depth,
            threads: args.threads.unwrap_or_else(cores).max(1),
            lines: args.lines,
            cancel: Cancel::default(),
        };
        let analysis = analyze(game.info(), open.as_ref(), &options)?;
        let text = if args.json { as_json(&analysis)? } else { as_text(&analysis) };
        writeln!(std::io::stdout().lock(), "{text}")?;
    }
    Ok(Answer::Yes)
}

fn analyze(info: &Info, open: &dyn OpenLevel, options: &AnalyzeOptions) -> Result<Analysis<String>> {
    let bar = spinner(info.name);
    let analysis = solving::analyze(info, open, options, &mut |partial| {
        let line = partial.lines[0].actions.join(" ");
        bar.set_message(format!("depth {}, {}: {line}", partial.depth, partial.verdict()));
    });
    bar.finish_and_clear();
    analysis
}

/// The positions as typed, or those of files; the start of the game if there are none.
fn positions(game: &dyn AnyGame, rules: &'static str, names: &[String]) -> Result<Vec<Box<dyn OpenLevel>>> {
    if names.is_empty() {
        return Ok(vec![position(game, rules, None)?]);
    }
    let mut positions = Vec::new();
    for name in names {
        if !Path::new(name).is_file() {
            positions.push(position(game, rules, Some(name))?);
            continue;
        }
        let text = std::fs::read_to_string(name).with_context(|| name.clone())?;
        for (_, text) in game.split(&text) {
            positions.push(game.open(&text, rules).map_err(|error| anyhow!("{name}: {error}"))?);
        }
    }
    Ok(positions)
}

/// The position as typed, or the start of the game.
pub fn position(game: &dyn AnyGame, rules: &'static str, text: Option<&str>) -> Result<Box<dyn OpenLevel>> {
    match text {
        None => levels::open(game, &levels::find_one(game, None, rules)?, rules),
        Some(text) => game.open(text, rules).map_err(|error| anyhow!("`{text}`: {error}")),
    }
}

fn as_json(analysis: &Analysis<String>) -> Result<String> {
    let mut message = analysis.message();
    if message.lines.len() == 1 {
        message.lines.clear();
    }
    Ok(serde_json::to_string(&message)?)
}

fn as_text(analysis: &Analysis<String>) -> String {
    let seconds = analysis.took.as_secs_f64();
    let mut lines = vec![
        analysis.position.clone(),
        format!(
            "  {}; depth {}, {} positions in {seconds:.2} s",
            analysis.verdict(),
            analysis.depth,
            with_commas(analysis.nodes)
        ),
    ];
    if let Some(proof) = analysis.proof {
        let shortest = if analysis.shortest { ", shortest possible" } else { "" };
        lines.push(format!("  proven: {proof} plies{shortest}"));
    }
    lines.extend(analysis.lines.iter().map(line_text));
    for threats in analysis.threats.iter().filter(|threats| !threats.actions.is_empty()) {
        lines.push(format!("  {} threaten to win by {}", threats.side, threats.actions.join(", ")));
    }
    lines.join("\n")
}

fn line_text(line: &AnalysisLine<String>) -> String {
    format!("  {:>6}  {}  ({})", line.score, line.actions.join(" "), line.verdict)
}
