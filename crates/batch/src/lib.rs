#![doc = include_str!("../README.md")]

mod any;
mod batch;
mod env;
mod options;
mod saved;

pub use any::{AnyBatch, AnySaved};
pub use batch::{Batch, BatchError, Outputs};
pub use env::{Opponents, Policy, Stage};
pub use options::{Autoreset, IllegalAction, Options, Reward};
pub use saved::Saved;
