//! What a cell can hold.

/// What a cell holds.
///
/// The four bits of its number are the four planes of a [`Board`](crate::board::Board): the upper two tell loose things
/// (`11`), walls and creatures (`10`) and the rest (`01`) apart, so that a row's loose, free and slippery cells are a few
/// operations on whole rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Kind {
    /// Nothing.
    Empty = 0b0000,
    /// Grass: the miner digs it away.
    Dirt = 0b0100,
    /// A wall that nothing destroys and nothing slides off.
    Border = 0b0101,
    /// The way out, once enough diamonds are gathered.
    Exit = 0b0110,
    /// A cell of an explosion under way.
    Blast = 0b0111,
    /// A red monster. A single plane, for monsters move the most.
    Red = 0b1000,
    /// The miner.
    Miner = 0b1001,
    /// A blue monster, whose explosion makes diamonds. A board's planes show it as a red one.
    Blue = 0b1010,
    /// A wall that things slide off and explosions destroy.
    Wall = 0b1011,
    /// A rock at rest, or any rock under rules that do not care.
    Rock = 0b1100,
    /// A diamond at rest, or any diamond under rules that do not care.
    Diamond = 0b1101,
    /// A rock in flight, where the rules tell it from one at rest.
    FallingRock = 0b1110,
    /// A diamond in flight, where the rules tell it from one at rest.
    FallingDiamond = 0b1111,
}

impl Kind {
    /// All of them.
    pub const ALL: [Self; 13] = [
        Self::Empty,
        Self::Dirt,
        Self::Border,
        Self::Exit,
        Self::Blast,
        Self::Miner,
        Self::Red,
        Self::Blue,
        Self::Wall,
        Self::Rock,
        Self::Diamond,
        Self::FallingRock,
        Self::FallingDiamond,
    ];

    /// The kind of this number, for the thirteen numbers that are one.
    #[inline]
    pub(crate) const fn from_number(number: u8) -> Self {
        const TABLE: [Kind; 16] = {
            let mut table = [Kind::Empty; 16];
            let mut index = 0;
            while index < Kind::ALL.len() {
                table[Kind::ALL[index] as usize] = Kind::ALL[index];
                index += 1;
            }
            table
        };
        TABLE[(number & 15) as usize]
    }

    /// Its character in a level's drawing; an explosion is `*`.
    pub const fn char(self) -> char {
        match self {
            Self::Empty => '_',
            Self::Dirt => '.',
            Self::Border => '#',
            Self::Exit => 'X',
            Self::Blast => '*',
            Self::Miner => 'P',
            Self::Red => 'R',
            Self::Blue => 'B',
            Self::Wall => 'w',
            Self::Rock | Self::FallingRock => 'r',
            Self::Diamond | Self::FallingDiamond => 'd',
        }
    }

    /// The kind that a level's drawing means by this character.
    pub fn from_char(char: char) -> Option<Self> {
        Some(match char {
            '_' | ' ' => Self::Empty,
            '.' => Self::Dirt,
            '#' => Self::Border,
            'X' => Self::Exit,
            'P' => Self::Miner,
            'R' => Self::Red,
            'B' => Self::Blue,
            'w' => Self::Wall,
            'r' => Self::Rock,
            'd' => Self::Diamond,
            _ => return None,
        })
    }

    /// Its code in the course environment, which shows burning cells as empty ones.
    pub const fn code(self) -> u8 {
        match self {
            Self::Empty | Self::Blast => 0,
            Self::Dirt => 1,
            Self::Diamond | Self::FallingDiamond => 2,
            Self::Rock | Self::FallingRock => 3,
            Self::Border => 4,
            Self::Wall => 6,
            Self::Exit => 21,
            Self::Miner => 22,
            Self::Blue => 24,
            Self::Red => 25,
        }
    }

    /// A red or blue monster?
    #[inline]
    pub const fn is_monster(self) -> bool {
        matches!(self, Self::Red | Self::Blue)
    }

    /// A rock or diamond, at rest or in flight?
    #[inline]
    pub const fn is_loose(self) -> bool {
        self as u8 & 0b1100 == 0b1100
    }

    /// The same thing at rest.
    #[inline]
    pub const fn at_rest(self) -> Self {
        match self {
            Self::FallingRock => Self::Rock,
            Self::FallingDiamond => Self::Diamond,
            other => other,
        }
    }
}
