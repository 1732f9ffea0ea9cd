//! Agent processes: games, hostile agents, and mistaken agents.

mod check_agent;
mod common;
mod games;
#[cfg(target_os = "linux")]
mod hide;
// Without confinement they would do harm.
#[cfg(target_os = "linux")]
mod hostile;
