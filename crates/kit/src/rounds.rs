//! Optional capability: a game of rounds against the computer, with announcements and a clock.
//!
//! In each round both sides look for a plan and announce its length. The first announcement starts a clock; the lowest one
//! must be shown when it ends. Time is an argument, so that every front end can drive the game.

use std::time::Duration;

use damier_core::insight::Point;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::scene::Scene;

/// Description of a game's rounds against the computer.
pub struct RoundsKit {
    /// The computer's strengths, from weak to strong.
    pub strengths: &'static [&'static str],
    /// The index of the default strength.
    pub default_strength: usize,
    /// Begins a game: a seed, the index of a strength, and the current time.
    pub begin: fn(u64, usize, Duration) -> Box<dyn Rounds>,
}

impl RoundsKit {
    /// The index of the strength of this name, or of the default one.
    pub fn strength(&self, name: Option<&str>) -> Result<usize, UnknownStrength> {
        let Some(name) = name else { return Ok(self.default_strength) };
        let known = self.strengths.iter().position(|strength| *strength == name);
        known.ok_or_else(|| UnknownStrength { name: name.to_owned(), known: self.strengths.join(", ") })
    }
}

/// The computer has no strength of this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the computer has no strength `{name}`; it has {known}")]
pub struct UnknownStrength {
    name: String,
    known: String,
}

/// A game of rounds in progress.
pub trait Rounds: Send {
    /// What a front end shows at this time.
    fn view(&self, now: Duration) -> RoundView;

    /// Carries out a command of the human. A command that does not fit the phase changes only the message.
    fn command(&mut self, command: &RoundCommand, now: Duration);

    /// Advances time: the computer announces and shows, the clock runs out. True if the view changed, apart from the clock.
    fn pass_time(&mut self, now: Duration) -> bool;

    /// The score on one line.
    fn summary(&self) -> String;
}

/// Command of the human in a game of rounds.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(tag = "t", rename_all = "snake_case")]
pub enum RoundCommand {
    /// Try an action on the board.
    Move {
        /// The action's name.
        action: String,
    },
    /// Undo the last action tried.
    Back,
    /// Undo all actions tried.
    Clear,
    /// Announce a number of moves; without one, the number of actions tried, if they reach the target.
    Announce {
        /// The number of moves.
        moves: Option<u32>,
    },
    /// End the time for announcements.
    StopClock,
    /// Show the actions tried as the announced solution.
    Show,
    /// Begin the next round.
    Next,
    /// Ask for a hint.
    Hint {
        /// Only the number of moves left, instead of a move.
        length: bool,
    },
    /// Change how fast the computer shows its moves.
    Pace {
        /// Faster instead of slower?
        faster: bool,
    },
}

/// A side in a game of rounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RoundSide {
    /// The human.
    You,
    /// The computer.
    Computer,
}

/// The phase of a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RoundPhase {
    /// Nobody has announced.
    Looking,
    /// The clock is running.
    Clock,
    /// A side must show its solution.
    Show,
    /// The round is over.
    Won,
    /// The game is over.
    Over,
}

/// A value for each side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(inline)]
pub struct BothSides<T> {
    /// The human's.
    pub you: T,
    /// The computer's.
    pub computer: T,
}

/// The mission of a round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RoundMission {
    /// The piece that must reach the target; `None` if any piece may.
    #[serde(rename = "robot")]
    pub piece: Option<&'static str>,
    /// The target's column and row.
    pub target: Point,
}

/// View of a game of rounds, for front ends.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RoundView {
    /// The number of this round, from 1.
    pub round: usize,
    /// The number of rounds.
    pub rounds: usize,
    /// Targets won.
    pub score: BothSides<u32>,
    /// The phase of the round.
    pub phase: RoundPhase,
    /// The side that must show, or that won the round; at the end of the game, the winner of the last round.
    pub by: Option<RoundSide>,
    /// Milliseconds left on the clock, while it is running.
    pub clock_ms: Option<u64>,
    /// The lowest announcement of each side.
    pub announced: BothSides<Option<u32>>,
    /// The mission.
    pub mission: RoundMission,
    /// The mission as text.
    #[serde(skip)]
    pub goal: String,
    /// The names of the pieces on the board.
    #[serde(skip)]
    pub pieces: Vec<&'static str>,
    /// The board, with the actions tried or shown.
    #[serde(skip)]
    pub scene: Scene,
    /// The actions tried.
    pub tried: Vec<String>,
    /// Do the actions on the board reach the target?
    pub solved: bool,
    /// What can be done now, or what just happened, as a sentence.
    pub message: String,
    /// The solution of the side in `by`: the moves that the computer has shown so far, then those that won the round.
    pub shown: Vec<String>,
}
