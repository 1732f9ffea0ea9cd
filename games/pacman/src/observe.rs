//! Observations: the whole state as plain data.

use damier_core::grid::Dir;
use damier_core::insight::Point;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ghosts::Ghost;
use crate::maze::{Maze, NOWHERE, Spot, WORDS};
use crate::rules::{Ending, Figures, State, pellet_hash};

/// A ghost as observed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct SeenGhost {
    /// Column and row.
    pub at: Point,
    /// The direction it faces.
    pub dir: Dir,
}

/// The whole state. The walls are in the level.
///
/// ```
/// use damier_core::game::Game;
/// use damier_pacman::level::Level;
/// use damier_pacman::rules::{RuleSet, Rules};
///
/// let rules = Rules::new(Level::parse("#####\n#P.o#\n#####\n").unwrap(), RuleSet::Course);
/// let seen = rules.observe(&rules.start(), 0);
/// assert_eq!((seen.pacman, &*seen.pellets, &*seen.potions), ((1, 1), &[(2, 1)][..], &[(3, 1)][..]));
/// assert_eq!(seen.state(rules.maze()), Some(rules.start()));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct Observation {
    /// The current turn, from 1.
    pub turn: u32,
    /// Who is to move: `pacman`, `ghosts`, or `nobody` if the game is over.
    pub to_move: ToMove,
    /// The number of the ghost to move, from 0.
    pub ghost: Option<u8>,
    /// Pacman's column and row.
    pub pacman: Point,
    /// The direction Pacman faces.
    pub dir: Dir,
    /// The ghosts, by number.
    pub ghosts: Vec<SeenGhost>,
    /// The remaining pellets, without potions.
    pub pellets: Vec<Point>,
    /// The remaining potions.
    pub potions: Vec<Point>,
    /// The remaining turns of the active potion, 30 to 0.
    pub clock: Option<u8>,
    /// Pacman's points.
    pub score: u32,
    /// `running`, `dead`, `quit` or `won`.
    pub status: SeenStatus,
}

/// Who is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the names are self-explanatory")]
pub enum ToMove {
    Pacman,
    Ghosts,
    Nobody,
}

/// The status of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the names are self-explanatory")]
pub enum SeenStatus {
    Running,
    Dead,
    Quit,
    Won,
}

impl SeenStatus {
    /// The status of some figures.
    pub fn of(figures: &Figures) -> Self {
        match figures.ending {
            None => Self::Running,
            Some(Ending::Dead) => Self::Dead,
            Some(Ending::Quit) => Self::Quit,
            Some(Ending::Won) => Self::Won,
        }
    }

    /// `running`, `dead`, `quit` or `won`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Dead => "dead",
            Self::Quit => "quit",
            Self::Won => "won",
        }
    }

    fn ending(self) -> Option<Ending> {
        match self {
            Self::Running => None,
            Self::Dead => Some(Ending::Dead),
            Self::Quit => Some(Ending::Quit),
            Self::Won => Some(Ending::Won),
        }
    }
}

impl Observation {
    /// The observation of a state.
    pub fn of(maze: &Maze, state: &State) -> Self {
        let figures = &state.figures;
        let left = || (0..maze.floor() as Spot).filter(|&spot| state.has_pellet(spot));
        let ghosts = figures.ghosts.iter().take(maze.ghosts().len());
        Self {
            turn: figures.turn,
            to_move: match (figures.ending, figures.ghost_to_move) {
                (Some(_), _) => ToMove::Nobody,
                (None, Some(_)) => ToMove::Ghosts,
                (None, None) => ToMove::Pacman,
            },
            ghost: figures.ghost_to_move,
            pacman: maze.point(figures.pacman),
            dir: figures.dir,
            ghosts: ghosts.map(|ghost| SeenGhost { at: maze.point(ghost.spot), dir: ghost.dir }).collect(),
            pellets: left().filter(|&spot| !maze.place(spot).potion).map(|spot| maze.point(spot)).collect(),
            potions: left().filter(|&spot| maze.place(spot).potion).map(|spot| maze.point(spot)).collect(),
            clock: figures.clock,
            score: figures.score,
            status: SeenStatus::of(figures),
        }
    }

    /// The observed state; `None` if it does not fit the maze.
    pub fn state(&self, maze: &Maze) -> Option<State> {
        let mut pellets = [0; WORDS];
        for &point in self.pellets.iter().chain(&self.potions) {
            let spot = maze.spot_at(point)?;
            pellets[usize::from(spot / 64)] |= 1 << (spot % 64);
        }
        let mut ghosts = [Ghost { spot: NOWHERE, dir: Dir::North }; 4];
        if self.ghosts.len() != maze.ghosts().len() {
            return None;
        }
        for (ghost, seen) in ghosts.iter_mut().zip(&self.ghosts) {
            *ghost = Ghost { spot: maze.spot_at(seen.at)?, dir: seen.dir };
        }
        let figures = Figures {
            turn: self.turn,
            score: self.score,
            pacman: maze.spot_at(self.pacman)?,
            pellets_left: (self.pellets.len() + self.potions.len()) as u16,
            ghosts,
            dir: self.dir,
            clock: self.clock,
            ghost_to_move: self.ghost,
            ending: self.status.ending(),
            pellet_hash: pellet_hash(&pellets),
        };
        Some(State { figures, pellets })
    }
}
