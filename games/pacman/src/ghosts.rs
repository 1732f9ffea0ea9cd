//! The ghosts of the original program, and how they choose a step.
//!
//! A ghost goes straight ahead until it is at a corner. There it tries the directions, the one towards its target first
//! and never backwards, and takes the first that leads straight to another corner or to Pacman. Other ghosts are
//! obstacles, so a junction can temporarily stop being a corner. Two quirks of the program are kept: distances to the
//! target ignore the tunnel, and a blocked ghost steps aside without turning.
//!
//! Most choices do not depend on the other ghosts. The maze stores these as habits, one byte each, with the cells where
//! another ghost would matter; all other choices are computed by the rule.

use damier_core::grid::Dir;

use crate::maze::{Maze, NOWHERE, Spot};

/// A ghost: its position and facing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ghost {
    /// Its spot, or [`NOWHERE`] if the level has fewer ghosts.
    pub spot: Spot,
    /// The direction it faces.
    pub dir: Dir,
}

/// The surroundings of a ghost that chooses a step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Around {
    /// The other ghosts; [`NOWHERE`] for itself.
    pub others: [Spot; 4],
    /// Pacman, who never blocks.
    pub pacman: Spot,
}

impl Around {
    /// Whether this spot is floor without another ghost.
    #[inline]
    pub fn free(&self, spot: Spot) -> bool {
        spot != NOWHERE && !self.others.contains(&spot)
    }
}

/// A cell to aim at, which may be a wall or outside the board.
pub type Aim = (i16, i16);

/// A ghost's choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Choice {
    /// The step; `None` if the ghost is shut in.
    pub step: Option<Dir>,
    /// The direction it faces afterwards.
    pub dir: Dir,
}

/// The orders in which directions are tried, by the [`bearing`] of the target: along the longer axis first.
const ORDERS: [[Dir; 4]; 8] = {
    use Dir::{East as E, North as N, South as S, West as W};
    [
        [S, E, W, N],
        [N, E, W, S],
        [S, W, E, N],
        [N, W, E, S],
        [E, S, N, W],
        [E, N, S, W],
        [W, S, N, E],
        [W, N, S, E],
    ]
};

/// The bearing of a target at `(dx, dy)`, one of eight: 4 if it is further east or west than north or south, plus 2 if
/// west, plus 1 if north. Zero counts as east and as south.
#[inline]
fn bearing(dx: i16, dy: i16) -> usize {
    usize::from(dx.abs() > dy.abs()) << 2 | usize::from(dx < 0) << 1 | usize::from(dy < 0)
}

impl Maze {
    /// The original program's choice for a ghost that aims at a cell.
    #[inline]
    pub(crate) fn original_choice(&self, ghost: Ghost, aim: Aim, around: &Around) -> Choice {
        let bearing = self.bearing(ghost.spot, aim);
        if let Some(step) = self.habits().step(ghost, bearing)
            && !self.habits().is_relevant(ghost.spot, step, around.others)
        {
            return Choice { step: Some(step), dir: step };
        }
        self.computed_choice(ghost, bearing, around)
    }

    /// The choice by the rule, without habits.
    #[cold]
    fn computed_choice(&self, ghost: Ghost, bearing: usize, around: &Around) -> Choice {
        if let Some(step) = self.itinerary(ghost, bearing, around) {
            return Choice { step: Some(step), dir: step };
        }
        let ahead = self.next(ghost.spot, ghost.dir);
        let step = if around.free(ahead) { Some(ghost.dir) } else { self.step_aside(ghost, around) };
        Choice { step, dir: ghost.dir }
    }

    /// Whether a ghost can turn here. A corner has a free neighbour on both axes, without wrapping.
    pub(crate) fn is_corner(&self, spot: Spot, around: &Around) -> bool {
        let place = self.place(spot);
        place.corner && {
            let [north, east, south, west] = place.next;
            let size = self.size();
            let free = |inside: bool, spot: Spot| inside && around.free(spot);
            (free(place.y > 0, north) || free(u16::from(place.y) + 1 < size.height, south))
                && (free(place.x > 0, west) || free(u16::from(place.x) + 1 < size.width, east))
        }
    }

    /// Whether a ghost has an itinerary here. Which one depends on the target, but not whether there is one.
    pub(crate) fn has_itinerary(&self, ghost: Ghost, around: &Around) -> bool {
        self.itinerary(ghost, 0, around).is_some()
    }

    /// At a corner, the step towards the first corner, or Pacman, that can be reached straight.
    fn itinerary(&self, ghost: Ghost, bearing: usize, around: &Around) -> Option<Dir> {
        if !self.is_corner(ghost.spot, around) {
            return None;
        }
        let mut forward = ORDERS[bearing].into_iter().filter(|&dir| dir != ghost.dir.opposite());
        let end = forward.find_map(|dir| self.walk(ghost.spot, dir, around))?;
        let end = self.place(end);
        // Because of the tunnel this may be the opposite direction.
        self.toward(ghost.spot, (end.x.into(), end.y.into()), around)
    }

    /// Walks straight to a corner or to Pacman; `None` if something blocks the path.
    fn walk(&self, from: Spot, dir: Dir, around: &Around) -> Option<Spot> {
        let mut at = from;
        // A walk around the board comes back to its start, which is a corner, so the loop ends.
        loop {
            at = self.next(at, dir);
            if !around.free(at) {
                return None;
            }
            if at == around.pacman || self.is_corner(at, around) {
                return Some(at);
            }
        }
    }

