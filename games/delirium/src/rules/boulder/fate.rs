//! Chance, as a frame asks for it.

use damier_core::random::Chance;

use super::ground::{EAST, Ground, NORTH, SOUTH, WEST, Way};
use crate::cave::Place;

/// The directions in which amoeba grows.
pub(crate) const GROWTH: [Way; 4] = [NORTH, SOUTH, WEST, EAST];

/// What chance decides in a frame.
pub(crate) trait Fate {
    /// Does a push into this cell succeed?
    fn pushes(&mut self, ground: &Ground, behind: Place) -> bool;
    /// Where does a cell of amoeba try to grow, if it does? By [`GROWTH`].
    /// `eats` says whether it can, up, down, left and right.
    fn grows(&mut self, ground: &Ground, place: Place, fast: bool, eats: [bool; 4]) -> Option<usize>;
    /// How many cells of amoeba try to grow in vain, from the next one on? They are not asked one by one; the one after them
    /// is, and if it fails, too, this is asked again.
    fn fails(&mut self, ground: &Ground, fast: bool) -> u32 {
        let _ = (ground, fast);
        0
    }
    /// Does something pass slime into this cell?
    fn passes(&mut self, ground: &Ground, below: Place) -> bool;
    /// Is predictable slime predictable?
    fn is_predictable(&self) -> bool {
        true
    }
    /// The scan has come to the miner, or to an inbox.
    fn see(&mut self) {}
}

/// Chance drawn from a stream.
pub(crate) struct Dice<'a, C: ?Sized> {
    chance: &'a mut C,
    /// Is it drawn that the attempt of amoeba to grow succeeds that comes after those which fail?
    due: bool,
}

impl<'a, C: Chance + ?Sized> Dice<'a, C> {
    pub(crate) fn new(chance: &'a mut C) -> Self {
        Self { chance, due: false }
    }
}

impl<C: Chance + ?Sized> Fate for Dice<'_, C> {
    fn pushes(&mut self, ground: &Ground, _behind: Place) -> bool {
        ground.push.draw(self.chance)
    }

    fn fails(&mut self, ground: &Ground, fast: bool) -> u32 {
        if self.due {
            return 0;
        }
        let (fails, succeeds) = ground.growth[usize::from(fast)].draw(self.chance);
        self.due = succeeds;
        fails
    }

    fn grows(&mut self, _ground: &Ground, _place: Place, _fast: bool, _eats: [bool; 4]) -> Option<usize> {
        self.due = false;
        Some(self.chance.below(4) as usize)
    }

    fn passes(&mut self, ground: &Ground, _below: Place) -> bool {
        ground.slime.draw(self.chance)
    }
}
