#![doc = include_str!("../README.md")]

pub mod astar;
pub mod beam;
pub mod bfs;

pub use astar::AStar;
pub use beam::{Beam, BeamLimits, Judgement, Space};
pub use bfs::Bfs;
