//! Dead ends: can the runner still get out of where it is?
//!
//! The runner moves freely sideways and falls; it climbs only ladders, and digs only what it can stand beside. Hidden ladders
//! count as ladders, open holes as open for ever and gaps as crossed on guards' heads, so that a way out is never overlooked.

use crate::classic::State;
use crate::classic::board::{Base, Board, Cell, MOST_ROWS, Rows};

/// A board as far as ways out of it are concerned: a bit per column in each row.
#[derive(Debug)]
pub(crate) struct Escape {
    /// The number of rows.
    rows: usize,
    brick: Rows,
    /// Neither brick nor solid.
    open: Rows,
    ladder: Rows,
    /// Cells that are empty once nobody is there, so that one can dig below them.
    empty: Rows,
    /// Cells from which the top can be reached without a dig.
    safe: Rows,
}

impl Escape {
    pub(super) fn new(board: &Board) -> Self {
        let extent = board.extent();
        let rows_of = |wanted: &[Base]| -> Rows {
            let mut rows = [0; MOST_ROWS];
            for cell in extent.cells().filter(|&cell| wanted.contains(&board.tile(cell))) {
                rows[cell.row()] |= cell.bit();
            }
            rows
        };
        let brick = rows_of(&[Base::Brick]);
        let solid = rows_of(&[Base::Solid]);
        let mut escape = Self {
            rows: extent.rows.into(),
            brick,
            open: std::array::from_fn(|y| extent.all_columns() & !brick[y] & !solid[y]),
            ladder: rows_of(&[Base::Ladder, Base::Hidden]),
            empty: rows_of(&[Base::Empty, Base::Hidden]),
            safe: [0; MOST_ROWS],
        };
        let is_safe = |cell: &Cell| escape.reach(*cell, [0; MOST_ROWS], false)[0] != 0;
        let mut safe = [0; MOST_ROWS];
        for cell in extent.cells().filter(|cell| escape.open[cell.row()] & cell.bit() != 0).filter(is_safe) {
            safe[cell.row()] |= cell.bit();
        }
        escape.safe = safe;
        escape
    }

    /// Can the top be reached from here without a dig?
    pub(super) fn is_safe(&self, cell: Cell) -> bool {
        self.safe[cell.row()] & cell.bit() != 0
    }

    /// Is the runner where it can never get out again?
    pub(super) fn is_stuck(&self, state: &State) -> bool {
        let cell = state.runner.cell;
        if self.is_safe(cell) {
            return false;
        }
        let holes = std::array::from_fn(|y| state.open_row(y as u8));
        self.reach(cell, holes, true)[0] == 0
    }

    /// The cells that can be reached from one, up to the first in the top row.
    fn reach(&self, from: Cell, holes: Rows, digs: bool) -> Rows {
        let mut open: Rows = std::array::from_fn(|y| self.open[y] | (self.brick[y] & holes[y]));
        let mut empty: Rows = std::array::from_fn(|y| self.empty[y] | (self.brick[y] & holes[y]));
        let mut reach = [0; MOST_ROWS];
        reach[from.row()] = from.bit();
        loop {
            let before = reach;
            for y in 0..self.rows {
                reach[y] |= spread(reach[y], open[y]);
                if y + 1 == self.rows {
                    break;
                }
                if digs {
                    let dug = beside(reach[y]) & empty[y] & self.brick[y + 1];
                    open[y + 1] |= dug;
                    empty[y + 1] |= dug;
                }
                reach[y + 1] |= reach[y] & open[y + 1];
            }
            for y in (1..self.rows).rev() {
                reach[y - 1] |= reach[y] & self.ladder[y] & open[y - 1];
                reach[y - 1] |= spread(reach[y - 1], open[y - 1]);
            }
            if reach == before || reach[0] != 0 {
                return reach;
            }
        }
    }
}

/// The columns beside some, and perhaps one beyond the board.
fn beside(cells: u64) -> u64 {
    cells << 1 | cells >> 1
}

/// All cells of a row that can be reached sideways.
fn spread(mut cells: u64, open: u64) -> u64 {
    loop {
        let wider = cells | beside(cells) & open;
        if wider == cells {
            return cells;
        }
        cells = wider;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::level::Level;
    use crate::rules::{Ground, RuleSet, Rules};

    #[test]
    fn a_runner_walled_in_by_bricks_is_stuck() {
        let stuck = |rows: [&str; 3]| {
            let text = "H\n".repeat(13) + &rows.join("\n");
            let rules = Rules::new(Level::parse(&text, RuleSet::Classic).unwrap());
            let Ground::Classic(board) = rules.ground() else { unreachable!("a classic level") };
            Escape::new(board).is_stuck(&State::new(board))
        };
        assert!(stuck(["H ####", "H #&##", "######"]));
        assert!(!stuck(["H&    ", "H #   ", "######"]));
        assert!(!stuck(["H ####", "H  &##", "######"]));
    }
}
