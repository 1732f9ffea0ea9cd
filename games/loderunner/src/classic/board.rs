//! The board of a classic level: what never changes, with tables for the guards' eyes.

use std::cmp::Ordering;

/// Columns of every classic board.
pub const COLUMNS: usize = 28;
/// Rows of every classic board.
pub const ROWS: usize = 16;

/// All columns of a row.
const ALL: u32 = (1 << COLUMNS) - 1;

/// A cell, from the top left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cell {
    /// The column.
    pub x: u8,
    /// The row.
    pub y: u8,
}

impl Cell {
    /// The row as an index.
    #[inline]
    pub fn row(self) -> usize {
        usize::from(self.y)
    }

    /// The column as an index.
    #[inline]
    pub fn column(self) -> usize {
        usize::from(self.x)
    }

    /// The column as a bit of a row.
    #[inline]
    pub fn bit(self) -> u32 {
        1 << self.x
    }

    pub(crate) fn word(self) -> u64 {
        u64::from(self.x) | u64::from(self.y) << 8
    }

    /// The cell above.
    #[inline]
    pub fn above(self) -> Option<Self> {
        (self.y > 0).then(|| Self { y: self.y - 1, ..self })
    }

    /// The cell below.
    #[inline]
    pub fn below(self) -> Option<Self> {
        (usize::from(self.y) + 1 < ROWS).then(|| Self { y: self.y + 1, ..self })
    }

    /// The cell to the left.
    #[inline]
    pub fn left(self) -> Option<Self> {
        (self.x > 0).then(|| Self { x: self.x - 1, ..self })
    }

    /// The cell to the right.
    #[inline]
    pub fn right(self) -> Option<Self> {
        (usize::from(self.x) + 1 < COLUMNS).then(|| Self { x: self.x + 1, ..self })
    }
}

/// All cells, row by row.
pub fn cells() -> impl Iterator<Item = Cell> {
    (0..ROWS as u8).flat_map(|y| (0..COLUMNS as u8).map(move |x| Cell { x, y }))
}

/// What a level is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Base {
    /// Nothing.
    Empty,
    /// Can be dug.
    Brick,
    /// Cannot be dug.
    Solid,
    /// A ladder.
    Ladder,
    /// A bar to hang from.
    Bar,
    /// Looks like a brick, but does not carry anyone.
    Trap,
    /// A ladder that shows itself when all gold is taken.
    Hidden,
    /// Gold.
    Gold,
}

/// What reads at a cell at the moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Now {
    /// Nothing, an open hole, gold or a hidden ladder.
    Empty,
    /// A brick.
    Brick,
    /// Solid.
    Solid,
    /// A ladder.
    Ladder,
    /// A bar.
    Bar,
    /// A trap.
    Trap,
    /// A guard.
    Guard,
    /// The runner.
    Runner,
}

/// A level as drawn: tiles, gold, and where everybody begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drawing {
    /// The tiles; gold and empty cells are empty.
    pub tiles: [[Base; COLUMNS]; ROWS],
    /// Gold, a bit per column.
    pub gold: [u32; ROWS],
    /// The runner.
    pub runner: Cell,
    /// The guards, in reading order.
    pub guards: Vec<Cell>,
}

/// The board of a classic level.
#[derive(Clone, Debug)]
pub struct Board {
    drawing: Drawing,
    /// Hidden ladders.
    pub(super) hidden: [u32; ROWS],
    /// Before and after the hidden ladders show themselves.
    layers: [Box<Layer>; 2],
}

impl Board {
    /// Makes a drawing ready to be played. Of more than five guards, the last five play.
    pub fn new(mut drawing: Drawing) -> Self {
        let surplus = drawing.guards.len().saturating_sub(super::MOST_GUARDS);
        drawing.guards.drain(..surplus);
        let mut tiles = drawing.tiles;
        let before = Box::new(Layer::new(&tiles));
        let mut hidden = [0; ROWS];
        for cell in cells() {
            let tile = &mut tiles[cell.row()][cell.column()];
            if *tile == Base::Hidden {
                *tile = Base::Ladder;
                hidden[cell.row()] |= cell.bit();
            }
        }
        Self { drawing, hidden, layers: [before, Box::new(Layer::new(&tiles))] }
    }

    /// The level as drawn.
    pub fn drawing(&self) -> &Drawing {
        &self.drawing
    }

    #[inline]
    pub(super) fn layer(&self, revealed: bool) -> &Layer {
        &self.layers[usize::from(revealed)]
    }

    /// Is it a brick, dug or not?
    #[inline]
    pub(super) fn is_brick(&self, cell: Cell) -> bool {
        self.layers[0].brick[cell.row()] & cell.bit() != 0
    }

    /// Is it a trap?
    #[inline]
    pub(super) fn is_trap(&self, cell: Cell) -> bool {
        self.layers[0].tile(cell) == Base::Trap
    }
}

/// The tiles at one time, and what guards see of them. Rows have a bit per column, columns a bit per row.
#[derive(Clone, Debug)]
pub(super) struct Layer {
    tiles: [[Base; COLUMNS]; ROWS],
    pub(super) brick: [u32; ROWS],
    pub(super) solid: [u32; ROWS],
    pub(super) ladder: [u32; ROWS],
    pub(super) ladder_or_bar: [u32; ROWS],
    /// Cells with brick, solid or ladder under them, and the bottom row.
    pub(super) supported: [u32; ROWS],
    /// Cells that a guard runs along towards the runner, whatever lies below them.
    pub(super) runs: [u32; ROWS],
    /// Cells with neither brick nor solid under them, the bottom row aside.
    pub(super) drops: [u32; ROWS],
    /// By column: cells from which one can get off sideways, to support or a bar.
    pub(super) aside: [u16; COLUMNS],
    /// By column: those of them that stop a fall, gold aside.
    pub(super) holds: [u16; COLUMNS],
    /// By column and row: the row where a drop ends at the latest.
    pub(super) drop_end: [[u8; ROWS]; COLUMNS],
    /// By the runner's row, the guard's row and column: what a way up is worth, see [`rating`].
    pub(super) up: [[[u8; COLUMNS]; ROWS]; ROWS],
    /// The same of a way up or down, where no gold stops one on the way down.
    pub(super) both: [[[u8; COLUMNS]; ROWS]; ROWS],
}

