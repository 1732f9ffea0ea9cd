//! Plays a game between seated agents.

use std::time::Duration;

use crate::fault::Fault;
use crate::replay::End;
use crate::table::{Seated, Table};
use crate::time::{Instant, start_clock};
use damier_core::agent::Budget;
use damier_core::game::{GameOver, Outcome, Seat, Status};
use damier_core::insight::Insight;

/// The limits of a game.
#[derive(Clone, Copy, Debug)]
pub struct GameLimits {
    /// Turn limit: the game then ends undecided.
    pub turns: u32,
    /// Budget of each decision.
    pub budget: Budget,
}

/// How a game between agents ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finish {
    /// By the rules.
    Over(GameOver),
    /// At the limit of turns.
    Limit,
    /// A seat lost outside the rules.
    Fault(Seat, Fault),
}

impl Finish {
    /// The outcome for one seat.
    pub fn outcome(&self, seat: Seat) -> Outcome {
        match self {
            Self::Over(over) => over.outcome(seat),
            Self::Limit => Outcome::Limit,
            Self::Fault(faulty, _) if *faulty == seat => Outcome::Loss,
            Self::Fault(..) => Outcome::Win,
        }
    }

    /// Why, in a few words.
    pub fn reason(&self) -> String {
        match self {
            Self::Over(over) => over.reason.to_owned(),
            Self::Limit => "turn limit".to_owned(),
            Self::Fault(seat, fault) => format!("fault of seat {seat}, {fault}"),
        }
    }
}

impl Finish {
    /// The end line of a game that stands like this, as one seat sees it.
    pub fn end(&self, table: &dyn Table, seats: usize, seat: Seat) -> End {
        End {
            outcome: self.outcome(seat),
            reason: self.reason(),
            turns: table.turns(),
            scores: (0..seats).map(|seat| table.score(seat)).collect(),
            fault: match self {
                Self::Fault(seat, fault) => Some((*seat, fault.clone())),
                Self::Over(_) | Self::Limit => None,
            },
            log: String::new(),
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
    /// The processor time it took, where that is measured.
    pub cpu: Option<Duration>,
    /// What the agent showed of it.
    pub insight: Insight,
    /// What the agent wrote to its log.
    pub log: String,
    /// The faults that cost it a strike.
    pub warnings: Vec<Fault>,
}

/// Plays to the end and tells every seat how it ended. `watch` gets every decision, with insight if it is wanted.
pub fn play(
    table: &mut dyn Table,
    seats: &mut [Box<dyn Seated>],
    limits: &GameLimits,
    insight_wanted: bool,
    watch: &mut dyn FnMut(Decision<'_>),
) -> Finish {
    let begun =
        seats.iter_mut().enumerate().find_map(|(seat, agent)| Some((seat, agent.begin(table).err()?)));
    let finish = match begun {
        Some((seat, fault)) => Finish::Fault(seat, fault),
        None => play_to_finish(table, seats, limits, insight_wanted, watch),
    };
    let count = seats.len();
    for (seat, agent) in seats.iter_mut().enumerate() {
        agent.end(&finish.end(table, count, seat));
    }
    finish
}

fn play_to_finish(
    table: &mut dyn Table,
    seats: &mut [Box<dyn Seated>],
    limits: &GameLimits,
    insight_wanted: bool,
    watch: &mut dyn FnMut(Decision<'_>),
) -> Finish {
    loop {
        let seat = match table.status() {
            Status::Over(outcome) => return Finish::Over(outcome),
            Status::ToMove(_) if table.turns() >= limits.turns => return Finish::Limit,
            Status::ToMove(seat) => seat,
        };
        match decide(seats[seat].as_mut(), table, seat, limits.budget, insight_wanted) {
            Ok(decision) => watch(decision),
            Err(fault) => return Finish::Fault(seat, fault),
        }
    }
}

/// Lets the agent at the seat to move take its decision.
pub fn decide<'a>(
    agent: &mut dyn Seated,
    table: &'a mut dyn Table,
    seat: Seat,
    budget: Budget,
    insight_wanted: bool,
) -> Result<Decision<'a>, Fault> {
    let mut insight = if insight_wanted { Insight::default() } else { Insight::unwanted() };
    let started = Instant::now();
    agent.play(table, &start_clock(budget), &mut insight)?;
    let took = started.elapsed();
    let (cpu, log, warnings) = (agent.cpu(), agent.take_log(), agent.take_warnings());
    Ok(Decision { table, seat, took, cpu, insight, log, warnings })
}
