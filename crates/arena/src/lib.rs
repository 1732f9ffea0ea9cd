//! Games between anybody: which level and who sits where, the games that people and agents play, and the files that keep them.
//!
//! Nothing here knows a game by name: the program hands over its list of [`AnyGame`](damier_kit::table::AnyGame).

pub mod bench;
pub mod game;
pub mod grade;
pub mod plan;
pub mod ratings;
pub mod record;
pub mod report;
pub mod schedule;
pub mod sprt;
pub mod standings;
pub mod store;
pub mod suite;
pub mod tournament;
pub mod workers;
