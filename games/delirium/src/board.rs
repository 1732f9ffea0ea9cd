//! The cells of a map as four bits each, a plane a bit, a word a row.
//!
//! ```text
//! row of the map      #_.rr_d#
//! plane a             00011010      loose things, creatures, slippery walls
//! plane b             10111010      loose things, grass, border, exit, explosions
//! plane c             00000000      creatures, slippery walls, things in flight: see the numbers of Kind
//! plane d             10000010
//! ```
//!
//! All rocks of a row that can fall are one `and` of two rows; a map of 40 by 24 fits into less than a kilobyte; a copy is
//! a plain copy. The edge of a board is always border, so no step looks outside.

use std::fmt::Debug;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, Not, Shl, Shr};

use damier_core::grid::Dir;
use damier_core::random::{Chance, mix, zobrist};

use crate::kind::Kind;
use crate::rules::{Action, Ground};

/// A row of bits: the width that a board can have, and how it numbers its cells.
pub trait Word:
    Copy
    + Eq
    + Debug
    + Default
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + BitAndAssign
    + BitOrAssign
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
    + Send
    + Sync
    + 'static
{
    /// The base-2 logarithm of the number of bits.
    const LOG: u32;
    /// No bit.
    const ZERO: Self;
    /// The lowest bit.
    const ONE: Self;
    /// The steps to the neighbours: none, then north, east, south, west.
    const STEPS: [Spot; 8];
    /// How a monster or an explosion is stored: its spot and five bits more.
    type Being: Copy + Ord + Debug + Default + From<u16> + Into<u32> + Send + Sync + 'static;

    /// A monster or an explosion from its number.
    fn being(number: u32) -> Self::Being;
    /// The number of the lowest bit that is set; there must be one.
    fn lowest(self) -> u32;
    /// The number of the highest bit that is set; there must be one.
    fn highest(self) -> u32;
    /// Sixty-four bits of it, from a bit on.
    fn low64(self) -> u64;
    /// A word from its lowest bits.
    fn from_low(bits: u64) -> Self;

    /// The exact position that a board of this word is a picture of: nothing, or a cave.
    type Exact: Exact;
}

/// The exact position behind a board: under the course's rules there is none, the board is the position.
pub trait Exact: Copy + Send + Sync + 'static {
    /// Is it a cave? Then only single rocks are pushed, to the sides, and with luck.
    const IS_CAVE: bool;
    /// A position of no use yet.
    fn none() -> Self;
    /// Plays a frame of Boulder Dash, and draws it on the board.
    fn play<W: Word<Exact = Self>, const H: usize, const M: usize>(
        board: &mut Board<W, H, M>,
        ground: &Ground,
        action: Action,
        chance: &mut dyn Chance,
    );
    /// The hash of the exact position.
    fn hash(&self) -> u64;
    /// The magic walls that may turn rocks into diamonds, as column and row on the board.
    fn mills(&self, ground: &Ground) -> Vec<(u16, u16)>;
    /// Is there amoeba?
    fn has_amoeba(&self) -> bool;
}

impl Exact for () {
    const IS_CAVE: bool = false;

    fn none() -> Self {}

    fn play<W: Word<Exact = Self>, const H: usize, const M: usize>(
        _board: &mut Board<W, H, M>,
        _ground: &Ground,
        _action: Action,
        _chance: &mut dyn Chance,
    ) {
        unreachable!("a cave is played on a board that holds it");
    }

    fn hash(&self) -> u64 {
        0
    }

    fn mills(&self, _ground: &Ground) -> Vec<(u16, u16)> {
        Vec::new()
    }

    fn has_amoeba(&self) -> bool {
        false
    }
}

