//! Grading: the tests of a suite become events of a tournament, their results become points.

use std::collections::BTreeMap;
use std::path::{Component, Path};

use anyhow::{Result, ensure};
use serde::Serialize;

use crate::plan::{Entrants, EventFile, Plan, Prepared, TournamentFile, prepare_event};
use crate::record::Record;
use crate::schedule::{Fixture, Format};
use crate::standings::schedule_of;
use crate::store::Results;
use crate::suite::{Suite, Test};
use crate::verdict::{Verdict, VerdictKind};
use damier_core::game::Outcome;
use damier_host::ENGINE;
use damier_host::games::Games;
use damier_host::levels::NamedLevel;
use damier_kit::fault::{Fault, FaultCode, Substituted};
use damier_process::agents;
use damier_process::manifest::FILE_NAME;

/// An agent to grade.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// Name in the report: the folder of its `agent.toml`, or the name of a built-in agent.
    pub name: String,
    /// Number in the plan, or why it cannot play at all.
    pub entrant: Result<usize, String>,
}

/// A suite and the agents to grade, ready to play.
pub struct Examination {
    /// The suite.
    pub suite: Suite,
    /// The games.
    pub prepared: Prepared,
    /// The agents to grade.
    pub candidates: Vec<Candidate>,
    /// The agent that sets the best known result, by test.
    references: Vec<Option<usize>>,
}

/// Prepares the games of a suite. A mistake in the suite is an error; one in a candidate costs that candidate its points. Files are
/// searched in `folder` first.
pub fn examine(games: Games, suite: Suite, agents: &[String], folder: &Path) -> Result<Examination> {
    ensure!(!agents.is_empty(), "there is no agent to grade");
    let mut entrants = Entrants::default();
    let mut candidates = Vec::new();
    for text in agents {
        let name = unused(&candidates, candidate_name(text));
        let entrant = agents::find(text).map_err(|error| one_line(&error));
        let entrant = entrant.map(|contestant| entrants.add(name.clone(), text.clone(), contestant));
        candidates.push(Candidate { name, entrant });
    }
    let file = TournamentFile {
        name: Some(suite.name.clone()),
        format: Format::Gauntlet,
        terms: suite.terms.clone(),
        ..TournamentFile::default()
    };
    let (mut events, mut prepared, mut references) = (Vec::new(), Vec::new(), Vec::new());
    for test in &suite.tests {
        let other = match (&test.against, &test.reference) {
            (Some(opponent), _) => Some((format!("{opponent} (opponent)"), opponent)),
            (None, Some(reference)) => Some((format!("{reference} (reference)"), reference)),
            (None, None) => None,
        };
        let other = other.map(|(name, text)| entrants.invite(&name, text, folder)).transpose()?;
        references.push(other.filter(|_| test.reference.is_some()));
        let (event, opened) = prepare_event(games, &file, &event_of(&suite, test), folder)?;
        check_test(test, event.seats, &event.levels)?;
        if let Some(other) = other {
            // If it cannot play, the suite is wrong.
            entrants.check(other, &opened, event.seats)?;
        }
        for candidate in &mut candidates {
            let check = |entrant: &usize| entrants.check(*entrant, &opened, event.seats);
            if let Some(error) = candidate.entrant.as_ref().ok().and_then(|entrant| check(entrant).err()) {
                candidate.entrant = Err(one_line(&error));
            }
        }
        events.push((event, other));
        prepared.push(opened);
    }
    let playing: Vec<usize> = candidates.iter().filter_map(|it| it.entrant.as_ref().ok().copied()).collect();
    let events = events
        .into_iter()
        .map(|(mut event, other)| {
            event.agents = other.into_iter().chain(playing.iter().copied()).collect();
            event
        })
        .collect();
    let plan = Plan {
        engine: ENGINE.to_owned(),
        name: suite.name.clone(),
        format: Format::Gauntlet,
        terms: suite.terms.clone(),
        agents: entrants.entrants,
        events,
    };
    let prepared = Prepared::new(plan, entrants.contestants, prepared)?;
    Ok(Examination { suite, prepared, candidates, references })
}

