#![doc = include_str!("../README.md")]

pub mod agents;
mod bench;
pub mod bound;
pub mod distance;
pub mod draw;
pub mod encode;
pub mod generate;
pub mod ghosts;
mod kit;
pub mod level;
pub mod maze;
pub mod observe;
pub mod pursuit;
pub mod rules;
pub mod solve;
pub mod trace;

pub use damier_core::{Dir, Game, LevelError, Rng, Status};
pub use damier_kit::{Report, Solution, Solvability, SolveOptions};
pub use generate::generate;
pub use level::Level;
pub use maze::Maze;
pub use observe::Observation;
pub use rules::{Action, Ending, RuleSet, Rules, State};
pub use solve::{check, solve};

/// The maze of the course, as text.
pub const ORIGINAL_MAZE: &str = include_str!("../levels/original.txt");

/// Everything a front end needs from the game.
///
/// ```
/// use damier_kit::AnyGame;
/// use damier_pacman::{ORIGINAL_MAZE, Pacman};
///
/// let level = Pacman.open(ORIGINAL_MAZE, "course").unwrap();
/// let mut table = level.table(1, 0);
/// table.act("left").unwrap();
/// assert_eq!(table.score(0), 1);
/// ```
pub struct Pacman;
