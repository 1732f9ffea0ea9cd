//! A compact history of a game's moves, and the detection of repetitions.
//!
//! Moves take nine bits each. A small counting Bloom filter rules out most repetitions; only if a position may have occurred
//! twice before are the moves replayed to count exactly.

use crate::action::Move;
use crate::board::Board;
use crate::level::MAX_PLIES;

/// The number of bits of a move's number, which is below 500.
const MOVE_BITS: usize = 9;
const MOVES_PER_WORD: usize = 64 / MOVE_BITS;
const MOVE_WORDS: usize = (MAX_PLIES as usize).div_ceil(MOVES_PER_WORD);

/// Two-bit counters, three per position. After 1,000 plies one answer in thirty is a false positive, after 500 one in 600.
const COUNTERS_PER_WORD: usize = 32;
const COUNTER_WORDS: usize = 80;
const COUNTERS: u64 = (COUNTER_WORDS * COUNTERS_PER_WORD) as u64;

/// The moves since the start of a game.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Past {
    start: Board,
    len: u16,
    moves: [u64; MOVE_WORDS],
    counters: [u64; COUNTER_WORDS],
}

impl Past {
    /// An empty history.
    pub fn new(start: Board) -> Self {
        Self { start, len: 0, moves: [0; MOVE_WORDS], counters: [0; COUNTER_WORDS] }
    }

    /// The number of moves.
    #[inline]
    pub fn len(&self) -> u16 {
        self.len
    }

    /// Adds a move made in the position with this key.
    #[inline]
    pub fn push(&mut self, key: u64, action: Move) {
        let index = usize::from(self.len);
        let number = action.number().map_or(0, u64::from);
        self.moves[index / MOVES_PER_WORD] |= number << (MOVE_BITS * (index % MOVES_PER_WORD));
        self.len += 1;
        for (word, shift) in counters(key) {
            // Counters saturate at 3.
            let full = self.counters[word] >> shift & 3 == 3;
            self.counters[word] += u64::from(!full) << shift;
        }
    }

    /// Whether the position with this key may have occurred twice or more; no false negatives.
    #[inline]
    pub fn may_contain_twice(&self, key: u64) -> bool {
        counters(key).into_iter().all(|(word, shift)| self.counters[word] >> shift & 2 != 0)
    }

    /// All earlier positions, from the start.
    pub fn boards(&self) -> impl Iterator<Item = Board> + '_ {
        let mut board = self.start;
        (0..usize::from(self.len)).map(move |index| {
            let before = board;
            board.play(self.action(index));
            before
        })
    }

    fn action(&self, index: usize) -> Move {
        let word = self.moves[index / MOVES_PER_WORD];
        let number = word >> (MOVE_BITS * (index % MOVES_PER_WORD)) & ((1 << MOVE_BITS) - 1);
        Move::numbered(number as usize)
    }
}

/// The words and shifts of a key's counters.
#[inline]
fn counters(key: u64) -> [(usize, usize); 3] {
    [0, 16, 32].map(|shift| {
        let index = (((key >> shift & 0xFFFF) * COUNTERS) >> 16) as usize;
        (index / COUNTERS_PER_WORD, 2 * (index % COUNTERS_PER_WORD))
    })
}