/// An error on one line, for a table.
fn one_line(error: &anyhow::Error) -> String {
    let text = format!("{error:#}");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn event_of(suite: &Suite, test: &Test) -> EventFile {
    EventFile {
        name: Some(test.name.clone()),
        game: suite.game.clone(),
        rules: suite.rules.clone(),
        levels: test.levels.clone(),
        seeds: test.seeds.clone(),
        turns: test.turns,
        agents: None,
    }
}

fn check_test(test: &Test, seats: usize, levels: &[NamedLevel]) -> Result<()> {
    let name = &test.name;
    ensure!(
        seats == 1 || test.against.is_some(),
        "test `{name}`: a two-player game needs an opponent: set `against`"
    );
    ensure!(seats == 2 || test.against.is_none(), "test `{name}`: `against` is for two-player games only");
    if test.within.is_some() && test.reference.is_none() {
        let unknown = levels.iter().find(|level| !test.best_known.contains_key(&level.name));
        ensure!(
            unknown.is_none(),
            "test `{name}`: `best_known` lacks the level {}",
            unknown.map_or("", |level| &level.name)
        );
    }
    Ok(())
}

/// The folder of an `agent.toml`, or the text itself.
fn candidate_name(text: &str) -> String {
    let path = Path::new(text);
    let folder =
        if path.file_name().is_some_and(|name| name == FILE_NAME) { path.parent() } else { Some(path) };
    let last = folder.and_then(|folder| match folder.components().next_back() {
        Some(Component::Normal(name)) => Some(name.to_string_lossy().into_owned()),
        _ => std::fs::canonicalize(folder).ok()?.file_name().map(|name| name.to_string_lossy().into_owned()),
    });
    last.unwrap_or_else(|| text.to_owned())
}

fn unused(candidates: &[Candidate], name: String) -> String {
    let taken = |name: &str| candidates.iter().any(|other| other.name == name);
    let numbered = (2..=candidates.len() + 1).map(|number| format!("{name} {number}"));
    std::iter::once(name.clone()).chain(numbered).find(|name| !taken(name)).unwrap_or(name)
}

/// Result of a game of a test.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GameMark {
    /// Number in the store.
    pub number: usize,
    /// The level.
    pub level: String,
    /// The seed.
    pub seed: u64,
    /// Seat of the graded agent.
    pub seat: usize,
    /// Outcome for the graded agent.
    pub outcome: Outcome,
    /// Why.
    pub reason: String,
    /// Turns played.
    pub turns: u32,
    /// Its score.
    pub score: i64,
    /// Turns of the best known win.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub best_known: Option<u32>,
    /// Does it count towards the goal?
    pub counts: bool,
    /// Its substituted answers.
    pub substituted: Substituted,
    /// Its fault, if one ended the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fault: Option<Fault>,
    /// Longest decision, in milliseconds.
    pub longest_ms: f64,
    /// Longest decision in processor time, where it is measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub longest_cpu_ms: Option<f64>,
}

/// Result of a test.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TestMark {
    /// The test.
    pub name: String,
    /// Was the goal reached?
    pub passed: bool,
    /// The points.
    pub points: f64,
    /// Maximum points.
    pub of: f64,
    /// Result and goal as a sentence.
    pub summary: String,
    /// The games.
    pub games: Vec<GameMark>,
}

/// Result of one candidate.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Mark {
    /// The candidate.
    pub agent: String,
    /// The points.
    pub points: f64,
    /// Maximum points.
    pub of: f64,
    /// Why it could not play at all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refused: Option<String>,
    /// What is wrong with it, if anything.
    pub verdict: Verdict,
    /// Its substituted answers.
    pub substituted: Substituted,
    /// The tests.
    pub tests: Vec<TestMark>,
}

impl GameMark {
    /// Was at least one answer its own?
    fn is_its_own(&self) -> bool {
        self.substituted.own_share() > 0.0
    }

    /// Number of faults and warnings: substituted answers, and the fault that ended the game if it was another one.
    pub fn faults_and_warnings(&self) -> u32 {
        let other = self.fault.as_ref().is_some_and(|fault| !fault.code.is_of_answer());
        self.substituted.count + u32::from(other)
    }
}

impl Mark {
    /// The mark of a candidate with these tests, or of one that could not play.
    pub fn new(agent: &str, of: f64, refused: Option<String>, tests: Vec<TestMark>) -> Self {
        let passed = refused.is_none() && tests.iter().all(|test| test.passed);
        let games = tests.iter().flat_map(|test| &test.games);
        let verdict = match &refused {
            Some(reason) => Verdict::refused(reason),
            None => Verdict::on(games.clone(), passed),
        };
        let substituted = Substituted::sum(games.map(|game| &game.substituted));
        let points = tests.iter().map(|test| test.points).sum();
        Self { agent: agent.to_owned(), points, of, refused, verdict, substituted, tests }
    }