/// The rating of what is no better than standing.
pub(super) const HOPELESS: u8 = 255;

/// The worth of a row to a guard: 0 for the runner's own, where the distance decides, then those above it, then those below.
#[inline]
pub(super) fn rating(row: u8, runner: u8) -> u8 {
    match row.cmp(&runner) {
        Ordering::Equal => 0,
        Ordering::Less => 100 + (runner - row),
        Ordering::Greater => 200 + (row - runner),
    }
}

/// The rows from `first` to just before `end`, as bits of a column; none if `end` is not below `first`.
#[inline]
fn rows(first: u8, end: u8) -> u16 {
    ((1u32 << end) - 1) as u16 & !(((1u32 << first) - 1) as u16)
}

impl Layer {
    fn new(tiles: &[[Base; COLUMNS]; ROWS]) -> Self {
        let rows_of = |wanted: &[Base]| {
            let mut rows = [0; ROWS];
            for cell in cells().filter(|cell| wanted.contains(&tiles[cell.row()][cell.column()])) {
                rows[cell.row()] |= cell.bit();
            }
            rows
        };
        let below = |rows: [u32; ROWS], under_the_board: u32| -> [u32; ROWS] {
            std::array::from_fn(|y| *rows.get(y + 1).unwrap_or(&under_the_board))
        };
        let ladder_or_bar = rows_of(&[Base::Ladder, Base::Bar]);
        let supported = below(rows_of(&[Base::Brick, Base::Solid, Base::Ladder]), ALL);
        let carried = below(rows_of(&[Base::Brick, Base::Solid, Base::Ladder, Base::Bar]), ALL);
        let closed_below = below(rows_of(&[Base::Brick, Base::Solid]), ALL);
        let mut layer = Self {
            tiles: *tiles,
            brick: rows_of(&[Base::Brick]),
            solid: rows_of(&[Base::Solid]),
            ladder: rows_of(&[Base::Ladder]),
            ladder_or_bar,
            supported,
            runs: std::array::from_fn(|y| carried[y] | ladder_or_bar[y]),
            drops: closed_below.map(|closed| ALL & !closed),
            aside: [0; COLUMNS],
            holds: [0; COLUMNS],
            drop_end: [[0; ROWS]; COLUMNS],
            up: [[[HOPELESS; COLUMNS]; ROWS]; ROWS],
            both: [[[HOPELESS; COLUMNS]; ROWS]; ROWS],
        };
        let bar = rows_of(&[Base::Bar]);
        for cell in cells() {
            layer.look_along_column(cell, bar[cell.row()]);
        }
        for (runner, cell) in (0..ROWS as u8).flat_map(|runner| cells().map(move |cell| (runner, cell))) {
            layer.rate(cell, runner);
        }
        layer
    }

    fn rate(&mut self, cell: Cell, runner: u8) {
        let (x, y) = (cell.column(), cell.row());
        let row = usize::from(runner);
        if self.ladder[y] & cell.bit() != 0 {
            self.up[row][y][x] = rating(self.climb_row(cell, runner), runner);
        }
        self.both[row][y][x] = self.up[row][y][x];
        if self.drops[y] & cell.bit() != 0 {
            let down = rating(self.drop_row(cell, runner, 0), runner);
            self.both[row][y][x] = self.both[row][y][x].min(down);
        }
    }

    fn look_along_column(&mut self, cell: Cell, bars: u32) {
        let (x, y) = (cell.column(), cell.row());
        // The bottom row has no support under it to get off to.
        let off = if y + 1 < ROWS { self.supported[y] } else { 0 } | bars;
        let sides = (cell.bit() << 1 | cell.bit() >> 1) & ALL;
        if off & sides != 0 {
            self.aside[x] |= 1 << y;
            if !matches!(self.tile(cell), Base::Empty | Base::Hidden) {
                self.holds[x] |= 1 << y;
            }
        }
        let dropped = (y..ROWS).find(|&row| self.drops[row] & cell.bit() == 0);
        self.drop_end[x][y] = dropped.expect("the bottom row ends every drop") as u8;
    }

    /// The row where a way down ends: at the runner's row or below it wherever one can get off, gold included, else at the
    /// floor.
    #[inline]
    pub(super) fn drop_row(&self, at: Cell, runner: u8, gold: u16) -> u8 {
        let x = at.column();
        let end = self.drop_end[x][at.row()];
        let stops = self.holds[x] | (gold & self.aside[x]);
        match stops & rows(at.y.max(runner), end) {
            0 => end,
            stops => stops.trailing_zeros() as u8,
        }
    }

    /// The row where a way up ends: at the runner's row or above it wherever one can get off, else above the ladder.
    fn climb_row(&self, at: Cell, runner: u8) -> u8 {
        let top = (0..=at.row()).rev().find(|&row| row == 0 || self.ladder[row] & at.bit() == 0);
        let end = top.expect("the top row ends every climb") as u8;
        match self.aside[at.column()] & rows(end, at.y.min(runner + 1)) {
            0 => end,
            stops => stops.ilog2() as u8,
        }
    }

    #[inline]
    pub(super) fn tile(&self, cell: Cell) -> Base {
        self.tiles[cell.row()][cell.column()]
    }
}
