//! SIAM: elephants and rhinoceroses push mountains off a board of five by five squares.
//!
//! ```text
//!   51 52 53 54 55      .  .  .  .  .      Five elephants and five rhinoceroses, all in hand at the start, and
//!   41 42 43 44 45      .  .  .  .  .      three mountains (M). In a turn a player does one thing with one animal:
//!   31 32 33 34 35      .  M  M  M  .      enter on a border square, go one square and look anywhere, turn, leave
//!   21 22 23 24 25      .  .  .  .  .      from the border, or push straight ahead. Elephants begin.
//!   11 12 13 14 15      .  .  .  .  .
//! ```
//!
//! A push moves everything in the unbroken line by one square. The pusher counts 1; an animal of either side that looks
//! the same way adds 1, one that looks against it takes 1 away, a mountain adds 1 to the mass. An animal that is pushed
//! off goes back to its owner's hand. The game ends when a mountain leaves the board: the winner is the owner of the
//! nearest animal behind it that looks in the direction of the push, who need not be the pusher:
//!
//! ```text
//!   . M E e M   The elephant on 23 pushes the rhino and the mountain: the rhino looks the same way and is nearer,
//!               so the rhinos win.
//! ```
//!
//! # Rule sets
//!
//! | rule set | strength of a push | first four plies |
//! | --- | --- | --- |
//! | `official` | after every piece: force above zero and not below the mass | nobody may go to 13 or 53 |
//! | `course` | the same | all squares are open |
//! | `official-total` | only the sums over the whole line count | nobody may go to 13 or 53 |
//! | `course-total` | only the sums over the whole line count | all squares are open |
//!
//! Under all of them the third occurrence of the same board with the same side to move is a draw, and so is a game of
//! 1,000 plies; a level may set a lower cap.
//!
//! # Where is what
//!
//! | module | holds |
//! | --- | --- |
//! | [`board`], [`mod@line`], [`action`] | positions, five squares in a line and their pushes, moves and their notation |
//! | [`moves`], [`check`], [`perft`] | legal moves: listed, counted, explained, and counted to a depth |
//! | [`level`], [`rules`], [`observe`] | a position to begin with; state and step; what agents see |
//! | [`evaluate`], [`engine`] | what a position is worth, learnt from self-play; the search |
//! | [`proof`], [`analyze`], [`solve`] | forced wins; all there is to say about a position; `damier solve` |
//! | [`duel`], [`symmetry`] | the game with one animal each, solved; the board's symmetries |
//! | [`generate`], [`record`], [`review`] | puzzles; games as text; which moves gave something away |
//! | [`agents`], [`draw`] | who plays; pictures |
//!
//! # Example
//!
//! ```
//! use damier_core::game::Game;
//! use damier_core::random::Smallest;
//! use damier_siam::action::Move;
//! use damier_siam::board::Side;
//! use damier_siam::level::Level;
//! use damier_siam::rules::{Ending, RuleSet, Rules};
//!
//! let level = Level::parse("...../...../...../.MEeM/..... E 10").unwrap();
//! let rules = Rules::new(level, RuleSet::Official);
//! let mut state = rules.start();
//! rules.apply(&mut state, Move::parse("23-24e").unwrap(), &mut Smallest);
//! assert_eq!(state.ending, Some(Ending::Won(Side::Rhinos)));
//! ```

pub mod action;
pub mod agents;
pub mod analyze;
mod bench;
pub mod board;
pub mod check;
pub mod draw;
pub mod duel;
pub mod engine;
pub mod evaluate;
pub mod generate;
mod kit;
pub mod level;
pub mod line;
pub mod moves;
pub mod observe;
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
