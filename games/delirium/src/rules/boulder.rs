//! One frame of Boulder Dash, as the community's reference engine plays it.
//!
//! The cave is scanned from the top left to the bottom right and changed in place; what has moved is not scanned again. So
//! whatever stands further up acts on what it sees before those further down have moved.
//!
//! Something that moved into a cell is *done* until the scan passes it, or the frame ends if the scan has passed it
//! already. In that time it is not hit by what falls, nothing rolls off it, amoeba does not blow up monsters, and slime does
//! not let it pass.

mod creatures;
pub(crate) mod fate;
pub(crate) mod ground;
mod life;
pub(crate) mod options;
mod things;

pub(crate) use life::next_c64;

use crate::board::Ending;
use crate::cave::{CLASS, Cave, Magic, Place, key};
use crate::kind::Kind;
use crate::rules::Action;
use damier_core::grid::Dir;
use fate::{Fate, GROWTH};
use ground::{EAST, Ground, NORTH, SOUTH, STEPS, WEST, Way};

/// What the player of the game does in a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Deed {
    /// Where the miner turns; diagonally only where the cave allows it.
    pub way: Option<Way>,
    /// Does the miner reach out instead of walking?
    pub digs: bool,
}

impl From<Action> for Deed {
    fn from(action: Action) -> Self {
        let way = |dir| match dir {
            Dir::North => NORTH,
            Dir::East => EAST,
            Dir::South => SOUTH,
            Dir::West => WEST,
        };
        match action {
            Action::Stay | Action::Look => Self { way: None, digs: false },
            Action::Go(dir) => Self { way: Some(way(dir)), digs: false },
            Action::Dig(dir) => Self { way: Some(way(dir)), digs: true },
        }
    }
}

/// Properties of kinds, a bit each.
pub(super) type Traits = u16;
/// Things roll off it.
const SLOPED: Traits = 1;
/// What falls on it sets it off.
const BRITTLE: Traits = 2;
/// Monsters beside it explode.
const TOUCHY: Traits = 4;
/// Explosions spare it.
const LASTING: Traits = 8;
/// Amoeba eats it.
const EDIBLE: Traits = 16;
/// It is done after a move, until the scan passes it.
const MOVER: Traits = 32;
/// A thing at rest.
const RESTING: Traits = 64;
/// A growing wall, or the second kind of amoeba.
const GROWER: Traits = 128;
/// Slime.
const SLIMY: Traits = 256;
/// The cave counts it.
const COUNTED: Traits = 512;
/// Amoeba whose cells with something to eat are known.
const EATER: Traits = 1024;

/// The properties of every kind.
const TRAITS: [Traits; Kind::COUNT] = {
    let mut traits = [0; Kind::COUNT];
    traits[Kind::Empty as usize] = EDIBLE;
    traits[Kind::Dirt as usize] = EDIBLE;
    traits[Kind::Border as usize] = LASTING;
    traits[Kind::Wall as usize] = SLOPED;
    traits[Kind::Rock as usize] = SLOPED | MOVER | RESTING;
    traits[Kind::Diamond as usize] = SLOPED | MOVER | RESTING;
    traits[Kind::FallingRock as usize] = MOVER;
    traits[Kind::FallingDiamond as usize] = MOVER;
    traits[Kind::Miner as usize] = BRITTLE | TOUCHY | MOVER | COUNTED;
    traits[Kind::Inbox as usize] = COUNTED;
    traits[Kind::Birth1 as usize] = COUNTED;
    traits[Kind::Birth2 as usize] = COUNTED;
    traits[Kind::Birth3 as usize] = COUNTED;
    traits[Kind::Doll as usize] = TOUCHY;
    traits[Kind::Amoeba as usize] = TOUCHY | MOVER | EATER | COUNTED;
    traits[Kind::Amoeba2 as usize] = TOUCHY | MOVER | GROWER | COUNTED;
    traits[Kind::Slime as usize] = SLIMY;
    traits[Kind::GrowingAcross as usize] = MOVER | GROWER;
    traits[Kind::GrowingUp as usize] = MOVER | GROWER;
    traits[Kind::Growing as usize] = MOVER | GROWER;
    let mut kind = Kind::RedLeft as usize;
    while kind <= Kind::BlueDown as usize {
        traits[kind] = BRITTLE | MOVER | COUNTED;
        kind += 1;
    }
    let mut kind = Kind::Blast1 as usize;
    while kind <= Kind::Nitro4 as usize {
        traits[kind] = MOVER;
        kind += 1;
    }
    traits
};

