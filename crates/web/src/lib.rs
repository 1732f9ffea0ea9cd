//! The page: a server on this machine with everything embedded. Rules and agents run here, the page draws what it is told.
//!
//! | module | holds |
//! | --- | --- |
//! | `server` | what all requests share, the routes, the accepting of connections |
//! | `guard` | who may ask: host, origin, token, rate |
//! | `secrets` | keys and tokens |
//! | `files` | the page's own files |
//! | `games`, `levels` | what there is to play, levels by name and by text |
//! | `sessions`, `room`, `frame` | games under way, who looks on, their moments as messages |
//! | `live`, `sockets` | one person's socket into a room, and what all sockets share |
//! | `openapi` | the API's routes with their description |
//! | `queue` | the threads in which agents think |
//! | `jobs`, `rounds` | searches that a client waits for; games by rounds |
//! | `replays` | games that were played |
//! | `tournaments`, `tables` | tournaments, and what the page shows of them |
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
mod secrets;
mod server;
mod sessions;
mod sockets;
mod tables;
mod tournaments;
#[cfg(test)]
mod typescript;

pub use server::{Options, Server};
