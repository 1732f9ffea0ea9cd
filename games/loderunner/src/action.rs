//! What the runner can do, in both rule sets.

/// An action, in the order of the course's codes. Under `classic` it is the key that is down during a tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// Nothing.
    None,
    /// Climb up.
    Up,
    /// Climb down, or let go.
    Down,
    /// Walk left.
    Left,
    /// Walk right.
    Right,
    /// Dig a hole to the left.
    BombLeft,
    /// Dig a hole to the right.
    BombRight,
}

impl Action {
    /// All actions, by their codes.
    pub const ALL: [Self; 7] =
        [Self::None, Self::Up, Self::Down, Self::Left, Self::Right, Self::BombLeft, Self::BombRight];

    /// The course's code, 0 to 6.
    pub const fn code(self) -> i8 {
        self as i8
    }

    /// `none`, `up`, …, `bomb_right`.
    pub const fn name(self) -> &'static str {
        ["none", "up", "down", "left", "right", "bomb_left", "bomb_right"][self as usize]
    }

    /// The action of this name, of this code, or of this letter of a recording.
    pub fn parse(name: &str) -> Option<Self> {
        let by_name = Self::ALL.into_iter().find(|action| action.name() == name);
        by_name.or(match name {
            "0" | "." => Some(Self::None),
            "1" | "U" => Some(Self::Up),
            "2" | "D" => Some(Self::Down),
            "3" | "L" => Some(Self::Left),
            "4" | "R" => Some(Self::Right),
            "5" | "z" | "dig_left" => Some(Self::BombLeft),
            "6" | "x" | "dig_right" => Some(Self::BombRight),
            _ => None,
        })
    }

    /// Does it dig?
    pub const fn digs(self) -> bool {
        matches!(self, Self::BombLeft | Self::BombRight)
    }
}
