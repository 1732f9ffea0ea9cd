//! Moves and their notation: `from-to` and the facing.
//!
//! | move | written |
//! | --- | --- |
//! | enter on 11, facing north | `0-11n` |
//! | step from 11 to 12, facing east on arrival | `11-12e` |
//! | turn on 12 to the south | `12-12s` |
//! | push from 12 to 13 | `12-13e` |
//! | leave from 11 | `11-0` |

use std::fmt;

use damier_core::game::Illegal;
use damier_core::grid::Dir;

use crate::board::{BORDER, Board, Piece, SQUARES, Side, Square, WIDTH};

/// A move: its origin, its target and the animal's facing afterwards. Whether it steps or pushes depends on the board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move(u16);

const SQUARE_BITS: u16 = 5;
const SQUARE_MASK: u16 = (1 << SQUARE_BITS) - 1;
const FACING_SHIFT: u16 = 2 * SQUARE_BITS;
const OFF: u16 = SQUARE_MASK;

/// The facings in the order in which moves are listed. The course's program only knew entries with the first one.
pub const FACINGS: [Dir; 4] = [Dir::East, Dir::North, Dir::West, Dir::South];

/// The number of moves that can ever be legal: 64 entries, 320 steps and pushes, 100 turns, 16 exits.
pub const MOVE_COUNT: usize = 500;

/// Marks a move that can never be legal.
const NO_NUMBER: u16 = u16::MAX;

/// The moves by number: entries, moves of animals on the board from square to square, exits.
static NUMBERED: [Move; MOVE_COUNT] = {
    let mut moves = [Move(0); MOVE_COUNT];
    let mut count = 0;
    let mut from = 0;
    // The hand comes first: it has no square.
    while from <= SQUARES {
        let mut to = 0;
        while to < SQUARES {
            let possible = if from == 0 { is_border(to) } else { is_near(from - 1, to) };
            let mut facing = 0;
            while possible && facing < 4 {
                let (to, facing_dir) = (Square::from_index(to), Dir::from_index(facing));
                moves[count] = if from == 0 {
                    Move::enter(to, facing_dir)
                } else {
                    Move::go(Square::from_index(from - 1), to, facing_dir)
                };
                count += 1;
                facing += 1;
            }
            to += 1;
        }
        from += 1;
    }
    let mut from = 0;
    while from < SQUARES {
        if is_border(from) {
            moves[count] = Move::leave(Square::from_index(from));
            count += 1;
        }
        from += 1;
    }
    assert!(count == MOVE_COUNT);
    moves
};

/// The numbers of the moves, by [`Move::index`].
static NUMBERS: [u16; 1 << 12] = {
    let mut numbers = [NO_NUMBER; 1 << 12];
    let mut number = 0;
    while number < MOVE_COUNT {
        numbers[NUMBERED[number].index()] = number as u16;
        number += 1;
    }
    numbers
};

const fn is_border(square: usize) -> bool {
    BORDER >> square & 1 == 1
}

/// Whether two squares are the same or adjacent.
const fn is_near(one: usize, other: usize) -> bool {
    let rows = (one / WIDTH).abs_diff(other / WIDTH);
    let columns = (one % WIDTH).abs_diff(other % WIDTH);
    rows + columns <= 1
}

impl Move {
    /// An animal enters the board on a square.
    #[inline]
    pub const fn enter(to: Square, facing: Dir) -> Self {
        Self(to.index() as u16 | OFF << SQUARE_BITS | (facing as u16) << FACING_SHIFT)
    }

    /// An animal goes from a square to another, or turns if they are the same.
    #[inline]
    pub const fn go(from: Square, to: Square, facing: Dir) -> Self {
        Self(to.index() as u16 | (from.index() as u16) << SQUARE_BITS | (facing as u16) << FACING_SHIFT)
    }

    /// An animal leaves the board.
    #[inline]
    pub const fn leave(from: Square) -> Self {
        Self(OFF | (from.index() as u16) << SQUARE_BITS)
    }

