//! The eight symmetries of the board, and the swap of the two sides.

use damier_core::grid::Dir;

use crate::action::Move;
use crate::board::{Board, Piece, Square, Squares, WIDTH, each};

/// A rotation or reflection of the board, with or without a swap of elephants and rhinos. The rules are invariant, except
/// that the opening rule closes two squares that only four of the eight symmetries preserve.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "four independent choices")]
pub struct Symmetry {
    /// Rows become columns, after the flips.
    pub transpose: bool,
    /// North becomes south.
    pub flip_rows: bool,
    /// East becomes west.
    pub flip_columns: bool,
    /// Elephants become rhinos.
    pub swap_sides: bool,
}

impl Symmetry {
    /// The eight symmetries of the board, the identity first.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..8).map(|bits: u8| Self {
            transpose: bits & 4 != 0,
            flip_rows: bits & 2 != 0,
            flip_columns: bits & 1 != 0,
            swap_sides: false,
        })
    }

    /// The image of a square.
    pub fn square(self, square: Square) -> Square {
        let flip = |flip: bool, index: usize| if flip { WIDTH - 1 - index } else { index };
        let (row, column) = (flip(self.flip_rows, square.row()), flip(self.flip_columns, square.column()));
        if self.transpose { Square::at(column, row) } else { Square::at(row, column) }
    }

    /// The image of a set of squares.
    pub fn squares(self, squares: Squares) -> Squares {
        each(squares).fold(0, |mapped, square| mapped | self.square(square).bit())
    }

    /// The image of a direction.
    pub fn dir(self, dir: Dir) -> Dir {
        let flipped = match dir {
            Dir::North | Dir::South if self.flip_rows => dir.opposite(),
            Dir::East | Dir::West if self.flip_columns => dir.opposite(),
            _ => dir,
        };
        if !self.transpose {
            return flipped;
        }
        match flipped {
            Dir::North => Dir::East,
            Dir::East => Dir::North,
            Dir::South => Dir::West,
            Dir::West => Dir::South,
        }
    }

    /// The image of a piece.
    pub fn piece(self, piece: Piece) -> Piece {
        match piece {
            Piece::Mountain => piece,
            Piece::Animal(side, dir) => {
                Piece::Animal(if self.swap_sides { !side } else { side }, self.dir(dir))
            }
        }
    }

    /// The image of a move.
    pub fn action(self, action: Move) -> Move {
        let facing = self.dir(action.facing());
        match (action.from(), action.to()) {
            (Some(from), Some(to)) => Move::go(self.square(from), self.square(to), facing),
            (None, Some(to)) => Move::enter(self.square(to), facing),
            (Some(from), None) => Move::leave(self.square(from)),
            (None, None) => action,
        }
    }

    /// The image of a position.
    pub fn board(self, board: &Board) -> Board {
        let side = board.side();
        let animals = board.hand(side) + board.animals(side).count_ones() as u8;
        let mut mapped = Board::empty(animals);
        for square in Square::all() {
            if let Some(piece) = board.piece(square) {
                mapped.put(self.square(square), self.piece(piece));
            }
        }
        mapped.set_turn(if self.swap_sides { !side } else { side }, board.ply());
        mapped
    }
}
