//! Games between anybody: which level and who sits where, the games that people and agents play, and the files that keep them.
//!
//! Nothing here knows a game by name: the program hands over its list of [`AnyGame`](damier_core::table::AnyGame).

pub mod games;
pub mod levels;
pub mod replays;
pub mod seats;
pub mod seeds;
pub mod session;
