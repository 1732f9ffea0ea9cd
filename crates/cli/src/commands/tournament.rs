//! `damier tournament`, `damier match` and `damier merge`.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Result, bail, ensure};
use damier_arena::plan::{EventFile, Plan, Prepared, TournamentFile, prepare};
use damier_arena::schedule::{Fixture, Format, Shard};
use damier_arena::sprt::{Sprt, Trial, Verdict};
use damier_arena::standings::{
    EventStandings, MeetingRow, Row, Standings, pair_result, schedule_of, standings,
};
use damier_arena::store::{Results, Store, join};
use damier_arena::tournament::{self, Manner, Progress};
use damier_core::agent::Budget;
use damier_core::game::Seat;
use damier_host::terms::{Confinement, Terms};
use indicatif::ProgressBar;
use serde_json::json;

use super::{cores, progress_bar, ruled_table};
use crate::Answer;
use crate::args::{Contest, MatchArgs, TournamentArgs};
use crate::games;

/// Plays a tournament, or goes on with one.
pub fn tournament(args: &TournamentArgs) -> Result<Answer> {
    let is_game = games::all().iter().any(|game| game.info().name == args.tournament);
    let (mut file, folder) = if is_game {
        let agents = args.contest_agents.clone();
        ensure!(agents.len() >= 2, "name two agents at least: --agent best,original");
        (as_file(&args.tournament, agents, &args.contest), PathBuf::new())
    } else {
        ensure!(
            args.contest_agents.is_empty() && args.contest.is_plain(),
            "a tournament's file says who plays what: --agent, --level and the like go with a game's name"
        );
        let path = Path::new(&args.tournament);
        let names: Vec<&str> = games::all().iter().map(|game| game.info().name).collect();
        ensure!(
            path.is_file(),
            "`{}` is neither a tournament's file nor a game; the games are {}",
            args.tournament,
            names.join(", ")
        );
        (TournamentFile::read(path)?, path.parent().map(Path::to_owned).unwrap_or_default())
    };
    if let Some(format) = args.format {
        file.format = format;
    }
    if args.contest.unconfined {
        file.terms.confinement = Confinement::Off;
    }
    let prepared = prepare(games::all(), &file, &folder)?;
    let mut store = Store::for_plan(&args.out, &prepared.plan, args.resume)?;
    let mut results = store.results()?;
    let manner =
        Manner { shard: args.shard.unwrap_or(Shard::WHOLE), at_once: args.threads.unwrap_or_else(cores) };
    play(&prepared, &mut results, Some(&mut store), manner, &mut |_| ControlFlow::Continue(()))?;
    print_standings(&prepared.plan, &results, args.json)?;
    Ok(Answer::Yes)
}

/// The tournament that a command line asks for.
fn as_file(game: &str, agents: Vec<String>, contest: &Contest) -> TournamentFile {
    // Whole milliseconds, as the store keeps them.
    let time = contest.thinking.think.map(|time| Duration::from_millis(time.as_millis().max(1) as u64));
    let budget = Budget { time, nodes: contest.thinking.nodes };
    TournamentFile {
        name: Some(game.to_owned()),
        format: Format::default(),
        agents,
        seeds: contest.seeds.clone(),
        terms: Terms {
            confinement: if contest.unconfined { Confinement::Off } else { Confinement::Full },
            ..Terms::of_budget(budget)
        },
        games: vec![EventFile {
            game: game.to_owned(),
            rules: contest.rules.clone(),
            levels: contest.level.clone(),
            turns: contest.turns,
            ..EventFile::default()
        }],
    }
}

/// Plays what is missing, with a bar that says how much is left.
pub fn play(
    prepared: &Prepared,
    results: &mut Results,
    store: Option<&mut Store>,
    manner: Manner,
    watch: &mut dyn FnMut(&Results) -> ControlFlow<()>,
) -> Result<()> {
    let bar = progress_bar(0);
    let played = tournament::play(prepared, results, store, manner, &mut |progress, results| {
        show(&bar, progress);
        watch(results)
    });
    bar.finish_and_clear();
    played
}

/// The time left is that of the games of this run: those of an earlier one took none of it.
fn show(bar: &ProgressBar, Progress { done, total }: Progress) {
    if bar.length() == Some(0) {
        bar.reset_eta();
    }
    bar.set_length(total as u64);
    bar.set_position(done as u64);
}

