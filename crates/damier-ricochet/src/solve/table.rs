//! What has been seen: for every arrangement of the helpers, the set of cells where the active robot was.

use std::hint::black_box;

use super::bits::Bits;
use super::helpers::Key;

/// Positions that share the arrangement of the helpers: the active robot is on one of the cells.
#[derive(Clone, Copy, Debug)]
pub struct Group<const W: usize> {
    /// The arrangement.
    pub key: Key,
    /// The cells of the active robot.
    pub cells: Bits<W>,
}

/// One arrangement. On boards of up to 256 cells it fills a cache line, so that looking it up costs one miss.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Slot<const W: usize> {
    seen: Bits<W>,
    /// The key plus one; 0 is a free slot.
    name: u64,
    /// The layer in which the arrangement was met last, and its place there.
    layer: u32,
    place: u32,
}

/// An arrangement that was just added is in no layer yet.
const NO_LAYER: u32 = u32::MAX;

impl<const W: usize> Slot<W> {
    const FREE: Self = Self { seen: Bits::NONE, name: 0, layer: NO_LAYER, place: 0 };
}

/// An open-addressing table of arrangements.
pub struct Table<const W: usize> {
    /// A power of two of them.
    slots: Vec<Slot<W>>,
    used: usize,
}

impl<const W: usize> Default for Table<W> {
    /// An empty table.
    fn default() -> Self {
        Self { slots: vec![Slot::FREE; 1 << 8], used: 0 }
    }
}

impl<const W: usize> Table<W> {
    /// Adds positions to the layer of this number. Those that are new join their arrangement's group there if it is among
    /// the ones from `fresh` on, which have not been expanded; the number of new ones is returned.
    pub fn add_all(
        &mut self,
        groups: &[Group<W>],
        layer: &mut Vec<Group<W>>,
        number: usize,
        fresh: usize,
    ) -> u64 {
        let mut new = 0;
        for batch in groups.chunks(16) {
            // The slots are far apart: touching them all first lets the processor wait for them together.
            let mask = self.slots.len() - 1;
            black_box(batch.iter().fold(0, |all, group| all ^ self.slots[home(group.key, mask)].name));
            for group in batch {
                new += u64::from(self.add(group, layer, number as u32, fresh as u32));
            }
        }
        new
    }

    fn add(&mut self, group: &Group<W>, layer: &mut Vec<Group<W>>, number: u32, fresh: u32) -> u32 {
        let index = self.find_or_add(group.key);
        let slot = &mut self.slots[index];
        let new = group.cells.without(slot.seen);
        if new.is_empty() {
            return 0;
        }
        slot.seen |= new;
        if slot.layer == number && slot.place >= fresh {
            layer[slot.place as usize].cells |= new;
        } else {
            slot.layer = number;
            slot.place = layer.len() as u32;
            layer.push(Group { key: group.key, cells: new });
        }
        new.len()
    }

    #[inline]
    fn find_or_add(&mut self, key: Key) -> usize {
        let mask = self.slots.len() - 1;
        let mut index = home(key, mask);
        loop {
            match self.slots[index].name {
                0 => break,
                name if name == key + 1 => return index,
                _ => index = (index + 1) & mask,
            }
        }
        if self.used * 8 >= self.slots.len() * 5 {
            self.grow();
            return self.find_or_add(key);
        }
        self.used += 1;
        self.slots[index].name = key + 1;
        index
    }

    #[cold]
    fn grow(&mut self) {
        let mask = self.slots.len() * self.growth() - 1;
        let mut slots = vec![Slot::FREE; mask + 1];
        for slot in self.slots.iter().filter(|slot| slot.name != 0) {
            let mut index = home(slot.name - 1, mask);
            while slots[index].name != 0 {
                index = (index + 1) & mask;
            }
            slots[index] = *slot;
        }
        self.slots = slots;
    }

    /// How many times larger it gets: most searches are short and should not have to grow it often.
    const fn growth(&self) -> usize {
        if self.slots.len() < 1 << 13 { 4 } else { 2 }
    }

    /// The memory it takes, in bytes, together with what its next growth will take if that is near: old and new slots
    /// exist side by side then.
    pub fn memory(&self) -> usize {
        let soon = self.used * 2 > self.slots.len();
        self.slots.len() * size_of::<Slot<W>>() * if soon { 1 + self.growth() } else { 1 }
    }
}

/// Where to look for a key first. The upper half of a product depends on all of its bits.
#[inline]
fn home(key: Key, mask: usize) -> usize {
    (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as usize & mask
}
