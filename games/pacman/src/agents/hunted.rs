//! Pacman under the rule set `report`: he knows the published teams of ghosts, but not which one he has to do with.
//!
//! Every published team is a plain function of the state. So he keeps the teams whose every move so far was the one that
//! was seen, and plans against one of them by exact simulation. Ghosts that are like none of them he takes for chasers,
//! and plans anew at every move.

use std::sync::Arc;

use damier_core::agent::{Agent, Budget, Clock, Turn};
use damier_core::grid::Dir;
use damier_core::insight::{Insight, Point, reason};
use damier_kit::time::start_clock;

use super::escape::{self, Aims, Escape};
use super::teams::Team;
use crate::maze::NOWHERE;
use crate::rules::{Action, Ending, Rules, State};
use crate::solve::known::{KnownGhosts, take_turn};

/// Cells of the plan that are shown.
const SHOWN: usize = 30;

/// Steps left of a plan that does not win when it is planned anew.
const TOO_SHORT: usize = 30;

/// Turns that a plan looks ahead.
const DEPTH: usize = 80;

/// Positions and turns that a plan against unknown ghosts looks at: they will not do what it expects for long.
const UNKNOWN_NODES: u64 = 4_000;
const UNKNOWN_DEPTH: usize = 16;

/// One turn less for so many turns without a pellet, but never fewer than these.
const HUNGER: usize = 6;
const BOLDEST_DEPTH: usize = 3;

/// Positions that a plan looks at. A plan is kept for many turns, so that a turn costs far fewer on average.
const NODES: u64 = 16_000;

/// Twice as many for every plan in a row that ate nothing, so often at the most.
const MOST_IDLE: u32 = 4;

/// Positions that a plan looks at when his life is at stake.
const FLIGHT_NODES: u64 = 6 * NODES;

/// The cost of a potion eaten, in peace and in danger, where a pellet left costs 40.
const FEAST_POTION: u32 = 200;
const FLIGHT_POTION: u32 = 300;

/// Positions and turns that the look at another way looks at, only to show it.
const GLANCE: u64 = 1_000;
const GLANCE_DEPTH: usize = 40;

/// The hunted Pacman.
pub struct Hunted {
    rules: Arc<Rules>,
    /// The teams that would have moved as the ghosts did.
    suspects: Vec<Team>,
    /// The state after his last move, before the ghosts answered.
    left: Option<State>,
    /// The steps still planned, and the team that they count on.
    plan: Escape,
    against: Team,
    /// The pellets that were left at the last plan, and how many plans in a row have eaten nothing.
    pellets_left: u16,
    idle_plans: u32,
    /// The turn in which a plan first saw that a pellet had been eaten.
    last_meal: u32,
}

impl Hunted {
    /// An agent for one game under these rules.
    pub fn new(rules: Arc<Rules>) -> Self {
        // The tables that a team may need are made here, before any clock runs.
        rules.maze().pursuit();
        rules.maze().distances();
        Self {
            rules,
            suspects: Team::PUBLISHED.to_vec(),
            left: None,
            plan: Escape::default(),
            against: Team::Chase,
            pellets_left: 0,
            idle_plans: 0,
            last_meal: 0,
        }
    }

    /// Drops the teams that would have moved differently.
    fn learn(&mut self, state: &State) {
        let before = match self.left {
            Some(left) => left,
            None if state.figures.turn == 1 => self.rules.set_up(),
            // Called into a running game: there is nothing to compare with.
            None => return,
        };
        self.suspects.retain(|team| {
            let mut guess = before;
            self.rules.begin_turn(&mut guess.figures);
            team.play(&self.rules, &mut guess.figures, &guess.pellets);
            guess == *state
        });
    }

    /// Makes sure that there is a plan against the first suspect.
    fn think(&mut self, state: &State, clock: &Clock) {
        let against = self.suspects.first().copied().unwrap_or(Team::Chase);
        let foreseen = self.against == against && !self.suspects.is_empty();
        let enough = self.plan.wins || self.plan.steps.len() > TOO_SHORT;
        if !(foreseen && enough) {
            self.against = against;
            self.plan = self.search(state, clock);
        }
    }

