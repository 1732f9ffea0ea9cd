//! Teams of ghosts for the rule set `report`: each is a pure function of the state, so its moves can be predicted.

use std::sync::Arc;

use damier_core::agent::{Agent, Turn};
use damier_core::grid::Dir;
use damier_core::insight::{Insight, reason};

use crate::agents::pack;
use crate::distance::Distances;
use crate::maze::{Maze, Spot};
use crate::rules::{Action, Figures, RuleSet, Rules};
use crate::solve::known::KnownGhosts;

/// The distance at which ghosts run away from Pacman while a potion works.
const FLEE_DISTANCE: u16 = 6;

/// A team of ghosts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Team {
    /// The ghosts of the original program.
    Original,
    /// Each takes a shortest path to Pacman.
    Chase,
    /// One follows Pacman, the others aim ahead of him.
    Ambush,
    /// Each approaches him through a different corridor.
    Pincer,
    /// One guards the potion nearest to him, the others chase.
    Guard,
    /// Two hunt by the table of all pursuits, the others guard potions.
    Pack,
}

impl Team {
    /// The teams that come with the game.
    pub const PUBLISHED: [Self; 5] = [Self::Original, Self::Ambush, Self::Pincer, Self::Guard, Self::Pack];

    /// The published team of this name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::PUBLISHED.into_iter().find(|team| team.name() == name)
    }

    /// The team's name in commands.
    pub fn name(self) -> &'static str {
        match self {
            Self::Original => "original",
            Self::Chase => "chase",
            Self::Ambush => "ambush",
            Self::Pincer => "pincer",
            Self::Guard => "guard",
            Self::Pack => "team",
        }
    }

    /// The step of the ghost to move; `None` to stay.
    pub fn step(self, rules: &Rules, figures: &Figures, pellets: &[u64], number: usize) -> Option<Dir> {
        if self == Self::Original {
            return rules.original_step(figures, number);
        }
        let view = View { rules, maze: rules.maze(), figures, pellets, number };
        match self {
            Self::Pack => pack::step(&view),
            _ if figures.clock.is_some() && view.to_pacman(view.spot()) <= FLEE_DISTANCE => view.away(),
            _ => view.towards(self.target(&view)),
        }
    }

    /// The target of the ghost to move.
    fn target(self, view: &View<'_>) -> Spot {
        match self {
            Self::Ambush if view.number > 0 => view.ahead(2 * view.number as u16 + 2),
            Self::Pincer => view.pincer_target(),
            Self::Guard if view.number == 0 => view.threatened_potion().unwrap_or(view.figures.pacman),
            _ => view.figures.pacman,
        }
    }
}

impl KnownGhosts for Team {
    fn play(&self, rules: &Rules, figures: &mut Figures, pellets: &[u64]) {
        if *self == Self::Original || rules.set() == RuleSet::Course {
            return rules.original_ghost_phase(figures);
        }
        while let Some(number) = figures.ghost_to_move {
            let step = self.step(rules, figures, pellets, number.into());
            rules.ghost_phase(figures, step);
        }
    }
}

/// The game from the view of the ghost to move.
pub(crate) struct View<'a> {
    pub rules: &'a Rules,
    pub maze: &'a Maze,
    pub figures: &'a Figures,
    pub pellets: &'a [u64],
    pub number: usize,
}

