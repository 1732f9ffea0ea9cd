//! Pacman against ghosts whose moves are known: he plans the whole game and plays the plan.
//!
//! Under the rule set `course` the ghosts are part of the rules, so a winning plan stays valid to the end. If the state is
//! not the predicted one, or no plan wins yet, he replans.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use damier_core::agent::{Agent, Clock, Turn};
use damier_core::grid::Dir;
use damier_core::insight::{Insight, Point, reason};
use damier_search::beam::{End, Found};

use crate::maze::NOWHERE;
use crate::rules::{Action, Ending, Rules, State};
use crate::solve::known::{KnownGhosts, safe_direction, take_turn};
use crate::solve::win::{Chase, Look, Walks};

/// The number of cells of the plan to show.
const SHOWN_STEPS: usize = 30;

/// The number of turns for which the ghosts' positions are shown.
const SHOWN_FORECASTS: usize = 6;

/// The node limit of a plan without a budget.
const DEFAULT_NODES: u64 = 500_000;

/// Shortest walks over the whole maze pay off only with at least this many nodes and this much time.
const NODES_FOR_WALKS: u64 = 100_000;
const TIME_FOR_WALKS: Duration = Duration::from_millis(200);

/// The beam widths: of a quick search, of one along the shortest walks, and of ever wider ones until one wins.
const QUICK: usize = 30;
const ALONG_WALKS: usize = 200;
const WIDER: [usize; 2] = [100, 400];
const WIDEST: usize = 1_600;

/// A win is good enough within this multiple of the shortest walk's length.
const GOOD_ENOUGH: f64 = 1.1;

/// The maximum length of a plan, in turns per pellet.
const TURNS_PER_PELLET: usize = 8;

/// The width and depth of the short searches that rate all directions, for insight only.
const GLANCE: (usize, usize) = (8, 40);

/// A plan for Pacman from a given state.
#[derive(Clone, Debug, Default)]
pub struct PacmanPlan {
    /// Pacman's directions.
    pub steps: VecDeque<Dir>,
    /// Whether they win.
    pub wins: bool,
    /// Whether it is proven that nothing wins.
    pub lost: bool,
    /// The number of positions searched.
    pub nodes: u64,
}

impl PacmanPlan {
    /// Whether this plan is better: a win, else a shorter win, else a longer life.
    fn improves(&self, other: &Self) -> bool {
        match (self.wins, other.wins) {
            (true, true) => self.steps.len() < other.steps.len(),
            (false, false) => self.steps.len() > other.steps.len(),
            (wins, _) => wins,
        }
    }
}

/// An agent that plans the whole game.
pub struct Planner {
    rules: Arc<Rules>,
    ghosts: Box<dyn KnownGhosts>,
    plan: PacmanPlan,
    /// The predicted state in which the plan continues.
    foreseen: Option<State>,
}

impl Planner {
    /// An agent for one game against these ghosts.
    pub fn new(rules: Arc<Rules>, ghosts: Box<dyn KnownGhosts>) -> Self {
        Self { rules, ghosts, plan: PacmanPlan::default(), foreseen: None }
    }

    /// The direction to go in a state in which Pacman is to move.
    pub fn decide(&mut self, state: &State, clock: &Clock) -> Dir {
        if self.foreseen.as_ref() != Some(state) {
            self.plan = PacmanPlan::default();
        }
        self.plan.nodes = 0;
        if !self.plan.wins || self.plan.steps.is_empty() {
            let plan = plan(&self.rules, &*self.ghosts, state, clock);
            let nodes = plan.nodes;
            if self.plan.steps.is_empty() || plan.improves(&self.plan) {
                self.plan = plan;
            }
            self.plan.nodes = nodes;
        }
        let dir = self.plan.steps.front().copied();
        let safe = || safe_direction(&self.rules, &*self.ghosts, state);
        dir.or_else(safe).unwrap_or(Dir::North)
    }

    /// The plan from the current state.
    pub fn current(&self) -> &PacmanPlan {
        &self.plan
    }

    /// Advances to the state after the decision.
    fn advance(&mut self, state: &State, dir: Dir) {
        self.plan.steps.pop_front();
        let mut next = *state;
        take_turn(&self.rules, &*self.ghosts, &mut next, dir);
        self.foreseen = Some(next);
    }

