//! Tables of a tournament. They depend only on the plan and the results, not on times, machines or the order in which games ended.

use std::cmp::Ordering;
use std::collections::{BTreeMap, HashSet};

use schemars::JsonSchema;
use serde::Serialize;

use crate::plan::Plan;
use crate::ratings::{Duel, Rating, ratings};
use crate::record::Record;
use crate::schedule::{Fixture, Format, Meeting, Schedule, schedule};
use crate::store::Results;
use damier_core::game::Outcome;
use damier_kit::fault::Substituted;

/// Schedule of a plan, as far as the results determine it.
pub fn schedule_of(plan: &Plan, results: &Results) -> Schedule {
    schedule(plan.format, &plan.fields(), &|pair, games| winner(pair, games, results))
}

/// Winner of a meeting: the agent with more than half of the points; in a tie, the one named earlier.
fn winner(pair: [usize; 2], games: &[Fixture], results: &Results) -> Option<usize> {
    if games.iter().any(|game| !results.contains_key(&game.number)) {
        return None;
    }
    let duels = duels(pair, games, results);
    let score: f64 = duels.iter().map(|duel| duel.score).sum();
    Some(if 2.0 * score >= duels.len() as f64 { pair[0] } else { pair[1] })
}

/// A duel with the fingerprints of its games, to recognise repetitions.
struct PlayedDuel {
    duel: Duel,
    /// The level and the fingerprints of its games.
    games: (usize, [u64; 2]),
}

/// Results between two agents: of games against each other, or of single-player games on the same levels and seeds.
pub fn duels(pair: [usize; 2], games: &[Fixture], results: &Results) -> Vec<Duel> {
    played_duels(pair, games, results).into_iter().map(|played| played.duel).collect()
}

/// Like [`duels`], but identical games count once: repeating a deterministic game gives no new evidence.
fn distinct_duels(pair: [usize; 2], games: &[Fixture], results: &Results) -> Vec<Duel> {
    let mut seen = HashSet::new();
    let played = played_duels(pair, games, results).into_iter();
    played.filter(|played| seen.insert(played.games)).map(|played| played.duel).collect()
}

fn played_duels(pair: [usize; 2], games: &[Fixture], results: &Results) -> Vec<PlayedDuel> {
    let [first, second] = pair;
    let duel_of = |game: &Fixture, score, fingerprints| PlayedDuel {
        duel: Duel { first, second, score, group: (game.level, game.seed) },
        games: (game.level, fingerprints),
    };
    let mut alone: BTreeMap<(usize, u64, usize), &Record> = BTreeMap::new();
    let mut all = Vec::new();
    for (game, record) in games.iter().filter_map(|game| Some((game, results.get(&game.number)?))) {
        match game.seats[..] {
            [agent] if pair.contains(&agent) => {
                alone.insert((game.level, game.seed, agent), record);
                let of = |agent| alone.get(&(game.level, game.seed, agent));
                if let (Some(first), Some(second)) = (of(first), of(second)) {
                    let fingerprints = [first.fingerprint, second.fingerprint];
                    all.push(duel_of(game, points_of(first.compare_alone(second)), fingerprints));
                }
            }
            [white, black] if pair.contains(&white) && pair.contains(&black) => {
                let seat = usize::from(white != first);
                all.push(duel_of(game, record.outcomes[seat].points(), [record.fingerprint, seat as u64]));
            }
            _ => {}
        }
    }
    all
}

fn points_of(order: Ordering) -> f64 {
    match order {
        Ordering::Less => 0.0,
        Ordering::Equal => 0.5,
        Ordering::Greater => 1.0,
    }
}

/// Result of a pair of games: both sides of a two-player game, or one single-player game of each agent.
#[derive(Clone, Debug, PartialEq)]
pub struct PairResult {
    /// The second agent's score, between 0 and 1.
    pub score: f64,
    /// Level and fingerprints of the games: a repetition is no new evidence.
    pub games: (usize, Vec<u64>),
}

/// Result on one level with one seed, once both games are played.
pub fn pair_result(pair: [usize; 2], both: &[Fixture], results: &Results) -> Option<PairResult> {
    let first = both.first()?;
    let duels = duels(pair, both, results);
    let wanted = first.seats.len();
    let score: f64 = duels.iter().map(|duel| duel.score).sum();
    let fingerprints = both.iter().filter_map(|game| Some(results.get(&game.number)?.fingerprint)).collect();
    (duels.len() == wanted)
        .then(|| PairResult { score: 1.0 - score / wanted as f64, games: (first.level, fingerprints) })
}

/// Row of an agent in an event's table.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "StandingRow")]
pub struct Row {
    /// The agent.
    pub agent: String,
    /// Rank, from 1.
    pub place: usize,
    /// Number of games.
    pub games: usize,
    /// Number of wins.
    pub won: usize,
    /// Mean turns of its wins.
    pub turns_of_wins: Option<f64>,
    /// Its mean score.
    pub score: f64,
    /// Number of games lost by a fault.
    pub faults: usize,
    /// Sentence about its substituted answers, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub substituted: Option<String>,
    /// Number of comparisons in which it was better: in a game between two agents, or alone on the same level and seed.
    pub better: usize,
    /// Number of comparisons in which it was equal.
    pub equal: usize,
    /// Number of comparisons in which it was worse.
    pub worse: usize,
    /// Share of points in these comparisons, in percent.
    pub percent: f64,
    /// Its rating.
    pub rating: Option<Rating>,
    /// Last round it reached in a knockout.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub round: Option<usize>,
}

