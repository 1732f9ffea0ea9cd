//! Who plays: the course's program, sparring partners, players of six levels and our strongest.

mod best;
mod level;
mod original;
mod sparring;

pub use best::Best;
pub use level::{LEVELS, Leveled};
pub use original::Original;
pub use sparring::Sparring;
