//! What every front end shares: levels and agents by name, seats, sessions, replays, solving.
//!
//! Nothing here knows a game by name: the program hands over its list of [`AnyGame`](damier_kit::AnyGame). Nothing here needs
//! an operating system either, so that the same code serves a terminal, a server and a browser.

pub mod contestant;
pub mod games;
pub mod levels;
pub mod replays;
pub mod seats;
pub mod seeds;
pub mod session;
pub mod solving;
pub mod terms;
