//! A view as the course project's agent keeps it: a list of codes, row by row.

use crate::kind::Kind;

/// A wall that exists only in the agent's mind.
const VIRTUAL_WALL: u8 = 50;
/// Monsters have a range of codes, of which the game uses two.
const MONSTERS: std::ops::RangeInclusive<u8> = 23..=28;
const WALLS: std::ops::RangeInclusive<u8> = 4..=6;

/// Codes of the cells in view.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Codes {
    codes: Vec<u8>,
    width: usize,
}

impl Codes {
    /// A view.
    pub fn new(codes: Vec<u8>, width: usize) -> Self {
        Self { codes, width }
    }

    /// The number of cells.
    pub fn len(&self) -> usize {
        self.codes.len()
    }

    /// Has nothing been seen yet?
    pub fn is_empty(&self) -> bool {
        self.codes.is_empty()
    }

    /// Cells in a row.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Does the cell hold this?
    pub fn is(&self, cell: usize, kind: Kind) -> bool {
        self.codes.get(cell) == Some(&kind.code())
    }

    /// A monster of either colour.
    pub fn is_monster(&self, cell: usize) -> bool {
        self.codes.get(cell).is_some_and(|code| MONSTERS.contains(code))
    }

    /// What A* does not enter. It walks over a closed exit.
    pub fn is_obstacle(&self, cell: usize) -> bool {
        let is_wall = |code: &u8| WALLS.contains(code) || *code == VIRTUAL_WALL;
        self.is(cell, Kind::Rock) || self.is_monster(cell) || self.codes.get(cell).is_some_and(is_wall)
    }

    /// The cells of a kind, in reading order.
    pub fn cells(&self, kind: Kind) -> impl Iterator<Item = usize> + '_ {
        (0..self.len()).filter(move |&cell| self.is(cell, kind))
    }

    /// The monsters, in reading order.
    pub fn monsters(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.len()).filter(|&cell| self.is_monster(cell))
    }

    /// Changes a cell.
    pub fn set(&mut self, cell: usize, kind: Kind) {
        if let Some(code) = self.codes.get_mut(cell) {
            *code = kind.code();
        }
    }

    /// Puts up a wall that is not there.
    pub fn wall_off(&mut self, cell: usize) {
        if let Some(code) = self.codes.get_mut(cell) {
            *code = VIRTUAL_WALL;
        }
    }

    /// Is there a wall that is not there?
    pub fn is_walled_off(&self, cell: usize) -> bool {
        self.codes.get(cell) == Some(&VIRTUAL_WALL)
    }

    /// The neighbours inside the view: above, below, right, left.
    pub fn around(&self, cell: usize) -> impl IntoIterator<Item = usize> {
        let (width, column) = (self.width, cell % self.width);
        let above = cell.checked_sub(width);
        let below = Some(cell + width).filter(|&cell| cell < self.len());
        let right = (column + 1 < width).then_some(cell + 1);
        let left = (column > 0).then(|| cell - 1);
        [above, below, right, left].into_iter().flatten()
    }

    /// Columns and rows between two cells.
    pub fn distance(&self, one: usize, other: usize) -> u32 {
        let columns = (one % self.width).abs_diff(other % self.width);
        (columns + (one / self.width).abs_diff(other / self.width)) as u32
    }
}
