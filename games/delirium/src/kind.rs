//! What a cell can hold.

use damier_core::grid::Dir;

/// What a cell holds.
///
/// The first sixteen numbers are those of a [`Board`](crate::board::Board), whose four planes are the four bits: the upper
/// two tell loose things (`11`), walls and creatures (`10`) and the rest (`01`) apart, so that a row's loose, free and
/// slippery cells are a few operations on whole rows. The others occur only in a [`Cave`](crate::cave::Cave), a byte each.
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

    /// The exit once it is open.
    OpenExit = 16,
    /// An exit that looks like a border wall.
    HiddenExit,
    /// A hidden exit once it is open.
    OpenHiddenExit,
    /// A wall that looks like the border and that explosions destroy.
    SoftBorder,
    /// A magic wall: turns what falls on it into something else while it is active.
    Magic,
    /// Amoeba: grows into empty cells and grass.
    Amoeba,
    /// Slime: rocks and diamonds that rest on it pass through, with luck.
    Slime,
    /// A wall that grows to the left and right.
    GrowingAcross,
    /// A wall that grows up and down.
    GrowingUp,
    /// A wall that grows to all four sides.
    Growing,
    /// The door that the miner is born from.
    Inbox,
    /// The miner being born, in three steps.
    Birth1,
    /// The second step.
    Birth2,
    /// The third step.
    Birth3,
    /// A red monster that heads left.
    RedLeft = 32,
    /// A red monster that heads up.
    RedUp,
    /// A red monster that heads right.
    RedRight,
    /// A red monster that heads down.
    RedDown,
    /// A blue monster that heads left.
    BlueLeft,
    /// A blue monster that heads up.
    BlueUp,
    /// A blue monster that heads right.
    BlueRight,
    /// A blue monster that heads down.
    BlueDown,
    /// An explosion that ends in an empty cell, in five steps.
    Blast1 = 40,
    /// The second step.
    Blast2,
    /// The third step.
    Blast3,
    /// The fourth step.
    Blast4,
    /// The last step.
    Blast5,
    /// An explosion that ends in a diamond, in five steps.
    Spark1,
    /// The second step.
    Spark2,
    /// The third step.
    Spark3,
    /// The fourth step.
    Spark4,
    /// The last step.
    Spark5,
    /// Something that becomes a rock, in four steps.
    Rubble1,
    /// The second step.
    Rubble2,
    /// The third step.
    Rubble3,
    /// The last step.
    Rubble4,
    /// An explosion that ends in what the cave says, in four steps; `GDash`'s explosion of a bomb.
    Bomb1,
    /// The second step.
    Bomb2,
    /// The third step.
    Bomb3,
    /// The last step.
    Bomb4,
    /// Another one; `GDash`'s explosion of a nitro pack.
    Nitro1,
    /// The second step.
    Nitro2,
    /// The third step.
    Nitro3,
    /// The last step.
    Nitro4,
    /// A doll that looks like the miner: monsters explode beside it, and its death is the miner's.
    Doll,
    /// What is left of a doll.
    Grave,
    /// A second kind of amoeba, with parameters of its own.
    Amoeba2,
    /// Strength: with it every push succeeds.
    Sweet,
    /// A key to diamonds that are locked.
    DiamondKey,
}

use Kind::{
    Amoeba, Amoeba2, Birth1, Birth2, Birth3, Blast, Blast1, Blast2, Blast3, Blast4, Blast5, Blue, BlueDown,
    BlueLeft, BlueRight, BlueUp, Bomb1, Bomb2, Bomb3, Bomb4, Border, Diamond, DiamondKey, Dirt, Doll, Empty,
    Exit, FallingDiamond, FallingRock, Grave, Growing, GrowingAcross, GrowingUp, HiddenExit, Inbox, Magic,
    Miner, Nitro1, Nitro2, Nitro3, Nitro4, OpenExit, OpenHiddenExit, Red, RedDown, RedLeft, RedRight, RedUp,
    Rock, Rubble1, Rubble2, Rubble3, Rubble4, Slime, SoftBorder, Spark1, Spark2, Spark3, Spark4, Spark5,
    Sweet, Wall,
};

