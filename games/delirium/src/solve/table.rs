//! A set of 64-bit hashes with a small counter each, emptied in no time.

/// One place: the hash, the round in which it was put there, and its counter.
#[derive(Clone, Copy, Default)]
struct Entry {
    hash: u64,
    round: u32,
    count: u32,
}

/// The places of a table that was just cleared.
const FIRST: usize = 1 << 12;

/// Counts how often each hash was seen since the last [`clear`](Table::clear).
///
/// Only so many places are in use as the hashes of this round need, so that small rounds stay in the processor's cache
/// after a large one.
pub(crate) struct Table {
    entries: Vec<Entry>,
    places: usize,
    round: u32,
    used: usize,
}

impl Table {
    pub(crate) fn new() -> Self {
        Self { entries: vec![Entry::default(); FIRST], places: FIRST, round: 1, used: 0 }
    }

    /// Forgets everything: entries of earlier rounds count as empty.
    pub(crate) fn clear(&mut self) {
        (self.used, self.places) = (0, FIRST);
        self.next_round();
    }

    fn next_round(&mut self) {
        self.round = self.round.wrapping_add(1);
        if self.round == 0 {
            self.entries.fill(Entry::default());
            self.round = 1;
        }
    }

    /// Counts a hash once more: how often was it seen before?
    #[inline]
    pub(crate) fn count(&mut self, hash: u64) -> u32 {
        if 2 * self.used >= self.places {
            self.grow();
        }
        let place = self.place(hash);
        let entry = &mut self.entries[place];
        if entry.round != self.round {
            *entry = Entry { hash, round: self.round, count: 0 };
            self.used += 1;
        }
        entry.count += 1;
        entry.count - 1
    }

    /// Where a hash is, or the empty place where it belongs.
    #[inline]
    fn place(&self, hash: u64) -> usize {
        let mask = self.places - 1;
        let mut place = hash as usize & mask;
        while self.entries[place].round == self.round && self.entries[place].hash != hash {
            place = (place + 1) & mask;
        }
        place
    }

    #[cold]
    fn grow(&mut self) {
        let live = |entry: &&Entry| entry.round == self.round;
        let kept: Vec<Entry> = self.entries[..self.places].iter().filter(live).copied().collect();
        self.next_round();
        self.places *= 4;
        if self.entries.len() < self.places {
            self.entries.resize(self.places, Entry::default());
        }
        for entry in kept {
            let place = self.place(entry.hash);
            self.entries[place] = Entry { round: self.round, ..entry };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_survive_growth_and_end_with_the_round() {
        let mut table = Table::new();
        for round in 0..3 {
            for hash in 0..20_000u64 {
                assert_eq!(
                    table.count(hash.wrapping_mul(0x9E37_79B9_7F4A_7C15)),
                    0,
                    "{hash} in round {round}"
                );
            }
            assert_eq!(table.count(0), 1);
            assert_eq!(table.count(0), 2);
            table.clear();
        }
    }
}
