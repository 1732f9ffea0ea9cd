//! Copies of states.

use super::State;

impl Clone for State {
    #[inline]
    fn clone(&self) -> Self {
        match self {
            Self::Small(board) => Self::Small(*board),
            Self::Cave(cave) => Self::Cave(*cave),
            Self::Large(_) | Self::LargeCave(_) => self.clone_large(),
        }
    }
}

impl State {
    /// Apart from the copies of small states, which would pay for its stack frame of 32 kB.
    #[inline(never)]
    fn clone_large(&self) -> Self {
        match self {
            Self::Large(board) => Self::Large(board.clone()),
            Self::LargeCave(cave) => Self::LargeCave(cave.clone()),
            Self::Small(_) | Self::Cave(_) => unreachable!("small states are copied in place"),
        }
    }
}
