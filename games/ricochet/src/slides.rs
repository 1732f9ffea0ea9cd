//! The slides of each robot from each cell, computed once per board.

use damier_core::grid::{Cell, Dir};

use crate::board::Board;
use crate::robot::{MAX_ROBOTS, Robot};

/// The path of a slide on an otherwise empty board.
#[derive(Clone, Copy, Debug)]
pub struct Path<'a> {
    /// The cells passed, in order, without the start; a wall stops the robot on the last one.
    pub cells: &'a [Cell],
    /// The number of cells before the first turn at a diagonal.
    pub straight: usize,
}

impl Path<'_> {
    /// The number of cells before the first occupied one.
    #[inline]
    pub fn free(&self, occupied: impl Fn(Cell) -> bool) -> usize {
        self.cells.iter().position(|&cell| occupied(cell)).unwrap_or(self.cells.len())
    }
}

/// All slides of a board. Without diagonals all robots slide the same way and share one table.
#[derive(Clone, Debug)]
pub struct Slides {
    area: usize,
    /// One table if all robots slide the same way, else one per robot.
    tables: usize,
    /// The start of each path in `cells`, and the end of the last one.
    starts: Vec<u32>,
    straight: Vec<u16>,
    cells: Vec<Cell>,
}

impl Slides {
    /// Computes every slide of a board.
    pub fn new(board: &Board) -> Self {
        let tables = if board.has_diagonals() { MAX_ROBOTS } else { 1 };
        let area = board.size().area();
        let mut slides = Self {
            area,
            tables,
            starts: vec![0],
            straight: Vec::new(),
            cells: Vec::with_capacity(area * 20),
        };
        for &robot in &Robot::ALL[..tables] {
            for dir in Dir::ALL {
                for cell in board.size().cells() {
                    let straight = walk(board, robot, cell, dir, &mut slides.cells);
                    slides.straight.push(straight as u16);
                    slides.starts.push(slides.cells.len() as u32);
                }
            }
        }
        slides
    }

    /// The number of different tables: robots with the same [`table`](Self::table) slide the same way.
    pub const fn tables(&self) -> usize {
        self.tables
    }

    /// The table of a robot.
    #[inline]
    pub const fn table(&self, robot: Robot) -> usize {
        if self.tables == 1 { 0 } else { robot.index() }
    }

    /// The slide of a robot from a cell.
    #[inline]
    pub fn path(&self, robot: Robot, cell: Cell, dir: Dir) -> Path<'_> {
        self.path_in(self.table(robot), cell, dir)
    }

    /// The slide in one of the [`tables`](Self::tables).
    #[inline]
    pub fn path_in(&self, table: usize, cell: Cell, dir: Dir) -> Path<'_> {
        let index = (table * 4 + dir.index()) * self.area + cell.index();
        let range = self.starts[index] as usize..self.starts[index + 1] as usize;
        Path { cells: &self.cells[range], straight: usize::from(self.straight[index]) }
    }
}

/// Appends the cells of a slide and returns the number of cells before the first turn.
///
/// Diagonals can lead a robot back to its start in the same direction, an endless loop: such a slide does not move it.
fn walk(board: &Board, robot: Robot, start: Cell, start_dir: Dir, cells: &mut Vec<Cell>) -> usize {
    let begin = cells.len();
    let (mut at, mut dir) = (start, start_dir);
    let mut straight = None;
    while let Some(next) = board.open_neighbour(at, dir) {
        at = next;
        cells.push(at);
        if let Some(diagonal) = board.diagonal(at).filter(|diagonal| diagonal.colour != Some(robot)) {
            dir = diagonal.slope.turn(dir);
            straight.get_or_insert(cells.len() - begin);
        }
        if (at, dir) == (start, start_dir) {
            cells.truncate(begin);
            return 0;
        }
    }
    straight.unwrap_or(cells.len() - begin)
}
