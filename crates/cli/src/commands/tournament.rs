//! `damier tournament`, `damier match` and `damier merge`.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Result, bail, ensure};
use damier_arena::game::Missed;
use damier_arena::plan::{EventFile, Plan, Prepared, TournamentFile, prepare};
use damier_arena::schedule::{Fixture, Format, Shard};
use damier_arena::sprt::{Sprt, Trial, Verdict};
use damier_arena::standings::{
    EventStandings, MeetingRow, Row, Standings, pair_result, schedule_of, standings,
};
use damier_arena::store::{Results, Store, join};
use damier_arena::tournament::{self, Progress, RunOptions};
use damier_core::agent::Budget;
use damier_core::game::Seat;
use damier_host::terms::Terms;
use indicatif::ProgressBar;
use serde_json::json;

use super::{cores, progress_bar, ruled_table, warn_of_weak_confinement};
use crate::Answer;
use crate::args::{Contest, MatchArgs, TournamentArgs};
use crate::games;
use crate::output::screen;

/// Advice about games that the machine could not play.
pub const RESUME: &str = "--resume plays the missing games";

/// Plays a tournament, or resumes one.
pub fn tournament(args: &TournamentArgs) -> Result<Answer> {
    let is_game = games::all().iter().any(|game| game.info().name == args.tournament);
    let (mut file, folder) = if is_game {
        let agents = args.contest_agents.clone();
        ensure!(agents.len() >= 2, "give at least two agents, such as --agent best,original");
        (as_file(&args.tournament, agents, &args.contest), PathBuf::new())
    } else {
        ensure!(
            args.contest_agents.is_empty() && args.contest.has_no_options(),
            "agents and levels are set in the tournament file: --agent, --level and similar options need the name of a game instead"
        );
        let path = Path::new(&args.tournament);
        let names: Vec<&str> = games::all().iter().map(|game| game.info().name).collect();
        ensure!(
            path.is_file(),
            "`{}` is neither a tournament file nor a game; the games are {}",
            args.tournament,
            names.join(", ")
        );
        (TournamentFile::read(path)?, path.parent().map(Path::to_owned).unwrap_or_default())
    };
    if let Some(format) = args.format {
        file.format = format;
    }
    file.terms = args.contest.confine.apply(file.terms);
    let prepared = prepare(games::all(), &file, &folder)?;
    let mut store = Store::for_plan(&args.out, &prepared.plan, args.resume)?;
    let mut results = store.results()?;
    let options = RunOptions {
        shard: args.shard.unwrap_or(Shard::WHOLE),
        at_once: args.threads.unwrap_or_else(cores),
        cut_hangs: false,
    };
    let missed =
        play(&prepared, &mut results, Some(&mut store), options, &mut |_| ControlFlow::Continue(()))?;
    print_standings(&prepared.plan, &results, args.json)?;
    missed.check(RESUME)?;
    Ok(Answer::Yes)
}

/// The tournament described by the command line.
fn as_file(game: &str, agents: Vec<String>, contest: &Contest) -> TournamentFile {
    // Whole milliseconds, as in the store.
    let time = contest.budget.think.map(|time| Duration::from_millis(time.as_millis().max(1) as u64));
    let budget = Budget { time, nodes: contest.budget.nodes };
    TournamentFile {
        name: Some(game.to_owned()),
        format: Format::default(),
        agents,
        seeds: contest.seeds.clone(),
        terms: contest.confine.apply(Terms::of_budget(budget)),
        games: vec![EventFile {
            game: game.to_owned(),
            rules: contest.rules.clone(),
            levels: contest.level.clone(),
            turns: contest.turns,
            ..EventFile::default()
        }],
    }
}

/// Plays the missing games, with a progress bar.
pub fn play(
    prepared: &Prepared,
    results: &mut Results,
    store: Option<&mut Store>,
    options: RunOptions,
    watch: &mut dyn FnMut(&Results) -> ControlFlow<()>,
) -> Result<Missed> {
    warn_of_weak_confinement(&prepared.contestants, &prepared.plan.terms);
    let bar = progress_bar(0);
    let played = tournament::play(prepared, results, store, options, &mut |progress, results| {
        show(&bar, progress);
        watch(results)
    });
    bar.finish_and_clear();
    played
}

/// Updates the progress bar. The estimated time is based on the games of this run only.
fn show(bar: &ProgressBar, Progress { done, total }: Progress) {
    if bar.length() == Some(0) {
        bar.reset_eta();
    }
    bar.set_length(total as u64);
    bar.set_position(done as u64);
}

