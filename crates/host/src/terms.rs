//! Terms of a game: clocks, limits and confinement of agents.

use std::time::Duration;

use damier_core::agent::Budget;
use serde::{Deserialize, Serialize};

/// Which time of an agent process counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ClockKind {
    /// Wall time, as in live play.
    #[default]
    Wall,
    /// Processor time of the agent's processes, for grading on a busy machine. Wall time is limited too, more generously, so that a
    /// sleeping agent does not hold up the others.
    Cpu,
}

/// How agent processes are kept from doing harm.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Confinement {
    /// With everything the system offers.
    #[default]
    Full,
    /// Not at all: for trusted agents.
    Off,
}

/// Terms under which agents play a game.
///
/// In files and stores times are whole milliseconds, and the turn limit, which belongs to the game, is left out:
///
/// ```
/// use std::time::Duration;
///
/// use damier_host::Terms;
///
/// let terms: Terms = serde_json::from_str(r#"{"turn_ms": 100, "clock": "cpu"}"#).unwrap();
/// assert_eq!((terms.turn, terms.bank), (Duration::from_millis(100), Duration::from_secs(5)));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Written", into = "Written")]
pub struct Terms {
    /// Time from the start of a process to its `ready`.
    pub init: Duration,
    /// Time per turn.
    pub turn: Duration,
    /// Slack per turn for scheduling jitter.
    pub grace: Duration,
    /// Extra time for the whole game: turns that take longer use it up.
    pub bank: Duration,
    /// Wall time of all turns of a game together, whichever time counts for a turn.
    pub game: Duration,
    /// Number of late, illegal or unreadable answers that loses the game.
    pub strikes: u32,
    /// Memory limit, in megabytes.
    pub memory_mb: u64,
    /// Maximum number of processes of an agent that asks for more than one.
    pub processes: u32,
    /// Turn limit: the game then ends undecided.
    pub turns: u32,
    /// Which time counts.
    pub clock: ClockKind,
    /// How agents are confined.
    pub confinement: Confinement,
    /// Budget of each decision of a built-in agent.
    pub budget: Budget,
}

impl Default for Terms {
    fn default() -> Self {
        Self {
            init: Duration::from_secs(10),
            turn: Duration::from_secs(1),
            grace: Duration::from_millis(50),
            bank: Duration::from_secs(5),
            game: Duration::from_mins(30),
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
    /// Default terms with this turn limit.
    pub fn of_turns(turns: u32) -> Self {
        Self { turns, ..Self::default() }
    }

    /// Default terms with this budget. A time limit holds for agent processes too.
    pub fn of_budget(budget: Budget) -> Self {
        let default = Self::default();
        Self { budget, turn: budget.time.unwrap_or(default.turn), ..default }
    }
}

/// Terms as files and stores write them, with the names of the agent protocol.
#[derive(Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Written {
    init_ms: u64,
    turn_ms: u64,
    grace_ms: u64,
    bank_ms: u64,
    #[serde(skip_serializing_if = "is_default_game")]
    game_s: u64,
    strikes: u32,
    memory_mb: u64,
    processes: u32,
    clock: ClockKind,
    confinement: Confinement,
    /// Time limit of built-in agents; results then depend on the machine.
    #[serde(skip_serializing_if = "Option::is_none")]
    think_ms: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    nodes: Option<u64>,
}

// Where a pointer has 32 bits, the lint sees nothing to expect.
#[cfg_attr(
    target_pointer_width = "64",
    expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes it by reference")
)]
fn is_default_game(seconds: &u64) -> bool {
    *seconds == Terms::default().game.as_secs()
}

impl Default for Written {
    fn default() -> Self {
        Terms::default().into()
    }
}

impl From<Terms> for Written {
    fn from(terms: Terms) -> Self {
        let whole = |time: Duration| time.as_millis() as u64;
        Self {
            init_ms: whole(terms.init),
            turn_ms: whole(terms.turn),
            grace_ms: whole(terms.grace),
            bank_ms: whole(terms.bank),
            game_s: terms.game.as_secs(),
            strikes: terms.strikes,
            memory_mb: terms.memory_mb,
            processes: terms.processes,
            clock: terms.clock,
            confinement: terms.confinement,
            think_ms: terms.budget.time.map(whole),
            nodes: terms.budget.nodes,
        }
    }
}

impl From<Written> for Terms {
    fn from(written: Written) -> Self {
        Self {
            init: Duration::from_millis(written.init_ms),
            turn: Duration::from_millis(written.turn_ms),
            grace: Duration::from_millis(written.grace_ms),
            bank: Duration::from_millis(written.bank_ms),
            game: Duration::from_secs(written.game_s),
            strikes: written.strikes,
            memory_mb: written.memory_mb,
            processes: written.processes,
            turns: Self::default().turns,
            clock: written.clock,
            confinement: written.confinement,
            budget: Budget { time: written.think_ms.map(Duration::from_millis), nodes: written.nodes },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_come_back_as_they_were_written() {
        let written = serde_json::to_string(&Terms::default()).unwrap();
        assert_eq!(
            written,
            r#"{"init_ms":10000,"turn_ms":1000,"grace_ms":50,"bank_ms":5000,"strikes":3,"memory_mb":512,"processes":16,"clock":"wall","confinement":"full"}"#
        );
        let budget = Budget { time: Some(Duration::from_millis(70)), nodes: Some(9) };
        let game = Duration::from_secs(90);
        let terms =
            Terms { clock: ClockKind::Cpu, confinement: Confinement::Off, game, ..Terms::of_budget(budget) };
        let again: Terms = serde_json::from_str(&serde_json::to_string(&terms).unwrap()).unwrap();
        assert_eq!(again, terms);
        assert!(serde_json::from_str::<Terms>(r#"{"turns_ms": 3}"#).is_err());
    }
}
