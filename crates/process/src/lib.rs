#![doc = include_str!("../README.md")]

pub mod agents;
pub mod check_agent;
pub mod config;
pub mod confine;
pub mod manifest;
pub mod process;
pub mod protocol;
pub mod templates;

pub use check_agent::Mistake;
pub use manifest::Manifest;
pub use process::ProcessAgent;
pub use protocol::{Answer, Message, Wire};
