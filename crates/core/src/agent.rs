//! Agents, which decide for a seat within a budget.

use std::time::Duration;

use crate::game::{Game, Seat};
use crate::insight::Insight;
use crate::random::{Chance, Rng};

/// Limits of one decision. Without limits an agent searches as much as it chooses to.
///
/// A node limit gives the same decision on every machine; a time limit does not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// Wall time.
    pub time: Option<Duration>,
    /// Number of states searched.
    pub nodes: Option<u64>,
}

/// A running budget: the time since it was started, against its limits.
///
/// It reads the time through a function given at its start, so that agents also run where the standard library has no clock.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    started: Duration,
    now: fn() -> Duration,
    budget: Budget,
}

impl Clock {
    /// Starts the clock; `now` is the time since a fixed moment of the past.
    pub fn start(budget: Budget, now: fn() -> Duration) -> Self {
        Self { started: now(), now, budget }
    }

    /// The budget it was started with.
    pub fn budget(&self) -> Budget {
        self.budget
    }

    /// The node limit: `default` if the budget has no limit at all, and unlimited if only the time is limited.
    pub fn nodes(&self, default: u64) -> u64 {
        match (self.budget.nodes, self.budget.time) {
            (Some(nodes), _) => nodes,
            (None, Some(_)) => u64::MAX,
            (None, None) => default,
        }
    }

    /// Has the time limit passed? Cheap enough to ask every thousand nodes, not every node.
    pub fn expired(&self) -> bool {
        self.budget.time.is_some_and(|time| self.elapsed() >= time)
    }

    /// The time since the start.
    pub fn elapsed(&self) -> Duration {
        (self.now)().saturating_sub(self.started)
    }
}

/// One decision to take.
pub struct Turn<'a, G: Game> {
    /// The seat that decides.
    pub seat: Seat,
    /// The number of the turn, from 1.
    pub number: u32,
    /// What the seat may see.
    pub observation: &'a G::Observation,
    /// The legal actions, at least one.
    pub legal: &'a [G::Action],
    /// The budget, already running.
    pub clock: &'a Clock,
}

/// Decides for one seat during one game.
pub trait Agent<G: Game>: Send {
    /// Chooses one of `turn.legal` and, if `insight` is wanted, explains why.
    fn act(&mut self, turn: &Turn<'_, G>, insight: &mut Insight) -> G::Action;
}

/// Plays a random legal action: the baseline of all agents.
#[derive(Clone, Debug)]
pub struct Random(Rng);

impl Random {
    /// An agent whose choices depend on `seed` alone.
    pub fn new(seed: u64) -> Self {
        Self(Rng::new(seed))
    }
}

impl<G: Game> Agent<G> for Random {
    fn act(&mut self, turn: &Turn<'_, G>, insight: &mut Insight) -> G::Action {
        insight.say(|| format!("random choice among {} legal actions", turn.legal.len()));
        turn.legal[self.0.below(turn.legal.len() as u32) as usize]
    }
}
