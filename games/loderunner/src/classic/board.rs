//! The board of a classic level: what never changes, with tables for the guards' eyes.

use std::cmp::Ordering;

/// No board has more columns: a row is a word of so many bits.
pub const MOST_COLUMNS: usize = 64;
/// No board has more rows.
pub const MOST_ROWS: usize = 32;

/// A bit per column, for each row.
pub type Rows = [u64; MOST_ROWS];

/// The size of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// Columns.
    pub columns: u8,
    /// Rows.
    pub rows: u8,
}

impl Extent {
    /// The boards of 1983, and the smallest.
    pub const ORIGINAL: Self = Self { columns: 28, rows: 16 };

    /// All columns of a row.
    #[inline]
    pub fn all_columns(self) -> u64 {
        u64::MAX >> (MOST_COLUMNS as u32 - u32::from(self.columns))
    }

    /// All cells, row by row.
    pub fn cells(self) -> impl Iterator<Item = Cell> {
        (0..self.rows).flat_map(move |y| (0..self.columns).map(move |x| Cell { x, y }))
    }

    /// Is a cell on the board?
    pub fn contains(self, cell: Cell) -> bool {
        cell.x < self.columns && cell.y < self.rows
    }

    /// The cell below.
    #[inline]
    pub fn below(self, cell: Cell) -> Option<Cell> {
        (cell.y + 1 < self.rows).then(|| Cell { y: cell.y + 1, ..cell })
    }

    /// The cell to the right.
    #[inline]
    pub fn right(self, cell: Cell) -> Option<Cell> {
        (cell.x + 1 < self.columns).then(|| Cell { x: cell.x + 1, ..cell })
    }
}

/// A cell, from the top left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cell {
    /// The column.
    pub x: u8,
    /// The row.
    pub y: u8,
}

impl Cell {
    /// The row as an index. No row is beyond the mask: it saves the bounds checks.
    #[inline]
    pub fn row(self) -> usize {
        usize::from(self.y) & (MOST_ROWS - 1)
    }

    /// The column as an index, masked as the row is.
    #[inline]
    pub fn column(self) -> usize {
        usize::from(self.x) & (MOST_COLUMNS - 1)
    }

    /// The column as a bit of a row.
    #[inline]
    pub fn bit(self) -> u64 {
        1 << self.column()
    }

    pub(crate) fn word(self) -> u64 {
        u64::from(self.x) | u64::from(self.y) << 8
    }

    /// The cell above.
    #[inline]
    pub fn above(self) -> Option<Self> {
        (self.y > 0).then(|| Self { y: self.y - 1, ..self })
    }

    /// The cell to the left.
    #[inline]
    pub fn left(self) -> Option<Self> {
        (self.x > 0).then(|| Self { x: self.x - 1, ..self })
    }
}

/// The cells whose bits are set, row by row.
pub(crate) fn marked(rows: &[u64]) -> impl Iterator<Item = Cell> + '_ {
    rows.iter().zip(0..).flat_map(|(&row, y)| {
        let mut left = row;
        std::iter::from_fn(move || {
            let x = left.trailing_zeros() as u8;
            left &= left.wrapping_sub(1);
            (usize::from(x) < MOST_COLUMNS).then_some(Cell { x, y })
        })
    })
}

/// The columns before one.
#[inline]
pub(super) fn before(x: u8) -> u64 {
    (1 << x) - 1
}

/// The columns after one.
#[inline]
pub(super) fn after(x: u8) -> u64 {
    !1 << x
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

/// Tiles by rows. Beyond a board's size they mean nothing.
pub type Tiles = Box<[[Base; MOST_COLUMNS]; MOST_ROWS]>;

/// A level as drawn: tiles, gold, and where everybody begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drawing {
    /// The size.
    pub extent: Extent,
    /// The tiles; gold and empty cells are empty.
    pub tiles: Tiles,
    /// Gold, a bit per column.
    pub gold: Rows,
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
    pub(super) hidden: Rows,
    /// Before and after the hidden ladders show themselves.
    layers: [Box<Layer>; 2],
}

impl Board {
    /// Makes a drawing ready to be played. Of more than five guards, the last five play.
    pub fn new(mut drawing: Drawing) -> Self {
        let surplus = drawing.guards.len().saturating_sub(super::MOST_GUARDS);
        drawing.guards.drain(..surplus);
        let mut tiles = drawing.tiles.clone();
        let before = Box::new(Layer::new(drawing.extent, &tiles));
        let mut hidden = [0; MOST_ROWS];
        for cell in drawing.extent.cells() {
            let tile = &mut tiles[cell.row()][cell.column()];
            if *tile == Base::Hidden {
                *tile = Base::Ladder;
                hidden[cell.row()] |= cell.bit();
            }
        }
        let after = Box::new(Layer::new(drawing.extent, &tiles));
        Self { drawing, hidden, layers: [before, after] }
    }

    /// The level as drawn.
    pub fn drawing(&self) -> &Drawing {
        &self.drawing
    }

    /// The tile drawn at a cell; gold and empty cells are empty.
    pub fn tile(&self, cell: Cell) -> Base {
        self.drawing.tiles[cell.row()][cell.column()]
    }

