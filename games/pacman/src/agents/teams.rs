//! Teams of ghosts for the rule set `report`: each is a plain function of the state, so its moves can be foretold.

use std::sync::Arc;

use damier_core::agent::{Agent, Turn};
use damier_core::grid::Dir;
use damier_core::insight::{Insight, reason};

use crate::agents::pack;
use crate::distance::Distances;
use crate::maze::{Maze, Spot};
use crate::rules::{Action, Figures, RuleSet, Rules};
use crate::solve::known::KnownGhosts;

/// Ghosts this near to a Pacman under a potion run away.
const FEAR: u16 = 6;

/// A team of ghosts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Team {
    /// The ghosts of the original program.
    Original,
    /// Each takes the shortest way to Pacman.
    Chase,
    /// One follows, the others aim ahead of him.
    Ambush,
    /// Each takes another of the ways that lead to him.
    Pincer,
    /// One stands by the potion that he is nearest to, the others chase.
    Guard,
    /// Two hunt by the table of all pursuits, the others stand on potions.
    Pack,
}

impl Team {
    /// The teams that come with the game.
    pub const PUBLISHED: [Self; 5] = [Self::Original, Self::Ambush, Self::Pincer, Self::Guard, Self::Pack];

    /// The published team of this name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::PUBLISHED.into_iter().find(|team| team.name() == name)
    }

    /// Its name in commands.
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

    /// The step of the ghost whose move it is; nothing to stay.
    pub fn step(self, rules: &Rules, figures: &Figures, pellets: &[u64], number: usize) -> Option<Dir> {
        if self == Self::Original {
            return rules.original_step(figures, number);
        }
        let view = View { rules, maze: rules.maze(), figures, pellets, number };
        match self {
            Self::Pack => pack::step(&view),
            _ if figures.clock.is_some() && view.to_pacman(view.spot()) <= FEAR => view.away(),
            _ => view.towards(self.target(&view)),
        }
    }

    /// Where the ghost whose move it is wants to go.
    fn target(self, view: &View<'_>) -> Spot {
        match self {
            Self::Ambush if view.number > 0 => view.ahead(2 * view.number as u16 + 2),
            Self::Pincer => view.way_in(),
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

/// What a ghost of a team looks at.
pub(crate) struct View<'a> {
    pub rules: &'a Rules,
    pub maze: &'a Maze,
    pub figures: &'a Figures,
    pub pellets: &'a [u64],
    pub number: usize,
}

impl View<'_> {
    /// Where the ghost stands.
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

    /// The steps that it may take, with where they lead.
    pub fn steps(&self) -> impl Iterator<Item = (Dir, Spot)> {
        let may = |&(dir, _): &(Dir, Spot)| self.rules.ghost_may_step(self.figures, self.number, dir);
        self.maze.neighbours(self.spot()).filter(may)
    }

    /// The step on a shortest way to a spot; it stays when it is there.
    pub fn towards(&self, target: Spot) -> Option<Dir> {
        if self.spot() == target {
            return None;
        }
        let distance = |&(_, next): &(Dir, Spot)| self.distances().between(next, target);
        self.steps().min_by_key(distance).map(|(dir, _)| dir)
    }

    /// The step, or staying, that leads furthest from Pacman.
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

    /// The potion that Pacman is nearest to.
    fn threatened_potion(&self) -> Option<Spot> {
        self.potions().min_by_key(|&potion| self.to_pacman(potion))
    }

    /// The spot so many steps ahead of Pacman, following the bends of his corridor and stopping at its end.
    fn ahead(&self, steps: u16) -> Spot {
        let (mut at, mut dir) = (self.figures.pacman, self.figures.dir);
        for _ in 0..steps {
            let onward = |&(way, _): &(Dir, Spot)| way != dir.opposite();
            let straight = self.maze.neighbours(at).find(|&(way, _)| way == dir);
            let mut bends = self.maze.neighbours(at).filter(onward);
            let Some((way, next)) = straight.or_else(|| bends.next().filter(|_| bends.next().is_none()))
            else {
                break;
            };
            (at, dir) = (next, way);
        }
        at
    }

    /// The end of the corridor by which this ghost is to come: the ways to Pacman are dealt out by the ghosts' numbers,
    /// and the last stretch is open to all.
    fn way_in(&self) -> Spot {
        let pacman = self.figures.pacman;
        let ways: Vec<(Dir, Spot)> = self.maze.neighbours(pacman).collect();
        let Some(&(dir, next)) = ways.get(self.number % ways.len().max(1)) else { return pacman };
        let end = self.corridor_end(dir, next);
        let near = self.to_pacman(self.spot()) <= self.to_pacman(end);
        if near { pacman } else { end }
    }

    /// Follows a corridor from its first cell to the next crossroad.
    fn corridor_end(&self, mut dir: Dir, mut at: Spot) -> Spot {
        for _ in 0..self.maze.floor() {
            let mut ways = self.maze.neighbours(at).filter(|&(way, _)| way != dir.opposite());
            let Some((way, next)) = ways.next().filter(|_| ways.next().is_none()) else { break };
            (dir, at) = (way, next);
        }
        at
    }
}

/// A team at the seat of the ghosts.
pub struct TeamAgent {
    rules: Arc<Rules>,
    team: Team,
}

impl TeamAgent {
    /// The team as an agent.
    pub fn new(rules: Arc<Rules>, team: Team) -> Self {
        // The tables that it may need are made here, before any clock runs.
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
                Team::Original => aim_inside(rules, &state.figures, number),
                Team::Pack => pack::intention(&view),
                team => (Some(team.target(&view)), "on the way to its target"),
            };
            insight.say(|| format!("ghost {}: {why}", number + 1));
            insight.mark(reason::TARGET, target.map(|spot| rules.maze().point(spot)));
        }
        step.map_or(Action::Stay, Action::Go)
    }
}

fn aim_inside(rules: &Rules, figures: &Figures, number: usize) -> (Option<Spot>, &'static str) {
    let (x, y) = rules.original_aim(figures, number);
    let spot = u16::try_from(x).ok().zip(u16::try_from(y).ok()).and_then(|point| rules.maze().spot_at(point));
    (spot, if figures.clock.is_some() { "fleeing home" } else { "after Pacman, corner by corner" })
}