/// Merges the stores of one tournament.
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
    if json {
        writeln!(std::io::stdout(), "{}", serde_json::to_string(&standings)?)?;
    } else {
        write!(screen(), "{}", as_text(&standings))?;
    }
    if standings.played < standings.scheduled {
        eprintln!(
            "damier: {} of {} games have not been played yet",
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
            "{}: {} comparisons were identical to those with an earlier seed; ratings count them once",
            event.name, event.repeated
        );
    }
    if standings.events.iter().flat_map(|event| &event.rows).any(is_damped) {
        text += "~ an agent won or lost every game, so its rating would be infinite; one extra draw per pair keeps it finite\n";
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
    let substituted: String = event
        .rows
        .iter()
        .filter_map(|row| Some(format!("{}: {}\n", row.agent, row.substituted.as_ref()?)))
        .collect();
    format!("{} ({}, {})\n{table}\n{meetings}{substituted}", event.name, event.game, event.rules)
}

fn meeting_text(meeting: &MeetingRow) -> String {
    let [first, second] = &meeting.agents;
    let [won, lost] = meeting.points;
    let winner =
        meeting.winner.as_ref().map_or("not decided yet".to_owned(), |winner| format!("{winner} advances"));
    format!("round {}: {first} {won} : {lost} {second}, {winner}\n", meeting.round)
}

/// Compares two agents: is the second better than the first?
pub fn match_(args: &MatchArgs) -> Result<Answer> {
    let sprt = args.sprt.map(|(elo0, elo1)| Sprt::new(elo0, elo1, args.alpha, args.beta)).transpose();
    let sprt = sprt.map_err(|error| anyhow::anyhow!("--sprt: {error}"))?;
    let agents = vec![args.a.clone(), args.b.clone()];
    let prepared = prepare(games::all(), &as_file(&args.game.game, agents, &args.contest), Path::new(""))?;
    if args.resume && args.out.is_none() {
        bail!("--resume needs the store to resume: --out STORE");
    }
    let mut store = match &args.out {
        Some(path) => Some(Store::for_plan(path, &prepared.plan, args.resume)?),
        None => None,
    };
    let mut results = store.as_ref().map_or(Ok(Results::new()), Store::results)?;
    let games = schedule_of(&prepared.plan, &results).fixtures;
    let mut test =
        sprt.map(|sprt| Sequence { trial: Trial::new(sprt), games: &games, judged: 0, seen: HashSet::new() });
    let mut watch = |results: &Results| {
        let verdict = test.as_mut().map_or(Verdict::Open, |test| test.judge(results));
        if verdict == Verdict::Open { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    let mut missed = Missed::default();
    if watch(&results).is_continue() {
        let options =
            RunOptions { shard: Shard::WHOLE, at_once: args.threads.unwrap_or_else(cores), cut_hangs: false };
        missed = play(&prepared, &mut results, store.as_mut(), options, &mut watch)?;
    }
    // Missing games could change the verdict.
    missed.check(if store.is_some() { RESUME } else { "play the match again" })?;
    if let Some(test) = &test {
        // Games that ended after the decision are dropped, so that the answer does not depend on the number of parallel games.
        results.retain(|number, _| *number < 2 * test.judged);
    }
    report_match(args, &prepared.plan, &results, test.map(|test| test.trial))
}

/// A sequential test that judges pairs of games in the order of the schedule, in whatever order they end.
struct Sequence<'a> {
    trial: Trial,
    games: &'a [Fixture],
    judged: usize,
    seen: HashSet<(usize, Vec<u64>)>,
}

impl Sequence<'_> {
    /// Judges the next pairs until the test is decided. A pair that is identical to one with another seed is no new evidence.
    fn judge(&mut self, results: &Results) -> Verdict {
        for both in self.games.chunks(2).skip(self.judged) {
            if self.trial.verdict() != Verdict::Open {
                break;
            }
            let Some(pair) = pair_result(PAIR, both, results) else { break };
            self.judged += 1;
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
    if args.json {
        let mut line = json!({
            "game": event.game, "rules": event.rules, "a": a.agent, "b": b.agent, "games": results.len(),
            "pairs": results.len() / 2, "better": b.better, "equal": b.equal, "worse": b.worse, "percent": b.percent,
            "elo": elo, "margin": margin, "damped": is_damped(b), "repeated": event.repeated,
        });
        for (key, row) in [("a_substituted", a), ("b_substituted", b)] {
            if let Some(sentence) = &row.substituted {
                line[key] = json!(sentence);
            }
        }
        if let Some((sprt, ratio, verdict)) = trial {
            line["sprt"] = json!({"elo0": sprt.elo0, "elo1": sprt.elo1, "bounds": sprt.bounds(), "llr": ratio,
                "verdict": verdict_word(verdict)});
        }
        writeln!(std::io::stdout(), "{line}")?;
    } else {
        let mut out = screen();
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
