//! Who plays: the course project's agent, and ours.

pub mod miner;
pub mod original;
