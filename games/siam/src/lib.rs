#![doc = include_str!("../README.md")]
//!
//! ## Modules
//!
//! | module | holds |
//! | --- | --- |
//! | [`board`], [`mod@line`], [`action`] | positions, five squares in a line and their pushes, moves and their notation |
//! | [`moves`], [`check`], [`mod@perft`] | legal moves: listed, counted, explained, and counted to a depth |
//! | [`level`], [`rules`], [`observe`] | starting positions; the rules; observations |
//! | [`evaluate`], [`engine`] | the evaluation, learnt from self-play; the search |
//! | [`proof`], [`mod@analyze`], [`mod@solve`] | forced wins; analysis of a position; `damier solve` |
//! | [`duel`], [`symmetry`] | the game with one animal each, solved; the board's symmetries |
//! | [`generate`], [`record`], [`review`] | puzzles; games as text; mistakes in a game |
//! | [`agents`], [`draw`] | the agents; drawing |

pub mod action;
pub mod agents;
pub mod analyze;
mod bench;
pub mod board;
pub mod check;
pub mod draw;
pub mod duel;
pub mod encode;
pub mod engine;
pub mod evaluate;
pub mod generate;
mod kit;
pub mod level;
pub mod line;
pub mod moves;
pub mod observe;
mod past;
pub mod perft;
pub mod proof;
pub mod record;
pub mod review;
pub mod rules;
pub mod solve;
pub mod symmetry;

pub use action::Move;
pub use analyze::analyze;
pub use board::{Board, Piece, Side, Square};
pub use damier_kit::{Analysis, AnalyzeOptions, Proof};
pub use engine::{Engine, Question, Score, SearchLimits, Thought};
pub use generate::{Puzzle, puzzle};
pub use kit::Siam;
pub use level::Level;
pub use moves::{MoveList, MoveRules};
pub use observe::Observation;
pub use perft::{divide, perft};
pub use proof::{ProofLimits, Prover, Verdict, Win};
pub use rules::{Ending, RuleSet, Rules, State};
pub use solve::solve;
