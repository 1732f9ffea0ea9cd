#![doc = include_str!("../README.md")]

pub mod budgets;
pub mod contestant;
pub mod games;
pub mod levels;
pub mod measure;
pub mod prefix;
pub mod replays;
pub mod seats;
pub mod seeds;
pub mod session;
pub mod solving;
pub mod terms;

pub use contestant::{Contestant, ForeignAgent};
pub use games::Games;
pub use levels::NamedLevel;
pub use measure::{Effort, Stopwatch};
pub use prefix::Prefix;
pub use session::{Executor, Hinted, Session, Setup};
pub use terms::{ClockKind, Confinement, Terms};

/// Version of this program.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Name and version of this program, as replays, stores and agents see it.
pub const ENGINE: &str = concat!("damier ", env!("CARGO_PKG_VERSION"));
