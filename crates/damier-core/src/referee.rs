//! Plays a game between seated agents.

use std::time::{Duration, Instant};

use crate::agent::{Budget, Clock};
use crate::game::{Illegal, Outcome, Seat, Status};
use crate::insight::Insight;
use crate::table::{Seated, Table};

/// The limits of a game.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The game ends undecided after so many turns.
    pub turns: u32,
    /// What each decision may cost.
    pub budget: Budget,
}

/// How a game between agents ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finish {
    /// By the rules.
    Over(Outcome),
    /// At the limit of turns.
    Limit,
    /// A seat tried an illegal action.
    Fault(Seat, Illegal),
}

impl Finish {
    /// The finish as one seat sees it: `win`, `loss`, `draw` or `limit`.
    pub fn seen_from(&self, seat: Seat) -> &'static str {
        match self {
            Self::Over(outcome) => outcome.seen_from(seat),
            Self::Limit => "limit",
            Self::Fault(faulty, _) if *faulty == seat => "loss",
            Self::Fault(..) => "win",
        }
    }

    /// Why, in a few words.
    pub fn reason(&self) -> String {
        match self {
            Self::Over(outcome) => outcome.reason.to_owned(),
            Self::Limit => "turn limit".to_owned(),
            Self::Fault(seat, illegal) => format!("illegal action of seat {seat}: {illegal}"),
        }
    }
}

/// What happened in one decision.
pub struct Decision<'a> {
    /// The table after the action.
    pub table: &'a dyn Table,
    /// Who decided.
    pub seat: Seat,
    /// How long it took.
    pub took: Duration,
    /// What the agent showed of it.
    pub insight: Insight,
}

/// Plays to the end. `watch` gets every decision, with insight if it is wanted.
pub fn play(
    table: &mut dyn Table,
    seats: &mut [Box<dyn Seated>],
    limits: &Limits,
    insight_wanted: bool,
    watch: &mut dyn FnMut(Decision<'_>),
) -> Finish {
    loop {
        let seat = match table.status() {
            Status::Over(outcome) => return Finish::Over(outcome),
            Status::ToMove(_) if table.turns() >= limits.turns => return Finish::Limit,
            Status::ToMove(seat) => seat,
        };
        let mut insight = if insight_wanted { Insight::default() } else { Insight::unwanted() };
        let started = Instant::now();
        if let Err(illegal) = seats[seat].play(table, &Clock::start(limits.budget), &mut insight) {
            return Finish::Fault(seat, illegal);
        }
        watch(Decision { table, seat, took: started.elapsed(), insight });
    }
}
