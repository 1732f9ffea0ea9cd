//! `damier run`: headless games and their table.

use std::io::Write;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use anyhow::{Context, Result};
use comfy_table::{CellAlignment, Table};
use damier_core::agent::Budget;
use damier_core::kit::Info;
use damier_core::referee::{self, Decision, Finish, Limits};
use damier_core::replay::End;
use damier_core::table::OpenLevel;
use rayon::prelude::*;
use serde_json::json;

use super::{cores, progress_bar, ruled_table};
use crate::args::RunArgs;
use crate::{Answer, games};
use damier_arena::{levels, replays, seats};

/// One row of the table has at most this many levels beside it before only the totals are shown.
const MOST_LEVELS_SHOWN: usize = 20;

/// Agents that meet on a level.
struct Pairing {
    level: String,
    agents: Vec<String>,
}

/// A game to play. Its level goes with it: what agents have worked out about a level is dropped with the last of its games.
struct Job {
    pairing: usize,
    seed: u64,
    open: Arc<dyn OpenLevel>,
}

/// How one game went, as seat 0 sees it.
struct Played {
    pairing: usize,
    seed: u64,
    finish: Finish,
    turns: u32,
    score: i64,
    /// How long each decision took.
    took: Vec<Duration>,
}

/// Plays every pairing with every seed.
pub fn run(args: &RunArgs) -> Result<Answer> {
    let game = games::find(&args.game.game)?;
    let info = game.info();
    let (pairings, jobs) = plan(args)?;
    let limits = Limits {
        turns: args.turns.unwrap_or(info.turn_limit),
        budget: Budget { time: args.thinking.think, nodes: args.thinking.nodes },
    };
    if let Some(folder) = &args.replays {
        std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    }
    let pool =
        rayon::ThreadPoolBuilder::new().num_threads(args.threads.unwrap_or_else(cores).max(1)).build()?;
    let bar = progress_bar(jobs.len() as u64);
    let out = Mutex::new(std::io::stdout());
    let played: Result<Vec<Played>> = pool.install(|| {
        jobs.into_par_iter()
            .map(|job| {
                let pairing = &pairings[job.pairing];
                let played = play_one(info, pairing, &job, &limits, args.replays.as_deref())?;
                if args.json {
                    let line = game_json(info, job.open.rules(), pairing, &played);
                    writeln!(out.lock().expect("no writer panics"), "{line}")?;
                }
                bar.inc(1);
                Ok(played)
            })
            .collect()
    });
    bar.finish_and_clear();
    let played = played?;
    if !args.json {
        writeln!(std::io::stdout().lock(), "{}", table(&pairings, &played))?;
    }
    Ok(Answer::Yes)
}

/// Every level with every pair of agents, and with every seed.
fn plan(args: &RunArgs) -> Result<(Vec<Pairing>, Vec<Job>)> {
    let game = games::find(&args.game.game)?;
    let info = game.info();
    let rules = games::rule_set(info, args.rules.as_deref())?;
    let opponents: Vec<Option<&str>> = if args.vs.is_empty() {
        vec![None]
    } else {
        args.vs.iter().map(|name| Some(name.as_str())).collect()
    };
    let (mut pairings, mut jobs) = (Vec::new(), Vec::new());
    for level in levels::find_all(game, &args.level, rules)? {
        let open: Arc<dyn OpenLevel> = levels::open(game, &level, rules)?.into();
        for agent in &args.agent {
            for vs in &opponents {
                let agents = seats::names(info, open.as_ref(), agent, *vs)?;
                let pairing = pairings.len();
                jobs.extend(args.seeds.iter().map(|&seed| Job { pairing, seed, open: Arc::clone(&open) }));
                pairings.push(Pairing { level: level.name.clone(), agents });
            }
        }
    }
    Ok((pairings, jobs))
}

fn play_one(
    info: &Info,
    Pairing { level, agents }: &Pairing,
    &Job { pairing, seed, ref open }: &Job,
    limits: &Limits,
    replay_folder: Option<&Path>,
) -> Result<Played> {
    let mut seated = seats::agents(info, open.as_ref(), agents, seed)?;
    let mut table = open.table(seed, 0);
    let mut took = Vec::new();
    let mut moves = Vec::new();
    let mut watch = |decision: Decision<'_>| {
        if decision.seat == 0 {
            took.push(decision.took);
        }
        if replay_folder.is_some() {
            moves.push(replays::line(decision.table, decision.seat, decision.took, decision.insight));
        }
    };
    let finish = referee::play(table.as_mut(), &mut seated, limits, replay_folder.is_some(), &mut watch);
    if let Some(folder) = replay_folder {
        let mut replay = replays::begin(info, open.as_ref(), level, seed, agents.clone(), limits.turns)?;
        replay.moves = moves;
        replay.end = Some(End {
            outcome: finish.seen_from(0).to_owned(),
            reason: finish.reason(),
            turns: table.turns(),
            scores: (0..agents.len()).map(|seat| table.score(seat)).collect(),
        });
        let name = format!("{level}-{}-{seed}", agents.join("-")).replace(['/', '\\', '.'], "_");
        replays::write(&folder.join(format!("{name}.jsonl.zst")), &replay)?;
    }
    Ok(Played { pairing, seed, finish, turns: table.turns(), score: table.score(0), took })
}

