//! The maze as tables: consecutively numbered floor cells, their neighbours, and precomputed choices of ghosts.

use std::sync::OnceLock;

use damier_core::grid::{Cell, Dir, Size};
use damier_core::insight::Point;

use crate::distance::Distances;
use crate::ghosts::Habits;
use crate::level::{Level, Tile};
use crate::pursuit::Pursuit;

/// The number of a floor cell, counted row by row from the top left over floor cells only.
pub type Spot = u16;

/// No floor cell: a wall, or a ghost that is not on the board.
pub const NOWHERE: Spot = Spot::MAX;

/// The number of words with one bit for every spot of the largest maze.
pub const WORDS: usize = (crate::level::MAX_SIDE * crate::level::MAX_SIDE).div_ceil(64);

/// Everything about one floor cell that a step needs, adjacent in memory.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// Column.
    pub x: u8,
    /// Row.
    pub y: u8,
    /// Whether a ghost could turn here if no other ghost blocked it. (Neighbours count without wrapping.)
    pub corner: bool,
    /// Whether there is a potion at the start of the game.
    pub potion: bool,
    /// The neighbours by direction, with wrapping; [`NOWHERE`] for walls.
    pub next: [Spot; 4],
}

/// A maze: its level and the tables computed from it.
#[derive(Clone, Debug)]
pub struct Maze {
    level: Level,
    places: Box<[Place]>,
    /// The spot of each cell.
    spots: Box<[Spot]>,
    pacman: Spot,
    ghosts: [Spot; 4],
    pellets: Box<[u64]>,
    potions: Box<[Spot]>,
    habits: Habits,
    /// Computed on first use: agents need it, the rules do not.
    distances: OnceLock<Distances>,
    pursuit: OnceLock<Option<Pursuit>>,
}

impl Maze {
    /// Computes the tables of a level.
    pub fn new(level: Level) -> Self {
        let size = level.size();
        let floor: Vec<Cell> = size.cells().filter(|&cell| !level.is_wall(cell)).collect();
        let mut spots = vec![NOWHERE; size.area()].into_boxed_slice();
        for (spot, cell) in floor.iter().enumerate() {
            spots[cell.index()] = spot as Spot;
        }
        let mut pellets = vec![0; floor.len().div_ceil(64)].into_boxed_slice();
        for (spot, &cell) in floor.iter().enumerate() {
            if level.tile(cell) != Tile::Floor {
                pellets[spot / 64] |= 1 << (spot % 64);
            }
        }
        let mut ghosts = [NOWHERE; 4];
        for (ghost, cell) in level.ghosts().iter().enumerate() {
            ghosts[ghost] = spots[cell.index()];
        }
        let places = floor.iter().map(|&cell| place(&level, &spots, cell)).collect();
        let potions = (0..floor.len()).filter(|&spot| level.tile(floor[spot]) == Tile::Potion);
        let potions = potions.map(|spot| spot as Spot).collect();
        let mut maze = Self {
            pacman: spots[level.pacman().index()],
            level,
            places,
            spots,
            ghosts,
            pellets,
            potions,
            habits: Habits::default(),
            distances: OnceLock::new(),
            pursuit: OnceLock::new(),
        };
        maze.habits = Habits::of(&maze);
        maze
    }

    /// The level of the maze.
    pub fn level(&self) -> &Level {
        &self.level
    }

    /// Columns and rows.
    pub fn size(&self) -> Size {
        self.level.size()
    }

    /// The number of floor cells.
    pub fn floor(&self) -> usize {
        self.places.len()
    }

    /// The data of a floor cell.
    #[inline]
    pub fn place(&self, spot: Spot) -> &Place {
        &self.places[usize::from(spot)]
    }

    /// The neighbour of a spot, with wrapping; [`NOWHERE`] if it is a wall.
    #[inline]
    pub fn next(&self, spot: Spot, dir: Dir) -> Spot {
        self.place(spot).next[dir.index()]
    }

    /// The floor neighbours of a spot with the directions that lead there.
    pub fn neighbours(&self, spot: Spot) -> impl Iterator<Item = (Dir, Spot)> {
        let next = self.place(spot).next;
        Dir::ALL.into_iter().map(move |dir| (dir, next[dir.index()])).filter(|&(_, next)| next != NOWHERE)
    }

    /// Column and row of a spot.
    pub fn point(&self, spot: Spot) -> Point {
        let place = self.place(spot);
        (place.x.into(), place.y.into())
    }

    /// The spot at a column and row; `None` for walls and outside of the board.
    pub fn spot_at(&self, (x, y): Point) -> Option<Spot> {
        let size = self.size();
        let inside = x < size.width && y < size.height;
        inside.then(|| self.spots[size.cell(x, y).index()]).filter(|&spot| spot != NOWHERE)
    }

    /// Pacman's starting spot.
    pub fn pacman(&self) -> Spot {
        self.pacman
    }

    /// The ghosts' starting spots, by number.
    pub fn ghosts(&self) -> &[Spot] {
        &self.ghosts[..self.level.ghosts().len()]
    }

    /// The pellets at the start, one bit per spot.
    pub fn pellets(&self) -> &[u64] {
        &self.pellets
    }

    /// The precomputed choices of the original ghosts.
    #[inline]
    pub(crate) fn habits(&self) -> &Habits {
        &self.habits
    }

    /// The distances between all spots.
    pub fn distances(&self) -> &Distances {
        self.distances.get_or_init(|| Distances::of(self))
    }

    /// The table of two ghosts against Pacman, unless the maze is too large for it.
    pub fn pursuit(&self) -> Option<&Pursuit> {
        self.pursuit.get_or_init(|| Pursuit::of(self)).as_ref()
    }

    /// The potions at the start.
    pub fn potions(&self) -> impl Iterator<Item = Spot> {
        self.potions.iter().copied()
    }
}

fn place(level: &Level, spots: &[Spot], cell: Cell) -> Place {
    let size = level.size();
    let (x, y) = size.xy(cell);
    let beside = Dir::ALL.map(|dir| size.step(cell, dir).is_some_and(|next| !level.is_wall(next)));
    Place {
        x: x as u8,
        y: y as u8,
        corner: (beside[0] || beside[2]) && (beside[1] || beside[3]),
        potion: level.tile(cell) == Tile::Potion,
        next: Dir::ALL.map(|dir| spots[size.step_around(cell, dir).index()]),
    }
}