    /// The origin; `None` if the animal comes from the hand.
    #[inline]
    pub const fn from(self) -> Option<Square> {
        let from = self.0 >> SQUARE_BITS & SQUARE_MASK;
        if from == OFF { None } else { Some(Square::from_index(from as usize)) }
    }

    /// The target; `None` if the animal leaves.
    #[inline]
    pub const fn to(self) -> Option<Square> {
        let to = self.0 & SQUARE_MASK;
        if to == OFF { None } else { Some(Square::from_index(to as usize)) }
    }

    /// The animal's facing afterwards; north if it leaves.
    #[inline]
    pub const fn facing(self) -> Dir {
        Dir::from_index((self.0 >> FACING_SHIFT) as u8)
    }

    /// A unique number below 4,096.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The move with this [`index`](Self::index).
    pub const fn from_index(index: u16) -> Self {
        Self(index)
    }

    /// The number among the [`MOVE_COUNT`] moves that can ever be legal; `None` for all others.
    #[inline]
    pub fn number(self) -> Option<u16> {
        Some(NUMBERS[self.index()]).filter(|&number| number != NO_NUMBER)
    }

    /// The move with a number below [`MOVE_COUNT`].
    #[inline]
    pub const fn numbered(number: usize) -> Self {
        NUMBERED[number]
    }

    /// Whether it turns an animal in place.
    #[inline]
    pub const fn is_turn(self) -> bool {
        self.0 & SQUARE_MASK == self.0 >> SQUARE_BITS & SQUARE_MASK
    }

    /// Whether it is a push on this board.
    #[inline]
    pub fn is_push(self, board: &Board) -> bool {
        !self.is_turn() && self.to().is_some_and(|to| board.free() & to.bit() == 0)
    }

    /// The rank in the list of legal moves: entries first, then the moves of animals on the board, square by square, then
    /// exits. The course's program, which had no exits, tried its moves in this order.
    pub fn rank(self) -> u32 {
        let facing = FACINGS.iter().position(|&dir| dir == self.facing()).unwrap_or(0) as u32;
        let squares = |from: Option<Square>, to: Option<Square>| {
            from.map_or(0, Square::name) * 100 + to.map_or(0, Square::name)
        };
        let leaves = u32::from(self.to().is_none()) * 100_000;
        leaves + squares(self.from(), self.to()) * 4 + facing
    }

    /// Parses a move, legal or not.
    ///
    /// ```
    /// use damier_siam::action::Move;
    /// assert_eq!(Move::parse("12-13e").unwrap().to_string(), "12-13e");
    /// assert_eq!(Move::parse("(0,15,o).").unwrap().to_string(), "0-15w");
    /// assert_eq!(Move::parse("0-11").unwrap_err().to_string(),
    ///     "`0-11` does not say where the animal looks afterwards: add n, e, s or w");
    /// ```
    pub fn parse(text: &str) -> Result<Self, Illegal> {
        let typed = text.trim();
        let illegal = |message: &str| Illegal(format!("`{typed}` {message}"));
        if typed.is_empty() {
            return Err(Illegal("no move: write from-to and a facing, such as 0-11n or 12-13e".into()));
        }
        // The course's programs ask for a triple, such as (0,11,n). with west as o.
        let plain = typed.trim_end_matches('.').trim_matches(['(', ')', '[', ']']);
        let (from, rest) = plain
            .split_once(['-', ','])
            .ok_or_else(|| illegal("has no `-`: a move is written from-to and a facing, such as 0-11n"))?;
        let digits = rest.trim_end_matches(|character: char| !character.is_ascii_digit());
        let facing = rest[digits.len()..].trim_start_matches([' ', ',']).trim();
        let from = place(from.trim()).ok_or_else(|| illegal(&not_a_place(from)))?;
        let to = place(digits.trim()).ok_or_else(|| illegal(&not_a_place(digits)))?;
        let dir = match facing {
            "" => None,
            "n" | "N" => Some(Dir::North),
            "e" | "E" => Some(Dir::East),
            "s" | "S" => Some(Dir::South),
            "w" | "W" | "o" | "O" => Some(Dir::West),
            _ => return Err(illegal(&format!("ends in `{facing}`: a facing is n, e, s or w"))),
        };
        match (from, to, dir) {
            (None, None, _) => Err(illegal("leads from nowhere to nowhere")),
            (Some(from), None, _) => Ok(Self::leave(from)),
            (_, Some(_), None) => {
                Err(illegal("does not say where the animal looks afterwards: add n, e, s or w"))
            }
            (None, Some(to), Some(dir)) => Ok(Self::enter(to, dir)),
            (Some(from), Some(to), Some(dir)) => Ok(Self::go(from, to, dir)),
        }
    }
}

