#![doc = include_str!("../README.md")]

pub mod analysis;
pub mod answers;
pub mod bench;
pub mod cancel;
pub mod conformance;
pub mod fault;
pub mod generate;
pub mod info;
pub mod kit;
pub mod log;
pub mod message;
pub mod plan;
pub mod position;
pub mod printable;
pub mod referee;
pub mod replay;
pub mod review;
pub mod rounds;
pub mod scene;
pub mod solve;
pub mod table;
pub mod time;

pub use analysis::{
    Analysis, AnalysisLine, AnalysisMessage, AnalyzeOptions, Analyzer, Divider, LineMessage, Proof, Threats,
};
pub use answers::{AnswerFinder, Answers, Corridor};
pub use bench::{Bench, Measure};
pub use cancel::{Cancel, Deadline};
pub use fault::{Fault, FaultCode, Leave, Substituted};
pub use generate::GenerateRequest;
pub use info::{AgentInfo, Brush, Info, KeyBinding, Named, Pack, Style, Tally};
pub use kit::{ActionOf, Draw, Generate, Kit, Levels, Reviewer, Solve, StateOf, Trace};
pub use position::{Chooser, Position};
pub use referee::{Finish, GameLimits};
pub use replay::{Replay, ReplayError};
pub use review::Review;
pub use rounds::{RoundCommand, RoundPhase, RoundSide, RoundView, Rounds, RoundsKit};
pub use scene::{Piece, Scene, Sprite};
pub use solve::{Report, Solution, Solvability, SolveOptions, Solved};
pub use table::{AnyGame, OpenLevel, Seated, Table};
