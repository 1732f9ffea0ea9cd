#![doc = include_str!("../README.md")]
//!
//! ## Modules
//!
//! | module | holds |
//! | --- | --- |
//! | [`robot`], [`board`], [`slides`] | robots, walls and diagonals, and the slides of robots |
//! | [`level`] | a board with a mission, in all formats |
//! | [`rules`], [`observe`] | the rules; observations |
//! | [`mod@solve`] | the solver: proven shortest solutions, all of them if wanted |
//! | [`reach`], [`difficulty`], [`answers()`] | cells that one robot can reach, corridors to the target, difficulty; all of it together |
//! | [`quadrants`], [`generate`], [`missions`] | our boards, seeded missions, and those we ship |
//! | [`round`], [`rounds`] | a match of 17 rounds against the computer, and its interface for a human player |
//! | [`agents`], [`draw`], [`Ricochet`] | the original agent and ours; drawing; everything for front ends |

pub mod agents;
mod answers;
pub mod board;
pub mod difficulty;
pub mod draw;
pub mod encode;
pub mod generate;
mod kit;
pub mod level;
pub mod missions;
pub mod observe;
pub mod quadrants;
pub mod reach;
pub mod robot;
pub mod round;
pub mod rounds;
pub mod rules;
pub mod slides;
pub mod solve;

pub use answers::answers;
pub use board::Board;
pub use generate::{MissionRequest, mission};
pub use kit::Ricochet;
pub use level::Level;
pub use missions::MISSIONS;
pub use observe::Observation;
pub use robot::Robot;
pub use rounds::Rounds;
pub use rules::{Action, RuleSet, Rules, State};
pub use solve::{Answer, SearchLimits, SearchOutcome, Solutions, solve, solve_all};