    /// Feasts as long as that is safe; tries harder when the last plan ate nothing, and flees when no plan survives.
    fn search(&mut self, state: &State, clock: &Clock) -> Escape {
        let left = state.figures.pellets_left;
        // A plan against unknown ghosts lasts only a turn: that it ate nothing means little.
        let idle = self.pellets_left == left && !self.suspects.is_empty();
        self.idle_plans = if idle { (self.idle_plans + 1).min(MOST_IDLE) } else { 0 };
        if self.pellets_left != left {
            self.last_meal = state.figures.turn;
        }
        self.pellets_left = left;
        let salt = state.figures.turn.into();
        let feast = Aims {
            nodes: NODES << self.idle_plans,
            depth: DEPTH,
            potion: FEAST_POTION >> self.idle_plans,
            threat: 0,
            salt,
        };
        let flight = Aims { nodes: FLIGHT_NODES, depth: DEPTH, potion: FLIGHT_POTION, threat: 1, salt };
        if self.suspects.is_empty() {
            // Hunger makes bold: to look less far is to fear less. Potions are food, too.
            let hungry = (state.figures.turn - self.last_meal) as usize / HUNGER;
            let depth = UNKNOWN_DEPTH.saturating_sub(hungry).max(BOLDEST_DEPTH);
            let potion = FEAST_POTION >> hungry.min(31);
            let wary = Aims { nodes: UNKNOWN_NODES, depth, potion, ..feast };
            return escape::search(&self.rules, &self.against, state, &wary, clock);
        }
        if self.against == Team::Pack {
            // There is no peace with this one.
            return escape::search(&self.rules, &self.against, state, &flight, clock);
        }
        let plan = escape::search(&self.rules, &self.against, state, &feast, clock);
        if plan.survives || clock.expired() {
            return plan;
        }
        let spare = clock.budget().nodes.map_or(u64::MAX, |limit| limit.saturating_sub(plan.nodes));
        let flight = Aims { nodes: flight.nodes.min(spare), ..flight };
        let other = escape::search(&self.rules, &self.against, state, &flight, clock);
        if other.survives || other.steps.len() > plan.steps.len() { other } else { plan }
    }

    fn explain(&self, state: &State, insight: &mut Insight) {
        let maze = self.rules.maze();
        let mut foreseen = *state;
        let (mut path, mut ghosts) = (Vec::<Point>::new(), Vec::<Point>::new());
        for &dir in self.plan.steps.iter().rev().take(SHOWN) {
            take_turn(&self.rules, &self.against, &mut foreseen, dir);
            path.push(maze.point(foreseen.figures.pacman));
            if path.len() <= 4 {
                let spots = foreseen.figures.ghosts.iter().map(|ghost| ghost.spot);
                ghosts.extend(spots.filter(|&spot| spot != NOWHERE).map(|spot| maze.point(spot)));
            }
        }
        let near = state.figures.ghosts.iter().filter(|ghost| ghost.spot != NOWHERE);
        let danger = near.flat_map(|ghost| maze.neighbours(ghost.spot)).map(|(_, next)| maze.point(next));
        if state.figures.clock.is_none() {
            insight.mark(reason::DANGER, danger);
        }
        insight.mark(reason::PATH, path);
        insight.mark(reason::PREDICTED, ghosts);
        let mut scores = self.scores(state);
        scores.sort_by(|a, b| b.1.total_cmp(&a.1));
        for (dir, score) in scores {
            insight.score(|| dir.arrow_name().to_owned(), score);
        }
        insight.count("nodes", self.plan.nodes);
        insight.count("planned", self.plan.steps.len() as u64);
        insight.say(|| self.sentence());
    }

    /// For every way on, the turns that a short look survives; for the way that is taken, at least those of the plan.
    fn scores(&self, state: &State) -> Vec<(Dir, f64)> {
        let clock = start_clock(Budget::default());
        let aims = Aims { nodes: GLANCE, depth: GLANCE_DEPTH, potion: 0, threat: 0, salt: 0 };
        let ways = self.rules.maze().neighbours(state.figures.pacman);
        ways.map(|(dir, _)| {
            let mut next = *state;
            take_turn(&self.rules, &self.against, &mut next, dir);
            let turns = match next.figures.ending {
                Some(Ending::Dead) => 0,
                Some(_) => GLANCE_DEPTH,
                None => 1 + escape::search(&self.rules, &self.against, &next, &aims, &clock).steps.len(),
            };
            let planned = if self.plan.steps.last() == Some(&dir) { self.plan.steps.len() } else { 0 };
            (dir, turns.max(planned).min(GLANCE_DEPTH) as f64)
        })
        .collect()
    }

    fn sentence(&self) -> String {
        let steps = self.plan.steps.len();
        let outlook = match (self.plan.wins, self.plan.survives) {
            (true, _) => format!("this wins in {steps} turns"),
            (false, true) => format!("safe for the next {steps} turns"),
            (false, false) => format!("caught in about {steps} turns"),
        };
        match &*self.suspects {
            [] => format!("these ghosts are none that I know: taken for chasers, {outlook}"),
            [team] => format!("these ghosts are `{}`: {outlook}", team.name()),
            [team, ..] => format!("these ghosts may be `{}` or others: {outlook}", team.name()),
        }
    }
}

impl Agent<Rules> for Hunted {
    fn act(&mut self, turn: &Turn<'_, Rules>, insight: &mut Insight) -> Action {
        let Some(state) = turn.observation.state(self.rules.maze()) else { return turn.legal[0] };
        self.learn(&state);
        self.think(&state, turn.clock);
        if insight.wanted() {
            self.explain(&state, insight);
        }
        self.plan.nodes = 0;
        let dir = self.plan.steps.pop().unwrap_or(Dir::North);
        let mut left = state;
        self.rules.pacman_phase(&mut left.figures, &mut left.pellets, Action::Go(dir));
        self.left = Some(left);
        Action::Go(dir)
    }
}
