//! Who plays: the course project's agent, and ours.

pub mod original;
