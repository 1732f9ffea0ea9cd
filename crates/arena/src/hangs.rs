//! Shortcuts for agents that hang, so that a looping submission does not cost the time limit of every game.
//!
//! An agent hangs in a game that it loses by a timeout. As long as it has hung in at least half of its games, its next game has no bank.
//! If it has hung in its first two games, the others are not played: it loses them by the same fault.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use damier_host::terms::Terms;
use damier_kit::fault::{Fault, FaultCode};

use crate::record::Record;
use crate::schedule::Fixture;
use crate::store::Results;

/// Number of hung games after which the others are not played, if the agent never ended one normally.
const HUNG_GAMES: u32 = 2;

/// Counts of hung and normal games by agent.
pub struct Hangs {
    tallies: Mutex<Vec<Tally>>,
}

#[derive(Clone, Default)]
struct Tally {
    hung: u32,
    ended: u32,
    /// The timeout of the first game in which it hung.
    fault: Option<Fault>,
}

impl Hangs {
    /// Starts from the games that have a result already.
    pub fn new(agents: usize, games: &[Fixture], results: &Results) -> Self {
        let hangs = Self { tallies: Mutex::new(vec![Tally::default(); agents]) };
        for game in games {
            if let Some(record) = results.get(&game.number) {
                hangs.note(game, record);
            }
        }
        hangs
    }

    /// Records the result of a game.
    pub fn note(&self, game: &Fixture, record: &Record) {
        let mut tallies = self.lock();
        for (seat, &agent) in game.seats.iter().enumerate() {
            let tally = &mut tallies[agent];
            match &record.fault {
                Some((faulty, fault)) if *faulty == seat && fault.code == FaultCode::Timeout => {
                    tally.hung += 1;
                    tally.fault.get_or_insert_with(|| fault.clone());
                }
                _ => tally.ended += 1,
            }
        }
    }

    /// The terms of this agent's next game, or the fault by which it loses the game unplayed.
    pub fn terms(&self, agent: usize, terms: &Terms) -> Result<Terms, Fault> {
        let Tally { hung, ended, fault } = self.lock()[agent].clone();
        match fault {
            Some(fault) if hung >= HUNG_GAMES && ended == 0 => {
                let detail = format!("not played, because it hung in its first games: {}", fault.detail);
                Err(Fault::new(fault.code, detail))
            }
            Some(_) if hung >= ended => Ok(Terms { bank: Duration::ZERO, ..terms.clone() }),
            _ => Ok(terms.clone()),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Tally>> {
        self.tallies.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use damier_core::game::Outcome;
    use damier_kit::fault::Substituted;

    use super::*;
    use crate::record::Times;

    fn game(number: usize) -> Fixture {
        Fixture { number, event: 0, level: 0, seed: 1, seats: vec![0] }
    }

    fn record(fault: Option<FaultCode>) -> Record {
        Record {
            outcomes: vec![Outcome::Loss],
            reason: String::new(),
            turns: 1,
            scores: vec![0],
            fingerprint: 0,
            fault: fault.map(|code| (0, Fault::new(code, "no answer to turn 1"))),
            substituted: vec![Substituted::default()],
            times: vec![Times::default()],
        }
    }

    /// Bank of the next game after these; `None` if it is not played.
    fn bank_after(faults: &[Option<FaultCode>]) -> Option<Duration> {
        let games: Vec<Fixture> = (0..faults.len()).map(game).collect();
        let results = faults.iter().enumerate().map(|(number, fault)| (number, record(*fault))).collect();
        let terms = Hangs::new(1, &games, &results).terms(0, &Terms::default());
        terms.ok().map(|terms| terms.bank)
    }

    #[test]
    fn an_agent_that_only_hangs_costs_little_time() {
        let (hung, ended, full) = (Some(FaultCode::Timeout), None, Some(Terms::default().bank));
        assert_eq!(bank_after(&[]), full);
        assert_eq!(bank_after(&[hung]), Some(Duration::ZERO));
        assert_eq!(bank_after(&[hung, hung]), None);
        assert_eq!(bank_after(&[hung, hung, ended]), Some(Duration::ZERO));
        assert_eq!(bank_after(&[ended, hung, ended]), full, "one that hangs seldom keeps its bank");
        assert_eq!(bank_after(&[Some(FaultCode::Crash); 3]), full, "a crash costs no time");
    }
}
