//! Five squares in a line, and the effect of pushes on them.
//!
//! A row from the west or a column from the south is a [`Line`]: three bits per cell, the first cell lowest. A cell encodes
//! only what matters for a push along the line: an animal faces forward (towards the last cell), backward or sideways. With
//! 8 codes and 5 cells there are 32,768 lines, so every question about pushes is one lookup in [`Pushes`].

use std::sync::LazyLock;

use damier_core::grid::Dir;

use crate::board::{Piece, Side, WIDTH};

/// The contents of five squares in a row or a column.
pub type Line = u16;

/// The number of bits per cell in a [`Line`].
pub const CELL_BITS: usize = 3;

/// The number of different lines.
pub const LINES: usize = 1 << (CELL_BITS * WIDTH);

/// The code of a cell: 0 empty, 1 a mountain; an animal is 2 (sideways), 4 (forward) or 6 (backward), plus 1 for a rhino.
pub type Code = u16;

const EMPTY: Code = 0;
const MOUNTAIN: Code = 1;
const SIDEWAYS: Code = 2;
const FORWARD: Code = 4;
const BACKWARD: Code = 6;
const LOOK: Code = 6;

/// The code of a cell, counted from 0.
#[inline]
pub const fn code(line: Line, cell: usize) -> Code {
    line >> (CELL_BITS * cell) & 7
}

/// The codes of a piece in its row and in its column.
#[inline]
pub const fn codes(piece: Piece) -> (Code, Code) {
    match piece {
        Piece::Mountain => (MOUNTAIN, MOUNTAIN),
        Piece::Animal(side, dir) => {
            let owner = side.index() as Code;
            let (across, along) = match dir {
                Dir::North => (SIDEWAYS, FORWARD),
                Dir::East => (FORWARD, SIDEWAYS),
                Dir::South => (SIDEWAYS, BACKWARD),
                Dir::West => (BACKWARD, SIDEWAYS),
            };
            (across | owner, along | owner)
        }
    }
}

/// The piece with these codes in its row and in its column.
#[inline]
pub const fn piece(across: Code, along: Code) -> Option<Piece> {
    let dir = match (across & LOOK, along & LOOK) {
        (FORWARD, _) => Dir::East,
        (BACKWARD, _) => Dir::West,
        (_, FORWARD) => Dir::North,
        (_, BACKWARD) => Dir::South,
        _ => return if across == MOUNTAIN { Some(Piece::Mountain) } else { None },
    };
    Some(Piece::Animal(owner(across), dir))
}

const fn owner(animal: Code) -> Side {
    if animal & 1 == 0 { Side::Elephants } else { Side::Rhinos }
}

/// The same cells from the other end: forward and backward are swapped.
///
/// ```
/// use damier_siam::line::reversed;
/// assert_eq!(reversed(0o00014), 0o61000); // an elephant behind a mountain
/// ```
pub const fn reversed(line: Line) -> Line {
    let mut result = 0;
    let mut cell = 0;
    while cell < WIDTH {
        let code = code(line, cell);
        let code = if code >= FORWARD { code ^ (FORWARD ^ BACKWARD) } else { code };
        result = result << CELL_BITS | code;
        cell += 1;
    }
    result
}

/// The same cells with elephants and rhinos swapped.
pub const fn swapped(line: Line) -> Line {
    let mut result = line;
    let mut cell = 0;
    while cell < WIDTH {
        if code(line, cell) >= SIDEWAYS {
            result ^= 1 << (CELL_BITS * cell);
        }
        cell += 1;
    }
    result
}

/// How the strength of a push is computed: the rule sheet can be read in two ways.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reading {
    /// After every piece the force must be positive and at least the mass so far.
    Running,
    /// Only the sums over the whole line count.
    Total,
}

/// A legal push.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Push {
    /// The number of pieces that move, without the pusher.
    pub pieces: usize,
    /// The winner, if a mountain leaves the board.
    pub winner: Option<Side>,
}

/// A push that is too weak.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooWeak {
    /// The force at the piece that stops the push.
    pub force: i32,
    /// The mass there.
    pub mass: i32,
    /// The cell of that piece.
    pub cell: usize,
}

