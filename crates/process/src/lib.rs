//! Agents as processes: their manifest, the wires they speak, their clocks and their confinement.

pub mod agents;
pub mod check_agent;
pub mod config;
pub mod confine;
pub mod manifest;
pub mod process;
pub mod protocol;
pub mod templates;
