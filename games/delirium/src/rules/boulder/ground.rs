//! What of a cave never changes: its size, what lies beyond its edges, and its parameters.

use damier_core::grid::{Cell, Dir, Size};
use damier_core::random::Chance;

use super::fate::GROWTH;
use super::options::CaveOptions;
use crate::cave::{Cave, Place};
use crate::kind::Kind;
use crate::level::Map;
use crate::rules::{LARGE_CELLS, SMALL_CELLS};

/// The eight neighbours, clockwise from north, as column and row.
pub(crate) const STEPS: [(i16, i16); 8] =
    [(0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1)];

/// A neighbour's number, clockwise from north; numbers wrap around.
pub(crate) type Way = usize;

/// North, and the other three.
pub(crate) const NORTH: Way = 0;
pub(crate) const EAST: Way = 2;
pub(crate) const SOUTH: Way = 4;
pub(crate) const WEST: Way = 6;

/// A chance of so many in so many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Odds {
    hits: u32,
    of: u32,
}

impl Odds {
    /// From millionths, in the smallest numbers.
    pub(crate) fn millionths(hits: u32) -> Self {
        let gcd = |mut a: u32, mut b: u32| {
            while b > 0 {
                (a, b) = (b, a % b);
            }
            a
        };
        let part = gcd(hits, 1_000_000).max(1);
        Self { hits: hits / part, of: 1_000_000 / part }
    }

    /// Draws. What is certain asks nobody.
    pub(crate) fn draw<C: Chance + ?Sized>(self, chance: &mut C) -> bool {
        self.hits >= self.of || (self.hits > 0 && chance.below(self.of) < self.hits)
    }
}

/// The attempts that a [`Gaps`] tells apart.
const GAPS: usize = 64;

/// How many attempts fail before one succeeds, drawn at once: cell by cell the same, and much quicker.
#[derive(Clone, Debug)]
pub(crate) struct Gaps {
    /// Of 2^32, how often an attempt up to this one is the first to succeed.
    until: [u32; GAPS],
}

impl Gaps {
    pub(crate) fn millionths(hits: u32) -> Self {
        let fails = 1.0 - f64::from(hits.min(1_000_000)) / 1e6;
        let until = std::array::from_fn(|attempt| {
            let succeeded = 1.0 - fails.powi(attempt as i32 + 1);
            (succeeded * f64::from(u32::MAX)).round() as u32
        });
        Self { until }
    }

    /// The attempts that fail, and whether the one after them succeeds.
    pub(crate) fn draw<C: Chance + ?Sized>(&self, chance: &mut C) -> (u32, bool) {
        if self.until[0] == u32::MAX {
            return (0, true);
        }
        if self.until[GAPS - 1] == 0 {
            return (GAPS as u32, false);
        }
        let drawn = chance.below(u32::MAX);
        let fails = self.until.partition_point(|&until| until <= drawn);
        (fails as u32, fails < GAPS)
    }
}

/// The immutable part of a cave.
#[derive(Clone, Debug)]
pub struct Ground {
    /// Columns and rows as they are played: with a ring of border around maps that need one.
    pub(crate) size: Size,
    /// The border that the cave has and the map has not: 0 or 1.
    pub(crate) ring: u16,
    /// The border around a cave on the board that shows it, where the cave itself has none all round: 0 or 1.
    pub(crate) margin: u16,
    /// Column and row of every cell on the board that shows the cave.
    columns_and_rows: Vec<(u8, u8)>,
    /// The steps to the neighbours inside the cave.
    pub(crate) offsets: [isize; 8],
    /// The neighbours of every cell, where the cave has open edges and something can get there.
    pub(crate) around: Vec<[u16; 8]>,
    /// The cells that are scanned.
    pub(crate) scanned: std::ops::Range<Place>,
    pub(crate) push: Odds,
    pub(crate) slime: Odds,
    /// Slow and fast growth of the amoeba.
    pub(crate) growth: [Gaps; 2],
    pub(crate) options: CaveOptions,
}

