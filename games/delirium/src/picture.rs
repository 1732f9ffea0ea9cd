//! Caves as pictures on boards: what searches look at, with the exact position behind it.

use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, Not, Shl, Shr};

use damier_core::random::Chance;

use crate::board::{Board, Exact, Explosion, Spot, Walker, Word};
use crate::cave::{Cave, Magic, Place};
use crate::kind::Kind;
use crate::rules::boulder::fate::Dice;
use crate::rules::boulder::frame;
use crate::rules::{
    Action, Ground, LARGE_BEINGS, LARGE_ROWS, LargeCave, SMALL_BEINGS, SMALL_ROWS, SmallCave,
};

macro_rules! picture_word {
    ($name:ident, $word:ty, $cave:ty, $about:literal) => {
        #[doc = $about]
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct $name($word);

        picture_word!(@op $name, BitAnd, bitand, &);
        picture_word!(@op $name, BitOr, bitor, |);
        picture_word!(@op $name, BitXor, bitxor, ^);

        impl BitAndAssign for $name {
            #[inline]
            fn bitand_assign(&mut self, other: Self) {
                self.0 &= other.0;
            }
        }
        impl BitOrAssign for $name {
            #[inline]
            fn bitor_assign(&mut self, other: Self) {
                self.0 |= other.0;
            }
        }
        impl Not for $name {
            type Output = Self;
            #[inline]
            fn not(self) -> Self {
                Self(!self.0)
            }
        }
        impl Shl<u32> for $name {
            type Output = Self;
            #[inline]
            fn shl(self, by: u32) -> Self {
                Self(self.0 << by)
            }
        }
        impl Shr<u32> for $name {
            type Output = Self;
            #[inline]
            fn shr(self, by: u32) -> Self {
                Self(self.0 >> by)
            }
        }
        impl Word for $name {
            const LOG: u32 = <$word as Word>::LOG;
            const ZERO: Self = Self(0);
            const ONE: Self = Self(1);
            const STEPS: [Spot; 8] = <$word as Word>::STEPS;
            type Being = <$word as Word>::Being;
            type Exact = $cave;
            #[inline]
            fn being(number: u32) -> Self::Being {
                <$word as Word>::being(number)
            }
            #[inline]
            fn lowest(self) -> u32 {
                self.0.lowest()
            }
            #[inline]
            fn highest(self) -> u32 {
                self.0.highest()
            }
            #[inline]
            fn low64(self) -> u64 {
                self.0.low64()
            }
            #[inline]
            fn from_low(bits: u64) -> Self {
                Self(bits.into())
            }
        }
    };
    (@op $name:ident, $trait:ident, $method:ident, $op:tt) => {
        impl $trait for $name {
            type Output = Self;
            #[inline]
            fn $method(self, other: Self) -> Self {
                Self(self.0 $op other.0)
            }
        }
    };
}
picture_word!(Cave64, u64, SmallCave, "A row of the picture of a small cave.");
picture_word!(Cave128, u128, LargeCave, "A row of the picture of a large cave.");

/// The picture of a small cave, and the cave.
pub(crate) type SmallPicture = Board<Cave64, SMALL_ROWS, SMALL_BEINGS>;

/// The picture of a large cave, and the cave.
pub(crate) type LargePicture = Board<Cave128, LARGE_ROWS, LARGE_BEINGS>;

impl<const N: usize, const B: usize> Exact for Cave<N, B> {
    const IS_CAVE: bool = true;

    fn none() -> Self {
        Self::closed()
    }

    fn play<W: Word<Exact = Self>, const H: usize, const M: usize>(
        board: &mut Board<W, H, M>,
        ground: &Ground,
        action: Action,
        chance: &mut dyn Chance,
    ) {
        let changes = frame(ground, &mut board.exact, action.into(), &mut Dice::new(chance));
        for (word, &bits) in changes.iter().enumerate() {
            let mut bits = bits;
            while bits != 0 {
                board.draw_cell(ground, word << 6 | bits.trailing_zeros() as usize);
                bits &= bits - 1;
            }
        }
        board.draw_rest(ground);
    }

    fn hash(&self) -> u64 {
        self.full_hash()
    }

    fn mills(&self, ground: &Ground) -> Vec<(u16, u16)> {
        if self.magic == Magic::Expired {
            return Vec::new();
        }
        let walls = (0..ground.cells()).filter(|&place| self.cells[place] == Kind::Magic);
        walls.map(|place| ground.on_board(place)).collect()
    }

    fn has_amoeba(&self) -> bool {
        self.amoebas != [0; 2]
    }
}