/// Plays one frame. Returns the cells that have changed, a bit each.
#[inline]
pub(crate) fn frame<const N: usize, const B: usize>(
    ground: &Ground,
    cave: &mut Cave<N, B>,
    deed: Deed,
    fate: &mut impl Fate,
) -> [u64; B] {
    if ground.around.is_empty() && ground.options.gravity == SOUTH {
        Scan::<_, N, B, true>::new(ground, cave, deed, fate).run()
    } else {
        Scan::<_, N, B, false>::new(ground, cave, deed, fate).run()
    }
}

/// One scan of a cave; a `PLAIN` one has no open edges, and things fall down.
struct Scan<'a, F, const N: usize, const B: usize, const PLAIN: bool> {
    ground: &'a Ground,
    /// The columns of the cave.
    width: usize,
    cave: &'a mut Cave<N, B>,
    fate: &'a mut F,
    deed: Deed,
    /// The cells that hold something which has moved: those that the scan had passed by then, which are done to the end of
    /// the frame, and those ahead of it, which are done until it passes them.
    done: [[u64; B]; 2],
    /// The cells that have changed.
    changed: [u64; B],
    /// The cell that the scan has come to.
    here: Place,
    /// The words ahead that hold cells which may have something to do, a bit each.
    busy: u64,
    /// The next inbox stays closed.
    inbox_waits: bool,
    /// Has the miner left by the exit?
    left: bool,
    /// What killed the last miner that died.
    death: Ending,
    /// How many of the next cells of amoeba that have something to eat try to grow in vain.
    failing: u32,
    /// Have both kinds of amoeba found anything to eat?
    fed: [bool; 2],
    /// How many cells of both kinds the scan has come to, or will.
    counted: [u16; 2],
    /// Has a doll been hurt?
    hurt: bool,
}

impl<'a, F: Fate, const N: usize, const B: usize, const PLAIN: bool> Scan<'a, F, N, B, PLAIN> {
    fn new(ground: &'a Ground, cave: &'a mut Cave<N, B>, deed: Deed, fate: &'a mut F) -> Self {
        cave.tick += 1;
        Self {
            inbox_waits: cave.tick % 2 == 1,
            counted: cave.amoebas,
            width: ground.size.width.into(),
            ground,
            cave,
            fate,
            deed,
            done: [[0; B]; 2],
            changed: [0; B],
            here: 0,
            busy: 0,
            left: false,
            death: Ending::Blasted,
            failing: 0,
            fed: [false; 2],
            hurt: false,
        }
    }

    fn run(mut self) -> [u64; B] {
        if PLAIN && B <= 64 {
            self.busy = self.busy_words();
            while self.busy != 0 {
                let word = self.busy.trailing_zeros() as usize;
                self.busy &= self.busy - 1;
                self.scan_word(word);
                // What moves wakes nothing beyond the next row.
                let next = (word + 1) & (B - 1);
                self.busy |= u64::from(self.waits(next) && next > word) << next;
            }
        } else {
            (0..B).for_each(|word| self.scan_word(word));
        }
        self.end();
        self.changed
    }

    /// Scans all that is left of the cave, whether or not it had something to do before.
    fn skip_nothing(&mut self) {
        let all = u64::MAX >> (64 - B.min(64));
        self.busy = (u64::MAX << (self.here >> 6 & 63)) << 1 & all;
    }

    /// The words that hold cells which may have something to do, a bit each.
    #[inline(always)]
    fn busy_words(&self) -> u64 {
        (0..B).fold(0, |busy, word| busy | u64::from(self.waits(word)) << (word & 63))
    }

    #[inline(always)]
    fn waits(&self, word: usize) -> bool {
        self.cave.active[word] | self.cave.fringe[word] != 0
    }

