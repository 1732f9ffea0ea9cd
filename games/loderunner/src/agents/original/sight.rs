//! The map as the course project's agent sees it: with enemies and holes drawn in.

use crate::action::Action;
use crate::course::State;
use crate::course::map::{Map, Tile};

/// The steps in the order in which A* tries them.
pub const STEPS: [Action; 4] = [Action::Up, Action::Down, Action::Left, Action::Right];

/// What a cell looks like to the agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sight {
    /// As the map was drawn.
    Tile(Tile),
    /// An open hole.
    Hole,
    /// An enemy in a hole: one can walk over it.
    Trapped,
    /// An enemy, or a cell next to one that is treated like it.
    Enemy,
}

/// A drawing of the map.
#[derive(Clone)]
pub struct Sights {
    cells: Vec<Sight>,
    width: u16,
}

impl Sights {
    /// The map with its holes and enemies.
    pub fn new(map: &Map, state: &State) -> Self {
        let width = map.width();
        let cells = (0..width * map.height()).map(|cell| Sight::Tile(map.tile(cell))).collect();
        let mut sights = Self { cells, width };
        for hole in state.holes() {
            sights.cells[usize::from(hole.cell)] = Sight::Hole;
        }
        for enemy in state.enemies() {
            let sight = &mut sights.cells[usize::from(enemy.cell)];
            *sight = match *sight {
                Sight::Hole | Sight::Trapped => Sight::Trapped,
                Sight::Tile(_) | Sight::Enemy => Sight::Enemy,
            };
        }
        sights
    }

    /// The same with the cells around each free enemy closed: left and right of it, and the ladder above and below.
    pub fn with_zones(&self, state: &State) -> Self {
        let mut zones = self.clone();
        let free = state.enemy_cells().iter().copied().filter(|&cell| self.at(cell) == Sight::Enemy);
        for cell in free {
            for beside in [cell - 1, cell + 1] {
                if matches!(self.at(beside), Sight::Tile(Tile::Path | Tile::Ladder | Tile::Cable)) {
                    zones.cells[usize::from(beside)] = Sight::Enemy;
                }
            }
            for on_ladder in [cell - self.width, cell + self.width] {
                if self.at(on_ladder) == Sight::Tile(Tile::Ladder) {
                    zones.cells[usize::from(on_ladder)] = Sight::Enemy;
                }
            }
        }
        zones
    }

    /// What a cell looks like.
    pub fn at(&self, cell: u16) -> Sight {
        self.cells[usize::from(cell)]
    }

    /// The number of cells.
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// The cell above.
    pub fn above(&self, cell: u16) -> u16 {
        cell - self.width
    }

    /// The cell below.
    pub fn below(&self, cell: u16) -> u16 {
        cell + self.width
    }

    /// The cell that a step enters. A fall is a step down for each cell, unlike in the game.
    pub fn after(&self, cell: u16, step: Action) -> u16 {
        match step {
            Action::Up => self.above(cell),
            Action::Down => self.below(cell),
            Action::Left => cell - 1,
            Action::Right => cell + 1,
            Action::None | Action::BombLeft | Action::BombRight => cell,
        }
    }

    /// May the runner step like this? In the air it can only fall; whether it is there, `ground` says.
    pub fn allows(&self, cell: u16, step: Action, ground: &Self) -> bool {
        let to = self.after(cell, step);
        match step {
            Action::Up => {
                self.at(cell) == Sight::Tile(Tile::Ladder)
                    && !matches!(self.at(to), Sight::Tile(Tile::Wall | Tile::Floor) | Sight::Enemy)
            }
            Action::Down => {
                matches!(self.at(to), Sight::Tile(Tile::Ladder | Tile::Path | Tile::Cable))
            }
            Action::Left | Action::Right => {
                !matches!(self.at(to), Sight::Tile(Tile::Wall | Tile::Floor) | Sight::Enemy | Sight::Trapped)
                    && self.at(self.below(to)) != Sight::Enemy
                    && ground.holds(cell)
            }
            Action::None | Action::BombLeft | Action::BombRight => false,
        }
    }

    fn holds(&self, cell: u16) -> bool {
        !matches!(self.at(self.below(cell)), Sight::Tile(Tile::Path | Tile::Cable) | Sight::Hole)
            || self.at(self.above(cell)) == Sight::Tile(Tile::Cable)
    }

    /// The distance between two cells as the crow flies, squared.
    pub fn distance_squared(&self, one: u16, other: u16) -> u32 {
        let (dx, dy) = (
            (one % self.width).abs_diff(other % self.width),
            (one / self.width).abs_diff(other / self.width),
        );
        u32::from(dx).pow(2) + u32::from(dy).pow(2)
    }
}