    /// The size.
    pub fn extent(&self) -> Extent {
        self.drawing.extent
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
    extent: Extent,
    tiles: Tiles,
    pub(super) brick: Rows,
    /// Solid cells, and the columns beyond the board.
    pub(super) solid: Rows,
    pub(super) ladder: Rows,
    pub(super) ladder_or_bar: Rows,
    /// Cells with brick, solid or ladder under them, and the bottom row.
    pub(super) supported: Rows,
    /// Cells that a guard runs along towards the runner, whatever lies below them.
    pub(super) runs: Rows,
    /// Cells with neither brick nor solid under them, the bottom row aside.
    pub(super) drops: Rows,
    /// Cells with a way up or down.
    pub(super) ways: Rows,
    /// By the runner's row and the guard's row: the columns with a way up or down to the runner's row, where no gold stops
    /// one on the way down.
    pub(super) reach: [Rows; MOST_ROWS],
    /// By column: cells from which one can get off sideways, to support or a bar.
    pub(super) aside: [u32; MOST_COLUMNS],
    /// By column: those of them that stop a fall, gold aside.
    pub(super) holds: [u32; MOST_COLUMNS],
    /// By column and row: the row where a drop ends at the latest.
    pub(super) drop_end: [[u8; MOST_ROWS]; MOST_COLUMNS],
    /// By the runner's row, the guard's row and column: what a way up is worth, see [`rating`].
    pub(super) up: Ratings,
    /// The same of a way up or down, where no gold stops one on the way down.
    pub(super) both: Ratings,
}

type Ratings = Box<[[[u8; MOST_COLUMNS]; MOST_ROWS]; MOST_ROWS]>;

fn hopeless() -> Ratings {
    let rows = vec![[[HOPELESS; MOST_COLUMNS]; MOST_ROWS]; MOST_ROWS];
    rows.try_into().expect("there are so many rows")
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
fn rows(first: u8, end: u8) -> u32 {
    ((1 << end) - 1) & !((1 << first) - 1)
}

impl Layer {
    fn new(extent: Extent, tiles: &Tiles) -> Self {
        let all = extent.all_columns();
        let rows_of = |wanted: &[Base]| {
            let mut rows = [0; MOST_ROWS];
            for cell in extent.cells().filter(|cell| wanted.contains(&tiles[cell.row()][cell.column()])) {
                rows[cell.row()] |= cell.bit();
            }
            rows
        };
        // Under the board everything is solid.
        let below = |rows: Rows| -> Rows {
            std::array::from_fn(|y| if y + 1 < usize::from(extent.rows) { rows[y + 1] } else { all })
        };
        let ladder_or_bar = rows_of(&[Base::Ladder, Base::Bar]);
        let supported = below(rows_of(&[Base::Brick, Base::Solid, Base::Ladder]));
        let carried = below(rows_of(&[Base::Brick, Base::Solid, Base::Ladder, Base::Bar]));
        let closed_below = below(rows_of(&[Base::Brick, Base::Solid]));
        let mut layer = Self {
            extent,
            tiles: tiles.clone(),
            brick: rows_of(&[Base::Brick]),
            solid: rows_of(&[Base::Solid]).map(|solid| solid | !all),
            ladder: rows_of(&[Base::Ladder]),
            ladder_or_bar,
            supported,
            runs: std::array::from_fn(|y| carried[y] | ladder_or_bar[y]),
            drops: closed_below.map(|closed| all & !closed),
            ways: [0; MOST_ROWS],
            reach: [[0; MOST_ROWS]; MOST_ROWS],
            aside: [0; MOST_COLUMNS],
            holds: [0; MOST_COLUMNS],
            drop_end: [[0; MOST_ROWS]; MOST_COLUMNS],
            up: hopeless(),
            both: hopeless(),
        };
        let bar = rows_of(&[Base::Bar]);
        layer.ways = std::array::from_fn(|y| layer.drops[y] | layer.ladder[y]);
        for cell in extent.cells() {
            layer.look_along_column(cell, bar[cell.row()]);
        }
        for runner in 0..extent.rows {
            extent.cells().for_each(|cell| layer.rate(cell, runner));
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
        if self.both[row][y][x] == 0 {
            self.reach[row][y] |= cell.bit();
        }
    }

    fn look_along_column(&mut self, cell: Cell, bars: u64) {
        let (x, y) = (cell.column(), cell.row());
        let rows = usize::from(self.extent.rows);
        // The bottom row has no support under it to get off to.
        let off = if y + 1 < rows { self.supported[y] } else { 0 } | bars;
        let sides = (cell.bit() << 1 | cell.bit() >> 1) & self.extent.all_columns();
        if off & sides != 0 {
            self.aside[x] |= 1 << y;
            if !matches!(self.tile(cell), Base::Empty | Base::Hidden) {
                self.holds[x] |= 1 << y;
            }
        }
        let dropped = (y..rows).find(|&row| self.drops[row] & cell.bit() == 0);
        self.drop_end[x][y] = dropped.expect("the bottom row ends every drop") as u8;
    }

    /// The row where a way down ends: at the runner's row or below it wherever one can get off, gold included, else at the
    /// floor.
    #[inline]
    pub(super) fn drop_row(&self, at: Cell, runner: u8, gold: u32) -> u8 {
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
