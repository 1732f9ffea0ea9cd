//! The parameters of a cave, each set by a header of its level.

use damier_core::grid::Dir;
use damier_core::level::LevelError;

use super::ground::{EAST, NORTH, SOUTH, WEST, Way};
use crate::kind::Kind;
use crate::level::Map;

#[expect(clippy::struct_excessive_bools, reason = "each is a property of a cave in the community's format")]
/// The parameters of a cave. Times are in milliseconds, chances in millionths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CaveOptions {
    /// Header `need-all-but`: all diamonds are needed that there are when the miner is born, but so many.
    pub need_all_but: Option<u16>,
    /// Header `push`: the chance that a push succeeds.
    pub push: u32,
    /// Header `edges`: `open` if what leaves the cave at one edge comes back at the other; otherwise a map without border
    /// all round is played with a ring of border.
    pub open_edges: bool,
    /// Header `lineshift`: is beyond the right edge the next row's left one, not the same row's?
    pub lineshift: bool,
    /// Header `border-scan`: are the first and the last row scanned?
    pub border_scan: bool,
    /// Header `frame`: how long a frame lasts.
    pub frame: u32,
    /// Header `birth`: the frames after which the miner comes out of the inbox.
    pub birth: u16,
    /// Header `magic-time`: how long magic walls stay active.
    pub magic_time: u32,
    /// Header `magic-stops-amoeba`: does an active magic wall turn amoeba into what it becomes when enclosed?
    pub magic_stops_amoeba: bool,
    /// Header `amoeba-time`: how long awake amoeba grows slowly.
    pub amoeba_time: u32,
    /// Header `amoeba-growth`: the chance that a cell grows in a frame.
    pub amoeba_growth: u32,
    /// Header `amoeba-fast`: the chance after that time.
    pub amoeba_fast: u32,
    /// Header `amoeba-size`: with so many cells it is too big.
    pub amoeba_size: u32,
    /// Header `amoeba-big`: what it becomes then.
    pub amoeba_big: Kind,
    /// Header `amoeba-enclosed`: what it becomes if it cannot grow.
    pub amoeba_enclosed: Kind,
    /// Header `slime`: the chance that something passes it in a frame.
    pub slime: u32,
    /// Header `slime-mask`: slime lets things pass when the C64's random number has none of these bits.
    pub slime_mask: Option<u8>,
    /// Header `slime-seed`: where the C64's generator begins.
    pub slime_seed: [u8; 2],
    /// Header `dig-leaves`: what digging leaves behind.
    pub dig_leaves: Kind,
    /// Header `diagonal`: does the miner move diagonally?
    pub diagonal: bool,
    /// Header `gravity`: where things fall.
    pub gravity: Way,
    /// Header `long-blasts`: does an explosion begin with its first step, not its second?
    pub long_blasts: bool,
    /// Header `red-blast`: the explosion of a red monster.
    pub red_blast: Kind,
    /// Header `blue-blast-kind`: the explosion of a blue monster.
    pub blue_blast: Kind,
    /// Header `blast-leaves`: what an explosion leaves behind.
    pub blast_leaves: Kind,
    /// Header `spark-leaves`: what an explosion of a blue monster leaves behind.
    pub spark_leaves: Kind,
    /// Header `bomb-leaves`: what an explosion of a bomb leaves behind.
    pub bomb_leaves: Kind,
    /// Header `nitro-leaves`: what an explosion of a nitro pack leaves behind.
    pub nitro_leaves: Kind,
}

impl CaveOptions {
    /// The defaults: those of the community's reference engine.
    pub const DEFAULT: Self = Self {
        need_all_but: None,
        push: 250_000,
        open_edges: false,
        lineshift: false,
        border_scan: true,
        frame: 120,
        birth: 0,
        magic_time: 999_000,
        magic_stops_amoeba: true,
        amoeba_time: 999_000,
        amoeba_growth: 31_250,
        amoeba_fast: 250_000,
        amoeba_size: 200,
        amoeba_big: Kind::Rock,
        amoeba_enclosed: Kind::Diamond,
        slime: 1_000_000,
        slime_mask: None,
        slime_seed: [0, 0x1e],
        dig_leaves: Kind::Empty,
        diagonal: false,
        gravity: SOUTH,
        long_blasts: false,
        red_blast: Kind::Blast1,
        blue_blast: Kind::Spark1,
        blast_leaves: Kind::Empty,
        spark_leaves: Kind::Diamond,
        bomb_leaves: Kind::Empty,
        nitro_leaves: Kind::Empty,
    };

