#![doc = include_str!("../README.md")]

pub mod agent;
pub mod encode;
pub mod game;
pub mod grid;
pub mod insight;
pub mod level;
pub mod random;

pub use agent::{Agent, Budget, Clock, Random, Turn};
pub use encode::{Canvas, Encode, Plane};
pub use game::{Facts, Game, GameOver, Illegal, Outcome, Seat, Status, Verdict};
pub use grid::{Cell, Dir, Size};
pub use insight::{Insight, Mark, Point};
pub use level::{LevelError, LevelText};
pub use random::{Chance, Largest, Rng, Smallest};
