//! The legal moves of a position: listing, counting, and immediate wins.

use arrayvec::ArrayVec;
use damier_core::grid::Dir;

use crate::action::Move;
use crate::board::{ALL, BORDER, Board, Piece, Side, Square, Squares, WIDTH, each, shifted, stride};
use crate::line::{Facts, Pushes, Reading};

/// The maximum number of moves in a position: four animals on inner squares can each go in four directions with four
/// facings and turn, and the fifth can enter on 16 squares.
pub const MAX_MOVES: usize = 144;

/// A list of moves on the stack.
pub type MoveList = ArrayVec<Move, MAX_MOVES>;

/// The squares that the opening rule keeps closed: 13 and 53.
const CLOSED_AT_FIRST: Squares = Square::at(0, 2).bit() | Square::at(4, 2).bit();

/// The number of plies for which the opening rule applies: two turns of each player.
pub const OPENING_PLIES: u16 = 4;

/// Spreads the five bits of a column over the board's first column.
static SPREAD: [Squares; 1 << WIDTH] = {
    let mut table = [0; 1 << WIDTH];
    let mut mask = 0;
    while mask < table.len() {
        let mut row = 0;
        while row < WIDTH {
            table[mask] |= (mask as u32 >> row & 1) << (WIDTH * row);
            row += 1;
        }
        mask += 1;
    }
    table
};

/// The rules of legal moves: how pushes are computed, and whether the opening rule applies.
#[derive(Clone, Copy)]
pub struct MoveRules {
    reading: Reading,
    pushes: &'static Pushes,
    opening_ban: bool,
}

/// The animals that can push, and the border squares that can be entered by pushing.
struct Pushers {
    /// Animals of both sides, by direction.
    animals: [Squares; 4],
    /// Occupied border squares, by direction.
    entries: [Squares; 4],
}

/// The sides that could win immediately, if they were to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Threats([bool; 2]);

impl Threats {
    /// Whether this side could win immediately.
    #[inline]
    pub const fn of(self, side: Side) -> bool {
        self.0[side.index()]
    }
}

impl MoveRules {
    /// The rules for a reading of the rule sheet, with or without the opening rule.
    pub fn new(reading: Reading, opening_ban: bool) -> Self {
        Self { reading, pushes: Pushes::of(reading), opening_ban }
    }

    /// How pushes are computed.
    pub fn reading(&self) -> Reading {
        self.reading
    }

    /// The squares that the opening rule closes.
    #[inline]
    pub fn closed(&self, board: &Board) -> Squares {
        if self.opening_ban && board.ply() < OPENING_PLIES { CLOSED_AT_FIRST } else { 0 }
    }

    /// A key for tables of positions that also differs if the legal moves do.
    #[inline]
    pub fn key(&self, board: &Board) -> u64 {
        if self.closed(board) == 0 {
            board.key()
        } else {
            !board.key().rotate_left(1 + u32::from(board.ply()))
        }
    }

    /// Puts all legal moves into the list, which is cleared first.
    #[inline]
    pub fn list(&self, board: &Board, moves: &mut MoveList) {
        moves.clear();
        let closed = self.closed(board);
        let (own, free) = (board.animals(board.side()), board.free());
        let pushers = self.pushers(board);
        list_pushes(board, &pushers, closed, moves);
        for dir in Dir::ALL {
            let back = -stride(dir);
            for to in each(shifted(own, dir) & free & !closed) {
                let from = Square::from_index((to.index() as i8 + back) as usize);
                moves.extend(Dir::ALL.map(|facing| Move::go(from, to, facing)));
            }
        }
        if board.hand(board.side()) > 0 {
            for to in each(BORDER & free & !closed) {
                moves.extend(Dir::ALL.map(|facing| Move::enter(to, facing)));
            }
        }
        list_turns(board, own, moves);
        for from in each(own & BORDER) {
            moves.push(Move::leave(from));
        }
    }

    /// Puts the legal pushes into the list, which is cleared first.
    pub fn list_pushes(&self, board: &Board, moves: &mut MoveList) {
        moves.clear();
        list_pushes(board, &self.pushers(board), self.closed(board), moves);
    }

    /// Whether a move that was legal in another position is legal here. Faster than listing all moves.
    #[inline]
    pub fn allows(&self, board: &Board, action: Move) -> bool {
        let own = board.animals(board.side());
        match (action.from(), action.to()) {
            (Some(from), _) if own & from.bit() == 0 => false,
            (None, _) if board.hand(board.side()) == 0 => false,
            (_, None) => true,
            (Some(from), Some(to)) if from == to => {
                board.piece(from) != Some(Piece::Animal(board.side(), action.facing()))
            }
            (_, Some(to)) if self.closed(board) & to.bit() != 0 => false,
            (_, Some(to)) if board.free() & to.bit() != 0 => true,
            _ => {
                let mut pushes = MoveList::new();
                self.list_pushes(board, &mut pushes);
                pushes.contains(&action)
            }
        }
    }

