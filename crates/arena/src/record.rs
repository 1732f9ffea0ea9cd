//! Results of games.

use std::cmp::Ordering;
use std::time::Duration;

use damier_core::game::{Outcome, Seat};
use damier_kit::fault::{Fault, Substituted};
use serde::{Deserialize, Serialize};

/// Decision times of a seat.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Times {
    /// Number of decisions.
    pub decisions: u32,
    /// Total wall time, in microseconds.
    pub wall_us: u64,
    /// The longest.
    pub wall_max_us: u64,
    /// Total processor time, where it is measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu_us: Option<u64>,
    /// The longest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu_max_us: Option<u64>,
}

impl Times {
    /// Adds a decision.
    pub fn add(&mut self, wall: Duration, cpu: Option<Duration>) {
        let micros = |duration: Duration| duration.as_micros() as u64;
        self.decisions += 1;
        self.wall_us += micros(wall);
        self.wall_max_us = self.wall_max_us.max(micros(wall));
        if let Some(cpu) = cpu {
            self.cpu_us = Some(self.cpu_us.unwrap_or(0) + micros(cpu));
            self.cpu_max_us = self.cpu_max_us.max(Some(micros(cpu)));
        }
    }
}

/// The result of a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// How it ended for each seat.
    pub outcomes: Vec<Outcome>,
    /// Why, in a few words.
    pub reason: String,
    /// Turns played.
    pub turns: u32,
    /// The scores by seat.
    pub scores: Vec<i64>,
    /// Hash of all its positions: games with the same fingerprint were identical, move by move.
    pub fingerprint: u64,
    /// Whose fault ended the game, and what it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<(Seat, Fault)>,
    /// Substituted answers of each seat.
    pub substituted: Vec<Substituted>,
    /// Decision times of each seat.
    pub times: Vec<Times>,
}

impl Record {
    /// Is it the same result, apart from times?
    pub fn agrees_with(&self, other: &Self) -> bool {
        (&self.outcomes, &self.reason, self.turns, &self.scores)
            == (&other.outcomes, &other.reason, other.turns, &other.scores)
    }

    /// Did this seat lose by a fault of its own?
    pub fn is_at_fault(&self, seat: Seat) -> bool {
        self.fault.as_ref().is_some_and(|(faulty, _)| *faulty == seat)
    }

    /// Compares two single-player games on the same level with the same seed. A win is better than no win; of two wins the one in
    /// fewer turns is better, otherwise the one with the higher score. A game lost by a fault has no score.
    pub fn compare_alone(&self, other: &Self) -> Ordering {
        let won = |record: &Self| record.outcomes[0] == Outcome::Win;
        let score = |record: &Self| (!record.is_at_fault(0)).then(|| record.scores[0]);
        match (won(self), won(other)) {
            (true, true) => other.turns.cmp(&self.turns),
            (false, false) => score(self).cmp(&score(other)),
            (mine, theirs) => mine.cmp(&theirs),
        }
    }
}

#[cfg(test)]
mod tests {
    use damier_kit::fault::FaultCode;

    use super::*;

    fn record(outcome: Outcome, turns: u32, score: i64) -> Record {
        Record {
            outcomes: vec![outcome],
            reason: String::new(),
            turns,
            scores: vec![score],
            fingerprint: 0,
            fault: None,
            substituted: vec![Substituted::default()],
            times: vec![Times::default()],
        }
    }

    #[test]
    fn alone_a_win_counts_first_then_turns_then_the_score() {
        let quick = record(Outcome::Win, 10, 0);
        let slow = record(Outcome::Win, 20, 99);
        let far = record(Outcome::Loss, 5, 7);
        let near = record(Outcome::Limit, 500, 3);
        let mut crashed = record(Outcome::Loss, 5, 50);
        crashed.fault = Some((0, Fault::new(FaultCode::Crash, "it ended")));
        let order = [&crashed, &near, &far, &slow, &quick];
        for (index, worse) in order.iter().enumerate() {
            assert_eq!(worse.compare_alone(worse), Ordering::Equal);
            for better in &order[index + 1..] {
                assert_eq!(worse.compare_alone(better), Ordering::Less);
                assert_eq!(better.compare_alone(worse), Ordering::Greater);
            }
        }
    }

    #[test]
    fn times_add_up() {
        let mut times = Times::default();
        times.add(Duration::from_micros(5), None);
        times.add(Duration::from_micros(7), Some(Duration::from_micros(2)));
        let expected =
            Times { decisions: 2, wall_us: 12, wall_max_us: 7, cpu_us: Some(2), cpu_max_us: Some(2) };
        assert_eq!(times, expected);
    }
}
