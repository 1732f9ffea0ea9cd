#![doc = include_str!("../README.md")]

pub mod atlas;
pub mod bench;
pub mod certs;
pub mod game;
pub mod grade;
pub mod hangs;
pub mod plan;
pub mod ratings;
pub mod record;
pub mod report;
pub mod schedule;
pub mod sprt;
pub mod standings;
pub mod store;
pub mod suite;
mod sync;
pub mod tournament;
pub mod verdict;
pub mod workers;

pub use game::{Keep, Played, Setting};
pub use grade::{Examination, Mark, examine, marks};
pub use plan::{EventFile, Plan, Prepared, TournamentFile, prepare};
pub use ratings::{Duel, Rating, ratings};
pub use record::{Record, Times};
pub use schedule::{Fixture, Format, Shard};
pub use sprt::{Sprt, Trial, Verdict};
pub use standings::Standings;
pub use store::{Results, Store};
pub use suite::Suite;
pub use tournament::{Progress, RunOptions};