/// Joins the stores of one tournament's parts.
pub fn merge(stores: &[PathBuf], out: Option<&Path>, json: bool) -> Result<Answer> {
    let parts = stores.iter().map(|path| Store::open(path)).collect::<Result<Vec<_>>>()?;
    let (plan, results) = join(&parts)?;
    if let Some(out) = out {
        let mut whole = Store::for_plan(out, &plan, false)?;
        parts.iter().try_for_each(|part| whole.copy_from(part))?;
    }
    print_standings(&plan, &results, json)?;
    Ok(Answer::Yes)
}

fn print_standings(plan: &Plan, results: &Results, json: bool) -> Result<()> {
    let standings = standings(plan, results);
    let mut out = std::io::stdout().lock();
    if json {
        writeln!(out, "{}", serde_json::to_string(&standings)?)?;
    } else {
        write!(out, "{}", as_text(&standings))?;
    }
    if standings.played < standings.scheduled {
        eprintln!(
            "damier: {} of {} games are not played yet",
            standings.scheduled - standings.played,
            standings.scheduled
        );
    }
    Ok(())
}

fn as_text(standings: &Standings) -> String {
    let mut text = String::new();
    for event in &standings.events {
        text += &event_text(event);
    }
    if !standings.overall.is_empty() {
        let mut header = vec!["", "agent", "mean %"];
        header.extend(standings.events.iter().map(|event| &*event.name));
        let mut table = ruled_table(&header, 2);
        for row in &standings.overall {
            let mut cells = vec![row.place.to_string(), row.agent.clone(), format!("{:.1}", row.mean)];
            cells.extend(
                row.percents.iter().map(|share| share.map_or("-".into(), |share| format!("{share:.1}"))),
            );
            table.add_row(cells);
        }
        let _ = writeln!(text, "all games\n{table}");
    }
    for event in standings.events.iter().filter(|event| event.repeated > 0) {
        let _ = writeln!(
            text,
            "{}: {} comparisons went exactly as with an earlier seed; ratings count them once",
            event.name, event.repeated
        );
    }
    if standings.events.iter().flat_map(|event| &event.rows).any(is_damped) {
        text += "~ somebody won or lost every game: each pair was given one drawn game more for the rating\n";
    }
    text
}

fn is_damped(row: &Row) -> bool {
    row.rating.is_some_and(|rating| rating.damped)
}

fn event_text(event: &EventStandings) -> String {
    let alone = event.seats == 1;
    let header: &[&str] = if alone {
        &[
            "", "agent", "games", "won %", "turns", "score", "better", "equal", "worse", "%", "Elo", "±",
            "faults",
        ]
    } else {
        &["", "agent", "games", "won", "drawn", "lost", "%", "Elo", "±", "faults"]
    };
    let mut table = ruled_table(header, 2);
    for row in &event.rows {
        let mut cells = vec![row.place.to_string(), row.agent.clone(), row.games.to_string()];
        if alone {
            cells.push(format!("{:.1}", 100.0 * row.won as f64 / row.games.max(1) as f64));
            cells.push(row.turns_of_wins.map_or("-".into(), |turns| format!("{turns:.1}")));
            cells.push(format!("{:.1}", row.score));
        }
        cells.extend([row.better, row.equal, row.worse].map(|count| count.to_string()));
        cells.push(format!("{:.1}", row.percent));
        let mark = if is_damped(row) { "~" } else { "" };
        cells.push(row.rating.map_or("-".into(), |rating| format!("{mark}{:+}", rating.elo.round() as i64)));
        cells.push(row.rating.map_or("-".into(), |rating| format!("{:.0}", rating.margin)));
        cells.push(row.faults.to_string());
        table.add_row(cells);
    }
    let meetings: String = event.meetings.iter().map(meeting_text).collect();
    format!("{} ({}, {})\n{table}\n{meetings}", event.name, event.game, event.rules)
}

fn meeting_text(meeting: &MeetingRow) -> String {
    let [first, second] = &meeting.agents;
    let [won, lost] = meeting.points;
    let winner = meeting.winner.as_deref().unwrap_or("nobody yet");
    format!("round {}: {first} {won} : {lost} {second}, {winner} goes on\n", meeting.round)
}

