//! `damier new-agent`, `damier check-agent`, `damier schema`: for people who write agents.

use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Result, anyhow, bail};
use damier_host::levels;
use damier_host::terms::{Confinement, Terms};
use damier_process::check_agent::{self, Report};
use damier_process::{agents, confine, templates};
use serde_json::json;

use crate::args::CheckAgentArgs;
use crate::{Answer, games};

/// Writes an agent to begin with.
pub fn new_agent(game: &str, language: &str, folder: &Path) -> Result<Answer> {
    templates::find(games::find(game)?.info(), language)?.write(game, folder)?;
    let folder = folder.display();
    let mut out = std::io::stdout().lock();
    writeln!(out, "{folder}: an agent that plays {game}. Next:")?;
    writeln!(out, "  damier check-agent {folder}")?;
    writeln!(out, "  damier run {game} --agent {folder}")?;
    Ok(Answer::Yes)
}

/// Prints the schema of a game's observations.
pub fn schema(game: &str) -> Result<Answer> {
    let schema = games::find(game)?.observation_schema();
    writeln!(std::io::stdout().lock(), "{}", serde_json::to_string_pretty(&schema)?)?;
    Ok(Answer::Yes)
}

/// Plays a short game at every seat and prints the mistakes.
pub fn check_agent(args: &CheckAgentArgs) -> Result<Answer> {
    let mut out = std::io::stdout().lock();
    let Some(name) = &args.agent else {
        writeln!(out, "{}", confine::report())?;
        return Ok(if confine::report().complete() { Answer::Yes } else { Answer::No });
    };
    let Some(manifest) = agents::find_manifest(name)?.map(Arc::new) else {
        bail!("`{name}` is neither a folder with an agent.toml nor such a file");
    };
    let game = args
        .game
        .clone()
        .or_else(|| manifest.game.clone())
        .ok_or_else(|| anyhow!("which game? Say it with --game, or in agent.toml"))?;
    let game = games::find(&game)?;
    let rules = games::rule_set(game.info(), args.rules.as_deref())?;
    let level = levels::find_one(game, args.level.as_deref(), rules)?;
    let open = levels::open(game, &level, rules)?;
    let confinement = if args.unconfined { Confinement::Off } else { Confinement::Full };
    let terms = Terms { turn: args.time, confinement, ..Terms::of_turns(game.info().turn_limit) };
    let mut answer = Answer::Yes;
    for seat in 0..open.facts().seats.len() {
        let report = check_agent::check(&manifest, game.info(), open.as_ref(), seat, args.decisions, &terms)?;
        print(&mut out, &report, open.facts().seats[seat], args.json)?;
        if !report.mistakes.is_empty() {
            answer = Answer::No;
            break;
        }
    }
    Ok(answer)
}

fn print(out: &mut impl Write, report: &Report, seat: &str, json: bool) -> Result<()> {
    for mistake in &report.mistakes {
        if json {
            let (what, advice) = (mistake.to_string(), mistake.advice());
            writeln!(
                out,
                "{}",
                json!({"seat": seat, "mistake": mistake.name(), "what": what, "advice": advice})
            )?;
        } else {
            writeln!(out, "{mistake}\n    {}", mistake.advice())?;
        }
    }
    if json {
        return Ok(());
    }
    if !report.mistakes.is_empty() && !report.log.trim().is_empty() {
        writeln!(out, "Its log:")?;
        for line in report.log.lines().take(20) {
            writeln!(out, "    {line}")?;
        }
    }
    if report.mistakes.is_empty() {
        let slowest = report.slowest.as_secs_f64() * 1e3;
        writeln!(
            out,
            "{seat}: {} decisions without a mistake; the slowest took {slowest:.1} ms",
            report.decisions
        )?;
    }
    Ok(())
}
