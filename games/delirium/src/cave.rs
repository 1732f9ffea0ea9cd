//! The cells of a cave as a byte each, with the set of cells that have something to do.
//!
//! Boulder Dash scans a cave cell by cell and changes it in place. Only a cell of the *active* set can change anything when
//! the scan comes to it: monsters, things in flight, explosions, the miner, and things at rest beside which something has
//! changed. So a frame costs as much as what moves in it.

use damier_core::random::{mix, zobrist};

use crate::board::Ending;
use crate::kind::Kind;

/// The number of a cell, row by row from the top left.
pub(crate) type Place = usize;

/// The state of the magic walls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Magic {
    /// Nothing has fallen on one yet.
    Dormant,
    /// What falls on one is turned into something else.
    Active,
    /// What falls on one is gone.
    Expired,
}

/// The state of all amoeba of a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Amoeba {
    /// No cell has found anything to eat yet.
    Asleep,
    /// It grows.
    Awake,
    /// It turns into what an amoeba becomes that is too big.
    TooBig,
    /// It turns into what an enclosed amoeba becomes.
    Enclosed,
}

/// Explosions that are remembered, for planners that ask where something has exploded.
pub(crate) const BOOMS: usize = 4;

/// A position in a cave of at most `N` cells, a power of two; `B` is `N` / 64. A plain value.
#[derive(Clone, Copy)]
pub struct Cave<const N: usize, const B: usize> {
    pub(crate) cells: [Kind; N],
    /// The cells that have something to do when the scan comes to them.
    pub(crate) active: [u64; B],
    /// The cells of amoeba that have something to eat. They try to grow in every scan, and few succeed.
    pub(crate) fringe: [u64; B],
    /// Zobrist hashes of nothing (always unused), creatures, grass and all other things.
    pub(crate) hashes: [u64; 4],
    /// The frames played.
    pub(crate) tick: u32,
    /// The frames that the magic walls stay active.
    pub(crate) magic_left: u32,
    /// The frames after which awake amoeba grows fast.
    pub(crate) amoeba_left: u32,
    pub(crate) miner: u16,
    pub(crate) gathered: u16,
    pub(crate) missing: u16,
    /// The frames until the miner is born; none once that is begun.
    pub(crate) birth_left: u16,
    /// Living monsters.
    pub(crate) monsters: u16,
    /// Cells of both kinds of amoeba that the scan comes to.
    pub(crate) amoebas: [u16; 2],
    /// Miners, and doors that one is still to come from.
    pub(crate) miners: u16,
    /// The C64's random generator.
    pub(crate) seed: [u8; 2],
    pub(crate) amoeba: [Amoeba; 2],
    pub(crate) magic: Magic,
    /// Is the exit open?
    pub(crate) open: bool,
    /// Has the miner eaten a sweet?
    pub(crate) strong: bool,
    /// Has a doll been hurt? Then the miner dies in the next frame.
    pub(crate) doomed: bool,
    pub(crate) ending: Option<Ending>,
    pub(crate) stage: u8,
    pub(crate) view: (u8, u8),
    /// The last explosions of creatures: twice the centre, and one more if it leaves diamonds; and the last bits of the frame.
    pub(crate) booms: [(u16, u16); BOOMS],
}

/// Which of the hashes a kind belongs to.
pub(crate) const CLASS: [u8; Kind::COUNT] = {
    let mut class = [3; Kind::COUNT];
    class[Kind::Empty as usize] = 0;
    class[Kind::Miner as usize] = 1;
    class[Kind::Dirt as usize] = 2;
    let mut kind = Kind::RedLeft as usize;
    while kind <= Kind::BlueDown as usize {
        class[kind] = 1;
        kind += 1;
    }
    class
};

/// The most cells of a cave.
const MOST_CELLS: usize = 1 << 14;

/// A random number for every cell.
static KEYS: [u64; MOST_CELLS] = {
    let mut keys = [0; MOST_CELLS];
    let mut place = 0;
    while place < MOST_CELLS {
        keys[place] = mix(0x6465_6c69_7269_0004 + place as u64);
        place += 1;
    }
    keys
};

/// The key of a kind in a cell: the cell's number, turned by the kind's. Kinds that share a turn are told apart.
#[inline]
pub(crate) fn key(place: Place, kind: Kind) -> u64 {
    let turned = KEYS[place & (MOST_CELLS - 1)].rotate_left(kind as u32);
    if kind as u8 >= 64 { mix(turned) } else { turned }
}

/// The stream of keys of everything that is no cell.
const REST: u64 = 0x6465_6c69_7269_0003;

