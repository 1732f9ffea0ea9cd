//! `damier run`: headless games and their table.

use std::io::Write;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};
use comfy_table::{CellAlignment, Table};
use damier_arena::game::{self, Keep, Setting};
use damier_arena::record::Record;
use damier_arena::workers::in_parallel;
use damier_core::agent::Budget;
use damier_core::game::Outcome;
use damier_host::contestant::Contestant;
use damier_host::measure::{milliseconds, percentile};
use damier_host::terms::Terms;
use damier_host::{levels, replays, seats};
use damier_kit::Info;
use damier_kit::table::OpenLevel;
use damier_process::agents;
use serde_json::json;

use super::{cores, progress_bar, ruled_table};
use crate::args::RunArgs;
use crate::{Answer, games};

/// One row of the table has at most this many levels beside it before only the totals are shown.
const MOST_LEVELS_SHOWN: usize = 20;

/// Agents that meet on a level.
struct Pairing {
    level: String,
    /// Which of the teams of agents.
    team: usize,
}

/// Agents by seat.
struct Team {
    contestants: Vec<Contestant>,
}

impl Team {
    fn names(&self) -> Vec<&str> {
        self.contestants.iter().map(Contestant::name).collect()
    }
}

/// A game to play. Its level goes with it: what agents have worked out about a level is dropped with the last of its games.
struct Job {
    pairing: usize,
    seed: u64,
    open: Arc<dyn OpenLevel>,
}

/// How one game went.
struct Played {
    pairing: usize,
    seed: u64,
    rules: String,
    record: Record,
    /// How long each decision of seat 0 took.
    took: Vec<Duration>,
}

impl Played {
    fn outcome(&self) -> Outcome {
        self.record.outcomes[0]
    }
}

/// Plays every pairing with every seed.
pub fn run(args: &RunArgs) -> Result<Answer> {
    let info = games::find(&args.game.game)?.info();
    let Plan { teams, pairings, jobs } = plan(args)?;
    let budget = Budget { time: args.thinking.think, nodes: args.thinking.nodes };
    let terms = Terms { turns: args.turns.unwrap_or(info.turn_limit), ..Terms::of_budget(budget) };
    if let Some(folder) = &args.replays {
        std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    }
    let bar = progress_bar(jobs.len() as u64);
    let mut all = Vec::new();
    let finished = in_parallel(
        jobs.into_iter(),
        args.threads.unwrap_or_else(cores),
        |job| {
            let pairing = &pairings[job.pairing];
            play_one(info, pairing, &teams[pairing.team], &job, &terms, args.replays.as_deref())
        },
        |ready| {
            for played in ready {
                let played = played?;
                if args.json {
                    let pairing = &pairings[played.pairing];
                    let line = game_json(info, pairing, &teams[pairing.team], &played);
                    writeln!(std::io::stdout().lock(), "{line}")?;
                }
                bar.inc(1);
                all.push(played);
            }
            Ok(ControlFlow::Continue(()))
        },
    );
    bar.finish_and_clear();
    finished?;
    if !args.json {
        all.sort_by_key(|played| (played.pairing, played.seed));
        writeln!(std::io::stdout().lock(), "{}", table(&teams, &pairings, &all))?;
    }
    Ok(Answer::Yes)
}

/// What there is to play.
struct Plan {
    teams: Vec<Team>,
    pairings: Vec<Pairing>,
    jobs: Vec<Job>,
}

/// Every level with every pair of agents, and with every seed.
fn plan(args: &RunArgs) -> Result<Plan> {
    let game = games::find(&args.game.game)?;
    let rules = games::rule_set(game.info(), args.rules.as_deref())?;
    let find_all = |texts: &[String]| texts.iter().map(|text| agents::find(text)).collect::<Result<Vec<_>>>();
    let (agents, opponents) = (find_all(&args.agent)?, find_all(&args.vs)?);
    let mut plan = Plan { teams: Vec::new(), pairings: Vec::new(), jobs: Vec::new() };
    for level in levels::find_all(game, &args.level, rules)? {
        let open: Arc<dyn OpenLevel> = levels::open(game, &level, rules)?.into();
        let teams = teams(game.info(), open.as_ref(), &agents, &opponents)?;
        for team in 0..teams.len() {
            let pairing = plan.pairings.len();
            plan.jobs.extend(args.seeds.iter().map(|&seed| Job { pairing, seed, open: Arc::clone(&open) }));
            plan.pairings.push(Pairing { level: level.name.clone(), team });
        }
        plan.teams = teams;
    }
    Ok(plan)
}