    /// Scans 64 cells: the active ones, and those of amoeba that try to grow.
    #[inline(always)]
    fn scan_word(&mut self, word: usize) {
        let mut ahead = self.ground.scanned_in(word);
        loop {
            let (active, fringe, done) = (self.cave.active[word], self.cave.fringe[word], self.done[1][word]);
            let waiting = active & !done & ahead;
            if fringe & ahead != 0 {
                // Those before the next active cell.
                let growing = fringe & !done & ahead & !waiting & waiting.wrapping_sub(1);
                let cells = growing.count_ones();
                if cells > self.failing {
                    let bit = self.grow_first_of(word << 6, growing);
                    ahead &= (u64::MAX << bit) << 1;
                    continue;
                }
                self.failing -= cells;
                self.fed[0] |= cells > 0;
            }
            if waiting == 0 {
                return;
            }
            let bit = waiting.trailing_zeros();
            ahead &= (u64::MAX << bit) << 1;
            self.here = word << 6 | bit as usize;
            self.cave.active[word] &= !(1 << bit);
            self.visit(self.here);
        }
    }

    #[inline(always)]
    fn visit(&mut self, place: Place) {
        let kind = self.at(place);
        if kind as u8 & !7 == Kind::RedLeft as u8 {
            return self.monster(place, kind);
        }
        match kind {
            Kind::Miner => self.miner(place),
            Kind::Rock => self.rest(place, Kind::Rock, Kind::FallingRock),
            Kind::Diamond => self.rest(place, Kind::Diamond, Kind::FallingDiamond),
            Kind::FallingRock => self.fly(place, Kind::FallingRock, Kind::Rock),
            Kind::FallingDiamond => self.fly(place, Kind::FallingDiamond, Kind::Diamond),
            kind => self.other(place, kind),
        }
    }

    /// What does not happen in every frame.
    #[inline(never)]
    fn other(&mut self, place: Place, kind: Kind) {
        match kind {
            Kind::Amoeba | Kind::Amoeba2 => self.amoeba(place, kind),
            Kind::Slime => self.slime(place),
            Kind::GrowingAcross | Kind::GrowingUp | Kind::Growing => self.growing_wall(place, kind),
            Kind::Inbox => self.inbox(place),
            Kind::Birth1 => self.be_born(place, Kind::Birth2),
            Kind::Birth2 => self.be_born(place, Kind::Birth3),
            Kind::Birth3 => {
                self.be_born(place, Kind::Miner);
                self.cave.miner = place as u16;
            }
            Kind::Exit if self.cave.open => self.put(place, Kind::OpenExit),
            Kind::HiddenExit if self.cave.open => self.put(place, Kind::OpenHiddenExit),
            kind if kind.is_blast() => self.burn(place, kind),
            _ => {}
        }
    }

    #[inline(always)]
    fn at(&self, place: Place) -> Kind {
        self.cave.cells[place & (N - 1)]
    }

    #[inline(always)]
    fn traits(&self, place: Place) -> Traits {
        TRAITS[self.at(place) as usize]
    }

    #[inline(always)]
    fn is_free(&self, place: Place) -> bool {
        self.at(place) == Kind::Empty
    }

    /// Where things fall.
    #[inline(always)]
    fn down(&self) -> Way {
        if PLAIN { SOUTH } else { self.ground.options.gravity }
    }

    /// The cell beside another one.
    #[inline(always)]
    fn beside(&self, place: Place, way: Way) -> Place {
        if PLAIN {
            let (x, y) = STEPS[way & 7];
            place.wrapping_add_signed(isize::from(y) * self.width as isize + isize::from(x))
        } else {
            self.ground.beside(place, way)
        }
    }

    #[inline(always)]
    fn is_done(&self, place: Place) -> bool {
        let done = &self.done[usize::from(place > self.here)];
        done[place >> 6 & (B - 1)] >> (place & 63) & 1 != 0
    }

    #[inline(always)]
    fn note_change(&mut self, place: Place) {
        self.changed[place >> 6 & (B - 1)] |= 1 << (place & 63);
    }

    /// What a cell holds has moved. What changes where the scan is has not.
    #[inline(always)]
    fn mark_done(&mut self, place: Place) {
        let done = &mut self.done[usize::from(place > self.here)];
        done[place >> 6 & (B - 1)] |= u64::from(place != self.here) << (place & 63);
    }

    /// Changes what a cell holds, and the hashes with it: what did it hold? Counts are the caller's.
    #[inline(always)]
    fn set(&mut self, place: Place, kind: Kind) -> Kind {
        let old = std::mem::replace(&mut self.cave.cells[place & (N - 1)], kind);
        self.cave.hashes[usize::from(CLASS[old as usize]) & 3] ^= key(place, old);
        self.cave.hashes[usize::from(CLASS[kind as usize]) & 3] ^= key(place, kind);
        self.note_change(place);
        old
    }

