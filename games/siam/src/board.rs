//! The board: sides, pieces, squares, and a position in a few machine words.
//!
//! Squares have bit `5 * row + column`, both from 0 in the south-west corner:
//!
//! ```text
//!  20 21 22 23 24      51 52 53 54 55
//!  15 16 17 18 19      41 42 43 44 45
//!  10 11 12 13 14      31 32 33 34 35      their names: ten times the row plus the column, both from 1
//!   5  6  7  8  9      21 22 23 24 25
//!   0  1  2  3  4      11 12 13 14 15
//! ```

use std::fmt;
use std::ops::Not;

use damier_core::grid::Dir;
use damier_core::random::zobrist;

use crate::line::{self, Line};

/// Rows and columns.
pub const WIDTH: usize = 5;
/// The number of squares.
pub const SQUARES: usize = WIDTH * WIDTH;
/// The number of mountains in a full game.
pub const MOUNTAINS: u32 = 3;
/// The number of animals of each side in the published game.
pub const ANIMALS: u8 = 5;

/// A set of squares, one bit each.
pub type Squares = u32;

/// All squares.
pub const ALL: Squares = (1 << SQUARES) - 1;
/// The sixteen border squares.
pub const BORDER: Squares = ALL & !(0b0_1110 << 5 | 0b0_1110 << 10 | 0b0_1110 << 15);
const WEST_COLUMN: Squares = 0b00001_00001_00001_00001_00001;
const EAST_COLUMN: Squares = WEST_COLUMN << 4;

/// One of the two players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Side {
    /// The side that moves first.
    Elephants = 0,
    /// The side that moves second.
    Rhinos = 1,
}

impl Side {
    /// Both sides, elephants first.
    pub const BOTH: [Self; 2] = [Self::Elephants, Self::Rhinos];

    /// 0 for elephants, 1 for rhinos.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// `elephants` or `rhinos`.
    pub const fn name(self) -> &'static str {
        ["elephants", "rhinos"][self.index()]
    }

    /// The side's letter in the notation of positions: `E` or `R`.
    pub const fn letter(self) -> char {
        ['E', 'R'][self.index()]
    }
}

impl Not for Side {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        match self {
            Self::Elephants => Self::Rhinos,
            Self::Rhinos => Self::Elephants,
        }
    }
}

/// A square of the board, by its bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square(u8);

impl Square {
    /// The square with this bit, 0 to 24.
    #[inline]
    pub const fn from_index(index: usize) -> Self {
        debug_assert!(index < SQUARES);
        Self(index as u8)
    }

    /// The square in a row and a column, both from 0.
    #[inline]
    pub const fn at(row: usize, column: usize) -> Self {
        Self::from_index(WIDTH * row + column)
    }

    /// The square of this name, 11 to 55.
    ///
    /// ```
    /// use damier_siam::board::Square;
    /// assert_eq!(Square::named(34), Some(Square::at(2, 3)));
    /// assert_eq!(Square::named(30), None);
    /// ```
    pub const fn named(name: u32) -> Option<Self> {
        let (row, column) = (name / 10, name % 10);
        if row >= 1 && row <= 5 && column >= 1 && column <= 5 {
            Some(Self::at(row as usize - 1, column as usize - 1))
        } else {
            None
        }
    }

    /// All squares, by their names.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + Clone {
        (0..SQUARES).map(Self::from_index)
    }

    /// The number of its bit, 0 to 24.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The set that contains only this square.
    #[inline]
    pub const fn bit(self) -> Squares {
        1 << self.0
    }

    /// Its row, from 0 in the south.
    #[inline]
    pub const fn row(self) -> usize {
        self.index() / WIDTH
    }

    /// Its column, from 0 in the west.
    #[inline]
    pub const fn column(self) -> usize {
        self.index() % WIDTH
    }

    /// Its name: 11 to 55.
    pub const fn name(self) -> u32 {
        (self.row() as u32 + 1) * 10 + self.column() as u32 + 1
    }

    /// Whether it is a border square.
    #[inline]
    pub const fn on_border(self) -> bool {
        BORDER & self.bit() != 0
    }

    /// The next square in a direction, if it is on the board.
    #[inline]
    pub const fn step(self, dir: Dir) -> Option<Self> {
        let inside = match dir {
            Dir::North => self.row() + 1 < WIDTH,
            Dir::East => self.column() + 1 < WIDTH,
            Dir::South => self.row() > 0,
            Dir::West => self.column() > 0,
        };
        if inside { Some(Self((self.0 as i8 + stride(dir)) as u8)) } else { None }
    }
}

