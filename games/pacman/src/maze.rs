//! The maze as tables: floor cells numbered without gaps, their neighbours, and what ghosts ask of them.

use std::sync::OnceLock;

use damier_core::grid::{Cell, Dir, Size};
use damier_core::insight::Point;

use crate::distance::Distances;
use crate::ghosts::Habits;
use crate::level::{Level, Tile};
use crate::pursuit::Pursuit;

/// A floor cell's number, counted row by row from the top left over floor cells alone.
pub type Spot = u16;

/// No floor cell: a wall, or a ghost that is not on the board.
pub const NOWHERE: Spot = Spot::MAX;

/// The words that hold one bit for every spot of the largest maze.
pub const WORDS: usize = (crate::level::MAX_SIDE * crate::level::MAX_SIDE).div_ceil(64);

/// Everything about one floor cell that a step looks up, together in memory.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// Column.
    pub x: u8,
    /// Row.
    pub y: u8,
    /// Could a ghost turn here if no other ghost stood in the way? (Neighbours count without wrap.)
    pub corner: bool,
    /// Is there a potion at the start of the game?
    pub potion: bool,
    /// The neighbours by direction, with wrap; [`NOWHERE`] for walls.
    pub next: [Spot; 4],
}

/// A maze: its level and the tables made from it.
#[derive(Clone, Debug)]
pub struct Maze {
    level: Level,
    places: Box<[Place]>,
    /// Spot by cell.
    spots: Box<[Spot]>,
    pacman: Spot,
    ghosts: [Spot; 4],
    pellets: Box<[u64]>,
    potions: Box<[Spot]>,
    habits: Habits,
    /// Made when first asked for: rules do not need it, agents do.
    distances: OnceLock<Distances>,
    pursuit: OnceLock<Option<Pursuit>>,
}

impl Maze {
    /// Makes the tables of a level.
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

    /// The level it was made from.
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

    /// A floor cell's facts.
    #[inline]
    pub fn place(&self, spot: Spot) -> &Place {
        &self.places[usize::from(spot)]
    }

    /// The neighbour of a spot, with wrap; [`NOWHERE`] if it is a wall.
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

    /// The spot at a column and row: nothing for walls and outside.
    pub fn spot_at(&self, (x, y): Point) -> Option<Spot> {
        let size = self.size();
        let inside = x < size.width && y < size.height;
        inside.then(|| self.spots[size.cell(x, y).index()]).filter(|&spot| spot != NOWHERE)
    }

    /// Where Pacman begins.
    pub fn pacman(&self) -> Spot {
        self.pacman
    }

    /// Where the ghosts begin, by their numbers.
    pub fn ghosts(&self) -> &[Spot] {
        &self.ghosts[..self.level.ghosts().len()]
    }

    /// The pellets at the start, one bit per spot.
    pub fn pellets(&self) -> &[u64] {
        &self.pellets
    }

    /// What the original ghosts do here unless another one is near.
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