    /// Something becomes something else, where that is no move: counts both.
    fn count(&mut self, place: Place, old: Kind, kind: Kind) {
        let (gone, come) = (old.is_monster(), kind.is_monster());
        self.cave.monsters = self.cave.monsters.wrapping_add(come.into()).wrapping_sub(gone.into());
        let (gone, come) = (old.is_miner(), kind.is_miner());
        self.cave.miners = self.cave.miners.wrapping_add(come.into()).wrapping_sub(gone.into());
        if matches!((old, kind), (Kind::Amoeba | Kind::Amoeba2, _) | (_, Kind::Amoeba | Kind::Amoeba2)) {
            self.count_amoeba(place, old, kind);
        }
    }

    #[cold]
    fn count_amoeba(&mut self, place: Place, old: Kind, kind: Kind) {
        for (index, amoeba) in [Kind::Amoeba, Kind::Amoeba2].into_iter().enumerate() {
            let scanned = self.ground.scans(place);
            self.cave.amoebas[index] += u16::from(scanned && kind == amoeba);
            if old == amoeba && scanned {
                self.cave.amoebas[index] -= 1;
                let uncounted = place > self.here && !self.is_done(place);
                self.counted[index] -= u16::from(uncounted);
            }
        }
    }

    /// Puts something into a cell: it has something to do from the next frame on.
    #[inline(always)]
    fn put(&mut self, place: Place, kind: Kind) {
        let old = self.set(place, kind);
        self.cave.wake(place);
        if TRAITS[kind as usize] & MOVER != 0 {
            self.mark_done(place);
        }
        if TRAITS[old as usize] & EDIBLE != 0 {
            self.occupy(place);
        }
    }

    /// A cell that could be eaten holds something else: amoeba beside it may have nothing to eat any more.
    #[inline(always)]
    fn occupy(&mut self, place: Place) {
        if self.feeds_amoeba(place) {
            self.starve(place);
        }
    }

    /// Is amoeba beside a cell?
    #[inline(always)]
    fn feeds_amoeba(&self, place: Place) -> bool {
        let beside = || GROWTH.map(|way| self.traits(self.beside(place, way)));
        self.cave.amoebas[0] > 0 && beside().into_iter().fold(0, |all, traits| all | traits) & EATER != 0
    }

    #[cold]
    fn starve(&mut self, place: Place) {
        for way in GROWTH {
            self.look_for_food(self.beside(place, way));
        }
    }

    /// As [`put`](Self::put), where what came may also change what its neighbours can do.
    fn place(&mut self, place: Place, kind: Kind) {
        let kind = if self.ground.options.long_blasts { kind } else { short(kind) };
        if place != self.here {
            // What was dug or blasted wakes its neighbours, which may be more than a row away from here.
            self.skip_nothing();
        }
        let old = self.at(place);
        if (TRAITS[old as usize] | TRAITS[kind as usize]) & COUNTED != 0 {
            self.count(place, old, kind);
        }
        if kind == Kind::Empty {
            self.vacate(place);
        } else {
            self.put(place, kind);
            self.wake_around(place);
        }
        if self.cave.amoebas[0] > 0 || old == Kind::Amoeba {
            self.look_for_food(place);
            for way in GROWTH {
                self.look_for_food(self.beside(place, way));
            }
        }
    }

    /// Something moves into an empty cell: the cell that it leaves is free. It is of the same class before and after.
    #[inline(always)]
    fn shift(&mut self, from: Place, to: Place, old: Kind, kind: Kind) {
        debug_assert!(self.at(from) == old && self.is_free(to) && TRAITS[kind as usize] & MOVER != 0);
        // Asked before anything changes, so that what the caller has looked at is not read again.
        let (feeds, wakes) = (self.feeds_amoeba(to), self.may_wake(from));
        let cave = &mut *self.cave;
        (cave.cells[from & (N - 1)], cave.cells[to & (N - 1)]) = (Kind::Empty, kind);
        cave.hashes[usize::from(CLASS[kind as usize]) & 3] ^= key(from, old) ^ key(to, kind);
        cave.wake(to);
        self.note_change(from);
        self.note_change(to);
        self.mark_done(to);
        if feeds {
            self.starve(to);
        }
        if wakes {
            self.wake_sleepers(from);
        }
    }

    /// Empties a cell, and wakes what that may set in motion.
    #[inline(always)]
    fn vacate(&mut self, place: Place) {
        self.set(place, Kind::Empty);
        if self.may_wake(place) {
            self.wake_sleepers(place);
        }
    }