/// Name in the Boulder Dash community, number there, and character in a drawing, of every kind that a cave can hold.
const TABLE: [(Kind, &str, u16, char); 68] = [
    (Empty, "SPACE", 0, '_'),
    (Dirt, "DIRT", 1, '.'),
    (Border, "STEELWALL", 26, '#'),
    (Exit, "OUTBOX", 22, 'X'),
    (Miner, "GUY", 224, 'P'),
    (Wall, "WALL", 15, 'w'),
    (Rock, "BOULDER", 34, 'r'),
    (Diamond, "DIAMOND", 46, 'd'),
    (FallingRock, "BOULDERf", 36, 'f'),
    (FallingDiamond, "DIAMONDf", 48, 'g'),
    (OpenExit, "OUTBOXopen", 23, 'O'),
    (HiddenExit, "HIDDENOUTBOX", 24, 'H'),
    (OpenHiddenExit, "HIDDENOUTBOXopen", 25, 'h'),
    (SoftBorder, "STEELWALLDESTRUCTABLE", 31, 'E'),
    (Magic, "MAGICWALL", 21, 'M'),
    (Amoeba, "AMOEBA", 139, 'a'),
    (Slime, "SLIME", 149, 's'),
    (GrowingAcross, "HEXPANDINGWALL", 60, 'x'),
    (GrowingUp, "VEXPANDINGWALL", 62, 'v'),
    (Growing, "EXPANDINGWALL", 64, 'e'),
    (Inbox, "INBOX", 59, 'I'),
    (Birth1, "GUYBIRTH1", 221, '-'),
    (Birth2, "GUYBIRTH2", 222, '='),
    (Birth3, "GUYBIRTH3", 223, '+'),
    (RedLeft, "FIREFLYl", 165, '&'),
    (RedUp, "FIREFLYu", 166, '^'),
    (RedRight, "FIREFLYr", 167, '>'),
    (RedDown, "FIREFLYd", 168, 'V'),
    (BlueLeft, "BUTTERFLYl", 181, '('),
    (BlueUp, "BUTTERFLYu", 182, '\''),
    (BlueRight, "BUTTERFLYr", 183, ')'),
    (BlueDown, "BUTTERFLYd", 184, ','),
    (Blast1, "EXPLOSION1", 267, 'A'),
    (Blast2, "EXPLOSION2", 268, 'C'),
    (Blast3, "EXPLOSION3", 269, 'D'),
    (Blast4, "EXPLOSION4", 270, 'F'),
    (Blast5, "EXPLOSION5", 271, 'G'),
    (Spark1, "DIAMONDBIRTH1", 261, 'J'),
    (Spark2, "DIAMONDBIRTH2", 262, 'K'),
    (Spark3, "DIAMONDBIRTH3", 263, 'L'),
    (Spark4, "DIAMONDBIRTH4", 264, 'N'),
    (Spark5, "DIAMONDBIRTH5", 265, 'Q'),
    (Rubble1, "BOULDERBIRTH1", 273, 'S'),
    (Rubble2, "BOULDERBIRTH2", 274, 'T'),
    (Rubble3, "BOULDERBIRTH3", 275, 'U'),
    (Rubble4, "BOULDERBIRTH4", 276, 'W'),
    (Bomb1, "BOMBEXPLOSION1", 288, 'Y'),
    (Bomb2, "BOMBEXPLOSION2", 289, 'Z'),
    (Bomb3, "BOMBEXPLOSION3", 290, 'b'),
    (Bomb4, "BOMBEXPLOSION4", 291, 'c'),
    (Nitro1, "NITROEXPLOSION1", 293, 'i'),
    (Nitro2, "NITROEXPLOSION2", 294, 'j'),
    (Nitro3, "NITROEXPLOSION3", 295, 'k'),
    (Nitro4, "NITROEXPLOSION4", 296, 'l'),
    (Doll, "DUMMY", 148, 'p'),
    (Grave, "GRAVESTONE", 85, 'q'),
    (Amoeba2, "AMOEBA2", 141, 'y'),
    (Sweet, "SWEET", 147, 't'),
    (DiamondKey, "DIAMONDRELEASEKEY", 88, 'u'),
    // Other names and numbers of the same, after their own.
    (Spark1, "DIAMONDBIRTH0", 260, 'J'),
    (Blast1, "EXPLOSION0", 266, 'A'),
    (Rubble1, "BOULDERBIRTH0", 272, 'S'),
    (Dirt, "DIRT2", 14, '.'),
    (RedLeft, "FIREFLY", u16::MAX, '&'),
    (BlueDown, "BUTTERFLY", u16::MAX, ','),
    (Red, "", u16::MAX, 'R'),
    (Blue, "", u16::MAX, 'B'),
    (Blast, "", u16::MAX, '*'),
];