impl Ground {
    pub(crate) fn new(map: &Map, options: CaveOptions) -> Self {
        let closed = map.is_closed();
        let ring = u16::from(!closed && !options.wraps());
        let Size { width, height } = map.size();
        let size = Size::new(width + 2 * ring, height + 2 * ring);
        let (w, cells) = (size.width as isize, size.area());
        let skipped = if options.border_scan { 0 } else { usize::from(size.width) };
        let around = if closed || ring > 0 { Vec::new() } else { around(size, options.lineshift) };
        let margin = u16::from(!closed && ring == 0);
        let on_board = |cell: Cell| {
            let (x, y) = size.xy(cell);
            ((x + margin) as u8, (y + margin) as u8)
        };
        let around = if is_sealed(map, &around) { Vec::new() } else { around };
        Self {
            size,
            ring,
            margin,
            columns_and_rows: size.cells().map(on_board).collect(),
            offsets: STEPS.map(|(x, y)| isize::from(y) * w + isize::from(x)),
            around,
            scanned: skipped..cells - skipped,
            push: Odds::millionths(options.push),
            slime: Odds::millionths(options.slime),
            growth: [Gaps::millionths(options.amoeba_growth), Gaps::millionths(options.amoeba_fast)],
            options,
        }
    }

    /// The cells of the cave.
    pub(crate) fn cells(&self) -> usize {
        self.size.area()
    }

    /// The cells of a word that the scan comes to.
    #[inline]
    pub(crate) fn scanned_in(&self, word: usize) -> u64 {
        let (first, end) = (self.scanned.start, self.scanned.end);
        let before = first.saturating_sub(word << 6).min(64) as u32;
        let within = end.saturating_sub(word << 6).min(64) as u32;
        u64::MAX.checked_shl(before).unwrap_or(0) & !u64::MAX.checked_shl(within).unwrap_or(0)
    }

    /// Does the scan come to a cell?
    pub(crate) fn scans(&self, place: Place) -> bool {
        self.scanned.contains(&place)
    }

    /// The place of a cell of the map.
    pub(crate) fn place(&self, x: u16, y: u16) -> Place {
        usize::from(y + self.ring) * usize::from(self.size.width) + usize::from(x + self.ring)
    }

    /// Replaces what the cells of the map hold.
    pub(crate) fn refill<const N: usize, const B: usize>(
        &self,
        cave: &mut Cave<N, B>,
        size: Size,
        kinds: &[Kind],
        heading: impl Fn(Cell) -> Option<Dir>,
    ) {
        for (cell, &kind) in size.cells().zip(kinds) {
            let (x, y) = size.xy(cell);
            cave.cells[self.place(x, y)] = headed(kind, heading(cell));
        }
        self.take_stock(cave);
    }

    /// Column and row of a cell on the board that shows the cave.
    #[inline]
    pub(crate) fn on_board(&self, place: Place) -> (u16, u16) {
        let (x, y) = self.columns_and_rows[place];
        (x.into(), y.into())
    }

    /// Column and row on the map.
    pub(crate) fn xy(&self, place: Place) -> (u16, u16) {
        let width = usize::from(self.size.width);
        ((place % width) as u16 - self.ring, (place / width) as u16 - self.ring)
    }

    /// The cave as its map shows it.
    pub(crate) fn set_up<const N: usize, const B: usize>(&self, map: &Map, stage: u8) -> Cave<N, B> {
        let mut cave = Cave::closed();
        for cell in map.size().cells() {
            let (x, y) = map.size().xy(cell);
            cave.cells[self.place(x, y)] = map.headed(cell);
        }
        cave.missing = map.need();
        cave.stage = stage;
        cave.magic_left = self.options.frames(self.options.magic_time);
        cave.amoeba_left = self.options.frames(self.options.amoeba_time);
        cave.seed = self.options.slime_seed;
        cave.birth_left = self.options.birth;
        self.take_stock(&mut cave);
        cave
    }