impl View<'_> {
    /// The ghost's position.
    pub fn spot(&self) -> Spot {
        self.figures.ghosts[self.number].spot
    }

    pub fn distances(&self) -> &Distances {
        self.maze.distances()
    }

    /// Steps from a spot to Pacman.
    pub fn to_pacman(&self, spot: Spot) -> u16 {
        self.distances().between(spot, self.figures.pacman)
    }

    /// The legal steps, with the spots they lead to.
    pub fn steps(&self) -> impl Iterator<Item = (Dir, Spot)> {
        let may = |&(dir, _): &(Dir, Spot)| self.rules.ghost_may_step(self.figures, self.number, dir);
        self.maze.neighbours(self.spot()).filter(may)
    }

    /// The first step of a shortest path to a spot; `None` if the ghost is there.
    pub fn towards(&self, target: Spot) -> Option<Dir> {
        if self.spot() == target {
            return None;
        }
        let distance = |&(_, next): &(Dir, Spot)| self.distances().between(next, target);
        self.steps().min_by_key(distance).map(|(dir, _)| dir)
    }

    /// The step, or none, that leads furthest from Pacman.
    pub fn away(&self) -> Option<Dir> {
        let stay = (None, self.to_pacman(self.spot()));
        let steps = self.steps().map(|(dir, next)| (Some(dir), self.to_pacman(next)));
        std::iter::once(stay).chain(steps).max_by_key(|&(_, distance)| distance).and_then(|(step, _)| step)
    }

    /// The potions not yet eaten.
    pub fn potions(&self) -> impl Iterator<Item = Spot> {
        let left = |&spot: &Spot| self.pellets[usize::from(spot / 64)] >> (spot % 64) & 1 == 1;
        self.maze.potions().filter(left)
    }

    /// The potion nearest to Pacman.
    fn threatened_potion(&self) -> Option<Spot> {
        self.potions().min_by_key(|&potion| self.to_pacman(potion))
    }

    /// The spot this many steps ahead of Pacman, along the bends of his corridor, or the corridor's end.
    fn ahead(&self, steps: u16) -> Spot {
        let (mut at, mut dir) = (self.figures.pacman, self.figures.dir);
        for _ in 0..steps {
            let onward = |&(exit, _): &(Dir, Spot)| exit != dir.opposite();
            let straight = self.maze.neighbours(at).find(|&(exit, _)| exit == dir);
            let mut bends = self.maze.neighbours(at).filter(onward);
            let Some((exit, next)) = straight.or_else(|| bends.next().filter(|_| bends.next().is_none()))
            else {
                break;
            };
            (at, dir) = (next, exit);
        }
        at
    }

    /// The target of a pincer: the far end of the corridor assigned to this ghost, or Pacman himself once it is closer
    /// than that. Corridors are assigned by the ghosts' numbers.
    fn pincer_target(&self) -> Spot {
        let pacman = self.figures.pacman;
        let exits: Vec<(Dir, Spot)> = self.maze.neighbours(pacman).collect();
        let Some(&(dir, next)) = exits.get(self.number % exits.len().max(1)) else { return pacman };
        let end = self.corridor_end(dir, next);
        let near = self.to_pacman(self.spot()) <= self.to_pacman(end);
        if near { pacman } else { end }
    }

    /// Follows a corridor from its first cell to the next crossroad.
    fn corridor_end(&self, mut dir: Dir, mut at: Spot) -> Spot {
        for _ in 0..self.maze.floor() {
            let mut exits = self.maze.neighbours(at).filter(|&(exit, _)| exit != dir.opposite());
            let Some((exit, next)) = exits.next().filter(|_| exits.next().is_none()) else { break };
            (dir, at) = (exit, next);
        }
        at
    }
}

/// A team as an agent for the ghosts' seat.
pub struct TeamAgent {
    rules: Arc<Rules>,
    team: Team,
}

impl TeamAgent {
    /// An agent that plays this team.
    pub fn new(rules: Arc<Rules>, team: Team) -> Self {
        // Builds the tables that the team may need now, before any clock runs.
        rules.maze().distances();
        if team == Team::Pack {
            rules.maze().pursuit();
        }
        Self { rules, team }
    }
}

impl Agent<Rules> for TeamAgent {
    fn act(&mut self, turn: &Turn<'_, Rules>, insight: &mut Insight) -> Action {
        let rules = &self.rules;
        let seen = turn.observation;
        let (Some(state), Some(number)) = (seen.state(rules.maze()), seen.ghost.map(usize::from)) else {
            return turn.legal[0];
        };
        let step = self.team.step(rules, &state.figures, &state.pellets, number);
        let view =
            View { rules, maze: rules.maze(), figures: &state.figures, pellets: &state.pellets, number };
        if insight.wanted() {
            let (target, why) = match self.team {
                Team::Original => original_intention(rules, &state.figures, number),
                Team::Pack => pack::intention(&view),
                team => (Some(team.target(&view)), "goes to its target"),
            };
            insight.say(|| format!("ghost {}: {why}", number + 1));
            insight.mark(reason::TARGET, target.map(|spot| rules.maze().point(spot)));
        }
        step.map_or(Action::Stay, Action::Go)
    }
}

fn original_intention(rules: &Rules, figures: &Figures, number: usize) -> (Option<Spot>, &'static str) {
    let (x, y) = rules.original_aim(figures, number);
    let spot = u16::try_from(x).ok().zip(u16::try_from(y).ok()).and_then(|point| rules.maze().spot_at(point));
    (spot, if figures.clock.is_some() { "flees home" } else { "follows Pacman from corner to corner" })
}
