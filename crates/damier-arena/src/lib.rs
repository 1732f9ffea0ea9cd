//! Games between anybody: which level and who sits where, the games that people and agents play, and the files that keep them.
//!
//! Nothing here knows a game by name: the program hands over its list of [`AnyGame`](damier_core::table::AnyGame).

pub mod bench;
pub mod check_agent;
pub mod confine;
pub mod contestant;
pub mod game;
pub mod games;
pub mod grade;
pub mod levels;
pub mod manifest;
pub mod plan;
pub mod process;
pub mod protocol;
pub mod ratings;
pub mod record;
pub mod replays;
pub mod report;
pub mod schedule;
pub mod seats;
pub mod seeds;
pub mod session;
pub mod solving;
pub mod sprt;
pub mod standings;
pub mod store;
pub mod suite;
pub mod templates;
pub mod terms;
pub mod tournament;
pub mod workers;
