//! Distances on a classic board without guards, as if every brick could be dug through from above.
//!
//! It is an estimate that never overlooks a way: what it calls out of reach is out of reach.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::classic::State;
use crate::classic::board::{Base, Board, COLUMNS, Cell, ROWS, cells};

/// Further than anything.
const FAR: u16 = 10_000;
const CELLS: usize = COLUMNS * ROWS;

/// Steps that it takes to dig through a brick.
const THROUGH_BRICK: u16 = 6;
/// Steps that it takes to get from one brick to the next, through two holes.
const BETWEEN_BRICKS: u16 = 12;
/// Steps that it takes to cross a gap: on the head of a guard, perhaps.
const OVER_A_GAP: u16 = 8;
/// Steps that it takes to get gold from a guard that carries it.
const FROM_A_GUARD: u16 = 10;
/// Steps until a guard brings gold from where the runner cannot go.
const BROUGHT_BY_A_GUARD: u16 = 300;
/// A piece of gold counts at most so many steps from the next.
const FURTHEST: u16 = 200;

/// Distances on one board.
#[derive(Debug)]
pub struct Ways {
    /// From each cell to each cell, before the hidden ladders show.
    distances: Vec<u16>,
    /// From each cell to the top, after they do.
    to_top: Vec<u16>,
}

impl Ways {
    /// Measures a board.
    pub fn new(board: &Board) -> Self {
        let before = backward_steps(board, false);
        let mut distances = vec![FAR; CELLS * CELLS];
        for target in 0..CELLS {
            for (from, distance) in distances_to(&before, [target]).into_iter().enumerate() {
                distances[from * CELLS + target] = distance;
            }
        }
        Self { distances, to_top: distances_to(&backward_steps(board, true), 0..COLUMNS) }
    }

    fn between(&self, from: Cell, to: Cell) -> u16 {
        self.distances[index(from) * CELLS + index(to)]
    }

    /// Can all gold that lies somewhere be reached from here, and then the top? Guards may bring gold from anywhere.
    pub fn all_in_reach(&self, state: &State) -> bool {
        let from = state.runner.cell;
        let guarded = !state.guards().is_empty();
        self.to_top[index(from)] < FAR && (guarded || lying(state).all(|gold| self.between(from, gold) < FAR))
    }

    /// The gold that cannot be reached from here, unless a guard brings it.
    pub fn out_of_reach(&self, state: &State) -> Vec<Cell> {
        lying(state).filter(|&gold| self.between(state.runner.cell, gold) >= FAR).collect()
    }

    /// Steps to the nearest gold, or to the top when there is none left; nothing if the game cannot be won any more.
    pub fn nearest(&self, state: &State) -> Option<u32> {
        let from = state.runner.cell;
        let out = self.to_top[index(from)];
        if state.gold_left() == 0 || out >= FAR {
            return (out < FAR).then_some(out.into());
        }
        let mut nearest = FAR;
        for gold in lying(state) {
            nearest = nearest.min(self.between(from, gold));
        }
        for carrier in carriers(state) {
            nearest = nearest.min((self.between(from, carrier) + FROM_A_GUARD).min(FAR - 1));
        }
        if nearest >= FAR && !state.guards().is_empty() {
            nearest = BROUGHT_BY_A_GUARD;
        }
        (nearest < FAR).then_some(nearest.into())
    }

    /// Steps of a tree over all gold that is left, and from it to the top.
    pub fn tour(&self, state: &State) -> u32 {
        let mut apart: Vec<(Cell, u16)> =
            lying(state).chain(carriers(state)).map(|gold| (gold, FURTHEST)).collect();
        let out = apart.iter().map(|&(gold, _)| self.to_top[index(gold)]).min().unwrap_or(0);
        let mut steps = u32::from(out);
        let Some((mut last, _)) = apart.pop() else { return 0 };
        while !apart.is_empty() {
            for (gold, distance) in &mut apart {
                *distance = (*distance).min(self.between(last, *gold)).min(self.between(*gold, last));
            }
            let nearest = (0..apart.len()).min_by_key(|&other| apart[other].1).expect("some are left");
            let (gold, distance) = apart.swap_remove(nearest);
            steps += u32::from(distance);
            last = gold;
        }
        steps
    }
}

fn index(cell: Cell) -> usize {
    cell.row() * COLUMNS + cell.column()
}

fn lying(state: &State) -> impl Iterator<Item = Cell> + '_ {
    (0..ROWS as u8).flat_map(|y| {
        let mut row = state.gold_row(y);
        std::iter::from_fn(move || {
            let x = row.trailing_zeros() as u8;
            row &= row.wrapping_sub(1);
            (x < 32).then_some(Cell { x, y })
        })
    })
}

fn carriers(state: &State) -> impl Iterator<Item = Cell> + '_ {
    state.guards().iter().filter(|guard| guard.carry > 0).map(|guard| guard.body.cell)
}

/// For each cell, the cells from which a step leads there, and what it costs.
fn backward_steps(board: &Board, revealed: bool) -> Vec<Vec<(usize, u16)>> {
    let mut back = vec![Vec::new(); CELLS];
    for cell in cells() {
        for (to, cost) in steps_from(board, revealed, cell).into_iter().flatten() {
            back[index(to)].push((index(cell), cost));
        }
    }
    back
}

fn steps_from(board: &Board, revealed: bool, cell: Cell) -> [Option<(Cell, u16)>; 4] {
    let tile = |cell: Cell| match board.drawing().tiles[cell.row()][cell.column()] {
        Base::Hidden if revealed => Base::Ladder,
        Base::Hidden => Base::Empty,
        tile => tile,
    };
    let here = tile(cell);
    if here == Base::Solid {
        return [None; 4];
    }
    let down = cell.below().and_then(|below| match tile(below) {
        Base::Solid => None,
        Base::Brick => Some((below, THROUGH_BRICK)),
        _ => Some((below, 1)),
    });
    let up = cell.above().filter(|&above| {
        here == Base::Ladder && !matches!(tile(above), Base::Brick | Base::Solid | Base::Trap)
    });
    let holds = matches!(here, Base::Ladder | Base::Bar | Base::Brick)
        || cell.below().is_none_or(|below| matches!(tile(below), Base::Brick | Base::Solid | Base::Ladder));
    let aside = |beside: Option<Cell>| {
        beside.and_then(|beside| match tile(beside) {
            Base::Brick if here == Base::Brick => Some((beside, BETWEEN_BRICKS)),
            Base::Brick | Base::Solid | Base::Trap => None,
            _ if holds => Some((beside, 1)),
            _ => Some((beside, OVER_A_GAP)),
        })
    };
    [down, up.map(|above| (above, 1)), aside(cell.left()), aside(cell.right())]
}

fn distances_to(back: &[Vec<(usize, u16)>], targets: impl IntoIterator<Item = usize>) -> Vec<u16> {
    let mut distances = vec![FAR; CELLS];
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
