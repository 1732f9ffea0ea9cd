//! A tournament as the page shows it: plan, tables, cross table, ratings over time, games.

use std::collections::BTreeMap;

use damier_arena::plan::{Event, Plan};
use damier_arena::record::Record;
use damier_arena::schedule::{Fixture, Format, Meeting, Schedule};
use damier_arena::standings::{Row, Standings, duels, schedule_of, standings};
use damier_arena::store::Results;
use damier_core::game::Outcome;
use damier_host::terms::Terms;
use damier_kit::fault::Fault;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Approximate number of points in a history of ratings.
const HISTORY_POINTS: usize = 40;
/// Maximum number of games listed at once.
const MAX_ROWS: usize = 200;
/// Maximum number of faults listed.
const MAX_FAULTS: usize = 50;

/// Selection of games to list.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Selection {
    /// The first one, from 0.
    pub from: Option<usize>,
    /// Their number.
    pub count: Option<usize>,
    /// Only games of this agent.
    pub agent: Option<String>,
    /// Only games of this event.
    pub event: Option<String>,
}

/// State of a tournament.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum TournamentState {
    /// It is running.
    Running,
    /// It was stopped and can be resumed.
    Stopped,
    /// All games are played.
    Done,
    /// An error ended it.
    Failed,
}

/// A tournament in the list.
#[derive(Serialize, JsonSchema)]
pub struct TournamentInfo {
    pub name: String,
    pub state: TournamentState,
    /// Why it failed.
    pub error: Option<String>,
    /// Number of games played.
    pub played: usize,
    /// Number of games scheduled so far.
    pub scheduled: usize,
    pub format: Option<Format>,
    pub agents: Vec<String>,
    /// The game of each event.
    pub games: Vec<String>,
}

/// A tournament with its tables and games.
#[derive(Serialize, JsonSchema)]
pub struct Tournament {
    pub name: String,
    pub plan: PlanMessage,
    pub standings: Standings,
    /// Points of each agent against each other, by event.
    pub cross: Vec<CrossTable>,
    /// The ratings over time, by event.
    pub history: History,
    pub games: GameList,
    pub faults: Vec<FaultRow>,
    pub state: TournamentState,
    /// Why it failed.
    pub error: Option<String>,
}

/// The plan of a tournament.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "TournamentPlan")]
pub struct PlanMessage {
    format: Format,
    /// The terms of all games, with the names that the agent protocol uses.
    #[schemars(with = "BTreeMap<String, serde_json::Value>")]
    terms: Terms,
    agents: Vec<AgentName>,
    events: Vec<EventMessage>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(inline)]
struct AgentName {
    name: String,
}

/// A game of a tournament, with its levels and seeds.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "TournamentEvent")]
struct EventMessage {
    name: String,
    game: String,
    rules: String,
    levels: Vec<String>,
    seeds: Vec<u64>,
    /// The turn limit of a game.
    turns: u32,
    seats: usize,
    agents: Vec<String>,
}

/// Cross table: the points of each agent against each other.
#[derive(Serialize, JsonSchema)]
pub struct CrossTable {
    agents: Vec<String>,
    /// By row and column of agents; `null` where two agents do not meet.
    cells: Vec<Vec<Option<CrossCell>>>,
}

/// Points of one agent against another.
#[derive(Serialize, JsonSchema)]
struct CrossCell {
    points: f64,
    games: usize,
}

/// The ratings after a number of games of an event: Elo and margin of each agent.
#[derive(Clone, Serialize, JsonSchema)]
pub struct RatingPoint {
    played: usize,
    ratings: BTreeMap<String, (f64, f64)>,
}

/// The ratings over time, by event.
pub type History = Vec<Vec<RatingPoint>>;

/// A part of the games played.
#[derive(Serialize, JsonSchema)]
pub struct GameList {
    /// The number of games that match the selection.
    total: usize,
    /// Index of the first one listed.
    from: usize,
    rows: Vec<GameRow>,
}

/// A finished game.
#[derive(Serialize, JsonSchema)]
struct GameRow {
    number: usize,
    event: String,
    level: String,
    seed: u64,
    /// The agents by seat.
    seats: Vec<String>,
    outcomes: Vec<Outcome>,
    reason: String,
    turns: u32,
    scores: Vec<i64>,
    /// Sentences about agents with substituted answers.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    substituted: Vec<String>,
    /// The time of each seat, in microseconds.
    us: Vec<u64>,
    /// The fault that ended it.
    fault: Option<SeatFault>,
}

/// Whose fault ended a game.
#[derive(Serialize, JsonSchema)]
struct SeatFault {
    seat: usize,
    text: String,
}

/// A fault that ended a game.
#[derive(Serialize, JsonSchema)]
pub struct FaultRow {
    number: usize,
    agent: String,
    text: String,
}

/// Describes a tournament for the page.
pub fn describe(
    plan: &Plan,
    results: &Results,
    history: History,
    selection: &Selection,
    (state, error): (TournamentState, Option<String>),
) -> Tournament {
    let schedule = schedule_of(plan, results);
    Tournament {
        name: plan.name.clone(),
        plan: describe_plan(plan),
        standings: standings(plan, results),
        cross: (0..plan.events.len()).map(|event| cross(plan, event, &schedule, results)).collect(),
        history,
        games: games(plan, &schedule, results, selection),
        faults: faults(plan, &schedule, results),
        state,
        error,
    }
}