    /// The defaults with the changes that a map's headers make.
    pub fn read(map: &Map) -> Result<Self, LevelError> {
        let mut options = Self::DEFAULT;
        for header in &CAVE_HEADERS {
            if let Some(text) = map.header(header.name) {
                (header.set)(&mut options, text).ok_or_else(|| {
                    LevelError::whole(format!("`{}: {text}`: expected {}", header.name, header.expected))
                })?;
            }
        }
        Ok(options)
    }

    /// Does what leaves the cave at one edge come back at the other?
    pub(crate) fn wraps(&self) -> bool {
        self.open_edges
    }

    /// The frames that a time takes, at least one.
    pub(crate) fn frames(&self, time: u32) -> u32 {
        time.div_ceil(self.frame).max(1)
    }
}

/// A level header that sets a parameter of a cave.
pub(crate) struct CaveHeader {
    /// Its name.
    pub name: &'static str,
    /// What it may be set to, for error messages.
    expected: &'static str,
    /// Sets the parameter, unless the text is none of what is expected.
    set: fn(&mut CaveOptions, &str) -> Option<()>,
}

const CHANCE: &str = "a number of millionths, 0 to 1000000";
const TIME: &str = "a number of milliseconds up to 100000000";
const YES: &str = "yes or no";
const ELEMENT: &str = "an element such as BOULDER";

macro_rules! headers {
    ($($name:literal, $expected:expr, $read:expr, $field:ident;)*) => {
        [$(CaveHeader {
            name: $name,
            expected: $expected,
            set: |options, text| $read(text).map(|value| options.$field = value),
        }),*]
    };
}

/// The headers of all parameters.
pub(crate) const CAVE_HEADERS: [CaveHeader; 28] = headers! {
    "need-all-but", "a number of diamonds", |text| number(text, 0, 65_535).map(|count| Some(count as u16)), need_all_but;
    "push", CHANCE, chance, push;
    "edges", "open or closed", |text| one_of(text, [("open", true), ("closed", false)]), open_edges;
    "lineshift", YES, yes, lineshift;
    "border-scan", YES, yes, border_scan;
    "frame", "a number of milliseconds, 1 to 10000", |text| number(text, 1, 10_000), frame;
    "birth", "a number of frames up to 10000", |text| number(text, 0, 10_000).map(|frames| frames as u16), birth;
    "magic-time", TIME, time, magic_time;
    "magic-stops-amoeba", YES, yes, magic_stops_amoeba;
    "amoeba-time", TIME, time, amoeba_time;
    "amoeba-growth", CHANCE, chance, amoeba_growth;
    "amoeba-fast", CHANCE, chance, amoeba_fast;
    "amoeba-size", "a number of cells", |text| number(text, 0, 1_000_000), amoeba_size;
    "amoeba-big", ELEMENT, Kind::named, amoeba_big;
    "amoeba-enclosed", ELEMENT, Kind::named, amoeba_enclosed;
    "slime", CHANCE, chance, slime;
    "slime-mask", "a number up to 255", |text| number(text, 0, 255).map(|mask| Some(mask as u8)), slime_mask;
    "slime-seed", "a number up to 65535", seed, slime_seed;
    "dig-leaves", ELEMENT, Kind::named, dig_leaves;
    "diagonal", YES, yes, diagonal;
    "gravity", "up, right, down or left", gravity, gravity;
    "long-blasts", YES, yes, long_blasts;
    "red-blast", ELEMENT, Kind::named, red_blast;
    "blue-blast-kind", ELEMENT, Kind::named, blue_blast;
    "blast-leaves", ELEMENT, Kind::named, blast_leaves;
    "spark-leaves", ELEMENT, Kind::named, spark_leaves;
    "bomb-leaves", ELEMENT, Kind::named, bomb_leaves;
    "nitro-leaves", ELEMENT, Kind::named, nitro_leaves;
};

fn number(text: &str, least: u32, most: u32) -> Option<u32> {
    text.parse().ok().filter(|number| (least..=most).contains(number))
}

fn chance(text: &str) -> Option<u32> {
    number(text, 0, 1_000_000)
}

fn time(text: &str) -> Option<u32> {
    number(text, 0, 100_000_000)
}

fn one_of<const C: usize>(text: &str, words: [(&str, bool); C]) -> Option<bool> {
    words.into_iter().find(|(word, _)| *word == text).map(|(_, value)| value)
}

fn yes(text: &str) -> Option<bool> {
    one_of(text, [("yes", true), ("no", false)])
}

fn seed(text: &str) -> Option<[u8; 2]> {
    number(text, 0, 0xffff).map(|seed| (seed as u16).to_be_bytes())
}

fn gravity(text: &str) -> Option<Way> {
    let dir = Dir::ALL.into_iter().find(|dir| dir.arrow_name() == text)?;
    Some(match dir {
        Dir::North => NORTH,
        Dir::East => EAST,
        Dir::South => SOUTH,
        Dir::West => WEST,
    })
}