    /// One step towards a cell; `None` if the ghost is shut in.
    fn toward(&self, from: Spot, aim: Aim, around: &Around) -> Option<Dir> {
        let next = self.place(from).next;
        ORDERS[self.bearing(from, aim)].into_iter().find(|dir| around.free(next[dir.index()]))
    }

    /// The step of a ghost that is blocked ahead: it aims at the blocked cell.
    fn step_aside(&self, ghost: Ghost, around: &Around) -> Option<Dir> {
        let size = self.size();
        let (x, y) = self.point(ghost.spot);
        let (x, y) = size.xy(size.step_around(size.cell(x, y), ghost.dir));
        self.toward(ghost.spot, (x as i16, y as i16), around)
    }

    #[inline]
    fn bearing(&self, from: Spot, (x, y): Aim) -> usize {
        let place = self.place(from);
        bearing(x - i16::from(place.x), y - i16::from(place.y))
    }
}

/// Precomputed choices, valid unless another ghost is near.
#[derive(Clone, Debug, Default)]
pub(crate) struct Habits {
    /// The step by spot, direction and bearing, or [`Habits::NONE`].
    steps: Box<[[[u8; 8]; 4]]>,
    /// By spot and step: the spots, one bit each, where another ghost could change the choice.
    relevant: Box<[u64]>,
    /// The number of words of `relevant` for one spot and step.
    words: usize,
}

impl Habits {
    /// No habit: Pacman could change the choice, or it leads around the board, or there is a wall ahead.
    const NONE: u8 = 4;

    /// Computes the habits of a maze.
    pub fn of(maze: &Maze) -> Self {
        let words = maze.floor().div_ceil(64);
        let mut habits = Self {
            steps: vec![[[Self::NONE; 8]; 4]; maze.floor()].into(),
            relevant: vec![0; maze.floor() * 4 * words].into(),
            words,
        };
        for spot in 0..maze.floor() as Spot {
            for dir in Dir::ALL {
                habits.steps[usize::from(spot)][dir.index()] = std::array::from_fn(|bearing| {
                    habit(maze, Ghost { spot, dir }, bearing).map_or(Self::NONE, |step| step as u8)
                });
                let start = habits.row(spot, dir);
                for relevant in relevant(maze, spot, dir) {
                    habits.relevant[start + usize::from(relevant / 64)] |= 1 << (relevant % 64);
                }
            }
        }
        habits
    }

    #[inline]
    fn step(&self, ghost: Ghost, bearing: usize) -> Option<Dir> {
        let step = self.steps[usize::from(ghost.spot)][ghost.dir.index()][bearing];
        (step != Self::NONE).then_some(Dir::from_index(step))
    }

    /// Whether one of the others could change this step.
    #[inline]
    fn is_relevant(&self, spot: Spot, step: Dir, others: [Spot; 4]) -> bool {
        let start = self.row(spot, step);
        let row = &self.relevant[start..start + self.words];
        // `NOWHERE` is outside of the row.
        let bit = |other: Spot| row.get(usize::from(other / 64)).map_or(0, |word| word >> (other % 64) & 1);
        others.into_iter().map(bit).fold(0, |any, bit| any | bit) != 0
    }

    #[inline]
    fn row(&self, spot: Spot, step: Dir) -> usize {
        (usize::from(spot) * 4 + step.index()) * self.words
    }
}

/// A ghost's step in the empty maze, if Pacman cannot change it and it does not lead around the board.
fn habit(maze: &Maze, ghost: Ghost, bearing: usize) -> Option<Dir> {
    if !maze.place(ghost.spot).corner {
        return Some(ghost.dir).filter(|&dir| maze.next(ghost.spot, dir) != NOWHERE);
    }
    let forward = ORDERS[bearing].into_iter().filter(|&dir| dir != ghost.dir.opposite());
    let open = forward.filter(|&dir| maze.next(ghost.spot, dir) != NOWHERE);
    // The first open direction is taken, unless its walk ends at a wall or leaves the board.
    open.take(1).find(|&dir| straight_corner(maze, ghost.spot, dir).is_some())
}

/// The first corner straight ahead in the empty maze, inside the board.
fn straight_corner(maze: &Maze, from: Spot, dir: Dir) -> Option<Spot> {
    let mut at = from;
    loop {
        at = beside(maze, at, dir)?;
        if maze.place(at).corner {
            return Some(at);
        }
    }
}

/// The spots where another ghost could change a habitual step: at a corner, those along the walk and next to its ends;
/// elsewhere, the next one.
fn relevant(maze: &Maze, spot: Spot, step: Dir) -> Vec<Spot> {
    if !maze.place(spot).corner {
        return vec![maze.next(spot, step)].into_iter().filter(|&next| next != NOWHERE).collect();
    }
    let Some(end) = straight_corner(maze, spot, step) else { return Vec::new() };
    let mut relevant: Vec<Spot> = Vec::new();
    for corner in [spot, end] {
        relevant
            .extend([step.left(), step.right()].into_iter().filter_map(|side| beside(maze, corner, side)));
    }
    let mut at = spot;
    while at != end {
        at = maze.next(at, step);
        relevant.push(at);
    }
    relevant
}

/// The floor neighbour, without wrapping.
fn beside(maze: &Maze, spot: Spot, dir: Dir) -> Option<Spot> {
    let size = maze.size();
    let (x, y) = maze.point(spot);
    maze.spot_at(size.xy(size.step(size.cell(x, y), dir)?))
}
