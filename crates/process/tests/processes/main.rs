//! Agents that are processes: games with them, hostile ones, and mistaken ones.

mod check_agent;
mod common;
mod games;
// Without confinement they would do harm.
#[cfg(target_os = "linux")]
mod hostile;
