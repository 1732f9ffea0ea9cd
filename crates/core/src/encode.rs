//! A game as arrays of numbers, for machine learning: numbered actions, masks of legal actions, states as planes of bytes.
//!
//! Batches of games and the Python package are built on [`Encode`]: nothing in it makes a string or allocates.

use crate::game::{Game, Seat};
use crate::grid::Size;
use crate::random::Chance;

/// What one plane of an observation holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plane {
    /// Its name: `wall`, `ghost 1`, `hole`.
    pub name: &'static str,
    /// Largest value of a cell; 1 for a plane of marks.
    pub max: u8,
}

impl Plane {
    /// A plane that marks cells with 1.
    pub const fn marks(name: &'static str) -> Self {
        Self { name, max: 1 }
    }

    /// A plane with values up to `max`.
    pub const fn values(name: &'static str, max: u8) -> Self {
        Self { name, max }
    }
}

/// The planes of one observation in a caller's buffer: plane by plane, each row by row from the top left.
///
/// The canvas may be larger than the level, which lies in its top left corner: training on levels of different sizes
/// needs arrays of one size. Cells outside the level look like walls.
pub struct Canvas<'a> {
    bytes: &'a mut [u8],
    size: Size,
    /// Cells per row and per plane, cached because every write needs them.
    width: usize,
    area: usize,
}

impl<'a> Canvas<'a> {
    /// A canvas on a buffer, which must hold a whole number of planes of this size.
    #[inline]
    pub fn new(bytes: &'a mut [u8], size: Size) -> Self {
        debug_assert!(
            size.area() > 0 && bytes.len().is_multiple_of(size.area()),
            "a canvas holds whole planes"
        );
        Self { bytes, size, width: size.width.into(), area: size.area() }
    }

    /// Columns and rows of every plane.
    #[inline]
    pub fn size(&self) -> Size {
        self.size
    }

    /// Sets every cell of every plane to 0.
    pub fn clear(&mut self) {
        self.bytes.fill(0);
    }

    /// The cells of one plane.
    #[inline]
    pub fn plane(&mut self, plane: usize) -> &mut [u8] {
        &mut self.bytes[plane * self.area..][..self.area]
    }

    /// Sets all cells of a plane to the same value, for numbers that belong to no cell.
    #[inline]
    pub fn fill(&mut self, plane: usize, value: u8) {
        self.plane(plane).fill(value);
    }

    /// Sets one cell of a plane.
    #[inline]
    pub fn put(&mut self, plane: usize, x: u16, y: u16, value: u8) {
        self.bytes[plane * self.area + usize::from(y) * self.width + usize::from(x)] = value;
    }

    /// Sets the cells of a plane that lie outside a level of this size.
    pub fn fill_outside(&mut self, plane: usize, level: Size, value: u8) {
        let width = self.width;
        let (columns, rows) = (usize::from(level.width), usize::from(level.height));
        for (y, row) in self.plane(plane).chunks_exact_mut(width).enumerate() {
            row[if y < rows { columns } else { 0 }..].fill(value);
        }
    }
}

/// A game whose actions are numbers and whose observations are planes.
///
/// The numbers of actions and the meaning of planes are the same on every level of a rule set. Planes show nothing that
/// [`observe`](Game::observe) hides from the seat.
pub trait Encode: Game {
    /// How many action numbers there are; all are below it.
    fn action_count(&self) -> usize;

    /// The action with a number below [`action_count`](Self::action_count).
    fn numbered(&self, number: usize) -> Self::Action;

    /// The number of an action; `None` if it can never be legal.
    fn number(&self, action: Self::Action) -> Option<usize>;

    /// Is this action legal? Like [`check`](Game::check), without an error message.
    fn allows(&self, state: &Self::State, action: Self::Action) -> bool;

    /// Writes one byte per action: 1 if it is legal, else 0.
    fn mask(&self, state: &Self::State, mask: &mut [u8]) {
        for (number, byte) in mask.iter_mut().enumerate() {
            *byte = u8::from(self.allows(state, self.numbered(number)));
        }
    }

    /// The planes of an observation.
    fn planes(&self) -> &'static [Plane];

    /// The columns and rows that a canvas needs for this level.
    fn extent(&self) -> Size;

    /// Draws what a seat may see, overwriting the whole canvas.
    fn write(&self, state: &Self::State, seat: Seat, canvas: &mut Canvas<'_>);

    /// Updates a canvas that shows `before` to show `after`, which is one action later.
    fn update(&self, before: &Self::State, after: &Self::State, seat: Seat, canvas: &mut Canvas<'_>) {
        let _ = before;
        self.write(after, seat, canvas);
    }

    /// Applies a legal action and updates a canvas that shows the state: [`apply`](Game::apply) and
    /// [`update`](Self::update) in one, for games that can do it without copying the whole state in between.
    #[inline]
    fn advance<C: Chance + ?Sized>(
        &self,
        state: &mut Self::State,
        action: Self::Action,
        chance: &mut C,
        seat: Seat,
        canvas: &mut Canvas<'_>,
    ) {
        let before = state.clone();
        self.apply(state, action, chance);
        self.update(&before, state, seat, canvas);
    }
}