impl Kind {
    /// The kinds of the course's engine.
    pub const ALL: [Self; 13] = [
        Empty,
        Dirt,
        Border,
        Exit,
        Blast,
        Miner,
        Red,
        Blue,
        Wall,
        Rock,
        Diamond,
        FallingRock,
        FallingDiamond,
    ];

    /// How many numbers kinds have.
    pub(crate) const COUNT: usize = DiamondKey as usize + 1;

    /// The kind of this number on a board, for the thirteen numbers that are one.
    #[inline]
    pub(crate) const fn from_number(number: u8) -> Self {
        const TABLE: [Kind; 16] = {
            let mut table = [Empty; 16];
            let mut index = 0;
            while index < Kind::ALL.len() {
                table[Kind::ALL[index] as usize] = Kind::ALL[index];
                index += 1;
            }
            table
        };
        TABLE[(number & 15) as usize]
    }

    /// The kind of this number, if there is one.
    pub(crate) const fn from_byte(number: u8) -> Option<Self> {
        let mut index = 0;
        while index < TABLE.len() {
            if TABLE[index].0 as u8 == number {
                return Some(TABLE[index].0);
            }
            index += 1;
        }
        None
    }

    fn row(self) -> &'static (Self, &'static str, u16, char) {
        TABLE.iter().find(|row| row.0 == self).expect("every kind is in the table")
    }

    /// Its character in a level's drawing, where things in flight look as at rest and explosions are `*`.
    pub fn char(self) -> char {
        match self {
            FallingRock => 'r',
            FallingDiamond => 'd',
            kind if kind.is_blast() => '*',
            kind if kind.is_monster() && kind.heading().is_some() => {
                if kind.is_blue() {
                    'B'
                } else {
                    'R'
                }
            }
            kind => kind.row().3,
        }
    }

    /// Its own character, by which a level says exactly what a cell holds.
    pub fn exact_char(self) -> char {
        self.row().3
    }

    /// The kind that a level's drawing means by this character.
    pub fn from_char(char: char) -> Option<Self> {
        match char {
            ' ' => Some(Empty),
            '*' => None,
            _ => TABLE.iter().find(|row| row.3 == char).map(|row| row.0),
        }
    }

    /// Its name in the Boulder Dash community.
    pub fn name(self) -> &'static str {
        match self {
            Red => "FIREFLYl",
            Blue => "BUTTERFLYd",
            Blast => "EXPLOSION2",
            kind => kind.row().1,
        }
    }

    /// The kind of this name in the Boulder Dash community.
    pub fn named(name: &str) -> Option<Self> {
        TABLE.iter().find(|row| !row.1.is_empty() && row.1.eq_ignore_ascii_case(name)).map(|row| row.0)
    }

    /// Its number in the Boulder Dash community's engine.
    pub fn element(self) -> u16 {
        match self {
            Red => RedLeft.element(),
            Blue => BlueDown.element(),
            Blast => Blast2.element(),
            kind => kind.row().2,
        }
    }

    /// The kind of this number in the Boulder Dash community's engine.
    pub fn of_element(number: u16) -> Option<Self> {
        TABLE.iter().find(|row| row.2 == number && number != u16::MAX).map(|row| row.0)
    }

    /// Its code in the course environment, which shows burning cells as empty ones.
    pub const fn code(self) -> u8 {
        match self {
            Dirt => 1,
            Diamond | FallingDiamond => 2,
            Rock | FallingRock => 3,
            Border | SoftBorder | HiddenExit | Grave => 4,
            Wall | Slime | GrowingAcross | GrowingUp | Growing => 6,
            Magic => 7,
            Exit | OpenExit | OpenHiddenExit => 21,
            Miner | Inbox | Birth1 | Birth2 | Birth3 | Doll => 22,
            Blue | BlueLeft | BlueUp | BlueRight | BlueDown => 24,
            Red | RedLeft | RedUp | RedRight | RedDown => 25,
            Amoeba | Amoeba2 => 30,
            Sweet | DiamondKey => 31,
            _ => 0,
        }
    }

    /// A red or blue monster?
    #[inline]
    pub const fn is_monster(self) -> bool {
        matches!(self, Red | Blue) || self as u8 & !7 == RedLeft as u8
    }

    /// A blue monster?
    #[inline]
    pub const fn is_blue(self) -> bool {
        matches!(self, Blue) || self as u8 & !3 == BlueLeft as u8
    }

    /// Where a monster of this kind heads, if the kind says so.
    pub const fn heading(self) -> Option<Dir> {
        Some(match self {
            RedLeft | BlueLeft => Dir::West,
            RedUp | BlueUp => Dir::North,
            RedRight | BlueRight => Dir::East,
            RedDown | BlueDown => Dir::South,
            _ => return None,
        })
    }

    /// A monster of this colour that heads there.
    pub const fn monster(blue: bool, heading: Dir) -> Self {
        match (blue, heading) {
            (false, Dir::West) => RedLeft,
            (false, Dir::North) => RedUp,
            (false, Dir::East) => RedRight,
            (false, Dir::South) => RedDown,
            (true, Dir::West) => BlueLeft,
            (true, Dir::North) => BlueUp,
            (true, Dir::East) => BlueRight,
            (true, Dir::South) => BlueDown,
        }
    }

    /// The same, without the heading that a monster has by default: to the left, or down if it is blue.
    pub const fn unheaded(self) -> Self {
        match self {
            RedLeft => Red,
            BlueDown => Blue,
            other => other,
        }
    }

    /// A step of an explosion, or of what becomes a diamond or a rock?
    #[inline]
    pub const fn is_blast(self) -> bool {
        matches!(self, Blast) || (self as u8 >= Blast1 as u8 && self as u8 <= Nitro4 as u8)
    }

    /// The miner, or where it is born?
    pub const fn is_miner(self) -> bool {
        matches!(self, Miner | Inbox | Birth1 | Birth2 | Birth3)
    }

    /// A rock or diamond, at rest or in flight?
    #[inline]
    pub const fn is_loose(self) -> bool {
        self as u8 & !0b11 == 0b1100
    }

    /// The same thing at rest.
    #[inline]
    pub const fn at_rest(self) -> Self {
        match self {
            FallingRock => Rock,
            FallingDiamond => Diamond,
            other => other,
        }
    }

    /// The kind by which a board's planes show it: what the miner, things and explosions can do with it is the same, or a
    /// little more. Walls that explosions destroy are walls.
    pub const fn on_board(self) -> Self {
        match self {
            OpenExit | HiddenExit | OpenHiddenExit => Exit,
            SoftBorder | Magic | Amoeba | Amoeba2 | Slime | GrowingAcross | GrowingUp | Growing | Doll
            | Grave => Wall,
            Inbox | Birth1 | Birth2 | Birth3 => Miner,
            Sweet | DiamondKey => Dirt,
            kind if kind.is_monster() => Red,
            kind if kind.is_blast() => Blast,
            kind => kind,
        }
    }

    /// Does the course's engine have it? Then as what.
    pub const fn in_course(self) -> Option<Self> {
        match self {
            Inbox => Some(Miner),
            FallingRock => Some(Rock),
            FallingDiamond => Some(Diamond),
            kind if (kind as u8) < 16 => Some(kind),
            kind if kind.is_monster() => Some(if kind.is_blue() { Blue } else { Red }),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_a_name_a_number_and_a_character_of_its_own() {
        let own = &TABLE[..59];
        for (index, row) in own.iter().enumerate() {
            assert!(
                own[..index]
                    .iter()
                    .all(|it| it.0 != row.0 && it.1 != row.1 && it.2 != row.2 && it.3 != row.3)
            );
            assert_eq!(Kind::named(row.1), Some(row.0));
            assert_eq!(Kind::of_element(row.2), Some(row.0));
            assert_eq!(Kind::from_char(row.3), Some(row.0));
        }
        assert_eq!([Kind::from_char('R'), Kind::from_char('B')], [Some(Red), Some(Blue)]);
    }
}
