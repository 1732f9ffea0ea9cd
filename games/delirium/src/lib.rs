#![doc = include_str!("../README.md")]

pub mod agents;
mod bench;
pub mod board;
pub mod cave;
pub mod draw;
pub mod encode;
pub mod generate;
pub mod kind;
mod kit;
pub mod level;
pub mod observe;
mod picture;
mod pieces;
pub mod recording;
pub mod review;
pub mod rules;
pub mod solve;
pub mod trace;

pub use damier_core::{Dir, Game};
pub use damier_kit::{Report, Solution, Solvability, SolveOptions};

pub use board::Ending;
pub use kind::Kind;
pub use level::{Level, Map};
pub use observe::Observation;
pub use rules::{Action, CaveOptions, Monster, Options, RuleSet, Rules, Slide, State};
pub use solve::{check, solve};

/// Delirium 2 as front ends see it: levels, tables, agents, solver and generator, without their types.
///
/// ```
/// use damier_kit::AnyGame;
/// use damier_delirium::Delirium;
///
/// let level = Delirium.open("; need: 1\n######\n#PdX_#\n######\n", "course").unwrap();
/// let mut table = level.table(1, 0);
/// table.act("right").unwrap();
/// assert_eq!(table.score(0), 1);
/// ```
pub struct Delirium;
