//! Agents that are processes: games with them, hostile ones, and mistaken ones.

mod check_agent;
mod common;
mod games;
mod hostile;