    fn explain(&self, state: &State, dir: Dir, insight: &mut Insight) {
        let maze = self.rules.maze();
        let mut ahead = *state;
        let (mut path, mut ghosts) = (Vec::<Point>::new(), Vec::<Point>::new());
        for &dir in self.plan.steps.iter().take(SHOWN_STEPS) {
            take_turn(&self.rules, &*self.ghosts, &mut ahead, dir);
            path.push(maze.point(ahead.figures.pacman));
            if path.len() <= SHOWN_FORECASTS {
                let spots = ahead.figures.ghosts.iter().map(|ghost| ghost.spot);
                ghosts.extend(spots.filter(|&spot| spot != NOWHERE).map(|spot| maze.point(spot)));
            }
        }
        if state.figures.clock.is_none() {
            let hunters = state.figures.ghosts.iter().filter(|ghost| ghost.spot != NOWHERE);
            let beside = hunters.flat_map(|ghost| maze.neighbours(ghost.spot));
            insight.mark(reason::DANGER, beside.map(|(_, next)| maze.point(next)));
        }
        insight.mark(reason::PREDICTED, ghosts);
        let goal = path.last().copied();
        insight.mark(reason::PATH, path);
        insight.mark(reason::GOAL, goal);
        insight.count("nodes", self.plan.nodes);
        insight.count("planned turns", self.plan.steps.len() as u64);
        self.score_directions(state, dir, insight);
        insight.say(|| self.sentence(state));
    }

    /// Rates each direction by a short search: the pellets eaten within some turns, or a negative number if Pacman dies.
    fn score_directions(&self, state: &State, chosen: Dir, insight: &mut Insight) {
        let (width, depth) = GLANCE;
        let chase = Chase { rules: &self.rules, ghosts: &*self.ghosts };
        let mut scores: Vec<(Dir, f64)> = Vec::new();
        for dir in Dir::ALL {
            let mut next = *state;
            take_turn(&self.rules, &*self.ghosts, &mut next, dir);
            let score = match next.figures.ending {
                Some(Ending::Won) => f64::from(state.figures.pellets_left),
                Some(_) => -(depth as f64),
                None => {
                    let look = Look { width, depth, nodes: u64::MAX, any_win: true, salt: 0 };
                    let found = chase.feast(&next, &look, || false);
                    glance_score(&self.rules, &*self.ghosts, state, &next, &found, depth)
                }
            };
            scores.push((dir, score));
        }
        // The plan looked further ahead than these searches, so its choice comes first.
        scores.sort_by(|a, b| (b.0 == chosen).cmp(&(a.0 == chosen)).then(b.1.total_cmp(&a.1)));
        for (dir, score) in scores {
            insight.score(|| dir.arrow_name().to_owned(), score);
        }
    }

    fn sentence(&self, state: &State) -> String {
        let (turns, left) = (self.plan.steps.len(), state.figures.pellets_left);
        if self.plan.wins {
            format!("the plan eats the last of {left} pellets in {turns} turns")
        } else {
            let outlook = if self.plan.lost { "no win is possible" } else { "no win found yet" };
            format!("{outlook} with {left} pellets left; alive for {turns} turns")
        }
    }
}

impl Agent<Rules> for Planner {
    fn act(&mut self, turn: &Turn<'_, Rules>, insight: &mut Insight) -> Action {
        let Some(state) = turn.observation.state(self.rules.maze()) else { return turn.legal[0] };
        let dir = self.decide(&state, turn.clock);
        if insight.wanted() {
            self.explain(&state, dir, insight);
        }
        self.advance(&state, dir);
        Action::Go(dir)
    }
}

fn glance_score(
    rules: &Rules,
    ghosts: &dyn KnownGhosts,
    before: &State,
    next: &State,
    found: &Found<Dir>,
    depth: usize,
) -> f64 {
    if matches!(found.end, End::Lost | End::Exhausted) {
        return found.plan.len() as f64 - depth as f64;
    }
    let mut last = *next;
    for &dir in &found.plan {
        take_turn(rules, ghosts, &mut last, dir);
    }
    f64::from(before.figures.pellets_left - last.figures.pellets_left)
}

