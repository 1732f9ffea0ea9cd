//! The referee, which plays a game between seated agents.

use std::time::Duration;

use crate::fault::{Fault, Leave};
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
    /// At the turn limit.
    Limit,
    /// A seat lost outside the rules.
    Fault(Seat, Fault),
    /// A seat resigned, for this reason.
    Resigned(Seat, String),
}

impl Finish {
    /// The finish of a game that a seat left before the rules ended it.
    pub fn left(seat: Seat, leave: Leave) -> Self {
        match leave {
            Leave::Fault(fault) => Self::Fault(seat, fault),
            Leave::Resign(reason) => Self::Resigned(seat, reason),
        }
    }

    /// The outcome for one seat.
    pub fn outcome(&self, seat: Seat) -> Outcome {
        match self {
            Self::Over(over) => over.outcome(seat),
            Self::Limit => Outcome::Limit,
            // Nobody wins by a failure of the machine.
            Self::Fault(_, fault) if fault.is_of_machine() => Outcome::Limit,
            Self::Fault(loser, _) | Self::Resigned(loser, _) if *loser == seat => Outcome::Loss,
            Self::Fault(..) | Self::Resigned(..) => Outcome::Win,
        }
    }

    /// Why, in a few words.
    pub fn reason(&self) -> String {
        match self {
            Self::Over(over) => over.reason.to_owned(),
            Self::Limit => "turn limit".to_owned(),
            Self::Fault(_, fault) if fault.is_of_machine() => fault.to_string(),
            Self::Fault(seat, fault) => format!("fault of seat {seat}, {fault}"),
            Self::Resigned(_, reason) => Leave::Resign(reason.clone()).to_string(),
        }
    }
}

impl Finish {
    /// The end line of the game, from one seat's point of view.
    pub fn end(&self, table: &dyn Table, seats: usize, seat: Seat) -> End {
        End {
            outcome: self.outcome(seat),
            reason: self.reason(),
            turns: table.turns(),
            scores: (0..seats).map(|seat| table.score(seat)).collect(),
            fault: match self {
                Self::Fault(seat, fault) => Some((*seat, fault.clone())),
                Self::Over(_) | Self::Limit | Self::Resigned(..) => None,
            },
            log: String::new(),
        }
    }
}

/// One decision, after its action was played.
pub struct Decision<'a> {
    /// The table after the action.
    pub table: &'a dyn Table,
    /// Who decided.
    pub seat: Seat,
    /// Wall time of the decision.
    pub took: Duration,
    /// Processor time of the decision, where it is measured.
    pub cpu: Option<Duration>,
    /// The agent's insight.
    pub insight: Insight,
    /// What the agent wrote to its log.
    pub log: String,
    /// The faults because of which the action was substituted.
    pub warnings: Vec<Fault>,
}

impl<'a> Decision<'a> {
    /// An action that no agent decided: it belongs to the setup of the game.
    pub fn given(table: &'a dyn Table, seat: Seat) -> Self {
        Self {
            table,
            seat,
            took: Duration::ZERO,
            cpu: None,
            insight: Insight::default(),
            log: String::new(),
            warnings: Vec::new(),
        }
    }
}

/// Plays to the end and notifies every seat. `watch` gets every decision, with insight if it is wanted.
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
            Err(leave) => return Finish::left(seat, leave),
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
) -> Result<Decision<'a>, Leave> {
    let mut insight = if insight_wanted { Insight::default() } else { Insight::unwanted() };
    let started = Instant::now();
    agent.play(table, &start_clock(budget), &mut insight)?;
    let took = started.elapsed();
    let (cpu, log, warnings) = (agent.cpu(), agent.take_log(), agent.take_warnings());
    Ok(Decision { table, seat, took, cpu, insight, log, warnings })
}