macro_rules! word {
    ($word:ty, $being:ty) => {
        impl Word for $word {
            const LOG: u32 = <$word>::BITS.ilog2();
            const ZERO: Self = 0;
            const ONE: Self = 1;
            const STEPS: [Spot; 8] = {
                let down = <$word>::BITS as Spot;
                [0, down.wrapping_neg(), 1, down, Spot::MAX, 0, 0, 0]
            };
            type Being = $being;

            #[inline]
            fn being(number: u32) -> $being {
                number as $being
            }
            #[inline]
            fn lowest(self) -> u32 {
                self.trailing_zeros()
            }
            #[inline]
            fn highest(self) -> u32 {
                Self::BITS - 1 - self.leading_zeros()
            }
            #[inline]
            fn low64(self) -> u64 {
                self as u64
            }
            #[inline]
            fn from_low(bits: u64) -> Self {
                Self::from(bits)
            }
            type Exact = ();
        }
    };
}
word!(u64, u16);
word!(u128, u32);

/// A cell's number on a board: the row times the word's bits, plus the column.
pub type Spot = u16;

/// The four planes of one row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Row<W> {
    pub(crate) a: W,
    pub(crate) b: W,
    pub(crate) c: W,
    pub(crate) d: W,
}

impl<W: Word> Row<W> {
    /// Nothing is there.
    #[inline]
    pub(crate) fn free(&self) -> W {
        !(self.a | self.b)
    }

    /// Rocks and diamonds at rest: what gravity may move.
    #[inline]
    pub(crate) fn loose(&self) -> W {
        self.a & self.b & !self.c
    }

    /// Rocks and diamonds, at rest or in flight.
    #[inline]
    pub(crate) fn things(&self) -> W {
        self.a & self.b
    }

    /// Things slide off: rocks and diamonds at rest, and the walls that are no border.
    #[inline]
    pub(crate) fn slippery(&self) -> W {
        self.a & ((self.b & !self.c) | (!self.b & self.c & self.d))
    }

    /// The miner and the monsters.
    #[inline]
    pub(crate) fn creatures(&self) -> W {
        self.a & !self.b & !(self.c & self.d)
    }

    /// The monsters.
    #[inline]
    pub(crate) fn monsters(&self) -> W {
        self.a & !self.b & !self.d
    }

    #[inline]
    pub(crate) fn kind(&self, x: u32) -> Kind {
        let bit = |plane: W| ((plane >> x).low64() & 1) as u8;
        Kind::from_number(bit(self.a) << 3 | bit(self.b) << 2 | bit(self.c) << 1 | bit(self.d))
    }

    #[inline]
    pub(crate) fn clear(&mut self, mask: W) {
        self.a &= !mask;
        self.b &= !mask;
        self.c &= !mask;
        self.d &= !mask;
    }

    /// Adds a thing to cells that hold nothing.
    #[inline]
    pub(crate) fn add(&mut self, mask: W, kind: Kind) {
        let plane = |bit: u8| if kind as u8 & bit == 0 { W::ZERO } else { mask };
        self.a |= plane(8);
        self.b |= plane(4);
        self.c |= plane(2);
        self.d |= plane(1);
    }
}

/// How a game on one map ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Ending {
    /// The miner left by the exit.
    Won,
    /// Something fell on the miner.
    Crushed,
    /// A monster touched the miner.
    Caught,
    /// The miner stood in an explosion.
    Blasted,
    /// The time limit passed.
    Late,
}

/// A monster on a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Walker {
    /// Where it is.
    pub spot: Spot,
    /// Is it blue?
    pub blue: bool,
    /// Where it walks; nowhere before its first step.
    pub heading: Option<Dir>,
}

/// The bit of a packed monster that says it is blue, and of a packed explosion that it leaves diamonds.
pub(crate) const BLUE: u32 = 8;

impl Walker {
    #[inline]
    pub(crate) fn pack<W: Word>(self) -> W::Being {
        let heading = self.heading.map_or(0, |dir| dir as u32 + 1);
        W::being(u32::from(self.spot) << 5 | u32::from(self.blue) << 3 | heading)
    }

    #[inline]
    pub(crate) fn unpack<W: Word>(being: W::Being) -> Self {
        let number: u32 = being.into();
        let heading = (number & 7).checked_sub(1).map(|dir| Dir::from_index(dir as u8));
        Self { spot: (number >> 5) as Spot, blue: number & BLUE != 0, heading }
    }
}

