//! Pacman's turns against ghosts whose moves are known.

use damier_core::grid::Dir;

use crate::maze::{Maze, NOWHERE, Spot};
use crate::rules::{Action, Ending, Figures, Rules, State};

/// Ghosts whose moves can be predicted.
pub trait KnownGhosts: Send + Sync {
    /// Moves the ghosts that have not moved in this turn yet, then checks Pacman's death: afterwards it is Pacman's move,
    /// or the game is over.
    fn play(&self, rules: &Rules, figures: &mut Figures, pellets: &[u64]);
}

/// The ghosts of the original program.
#[derive(Clone, Copy, Debug, Default)]
pub struct OriginalGhosts;

impl KnownGhosts for OriginalGhosts {
    #[inline]
    fn play(&self, rules: &Rules, figures: &mut Figures, _pellets: &[u64]) {
        rules.original_ghost_phase(figures);
    }
}

/// The state of Pacman's next decision.
pub fn opening(rules: &Rules, ghosts: &dyn KnownGhosts, start: &State) -> State {
    let mut state = *start;
    if state.figures.ghost_to_move.is_some() {
        ghosts.play(rules, &mut state.figures, &state.pellets);
    }
    state
}

/// Plays one turn: Pacman's move, then the ghosts' moves.
pub fn take_turn(rules: &Rules, ghosts: &dyn KnownGhosts, state: &mut State, dir: Dir) {
    turn(rules, ghosts, &mut state.figures, &mut state.pellets, dir);
}

/// The first direction that Pacman survives in the next turn.
pub(crate) fn safe_direction(rules: &Rules, ghosts: &dyn KnownGhosts, state: &State) -> Option<Dir> {
    Dir::ALL.into_iter().find(|&dir| {
        let mut next = *state;
        take_turn(rules, ghosts, &mut next, dir);
        next.figures.ending != Some(Ending::Dead)
    })
}

/// The states after each turn of a plan, from a state in which Pacman is to move, until the plan or the game ends.
pub fn replay(rules: &Rules, ghosts: &dyn KnownGhosts, state: &State, plan: &[Dir]) -> Vec<State> {
    let mut state = *state;
    let mut states = Vec::with_capacity(plan.len());
    for &dir in plan {
        if state.figures.ending.is_some() {
            break;
        }
        take_turn(rules, ghosts, &mut state, dir);
        states.push(state);
    }
    states
}

#[inline]
fn turn(rules: &Rules, ghosts: &dyn KnownGhosts, figures: &mut Figures, pellets: &mut [u64], dir: Dir) {
    rules.pacman_phase(figures, pellets, Action::Go(dir));
    if figures.ending.is_none() {
        rules.begin_turn(figures);
        ghosts.play(rules, figures, pellets);
    }
}

/// A position of a search: a [`State`] with only as many words of pellets as the maze needs, and a measure of their disorder.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Position<const N: usize> {
    /// Everything but the pellets.
    pub figures: Figures,
    /// The pellets not yet eaten, one bit per spot.
    pub pellets: [u64; N],
    /// The number of ends of rows of pellets: see [`LOOSE_ENDS`].
    pub loose_ends: u16,
}

/// The loose ends of a pellet, by the number of pellets next to it. Each row of pellets has two; a tour of all pellets has
/// to visit each row separately.
const LOOSE_ENDS: [u16; 5] = [2, 1, 0, 0, 0];

impl<const N: usize> Position<N> {
    /// The position of a state, in a maze of at most `64 * N` floor cells.
    pub fn new(maze: &Maze, state: &State) -> Self {
        let mut pellets = [0; N];
        pellets.copy_from_slice(&state.pellets[..N]);
        let mut position = Self { figures: state.figures, pellets, loose_ends: 0 };
        let left = (0..maze.floor() as Spot).filter(|&spot| position.has_pellet(spot));
        position.loose_ends = left.map(|spot| LOOSE_ENDS[position.pellets_beside(maze, spot)]).sum();
        position
    }

    /// Whether this spot still has its pellet.
    #[inline]
    pub fn has_pellet(&self, spot: Spot) -> bool {
        self.pellets[usize::from(spot / 64)] >> (spot % 64) & 1 == 1
    }

    /// The number of pellets next to a spot.
    #[inline]
    pub fn pellets_beside(&self, maze: &Maze, spot: Spot) -> usize {
        let next = maze.place(spot).next;
        next.iter().filter(|&&next| next != NOWHERE && self.has_pellet(next)).count()
    }

    /// Plays one turn: Pacman's move, then the ghosts' moves.
    ///
    /// Pacman's facing is reset: it does not matter to a player who always chooses a direction, and positions that differ
    /// only in it become equal.
    #[inline]
    pub fn turn(&mut self, rules: &Rules, ghosts: &dyn KnownGhosts, dir: Dir) -> Option<Ending> {
        let left = self.figures.pellets_left;
        turn(rules, ghosts, &mut self.figures, &mut self.pellets, dir);
        self.figures.dir = Dir::North;
        if self.figures.pellets_left < left {
            self.update_loose_ends(rules.maze());
        }
        self.figures.ending
    }

    /// Updates the loose ends after Pacman has eaten the pellet of his spot.
    #[inline]
    pub fn update_loose_ends(&mut self, maze: &Maze) {
        let mut beside = 0;
        for next in maze.place(self.figures.pacman).next {
            if next != NOWHERE && self.has_pellet(next) {
                beside += 1;
                let left = self.pellets_beside(maze, next);
                self.loose_ends += LOOSE_ENDS[left] - LOOSE_ENDS[left + 1];
            }
        }
        self.loose_ends -= LOOSE_ENDS[beside];
    }
}

#[cfg(test)]
mod tests {
    use damier_core::game::Game;

    use super::*;
    use crate::level::Level;
    use crate::rules::RuleSet;
    use damier_core::random::{Chance, Rng};

    /// The position of a search stays that of the rules, whatever is played.
    #[test]
    fn positions_follow_the_rules() {
        let level = Level::parse(include_str!("../../levels/original.txt")).unwrap();
        for set in [RuleSet::Course, RuleSet::Report] {
            let rules = Rules::new(level.clone(), set);
            for seed in 0..50 {
                let mut rng = Rng::new(seed);
                let mut state = opening(&rules, &OriginalGhosts, &rules.start());
                let mut position = Position::<4>::new(rules.maze(), &state);
                while state.figures.ending.is_none() && state.figures.turn < 300 {
                    let dir = Dir::ALL[rng.below(4) as usize];
                    take_turn(&rules, &OriginalGhosts, &mut state, dir);
                    position.turn(&rules, &OriginalGhosts, dir);
                    let fresh = Position::<4>::new(rules.maze(), &state);
                    assert_eq!((position.pellets, position.loose_ends), (fresh.pellets, fresh.loose_ends));
                    let figures = Figures { dir: Dir::North, ..fresh.figures };
                    assert_eq!(position.figures, figures);
                }
            }
        }
    }
}
