#![doc = include_str!("../README.md")]
//!
//! ## Modules
//!
//! | module | holds |
//! | --- | --- |
//! | [`robot`], [`board`], [`slides`] | robots, walls and diagonals, and where robots slide |
//! | [`level`] | a board with a mission, in every format |
//! | [`rules`], [`observe`] | state, action, step; what agents see |
//! | [`mod@solve`] | the solver: proven shortest solutions, all of them if wanted |
//! | [`reach`], [`difficulty`], [`answers()`] | what one robot can do, corridors to the target, how hard a mission is; all of it together |
//! | [`quadrants`], [`generate`], [`missions`] | our boards, seeded missions, and those we ship |
//! | [`round`], [`rounds`] | a game of 17 rounds against the computer, and a person playing it |
//! | [`agents`], [`draw`], [`Ricochet`] | the original agent and ours; pictures; everything for front ends |

pub mod agents;
mod answers;
pub mod board;
pub mod difficulty;
pub mod draw;
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
pub use generate::{Wish, mission};
pub use kit::Ricochet;
pub use level::Level;
pub use missions::MISSIONS;
pub use observe::Observation;
pub use robot::Robot;
pub use rounds::Rounds;
pub use rules::{Action, RuleSet, Rules, State};
pub use solve::{Answer, SearchLimits, SearchOutcome, Solutions, solve, solve_all};