/// An explosion under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Explosion {
    /// Its centre.
    pub spot: Spot,
    /// Does it leave diamonds?
    pub diamonds: bool,
    /// The ticks until it is over, at least one.
    pub ticks: u8,
}

impl Explosion {
    #[inline]
    pub(crate) fn pack<W: Word>(self) -> W::Being {
        W::being(u32::from(self.spot) << 5 | u32::from(self.diamonds) << 3 | u32::from(self.ticks))
    }

    #[inline]
    fn unpack<W: Word>(being: W::Being) -> Self {
        let number: u32 = being.into();
        Self { spot: (number >> 5) as Spot, diamonds: number & BLUE != 0, ticks: (number & 7) as u8 }
    }
}

/// A position on one map: `H` rows of one word, at most `M` monsters and explosions. A plain value.
#[derive(Clone, Copy)]
pub struct Board<W: Word, const H: usize, const M: usize> {
    pub(crate) rows: [Row<W>; H],
    /// Zobrist hash of all things that are neither creature nor grass, kept up to date change by change.
    pub(crate) hash: u64,
    /// Zobrist hash of the grass.
    pub(crate) grass_hash: u64,
    /// The rows in which something may fall or slide: all others are known to rest.
    pub(crate) awake: W,
    /// The ticks played.
    pub(crate) tick: u32,
    pub(crate) miner: Spot,
    /// Diamonds gathered on this map.
    pub(crate) gathered: u16,
    /// Diamonds still needed before the exit opens.
    pub(crate) missing: u16,
    /// The number of monsters, the first so many of `beings`, by their spots.
    pub(crate) monsters: u16,
    /// The number of explosions, the next so many of `beings`, the oldest first.
    pub(crate) explosions: u16,
    pub(crate) ending: Option<Ending>,
    /// The number of the map in a sequence.
    pub(crate) stage: u8,
    /// Half the size of the view; nothing for the whole map.
    pub(crate) view: (u8, u8),
    pub(crate) beings: [W::Being; M],
    /// Of a cave, the diamonds that may be made of something other than blue monsters, at most.
    pub(crate) makeable: u32,
    /// May walls open without an explosion of a monster?
    pub(crate) unstable: bool,
    /// Is there a way around the edges that the board does not show?
    pub(crate) open_edges: bool,
    /// The exact position that this is a picture of.
    pub(crate) exact: W::Exact,
}

/// The stream of Zobrist keys of the things in cells.
const THINGS: u64 = 0x6465_6c69_7269_0001;
/// The stream of Zobrist keys of everything else.
const REST: u64 = 0x6465_6c69_7269_0002;

/// The key of a thing in a cell; nothing and creatures have none, for creatures are hashed by their list.
#[inline]
pub(crate) fn key(spot: Spot, kind: Kind) -> u64 {
    match kind {
        Kind::Empty | Kind::Miner | Kind::Red | Kind::Blue => 0,
        _ => zobrist(THINGS, u64::from(spot) << 4 | kind as u64),
    }
}

/// The step to the neighbouring spot.
#[inline]
pub(crate) const fn delta<W: Word>(dir: Dir) -> Spot {
    W::STEPS[dir as usize + 1]
}

/// The row of a spot.
#[inline]
pub(crate) const fn row_of<W: Word>(spot: Spot) -> usize {
    (spot >> W::LOG) as usize
}

/// The column of a spot.
#[inline]
pub(crate) const fn column_of<W: Word>(spot: Spot) -> u32 {
    (spot & ((1 << W::LOG) - 1)) as u32
}

/// The rows above, at and below a spot, and its column.
#[inline]
pub(crate) fn three_rows<W: Word, const H: usize>(rows: &[Row<W>; H], spot: Spot) -> (&[Row<W>; 3], u32) {
    let y = row_of::<W>(spot);
    // One check instead of three.
    assert!(y.wrapping_sub(1) < H - 2, "nothing moves on the board's edge");
    let Some(rows) = rows[y - 1..].first_chunk() else { unreachable!() };
    (rows, column_of::<W>(spot))
}