impl<W: Word<Exact = Cave<N, B>>, const N: usize, const B: usize, const H: usize, const M: usize>
    Board<W, H, M>
{
    /// The picture of a cave.
    pub(crate) fn of_cave(ground: &Ground, cave: &Cave<N, B>) -> Self {
        let mut board = Self::closed();
        board.exact = *cave;
        board.stage = cave.stage;
        board.makeable = makeable(ground, cave);
        let moves_walls = |kind: &Kind| matches!(kind, Kind::Amoeba | Kind::Amoeba2) || kind.is_blast();
        board.unstable =
            cave.cells[..ground.cells()].iter().any(moves_walls) || ground.options.dig_leaves != Kind::Empty;
        board.open_edges = !ground.around.is_empty();
        (0..ground.cells()).for_each(|place| board.draw_cell(ground, place));
        board.draw_rest(ground);
        board
    }

    /// Draws a cell of the cave.
    #[inline]
    fn draw_cell(&mut self, ground: &Ground, place: Place) {
        let (x, y) = ground.on_board(place);
        let mask = W::ONE << x.into();
        let row = &mut self.rows[usize::from(y)];
        row.clear(mask);
        row.add(mask, ON_BOARD[self.exact.cells[place] as usize]);
    }

    /// Brings everything but the cells up to date.
    fn draw_rest(&mut self, ground: &Ground) {
        let cave = &self.exact;
        (self.hash, self.grass_hash) = (cave.hashes[3], cave.hashes[2]);
        (self.tick, self.gathered, self.missing) = (cave.tick, cave.gathered, cave.missing);
        (self.ending, self.view) = (cave.ending, cave.view);
        self.awake = if cave.rests() { W::ZERO } else { W::ONE };
        self.miner = Self::spot_of(ground, cave.miner.into());
        self.list_beings(ground);
    }

    /// Lists the monsters, which are always active, and the explosions.
    fn list_beings(&mut self, ground: &Ground) {
        let mut count = 0;
        for word in 0..B {
            let mut active = self.exact.active[word];
            while active != 0 {
                let place = word << 6 | active.trailing_zeros() as usize;
                active &= active - 1;
                let kind = self.exact.cells[place];
                if kind.is_monster() && count + crate::cave::BOOMS < M {
                    let spot = Self::spot_of(ground, place);
                    let walker = Walker { spot, blue: kind.is_blue(), heading: kind.heading() };
                    self.beings[count] = walker.pack::<W>();
                    count += 1;
                }
            }
        }
        self.monsters = count as u16;
        let first = count;
        for (place, diamonds, ticks) in self.exact.explosions() {
            let spot = Self::spot_of(ground, place);
            self.beings[count] = Explosion { spot, diamonds, ticks }.pack::<W>();
            count += 1;
        }
        self.explosions = (count - first) as u16;
    }

    fn spot_of(ground: &Ground, place: Place) -> Spot {
        let (x, y) = ground.on_board(place);
        Self::spot(x, y)
    }
}

/// The diamonds that may be made of something other than blue monsters, at most: a magic wall turns rocks into diamonds, and
/// amoeba or explosions become as many as there is room for.
fn makeable<const N: usize, const B: usize>(ground: &Ground, cave: &Cave<N, B>) -> u32 {
    let options = &ground.options;
    let cells = &cave.cells[..ground.cells()];
    let count = |wanted: &dyn Fn(Kind) -> bool| cells.iter().filter(|&&kind| wanted(kind)).count() as u32;
    let becomes = |kind| matches!(kind, Kind::Diamond | Kind::FallingDiamond | Kind::Spark1);
    let becomes_thing =
        |kind| becomes(kind) || matches!(kind, Kind::Rock | Kind::FallingRock | Kind::Rubble1);
    let has_magic = cave.magic != Magic::Expired && cells.contains(&Kind::Magic);
    let turns = |kind| becomes(kind) || has_magic && becomes_thing(kind);
    let has_amoeba = count(&|kind| matches!(kind, Kind::Amoeba | Kind::Amoeba2)) > 0;
    let endless = has_amoeba && (turns(options.amoeba_big) || turns(options.amoeba_enclosed))
        || [options.blast_leaves, options.bomb_leaves, options.nitro_leaves, options.dig_leaves]
            .into_iter()
            .any(turns)
        || turns(options.red_blast);
    let sparks = count(&|kind| (Kind::Spark1..=Kind::Spark5).contains(&kind));
    let rocks = if has_magic { count(&|kind| becomes_thing(kind.at_rest()) || kind.is_blast()) } else { 0 };
    let room = if endless { 16 * count(&|kind| kind != Kind::Border) } else { 0 };
    sparks + rocks + room
}

/// By which kind a board shows each kind.
const ON_BOARD: [Kind; Kind::COUNT] = {
    let mut table = [Kind::Border; Kind::COUNT];
    let mut kind = 0;
    while kind < Kind::COUNT {
        if let Some(known) = Kind::from_byte(kind as u8) {
            table[kind] = known.on_board();
        }
        kind += 1;
    }
    table
};
