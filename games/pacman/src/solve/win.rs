//! The two searches for a win, for mazes of every size.

use damier_core::grid::Dir;
use damier_search::beam::{Beam, BeamLimits, End, Found};

use super::feast::{self, Feast};
use super::known::{KnownGhosts, Position, replay};
use super::trail::{self, OnTrail, Trails};
use crate::bound::MAX_NODES;
use crate::bound::corridors::Corridors;
use crate::bound::covers::Covers;
use crate::bound::frontier::Errand;
use crate::maze::WORDS;
use crate::rules::{Ending, Rules, State};

/// Pacman against ghosts whose moves are known.
#[derive(Clone, Copy)]
pub struct Chase<'a> {
    /// The rules, with the maze.
    pub rules: &'a Rules,
    /// The ghosts.
    pub ghosts: &'a dyn KnownGhosts,
}

/// The options of a search.
#[derive(Clone, Copy, Debug)]
pub struct Look {
    /// The beam width: the positions kept at every turn.
    pub width: usize,
    /// The maximum length of a plan in turns.
    pub depth: usize,
    /// The maximum number of positions searched.
    pub nodes: u64,
    /// Whether a win that leaves pellets under ghosts counts.
    pub any_win: bool,
    /// Varies the choice among positions that are almost equally good.
    pub salt: u64,
}

impl Look {
    fn limits(&self) -> BeamLimits {
        BeamLimits { width: self.width, depth: self.depth, nodes: self.nodes }
    }
}

/// A plan that wins, verified by the rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Win {
    /// Pacman's directions.
    pub plan: Vec<Dir>,
    /// The number of pellets left under ghosts.
    pub left: u16,
}

/// The short covering walks from a position.
pub struct Walks {
    graph: Corridors,
    covers: Covers,
    slack: u8,
}

impl Walks {
    /// The walks over all pellets of a state that exceed the shortest by at most `slack` turns; `None` if the maze is too
    /// wide, or if it takes too long.
    pub fn new(rules: &Rules, state: &State, slack: u8, give_up: &dyn Fn() -> bool) -> Option<Self> {
        let graph = Corridors::around(rules.maze(), state.figures.pacman);
        let errand = Errand { wanted: &|spot| state.has_pellet(spot), spare: 0, give_up };
        let covers = Covers::new(&graph, errand, slack, MAX_NODES)?;
        Some(Self { graph, covers, slack })
    }

    /// The length of a shortest one.
    pub fn shortest(&self) -> u32 {
        self.covers.shortest
    }
}

/// Runs a search with just enough words for a number of bits.
macro_rules! with_room_for {
    ($bits:expr, $n:ident => $search:expr) => {
        match $bits {
            0..=256 => {
                const $n: usize = 4;
                $search
            }
            257..=512 => {
                const $n: usize = 8;
                $search
            }
            513..=1024 => {
                const $n: usize = 16;
                $search
            }
            _ => {
                const $n: usize = WORDS;
                $search
            }
        }
    };
}

impl Chase<'_> {
    /// Searches freely, from any state in which Pacman is to move: he may go anywhere and wait at walls.
    pub fn feast(&self, state: &State, look: &Look, stop: impl FnMut() -> bool) -> Found<Dir> {
        let maze = self.rules.maze();
        let feast = Feast { rules: self.rules, ghosts: self.ghosts, any_win: look.any_win, salt: look.salt };
        with_room_for!(maze.floor(), N => {
            let start = Position::<N>::new(maze, state);
            Beam::new().search(&feast::Sized::<N>::new(feast), &start, &look.limits(), stop)
        })
    }

    /// Searches along the walks, which must belong to this state.
    pub fn trail(&self, state: &State, walks: &Walks, look: &Look, stop: impl FnMut() -> bool) -> Found<Dir> {
        let maze = self.rules.maze();
        let Walks { graph, covers, slack } = walks;
        let trails = Trails::new(self.rules, self.ghosts, graph, covers, look.any_win, look.salt);
        let limits = BeamLimits { depth: covers.shortest as usize + usize::from(*slack), ..look.limits() };
        let bits = maze.floor().max(trails.steps());
        if bits > 64 * WORDS {
            return Found { end: End::Stopped, plan: Vec::new(), nodes: 0 };
        }
        with_room_for!(bits, N => {
            let start = OnTrail::new(Position::<N>::new(maze, state));
            Beam::new().search(&trail::Sized::<N>(trails), &start, &limits, stop)
        })
    }

    /// The win found by a search, if the rules confirm it.
    pub fn verified(&self, state: &State, found: &Found<Dir>) -> Option<Win> {
        if found.end != End::Goal {
            return None;
        }
        let last = replay(self.rules, self.ghosts, state, &found.plan).pop()?;
        let won = last.figures.ending == Some(Ending::Won);
        won.then(|| Win { plan: found.plan.clone(), left: last.figures.pellets_left })
    }
}
