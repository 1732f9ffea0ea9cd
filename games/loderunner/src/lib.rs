#![doc = include_str!("../README.md")]

pub mod action;
pub mod agents;
mod bench;
pub mod classic;
pub mod course;
pub mod draw;
pub mod encode;
pub mod generate;
mod kit;
pub mod level;
pub mod observe;
pub mod recording;
pub mod review;
pub mod rules;
pub mod solve;

pub use action::Action;
pub use damier_core::{Game, LevelError, Rng, Status};
pub use damier_kit::{Report, Solution, Solvability, SolveOptions};
pub use generate::generate;
pub use level::Level;
pub use observe::Observation;
pub use recording::Recording;
pub use rules::{RuleSet, Rules, State};
pub use solve::{check, solve};

/// Everything a front end needs from the game.
///
/// ```
/// use damier_kit::{AnyGame, Levels};
/// use damier_loderunner::LodeRunner;
///
/// let first = LodeRunner::INFO.packs[0].levels[0].1;
/// let level = LodeRunner.open(first, "course").unwrap();
/// let mut table = level.table(1, 0);
/// table.act("none").unwrap();
/// assert_eq!(table.turns(), 1);
/// ```
pub struct LodeRunner;
