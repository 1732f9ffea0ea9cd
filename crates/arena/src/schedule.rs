//! Schedule of a tournament: its games in an order that is the same on every machine.
//!
//! A game's number depends on the plan alone. So a tournament can be interrupted, resumed, split over machines and merged: the numbers
//! tell which games are missing.

use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Format of a tournament.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "TournamentFormat")]
pub enum Format {
    /// Every agent meets every other.
    #[default]
    RoundRobin,
    /// The first agent meets every other.
    Gauntlet,
    /// The loser of a meeting is out. Agents are seeded in the order they are named: the first two can meet only in the final. The agent
    /// named earlier wins a tied meeting.
    Knockout,
}

impl FromStr for Format {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "round-robin" => Ok(Self::RoundRobin),
            "gauntlet" => Ok(Self::Gauntlet),
            "knockout" => Ok(Self::Knockout),
            _ => Err(format!("`{text}` is not a format; the formats are round-robin, gauntlet and knockout")),
        }
    }
}

/// Part of a tournament for one machine: part `index` of `count`, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    index: usize,
    count: usize,
}

impl Shard {
    /// The whole tournament.
    pub const WHOLE: Self = Self { index: 1, count: 1 };

    /// Does this part hold the game of this number? Both games of a pair stay together.
    pub fn holds(self, number: usize) -> bool {
        (number / 2) % self.count == self.index - 1
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text.split_once('/').and_then(|(k, n)| Some((k.parse().ok()?, n.parse().ok()?)));
        match parts {
            Some((index, count)) if 1 <= index && index <= count => Ok(Self { index, count }),
            _ => Err(format!("`{text}` is not a shard such as 1/4")),
        }
    }
}

/// Dimensions of an event, from which its games are scheduled.
#[derive(Clone, Debug)]
pub struct Field {
    /// The agents that take part, by their number in the tournament.
    pub agents: Vec<usize>,
    /// The number of levels.
    pub levels: usize,
    /// The seeds.
    pub seeds: Vec<u64>,
    /// The number of seats, one or two.
    pub seats: usize,
}

/// A game to play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fixture {
    /// Its number in the tournament, from 0.
    pub number: usize,
    /// The event.
    pub event: usize,
    /// The event's level.
    pub level: usize,
    /// The seed.
    pub seed: u64,
    /// The agents by seat.
    pub seats: Vec<usize>,
}

/// Two agents that meet in an event, on all its levels and seeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Meeting {
    /// The event.
    pub event: usize,
    /// The round, from 1; always 1 unless it is a knockout.
    pub round: usize,
    /// The two agents.
    pub agents: [usize; 2],
    /// The winner, once all games are played; in a knockout only.
    pub winner: Option<usize>,
}

/// The games of a tournament. In a knockout, only those up to the first undecided round.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Schedule {
    /// The games in the order of their numbers.
    pub fixtures: Vec<Fixture>,
    /// The meetings.
    pub meetings: Vec<Meeting>,
}

/// Determines the winner of a meeting from its games; `None` if they are not all played.
pub type Judge<'a> = &'a dyn Fn([usize; 2], &[Fixture]) -> Option<usize>;

/// The schedule, as far as the judge can determine the winners.
pub fn schedule(format: Format, fields: &[Field], judge: Judge<'_>) -> Schedule {
    let mut schedule = Schedule::default();
    let mut first = 0;
    for (event, field) in fields.iter().enumerate() {
        let numbers = Numbers { event, first };
        let pairs = match format {
            Format::RoundRobin => pairs_of(&field.agents),
            Format::Gauntlet => gauntlet_of(&field.agents),
            Format::Knockout => Vec::new(),
        };
        let mut fixtures =
            if field.seats == 1 { numbers.alone(field) } else { numbers.paired(field, &pairs) };
        first += fixtures.len();
        let meetings = match format {
            Format::RoundRobin | Format::Gauntlet => {
                pairs.into_iter().map(|agents| Meeting { event, round: 1, agents, winner: None }).collect()
            }
            Format::Knockout if field.seats == 1 => {
                // All games are known from the start, because everybody plays alone; the rounds compare the results.
                let own = |_: usize, pair: [usize; 2]| {
                    fixtures.iter().filter(|game| pair.contains(&game.seats[0])).cloned().collect()
                };
                knockout(event, &field.agents, &own, judge)
            }
            Format::Knockout => {
                let games = 2 * field.levels * field.seeds.len();
                let own = |index: usize, pair: [usize; 2]| {
                    Numbers { event, first: numbers.first + index * games }.paired(field, &[pair])
                };
                let meetings = knockout(event, &field.agents, &own, judge);
                fixtures =
                    meetings.iter().enumerate().flat_map(|(index, it)| own(index, it.agents)).collect();
                // Every meeting eliminates one agent, until one is left.
                first += (field.agents.len() - 1) * games;
                meetings
            }
        };
        schedule.fixtures.extend(fixtures);
        schedule.meetings.extend(meetings);
    }
    schedule
}