/// A meeting of a knockout.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct MeetingRow {
    /// The round, from 1.
    pub round: usize,
    /// The two agents.
    pub agents: [String; 2],
    /// Their points.
    pub points: [f64; 2],
    /// The winner, once it is decided.
    pub winner: Option<String>,
}

/// The table of an event.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct EventStandings {
    /// The event.
    pub name: String,
    /// Its game.
    pub game: String,
    /// Its rule set.
    pub rules: String,
    /// The seats of the game.
    pub seats: usize,
    /// Number of comparisons that repeated earlier ones exactly: ratings count them once.
    pub repeated: usize,
    /// The agents, best first.
    pub rows: Vec<Row>,
    /// The meetings, in a knockout.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub meetings: Vec<MeetingRow>,
}

/// Row of an agent over all events.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct OverallRow {
    /// The agent.
    pub agent: String,
    /// Rank, from 1.
    pub place: usize,
    /// Share of points in each event it played, in percent.
    pub percents: Vec<Option<f64>>,
    /// Their mean.
    pub mean: f64,
}

/// All tables of a tournament.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Standings {
    /// The tournament.
    pub name: String,
    /// Number of games played.
    pub played: usize,
    /// Number of games scheduled so far.
    pub scheduled: usize,
    /// One table per event.
    pub events: Vec<EventStandings>,
    /// All events together, if there are several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub overall: Vec<OverallRow>,
}

/// Computes the tables.
pub fn standings(plan: &Plan, results: &Results) -> Standings {
    let schedule = schedule_of(plan, results);
    let events: Vec<EventStandings> =
        (0..plan.events.len()).map(|event| event_standings(plan, event, &schedule, results)).collect();
    let overall = if events.len() > 1 { overall(plan, &events) } else { Vec::new() };
    Standings {
        name: plan.name.clone(),
        played: schedule.fixtures.iter().filter(|game| results.contains_key(&game.number)).count(),
        scheduled: schedule.fixtures.len(),
        events,
        overall,
    }
}

fn event_standings(plan: &Plan, number: usize, schedule: &Schedule, results: &Results) -> EventStandings {
    let event = &plan.events[number];
    let games: Vec<Fixture> = schedule.fixtures.iter().filter(|game| game.event == number).cloned().collect();
    let meetings: Vec<&Meeting> = schedule.meetings.iter().filter(|it| it.event == number).collect();
    let by_meeting: Vec<Vec<Duel>> =
        meetings.iter().map(|meeting| duels(meeting.agents, &games_of(meeting, &games), results)).collect();
    let duels = by_meeting.concat();
    let distinct: Vec<Duel> = meetings
        .iter()
        .flat_map(|meeting| distinct_duels(meeting.agents, &games_of(meeting, &games), results))
        .collect();
    let rated = ratings(plan.agents.len(), &distinct);
    let mut rows: Vec<Row> = event
        .agents
        .iter()
        .map(|&agent| Row {
            round: (plan.format == Format::Knockout).then(|| last_round(agent, &meetings)),
            rating: rated[agent],
            ..row(plan, agent, &games, &duels, results)
        })
        .collect();
    // Rounded to a thousandth of a point to ignore rounding errors; ties keep the order of the plan.
    let key = |row: &Row| (row.round, row.rating.map_or(f64::MIN, |rating| (1000.0 * rating.elo).round()));
    rows.sort_by(|a, b| {
        let ((round_a, elo_a), (round_b, elo_b)) = (key(a), key(b));
        round_b.cmp(&round_a).then(elo_b.total_cmp(&elo_a))
    });
    rows.iter_mut().enumerate().for_each(|(index, row)| row.place = index + 1);
    let meetings = if plan.format == Format::Knockout {
        meetings.iter().zip(&by_meeting).map(|(meeting, duels)| meeting_row(plan, meeting, duels)).collect()
    } else {
        Vec::new()
    };
    EventStandings {
        name: event.name.clone(),
        game: event.game.clone(),
        rules: event.rules.clone(),
        seats: event.seats,
        repeated: duels.len() - distinct.len(),
        rows,
        meetings,
    }
}

/// The games of two agents.
fn games_of(meeting: &Meeting, games: &[Fixture]) -> Vec<Fixture> {
    let plays = |game: &&Fixture| game.seats.iter().all(|agent| meeting.agents.contains(agent));
    games.iter().filter(plays).cloned().collect()
}

