//! The vocabulary that every Damier game shares: no game is in here, and no clock, thread, input or output.
//!
//! | module | holds |
//! | --- | --- |
//! | [`grid`] | directions, cells, sizes |
//! | [`random`] | the frozen random generator and chance as an argument |
//! | [`level`] | level texts and errors that name line and column |
//! | [`game`] | [`Game`]: the rules of one game on one level |
//! | [`agent`] | [`Agent`]: decides for a seat, on what it may see and within a budget |
//! | [`insight`] | what an agent shows of its thinking |
//!
//! A game's crate implements [`Game`] for its level. What front ends need beyond the rules is in `damier-kit`.

pub mod agent;
pub mod game;
pub mod grid;
pub mod insight;
pub mod level;
pub mod random;

pub use agent::{Agent, Budget, Clock, Turn};
pub use game::{Facts, Game, GameOver, Illegal, Outcome, Seat, Status, Verdict};
pub use grid::{Cell, Dir, Size};
pub use insight::{Insight, Mark, Point};
pub use level::LevelError;
pub use random::{Chance, Rng};
