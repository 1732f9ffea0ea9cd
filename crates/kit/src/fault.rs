//! Faults of agents outside the rules of their game.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use damier_core::game::Illegal;

/// The kind of a fault, as the agent protocol and replays name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum FaultCode {
    /// It took too long to start or to answer.
    Timeout,
    /// Its process ended, or it panicked.
    Crash,
    /// It chose an action that the rules do not allow.
    Illegal,
    /// Its answer cannot be read.
    Malformed,
    /// It exceeded its memory limit.
    Memory,
    /// It exceeded its output limit.
    Output,
    /// It tried something that its confinement does not allow.
    Forbidden,
    /// It broke the order of messages.
    Protocol,
    /// Its build step failed, or there is no such agent.
    Build,
    /// It reported that it has no answer: its author's code failed, threw, is missing or did not return an action.
    NoAnswer,
    /// The referee's machine failed (a full disk, no more processes, an unusable temporary folder). This is no agent's fault, and the game
    /// does not count.
    Machine,
}

impl FaultCode {
    /// The name in messages and replays.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Timeout => "timeout",
            Self::Crash => "crash",
            Self::Illegal => "illegal",
            Self::Malformed => "malformed",
            Self::Memory => "memory",
            Self::Output => "output",
            Self::Forbidden => "forbidden",
            Self::Protocol => "protocol",
            Self::Build => "build",
            Self::NoAnswer => "no-answer",
            Self::Machine => "machine",
        }
    }
}

impl FaultCode {
    /// Is it about an answer: late, illegal, unreadable or missing?
    pub const fn is_of_answer(self) -> bool {
        matches!(self, Self::Timeout | Self::Illegal | Self::Malformed | Self::Protocol | Self::NoAnswer)
    }
}

impl fmt::Display for FaultCode {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

/// Why a seat lost its game outside the rules, or why it was warned.
#[derive(Clone, Debug, PartialEq, Eq, Error, Serialize, Deserialize, JsonSchema)]
#[error("{code}: {detail}")]
pub struct Fault {
    /// Its kind.
    pub code: FaultCode,
    /// What happened, as a sentence for the agent's author.
    pub detail: String,
}

impl Fault {
    /// A fault with its sentence.
    pub fn new(code: FaultCode, detail: impl Into<String>) -> Self {
        Self { code, detail: detail.into() }
    }

    /// Did the referee's machine fail, and not the agent?
    pub fn is_of_machine(&self) -> bool {
        self.code == FaultCode::Machine
    }
}

impl From<Illegal> for Fault {
    fn from(illegal: Illegal) -> Self {
        Self::new(FaultCode::Illegal, illegal.0)
    }
}

/// Count of a seat's substituted answers: because of a fault, the referee chose the action.
///
/// ```
/// use damier_kit::fault::{Fault, FaultCode, Substituted};
///
/// let mut substituted = Substituted::default();
/// substituted.add(&[]);
/// substituted.add(&[Fault::new(FaultCode::NoAnswer, "Unknown procedure meilleur_coup/2")]);
/// assert_eq!(substituted.to_string(), "1 of 2 answers was not yours: Unknown procedure meilleur_coup/2");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Substituted {
    /// Number of requested answers.
    pub answers: u32,
    /// Number of substituted ones.
    pub count: u32,
    /// The fault of the first substituted one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<Fault>,
}

impl Substituted {
    /// Adds an answer; with a fault, it was substituted.
    pub fn add(&mut self, faults: &[Fault]) {
        self.answers += 1;
        if let Some(fault) = faults.first() {
            self.count += 1;
            self.why.get_or_insert_with(|| fault.clone());
        }
    }

    /// Adds the answer that ended the game, if the fault is about an answer.
    pub fn add_last(&mut self, fault: &Fault) {
        if fault.code.is_of_answer() {
            self.add(std::slice::from_ref(fault));
        }
    }

    /// The total of several games.
    pub fn sum<'a>(all: impl Iterator<Item = &'a Self>) -> Self {
        let mut sum = Self::default();
        for one in all {
            sum.join(one);
        }
        sum
    }

    /// Adds the counts of another game.
    pub fn join(&mut self, other: &Self) {
        self.answers += other.answers;
        self.count += other.count;
        if self.why.is_none() {
            self.why.clone_from(&other.why);
        }
    }

    /// A sentence about the substituted answers, if there are any.
    pub fn sentence(&self) -> Option<String> {
        (!self.is_none()).then(|| self.to_string())
    }

    /// Was no answer substituted?
    pub fn is_none(&self) -> bool {
        self.count == 0
    }

    /// The share of the seat's own answers, from 0 to 1; 1 if none was requested.
    pub fn own_share(&self) -> f64 {
        if self.answers == 0 { 1.0 } else { f64::from(self.answers - self.count) / f64::from(self.answers) }
    }
}

impl fmt::Display for Substituted {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let were = if self.count == 1 { "was" } else { "were" };
        write!(out, "{} of {} answers {were} not yours", self.count, self.answers)?;
        match &self.why {
            Some(fault) => write!(out, ": {}", fault.detail),
            None => Ok(()),
        }
    }
}

/// Why a seat leaves its game before the rules end it.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Leave {
    /// It lost by a fault.
    #[error(transparent)]
    Fault(Fault),
    /// It resigned, for this reason.
    #[error("{RESIGNATION}{0}")]
    Resign(String),
}

/// Prefix of the reason of a game that ended by resignation. Replays rely on it.
const RESIGNATION: &str = "it gave up: ";

impl Leave {
    /// Why an agent resigned, if the reason of a game's end is a resignation.
    pub fn resignation(reason: &str) -> Option<&str> {
        reason.strip_prefix(RESIGNATION)
    }
}

impl From<Fault> for Leave {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

impl From<Illegal> for Leave {
    fn from(illegal: Illegal) -> Self {
        Self::Fault(illegal.into())
    }
}