fn row(plan: &Plan, agent: usize, games: &[Fixture], duels: &[Duel], results: &Results) -> Row {
    let mut row = Row {
        agent: plan.agents[agent].name.clone(),
        place: 0,
        games: 0,
        won: 0,
        turns_of_wins: None,
        score: 0.0,
        faults: 0,
        substituted: None,
        better: 0,
        equal: 0,
        worse: 0,
        percent: 0.0,
        rating: None,
        round: None,
    };
    let (mut turns, mut score) = (0.0, 0.0);
    let mut substituted = Substituted::default();
    for game in games {
        let Some(record) = results.get(&game.number) else { continue };
        for seat in (0..game.seats.len()).filter(|&seat| game.seats[seat] == agent) {
            row.games += 1;
            row.faults += usize::from(record.is_at_fault(seat));
            score += record.scores[seat] as f64;
            substituted.join(&record.substituted[seat]);
            if record.outcomes[seat] == Outcome::Win {
                row.won += 1;
                turns += f64::from(record.turns);
            }
        }
    }
    row.turns_of_wins = (row.won > 0).then(|| turns / row.won as f64);
    row.substituted = substituted.sentence();
    row.score = score / row.games.max(1) as f64;
    for duel in duels {
        let points = match agent {
            agent if agent == duel.first => duel.score,
            agent if agent == duel.second => 1.0 - duel.score,
            _ => continue,
        };
        match points.total_cmp(&0.5) {
            Ordering::Greater => row.better += 1,
            Ordering::Equal => row.equal += 1,
            Ordering::Less => row.worse += 1,
        }
    }
    let met = row.better + row.equal + row.worse;
    row.percent = 100.0 * (row.better as f64 + row.equal as f64 / 2.0) / met.max(1) as f64;
    row
}

/// Last round of a knockout an agent played in; the overall winner is one further.
fn last_round(agent: usize, meetings: &[&Meeting]) -> usize {
    let rounds = meetings.iter().filter(|meeting| meeting.agents.contains(&agent));
    let last = rounds.max_by_key(|meeting| meeting.round);
    last.map_or(0, |meeting| meeting.round + usize::from(meeting.winner == Some(agent)))
}

fn meeting_row(plan: &Plan, meeting: &Meeting, duels: &[Duel]) -> MeetingRow {
    let name = |agent: usize| plan.agents[agent].name.clone();
    let first: f64 = duels.iter().map(|duel| duel.score).sum();
    MeetingRow {
        round: meeting.round,
        agents: meeting.agents.map(name),
        points: [first, duels.len() as f64 - first],
        winner: meeting.winner.map(name),
    }
}

fn overall(plan: &Plan, events: &[EventStandings]) -> Vec<OverallRow> {
    let mut rows: Vec<OverallRow> = plan
        .agents
        .iter()
        .map(|entrant| {
            let of = |event: &EventStandings| {
                event.rows.iter().find(|row| row.agent == entrant.name).map(|row| row.percent)
            };
            let percents: Vec<Option<f64>> = events.iter().map(of).collect();
            let taken: Vec<f64> = percents.iter().flatten().copied().collect();
            let mean = taken.iter().sum::<f64>() / taken.len().max(1) as f64;
            OverallRow { agent: entrant.name.clone(), place: 0, percents, mean }
        })
        .collect();
    rows.sort_by(|a, b| b.mean.total_cmp(&a.mean));
    rows.iter_mut().enumerate().for_each(|(index, row)| row.place = index + 1);
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Times;

    fn game(number: usize, seed: u64, seats: [usize; 2]) -> Fixture {
        Fixture { number, event: 0, level: 0, seed, seats: seats.to_vec() }
    }

    fn won_by(seat: usize, fingerprint: u64) -> Record {
        let outcomes = (0..2).map(|it| if it == seat { Outcome::Win } else { Outcome::Loss }).collect();
        Record {
            outcomes,
            reason: String::new(),
            turns: 9,
            scores: vec![0, 0],
            fingerprint,
            fault: None,
            substituted: vec![Substituted::default(); 2],
            times: vec![Times::default(); 2],
        }
    }

    #[test]
    fn the_same_game_again_is_no_new_evidence() {
        let games: Vec<Fixture> = (1..=3)
            .flat_map(|seed| {
                let number = 2 * (seed as usize - 1);
                [game(number, seed, [0, 1]), game(number + 1, seed, [1, 0])]
            })
            .collect();
        // The first agent wins everything; with the second seed exactly as with the first, with the third otherwise.
        let fingerprints = [70, 71, 70, 71, 70, 99];
        let results: Results = fingerprints
            .iter()
            .enumerate()
            .map(|(number, &look)| (number, won_by(number % 2, look)))
            .collect();
        let pair = [0, 1];
        assert_eq!(duels(pair, &games, &results).len(), 6);
        let distinct = distinct_duels(pair, &games, &results);
        assert_eq!(distinct.len(), 3);
        assert!(distinct.iter().all(|duel| duel.score > 0.99));
        let pairs: Vec<PairResult> =
            games.chunks(2).map(|both| pair_result(pair, both, &results).unwrap()).collect();
        assert_eq!(pairs[0], pairs[1]);
        assert_ne!(pairs[0].games, pairs[2].games);
        assert!(pairs.iter().all(|pair| pair.score < 0.01));
        assert_eq!(pair_result(pair, &games[4..], &Results::new()), None);
    }
}