/// The best plan that can be found from a state in which Pacman is to move, within the budget.
///
/// With a budget of nodes, or none, the same state always gives the same plan.
pub fn plan(rules: &Rules, ghosts: &dyn KnownGhosts, state: &State, clock: &Clock) -> PacmanPlan {
    let mut planning = Planning {
        chase: Chase { rules, ghosts },
        state,
        clock,
        nodes: clock.nodes(DEFAULT_NODES),
        feasts: 0,
        good_enough: usize::MAX,
        best: PacmanPlan::default(),
    };
    planning.feast(QUICK, 0);
    planning.widen_until(|planning| planning.best.wins);
    planning.trail();
    planning.widen_until(Planning::is_good);
    while !planning.best.wins && !planning.is_over() {
        planning.feast(WIDEST, planning.feasts);
    }
    planning.best
}

struct Planning<'a> {
    chase: Chase<'a>,
    state: &'a State,
    clock: &'a Clock,
    /// The remaining node budget.
    nodes: u64,
    /// The number of free searches so far.
    feasts: u64,
    /// The length of a win beyond which a shorter one is searched for.
    good_enough: usize,
    best: PacmanPlan,
}

impl Planning<'_> {
    fn look(&self, width: usize, salt: u64) -> Look {
        let depth = usize::from(self.state.figures.pellets_left) * TURNS_PER_PELLET + 200;
        Look { width, depth, nodes: self.nodes, any_win: true, salt }
    }

    /// Whether the time is nearly up. Some of it is reserved for the work after a search.
    fn is_late(&self) -> bool {
        self.clock.budget().time.is_some_and(|time| self.clock.elapsed() >= time.mul_f64(0.8))
    }

    fn feast(&mut self, width: usize, salt: u64) {
        if !self.is_over() {
            self.feasts += 1;
            let found = self.chase.feast(self.state, &self.look(width, salt), || self.is_late());
            self.take(found);
        }
    }

    /// Tries the next widths until the result is good enough.
    fn widen_until(&mut self, is_enough: impl Fn(&Self) -> bool) {
        // The first search was the quick one.
        while let Some(&width) = self.feasts.checked_sub(1).and_then(|made| WIDER.get(made as usize)) {
            if is_enough(self) || self.is_over() {
                return;
            }
            self.feast(width, self.feasts);
        }
    }

    /// Searches for a shorter win along the shortest walks.
    fn trail(&mut self) {
        let enough_time = self.clock.budget().time.is_none_or(|time| time >= TIME_FOR_WALKS);
        if self.nodes < NODES_FOR_WALKS || !enough_time || self.best.lost {
            return;
        }
        let Some(walks) = Walks::new(self.chase.rules, self.state, 0, &|| self.is_late()) else { return };
        self.good_enough = (f64::from(walks.shortest()) * GOOD_ENOUGH) as usize;
        for salt in 1..=2 {
            let shortest = self.best.wins && self.best.steps.len() as u32 <= walks.shortest();
            if !shortest {
                let look = self.look(ALONG_WALKS, salt);
                let mut found = self.chase.trail(self.state, &walks, &look, || self.is_late());
                if found.end == End::Exhausted {
                    // Only the shortest walks are exhausted: a longer one may win.
                    found.end = End::Lost;
                }
                self.take(found);
            }
        }
    }

    fn take(&mut self, found: Found<Dir>) {
        self.nodes -= found.nodes.min(self.nodes);
        let wins = found.end == End::Goal;
        let lost = found.end == End::Exhausted;
        let plan = PacmanPlan { steps: found.plan.into(), wins, lost, nodes: 0 };
        let nodes = self.best.nodes + found.nodes;
        if lost || plan.improves(&self.best) {
            self.best = plan;
        }
        self.best.nodes = nodes;
    }

    /// Whether the best plan is good enough.
    fn is_good(&self) -> bool {
        self.best.wins && self.best.steps.len() <= self.good_enough
    }

    /// Whether the search is over: nothing wins, or the budget is spent.
    fn is_over(&self) -> bool {
        self.best.lost || self.nodes == 0 || self.is_late()
    }
}
