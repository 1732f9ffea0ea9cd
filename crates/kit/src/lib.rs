//! What a game offers beyond its rules, and the type-erased form in which front ends hold any game.
//!
//! | module | holds |
//! | --- | --- |
//! | [`kit`] | [`Kit`] and the small traits it joins: levels, drawing, solving, generating, tracing |
//! | [`info`] | what is known of a game before a level is opened |
//! | [`table`] | [`AnyGame`], [`OpenLevel`], [`Table`]: games without their types |
//! | [`scene`] | what a front end draws |
//! | [`solve`], [`generate`], [`review`], [`bench`] | requests and answers of solvers, generators, reviews and benchmarks |
//! | [`referee`] | plays games between agents |
//! | [`replay`] | games kept as JSON lines, and their verification |
//! | [`message`] | what the page gets of all this, as JSON |
//! | [`fault`] | what a seat can do wrong outside the rules |
//! | [`cancel`] | cancellation and deadlines of searches |
//! | [`time`] | clocks and threads |

pub mod bench;
pub mod cancel;
pub mod fault;
pub mod generate;
pub mod info;
pub mod kit;
pub mod message;
pub mod referee;
pub mod replay;
pub mod review;
pub mod scene;
pub mod solve;
pub mod table;
pub mod time;

pub use bench::{Bench, Measure};
pub use cancel::{Cancel, Deadline};
pub use generate::GenerateRequest;
pub use info::{AgentInfo, Brush, Info, KeyBinding, Named, Pack, Style};
pub use kit::{ActionOf, Draw, Generate, Kit, Levels, Reviewer, Solve, StateOf, Trace};
pub use solve::{Report, Solution, Solvability, SolveOptions, Solved};
pub use table::{AnyGame, OpenLevel, Seated, Table};
