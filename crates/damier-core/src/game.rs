//! The rules of a game.

use std::fmt::Debug;

use schemars::JsonSchema;
use serde::Serialize;
use thiserror::Error;

use crate::random::Chance;

/// A place at the game, from 0. A single-player game has seat 0 alone.
pub type Seat = usize;

/// What is true of every game on a level under a rule set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Facts {
    /// Who sits at each seat, in the game's own words.
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
    Over(Outcome),
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Who won, if anybody.
    pub verdict: Verdict,
    /// Why, in a few words: `exit reached`, `caught by a ghost`.
    pub reason: &'static str,
}

impl Outcome {
    /// The outcome as one seat sees it: `win`, `loss` or `draw`.
    pub fn seen_from(self, seat: Seat) -> &'static str {
        match self.verdict {
            Verdict::Won(winner) if winner == seat => "win",
            Verdict::Won(_) | Verdict::Lost => "loss",
            Verdict::Draw => "draw",
        }
    }
}

/// Who won.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// This seat won, all others lost.
    Won(Seat),
    /// Everybody lost: the end of a single-player game that was not won.
    Lost,
    /// Nobody won and nobody lost.
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
    /// A position, all of it.
    type State: Clone + PartialEq + Debug + Send + Sync + 'static;
    /// What a seat can do in its turn.
    type Action: Copy + Eq + Debug + Send + Sync + 'static;
    /// What a seat may see of a state. Its JSON is what agents in other languages get.
    type Observation: Serialize + JsonSchema + Send;

    /// What is true of this game on every path.
    fn facts(&self) -> Facts;

    /// The state in which the first decision is taken.
    fn start(&self) -> Self::State;

    /// Who is to move, or how it ended.
    fn status(&self, state: &Self::State) -> Status;

    /// Puts the legal actions into `actions`, which is cleared first; none if the game is over.
    fn legal(&self, state: &Self::State, actions: &mut Vec<Self::Action>);

    /// Is this action legal here? If not, which rule forbids it?
    fn check(&self, state: &Self::State, action: Self::Action) -> Result<(), Illegal>;

    /// Takes an action that [`check`](Game::check) accepts and plays on to the next decision or the end.
    fn apply<C: Chance + ?Sized>(&self, state: &mut Self::State, action: Self::Action, chance: &mut C);

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

    /// Does an action of this seat count as a turn? All do, unless the game says otherwise.
    fn counts_as_turn(&self, seat: Seat) -> bool {
        let _ = seat;
        true
    }
}
