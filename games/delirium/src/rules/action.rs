//! What the miner can do, by name and by number.

use damier_core::grid::Dir;

/// What the miner can do in a tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// Nothing.
    Stay,
    /// A step, which digs, gathers, pushes or leaves; nothing if the way is closed.
    Go(Dir),
    /// Digs the neighbouring cell without moving.
    Dig(Dir),
    /// Sees one cell further to all sides; the world waits.
    Look,
}

impl Action {
    /// The actions that are legal in every running game, in the order of their numbers in the course environment: 0 to 8.
    pub const ALL: [Self; 9] = [
        Self::Stay,
        Self::Go(Dir::East),
        Self::Go(Dir::North),
        Self::Go(Dir::West),
        Self::Go(Dir::South),
        Self::Dig(Dir::East),
        Self::Dig(Dir::North),
        Self::Dig(Dir::West),
        Self::Dig(Dir::South),
    ];

    /// The number of [`Look`](Action::Look) in the course environment.
    pub const LOOK: u32 = 100_000;

    /// Its number in the course environment.
    pub fn number(self) -> u32 {
        Self::ALL.iter().position(|&action| action == self).map_or(Self::LOOK, |number| number as u32)
    }

    /// The action of this number in the course environment.
    pub fn numbered(number: u32) -> Option<Self> {
        if number == Self::LOOK { Some(Self::Look) } else { Self::ALL.get(number as usize).copied() }
    }

    /// `stay`, `right`, …, `dig-right`, …, `look`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Stay => "stay",
            Self::Go(dir) => dir.arrow_name(),
            Self::Dig(Dir::North) => "dig-up",
            Self::Dig(Dir::East) => "dig-right",
            Self::Dig(Dir::South) => "dig-down",
            Self::Dig(Dir::West) => "dig-left",
            Self::Look => "look",
        }
    }

    /// The action of this name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().chain([Self::Look]).find(|action| action.name() == name)
    }
}
