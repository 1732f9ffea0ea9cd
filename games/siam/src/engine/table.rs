//! The transposition table, shared by all search threads without locks.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::action::Move;

/// The meaning of a stored score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The score itself.
    Exact = 0,
    /// The score is at least this.
    Lower = 1,
    /// The score is at most this.
    Upper = 2,
}

/// A stored search result of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    /// The best move, if one was found.
    pub best: Option<Move>,
    /// The score from the view of this position.
    pub score: i16,
    /// The meaning of the score.
    pub bound: Bound,
    /// The depth that was searched.
    pub depth: u8,
}

const NO_MOVE: u64 = 0xFFFF;

impl Known {
    fn pack(self, age: u8) -> u64 {
        let best = self.best.map_or(NO_MOVE, |action| action.index() as u64);
        best | u64::from(self.score as u16) << 16
            | u64::from(self.depth) << 32
            | (self.bound as u64) << 40
            | u64::from(age) << 48
    }

    fn unpack(word: u64) -> Self {
        let best = (word & NO_MOVE != NO_MOVE).then(|| Move::from_index(word as u16));
        let bound = [Bound::Exact, Bound::Lower, Bound::Upper, Bound::Upper][(word >> 40 & 3) as usize];
        Self { best, score: (word >> 16) as i16, bound, depth: (word >> 32) as u8 }
    }
}

const fn age_of(word: u64) -> u8 {
    (word >> 48) as u8
}

const fn depth_of(word: u64) -> u8 {
    (word >> 32) as u8
}

/// The key of a position, combined with its data by exclusive or, and the data. If two threads write at once, the torn pair does not match any
/// key and is ignored.
struct Entry {
    disguised: AtomicU64,
    word: AtomicU64,
}

/// As many entries as fit in a cache line.
#[repr(align(64))]
struct Bucket([Entry; 4]);

/// The table.
pub struct TranspositionTable {
    buckets: Box<[Bucket]>,
    age: u8,
}

impl TranspositionTable {
    /// A table of about this many bytes.
    pub fn new(bytes: usize) -> Self {
        let count = (bytes / size_of::<Bucket>()).max(1);
        let count = if count.is_power_of_two() { count } else { count.next_power_of_two() / 2 };
        let buckets = Box::<[Bucket]>::new_zeroed_slice(count);
        // SAFETY: a bucket is eight atomic integers, for which all zero bits are valid. Zeroed memory from the system is only
        // committed when a search uses it; writing zeros would commit the whole table at once.
        Self { buckets: unsafe { buckets.assume_init() }, age: 0 }
    }

    /// Starts a new search: entries of earlier ones may be overwritten first.
    pub fn grow_older(&mut self) {
        self.age = self.age.wrapping_add(1);
    }

    #[inline]
    fn bucket(&self, key: u64) -> &Bucket {
        &self.buckets[key as usize & (self.buckets.len() - 1)]
    }

    /// The stored result of the position with this key.
    #[inline]
    pub fn get(&self, key: u64) -> Option<Known> {
        self.bucket(key).0.iter().find_map(|entry| {
            let word = entry.word.load(Relaxed);
            (entry.disguised.load(Relaxed) ^ word == key).then(|| Known::unpack(word))
        })
    }

    /// Stores a result in place of the least valuable entry.
    #[inline]
    pub fn put(&self, key: u64, mut known: Known) {
        let entries = &self.bucket(key).0;
        let mut place = &entries[0];
        let mut least = i32::MAX;
        for entry in entries {
            let word = entry.word.load(Relaxed);
            if entry.disguised.load(Relaxed) ^ word == key {
                place = entry;
                known.best = known.best.or(Known::unpack(word).best);
                break;
            }
            let keep = i32::from(depth_of(word)) - 4 * i32::from(self.age.wrapping_sub(age_of(word)));
            if keep < least {
                (least, place) = (keep, entry);
            }
        }
        let word = known.pack(self.age);
        place.disguised.store(key ^ word, Relaxed);
        place.word.store(word, Relaxed);
    }
}