fn agent_name(plan: &Plan, agent: usize) -> String {
    plan.agents[agent].name.clone()
}

fn describe_plan(plan: &Plan) -> PlanMessage {
    let event = |event: &Event| EventMessage {
        name: event.name.clone(),
        game: event.game.clone(),
        rules: event.rules.clone(),
        levels: event.levels.iter().map(|level| level.name.clone()).collect(),
        seeds: event.seeds.clone(),
        turns: event.turns,
        seats: event.seats,
        agents: event.agents.iter().map(|&agent| agent_name(plan, agent)).collect(),
    };
    PlanMessage {
        format: plan.format,
        terms: plan.terms.clone(),
        agents: plan.agents.iter().map(|agent| AgentName { name: agent.name.clone() }).collect(),
        events: plan.events.iter().map(event).collect(),
    }
}

/// The cross table of an event.
fn cross(plan: &Plan, event: usize, schedule: &Schedule, results: &Results) -> CrossTable {
    let agents = &plan.events[event].agents;
    let games: Vec<Fixture> = schedule.fixtures.iter().filter(|game| game.event == event).cloned().collect();
    let cell = |&row: &usize, &column: &usize| {
        let met = |meeting: &Meeting| {
            meeting.event == event && meeting.agents.contains(&row) && meeting.agents.contains(&column)
        };
        (row != column && schedule.meetings.iter().any(met)).then(|| {
            let duels = duels([row, column], &games, results);
            CrossCell { points: duels.iter().map(|duel| duel.score).sum(), games: duels.len() }
        })
    };
    CrossTable {
        agents: agents.iter().map(|&agent| agent_name(plan, agent)).collect(),
        cells: agents.iter().map(|row| agents.iter().map(|column| cell(row, column)).collect()).collect(),
    }
}

/// Computes the ratings over time, by event.
pub fn history(plan: &Plan, results: &Results) -> History {
    let step = results.len().div_ceil(HISTORY_POINTS).max(1);
    let mut so_far = Results::new();
    let mut events: History = vec![Vec::new(); plan.events.len()];
    let numbers: BTreeMap<usize, usize> =
        schedule_of(plan, results).fixtures.iter().map(|game| (game.number, game.event)).collect();
    for (index, (&number, record)) in results.iter().enumerate() {
        so_far.insert(number, record.clone());
        let last = index + 1 == results.len();
        if !(index + 1).is_multiple_of(step) && !last {
            continue;
        }
        let table = standings(plan, &so_far);
        for (event, (points, standing)) in events.iter_mut().zip(&table.events).enumerate() {
            let rating = |row: &Row| Some((row.agent.clone(), (row.rating?.elo, row.rating?.margin)));
            let ratings: BTreeMap<String, (f64, f64)> = standing.rows.iter().filter_map(rating).collect();
            let played = so_far.keys().filter(|number| numbers.get(number) == Some(&event)).count();
            let known = points.last().is_some_and(|point| point.played == played);
            if !ratings.is_empty() && !known {
                points.push(RatingPoint { played, ratings });
            }
        }
    }
    events
}

fn games(plan: &Plan, schedule: &Schedule, results: &Results, selection: &Selection) -> GameList {
    let fits = |game: &&Fixture| {
        let of_event = |wanted: &String| *wanted == plan.events[game.event].name;
        let of_agent = |wanted: &String| game.seats.iter().any(|&agent| plan.agents[agent].name == *wanted);
        selection.event.as_ref().is_none_or(of_event) && selection.agent.as_ref().is_none_or(of_agent)
    };
    let played: Vec<(&Fixture, &Record)> = schedule
        .fixtures
        .iter()
        .filter(fits)
        .filter_map(|game| Some((game, results.get(&game.number)?)))
        .collect();
    let from = selection.from.unwrap_or(0).min(played.len());
    let count = selection.count.unwrap_or(50).min(MAX_ROWS);
    let rows = played.iter().skip(from).take(count).map(|(game, record)| game_row(plan, game, record));
    GameList { total: played.len(), from, rows: rows.collect() }
}

fn game_row(plan: &Plan, game: &Fixture, record: &Record) -> GameRow {
    let event = &plan.events[game.event];
    let fault = |(seat, fault): &(usize, Fault)| SeatFault { seat: *seat, text: fault.to_string() };
    let substituted = game.seats.iter().zip(&record.substituted);
    let substituted = substituted
        .filter_map(|(&agent, own)| Some(format!("{}: {}", agent_name(plan, agent), own.sentence()?)));
    GameRow {
        number: game.number,
        event: event.name.clone(),
        level: event.levels[game.level].name.clone(),
        seed: game.seed,
        seats: game.seats.iter().map(|&agent| agent_name(plan, agent)).collect(),
        outcomes: record.outcomes.clone(),
        reason: record.reason.clone(),
        turns: record.turns,
        scores: record.scores.clone(),
        substituted: substituted.collect(),
        us: record.times.iter().map(|times| times.wall_us).collect(),
        fault: record.fault.as_ref().map(fault),
    }
}

fn faults(plan: &Plan, schedule: &Schedule, results: &Results) -> Vec<FaultRow> {
    let faulty = schedule.fixtures.iter().filter_map(|game| {
        let (seat, fault) = results.get(&game.number)?.fault.as_ref()?;
        let agent = agent_name(plan, *game.seats.get(*seat)?);
        Some(FaultRow { number: game.number, agent, text: fault.to_string() })
    });
    faulty.take(MAX_FAULTS).collect()
}
