//! Rule sets, and what a level's headers may change of them.

use std::num::NonZeroU32;
use std::ops::RangeInclusive;

use damier_core::level::LevelError;

use crate::level::Map;

/// The largest half-size of a view.
pub const MAX_VIEW: u8 = 15;

/// The rule set: the course project's engine or Boulder Dash.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RuleSet {
    /// The course project's engine.
    Course,
    /// Boulder Dash.
    Boulder,
}

impl RuleSet {
    /// The rule set of this name.
    pub fn parse(name: &str) -> Option<Self> {
        match name {
            "course" => Some(Self::Course),
            "boulder" => Some(Self::Boulder),
            _ => None,
        }
    }
}

/// The side to which a thing slides where both are free.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Slide {
    /// Drawn by chance: `below(2)` of 0 is left, of 1 right.
    Random,
    /// To the left.
    Left,
    /// To the right.
    Right,
}

impl Slide {
    /// The side of this name.
    pub fn parse(name: &str) -> Option<Self> {
        match name {
            "random" => Some(Self::Random),
            "left" => Some(Self::Left),
            "right" => Some(Self::Right),
            _ => None,
        }
    }
}

/// Rule options: the rule set, and what a level's headers may change of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// The rule set.
    pub set: RuleSet,
    /// Header `slide`: `random`, `left` or `right`. The header `edition` sets the pace and the blasts of blue monsters as the
    /// course's engine of 2008 or 2013 has them.
    pub slide: Slide,
    /// Header `blast`: the ticks after which an explosion is over, 1 to 7.
    pub blast_ticks: u8,
    /// Header `blue-blast`: the ticks after which a blue monster's explosion becomes diamonds, 1 to 7.
    pub blue_blast_ticks: u8,
    /// Header `blue-pace`: blue monsters move in every tick whose number is a multiple of it, 1 to 8.
    pub blue_pace: u8,
    /// Header `view`: half the size of what the miner sees, as in `5x3`; `0x0` is the whole map.
    pub view: (u8, u8),
    /// Header `time-limit`: the ticks after which a game that is not won is lost.
    pub time_limit: Option<NonZeroU32>,
}

impl Options {
    /// The defaults of a rule set.
    pub const fn of(set: RuleSet) -> Self {
        match set {
            RuleSet::Course => Self {
                set,
                slide: Slide::Random,
                blast_ticks: 2,
                blue_blast_ticks: 1,
                blue_pace: 2,
                view: (0, 0),
                time_limit: None,
            },
            RuleSet::Boulder => Self {
                set,
                slide: Slide::Left,
                blast_ticks: 4,
                blue_blast_ticks: 4,
                blue_pace: 1,
                view: (0, 0),
                time_limit: None,
            },
        }
    }

    /// The defaults of a rule set with the changes that the headers of a level's first map make.
    pub fn read(set: RuleSet, map: &Map) -> Result<Self, LevelError> {
        let mut options = Self::of(set);
        for header in &OPTION_HEADERS {
            if let Some(text) = map.header(header.name) {
                (header.set)(&mut options, text).ok_or_else(|| {
                    LevelError::whole(format!("`{}: {text}`: expected {}", header.name, header.expected))
                })?;
            }
        }
        Ok(options)
    }

    /// The phase of the blue monsters' pace.
    pub(super) fn phase(self, tick: u32) -> u32 {
        tick % u32::from(self.blue_pace)
    }
}

/// A level header that sets a rule option.
pub(crate) struct OptionHeader {
    /// Its name.
    pub name: &'static str,
    /// What it may be set to, for error messages.
    expected: &'static str,
    /// Sets the option, unless the text is none of what is expected.
    set: fn(&mut Options, &str) -> Option<()>,
}

/// The headers of all rule options.
///
/// The edition comes first: the others overrule it.
pub(crate) const OPTION_HEADERS: [OptionHeader; 7] = [
    OptionHeader {
        name: "edition",
        expected: "2008 or 2013",
        set: |options, text| match text {
            "2008" => {
                (options.blue_pace, options.blue_blast_ticks) = (1, 3);
                Some(())
            }
            "2013" => {
                (options.blue_pace, options.blue_blast_ticks) = (2, 1);
                Some(())
            }
            _ => None,
        },
    },
    OptionHeader {
        name: "slide",
        expected: "random, left or right",
        set: |options, text| Slide::parse(text).map(|slide| options.slide = slide),
    },
    OptionHeader {
        name: "blast",
        expected: "a number from 1 to 7",
        set: |options, text| number(text, 1..=7).map(|ticks| options.blast_ticks = ticks),
    },
    OptionHeader {
        name: "blue-blast",
        expected: "a number from 1 to 7",
        set: |options, text| number(text, 1..=7).map(|ticks| options.blue_blast_ticks = ticks),
    },
    OptionHeader {
        name: "blue-pace",
        expected: "a number from 1 to 8",
        set: |options, text| number(text, 1..=8).map(|pace| options.blue_pace = pace),
    },
    OptionHeader {
        name: "view",
        expected: "two numbers up to 15 as in 5x3",
        set: |options, text| view(text).map(|view| options.view = view),
    },
    OptionHeader {
        name: "time-limit",
        expected: "a number of ticks from 1 on",
        set: |options, text| text.parse().ok().map(|ticks| options.time_limit = Some(ticks)),
    },
];

fn number(text: &str, range: RangeInclusive<u8>) -> Option<u8> {
    text.parse().ok().filter(|number| range.contains(number))
}

fn view(text: &str) -> Option<(u8, u8)> {
    let (x, y) = text.split_once('x')?;
    let half = |text: &str| text.trim().parse().ok().filter(|&half| half <= MAX_VIEW);
    let (x, y) = (half(x)?, half(y)?);
    // One half-size of nothing alone would be a line of cells; the course knows only both or none.
    ((x == 0) == (y == 0)).then_some((x, y))
}