impl<W: Word, const H: usize, const M: usize> Board<W, H, M> {
    /// Does a copy cost more than a tick? Searches then ask the clock more often.
    pub(crate) const IS_LARGE: bool = size_of::<Self>() > 8 << 10;

    /// A board that is all border.
    pub(crate) fn closed() -> Self {
        let all = !W::ZERO;
        let mut row = Row::default();
        row.add(all, Kind::Border);
        let mut board = Self {
            rows: [row; H],
            hash: 0,
            grass_hash: 0,
            awake: W::ZERO,
            tick: 0,
            miner: 0,
            gathered: 0,
            missing: 0,
            monsters: 0,
            explosions: 0,
            ending: None,
            stage: 0,
            view: (0, 0),
            beings: [W::Being::default(); M],
            makeable: 0,
            unstable: false,
            open_edges: false,
            exact: W::Exact::none(),
        };
        board.hash_anew();
        board
    }

    /// The spot at a column and row of the board.
    #[inline]
    pub(crate) const fn spot(x: u16, y: u16) -> Spot {
        y << W::LOG | x
    }

    /// The spot beside another one. Only a spot on the board's edge, which is border, has none.
    #[inline]
    pub fn beside(spot: Spot, dir: Dir) -> Spot {
        spot.wrapping_add(delta::<W>(dir))
    }

    /// What a cell holds, every monster as a red one: only the list of monsters knows their colours.
    #[inline]
    pub fn kind(&self, spot: Spot) -> Kind {
        self.rows[row_of::<W>(spot)].kind(column_of::<W>(spot))
    }

    /// Is a blue monster there?
    pub(crate) fn is_blue(&self, spot: Spot) -> bool {
        self.walkers().any(|walker| walker.spot == spot && walker.blue)
    }

    /// Where the miner is.
    #[inline]
    pub fn miner(&self) -> Spot {
        self.miner
    }