    /// The number of legal moves, without listing them.
    #[inline]
    pub fn count(&self, board: &Board) -> u64 {
        let open = !self.closed(board);
        let (own, free) = (board.animals(board.side()), board.free());
        let pushers = self.pushers(board);
        let steps: u32 = Dir::ALL.iter().map(|&dir| (shifted(own, dir) & free & open).count_ones()).sum();
        let mut count = 4 * steps + 3 * own.count_ones() + (own & BORDER).count_ones();
        for dir in Dir::ALL {
            count += (shifted(pushers.animals[dir.index()] & own, dir) & open).count_ones();
        }
        if board.hand(board.side()) > 0 {
            count += 4 * (BORDER & free & open).count_ones();
            count += pushers.entries.iter().map(|entries| (entries & open).count_ones()).sum::<u32>();
        }
        u64::from(count)
    }

    #[inline]
    fn pushers(&self, board: &Board) -> Pushers {
        let mut pushers = Pushers { animals: [0; 4], entries: [0; 4] };
        let (rows, columns) = board.lines().split_at(WIDTH);
        for (row, &line) in rows.iter().enumerate() {
            let facts = self.pushes.facts(line);
            let shift = WIDTH * row;
            pushers.animals[Dir::East.index()] |= facts.forward_pushers() << shift;
            pushers.animals[Dir::West.index()] |= facts.backward_pushers() << shift;
            pushers.entries[Dir::East.index()] |= u32::from(facts.forward_entry()) << shift;
            pushers.entries[Dir::West.index()] |= u32::from(facts.backward_entry()) << (shift + WIDTH - 1);
        }
        for (column, &line) in columns.iter().enumerate() {
            let facts = self.pushes.facts(line);
            pushers.animals[Dir::North.index()] |= SPREAD[facts.forward_pushers() as usize] << column;
            pushers.animals[Dir::South.index()] |= SPREAD[facts.backward_pushers() as usize] << column;
            pushers.entries[Dir::North.index()] |= u32::from(facts.forward_entry()) << column;
            pushers.entries[Dir::South.index()] |=
                u32::from(facts.backward_entry()) << (column + WIDTH * (WIDTH - 1));
        }
        pushers
    }

    /// The sides that could win by pushing a mountain off, if they were to move.
    #[inline]
    pub fn threats(&self, board: &Board) -> Threats {
        let facts =
            board.lines().iter().fold(Facts::default(), |facts, &line| facts.or(self.pushes.facts(line)));
        let threats = Side::BOTH.map(|side| facts.wins(side, board.hand(side) > 0));
        if self.closed(board) == 0 {
            return Threats(threats);
        }
        // While the opening rule applies, the push may lead to a closed square.
        Threats(Side::BOTH.map(|side| threats[side.index()] && self.winning_move(board, side).is_some()))
    }

    /// A push with which this side would win immediately, if it were to move.
    pub fn winning_move(&self, board: &Board, side: Side) -> Option<Move> {
        self.winning_moves(board, side).first().copied()
    }

    /// The pushes with which this side would win immediately, if it were to move.
    pub fn winning_moves(&self, board: &Board, side: Side) -> MoveList {
        let mut board = *board;
        if board.side() != side {
            board.pass();
        }
        let mut moves = MoveList::new();
        self.list_pushes(&board, &mut moves);
        moves.retain(|&mut action| {
            let mut after = board;
            after.play(action) == Some(side)
        });
        moves
    }
}

#[inline]
fn list_pushes(board: &Board, pushers: &Pushers, closed: Squares, moves: &mut MoveList) {
    let own = board.animals(board.side());
    let in_hand = if board.hand(board.side()) > 0 { ALL } else { 0 };
    for dir in Dir::ALL {
        let reach = shifted(pushers.animals[dir.index()] & own, dir) & !closed;
        for to in each(reach) {
            moves.push(Move::go(Square::from_index((to.index() as i8 - stride(dir)) as usize), to, dir));
        }
        for to in each(pushers.entries[dir.index()] & in_hand & !closed) {
            moves.push(Move::enter(to, dir));
        }
    }
}

#[inline]
fn list_turns(board: &Board, own: Squares, moves: &mut MoveList) {
    for square in each(own) {
        let Some(Piece::Animal(_, looks)) = board.piece(square) else { continue };
        for turn in 1..4 {
            moves.push(Move::go(square, square, Dir::from_index(looks as u8 + turn)));
        }
    }
}
