//! Options of a batch.

use damier_core::game::Seat;
use damier_core::grid::Size;

/// When a game that has ended starts over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Autoreset {
    /// In the next step, whose action is ignored and whose reward is 0.
    NextStep,
    /// In the same step: its observation is the first one of the next episode.
    SameStep,
    /// Only when it is reset.
    Disabled,
}

/// Effect of an illegal action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IllegalAction {
    /// None, but it counts as a step.
    Ignore,
    /// Ends the episode as a loss.
    Lose,
}

/// Reward of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reward {
    /// The change of the seat's score, plus 1 for a win, minus 1 for a loss.
    Score,
    /// 1 for a win, -1 for a loss, else 0.
    Sparse,
}

/// Options of a batch.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// When games start over.
    pub autoreset: Autoreset,
    /// Effect of illegal actions.
    pub illegal: IllegalAction,
    /// Reward of steps.
    pub reward: Reward,
    /// Number of steps after which an episode is truncated.
    pub step_limit: u32,
    /// The seat that the actions are for. `None` plays all seats: each step is an action of the seat to move, which observes.
    pub seat: Option<Seat>,
    /// Columns and rows of the observations; by default what the largest level needs.
    pub size: Option<Size>,
    /// Maximum number of threads.
    pub threads: usize,
}
