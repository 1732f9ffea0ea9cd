//! The page: a server on this machine with everything embedded. Rules and agents run in the server; the page only draws.
//!
//! | module | holds |
//! | --- | --- |
//! | `server` | shared state, routes, the loop that accepts connections |
//! | `guard` | access control: host, origin, token, rate |
//! | `secrets` | keys and tokens |
//! | `files` | the page's files |
//! | `games`, `levels` | the games, and levels by name and by text |
//! | `sessions`, `room`, `frame` | running games, their viewers, their moments as messages |
//! | `live`, `sockets` | one client's socket into a room, and what all sockets share |
//! | `routes`, `openapi` | the API: every route with its handler and description |
//! | `queue` | the threads in which agents think |
//! | `slots` | limits on concurrent searches |
//! | `jobs`, `rounds` | searches that a client waits for; games of rounds |
//! | `replays` | replays to upload and download |
//! | `tournaments`, `tables` | tournaments, and their tables for the page |
//! | `agents`, `reports` | agents and grading reports of the data folder |

mod agents;
mod body;
mod error;
mod files;
mod frame;
mod games;
mod guard;
mod jobs;
mod levels;
mod live;
mod openapi;
mod queue;
mod replays;
mod reports;
mod room;
mod rounds;
mod routes;
mod secrets;
mod server;
mod sessions;
mod slots;
mod sockets;
mod tables;
mod tournaments;
#[cfg(test)]
mod typescript;

pub use server::{Options, Server};
