//! Reviews of finished games: which action lost the game, and what would have been better.

use schemars::JsonSchema;
use serde::Serialize;

use damier_core::agent::Clock;
use damier_core::game::{Game, Seat};
use damier_core::insight::Name;
use damier_core::random::Rng;

/// A position of a finished game, and the action taken in it.
#[derive(Clone, Debug)]
pub struct Moment<G: Game> {
    /// The position.
    pub state: G::State,
    /// The source of future chance at that moment.
    pub chance: Rng,
    /// The seat to move.
    pub seat: Seat,
    /// The action taken.
    pub action: G::Action,
}

/// A finished game.
#[derive(Clone, Debug)]
pub struct Played<G: Game> {
    /// The decisions in order.
    pub moments: Vec<Moment<G>>,
    /// The position after the last one.
    pub end: G::State,
}

/// Kinds of remarks that front ends have a look for. Other kinds are shown neutrally.
pub mod kind {
    /// The action made death unavoidable: before it, survival was possible.
    pub const LIFE_LOST: &str = "life lost";
    /// The action lost the win: before it, the game could be won.
    pub const WIN_LOST: &str = "win lost";
    /// A clearly better action existed.
    pub const MISTAKE: &str = "mistake";
    /// A much better action existed.
    pub const BLUNDER: &str = "blunder";
}

/// A remark on one decision.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(inline)]
pub struct Remark {
    /// The decision's number, from 1.
    pub number: usize,
    /// Who took it.
    pub seat: Seat,
    /// The action taken.
    pub action: String,
    /// One of [`kind`], or a kind of the game's own.
    pub kind: Name,
    /// What was wrong with it, as a sentence.
    pub text: String,
    /// Better actions, best first.
    pub instead: Vec<String>,
}

/// The review of a finished game.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Review {
    /// The verdict, as a sentence.
    pub text: String,
    /// Remarks on single decisions, in the order of the game.
    pub remarks: Vec<Remark>,
}

/// Finds the last moment that has an answer, and the answer.
///
/// Assumes `answer` is monotone: once `None`, always `None`. So it steps back from the end in growing steps, then bisects.
/// When the clock expires, it returns the latest one found so far.
pub fn last_where<G: Game, A>(
    moments: &[Moment<G>],
    clock: &Clock,
    mut answer: impl FnMut(&Moment<G>) -> Option<A>,
) -> Option<(usize, A)> {
    let mut step = 1;
    let mut failed = moments.len();
    let mut found = None;
    while found.is_none() && failed > 0 {
        let index = failed.saturating_sub(step);
        found = answer(&moments[index]).map(|it| (index, it));
        if found.is_none() {
            (failed, step) = (index, step * 2);
        }
        if clock.expired() {
            break;
        }
    }
    let (mut index, mut best) = found?;
    while index + 1 < failed && !clock.expired() {
        let middle = usize::midpoint(index, failed);
        match answer(&moments[middle]) {
            Some(better) => (index, best) = (middle, better),
            None => failed = middle,
        }
    }
    Some((index, best))
}