    /// The verdict as a sentence, with the number of substituted answers.
    pub fn explanation(&self) -> String {
        match (self.verdict.kind, self.substituted.sentence()) {
            (VerdictKind::NotYours, Some(sentence)) => sentence,
            (kind, Some(sentence)) if !self.substituted.why.as_ref().is_some_and(|why| kind.is_of(why)) => {
                format!("{}; {sentence}", self.verdict)
            }
            _ => self.verdict.to_string(),
        }
    }

    /// The explanation without the verdict's phrase; empty if there is no more to say.
    pub fn cause(&self) -> String {
        let (all, phrase) = (self.explanation(), self.verdict.phrase());
        all.strip_prefix(&phrase).unwrap_or(&all).trim_start_matches([':', ';', ' ']).to_owned()
    }

    /// Were all goals reached?
    pub fn passed(&self) -> bool {
        self.refused.is_none() && self.tests.iter().all(|test| test.passed)
    }
}

/// Computes the marks from the results of all games.
pub fn marks(examination: &Examination, results: &Results) -> Vec<Mark> {
    let plan = &examination.prepared.plan;
    let fixtures = schedule_of(plan, results).fixtures;
    examination.candidates.iter().map(|candidate| mark(examination, candidate, &fixtures, results)).collect()
}

fn mark(examination: &Examination, candidate: &Candidate, fixtures: &[Fixture], results: &Results) -> Mark {
    let suite = &examination.suite;
    let mut tests = Vec::new();
    for (event, test) in suite.tests.iter().enumerate() {
        let best = best_known(examination, event, fixtures, results);
        let games = match candidate.entrant {
            Ok(entrant) => game_marks(examination, event, entrant, &best, fixtures, results),
            Err(_) => Vec::new(),
        };
        tests.push(test_mark(test, games));
    }
    Mark::new(&candidate.name, suite.points(), candidate.entrant.as_ref().err().cloned(), tests)
}

/// Turns of the best known win, by level and seed.
fn best_known(
    examination: &Examination,
    event: usize,
    fixtures: &[Fixture],
    results: &Results,
) -> BTreeMap<(usize, u64), u32> {
    let test = &examination.suite.tests[event];
    let mut best = BTreeMap::new();
    for game in fixtures.iter().filter(|game| game.event == event) {
        let level = &examination.prepared.plan.events[event].levels[game.level].name;
        let listed = test.best_known.get(level).copied();
        let is_reference = examination.references[event].is_some_and(|it| game.seats == [it]);
        let won =
            results.get(&game.number).filter(|record| is_reference && record.outcomes[0] == Outcome::Win);
        for turns in listed.into_iter().chain(won.map(|record| record.turns)) {
            let known = best.entry((game.level, game.seed)).or_insert(turns);
            *known = turns.min(*known);
        }
    }
    best
}

fn game_marks(
    examination: &Examination,
    event: usize,
    entrant: usize,
    best: &BTreeMap<(usize, u64), u32>,
    fixtures: &[Fixture],
    results: &Results,
) -> Vec<GameMark> {
    let test = &examination.suite.tests[event];
    let levels = &examination.prepared.plan.events[event].levels;
    let own = fixtures.iter().filter(|game| game.event == event);
    own.filter_map(|game| {
        let seat = game.seats.iter().position(|&agent| agent == entrant)?;
        let record = results.get(&game.number)?;
        let best_known = best.get(&(game.level, game.seed)).copied();
        let substituted = record.substituted[seat].clone();
        let fault =
            record.fault.as_ref().filter(|(faulty, _)| *faulty == seat).map(|(_, fault)| fault.clone());
        // A game in which all answers were substituted is lost, however it ended.
        let not_its_own = substituted.own_share() <= 0.0;
        Some(GameMark {
            number: game.number,
            level: levels[game.level].name.clone(),
            seed: game.seed,
            seat,
            outcome: if not_its_own { Outcome::Loss } else { record.outcomes[seat] },
            reason: reason(record, fault.as_ref(), &substituted, not_its_own),
            turns: record.turns,
            score: record.scores[seat],
            best_known,
            counts: !not_its_own && counts(test, record, seat, best_known),
            substituted,
            fault,
            longest_ms: record.times[seat].wall_max_us as f64 / 1000.0,
            longest_cpu_ms: record.times[seat].cpu_max_us.map(|us| us as f64 / 1000.0),
        })
    })
    .collect()
}

