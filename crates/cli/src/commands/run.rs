//! `damier run`: headless games and their table.

use std::io::Write;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};
use comfy_table::Table;
use damier_arena::game::{self, Keep, Missed, Setting};
use damier_arena::record::Record;
use damier_arena::workers::in_parallel;
use damier_core::agent::Budget;
use damier_core::game::Outcome;
use damier_host::contestant::Contestant;
use damier_host::levels::NamedLevel;
use damier_host::measure::{milliseconds, percentile};
use damier_host::terms::Terms;
use damier_host::{Prefix, levels, replays, seats};
use damier_kit::Info;
use damier_kit::fault::Substituted;
use damier_kit::table::{AnyGame, OpenLevel};
use damier_process::agents;
use serde_json::json;

use super::opening::Opening;
use super::{cores, progress_bar, ruled_table, short_names, warn_of_weak_confinement, wrap_last_column};
use crate::args::RunArgs;
use crate::output::{report_error, screen};
use crate::{Answer, games};

/// With more levels than this, the table shows only totals.
const MAX_LEVELS_SHOWN: usize = 20;

/// A team of agents on a level.
struct Pairing {
    level: String,
    /// Index of the team.
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

/// A game to play. It holds its level, so that what agents have computed about a level is dropped with its last game.
struct Job {
    pairing: usize,
    seed: u64,
    open: Arc<dyn OpenLevel>,
}

/// A finished game.
struct Played {
    pairing: usize,
    seed: u64,
    rules: String,
    record: Record,
    /// Time of each decision of seat 0.
    took: Vec<Duration>,
    /// The game's tallies.
    tallies: Vec<u32>,
}

impl Played {
    fn outcome(&self) -> Outcome {
        self.record.outcomes[0]
    }
}

/// Plays every pairing with every seed.
pub fn run(args: &RunArgs) -> Result<Answer> {
    let info = games::find(&args.game.game)?.info();
    let opening = Opening::read(args.prefix.as_deref(), info)?;
    let Plan { teams, pairings, jobs, unreadable } = plan(args, &opening)?;
    let budget = Budget { time: args.budget.think, nodes: args.budget.nodes };
    let terms = Terms { turns: args.turns.unwrap_or(info.turn_limit), ..Terms::of_budget(budget) };
    let terms = args.confine.apply(terms);
    warn_of_weak_confinement(teams.iter().flat_map(|team| &team.contestants), &terms);
    if let Some(folder) = &args.replays {
        std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    }
    let bar = progress_bar(jobs.len() as u64);
    let (mut all, mut missed) = (Vec::new(), Missed::default());
    let finished = in_parallel(
        jobs.into_iter(),
        args.threads.unwrap_or_else(cores),
        |job| {
            let pairing = &pairings[job.pairing];
            let team = &teams[pairing.team];
            play_one(info, pairing, team, &job, &terms, &opening.prefix, args.replays.as_deref())
        },
        |ready| {
            for played in ready {
                bar.inc(1);
                let played = match played {
                    Ok(played) => played,
                    Err(error) => {
                        missed.add(error)?;
                        continue;
                    }
                };
                if args.json {
                    let pairing = &pairings[played.pairing];
                    let line = game_json(info, pairing, &teams[pairing.team], &played);
                    writeln!(std::io::stdout().lock(), "{line}")?;
                }
                all.push(played);
            }
            Ok(ControlFlow::Continue(()))
        },
    );
    bar.finish_and_clear();
    finished?;
    if !args.json {
        all.sort_by_key(|played| (played.pairing, played.seed));
        let mut out = screen();
        writeln!(out, "{}", table(info, &teams, &pairings, &all))?;
        for line in substituted(&teams, &pairings, &all) {
            writeln!(out, "{line}")?;
        }
    }
    missed.check("run the command again")?;
    Ok(if unreadable == 0 { Answer::Yes } else { Answer::No })
}

/// One line for each agent with substituted answers.
fn substituted(teams: &[Team], pairings: &[Pairing], played: &[Played]) -> Vec<String> {
    let mut lines = Vec::new();
    for (index, team) in teams.iter().enumerate() {
        for (seat, name) in team.names().into_iter().enumerate() {
            let games = played.iter().filter(|game| pairings[game.pairing].team == index);
            let sum = Substituted::sum(games.map(|game| &game.record.substituted[seat]));
            lines.extend(sum.sentence().map(|sentence| format!("{name}: {sentence}")));
        }
    }
    lines
}

/// All games to play.
struct Plan {
    teams: Vec<Team>,
    pairings: Vec<Pairing>,
    jobs: Vec<Job>,
    /// Number of levels skipped because they cannot be read.
    unreadable: usize,
}

/// Every level with every team and every seed. A level that cannot be read is reported and skipped.
fn plan(args: &RunArgs, opening: &Opening) -> Result<Plan> {
    let game = games::find(&args.game.game)?;
    let rules = opening.rules(game.info(), args.rules.as_deref())?;
    let seeds = args.seeds.clone().unwrap_or_else(|| [opening.seed()].into());
    let find_all = |texts: &[String]| texts.iter().map(|text| agents::find(text)).collect::<Result<Vec<_>>>();
    let (agents, opponents) = (find_all(&args.agent)?, find_all(&args.vs)?);
    let mut plan = Plan { teams: Vec::new(), pairings: Vec::new(), jobs: Vec::new(), unreadable: 0 };
    let (levels, errors): (Vec<_>, Vec<_>) =
        open_levels(game, opening.levels(game, &args.level, rules)?, rules).partition(Result::is_ok);
    let mut errors = errors.into_iter().filter_map(Result::err);
    if levels.is_empty()
        && let Some(error) = errors.next()
    {
        return Err(error);
    }
    for error in errors {
        report_error(&error.context("skipped"));
        plan.unreadable += 1;
    }
    for Opened { name, open } in levels.into_iter().flatten() {
        let teams = teams(game.info(), open.as_ref(), &agents, &opponents)?;
        for team in 0..teams.len() {
            let pairing = plan.pairings.len();
            plan.jobs.extend(seeds.iter().map(|&seed| Job { pairing, seed, open: Arc::clone(&open) }));
            plan.pairings.push(Pairing { level: name.clone(), team });
        }
        plan.teams = teams;
    }
    Ok(plan)
}

/// A level that can be played.
struct Opened {
    name: String,
    open: Arc<dyn OpenLevel>,
}

/// Opens levels; each may be unreadable.
fn open_levels(
    game: &dyn AnyGame,
    levels: Vec<Result<NamedLevel>>,
    rules: &'static str,
) -> impl Iterator<Item = Result<Opened>> {
    let open = move |level: NamedLevel| {
        let open = levels::open(game, &level, rules)?.into();
        Ok(Opened { name: level.name, open })
    };
    levels.into_iter().map(move |level| level.and_then(open))
}

/// Every agent, with every opponent if there are any. Fails if an agent cannot play here.
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
    prefix: &Prefix,
    replay_folder: Option<&Path>,
) -> Result<Played> {
    let keep = if replay_folder.is_some() { Keep::Thoughts } else { Keep::Result };
    let contestants = &team.contestants;
    let setting = Setting { info, open: open.as_ref(), level, seed, contestants, terms, prefix };
    let game::Played { record, mut took, tallies, replay } = game::play(&setting, keep)?;
    if let (Some(folder), Some(replay)) = (replay_folder, replay) {
        let name = format!("{level}-{}-{seed}", team.names().join("-")).replace(['/', '\\', '.'], "_");
        replays::write(&folder.join(format!("{name}.jsonl.zst")), &replay)?;
    }
    Ok(Played { pairing, seed, rules: open.rules().to_owned(), record, took: took.swap_remove(0), tallies })
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
    for (tally, count) in info.tallies.iter().zip(&played.tallies) {
        line[tally.name] = json!(count);
    }
    if let Some(vs) = names.get(1) {
        line["vs"] = json!(vs);
    }
    if !played.record.substituted[0].is_none() {
        line["substituted"] = json!(played.record.substituted[0]);
    }
    line
}

