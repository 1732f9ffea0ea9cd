//! `damier new-agent`, `damier check-agent`, `damier schema`: tools for writing agents.

use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Result, anyhow, bail};
use damier_host::levels;
use damier_host::terms::Terms;
use damier_kit::log;
use damier_process::check_agent::{self, Report};
use damier_process::confine::Strength;
use damier_process::{agents, confine, templates};
use serde_json::json;

use crate::args::CheckAgentArgs;
use crate::output::screen;
use crate::{Answer, games};

/// Number of lines from the end of the log shown after a mistake.
const LOG_LINES: usize = 20;

/// Creates an agent from a template, or copies an existing project and adds a door to it.
pub fn new_agent(game: &str, language: &str, folder: &Path, project: Option<&Path>) -> Result<Answer> {
    let template = templates::find(games::find(game)?.info(), language)?;
    let found = match project {
        None => template.write(game, folder).map(|()| Vec::new())?,
        Some(project) => template.adopt(game, project, folder)?,
    };
    let folder = folder.display();
    let mut out = screen();
    writeln!(out, "{folder}: an agent that plays {game}.")?;
    for line in found {
        writeln!(out, "  {line}")?;
    }
    writeln!(out, "Next:")?;
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
    let mut out = screen();
    let Some(name) = &args.agent else {
        writeln!(out, "{}", confine::report())?;
        let unconfined = confine::report().strength() == Strength::None;
        return Ok(if unconfined { Answer::No } else { Answer::Yes });
    };
    let Some(manifest) = agents::find_manifest(name)?.map(Arc::new) else {
        bail!("`{name}` is neither an agent.toml nor a folder with one");
    };
    let game = args
        .game
        .clone()
        .or_else(|| manifest.game.clone())
        .ok_or_else(|| anyhow!("no game given: use --game, or set `game` in agent.toml"))?;
    let game = games::find(&game)?;
    let rules = games::rule_set(game.info(), args.rules.as_deref())?;
    let level = levels::find_one(game, args.level.as_deref(), rules)?;
    let open = levels::open(game, &level, rules)?;
    let terms = args.confine.apply(Terms { turn: args.time, ..Terms::of_turns(game.info().turn_limit) });
    if let Some(warning) = agents::confinement_warning(terms.confinement) {
        eprintln!("damier: {warning}");
    }
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
                std::io::stdout(),
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
    let slowest = report.slowest.as_secs_f64() * 1e3;
    let decisions = report.decisions;
    match (&report.mistakes[..], &report.resigned) {
        ([], None) => writeln!(
            out,
            "{seat}: {decisions} decisions without a mistake; the slowest took {slowest:.1} ms"
        )?,
        ([], Some(reason)) => writeln!(
            out,
            "{seat}: it gave up at decision {decisions}: {reason}; the slowest took {slowest:.1} ms"
        )?,
        _ if report.log.trim().is_empty() => writeln!(out, "Its log is empty.")?,
        _ => {
            writeln!(out, "The end of its log:")?;
            for line in log::tail(&report.log, LOG_LINES) {
                writeln!(out, "    {line}")?;
            }
        }
    }
    Ok(())
}
