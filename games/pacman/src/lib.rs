//! The turn-based Pacman of a 2004 course project: exact rules, its ghosts, agents and mazes.
//!
//! ```text
//! ###################
//! #........#........#        #     wall
//! #o##.###.#.###.##o#        .     pellet
//! #.................#        o     potion, also a pellet
//! #.##.#.#####.#.##.#        P     Pacman
//! #....#...#...#....#        1-4   ghosts
//! ####.###.#.###.####
//! ####.#.......#.####
//! ####.#.#1#2#.#.####        The row that is open at both ends is a tunnel:
//! .......#4 3#.......   <-   who leaves on one side comes back on the other.
//! ####.#.#####.#.####
//! ####.#.......#.####
//! ####.#.#####.#.####
//! #........#........#
//! #.##.###.#.###.##.#
//! #o.#.....P.....#.o#
//! ##.#.#.#####.#.#.##
//! #....#...#...#....#
//! #.######.#.######.#
//! #.................#
//! ###################
//! ```
//!
//! In every turn the ghosts move one after the other, then Pacman. He dies when he shares a cell with a ghost and no
//! potion works; he wins when the pellets are eaten. A direction is taken even towards a wall: then he stands still.
//!
//! # Rule sets
//!
//! | | `course`: what the program does | `report`: what its authors described |
//! | --- | --- | --- |
//! | ghosts | the original ones, part of the rules | a second seat: any agent or person |
//! | touching a ghost under a potion | nothing | 10 points, and the ghost goes home |
//! | a potion while one works | wasted; the clock rests for this turn | the clock starts again at 30 |
//! | the clock when Pacman runs against a wall | stands still | runs |
//! | the original ghosts flee | to the cell opposite of Pacman | to their starting cells |
//! | the game is won when | every pellet left is under a ghost | every pellet is eaten |
//!
//! Under both a potion protects the ghosts' moves that follow it and 30 moves of Pacman; his 31st ends it before the
//! death check.
//!
//! # The ghosts as a seat
//!
//! Under `report` the second seat moves ghost 1, then 2, 3 and 4, one action each. A ghost may stay, or step to any floor
//! cell beside it, round the edge of the board and back where it came from too, but never to a cell with another ghost.
//! It looks where it steps; only a ghost that is blocked ahead and finds no straight way to another corner keeps looking
//! ahead, as the original ones do. So every move of the original ghosts can be told as an action.
//! A ghost that goes home goes to its starting cell; if another ghost stands there, to the first starting cell that is
//! free.
//!
//! With this freedom two ghosts catch Pacman on the maze above from every position, within 46 turns of his, once no potion
//! is left ([`pursuit`]). (Ghosts that may also share a cell need up to 47; ghosts that may not stay need up to 51.)
//!
//! # Example
//!
//! ```
//! use damier_core::game::Game;
//! use damier_core::grid::Dir;
//! use damier_core::random::Smallest;
//! use damier_pacman::level::Level;
//! use damier_pacman::rules::{Action, RuleSet, Rules};
//!
//! let rules = Rules::new(Level::parse("#####\n#P..#\n#####\n").unwrap(), RuleSet::Course);
//! let mut state = rules.start();
//! rules.apply(&mut state, Action::Go(Dir::East), &mut Smallest);
//! rules.apply(&mut state, Action::Wait, &mut Smallest);
//! assert_eq!(rules.score(&state, 0), 2);
//! ```

pub mod agents;
mod bench;
pub mod bound;
pub mod distance;
pub mod draw;
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

/// The maze of the course, as text.
pub const ORIGINAL_MAZE: &str = include_str!("../levels/original.txt");

/// The game with all that surrounds it, for front ends.
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