/// Milliseconds rounded to three decimals.
fn rounded_milliseconds(time: Duration) -> f64 {
    (milliseconds(time) * 1000.0).round() / 1000.0
}

/// One row per level and team, then one per team over all levels.
fn table(info: &Info, teams: &[Team], pairings: &[Pairing], played: &[Played]) -> Table {
    let mut header =
        vec!["level", "agents", "games", "won %", "turns", "lost %", "turns", "undecided %", "score"];
    header.extend(info.tallies.iter().map(|tally| tally.name));
    header.extend(["ms/turn", "ms p99", "ms max", "not won because"]);
    let mut table = ruled_table(&header, 2);
    wrap_last_column(&mut table);
    let levels = pairings.len() / teams.len();
    let names = short_names(&pairings.iter().map(|pairing| &*pairing.level).collect::<Vec<_>>());
    if levels <= MAX_LEVELS_SHOWN {
        for (index, pairing) in pairings.iter().enumerate() {
            let games: Vec<&Played> = played.iter().filter(|game| game.pairing == index).collect();
            table.add_row(row(&names[index], &teams[pairing.team], &games));
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
    let percent = |part: &[&Played]| format!("{:.1}", 100.0 * part.len() as f64 / games.len().max(1) as f64);
    let (won, lost) = (ending(Outcome::Win), ending(Outcome::Loss));
    let undecided: Vec<&Played> = ending(Outcome::Draw).into_iter().chain(ending(Outcome::Limit)).collect();
    let mut took: Vec<Duration> = games.iter().flat_map(|game| game.took.iter().copied()).collect();
    took.sort_unstable();
    let mut row = vec![
        level.to_owned(),
        team.names().join(" against "),
        games.len().to_string(),
        percent(&won),
        mean(won.iter().map(|game| f64::from(game.record.turns)), 1),
        percent(&lost),
        mean(lost.iter().map(|game| f64::from(game.record.turns)), 1),
        percent(&undecided),
        mean(games.iter().map(|game| game.record.scores[0] as f64), 1),
    ];
    let tallies = games.first().map_or(0, |game| game.tallies.len());
    row.extend((0..tallies).map(|tally| mean(games.iter().map(|game| f64::from(game.tallies[tally])), 1)));
    row.extend([
        mean(took.iter().map(|&took| milliseconds(took)), 3),
        format!("{:.1}", milliseconds(percentile(&took, 99))),
        format!("{:.1}", milliseconds(percentile(&took, 100))),
        reasons(games),
    ]);
    row
}

/// Why games were not won, the most frequent reason first. Faults with the same code count as one reason, even if their details differ.
fn reasons(games: &[&Played]) -> String {
    struct Reason<'a> {
        first: &'a Record,
        count: usize,
        alike: bool,
    }
    let same = |a: &Record, b: &Record| match (&a.fault, &b.fault) {
        (Some((seat, fault)), Some((other, their))) => (seat, fault.code) == (other, their.code),
        (None, None) => a.reason == b.reason,
        _ => false,
    };
    let mut reasons: Vec<Reason<'_>> = Vec::new();
    for record in games.iter().filter(|game| game.outcome() != Outcome::Win).map(|game| &game.record) {
        match reasons.iter_mut().find(|known| same(known.first, record)) {
            Some(known) => {
                known.count += 1;
                known.alike &= known.first.reason == record.reason;
            }
            None => reasons.push(Reason { first: record, count: 1, alike: true }),
        }
    }
    reasons.sort_by_key(|reason| std::cmp::Reverse(reason.count));
    let line = |reason: Reason<'_>| {
        let more = if reason.alike { "" } else { ", or similar" };
        format!("{} {}{more}", reason.count, reason.first.reason)
    };
    reasons.into_iter().map(line).collect::<Vec<_>>().join("\n")
}

fn mean(values: impl ExactSizeIterator<Item = f64>, decimals: usize) -> String {
    let count = values.len();
    if count == 0 { "-".to_owned() } else { format!("{:.decimals$}", values.sum::<f64>() / count as f64) }
}