/// Numbers the games of an event. Every level is played with the first seed before any is played with the second, so that an
/// interrupted tournament covers all levels.
struct Numbers {
    event: usize,
    first: usize,
}

impl Numbers {
    fn alone(&self, field: &Field) -> Vec<Fixture> {
        let mut fixtures = Vec::new();
        for &seed in &field.seeds {
            for level in 0..field.levels {
                for &agent in &field.agents {
                    fixtures.push(self.fixture(fixtures.len(), level, seed, vec![agent]));
                }
            }
        }
        fixtures
    }

    fn paired(&self, field: &Field, pairs: &[[usize; 2]]) -> Vec<Fixture> {
        let mut fixtures = Vec::new();
        for &seed in &field.seeds {
            for level in 0..field.levels {
                for &[first, second] in pairs {
                    fixtures.push(self.fixture(fixtures.len(), level, seed, vec![first, second]));
                    fixtures.push(self.fixture(fixtures.len(), level, seed, vec![second, first]));
                }
            }
        }
        fixtures
    }

    fn fixture(&self, index: usize, level: usize, seed: u64, seats: Vec<usize>) -> Fixture {
        Fixture { number: self.first + index, event: self.event, level, seed, seats }
    }
}

fn pairs_of(agents: &[usize]) -> Vec<[usize; 2]> {
    let after = |index: usize| agents[index + 1..].iter().copied();
    agents
        .iter()
        .enumerate()
        .flat_map(|(index, &first)| after(index).map(move |second| [first, second]))
        .collect()
}

fn gauntlet_of(agents: &[usize]) -> Vec<[usize; 2]> {
    agents
        .split_first()
        .map_or_else(Vec::new, |(&first, others)| others.iter().map(|&other| [first, other]).collect())
}

/// The meetings up to the first undecided round. `games` returns the games of a meeting, by its index among all meetings.
fn knockout(
    event: usize,
    agents: &[usize],
    games: &dyn Fn(usize, [usize; 2]) -> Vec<Fixture>,
    judge: Judge<'_>,
) -> Vec<Meeting> {
    let mut meetings: Vec<Meeting> = Vec::new();
    // A place without an agent is a bye: the agent drawn against it advances without playing.
    let mut places: Vec<Option<usize>> =
        draw(agents.len()).into_iter().map(|seeding| agents.get(seeding).copied()).collect();
    for round in 1.. {
        if places.len() <= 1 {
            break;
        }
        let mut next = Vec::new();
        let mut decided = true;
        for pair in places.chunks(2) {
            let (Some(first), Some(second)) = (pair[0], pair[1]) else {
                next.push(pair[0].or(pair[1]));
                continue;
            };
            // The agent named earlier is seeded higher, and comes first.
            let mut meeting = [first, second];
            meeting.sort_by_key(|agent| agents.iter().position(|other| other == agent));
            let winner = judge(meeting, &games(meetings.len(), meeting));
            decided &= winner.is_some();
            meetings.push(Meeting { event, round, agents: meeting, winner });
            next.push(winner);
        }
        if !decided {
            break;
        }
        places = next;
    }
    meetings
}

