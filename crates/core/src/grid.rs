//! Directions, cells and sizes of rectangular grids.
//!
//! A [`Cell`] is an index into the rows of a grid, from the top left, row by row:
//!
//! ```text
//!   0  1  2  3
//!   4  5  6  7      Size { width: 4, height: 3 }
//!   8  9 10 11
//! ```

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One of the four directions, numbered clockwise from north.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[repr(u8)]
pub enum Dir {
    /// Towards the top row.
    North = 0,
    /// Towards the last column.
    East = 1,
    /// Towards the bottom row.
    South = 2,
    /// Towards the first column.
    West = 3,
}

impl Dir {
    /// All four, clockwise from north.
    pub const ALL: [Self; 4] = [Self::North, Self::East, Self::South, Self::West];

    /// The direction with this number, counted modulo four.
    ///
    /// ```
    /// # use damier_core::grid::Dir;
    /// assert_eq!(Dir::from_index(5), Dir::East);
    /// ```
    #[inline]
    pub const fn from_index(index: u8) -> Self {
        Self::ALL[(index & 3) as usize]
    }

    /// Its number, 0 to 3.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The direction that leads back.
    #[inline]
    pub const fn opposite(self) -> Self {
        Self::from_index(self as u8 + 2)
    }

    /// A quarter turn clockwise.
    #[inline]
    pub const fn right(self) -> Self {
        Self::from_index(self as u8 + 1)
    }

    /// A quarter turn anticlockwise.
    #[inline]
    pub const fn left(self) -> Self {
        Self::from_index(self as u8 + 3)
    }

    /// The step `(dx, dy)`, with y growing southwards.
    #[inline]
    pub const fn delta(self) -> (i16, i16) {
        match self {
            Self::North => (0, -1),
            Self::East => (1, 0),
            Self::South => (0, 1),
            Self::West => (-1, 0),
        }
    }

    /// `up`, `right`, `down` or `left`.
    pub const fn arrow_name(self) -> &'static str {
        ["up", "right", "down", "left"][self as usize]
    }

    /// `north`, `east`, `south` or `west`.
    pub const fn name(self) -> &'static str {
        ["north", "east", "south", "west"][self as usize]
    }
}

/// A cell's index in its grid, row by row from the top left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Cell(pub u16);

impl Cell {
    /// The index as a `usize`, for table look-ups.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The size of a grid. At most 65,536 cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Size {
    /// Number of columns.
    pub width: u16,
    /// Number of rows.
    pub height: u16,
}

impl Size {
    /// A size of `width` columns and `height` rows.
    pub const fn new(width: u16, height: u16) -> Self {
        Self { width, height }
    }

    /// The number of cells.
    #[inline]
    pub const fn area(self) -> usize {
        self.width as usize * self.height as usize
    }

    /// Is `(x, y)` inside?
    #[inline]
    pub const fn contains(self, x: i16, y: i16) -> bool {
        x >= 0 && y >= 0 && (x as u16) < self.width && (y as u16) < self.height
    }

    /// The cell at column `x` and row `y`, which must be inside.
    #[inline]
    pub const fn cell(self, x: u16, y: u16) -> Cell {
        debug_assert!(x < self.width && y < self.height);
        Cell(y * self.width + x)
    }

    /// Column and row of a cell.
    #[inline]
    pub const fn xy(self, cell: Cell) -> (u16, u16) {
        (cell.0 % self.width, cell.0 / self.width)
    }

    /// The neighbour of `cell` in direction `dir`, if it is inside.
    ///
    /// ```
    /// # use damier_core::grid::{Cell, Dir, Size};
    /// let size = Size::new(4, 3);
    /// assert_eq!(size.step(Cell(5), Dir::North), Some(Cell(1)));
    /// assert_eq!(size.step(Cell(4), Dir::West), None);
    /// ```
    #[inline]
    pub const fn step(self, cell: Cell, dir: Dir) -> Option<Cell> {
        let (x, y) = self.xy(cell);
        let (dx, dy) = dir.delta();
        let (nx, ny) = (x as i16 + dx, y as i16 + dy);
        if self.contains(nx, ny) { Some(self.cell(nx as u16, ny as u16)) } else { None }
    }

    /// The neighbour of `cell` in direction `dir`, wrapping around at the edges.
    ///
    /// ```
    /// # use damier_core::grid::{Cell, Dir, Size};
    /// assert_eq!(Size::new(4, 3).step_around(Cell(4), Dir::West), Cell(7));
    /// ```
    #[inline]
    pub const fn step_around(self, cell: Cell, dir: Dir) -> Cell {
        let (x, y) = self.xy(cell);
        let (dx, dy) = dir.delta();
        let nx = (x as i16 + dx).rem_euclid(self.width as i16);
        let ny = (y as i16 + dy).rem_euclid(self.height as i16);
        self.cell(nx as u16, ny as u16)
    }

    /// All cells, row by row.
    pub fn cells(self) -> impl Iterator<Item = Cell> + Clone {
        // Inclusive, because the last cell of the largest grid is 65,535.
        let cells = 0..=self.area().saturating_sub(1) as u16;
        cells.take(self.area()).map(Cell)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turning_left_and_right_goes_round() {
        for dir in Dir::ALL {
            assert_eq!(dir.left().right(), dir);
            assert_eq!(dir.right().right(), dir.opposite());
            let ((dx, dy), (ox, oy)) = (dir.delta(), dir.opposite().delta());
            assert_eq!((dx + ox, dy + oy), (0, 0));
        }
    }

    #[test]
    fn the_largest_grid_and_the_empty_one_have_all_their_cells() {
        assert_eq!(Size::new(256, 256).cells().count(), 65_536);
        assert_eq!(Size::new(256, 256).cells().last(), Some(Size::new(256, 256).cell(255, 255)));
        assert_eq!(Size::new(0, 5).cells().count(), 0);
        assert_eq!(Size::new(1, 1).cells().collect::<Vec<_>>(), [Cell(0)]);
    }

    #[test]
    fn a_step_inside_is_the_step_around() {
        let size = Size::new(5, 3);
        for cell in size.cells() {
            for dir in Dir::ALL {
                let around = size.step_around(cell, dir);
                assert_eq!(size.step_around(around, dir.opposite()), cell);
                if let Some(next) = size.step(cell, dir) {
                    assert_eq!(next, around);
                }
            }
        }
    }
}