impl<const N: usize, const B: usize> Cave<N, B> {
    /// A cave of border walls.
    pub(crate) fn closed() -> Self {
        Self {
            cells: [Kind::Border; N],
            active: [0; B],
            fringe: [0; B],
            hashes: [0; 4],
            tick: 0,
            magic_left: 0,
            amoeba_left: 0,
            miner: 0,
            gathered: 0,
            missing: 0,
            birth_left: 0,
            monsters: 0,
            amoebas: [0; 2],
            miners: 0,
            seed: [0; 2],
            amoeba: [Amoeba::Asleep; 2],
            magic: Magic::Dormant,
            open: false,
            strong: false,
            doomed: false,
            ending: None,
            stage: 0,
            view: (0, 0),
            booms: [(0, 0); BOOMS],
        }
    }

    /// What a cell holds.
    #[inline]
    pub(crate) fn at(&self, place: Place) -> Kind {
        self.cells[place & (N - 1)]
    }

    /// Adds a cell to the active set.
    #[inline]
    pub(crate) fn wake(&mut self, place: Place) {
        self.active[place >> 6 & (B - 1)] |= 1 << (place & 63);
    }

    /// Says whether a cell of amoeba has something to eat.
    #[inline]
    pub(crate) fn set_fringe(&mut self, place: Place, eats: bool) {
        let word = &mut self.fringe[place >> 6 & (B - 1)];
        *word = *word & !(1 << (place & 63)) | u64::from(eats) << (place & 63);
    }

    /// Are all cells asleep but for monsters?
    pub(crate) fn rests(&self) -> bool {
        let count: u32 = self.active.iter().map(|word| word.count_ones()).sum();
        count <= u32::from(self.monsters) + u32::from(self.miners) && self.fringe == [0; B]
    }

    /// The explosions under way, the oldest first: centre, whether it leaves diamonds, and the frames that it lasts.
    pub(crate) fn explosions(&self) -> impl Iterator<Item = (Place, bool, u8)> + '_ {
        self.booms.iter().rev().filter_map(|&(place, tick)| {
            let age = (self.tick as u16).wrapping_sub(tick);
            (place > 0 && age < 4).then(|| (usize::from(place / 2), place % 2 == 1, 4 - age as u8))
        })
    }

    /// The hash of everything that matters for the future.
    pub(crate) fn full_hash(&self) -> u64 {
        // Inboxes open in every second frame.
        let waits = self.miners > 1 || self.at(self.miner.into()) == Kind::Inbox;
        let scalars = u64::from(self.missing)
            | u64::from(self.view.0) << 16
            | u64::from(self.view.1) << 20
            | u64::from(self.stage) << 24
            | self.ending.map_or(0, |ending| ending as u64 + 1) << 32
            | (self.magic as u64) << 36
            | (self.amoeba[0] as u64) << 38
            | (self.amoeba[1] as u64) << 40
            | u64::from(self.open) << 42
            | u64::from(self.strong) << 43
            | u64::from(self.doomed) << 44
            | u64::from(waits && self.tick % 2 == 1) << 45
            | u64::from(self.birth_left) << 48;
        let magic = if self.magic == Magic::Active { self.magic_left } else { 0 };
        let amoeba = if self.amoeba.contains(&Amoeba::Awake) { self.amoeba_left } else { 0 };
        let timers = u64::from(magic) | u64::from(amoeba) << 32;
        let [_, creatures, grass, things] = self.hashes;
        let seed = u64::from(u16::from_le_bytes(self.seed));
        mix(creatures ^ grass ^ things ^ zobrist(REST, scalars) ^ mix(timers ^ seed.rotate_left(24)))
    }

    /// Computes the hashes of the cells from scratch.
    pub(crate) fn hash_anew(&mut self, cells: usize) {
        self.hashes = [0; 4];
        for place in 0..cells {
            let kind = self.cells[place];
            self.hashes[usize::from(CLASS[kind as usize])] ^= key(place, kind);
        }
        self.hashes[0] = 0;
    }
}

impl<const N: usize, const B: usize> PartialEq for Cave<N, B> {
    /// The same position after as many frames. Which cells are known to sleep does not matter.
    fn eq(&self, other: &Self) -> bool {
        let scalars = |cave: &Self| {
            (
                (cave.tick, cave.magic_left, cave.amoeba_left, cave.miner, cave.gathered, cave.missing),
                (cave.birth_left, cave.seed, cave.amoeba, cave.magic, cave.open, cave.strong, cave.doomed),
                (cave.ending, cave.stage, cave.view),
            )
        };
        self.hashes[1..] == other.hashes[1..] && scalars(self) == scalars(other) && self.cells == other.cells
    }
}

impl<const N: usize, const B: usize> Eq for Cave<N, B> {}

impl<const N: usize, const B: usize> std::fmt::Debug for Cave<N, B> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let text: String = self.cells.iter().map(|kind| kind.exact_char()).collect();
        write!(f, "{text}, gathered {}, missing {}, {:?}", self.gathered, self.missing, self.ending)
    }
}
