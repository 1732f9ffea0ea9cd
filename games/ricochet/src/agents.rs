//! The agents that come with the game.

mod best;
mod original;

pub use best::Best;
pub use original::{Original, OriginalAnswer};
