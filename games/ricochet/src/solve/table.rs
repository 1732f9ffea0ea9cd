//! The visited positions: for every arrangement of the helpers, the set of cells of the active robot.

use std::hint::black_box;

use damier_kit::cancel::Deadline;

use super::bits::Bits;
use super::helpers::Key;
use super::last::Last;

/// Positions that share the arrangement of the helpers: the active robot is on one of the cells.
#[derive(Clone, Copy, Debug)]
pub struct Group<const W: usize> {
    /// The arrangement.
    pub key: Key,
    /// The cells of the active robot.
    pub cells: Bits<W>,
    /// The helper's move that led to all of them, if it was the same.
    pub last: Option<Last>,
}

/// One arrangement.
#[derive(Clone, Copy)]
struct Entry<const W: usize> {
    key: Key,
    seen: Bits<W>,
    /// The layer in which the arrangement was last found, and its index there.
    layer: u32,
    place: u32,
}

/// A hash table of arrangements. The slots are small and the entries are contiguous, so that no unused memory is touched:
/// the system takes longer to provide a page than the search to fill it.
pub struct SeenTable<const W: usize> {
    /// The numbers of entries, from 1; 0 is a free slot. The length is a power of two.
    slots: Vec<u32>,
    entries: Vec<Entry<W>>,
}

impl<const W: usize> Default for SeenTable<W> {
    /// An empty table.
    fn default() -> Self {
        Self { slots: vec![0; 1 << 10], entries: Vec::with_capacity(1 << 8) }
    }
}

/// The number of groups that are looked up together.
const BATCH: usize = 16;

/// The number of groups between two checks of the clock, a multiple of a batch.
const CLOCK_GROUPS: usize = 256 * BATCH;

impl<const W: usize> SeenTable<W> {
    /// Adds the first position to the first layer; returns the number of new positions.
    pub fn add_start(&mut self, start: Group<W>, layer: &mut Vec<Group<W>>) -> u64 {
        u64::from(self.add(&start, layer, 0, 0))
    }

    /// Adds positions to the layer of this number until the deadline. New ones join their arrangement's group there if it is
    /// not expanded yet, that is, at `fresh` or later. Returns the number of new positions.
    pub fn add_all(
        &mut self,
        groups: &[Group<W>],
        layer: &mut Vec<Group<W>>,
        number: usize,
        fresh: usize,
        deadline: &Deadline,
    ) -> u64 {
        let mut new = 0;
        for part in groups.chunks(CLOCK_GROUPS) {
            for batch in part.chunks(BATCH) {
                self.touch(batch);
                for group in batch {
                    new += u64::from(self.add(group, layer, number as u32, fresh as u32));
                }
            }
            if part.len() == CLOCK_GROUPS && deadline.passed() {
                break;
            }
        }
        new
    }

    /// Prefetches the slots and entries of a batch, so that the processor waits for all of them together.
    #[inline]
    fn touch(&self, batch: &[Group<W>]) {
        let mask = self.slots.len() - 1;
        let mut slots = [0; BATCH];
        for (slot, group) in slots.iter_mut().zip(batch) {
            *slot = self.slots[home(group.key, mask)];
        }
        let key =
            |slot: &u32| self.entries.get((*slot as usize).wrapping_sub(1)).map_or(0, |entry| entry.key);
        black_box(slots.iter().fold(0, |all, slot| all ^ key(slot)));
    }

    fn add(&mut self, group: &Group<W>, layer: &mut Vec<Group<W>>, number: u32, fresh: u32) -> u32 {
        let place = layer.len() as u32;
        let Some(entry) = self.find(group.key) else {
            self.entries.push(Entry { key: group.key, seen: group.cells, layer: number, place });
            layer.push(*group);
            return group.cells.len();
        };
        let new = group.cells.without(entry.seen);
        if new.is_empty() {
            return 0;
        }
        entry.seen |= new;
        if entry.layer == number && entry.place >= fresh {
            let joined = &mut layer[entry.place as usize];
            joined.cells |= new;
            joined.last = joined.last.filter(|_| joined.last == group.last);
        } else {
            (entry.layer, entry.place) = (number, place);
            layer.push(Group { cells: new, ..*group });
        }
        new.len()
    }

    /// The entry of an arrangement; if there is none, reserves a slot for it.
    #[inline]
    fn find(&mut self, key: Key) -> Option<&mut Entry<W>> {
        if self.entries.len() * 2 >= self.slots.len() {
            self.grow();
        }
        let mask = self.slots.len() - 1;
        let mut index = home(key, mask);
        loop {
            let slot = self.slots[index] as usize;
            if slot == 0 {
                self.slots[index] = self.entries.len() as u32 + 1;
                return None;
            }
            if self.entries[slot - 1].key == key {
                return Some(&mut self.entries[slot - 1]);
            }
            index = (index + 1) & mask;
        }
    }

    #[cold]
    fn grow(&mut self) {
        let mask = self.slots.len() * 2 - 1;
        self.slots = vec![0; mask + 1];
        for (number, entry) in (1..).zip(&self.entries) {
            let mut index = home(entry.key, mask);
            while self.slots[index] != 0 {
                index = (index + 1) & mask;
            }
            self.slots[index] = number;
        }
    }

    /// The memory used in bytes, including the next growth, during which old and new entries coexist.
    pub fn memory(&self) -> usize {
        let soon = self.entries.len() * 4 > self.entries.capacity() * 3;
        let entries = self.entries.capacity() * if soon { 3 } else { 1 };
        entries * size_of::<Entry<W>>() + self.slots.len() * size_of::<u32>() * 2
    }
}

/// The first slot of a key. The upper half of a product depends on all of its bits.
#[inline]
fn home(key: Key, mask: usize) -> usize {
    (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as usize & mask
}
