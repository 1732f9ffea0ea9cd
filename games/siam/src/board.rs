//! The board: sides, pieces, squares, and a position that fits a few machine words.
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
/// Mountains on the board of a whole game.
pub const MOUNTAINS: u32 = 3;
/// Animals of each side in the published game.
pub const ANIMALS: u8 = 5;

/// A set of squares, one bit each.
pub type Squares = u32;

/// All squares.
pub const ALL: Squares = (1 << SQUARES) - 1;
/// The sixteen squares of the border.
pub const BORDER: Squares = ALL & !(0b0_1110 << 5 | 0b0_1110 << 10 | 0b0_1110 << 15);
const WEST_COLUMN: Squares = 0b00001_00001_00001_00001_00001;
const EAST_COLUMN: Squares = WEST_COLUMN << 4;

/// One of the two players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Side {
    /// The side that begins.
    Elephants = 0,
    /// The side that moves second.
    Rhinos = 1,
}

impl Side {
    /// Both, elephants first.
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

    /// The letter of positions: `E` or `R`.
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

    /// Its bit's number, 0 to 24.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The set of this square alone.
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

    /// Is it one of the sixteen squares of the border?
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

/// How far the bit of a square moves in one step.
#[inline]
pub const fn stride(dir: Dir) -> i8 {
    match dir {
        Dir::North => WIDTH as i8,
        Dir::East => 1,
        Dir::South => -(WIDTH as i8),
        Dir::West => -1,
    }
}

/// The squares one step on from those of a set; those that leave the board are gone.
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

/// What stands on a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Piece {
    /// A mountain.
    Mountain,
    /// An animal, and where it looks.
    Animal(Side, Dir),
}

impl Piece {
    /// The piece's letter in positions.
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

/// What stands where, who is to move, and who has how many animals in hand.
///
/// Every row and every column is also kept as a [`Line`], the word that the tables of [`crate::line`] are looked up with.
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

    /// Who is to move.
    #[inline]
    pub const fn side(&self) -> Side {
        self.side
    }

    /// Plies played since the start of the game.
    #[inline]
    pub const fn ply(&self) -> u16 {
        self.ply
    }

    /// The animals that a side has in hand.
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

    /// The squares on which nothing stands.
    #[inline]
    pub const fn free(&self) -> Squares {
        ALL & !(self.mountains | self.animals[0] | self.animals[1])
    }

    /// The rows from the south, then the columns from the west.
    #[inline]
    pub const fn lines(&self) -> &[Line; 2 * WIDTH] {
        &self.lines
    }

    /// A hash of what stands where and of who is to move: the same for equal positions in every run. The number of plies
    /// is not in it, so that repetitions have the same key.
    #[inline]
    pub const fn key(&self) -> u64 {
        self.key
    }

    /// What stands on a square.
    #[inline]
    pub fn piece(&self, square: Square) -> Option<Piece> {
        let (row, column) = (square.row(), square.column());
        let across = line::code(self.lines[row], column);
        line::piece(across, line::code(self.lines[WIDTH + column], row))
    }

    /// Says who is to move, after how many plies.
    pub fn set_turn(&mut self, side: Side, ply: u16) {
        if self.side != side {
            self.pass();
        }
        self.ply = ply;
    }

    /// Puts a piece, with no regard to hands, on a free square.
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

    /// Puts a piece on a free square; an animal comes from its owner's hand, which must have one.
    #[inline]
    pub fn put(&mut self, square: Square, piece: Piece) {
        debug_assert!(self.free() & square.bit() != 0, "{square} is not free");
        if let Piece::Animal(side, _) = piece {
            self.hands[side.index()] -= 1;
        }
        self.toggle(square, piece);
    }

    /// Takes a piece off the board; an animal goes back to its owner's hand.
    #[inline]
    pub fn take(&mut self, square: Square) -> Option<Piece> {
        let piece = self.piece(square)?;
        if let Piece::Animal(side, _) = piece {
            self.hands[side.index()] += 1;
        }
        self.toggle(square, piece);
        Some(piece)
    }

    /// Moves a piece to a free square.
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

    /// The other side is to move, on the same board at the same ply: what a side could do if its opponent passed.
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