fn game_json(info: &Info, rules: &str, pairing: &Pairing, played: &Played) -> serde_json::Value {
    let mut line = json!({
        "game": info.name, "rules": rules, "level": pairing.level,
        "agent": pairing.agents[0], "seed": played.seed,
        "outcome": played.finish.seen_from(0), "reason": played.finish.reason(),
        "turns": played.turns, "score": played.score,
        "ms_total": milliseconds(played.took.iter().sum()),
        "ms_max": milliseconds(played.took.iter().copied().max().unwrap_or_default()),
    });
    if let Some(vs) = pairing.agents.get(1) {
        line["vs"] = json!(vs);
    }
    line
}

fn milliseconds(duration: Duration) -> f64 {
    (duration.as_secs_f64() * 1e6).round() / 1000.0
}

/// One row per level and pair of agents, then one per pair of agents over all levels.
fn table(pairings: &[Pairing], played: &[Played]) -> Table {
    let header = [
        "level",
        "agents",
        "games",
        "won %",
        "turns",
        "lost %",
        "turns",
        "undecided %",
        "score",
        "ms/turn",
        "ms p99",
        "ms max",
        "not won because",
    ];
    let mut table = ruled_table(&header, 2);
    table.column_mut(header.len() - 1).expect("it was added").set_cell_alignment(CellAlignment::Left);
    let mut teams: Vec<&[String]> = Vec::new();
    for pairing in pairings {
        if !teams.contains(&&pairing.agents[..]) {
            teams.push(&pairing.agents);
        }
    }
    let levels = pairings.len() / teams.len();
    if levels <= MOST_LEVELS_SHOWN {
        for (index, pairing) in pairings.iter().enumerate() {
            let games: Vec<&Played> = played.iter().filter(|game| game.pairing == index).collect();
            table.add_row(row(&pairing.level, &pairing.agents, &games));
        }
    }
    if levels > 1 {
        for agents in teams {
            let games: Vec<&Played> =
                played.iter().filter(|game| pairings[game.pairing].agents == agents).collect();
            table.add_row(row(&format!("all {levels} levels"), agents, &games));
        }
    }
    table
}

fn row(level: &str, agents: &[String], games: &[&Played]) -> Vec<String> {
    let ending = |outcome| -> Vec<&Played> {
        games.iter().copied().filter(|game| game.finish.seen_from(0) == outcome).collect()
    };
    let percent = |part: &[&Played]| format!("{:.1}", 100.0 * part.len() as f64 / games.len() as f64);
    let (won, lost) = (ending("win"), ending("loss"));
    let undecided: Vec<&Played> = ending("draw").into_iter().chain(ending("limit")).collect();
    let mut took: Vec<Duration> = games.iter().flat_map(|game| game.took.iter().copied()).collect();
    took.sort_unstable();
    vec![
        level.to_owned(),
        agents.join(" against "),
        games.len().to_string(),
        percent(&won),
        mean(won.iter().map(|game| f64::from(game.turns)), 1),
        percent(&lost),
        mean(lost.iter().map(|game| f64::from(game.turns)), 1),
        percent(&undecided),
        mean(games.iter().map(|game| game.score as f64), 1),
        mean(took.iter().map(|&took| milliseconds(took)), 3),
        format!("{:.1}", milliseconds(nearest_rank(&took, 0.99))),
        format!("{:.1}", milliseconds(nearest_rank(&took, 1.0))),
        reasons(games),
    ]
}

/// Why games were not won, the most frequent reason first.
fn reasons(games: &[&Played]) -> String {
    let mut counts: Vec<(String, usize)> = Vec::new();
    for game in games.iter().filter(|game| game.finish.seen_from(0) != "win") {
        let reason = game.finish.reason();
        match counts.iter_mut().find(|(known, _)| *known == reason) {
            Some((_, count)) => *count += 1,
            None => counts.push((reason, 1)),
        }
    }
    counts.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    let lines: Vec<String> = counts.into_iter().map(|(reason, count)| format!("{count} {reason}")).collect();
    lines.join("\n")
}

fn mean(values: impl ExactSizeIterator<Item = f64>, decimals: usize) -> String {
    let count = values.len();
    if count == 0 { "-".to_owned() } else { format!("{:.decimals$}", values.sum::<f64>() / count as f64) }
}

/// The smallest value that this share of the sorted values does not exceed.
fn nearest_rank(sorted: &[Duration], share: f64) -> Duration {
    let rank = (sorted.len() as f64 * share).ceil() as usize;
    sorted.get(rank.saturating_sub(1)).copied().unwrap_or_default()
}