/// Every agent, against every opponent if there are any. Whoever cannot play here is an error before the first game.
fn teams(
    info: &Info,
    open: &dyn OpenLevel,
    agents: &[Contestant],
    opponents: &[Contestant],
) -> Result<Vec<Team>> {
    let mut teams = Vec::new();
    for agent in agents {
        if opponents.is_empty() {
            teams.push(Team { contestants: seats::contestants(info, open, agent, None)? });
        }
        for vs in opponents {
            teams.push(Team { contestants: seats::contestants(info, open, agent, Some(vs))? });
        }
    }
    Ok(teams)
}

fn play_one(
    info: &'static Info,
    Pairing { level, .. }: &Pairing,
    team: &Team,
    &Job { pairing, seed, ref open }: &Job,
    terms: &Terms,
    replay_folder: Option<&Path>,
) -> Result<Played> {
    let keep = if replay_folder.is_some() { Keep::Thoughts } else { Keep::Result };
    let setting = Setting { info, open: open.as_ref(), level, seed, contestants: &team.contestants, terms };
    let game::Played { record, mut took, replay } = game::play(&setting, keep)?;
    if let (Some(folder), Some(replay)) = (replay_folder, replay) {
        let name = format!("{level}-{}-{seed}", team.names().join("-")).replace(['/', '\\', '.'], "_");
        replays::write(&folder.join(format!("{name}.jsonl.zst")), &replay)?;
    }
    Ok(Played { pairing, seed, rules: open.rules().to_owned(), record, took: took.swap_remove(0) })
}

fn game_json(info: &Info, pairing: &Pairing, team: &Team, played: &Played) -> serde_json::Value {
    let names = team.names();
    let mut line = json!({
        "game": info.name, "rules": played.rules, "level": pairing.level,
        "agent": names[0], "seed": played.seed,
        "outcome": played.outcome().name(), "reason": played.record.reason,
        "turns": played.record.turns, "score": played.record.scores[0],
        "ms_total": rounded_milliseconds(played.took.iter().sum()),
        "ms_max": rounded_milliseconds(played.took.iter().copied().max().unwrap_or_default()),
    });
    if let Some(vs) = names.get(1) {
        line["vs"] = json!(vs);
    }
    line
}

/// Milliseconds to three places: a line per game has no room for more.
fn rounded_milliseconds(time: Duration) -> f64 {
    (milliseconds(time) * 1000.0).round() / 1000.0
}

/// One row per level and pair of agents, then one per pair of agents over all levels.
fn table(teams: &[Team], pairings: &[Pairing], played: &[Played]) -> Table {
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
    let levels = pairings.len() / teams.len();
    if levels <= MOST_LEVELS_SHOWN {
        for (index, pairing) in pairings.iter().enumerate() {
            let games: Vec<&Played> = played.iter().filter(|game| game.pairing == index).collect();
            table.add_row(row(&pairing.level, &teams[pairing.team], &games));
        }
    }
    if levels > 1 {
        for (index, team) in teams.iter().enumerate() {
            let games: Vec<&Played> =
                played.iter().filter(|game| pairings[game.pairing].team == index).collect();
            table.add_row(row(&format!("all {levels} levels"), team, &games));
        }
    }
    table
}

fn row(level: &str, team: &Team, games: &[&Played]) -> Vec<String> {
    let ending = |outcome| -> Vec<&Played> {
        games.iter().copied().filter(|game| game.outcome() == outcome).collect()
    };
    let percent = |part: &[&Played]| format!("{:.1}", 100.0 * part.len() as f64 / games.len() as f64);
    let (won, lost) = (ending(Outcome::Win), ending(Outcome::Loss));
    let undecided: Vec<&Played> = ending(Outcome::Draw).into_iter().chain(ending(Outcome::Limit)).collect();
    let mut took: Vec<Duration> = games.iter().flat_map(|game| game.took.iter().copied()).collect();
    took.sort_unstable();
    vec![
        level.to_owned(),
        team.names().join(" against "),
        games.len().to_string(),
        percent(&won),
        mean(won.iter().map(|game| f64::from(game.record.turns)), 1),
        percent(&lost),
        mean(lost.iter().map(|game| f64::from(game.record.turns)), 1),
        percent(&undecided),
        mean(games.iter().map(|game| game.record.scores[0] as f64), 1),
        mean(took.iter().map(|&took| milliseconds(took)), 3),
        format!("{:.1}", milliseconds(percentile(&took, 99))),
        format!("{:.1}", milliseconds(percentile(&took, 100))),
        reasons(games),
    ]
}

/// Why games were not won, the most frequent reason first.
fn reasons(games: &[&Played]) -> String {
    let mut counts: Vec<(&str, usize)> = Vec::new();
    for game in games.iter().filter(|game| game.outcome() != Outcome::Win) {
        let reason = &*game.record.reason;
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