/// Computes a forward push of the pieces from `first` on by an animal of `pusher` behind them. `first` must not be empty.
pub fn push(line: Line, first: usize, pusher: Side, reading: Reading) -> Result<Push, TooWeak> {
    let (mut force, mut mass) = (1, 0);
    let mut nearest = pusher;
    let mut cell = first;
    while cell < WIDTH && code(line, cell) != EMPTY {
        let code = code(line, cell);
        match code & LOOK {
            FORWARD => (force, nearest) = (force + 1, owner(code)),
            BACKWARD => force -= 1,
            SIDEWAYS => {}
            _ => mass += 1,
        }
        if reading == Reading::Running && (force <= 0 || force < mass) {
            return Err(TooWeak { force, mass, cell });
        }
        cell += 1;
    }
    if force <= 0 || force < mass {
        return Err(TooWeak { force, mass, cell: cell - 1 });
    }
    let expels_mountain = cell == WIDTH && code(line, WIDTH - 1) == MOUNTAIN;
    Ok(Push { pieces: cell - first, winner: expels_mountain.then_some(nearest) })
}

/// Precomputed facts about a line, packed into a word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Facts(pub u16);

impl Facts {
    const BACKWARD_SHIFT: u32 = 6;
    const ENTRY: u16 = 1 << WIDTH;
    const WIN_SHIFT: u32 = 12;
    const ENTRY_WIN_SHIFT: u32 = 14;

    /// The cells whose animal faces forward and can push.
    #[inline]
    pub const fn forward_pushers(self) -> u32 {
        self.0 as u32 & 0b11111
    }

    /// The cells whose animal faces backward and can push.
    #[inline]
    pub const fn backward_pushers(self) -> u32 {
        self.0 as u32 >> Self::BACKWARD_SHIFT & 0b11111
    }

    /// Whether an animal can enter at the occupied first cell by pushing forward.
    #[inline]
    pub const fn forward_entry(self) -> bool {
        self.0 & Self::ENTRY != 0
    }

    /// Whether an animal can enter at the occupied last cell by pushing backward.
    #[inline]
    pub const fn backward_entry(self) -> bool {
        self.0 & Self::ENTRY << Self::BACKWARD_SHIFT != 0
    }

    /// Combines the facts of several lines, for [`wins`](Self::wins) only.
    #[inline]
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether this side can win immediately by a push in one of the lines; by an entry only if an animal is in hand.
    #[inline]
    pub const fn wins(self, side: Side, in_hand: bool) -> bool {
        let by_entry = (in_hand as u16) << Self::ENTRY_WIN_SHIFT;
        self.0 & (1 << Self::WIN_SHIFT | by_entry) << side as u32 != 0
    }
}

/// The facts of all lines under one reading.
pub struct Pushes {
    facts: Box<[Facts; LINES]>,
}

impl Pushes {
    /// The table of a reading, computed on first use.
    pub fn of(reading: Reading) -> &'static Self {
        static TABLES: [LazyLock<Pushes>; 2] =
            [LazyLock::new(|| Pushes::new(Reading::Running)), LazyLock::new(|| Pushes::new(Reading::Total))];
        &TABLES[reading as usize]
    }

    fn new(reading: Reading) -> Self {
        let mut facts = vec![Facts::default(); LINES];
        for line in 0..LINES as Line {
            let (forward, backward) = (facts_ahead(line, reading), facts_ahead(reversed(line), reading));
            // From the other end the cells are counted backwards.
            let mirrored = (0..WIDTH as u16).fold(backward & Facts::ENTRY, |mask, cell| {
                mask | (backward >> cell & 1) << (WIDTH as u16 - 1 - cell)
            });
            let wins = (forward | backward) & (0b1111 << Facts::WIN_SHIFT);
            facts[usize::from(line)] = Facts(forward | mirrored << Facts::BACKWARD_SHIFT | wins);
        }
        Self { facts: facts.into_boxed_slice().try_into().expect("as many facts as lines") }
    }

    /// The facts about a line.
    #[inline]
    pub fn facts(&self, line: Line) -> Facts {
        self.facts[usize::from(line) % LINES]
    }
}

/// The facts about forward pushes only.
fn facts_ahead(line: Line, reading: Reading) -> u16 {
    let mut facts = 0;
    for cell in 0..WIDTH - 1 {
        let pusher = code(line, cell);
        if pusher & LOOK != FORWARD || code(line, cell + 1) == EMPTY {
            continue;
        }
        if let Ok(push) = push(line, cell + 1, owner(pusher), reading) {
            facts |= 1 << cell;
            if push.winner == Some(owner(pusher)) {
                facts |= 1 << (Facts::WIN_SHIFT + owner(pusher) as u32);
            }
        }
    }
    for side in Side::BOTH {
        if code(line, 0) != EMPTY
            && let Ok(push) = push(line, 0, side, reading)
        {
            facts |= Facts::ENTRY;
            if push.winner == Some(side) {
                facts |= 1 << (Facts::ENTRY_WIN_SHIFT + side as u32);
            }
        }
    }
    facts
}
