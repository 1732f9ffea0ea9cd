//! SIAM.

pub mod action;
pub mod agents;
pub mod analyze;
mod bench;
pub mod board;
pub mod check;
pub mod draw;
pub mod duel;
pub mod engine;
pub mod evaluate;
pub mod generate;
mod kit;
pub mod level;
pub mod line;
pub mod moves;
pub mod observe;
pub mod perft;
pub mod proof;
pub mod record;
pub mod rules;
pub mod solve;
pub mod symmetry;

/// The game with all that surrounds it, for front ends.
pub struct Siam;
