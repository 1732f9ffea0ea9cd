//! The rules of a game.

use std::fmt::{self, Debug};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::random::Chance;

/// The number of a player, from 0. A single-player game has seat 0 alone.
pub type Seat = usize;

/// Properties of every game on a level under a rule set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct Facts {
    /// The name of each seat: `pacman`, `ghosts`.
    pub seats: &'static [&'static str],
    /// Does a step draw from chance?
    pub chance: bool,
    /// Does every seat see the whole state?
    pub perfect_information: bool,
}

/// Who acts next, or how the game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// This seat is to move.
    ToMove(Seat),
    /// The game is over.
    Over(GameOver),
}

/// How a game ended by its rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameOver {
    /// Who won, if anybody.
    pub verdict: Verdict,
    /// Why, in a few words: `exit reached`, `caught by a ghost`.
    pub reason: &'static str,
}

impl GameOver {
    /// The outcome for one seat.
    pub fn outcome(self, seat: Seat) -> Outcome {
        match self.verdict {
            Verdict::Won(winner) if winner == seat => Outcome::Win,
            Verdict::Won(_) | Verdict::Lost => Outcome::Loss,
            Verdict::Draw => Outcome::Draw,
        }
    }
}

/// How a game ended for one seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// Won.
    Win,
    /// Lost.
    Loss,
    /// Drawn by the rules.
    Draw,
    /// The turn limit was reached.
    Limit,
}

impl Outcome {
    /// Its value in a game for two: 1, a half or 0.
    pub fn points(self) -> f64 {
        match self {
            Self::Win => 1.0,
            Self::Draw | Self::Limit => 0.5,
            Self::Loss => 0.0,
        }
    }

    /// Its name in tables, files and messages.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Win => "win",
            Self::Loss => "loss",
            Self::Draw => "draw",
            Self::Limit => "limit",
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}

/// Who won.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// This seat won, all others lost.
    Won(Seat),
    /// Everybody lost: the end of a single-player game that was not won.
    Lost,
    /// A draw.
    Draw,
}

/// An action that the rules do not allow, with the rule as a sentence.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct Illegal(pub String);

/// The rules of one game on one checked level: immutable, shared, without input or output.
///
/// A state is a small value; [`apply`](Game::apply) allocates nothing. Chance is an argument of a step, so a planner that
/// clones a state cannot read the future.
pub trait Game: Send + Sync + Sized + 'static {
    /// The complete game state.
    type State: Clone + PartialEq + Debug + Send + Sync + 'static;
    /// What a seat can do in its turn.
    type Action: Copy + Eq + Debug + Send + Sync + 'static;
    /// What a seat may see of a state. Its JSON is what agents in other languages get.
    type Observation: Serialize + JsonSchema + Send;

    /// Properties of this game, the same in every state.
    fn facts(&self) -> Facts;

    /// The state in which the first decision is taken.
    fn start(&self) -> Self::State;

    /// Who is to move, or how it ended.
    fn status(&self, state: &Self::State) -> Status;

    /// Puts the legal actions into `actions`, which is cleared first; none if the game is over.
    fn legal(&self, state: &Self::State, actions: &mut Vec<Self::Action>);

    /// Is this action legal here? If not, which rule forbids it?
    fn check(&self, state: &Self::State, action: Self::Action) -> Result<(), Illegal>;

    /// Applies an action that [`check`](Game::check) accepts and advances to the next decision or the end.
    fn apply<C: Chance + ?Sized>(&self, state: &mut Self::State, action: Self::Action, chance: &mut C);

    /// Applies an action if it is legal. An illegal one changes nothing; the error names the rule it breaks.
    fn play<C: Chance + ?Sized>(
        &self,
        state: &mut Self::State,
        action: Self::Action,
        chance: &mut C,
    ) -> Result<(), Illegal> {
        self.check(state, action)?;
        self.apply(state, action, chance);
        Ok(())
    }

    /// Does this action quit the game? Only humans and old replays quit. It is never legal, so agents are not offered it
    /// and [`check`](Game::check) refuses it, but [`apply`](Game::apply) accepts it.
    fn quits(&self, state: &Self::State, action: Self::Action) -> bool {
        let _ = (state, action);
        false
    }

    /// A 64-bit hash, the same for equal states in every run and on every machine.
    fn hash(&self, state: &Self::State) -> u64;

    /// The score of a seat so far.
    fn score(&self, state: &Self::State, seat: Seat) -> i64;

    /// What a seat may see.
    fn observe(&self, state: &Self::State, seat: Seat) -> Self::Observation;

    /// The action's name in commands, replays and the agent protocol.
    fn action_name(&self, action: Self::Action) -> String;

    /// The action of this name in this state, legal or not.
    fn parse_action(&self, state: &Self::State, name: &str) -> Result<Self::Action, Illegal>;

    /// Does an action of this seat count as a turn? By default, all do.
    fn counts_as_turn(&self, seat: Seat) -> bool {
        let _ = seat;
        true
    }
}
