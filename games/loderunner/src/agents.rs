//! The original project's agent, and ours.

pub mod original;
pub mod planner;
pub mod player;