    /// Counts and hashes everything, and wakes the cells that may have something to do.
    pub(crate) fn take_stock<const N: usize, const B: usize>(&self, cave: &mut Cave<N, B>) {
        let cells = self.cells();
        cave.hash_anew(cells);
        cave.open = cave.missing == 0 && self.options.need_all_but.is_none();
        let held = &cave.cells[..cells];
        let count = |wanted: fn(Kind) -> bool| held.iter().filter(|&&kind| wanted(kind)).count() as u16;
        let miner = held.iter().rposition(|&kind| kind == Kind::Miner);
        let miner = miner.or_else(|| held.iter().rposition(|kind| kind.is_miner())).unwrap_or(0);
        let of = |wanted: Kind| self.scanned.clone().filter(|&place| held[place] == wanted).count() as u16;
        let (monsters, miners) = (count(Kind::is_monster), count(Kind::is_miner));
        let amoebas = [of(Kind::Amoeba), of(Kind::Amoeba2)];
        (cave.monsters, cave.miners, cave.amoebas, cave.miner) = (monsters, miners, amoebas, miner as u16);
        (cave.active, cave.fringe) = ([0; B], [0; B]);
        for place in 0..cells {
            if self.is_active(cave, place) {
                cave.wake(place);
            }
            if cave.at(place) == Kind::Amoeba {
                let eats = |&way: &Way| matches!(cave.at(self.beside(place, way)), Kind::Empty | Kind::Dirt);
                cave.set_fringe(place, GROWTH.iter().any(eats));
            }
        }
    }

    /// May a cell have something to do?
    fn is_active<const N: usize, const B: usize>(&self, cave: &Cave<N, B>, place: Place) -> bool {
        let is_free = |way: Way| cave.at(self.beside(place, way)) == Kind::Empty;
        let down = self.options.gravity;
        match cave.cells[place] {
            Kind::Empty | Kind::Dirt | Kind::Border | Kind::Wall => false,
            Kind::Rock | Kind::Diamond => is_free(down) || is_free(down + 2) || is_free(down + 6),
            Kind::GrowingAcross | Kind::GrowingUp | Kind::Growing => (0..4).any(|turn| is_free(2 * turn)),
            _ => true,
        }
    }

    /// The cell beside another one. Of one on a closed edge it may be outside, where a cave holds border.
    pub(crate) fn beside(&self, place: Place, way: Way) -> Place {
        match self.around.get(place) {
            Some(around) => around[way & 7].into(),
            None => place.wrapping_add_signed(self.offsets[way & 7]),
        }
    }
}

/// A monster with its heading; without one fireflies look left, butterflies down.
pub(crate) fn headed(kind: Kind, heading: Option<Dir>) -> Kind {
    match kind {
        Kind::Red => Kind::monster(false, heading.unwrap_or(Dir::West)),
        Kind::Blue => Kind::monster(true, heading.unwrap_or(Dir::South)),
        kind => kind,
    }
}

/// Does border lie beyond every cell of the edge that is none itself, as with an exit in the border? Then nothing ever crosses
/// the edges, and the neighbours of a cell need no table: by their distance, too, they are border.
fn is_sealed(map: &Map, around: &[[u16; 8]]) -> bool {
    let Size { width, height } = map.size();
    let cells = map.cells();
    let is_border = |place: usize| cells.get(place).is_none_or(|&kind| kind == Kind::Border);
    // Cells beyond the first row are the last ones of a cave's array, where there must be room for them.
    let room = |array: usize| cells.len() <= array && cells.len() + usize::from(width) < array;
    let is_roomy = room(SMALL_CELLS) || cells.len() > SMALL_CELLS && room(LARGE_CELLS);
    let crosses = |place: usize, (dx, dy): (i16, i16)| {
        let (x, y) = ((place % usize::from(width)) as i16 + dx, (place / usize::from(width)) as i16 + dy);
        x < 0 || y < 0 || x >= width as i16 || y >= height as i16
    };
    is_roomy
        && around.iter().enumerate().filter(|&(place, _)| !is_border(place)).all(|(place, beyond)| {
            STEPS.iter().zip(beyond).filter(|&(&step, _)| crosses(place, step)).all(|(&(dx, dy), &there)| {
                let distance = isize::from(dy) * width as isize + isize::from(dx);
                is_border(there.into()) && is_border(place.wrapping_add_signed(distance))
            })
        })
}

/// The neighbours of every cell of a cave whose edges are open: beyond the right edge lies the left one, of the next row
/// with `lineshift`; beyond the last row the first.
fn around(size: Size, lineshift: bool) -> Vec<[u16; 8]> {
    let (w, h) = (i32::from(size.width), i32::from(size.height));
    let beside = |place: i32, (dx, dy): (i16, i16)| {
        let (x, y) = (place % w + i32::from(dx), place / w + i32::from(dy));
        let shift = if lineshift { x.div_euclid(w) } else { 0 };
        ((y + shift).rem_euclid(h) * w + x.rem_euclid(w)) as u16
    };
    (0..w * h).map(|place| STEPS.map(|step| beside(place, step))).collect()
}
