//! The agents: the course's program, a sparring partner, players of six levels, and the strongest engine.

mod best;
mod level;
mod original;
mod sparring;

pub use best::Best;
pub use level::{LEVELS, Leveled};
pub use original::Original;
pub use sparring::Sparring;
