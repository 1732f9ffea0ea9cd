//! A simple Pacman: heads for the nearest pellet and runs away from nearby ghosts.

use std::sync::Arc;

use damier_core::agent::{Agent, Turn};
use damier_core::grid::Dir;
use damier_core::insight::{Insight, reason};

use crate::maze::{NOWHERE, Spot};
use crate::rules::{Action, Rules, State};

/// The distance at which it runs away from a ghost, in steps.
const NEAR: u16 = 4;

/// A simple Pacman that looks only one step ahead.
pub struct Baseline {
    rules: Arc<Rules>,
}

impl Baseline {
    /// An agent for games under these rules.
    pub fn new(rules: Arc<Rules>) -> Self {
        Self { rules }
    }

    /// Steps from a spot to the nearest hunting ghost.
    fn to_ghost(&self, state: &State, spot: Spot) -> u16 {
        if state.figures.clock.is_some() {
            return u16::MAX;
        }
        let ghosts = state.figures.ghosts.iter().map(|ghost| ghost.spot).filter(|&ghost| ghost != NOWHERE);
        ghosts.map(|ghost| self.rules.maze().distances().between(ghost, spot)).min().unwrap_or(u16::MAX)
    }

    fn nearest_pellet(&self, state: &State) -> Option<Spot> {
        let distances = self.rules.maze().distances();
        let pellets = (0..self.rules.maze().floor() as Spot).filter(|&spot| state.has_pellet(spot));
        pellets.min_by_key(|&spot| distances.between(state.figures.pacman, spot))
    }
}

impl Agent<Rules> for Baseline {
    fn act(&mut self, turn: &Turn<'_, Rules>, insight: &mut Insight) -> Action {
        let maze = self.rules.maze();
        let Some(state) = turn.observation.state(maze) else { return turn.legal[0] };
        let pacman = state.figures.pacman;
        let exits: Vec<(Dir, Spot)> = maze.neighbours(pacman).collect();
        let flees = self.to_ghost(&state, pacman) <= NEAR;
        let choice = if flees {
            insight.say(|| "running away from a ghost".to_owned());
            exits.iter().max_by_key(|&&(_, next)| self.to_ghost(&state, next))
        } else {
            let pellet = self.nearest_pellet(&state);
            insight.say(|| "heading for the nearest pellet".to_owned());
            insight.mark(reason::GOAL, pellet.map(|spot| maze.point(spot)));
            let distance = |next: Spot| pellet.map_or(0, |spot| maze.distances().between(next, spot));
            exits.iter().min_by_key(|&&(_, next)| distance(next))
        };
        choice.map_or(turn.legal[0], |&(dir, _)| Action::Go(dir))
    }
}
