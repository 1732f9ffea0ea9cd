//! What a seat can do wrong outside the rules of its game.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use damier_core::game::Illegal;

/// The kind of a fault, as the agent protocol and replays name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum FaultCode {
    /// It took too long to start or to answer.
    Timeout,
    /// Its process ended, or it panicked.
    Crash,
    /// It chose an action that the rules do not allow.
    Illegal,
    /// Its answer cannot be read.
    Malformed,
    /// It used more memory than it may.
    Memory,
    /// It wrote more than it may.
    Output,
    /// It tried what its confinement does not allow.
    Forbidden,
    /// It broke the order of messages.
    Protocol,
    /// Its build step failed, or there is no such agent.
    Build,
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
        }
    }
}

impl fmt::Display for FaultCode {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

/// Why a seat lost its game outside the rules, or what it was warned for.
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
}

impl From<Illegal> for Fault {
    fn from(illegal: Illegal) -> Self {
        Self::new(FaultCode::Illegal, illegal.0)
    }
}