    /// The monsters, in the order in which they move.
    pub fn walkers(&self) -> impl ExactSizeIterator<Item = Walker> + '_ {
        self.beings[..usize::from(self.monsters)].iter().map(|&being| Walker::unpack::<W>(being))
    }

    /// The explosions, the oldest first.
    pub fn explosions(&self) -> impl ExactSizeIterator<Item = Explosion> + '_ {
        let first = usize::from(self.monsters);
        self.beings[first..first + usize::from(self.explosions)]
            .iter()
            .map(|&being| Explosion::unpack::<W>(being))
    }

    /// Changes what a cell holds, and the hash with it. Lists of creatures are the caller's.
    #[inline]
    pub(crate) fn put(&mut self, spot: Spot, kind: Kind) {
        self.toggle(spot, self.kind(spot));
        self.toggle(spot, kind);
        self.paint(spot, kind);
    }

    /// Something comes to a cell or goes: changes the hash that it belongs to.
    #[inline]
    fn toggle(&mut self, spot: Spot, kind: Kind) {
        let hash = if kind == Kind::Dirt { &mut self.grass_hash } else { &mut self.hash };
        *hash ^= key(spot, kind);
    }

    /// Changes what a cell holds and leaves the hash to the caller. All monsters are red here, for what is of one plane
    /// moves in one plane.
    #[inline]
    pub(crate) fn paint(&mut self, spot: Spot, kind: Kind) {
        debug_assert_ne!(kind, Kind::Blue, "only the list of monsters knows their colours");
        let row = &mut self.rows[row_of::<W>(spot)];
        let mask = W::ONE << column_of::<W>(spot);
        row.clear(mask);
        row.add(mask, kind);
    }

    /// Is a thing above or beside a cell, or beside the one above? If so, one of three bits is set.
    #[inline]
    pub(crate) fn things_near(&self, spot: Spot) -> u64 {
        let (rows, x) = three_rows(&self.rows, spot);
        ((rows[0].things() | rows[1].things()) >> (x - 1)).low64() & 0b111
    }

    /// A cell has become free: wakes the rows of things that this sets in motion.
    #[inline]
    pub(crate) fn wake_around(&mut self, spot: Spot) {
        if self.things_near(spot) != 0 {
            self.awake |= movable(&self.rows, spot);
        }
    }

    /// Nothing is known of any row.
    pub(crate) fn wake_all(&mut self) {
        self.awake = !W::ZERO >> ((1 << W::LOG) - H as u32);
    }

    /// Something has come to rest in a row, or left it, or both: wakes it and its neighbours.
    #[inline]
    pub(crate) fn wake_rows_near(&mut self, y: usize) {
        self.awake |= (W::ONE | W::ONE << 1 | W::ONE << 2) << (y as u32 - 1);
    }

    /// Adds a monster. There must be room for it.
    pub(crate) fn add_walker(&mut self, walker: Walker) {
        debug_assert_eq!(self.explosions, 0, "monsters come before explosions");
        self.put(walker.spot, Kind::Red);
        self.beings[usize::from(self.monsters)] = walker.pack::<W>();
        self.monsters += 1;
        self.sort_walkers();
    }

    /// Restores the order of the monsters by their spots: nearly sorted before, so insertion is quick.
    #[inline]
    pub(crate) fn sort_walkers(&mut self) {
        let walkers = &mut self.beings[..usize::from(self.monsters)];
        for sorted in 1..walkers.len() {
            let walker = walkers[sorted];
            let mut hole = sorted;
            while hole > 0 && walkers[hole - 1] > walker {
                walkers[hole] = walkers[hole - 1];
                hole -= 1;
            }
            walkers[hole] = walker;
        }
    }

    /// Takes the monster at a spot out of the list, if there is one: is it blue? The cell is the caller's.
    pub(crate) fn take_walker(&mut self, spot: Spot) -> Option<bool> {
        let index = self.walkers().position(|walker| walker.spot == spot)?;
        let blue = Walker::unpack::<W>(self.beings[index]).blue;
        let end = usize::from(self.monsters + self.explosions);
        self.beings.copy_within(index + 1..end, index);
        self.monsters -= 1;
        Some(blue)
    }

    /// Sets off an explosion: three by three cells, all but the border. Creatures in it die.
    pub(crate) fn explode(&mut self, explosion: Explosion) {
        for spot in three_by_three::<W>(explosion.spot) {
            match self.kind(spot) {
                Kind::Border => continue,
                Kind::Miner => {
                    self.ending.get_or_insert(Ending::Blasted);
                }
                Kind::Red | Kind::Blue => {
                    self.take_walker(spot);
                }
                _ => {}
            }
            self.put(spot, Kind::Blast);
        }
        self.beings[usize::from(self.monsters + self.explosions)] = explosion.pack::<W>();
        self.explosions += 1;
    }

    /// A tick passes for the explosions: those that are over leave empty cells or diamonds, except where a younger one
    /// still burns.
    pub(crate) fn burn(&mut self) {
        let first = usize::from(self.monsters);
        let mut index = first;
        while index < first + usize::from(self.explosions) {
            let explosion = Explosion::unpack::<W>(self.beings[index]);
            if explosion.ticks > 1 {
                self.beings[index] = Explosion { ticks: explosion.ticks - 1, ..explosion }.pack::<W>();
                index += 1;
            } else {
                let end = first + usize::from(self.explosions);
                self.beings.copy_within(index + 1..end, index);
                self.explosions -= 1;
                self.end_explosion(explosion, index);
            }
        }
    }

    fn end_explosion(&mut self, explosion: Explosion, younger: usize) {
        let left = if explosion.diamonds { Kind::Diamond } else { Kind::Empty };
        let end = usize::from(self.monsters + self.explosions);
        for spot in three_by_three::<W>(explosion.spot) {
            let burns = |&being: &W::Being| covers::<W>(Explosion::unpack::<W>(being).spot, spot);
            if self.kind(spot) == Kind::Blast && !self.beings[younger..end].iter().any(burns) {
                self.put(spot, left);
            }
        }
        let y = row_of::<W>(explosion.spot);
        self.wake_rows_near(y);
        self.wake_rows_near((y - 1).max(1));
    }

    /// The hash of everything that matters for the future; `phase` is what matters of the number of ticks.
    pub(crate) fn full_hash(&self, phase: u32) -> u64 {
        let count = usize::from(self.monsters + self.explosions);
        let beings = self.beings[..count].iter().fold(u64::from(self.monsters), |hash, &being| {
            let number: u32 = being.into();
            (hash ^ u64::from(number)).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29)
        });
        let scalars = u64::from(self.miner)
            | u64::from(self.missing) << 16
            | u64::from(self.view.0) << 32
            | u64::from(self.view.1) << 36
            | u64::from(self.stage) << 40
            | self.ending.map_or(0, |ending| ending as u64 + 1) << 48
            | u64::from(phase) << 52;
        mix(self.hash ^ self.grass_hash ^ zobrist(REST, scalars) ^ mix(beings))
    }

    /// Computes the hashes of the things in cells from scratch.
    pub(crate) fn hash_anew(&mut self) {
        (self.hash, self.grass_hash) = (0, 0);
        for spot in (0..H as u16).flat_map(|y| (0..1 << W::LOG).map(move |x| Self::spot(x, y))) {
            self.toggle(spot, self.kind(spot));
        }
    }
}

