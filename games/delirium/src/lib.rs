//! Delirium 2, the miner's game of a course project, and Boulder Dash: exact rules, level formats, agents and caves.
//!
//! ```text
//! ################
//! #P....r........#      #  border, which nothing destroys      P  miner
//! #..wwwwwwwwww..#      w  wall: things slide off it,          R  red monster
//! #..w________w..#         explosions destroy it               B  blue monster
//! #..w_dwwwwd_w..#      .  grass, to be dug                    d  diamond
//! #..w___R____...#      _  empty                               r  rock
//! #..w_dwwwwd_w..#      X  exit, open once enough diamonds
//! #..w________w..#         are gathered
//! #..wwww.wwwww..#
//! #......r......X#
//! ################
//! ```
//!
//! A tick under the rule set `course` reads like this ([`rules`]):
//!
//! 1. **The miner** enters empty, grass, diamond or the open exit, or pushes a chain of rocks left, right or up into an
//!    empty cell, or digs without moving.
//! 2. **Monsters**, in reading order, try left, straight, right, back; before their first step up, right, down, left. Red
//!    ones move in every tick, blue ones in every second.
//! 3. **Rocks and diamonds**, bottom row first and from the left, fall, or slide off what is slippery.
//! 4. **Deaths**: what fell and now stands right above a creature crushes it; a monster beside the miner kills.
//! 5. **Explosions** cover three by three cells; a blue monster's leaves diamonds.
//!
//! In 2 and 3 a cell is free only if it was empty when the tick began and nobody has claimed it since.
//!
//! Under `boulder` the map is scanned from the top left to the bottom right and changed in place, as Boulder Dash does:
//! things roll to the left first, only what is in flight kills, a push succeeds once in eight ticks, fireflies (red) keep to
//! their left hand and butterflies (blue) to their right, and both explode beside the miner.
//!
//! | what a level's headers may set | `course` | `boulder` |
//! | --- | --- | --- |
//! | `slide`: the side where both are possible, `random`, `left` or `right` | `random` | `left` |
//! | `blast`: ticks until an explosion is over | 2 | 5 |
//! | `blue-blast`: ticks until a blue one is diamonds | 1 | 5 |
//! | `blue-pace`: blue monsters move in ticks that are a multiple of it | 2 | 1 |
//! | `view`: half the size of what the miner sees, as in `5x3`; `0x0` is everything | `0x0` | `0x0` |
//!
//! # Speed
//!
//! A [`board`] keeps four bits a cell, a plane a bit and a word a row: which rocks of a row can fall is an `and` of two rows,
//! and only rows in which something has changed are looked at. A map of 40 by 24 takes less than a kilobyte and is copied
//! as it is.
//!
//! # Example
//!
//! ```
//! use damier_core::game::Game;
//! use damier_core::grid::Dir;
//! use damier_core::random::Smallest;
//! use damier_delirium::level::Level;
//! use damier_delirium::rules::{Action, RuleSet, Rules};
//!
//! let level = Level::parse("; need: 1\n######\n#P.dX#\n######\n").unwrap();
//! let rules = Rules::new(level, RuleSet::Course).unwrap();
//! let mut state = rules.start();
//! for _ in 0..3 {
//!     rules.apply(&mut state, Action::Go(Dir::East), &mut Smallest);
//! }
//! assert_eq!(state.gathered(), 1);
//! assert!(state.ending().is_some());
//! ```

pub mod agents;
mod bench;
pub mod board;
pub mod draw;
pub mod generate;
pub mod kind;
mod kit;
pub mod level;
pub mod observe;
mod pieces;
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
pub use rules::{Action, Monster, Options, RuleSet, Rules, Slide, State};
pub use solve::{check, solve};

/// The game with all that surrounds it, for front ends.
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
