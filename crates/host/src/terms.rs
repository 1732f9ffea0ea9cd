//! Under which terms agents play: clocks and confinement.

use std::time::Duration;

use damier_core::agent::Budget;
use serde::{Deserialize, Serialize};

/// Which time of an agent process counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ClockKind {
    /// The time that passes, as in live play.
    #[default]
    Wall,
    /// The time that the agent's processes spend on processors, for grading on a busy machine. Time that passes is limited
    /// too, more generously, so that a sleeping agent does not hold up everybody.
    Cpu,
}

/// How agent processes are kept from doing harm.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Confinement {
    /// By everything that the kernel offers; [`confine::report`](crate::confine::report) says what that is.
    #[default]
    Full,
    /// Not at all, for agents that one trusts like oneself.
    Off,
}

/// The terms of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Terms {
    /// The time from the start of a process to its `ready`.
    pub init: Duration,
    /// The time for a turn.
    pub turn: Duration,
    /// So much more is forgiven every turn: it evens out what the machine takes.
    pub grace: Duration,
    /// What turns may take beyond that in the whole game.
    pub bank: Duration,
    /// The number of late, illegal or unreadable answers that loses the game.
    pub strikes: u32,
    /// Memory in use, in megabytes.
    pub memory_mb: u64,
    /// Processes at once, for agents that ask for more than one.
    pub processes: u32,
    /// The game ends undecided after so many turns.
    pub turns: u32,
    /// Which time counts.
    pub clock: ClockKind,
    /// How agents are confined.
    pub confinement: Confinement,
    /// What each decision of a built-in agent may cost.
    pub budget: Budget,
}

impl Default for Terms {
    fn default() -> Self {
        Self {
            init: Duration::from_secs(10),
            turn: Duration::from_secs(1),
            grace: Duration::from_millis(50),
            bank: Duration::from_secs(5),
            strikes: 3,
            memory_mb: 512,
            processes: 16,
            turns: u32::MAX,
            clock: ClockKind::Wall,
            confinement: Confinement::Full,
            budget: Budget::default(),
        }
    }
}

impl Terms {
    /// The terms of a game of this length, otherwise as usual.
    pub fn of_turns(turns: u32) -> Self {
        Self { turns, ..Self::default() }
    }

    /// The usual terms, with this for a decision: a time limit holds for all agents.
    pub fn of_budget(budget: Budget) -> Self {
        let usual = Self::default();
        Self { budget, turn: budget.time.unwrap_or(usual.turn), ..usual }
    }
}
