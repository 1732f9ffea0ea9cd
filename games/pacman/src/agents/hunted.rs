//! Pacman under the rule set `report`: he knows the published teams of ghosts, but not which of them he plays against.
//!
//! Every published team is a pure function of the state. So he keeps the teams that would have made every observed move,
//! and plans against the first of them by exact simulation. Unknown ghosts he assumes to be chasers, and he replans at
//! every move.

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

/// The number of cells of the plan to show.
const SHOWN: usize = 30;

/// A plan that does not win is replaced when this few steps are left.
const REPLAN_BELOW: usize = 30;

/// The number of turns that a plan looks ahead.
const DEPTH: usize = 80;

/// The limits of a plan against unknown ghosts, whose moves cannot be predicted for long.
const UNKNOWN_NODES: u64 = 4_000;
const UNKNOWN_DEPTH: usize = 16;

/// Against unknown ghosts the depth shrinks by one for this many turns without a pellet, down to the minimum.
const HUNGER: usize = 6;
const MIN_DEPTH: usize = 3;

/// The positions searched for a plan. A plan lasts for many turns, so the average per turn is far lower.
const NODES: u64 = 16_000;

/// The number of positions doubles with every consecutive plan that ate nothing, at most this often.
const MAX_IDLE: u32 = 4;

/// The positions searched for a plan when no plan survives.
const FLIGHT_NODES: u64 = 6 * NODES;

/// The cost of a potion eaten, in safety and in danger, where a pellet left costs 40.
const FEAST_POTION: u32 = 200;
const FLIGHT_POTION: u32 = 300;

/// The limits of the short searches that rate other directions, for insight only.
const GLANCE_NODES: u64 = 1_000;
const GLANCE_DEPTH: usize = 40;

/// Pacman under the rule set `report`.
pub struct Hunted {
    rules: Arc<Rules>,
    /// The teams that would have made every observed move.
    suspects: Vec<Team>,
    /// The state after his last move, before the ghosts moved.
    left: Option<State>,
    /// The rest of the plan, and the team that it assumes.
    plan: Escape,
    against: Team,
    /// The pellets left at the last plan, and the number of consecutive plans that ate nothing.
    pellets_left: u16,
    idle_plans: u32,
    /// The turn of the first plan after the last pellet was eaten.
    last_meal: u32,
}

impl Hunted {
    /// An agent for one game under these rules.
    pub fn new(rules: Arc<Rules>) -> Self {
        // Builds the tables that a team may need now, before any clock runs.
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
    fn rule_out_teams(&mut self, state: &State) {
        let before = match self.left {
            Some(left) => left,
            None if state.figures.turn == 1 => self.rules.set_up(),
            // The game was already running: there is nothing to compare with.
            None => return,
        };
        self.suspects.retain(|team| {
            let mut guess = before;
            self.rules.begin_turn(&mut guess.figures);
            team.play(&self.rules, &mut guess.figures, &guess.pellets);
            guess == *state
        });
    }

    /// Replans unless the plan against the first suspect still holds.
    fn think(&mut self, state: &State, clock: &Clock) {
        let against = self.suspects.first().copied().unwrap_or(Team::Chase);
        let foreseen = self.against == against && !self.suspects.is_empty();
        let enough = self.plan.wins || self.plan.steps.len() > REPLAN_BELOW;
        if !(foreseen && enough) {
            self.against = against;
            self.plan = self.search(state, clock);
        }
    }

    /// Searches for a plan that eats; searches harder if the last plan ate nothing, and flees if no plan survives.
    fn search(&mut self, state: &State, clock: &Clock) -> Escape {
        let left = state.figures.pellets_left;
        // A plan against unknown ghosts lasts for one turn only, so it need not eat.
        let idle = self.pellets_left == left && !self.suspects.is_empty();
        self.idle_plans = if idle { (self.idle_plans + 1).min(MAX_IDLE) } else { 0 };
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
            // The longer nothing was eaten, the more risk he takes: he looks less far ahead, and eats potions too.
            let hungry = (state.figures.turn - self.last_meal) as usize / HUNGER;
            let depth = UNKNOWN_DEPTH.saturating_sub(hungry).max(MIN_DEPTH);
            let potion = FEAST_POTION >> hungry.min(31);
            let wary = Aims { nodes: UNKNOWN_NODES, depth, potion, ..feast };
            return escape::search(&self.rules, &self.against, state, &wary, clock);
        }
        if self.against == Team::Pack {
            // This team is always dangerous.
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

    /// For every direction, the turns that a short search survives; for the chosen one, at least those of the plan.
    fn scores(&self, state: &State) -> Vec<(Dir, f64)> {
        let clock = start_clock(Budget::default());
        let aims = Aims { nodes: GLANCE_NODES, depth: GLANCE_DEPTH, potion: 0, threat: 0, salt: 0 };
        let exits = self.rules.maze().neighbours(state.figures.pacman);
        exits
            .map(|(dir, _)| {
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
            (true, _) => format!("winning in {steps} turns"),
            (false, true) => format!("safe for the next {steps} turns"),
            (false, false) => format!("caught in about {steps} turns"),
        };
        match &*self.suspects {
            [] => format!("unknown ghosts, assumed to chase: {outlook}"),
            [team] => format!("these ghosts are `{}`: {outlook}", team.name()),
            [team, ..] => format!("these ghosts may be `{}` or others: {outlook}", team.name()),
        }
    }
}

impl Agent<Rules> for Hunted {
    fn act(&mut self, turn: &Turn<'_, Rules>, insight: &mut Insight) -> Action {
        let Some(state) = turn.observation.state(self.rules.maze()) else { return turn.legal[0] };
        self.rule_out_teams(&state);
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