    /// Is something near a cell that may be set in motion when that is emptied: things above and beside it, walls and amoeba
    /// that grow, slime?
    #[inline(always)]
    fn may_wake(&self, place: Place) -> bool {
        let down = self.down();
        let traits = |turn| self.traits(self.beside(place, down + turn));
        let near = traits(2) | traits(3) | traits(4) | traits(5) | traits(6);
        near & (RESTING | GROWER | SLIMY | EATER) | traits(0) & (GROWER | EATER) != 0
    }

    /// A thing rolls into the emptied cell from the side if the cell below is free too, and past it from above if the cell
    /// above is. If that becomes free later, it is emptied itself.
    fn wake_sleepers(&mut self, place: Place) {
        let down = self.down();
        let [below, left, upper_left, above, upper_right, right] =
            [0, 2, 3, 4, 5, 6].map(|turn| self.beside(place, down + turn));
        self.wake_if(above, RESTING | GROWER | SLIMY);
        let rolls_in = if self.is_free(below) { RESTING } else { 0 };
        for side in [left, right] {
            self.wake_if(side, rolls_in | GROWER);
        }
        if self.is_free(above) {
            self.wake_if(upper_left, RESTING);
            self.wake_if(upper_right, RESTING);
        }
        self.wake_if(below, GROWER);
        for place in [left, above, right, below] {
            let eats = u64::from(self.traits(place) & EATER != 0);
            self.cave.fringe[place >> 6 & (B - 1)] |= eats << (place & 63);
        }
    }

    #[inline(always)]
    fn wake_if(&mut self, place: Place, traits: Traits) {
        let wakes = self.traits(place) & traits != 0;
        self.cave.active[place >> 6 & (B - 1)] |= u64::from(wakes) << (place & 63);
    }

    /// A thing lies in a cell now: what lies on it may roll off, and slime below may let it pass.
    fn wake_pile(&mut self, place: Place) {
        let down = self.down();
        self.wake_if(self.beside(place, down + 4), RESTING);
        self.wake_if(self.beside(place, down), SLIMY);
    }

    fn wake_around(&mut self, place: Place) {
        for way in 0..8 {
            self.wake_if(self.beside(place, way), RESTING | GROWER | SLIMY);
        }
    }

    /// After the scan: amoeba, timers, birth, and how the frame ended.
    #[inline(always)]
    fn end(&mut self) {
        self.cave.doomed |= self.hurt;
        if self.cave.amoebas != [0; 2] || self.counted != [0; 2] {
            self.judge_amoeba();
        }
        if self.cave.magic == Magic::Active && self.cave.birth_left == 0 {
            self.cave.magic_left = self.cave.magic_left.saturating_sub(1);
            if self.cave.magic_left == 0 {
                self.cave.magic = Magic::Expired;
            }
        }
        if self.cave.birth_left > 0 {
            self.cave.birth_left -= 1;
            if self.cave.birth_left == 0 {
                self.count_diamonds();
            }
        }
        if self.left {
            self.cave.ending = Some(Ending::Won);
        } else if self.cave.miners == 0 {
            self.cave.ending.get_or_insert(self.death);
        } else if !self.at(self.cave.miner.into()).is_miner() {
            self.find_miner();
        }
    }

    /// When the miner is born, where all diamonds but a few are needed.
    #[cold]
    fn count_diamonds(&mut self) {
        let Some(spare) = self.ground.options.need_all_but else { return };
        let cells = &self.cave.cells[..self.ground.cells()];
        let diamonds = cells.iter().filter(|kind| kind.at_rest() == Kind::Diamond).count() as u16;
        self.cave.missing = diamonds.saturating_sub(spare);
        if self.cave.missing == 0 {
            self.open_exit();
        }
    }

    #[cold]
    fn find_miner(&mut self) {
        let cells = &self.cave.cells[..self.ground.cells()];
        if let Some(place) = cells.iter().rposition(|kind| kind.is_miner()) {
            self.cave.miner = place as u16;
        }
    }
}

/// The second step of an explosion, with which short ones begin.
const fn short(kind: Kind) -> Kind {
    match kind {
        Kind::Blast1 => Kind::Blast2,
        Kind::Spark1 => Kind::Spark2,
        Kind::Bomb1 => Kind::Bomb2,
        Kind::Nitro1 => Kind::Nitro2,
        other => other,
    }
}