/// The square of this name, `Some(None)` for 0 (off the board), or `None` if it is neither.
#[expect(clippy::option_option, reason = "off the board is a valid place")]
fn place(text: &str) -> Option<Option<Square>> {
    match text.parse::<u32>() {
        Ok(0) => Some(None),
        Ok(name) => Square::named(name).map(Some),
        Err(_) => None,
    }
}

fn not_a_place(text: &str) -> String {
    let text = text.trim();
    if text.is_empty() {
        return "is not complete: a move is written from-to and a facing, such as 0-11n".to_owned();
    }
    format!("names `{text}`, which is not a square: squares are 11 to 55, and 0 is off the board")
}

impl fmt::Display for Move {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let from = self.from().map_or(0, Square::name);
        match self.to() {
            None => write!(formatter, "{from}-0"),
            Some(to) => write!(formatter, "{from}-{to}{}", &self.facing().name()[..1]),
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{self}")
    }
}

impl Board {
    /// Plays a legal move. Returns the winner if a mountain leaves the board, which ends the game.
    #[inline]
    pub fn play(&mut self, action: Move) -> Option<Side> {
        let winner = self.rearrange(action);
        self.end_turn();
        winner
    }

    #[inline]
    fn rearrange(&mut self, action: Move) -> Option<Side> {
        let after = Piece::Animal(self.side(), action.facing());
        let (from, to) = match (action.from(), action.to()) {
            (Some(from), Some(to)) => (from, to),
            (Some(from), None) => {
                self.take(from);
                return None;
            }
            (None, Some(to)) => {
                let winner = self.make_room(to, action.facing());
                self.put(to, after);
                return winner;
            }
            (None, None) => return None,
        };
        let before = self.piece(from)?;
        if from == to {
            self.turn(from, before, after);
            return None;
        }
        let winner = self.make_room(to, action.facing());
        self.carry(from, to, before);
        if before != after {
            self.turn(to, before, after);
        }
        winner
    }

    /// Pushes the pieces from a square on by one square. If a mountain leaves the board, the winner is the owner of the
    /// nearest animal that faces in the direction of the push.
    #[inline]
    fn make_room(&mut self, first: Square, dir: Dir) -> Option<Side> {
        if self.free() & first.bit() != 0 {
            return None;
        }
        let mut nearest = self.side();
        let mut pieces = [(first, Piece::Mountain); WIDTH];
        let mut count = 0;
        let mut next = Some(first);
        while let Some(square) = next
            && let Some(piece) = self.piece(square)
        {
            if let Piece::Animal(side, facing) = piece
                && facing == dir
            {
                nearest = side;
            }
            pieces[count] = (square, piece);
            count += 1;
            next = square.step(dir);
        }
        let mut winner = None;
        for &(square, piece) in pieces[..count].iter().rev() {
            if let Some(target) = next {
                self.carry(square, target, piece);
            } else {
                self.take(square);
                winner = (piece == Piece::Mountain).then_some(nearest);
            }
            next = Some(square);
        }
        winner
    }
}
