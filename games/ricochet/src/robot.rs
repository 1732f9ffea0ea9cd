//! The five robots.

use serde::{Deserialize, Serialize};

/// The maximum number of robots on a board.
pub const MAX_ROBOTS: usize = 5;

/// A robot, by its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[repr(u8)]
#[expect(missing_docs, reason = "the names are self-explanatory")]
pub enum Robot {
    Red = 0,
    Green = 1,
    Blue = 2,
    Yellow = 3,
    /// The fifth robot, an option of the published game.
    Silver = 4,
}

impl Robot {
    /// All five, in the order in which the game lists them.
    pub const ALL: [Self; MAX_ROBOTS] = [Self::Red, Self::Green, Self::Blue, Self::Yellow, Self::Silver];

    /// Its number, 0 to 4.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Its colour as a word: `red`.
    pub const fn name(self) -> &'static str {
        ["red", "green", "blue", "yellow", "silver"][self as usize]
    }

    /// Its capital letter in drawings: `R`.
    pub const fn letter(self) -> char {
        ['R', 'G', 'B', 'Y', 'S'][self as usize]
    }

    /// The robot of this name or letter, in either case.
    ///
    /// ```
    /// # use damier_ricochet::robot::Robot;
    /// assert_eq!(Robot::parse("blue"), Some(Robot::Blue));
    /// assert_eq!(Robot::parse("B"), Some(Robot::Blue));
    /// assert_eq!(Robot::parse("mauve"), None);
    /// ```
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|robot| {
            robot.name().eq_ignore_ascii_case(name)
                || name.chars().eq(std::iter::once(robot.letter()))
                || name.chars().eq(std::iter::once(robot.letter().to_ascii_lowercase()))
        })
    }
}