/// Is the second agent better than the first?
pub fn match_(args: &MatchArgs) -> Result<Answer> {
    let sprt = args.sprt.map(|(elo0, elo1)| Sprt::new(elo0, elo1, args.alpha, args.beta)).transpose();
    let sprt = sprt.map_err(|error| anyhow::anyhow!("--sprt: {error}"))?;
    let agents = vec![args.a.clone(), args.b.clone()];
    let prepared = prepare(games::all(), &as_file(&args.game.game, agents, &args.contest), Path::new(""))?;
    if args.resume && args.out.is_none() {
        bail!("--resume needs the store to go on with: --out STORE");
    }
    let mut store = match &args.out {
        Some(path) => Some(Store::for_plan(path, &prepared.plan, args.resume)?),
        None => None,
    };
    let mut results = store.as_ref().map_or(Ok(Results::new()), Store::results)?;
    let games = schedule_of(&prepared.plan, &results).fixtures;
    let mut test = sprt.map(|sprt| Sequence {
        trial: Trial::new(sprt),
        games: &games,
        looked_at: 0,
        seen: HashSet::new(),
    });
    let mut go_on = |results: &Results| {
        let verdict = test.as_mut().map_or(Verdict::Open, |test| test.look(results));
        if verdict == Verdict::Open { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    if go_on(&results).is_continue() {
        let manner = Manner { shard: Shard::WHOLE, at_once: args.threads.unwrap_or_else(cores) };
        play(&prepared, &mut results, store.as_mut(), manner, &mut go_on)?;
    }
    if let Some(test) = &test {
        // What came in after the test was decided has no say: the answer is the same, however many games ran at once.
        results.retain(|number, _| *number < 2 * test.looked_at);
    }
    report_match(args, &prepared.plan, &results, test.map(|test| test.trial))
}

/// A sequential test that looks at pairs of games in the order of the schedule, whatever order they end in.
struct Sequence<'a> {
    trial: Trial,
    games: &'a [Fixture],
    looked_at: usize,
    seen: HashSet<(usize, Vec<u64>)>,
}

impl Sequence<'_> {
    /// Takes in the pairs that follow those already looked at, until the test is decided. A pair that went exactly as with
    /// another seed says nothing new.
    fn look(&mut self, results: &Results) -> Verdict {
        for both in self.games.chunks(2).skip(self.looked_at) {
            if self.trial.verdict() != Verdict::Open {
                break;
            }
            let Some(pair) = pair_result(PAIR, both, results) else { break };
            self.looked_at += 1;
            if self.seen.insert(pair.games) {
                self.trial.add(pair.score);
            }
        }
        self.trial.verdict()
    }
}

/// The two agents of a match.
const PAIR: [Seat; 2] = [0, 1];

fn report_match(args: &MatchArgs, plan: &Plan, results: &Results, trial: Option<Trial>) -> Result<Answer> {
    let standings = standings(plan, results);
    let event = &standings.events[0];
    let row = |agent: usize| event.rows.iter().find(|row| row.agent == plan.agents[agent].name);
    let (Some(a), Some(b)) = (row(0), row(1)) else { bail!("no game was played") };
    let (elo, margin) = match (a.rating, b.rating) {
        (Some(a), Some(b)) => (b.elo - a.elo, a.margin + b.margin),
        _ => bail!("no pair of games was finished"),
    };
    let trial = trial.map(|trial| (trial.sprt(), trial.log_likelihood_ratio(), trial.verdict()));
    let mut out = std::io::stdout().lock();
    if args.json {
        let mut line = json!({
            "game": event.game, "rules": event.rules, "a": a.agent, "b": b.agent, "games": results.len(),
            "pairs": results.len() / 2, "better": b.better, "equal": b.equal, "worse": b.worse, "percent": b.percent,
            "elo": elo, "margin": margin, "damped": is_damped(b), "repeated": event.repeated,
        });
        if let Some((sprt, ratio, verdict)) = trial {
            line["sprt"] = json!({"elo0": sprt.elo0, "elo1": sprt.elo1, "bounds": sprt.bounds(), "llr": ratio,
                "verdict": verdict_word(verdict)});
        }
        writeln!(out, "{line}")?;
    } else {
        write!(out, "{}", as_text(&standings))?;
        writeln!(out, "{} against {}: Elo {:+} ± {margin:.0}", b.agent, a.agent, elo.round() as i64)?;
        if let Some((sprt, ratio, verdict)) = trial {
            let (low, high) = sprt.bounds();
            writeln!(
                out,
                "is {} better than {}? {} (log-likelihood ratio {ratio:.2} between {low:.2} and {high:.2} after {} pairs)",
                b.agent,
                a.agent,
                verdict_word(verdict),
                results.len() / 2
            )?;
        }
    }
    let shown = trial.is_none_or(|(.., verdict)| verdict == Verdict::Better);
    Ok(if shown { Answer::Yes } else { Answer::No })
}

fn verdict_word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Better => "yes",
        Verdict::NotBetter => "no",
        Verdict::Open => "undecided",
    }
}
