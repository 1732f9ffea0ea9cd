//! Search algorithms that know no game.
//!
//! | module | finds |
//! | --- | --- |
//! | [`bfs`] | distances from a set of nodes, and the way back, in a graph whose steps all cost the same |
//! | [`astar`] | a cheapest way in a graph whose steps have costs, guided by an estimate |
//! | [`beam`] | a plan in a space far too large to search whole, keeping the most promising states of every depth |
//!
//! Each algorithm is a value that owns its buffers: make it once and search often, then the inner loops allocate
//! nothing. The graph is a function that lists successors, so no graph needs to be built.

pub mod astar;
pub mod beam;
pub mod bfs;
