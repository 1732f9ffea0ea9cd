//! Partial order reduction: moves that are skipped after the last one because the other order leads to the same position.
//!
//! Suppose that a helper has moved. If another robot's move does not interact with that slide, the two can be made in either
//! order, and one order suffices: the active robot first, then the helpers by the cells that they leave. So after the
//! helper's move, robots that come before it only make moves that interact with its slide. And the helper itself only
//! turns: it cannot go further, and it would have gone back right away.
//!
//! This loses nothing, whichever of its shortest paths a position was first reached by. If a shortest path ends with a
//! skipped move, its last two moves can be exchanged. That gives a shortest path whose last move comes later in the order;
//! it may be skipped in turn, but this terminates. And as the lower bound is consistent, every bound that admits a position
//! admits all positions on its shortest paths.
//!
//! All this applies to boards without diagonals, where slides are straight.

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
    /// Its cell before.
    pub from: Cell,
    /// Its cell after.
    pub to: Cell,
    /// The direction.
    pub dir: Dir,
}

/// The last move and the cells it involves; nothing is skipped after an unknown move.
pub struct Trace<const W: usize> {
    last: Option<Last>,
    /// The cells where the helper started and stopped.
    ends: Bits<W>,
    /// The cells it passed, including the last one.
    path: Bits<W>,
    /// The cells beyond its stop: the first contains the robot that stopped it, if it was not a wall.
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

    /// Whether one of these slides may interact with the last move. No robot is in their path, unless they are `blocked`.
    #[inline(always)]
    pub fn meets(&self, fan: &Fan<W>, blocked: bool) -> bool {
        let stops = if blocked { fan.cells } else { fan.ends };
        !(fan.cells & self.ends | stops & self.path).is_empty()
    }

    /// Whether the robot that moved comes after the helper on this cell.
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

    /// Whether a slide through these cells to a stop is one of those moves.
    #[inline(always)]
    pub fn wants(&self, turn: Turn, dir: Dir, cells: &Bits<W>, stop: Cell) -> bool {
        match turn {
            Turn::Any => true,
            Turn::Across(last) => dir != last && dir != last.opposite(),
            Turn::Meeting => cells.meets(&self.ends) || self.path.contains(stop),
        }
    }
}
