//! Move ordering: moves that caused cutoffs elsewhere in the tree come first.

use arrayvec::ArrayVec;

use crate::action::Move;
use crate::board::{Board, Side};
use crate::moves::{MAX_MOVES, MoveList, MoveRules};

/// The maximum ply of the search.
pub const MAX_PLY: usize = 64;

const MOVES: usize = 1 << 12;
const LIMIT: i32 = 1 << 14;

/// Statistics about moves that caused cutoffs.
pub struct History {
    /// History scores, by side and move.
    cuts: [Vec<i16>; 2],
    /// Countermoves: the last cutoff in reply to each move of the opponent.
    answers: [Vec<Option<Move>>; 2],
    /// The two latest killer moves of each ply.
    killers: [[Option<Move>; 2]; MAX_PLY],
}

impl Default for History {
    /// Empty statistics.
    fn default() -> Self {
        Self {
            cuts: [vec![0; MOVES], vec![0; MOVES]],
            answers: [vec![None; MOVES], vec![None; MOVES]],
            killers: [[None; 2]; MAX_PLY],
        }
    }
}

impl History {
    /// Halves the history scores before a new search.
    pub fn fade(&mut self) {
        self.cuts.iter_mut().flatten().for_each(|cuts| *cuts /= 2);
        self.killers = [[None; 2]; MAX_PLY];
    }

    /// Records a cutoff; the moves tried before it did not cause one.
    pub fn learn(
        &mut self,
        side: Side,
        ply: usize,
        depth: i32,
        previous: Option<Move>,
        cut: Move,
        tried: impl Iterator<Item = Move>,
    ) {
        let bonus = (depth * depth * 16).min(LIMIT / 8);
        self.adjust(side, cut, bonus);
        for action in tried {
            self.adjust(side, action, -bonus);
        }
        let killers = &mut self.killers[ply];
        if killers[0] != Some(cut) {
            *killers = [Some(cut), killers[0]];
        }
        if let Some(previous) = previous {
            self.answers[side.index()][previous.index() % MOVES] = Some(cut);
        }
    }

    /// Moves a score towards the limit, by less the closer it is.
    fn adjust(&mut self, side: Side, action: Move, bonus: i32) {
        let value = &mut self.cuts[side.index()][action.index() % MOVES];
        let old = i32::from(*value);
        *value = (old + bonus - old * bonus.abs() / LIMIT) as i16;
    }

    /// The history score of a move, between -16,384 and 16,384.
    #[inline]
    pub fn cuts(&self, side: Side, action: Move) -> i32 {
        i32::from(self.cuts[side.index()][action.index() % MOVES])
    }
}

/// Bonuses on a move's history score, lowest first.
const PUSH: i32 = LIMIT / 4;
const ANSWER: i32 = 2 * LIMIT;
const KILLERS: [i32; 2] = [6 * LIMIT, 4 * LIMIT];
const KNOWN: i32 = 16 * LIMIT;
const MOVE_BITS: u32 = MOVES.trailing_zeros();

/// Yields moves, the most promising first.
#[derive(Default)]
pub struct Picker {
    /// Each move in the low bits with its score above, so that the largest word is the next move.
    entries: ArrayVec<u32, MAX_MOVES>,
    next: usize,
}

impl Picker {
    /// Lists and scores the legal moves of a position. `known` is the best move from the transposition table.
    pub fn fill(
        &mut self,
        rules: &MoveRules,
        board: &Board,
        known: Option<Move>,
        previous: Option<Move>,
        ply: usize,
        history: &History,
    ) {
        let mut moves = MoveList::new();
        rules.list(board, &mut moves);
        let side = board.side();
        let cuts = &history.cuts[side.index()];
        let occupied = !board.free();
        self.entries.extend(moves.iter().map(|&action| {
            let mut promise = LIMIT + i32::from(cuts[action.index() % MOVES]);
            if !action.is_turn() && action.to().is_some_and(|to| to.bit() & occupied != 0) {
                promise += PUSH;
            }
            (promise as u32) << MOVE_BITS | action.index() as u32
        }));
        let answer = previous.and_then(|previous| history.answers[side.index()][previous.index() % MOVES]);
        let [first, second] = history.killers[ply];
        for (wanted, bonus) in [(known, KNOWN), (first, KILLERS[0]), (second, KILLERS[1]), (answer, ANSWER)] {
            let Some(wanted) = wanted else { continue };
            if let Some(index) = moves.iter().position(|&action| action == wanted) {
                self.entries[index] += (bonus as u32) << MOVE_BITS;
            }
        }
    }

    /// The moves yielded before the last one.
    pub fn tried(&self) -> impl Iterator<Item = Move> {
        self.entries[..self.next.saturating_sub(1)].iter().map(|&entry| unpack(entry))
    }
}

fn unpack(entry: u32) -> Move {
    Move::from_index((entry % MOVES as u32) as u16)
}

impl Iterator for Picker {
    type Item = Move;

    #[inline]
    fn next(&mut self) -> Option<Move> {
        let rest = &mut self.entries[self.next..];
        let best = rest.iter().copied().max()?;
        let place = rest.iter().position(|&entry| entry == best)?;
        rest.swap(0, place);
        self.next += 1;
        Some(unpack(best))
    }
}