impl fmt::Display for Square {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.name().fmt(formatter)
    }
}

/// The difference between the bits of a square and the next one in a direction.
#[inline]
pub const fn stride(dir: Dir) -> i8 {
    match dir {
        Dir::North => WIDTH as i8,
        Dir::East => 1,
        Dir::South => -(WIDTH as i8),
        Dir::West => -1,
    }
}

/// Shifts a set of squares by one step; squares that leave the board are dropped.
#[inline]
pub const fn shifted(squares: Squares, dir: Dir) -> Squares {
    match dir {
        Dir::North => squares << WIDTH & ALL,
        Dir::East => (squares & !EAST_COLUMN) << 1,
        Dir::South => squares >> WIDTH,
        Dir::West => (squares & !WEST_COLUMN) >> 1,
    }
}

/// The squares of a set, lowest bit first.
#[inline]
pub fn each(mut squares: Squares) -> impl Iterator<Item = Square> {
    std::iter::from_fn(move || {
        (squares != 0).then(|| {
            let square = Square::from_index(squares.trailing_zeros() as usize);
            squares &= squares - 1;
            square
        })
    })
}

/// A piece on a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Piece {
    /// A mountain.
    Mountain,
    /// An animal and its facing.
    Animal(Side, Dir),
}

impl Piece {
    /// The piece's letter in the notation of positions.
    pub const fn letter(self) -> char {
        match self {
            Self::Mountain => 'M',
            Self::Animal(Side::Elephants, dir) => ['N', 'E', 'S', 'W'][dir.index()],
            Self::Animal(Side::Rhinos, dir) => ['n', 'e', 's', 'w'][dir.index()],
        }
    }

    /// The piece of this letter.
    pub const fn from_letter(letter: char) -> Option<Self> {
        Some(match letter {
            'M' => Self::Mountain,
            'N' => Self::Animal(Side::Elephants, Dir::North),
            'E' => Self::Animal(Side::Elephants, Dir::East),
            'S' => Self::Animal(Side::Elephants, Dir::South),
            'W' => Self::Animal(Side::Elephants, Dir::West),
            'n' => Self::Animal(Side::Rhinos, Dir::North),
            'e' => Self::Animal(Side::Rhinos, Dir::East),
            's' => Self::Animal(Side::Rhinos, Dir::South),
            'w' => Self::Animal(Side::Rhinos, Dir::West),
            _ => return None,
        })
    }

    /// A number from 0 to 8.
    #[inline]
    const fn index(self) -> usize {
        match self {
            Self::Mountain => 0,
            Self::Animal(side, dir) => 1 + 4 * side.index() + dir.index(),
        }
    }
}

const PIECES: usize = 9;
static KEYS: [[u64; SQUARES]; PIECES] = {
    let mut keys = [[0; SQUARES]; PIECES];
    let mut index = 0;
    while index < PIECES * SQUARES {
        keys[index / SQUARES][index % SQUARES] = zobrist(0x51A3, index as u64);
        index += 1;
    }
    keys
};
const RHINOS_TO_MOVE: u64 = zobrist(0x51A3, 1_000);

/// A position: the pieces, the side to move, and the animals in hand.
///
/// Every row and every column is also stored as a [`Line`], the index into the tables of [`crate::line`].
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Board {
    /// Rows from the south, then columns from the west.
    lines: [Line; 2 * WIDTH],
    mountains: Squares,
    animals: [Squares; 2],
    key: u64,
    ply: u16,
    hands: [u8; 2],
    side: Side,
}

impl Board {
    /// A board without pieces, with this many animals in each hand.
    pub const fn empty(animals: u8) -> Self {
        Self {
            lines: [0; 2 * WIDTH],
            mountains: 0,
            animals: [0; 2],
            key: 0,
            ply: 0,
            hands: [animals; 2],
            side: Side::Elephants,
        }
    }

    /// The start of the game: three mountains, all animals in hand.
    ///
    /// ```
    /// use damier_siam::board::Board;
    /// assert_eq!(Board::start(5).to_string(), "...../...../.MMM./...../..... E 0");
    /// ```
    pub fn start(animals: u8) -> Self {
        let mut board = Self::empty(animals);
        for column in 1..=3 {
            board.put(Square::at(2, column), Piece::Mountain);
        }
        board
    }

