//! Distances on a classic board without guards, as if every brick could be dug through from above.
//!
//! It is an estimate that never overlooks a way: what it calls out of reach is out of reach.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::classic::State;
use crate::classic::board::{Base, Board, Cell, Extent};

/// Further than anything.
pub(super) const FAR: u16 = 10_000;

/// Steps that it takes to dig through a brick.
const THROUGH_BRICK: u16 = 6;
/// Steps more that it takes to dig down from within a hole: the hole beside it must be open too.
const DEEPER: u16 = 8;
/// Steps that it takes to dig a brick above a ladder from above, come back below it and climb into the hole.
const FROM_BELOW: u16 = 80;
/// Steps that it takes to get from one hole to the next.
const BETWEEN_BRICKS: u16 = 12;
/// Steps that it takes to dig a hole from above and walk into it from the side.
const INTO_A_HOLE: u16 = 8;
/// Steps that it takes to cross a gap: on the head of a guard, perhaps.
const OVER_A_GAP: u16 = 8;

/// Distances on one board.
#[derive(Debug)]
pub struct Ways {
    extent: Extent,
    /// From each cell to each cell, before the hidden ladders show.
    distances: Vec<u16>,
    /// From each cell to the top, after they do.
    to_top: Vec<u16>,
}

impl Ways {
    /// Measures a board.
    pub fn new(board: &Board) -> Self {
        let extent = board.extent();
        let before = backward_steps(board, false);
        let cells = before.len();
        let mut distances = vec![FAR; cells * cells];
        for target in 0..cells {
            for (from, distance) in distances_to(&before, [target]).into_iter().enumerate() {
                distances[from * cells + target] = distance;
            }
        }
        let to_top = distances_to(&backward_steps(board, true), 0..extent.columns.into());
        Self { extent, distances, to_top }
    }

    /// Steps from a cell to another, before the hidden ladders show.
    pub(super) fn between(&self, from: Cell, to: Cell) -> u16 {
        self.distances[index(self.extent, from) * self.to_top.len() + index(self.extent, to)]
    }

    /// Steps from a cell to the top, once the hidden ladders show.
    pub(super) fn to_top(&self, from: Cell) -> u16 {
        self.to_top[index(self.extent, from)]
    }

    /// Can the runner get from a cell to another?
    pub(super) fn is_in_reach(&self, from: Cell, to: Cell) -> bool {
        self.between(from, to) < FAR
    }

    /// Can the runner get from a cell to the top, once the hidden ladders show?
    pub(super) fn top_is_in_reach(&self, from: Cell) -> bool {
        self.to_top(from) < FAR
    }

    /// The gold that cannot be reached from here, unless a guard brings it.
    pub fn out_of_reach(&self, state: &State) -> Vec<Cell> {
        state.gold().filter(|&gold| !self.is_in_reach(state.runner.cell, gold)).collect()
    }
}

fn index(extent: Extent, cell: Cell) -> usize {
    cell.row() * usize::from(extent.columns) + cell.column()
}

pub(super) fn carriers(state: &State) -> impl Iterator<Item = Cell> + '_ {
    state.guards().iter().filter(|guard| guard.carry > 0).map(|guard| guard.body.cell)
}

/// For each cell, the cells from which a step leads there, and what it costs.
fn backward_steps(board: &Board, revealed: bool) -> Vec<Vec<(usize, u16)>> {
    let extent = board.extent();
    let mut back = vec![Vec::new(); extent.cells().count()];
    for cell in extent.cells() {
        for (to, cost) in steps_from(board, revealed, cell).into_iter().flatten() {
            back[index(extent, to)].push((index(extent, cell), cost));
        }
    }
    back
}

/// What is drawn at a cell, before or after the hidden ladders show.
fn tile(board: &Board, revealed: bool, cell: Cell) -> Base {
    match board.tile(cell) {
        Base::Hidden if revealed => Base::Ladder,
        Base::Hidden => Base::Empty,
        tile => tile,
    }
}

/// Can the brick here be dug? Only where the cell above it is empty, or can be dug before. Below hidden ladders it can as long
/// as they do not show.
pub(super) fn is_diggable(board: &Board, brick: Cell) -> bool {
    let mut above = brick.above();
    while let Some(cell) = above {
        match board.tile(cell) {
            Base::Empty | Base::Gold | Base::Hidden => return true,
            Base::Brick => above = cell.above(),
            Base::Solid | Base::Ladder | Base::Bar | Base::Trap => return false,
        }
    }
    false
}

/// The cells that the runner may step to from one, and what it costs.
pub(super) fn steps_from(board: &Board, revealed: bool, cell: Cell) -> [Option<(Cell, u16)>; 4] {
    let tile = |cell: Cell| tile(board, revealed, cell);
    let dug = |brick: Cell, cost: u16| is_diggable(board, brick).then_some((brick, cost));
    let here = tile(cell);
    if here == Base::Solid {
        return [None; 4];
    }
    let (below, right) = (board.extent().below(cell), board.extent().right(cell));
    let down = below.and_then(|below| match tile(below) {
        Base::Solid => None,
        Base::Brick if here == Base::Brick => dug(below, THROUGH_BRICK + DEEPER),
        Base::Brick => dug(below, THROUGH_BRICK),
        _ => Some((below, 1)),
    });
    let up = cell.above().filter(|_| here == Base::Ladder).and_then(|above| match tile(above) {
        Base::Solid | Base::Trap => None,
        Base::Brick => dug(above, FROM_BELOW),
        _ => Some((above, 1)),
    });
    let holds = matches!(here, Base::Ladder | Base::Bar | Base::Brick)
        || below.is_none_or(|below| matches!(tile(below), Base::Brick | Base::Solid | Base::Ladder));
    let aside = |beside: Option<Cell>| {
        beside.and_then(|beside| match tile(beside) {
            Base::Brick if here == Base::Brick => dug(beside, BETWEEN_BRICKS),
            Base::Brick => dug(beside, if holds { INTO_A_HOLE } else { INTO_A_HOLE + OVER_A_GAP }),
            Base::Solid | Base::Trap => None,
            _ if holds => Some((beside, 1)),
            _ => Some((beside, OVER_A_GAP)),
        })
    };
    [down, up, aside(cell.left()), aside(right)]
}

fn distances_to(back: &[Vec<(usize, u16)>], targets: impl IntoIterator<Item = usize>) -> Vec<u16> {
    let mut distances = vec![FAR; back.len()];
    let mut queue: BinaryHeap<(Reverse<u16>, usize)> = BinaryHeap::new();
    for target in targets {
        distances[target] = 0;
        queue.push((Reverse(0), target));
    }
    while let Some((Reverse(distance), cell)) = queue.pop() {
        if distance > distances[cell] {
            continue;
        }
        for &(from, cost) in &back[cell] {
            if distance + cost < distances[from] {
                distances[from] = distance + cost;
                queue.push((Reverse(distance + cost), from));
            }
        }
    }
    distances
}