/// The seedings in the order of the draw, padded to a power of two: 0 and 1 can meet in the last round only, 0 to 3 in the
/// last two.
fn draw(agents: usize) -> Vec<usize> {
    let mut places = vec![0];
    while places.len() < agents {
        let last = 2 * places.len() - 1;
        places = places.into_iter().flat_map(|seeding| [seeding, last - seeding]).collect();
    }
    places
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn field(agents: usize, levels: usize, seeds: u64, seats: usize) -> Field {
        Field { agents: (0..agents).collect(), levels, seeds: (1..=seeds).collect(), seats }
    }

    fn undecided(_: [usize; 2], _: &[Fixture]) -> Option<usize> {
        None
    }

    #[test]
    fn in_a_round_robin_everybody_meets_everybody_on_both_sides() {
        let schedule = schedule(Format::RoundRobin, &[field(4, 3, 2, 2)], &undecided);
        assert_eq!(schedule.fixtures.len(), 6 * 2 * 3 * 2);
        let different: HashSet<_> =
            schedule.fixtures.iter().map(|game| (game.level, game.seed, game.seats.clone())).collect();
        assert_eq!(different.len(), schedule.fixtures.len());
        for game in &schedule.fixtures {
            let back: Vec<usize> = game.seats.iter().rev().copied().collect();
            assert!(different.contains(&(game.level, game.seed, back)));
        }
    }

    #[test]
    fn numbers_are_the_places_in_the_list() {
        let fields = [field(3, 2, 2, 1), field(3, 2, 1, 2)];
        for format in [Format::RoundRobin, Format::Gauntlet] {
            let schedule = schedule(format, &fields, &undecided);
            assert!(schedule.fixtures.iter().enumerate().all(|(index, game)| game.number == index));
        }
    }

    #[test]
    fn alone_everybody_plays_everything_once() {
        let schedule = schedule(Format::Gauntlet, &[field(3, 2, 2, 1)], &undecided);
        assert_eq!(schedule.fixtures.len(), 3 * 2 * 2);
        assert_eq!(schedule.meetings.len(), 2);
    }

    #[test]
    fn every_level_comes_before_the_second_seed() {
        let schedule = schedule(Format::RoundRobin, &[field(2, 3, 2, 2)], &undecided);
        let seeds: Vec<u64> = schedule.fixtures.iter().map(|game| game.seed).collect();
        assert_eq!(seeds, [1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2]);
    }

    #[test]
    fn a_knockout_goes_on_when_a_round_is_decided() {
        let fields = [field(6, 1, 1, 2)];
        let first = schedule(Format::Knockout, &fields, &undecided);
        // Six agents: two byes for the first two; 3 meets 6, 4 meets 5.
        let pairs = |schedule: &Schedule| -> Vec<[usize; 2]> {
            schedule.meetings.iter().map(|meeting| meeting.agents).collect()
        };
        assert_eq!(pairs(&first), [[3, 4], [2, 5]]);
        let all = schedule(Format::Knockout, &fields, &|pair, _| Some(pair[1]));
        assert_eq!(pairs(&all), [[3, 4], [2, 5], [0, 4], [1, 5], [4, 5]]);
        assert_eq!(all.meetings.last().unwrap().winner, Some(5));
        assert_eq!(all.fixtures[..first.fixtures.len()], first.fixtures);
        assert!(all.fixtures.iter().enumerate().all(|(index, game)| game.number == index));
    }

    #[test]
    fn the_numbers_of_an_event_do_not_depend_on_the_results_of_another() {
        let fields = [field(5, 1, 1, 2), field(2, 1, 1, 2)];
        let early = schedule(Format::Knockout, &fields, &undecided);
        let late = schedule(Format::Knockout, &fields, &|pair, _| Some(pair[0]));
        let second = |schedule: &Schedule| -> Vec<Fixture> {
            schedule.fixtures.iter().filter(|game| game.event == 1).cloned().collect()
        };
        assert_eq!(second(&early), second(&late));
    }

    #[test]
    fn shards_split_the_games_and_keep_pairs_together() {
        let parts: Vec<Shard> = ["1/3", "2/3", "3/3"].iter().map(|text| text.parse().unwrap()).collect();
        for number in 0..60 {
            assert_eq!(parts.iter().filter(|part| part.holds(number)).count(), 1);
            assert!(parts.iter().all(|part| part.holds(number & !1) == part.holds(number | 1)));
        }
        for wrong in ["0/3", "4/3", "1", "a/b", "1/0"] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }
}