    /// The side to move.
    #[inline]
    pub const fn side(&self) -> Side {
        self.side
    }

    /// The number of plies played since the start of the game.
    #[inline]
    pub const fn ply(&self) -> u16 {
        self.ply
    }

    /// The number of animals that a side has in hand.
    #[inline]
    pub const fn hand(&self, side: Side) -> u8 {
        self.hands[side.index()]
    }

    /// The squares of a side's animals.
    #[inline]
    pub const fn animals(&self, side: Side) -> Squares {
        self.animals[side.index()]
    }

    /// The squares of the mountains.
    #[inline]
    pub const fn mountains(&self) -> Squares {
        self.mountains
    }

    /// The empty squares.
    #[inline]
    pub const fn free(&self) -> Squares {
        ALL & !(self.mountains | self.animals[0] | self.animals[1])
    }

    /// The rows from the south, then the columns from the west.
    #[inline]
    pub const fn lines(&self) -> &[Line; 2 * WIDTH] {
        &self.lines
    }

    /// A hash of the pieces and the side to move, the same in every run. It does not include the number of plies, so that
    /// repetitions have the same key.
    #[inline]
    pub const fn key(&self) -> u64 {
        self.key
    }

    /// The piece on a square.
    #[inline]
    pub fn piece(&self, square: Square) -> Option<Piece> {
        let (row, column) = (square.row(), square.column());
        let across = line::code(self.lines[row], column);
        line::piece(across, line::code(self.lines[WIDTH + column], row))
    }

    /// Sets the side to move and the number of plies played.
    pub fn set_turn(&mut self, side: Side, ply: u16) {
        if self.side != side {
            self.pass();
        }
        self.ply = ply;
    }

    /// Adds or removes a piece without changing the hands.
    #[inline]
    fn toggle(&mut self, square: Square, piece: Piece) {
        let (row, column) = (square.row(), square.column());
        let (across, along) = line::codes(piece);
        self.lines[row] ^= across << (line::CELL_BITS * column);
        self.lines[WIDTH + column] ^= along << (line::CELL_BITS * row);
        match piece {
            Piece::Mountain => self.mountains ^= square.bit(),
            Piece::Animal(side, _) => self.animals[side.index()] ^= square.bit(),
        }
        self.key ^= KEYS[piece.index()][square.index()];
    }

    /// Puts a piece on an empty square. An animal comes from its owner's hand, which must not be empty.
    #[inline]
    pub fn put(&mut self, square: Square, piece: Piece) {
        debug_assert!(self.free() & square.bit() != 0, "{square} is not free");
        if let Piece::Animal(side, _) = piece {
            self.hands[side.index()] -= 1;
        }
        self.toggle(square, piece);
    }

    /// Removes a piece from the board. An animal goes back to its owner's hand.
    #[inline]
    pub fn take(&mut self, square: Square) -> Option<Piece> {
        let piece = self.piece(square)?;
        if let Piece::Animal(side, _) = piece {
            self.hands[side.index()] += 1;
        }
        self.toggle(square, piece);
        Some(piece)
    }

    /// Moves a piece to an empty square.
    #[inline]
    pub(crate) fn carry(&mut self, from: Square, to: Square, piece: Piece) {
        self.toggle(from, piece);
        self.toggle(to, piece);
    }

    /// Turns the animal on a square.
    #[inline]
    pub(crate) fn turn(&mut self, square: Square, before: Piece, after: Piece) {
        self.toggle(square, before);
        self.toggle(square, after);
    }

    /// Lets the other side move at the same ply, as if the side to move passed.
    #[inline]
    pub fn pass(&mut self) {
        self.side = !self.side;
        self.key ^= RHINOS_TO_MOVE;
    }

    /// Ends a turn.
    #[inline]
    pub(crate) fn end_turn(&mut self) {
        self.pass();
        self.ply = self.ply.saturating_add(1);
    }
}

impl fmt::Display for Board {
    /// The position as text: rows from the north, the side to move, the plies played.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in (0..WIDTH).rev() {
            for column in 0..WIDTH {
                let piece = self.piece(Square::at(row, column));
                write!(formatter, "{}", piece.map_or('.', Piece::letter))?;
            }
            formatter.write_str(if row > 0 { "/" } else { " " })?;
        }
        write!(formatter, "{} {}", self.side.letter(), self.ply)
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "\"{self}\"")
    }
}