/// Why a game ended, on one line.
fn reason(record: &Record, fault: Option<&Fault>, substituted: &Substituted, not_its_own: bool) -> String {
    match fault {
        // The build log is long and the same in every game; the verdict has it.
        Some(Fault { code: FaultCode::Build, .. }) => VerdictKind::DoesNotBuild.phrase().to_owned(),
        Some(fault) => fault.to_string(),
        None if not_its_own => substituted.to_string(),
        None => record.reason.clone(),
    }
}

/// A win counts, unless it took too many turns. Without a known win, any win counts.
fn counts(test: &Test, record: &Record, seat: usize, best_known: Option<u32>) -> bool {
    let quick_enough = match (test.within, best_known) {
        (Some(percent), Some(best)) => f64::from(record.turns) <= f64::from(best) * (1.0 + percent / 100.0),
        _ => true,
    };
    record.outcomes[seat] == Outcome::Win && quick_enough
}

fn test_mark(test: &Test, games: Vec<GameMark>) -> TestMark {
    let count = games.len().max(1) as f64;
    let counted = games.iter().filter(|game| game.counts).count();
    // What each game contributes to the goal.
    let (worth, goal): (fn(&GameMark) -> f64, f64) = match (test.percent, test.mean_score) {
        (Some(goal), _) => (|game| game.outcome.points(), goal * count / 100.0),
        (None, Some(goal)) => (|game| if game.is_its_own() { game.score as f64 } else { 0.0 }, goal * count),
        (None, None) => {
            (|game| f64::from(u8::from(game.counts)), test.wins.unwrap_or(games.len()).max(1) as f64)
        }
    };
    let reached: f64 = games.iter().map(worth).sum();
    // Points are for the agent's own answers: each game counts by its share of them.
    let own: f64 = games.iter().map(|game| worth(game) * game.substituted.own_share()).sum();
    let own_share = if reached > 0.0 { own / reached } else { mean_own_share(&games) };
    let mut summary = match (test.percent, test.mean_score) {
        (Some(goal), _) => format!("{:.1} % of the points, {goal} % required", 100.0 * reached / count),
        (None, Some(goal)) => format!("a mean score of {:.1}, {goal} required", reached / count),
        (None, None) => {
            let how =
                test.within.map_or(String::new(), |percent| format!(" within {percent} % of the best known"));
            format!("{counted} of {} games won{how}, {goal} required", games.len())
        }
    };
    if let Some(sentence) = Substituted::sum(games.iter().map(|game| &game.substituted)).sentence() {
        summary = format!("{summary}; {sentence}");
    }
    let passed = !games.is_empty() && reached >= goal && own_share > 0.0;
    let share = if passed {
        1.0
    } else if test.partial && goal > 0.0 && !games.is_empty() {
        (reached / goal).clamp(0.0, 1.0)
    } else {
        0.0
    };
    // Two decimal places are enough.
    let points = (test.points * share * own_share * 100.0).round() / 100.0;
    TestMark { name: test.name.clone(), passed, points, of: test.points, summary, games }
}

