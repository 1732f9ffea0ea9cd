//! Rasende Roboter (Ricochet Robots): boards, exact rules and an optimal solver.
//!
//! ```text
//! +---+---+---+---+---+---+
//! | R             |       |      Robots slide until a wall or another robot stops them. One mission: the named robot
//! +   +   +   +   +   +   +      must *stop* on the target, here red (R) on r. Any robot may be moved; the score is
//! |     r |               |      the number of moves, and the fewest possible win.
//! +   +---+   +   +   +   +
//! |             G         |      Red alone: south, east, north, west, south … never stops on r, which has a wall to the
//! +   +   +   +---+   +   +      east and one to the south: coming from the west or from the north does it.
//! |         B             |
//! +---+---+---+---+---+---+
//! ```
//!
//! The published board has 16 by 16 cells, put together from four [`quadrants`] around a closed centre. Options: a fifth
//! robot, a target for any robot, diagonals that turn robots of other colours, and the rule that the active robot must
//! turn before it reaches the target. Boards may have up to 32 by 32 cells.
//!
//! | module | holds |
//! | --- | --- |
//! | [`robot`], [`board`], [`slides`] | robots, walls and diagonals, and where robots slide |
//! | [`level`] | a board with a mission, in every format |
//! | [`rules`], [`observe`] | state, action, step; what agents see |
//! | [`solve`] | the solver: proven shortest solutions, all of them if wanted |
//! | [`reach`], [`difficulty`], [`answers()`] | what one robot can do, corridors to the target, how hard a mission is; all of it together |
//! | [`quadrants`], [`generate`], [`missions`] | our boards, seeded missions, and those we ship |
//! | [`round`], [`rounds`] | a game of 17 rounds against the computer, and a person playing it |
//! | [`agents`], [`draw`], [`Ricochet`] | the original agent and ours; pictures; everything for front ends |
//!
//! ```
//! use damier_core::game::Game;
//! use damier_ricochet::{Action, Level, Rules};
//! let game = Rules::new(Level::parse("
//! +---+---+---+
//! | R       B |
//! +   +   +   +
//! |     r     |
//! +---+---+---+
//! ").unwrap());
//! let mut state = game.start();
//! game.make_move(&mut state, Action::parse("red east").unwrap());
//! assert_eq!(game.level().board().size().xy(state.robots[0]), (1, 0), "blue stops red");
//! game.make_move(&mut state, Action::parse("red south").unwrap());
//! assert!(game.is_solved(&state));
//! ```

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