impl<W: Word, const H: usize, const M: usize> PartialEq for Board<W, H, M> {
    /// The same position after as many ticks. What is known of its rest does not matter.
    fn eq(&self, other: &Self) -> bool {
        let beings = |board: &Self| usize::from(board.monsters + board.explosions);
        let scalars = |board: &Self| {
            (
                (board.miner, board.gathered, board.missing, board.tick),
                (board.monsters, board.ending, board.stage, board.view),
            )
        };
        (self.hash, self.grass_hash) == (other.hash, other.grass_hash)
            && scalars(self) == scalars(other)
            && self.beings[..beings(self)] == other.beings[..beings(other)]
            && self.rows == other.rows
    }
}

impl<W: Word, const H: usize, const M: usize> Eq for Board<W, H, M> {}

impl<W: Word, const H: usize, const M: usize> Debug for Board<W, H, M> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for row in &self.rows {
            let text: String = (0..1 << W::LOG).map(|x| row.kind(x).char()).collect();
            writeln!(f, "{text}")?;
        }
        write!(f, "gathered {}, missing {}, {:?}", self.gathered, self.missing, self.ending)?;
        self.walkers().try_for_each(|walker| write!(f, ", {walker:?}"))?;
        self.explosions().try_for_each(|explosion| write!(f, ", {explosion:?}"))
    }
}

/// The rows, as bits, of things that a cell which has become free sets in motion: the thing above it falls; those beside
/// it, and those beside the one above, slide into it or past it if they lie on something slippery and nothing else is in
/// the way. What is in the way now and leaves later makes a cell free itself.
#[inline(never)]
pub(crate) fn movable<W: Word, const H: usize>(rows: &[Row<W>; H], spot: Spot) -> W {
    let (x, y) = (column_of::<W>(spot), row_of::<W>(spot));
    let (above, own, below) = (&rows[y - 1], &rows[y], &rows[y + 1]);
    let here = W::ONE << x;
    let beside = |middle: W| middle << 1 | middle >> 1;
    let past = beside(above.free() & here) & own.slippery();
    let into = beside(below.free() & here) & below.slippery();
    let row = |wakes: W, y: usize| if wakes == W::ZERO { W::ZERO } else { W::ONE << y as u32 };
    row(above.things() & (here | past), y - 1) | row(own.things() & into, y)
}

/// A spot and its eight neighbours, row by row.
pub(crate) fn three_by_three<W: Word>(centre: Spot) -> impl Iterator<Item = Spot> {
    let down = 1 << W::LOG;
    [centre - down, centre, centre + down].into_iter().flat_map(|spot| [spot - 1, spot, spot + 1])
}

fn covers<W: Word>(centre: Spot, spot: Spot) -> bool {
    let near = |one: u32, other: u32| one.abs_diff(other) <= 1;
    near(column_of::<W>(centre), column_of::<W>(spot))
        && near(row_of::<W>(centre) as u32, row_of::<W>(spot) as u32)
}
