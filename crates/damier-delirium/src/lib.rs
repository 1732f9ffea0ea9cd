//! Delirium 2: a miner among rocks, diamonds and monsters.

pub mod agents;
mod bench;
pub mod board;
pub mod draw;
pub mod generate;
pub mod kind;
mod kit;
pub mod level;
pub mod observe;
pub mod rules;
pub mod solve;
pub mod trace;

/// The game with all that surrounds it, for front ends.
pub struct Delirium;
