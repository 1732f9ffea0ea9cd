//! The agents: players of Pacman, and teams of ghosts for the rule set `report`.

pub mod baseline;
pub mod escape;
pub mod hunted;
mod pack;
pub mod planner;
pub mod random;
pub mod teams;