/// Mean share of own answers, for the case that no game contributed to the goal.
fn mean_own_share(games: &[GameMark]) -> f64 {
    games.iter().map(|game| game.substituted.own_share()).sum::<f64>() / games.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(outcome: Outcome, score: i64, counts: bool) -> GameMark {
        GameMark {
            number: 0,
            level: "a".into(),
            seed: 1,
            seat: 0,
            outcome,
            reason: String::new(),
            turns: 10,
            score,
            best_known: None,
            counts,
            substituted: Substituted { answers: 10, ..Substituted::default() },
            fault: None,
            longest_ms: 0.0,
            longest_cpu_ms: None,
        }
    }

    fn test(more: &str) -> Test {
        let text = format!("name = 'x'\ngame = 'siam'\n[[tests]]\nname = 't'\npoints = 10\n{more}");
        Suite::parse(Path::new("x.toml"), &text).unwrap().tests.remove(0)
    }

    #[test]
    fn goals_give_all_part_or_none_of_the_points() {
        let games = || {
            vec![game(Outcome::Win, 5, true), game(Outcome::Draw, 3, false), game(Outcome::Loss, 1, false)]
        };
        let points = |more: &str| {
            let mark = test_mark(&test(more), games());
            (mark.points, mark.passed)
        };
        assert_eq!(points("wins = 1"), (10.0, true));
        assert_eq!(points("wins = 2"), (0.0, false));
        assert_eq!(points("wins = 2\npartial = true"), (5.0, false));
        assert_eq!(points("partial = true"), (3.33, false));
        assert_eq!(points("percent = 50.0"), (10.0, true));
        assert_eq!(points("percent = 51.0"), (0.0, false));
        assert_eq!(points("mean_score = 3.0"), (10.0, true));
        assert_eq!(points("mean_score = 6.0\npartial = true"), (5.0, false));
        // Without a game no goal is reached.
        assert!(!test_mark(&test("mean_score = -1.0"), Vec::new()).passed);
    }

    #[test]
    fn points_are_only_given_for_own_answers() {
        let substituted = |count| Substituted {
            answers: 10,
            count,
            why: (count > 0).then(|| Fault::new(FaultCode::NoAnswer, "move/12 failed")),
        };
        let won = |count| GameMark { substituted: substituted(count), ..game(Outcome::Win, 8, true) };
        let points = |more: &str, games| (100.0 * test_mark(&test(more), games).points) as u32;
        for goal in ["wins = 2", "percent = 50.0", "mean_score = 5.0", "wins = 4\npartial = true"] {
            let all = points(goal, vec![won(0), won(0)]);
            assert_eq!(points(goal, vec![won(4), won(6)]), all / 2, "{goal}");
            assert_eq!(points(goal, vec![won(10), won(10)]), 0, "{goal}");
        }
        let summary = test_mark(&test("wins = 1"), vec![won(3)]).summary;
        assert!(summary.ends_with("; 3 of 10 answers were not yours: move/12 failed"), "{summary}");
    }

    #[test]
    fn the_most_frequent_problem_is_the_verdict() {
        let fault = |code| GameMark { fault: Some(Fault::new(code, "why")), ..game(Outcome::Loss, 0, false) };
        let plain = || game(Outcome::Loss, 0, false);
        let verdict = |games: Vec<GameMark>| {
            Mark::new("x", 10.0, None, vec![test_mark(&test("wins = 9"), games)]).verdict.to_string()
        };
        assert_eq!(verdict(vec![plain()]), "plays badly");
        assert_eq!(verdict(vec![fault(FaultCode::Build), fault(FaultCode::Build)]), "does not build: why");
        assert_eq!(verdict(vec![plain(), fault(FaultCode::Crash)]), "crashes in 1 of 2 games: why");
        let mixed = vec![fault(FaultCode::Memory), fault(FaultCode::Timeout), fault(FaultCode::Timeout)];
        assert_eq!(verdict(mixed), "hangs in 2 of 3 games: why");
        let none =
            Substituted { answers: 9, count: 9, why: Some(Fault::new(FaultCode::NoAnswer, "no move/12")) };
        let not_own = GameMark { substituted: none, ..plain() };
        assert_eq!(verdict(vec![not_own]), "answers were not yours: no move/12");
        let refused = Mark::new("x", 10.0, Some("no agent.toml".into()), vec![]).verdict;
        assert_eq!(refused.to_string(), "does not build: no agent.toml");
    }

    #[test]
    fn a_slow_win_does_not_count() {
        let record = |turns| Record {
            outcomes: vec![Outcome::Win],
            reason: String::new(),
            turns,
            scores: vec![0],
            fingerprint: 0,
            fault: None,
            substituted: vec![Substituted::default()],
            times: vec![crate::record::Times::default()],
        };
        let test = test("within = 20\nreference = 'best'");
        assert!(counts(&test, &record(12), 0, Some(10)));
        assert!(!counts(&test, &record(13), 0, Some(10)));
        assert!(counts(&test, &record(999), 0, None));
    }

    #[test]
    fn candidates_are_named_by_their_folder() {
        assert_eq!(candidate_name("class/alice/agent.toml"), "alice");
        assert_eq!(candidate_name("class/bob"), "bob");
        assert_eq!(candidate_name("best"), "best");
        let first = Candidate { name: "alice".into(), entrant: Ok(0) };
        assert_eq!(unused(&[first], "alice".into()), "alice 2");
    }
}
