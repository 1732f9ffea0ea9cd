//! Lode Runner: take all the gold and get out; dig holes to trap those who hunt you.
//!
//! Two games in one. Under `course`, the turn-based game of the ENSSAT project, an agent is called once a round, and the
//! enemies move every other round:
//!
//! ```text
//! WWWWWWWWWWWWWWWWWW     W wall        F floor, can be dug
//! W..B..........X..W     L ladder      C cable: one hangs in the cell below it
//! WFFFFFLFFFFFF.L..W     B bonus       R runner    E enemy
//! W.....LCCCCCC.L..W     X exit, active when no bonus is left
//! W.R...L....E..L..W
//! WFFFFFFFFFFFFFFFFW
//! WWWWWWWWWWWWWWWWWW
//! ```
//!
//! Under `classic`, the game of 1983, runner and guards move by units of a cell, tick by tick: guards take gold and drop it,
//! fall into holes and climb out, and come back at the top when a hole fills over them.
//!
//! | module | holds |
//! | --- | --- |
//! | [`level`] | levels in all formats |
//! | [`rules`] | both rule sets as one game |
//! | [`course`], [`classic`] | the rules of each |
//! | [`observe`] | what an agent sees |
//! | [`recording`] | recorded runs of classic levels |
//! | [`agents`] | the course's agent, and ours for both rule sets |
//! | [`solve`] | solver and checker |
//! | [`review`] | which action lost a game |
//! | [`generate`] | seeded levels, each certified by a win |
//! | [`draw`] | pictures |

pub mod action;
pub mod agents;
mod bench;
pub mod classic;
pub mod course;
pub mod draw;
pub mod generate;
mod kit;
pub mod level;
pub mod observe;
pub mod recording;
pub mod review;
pub mod rules;
pub mod solve;

/// The game, for front ends: see [`Kit`](damier_kit::Kit).
pub struct LodeRunner;
