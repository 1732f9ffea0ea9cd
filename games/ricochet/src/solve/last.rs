//! Which moves need not be made after the last one, because another order of the two leads to the same position.
//!
//! Let a helper have moved. If another robot's move neither touches that slide nor is touched by it, the two can be made in
//! either order, and one order is enough: the active robot first, then the helpers by the cells that they leave. So after
//! the helper's move the robots that come before it only make moves that meet its slide. And the helper itself only turns:
//! further on it cannot go, and back it would have gone at once.
//!
//! Nothing is lost by that, whichever of its shortest ways a position was first met by. If a shortest way ends with a move
//! that is left out, its last two moves can be exchanged. That gives a shortest way whose last move comes later in the
//! order; it may be left out in turn, but that has an end. And as the lower bound is consistent, every bound that admits a
//! position admits all those on its shortest ways.
//!
//! All this is for boards without diagonals, on which the cells between two cells of a slide are plain.

#![expect(
    clippy::inline_always,
    reason = "steps of the innermost loop; with calls the search takes 5 % longer"
)]

use damier_core::grid::{Cell, Dir};

use super::bits::Bits;
use super::rays::{Fan, Rays};

/// A helper's move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Last {
    /// Where it was.
    pub from: Cell,
    /// Where it is.
    pub to: Cell,
    /// Where it went.
    pub dir: Dir,
}

/// What the last move was and which cells it has to do with; nothing is left out after a move that is unknown.
pub struct Trace<const W: usize> {
    last: Option<Last>,
    /// The cell that the helper left, and the one where it is.
    ends: Bits<W>,
    /// The cells it passed, the last one included.
    path: Bits<W>,
    /// The cells further on: in the first of them stands the robot that stopped it, if none of the walls did.
    beyond: Bits<W>,
}

/// The moves that a helper makes after the last one.
#[derive(Clone, Copy)]
pub enum Turn {
    /// All.
    Any,
    /// Those across the last move, which was its own.
    Across(Dir),
    /// Those that meet the last move.
    Meeting,
}

impl<const W: usize> Trace<W> {
    /// The trace of the last move.
    #[inline(always)]
    pub fn new(rays: &Rays<'_, W>, last: Option<Last>) -> Self {
        let Some(Last { from, to, dir }) = last else {
            return Self { last, ends: !Bits::NONE, path: !Bits::NONE, beyond: Bits::NONE };
        };
        let beyond = rays.ray(0, to, dir).cells;
        Self {
            last,
            ends: rays.fan(0, from).from | rays.fan(0, to).from,
            path: rays.ray(0, from, dir).cells.without(beyond),
            beyond,
        }
    }

    /// May one of these slides meet the last move? Nobody stands in their way, unless they are `blocked`.
    #[inline(always)]
    pub fn meets(&self, fan: &Fan<W>, blocked: bool) -> bool {
        let stops = if blocked { fan.cells } else { fan.ends };
        !(fan.cells & self.ends | stops & self.path).is_empty()
    }

    /// Does the one that has moved come after the helper on this cell?
    #[inline(always)]
    pub fn is_after(&self, helper: Cell) -> bool {
        self.last.is_some_and(|last| helper < last.from)
    }

    /// The moves that the helper on this cell makes.
    #[inline(always)]
    pub fn turn(&self, helper: Cell) -> Turn {
        match self.last {
            Some(last) if last.to == helper => Turn::Across(last.dir),
            _ if self.is_after(helper) && !self.beyond.contains(helper) => Turn::Meeting,
            _ => Turn::Any,
        }
    }

    /// Is a slide through these cells to a stop one of those moves?
    #[inline(always)]
    pub fn wants(&self, turn: Turn, dir: Dir, cells: &Bits<W>, stop: Cell) -> bool {
        match turn {
            Turn::Any => true,
            Turn::Across(last) => dir != last && dir != last.opposite(),
            Turn::Meeting => cells.meets(&self.ends) || self.path.contains(stop),
        }
    }
}
