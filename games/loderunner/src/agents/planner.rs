//! Our course agent: a beam search over exact rounds, ordered by the shortest tour over the bonuses that are left.
//!
//! The search is not `damier_search`'s beam: it keeps at most a few states that look alike in a layer, and breaks ties by the
//! order in which they were found.
//!
//! It remembers nothing from round to round, as the course demands: whether the enemies move now is read off the last
//! actions shown. After a round in which nobody moved that is in doubt; a plan that waits for the enemies would then wait
//! for ever, so it takes the step that is right in the other case if it is safe in both.
//!
//! Shortly before a hole closes over an enemy it guesses several times where the enemy comes back, and takes an action that
//! survives the most guesses.

use std::sync::Arc;

use damier_core::agent::{Agent, Turn};
use damier_core::insight::{Insight, reason};
use damier_core::random::mix;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::action::Action;
use crate::course::map::Map;
use crate::course::tour::{Tour, UNREACHABLE};
use crate::course::{Ending, Fate, State};
use crate::observe::Observation;
use crate::rules::{Ground, Rules};

/// States of one layer of the beam.
const WIDTH: usize = 96;
/// The same where only survival counts.
const NARROW: usize = 20;
/// Rounds that one must survive to be safe.
const SAFE: usize = 24;
/// If an enemy may come back within so many rounds, it is looked at where.
const SOON: usize = 4;
/// Guesses at where enemies come back.
const GUESSES: u64 = 8;
/// Quota of a layer for states with the runner at one cell and the same bonuses left.
const ALIKE: u8 = 6;
/// What the return of an enemy somewhere on the map is reckoned to cost, in rounds.
const RESPAWN_COST: u16 = 3;
/// Rounds that are looked ahead at most.
const DEEPEST: usize = 400;
/// Node limit of a decision without a budget.
const USUAL_NODES: u64 = 80_000;

/// The cell of enemies that a hole has buried: where they respawn is unknown.
const AWAY: u16 = 0;

/// Where enemies respawn in a search: away from the map, or where a guess says.
struct Imagined {
    guess: Option<u64>,
    count: u16,
}

impl Fate for Imagined {
    fn respawn(&mut self, map: &Map, state: &State) -> Option<u16> {
        self.count += 1;
        let Some(guess) = self.guess else { return Some(AWAY) };
        let cells = state.respawns(map).count() as u64;
        let chosen = mix(guess ^ u64::from(self.count) ^ state.future_hash()) % cells.max(1);
        state.respawns(map).nth(chosen as usize)
    }
}

struct Node {
    state: State,
    parent: u32,
    action: Action,
    /// Rounds to the exit without enemies, and the number of respawns on the way.
    left: u16,
    respawns: u16,
}

/// What a search has found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CoursePlan {
    /// What to do, round by round.
    pub actions: Vec<Action>,
    /// Where the runner is after each.
    pub cells: Vec<u16>,
    /// So many of the first rounds see no return of an enemy, so chance has no say in them.
    pub sure: usize,
    /// Does it end at the exit with every bonus?
    pub wins: bool,
    /// Rounds looked at.
    pub nodes: u64,
}

/// A search on one map, with its memory.
pub struct Planner {
    tour: Tour,
    nodes: Vec<Node>,
    layer: Vec<u32>,
    seen: FxHashSet<u64>,
    alike: FxHashMap<(u16, u128), u8>,
    width: usize,
    guess: Option<u64>,
}

impl Planner {
    /// A search on a map.
    pub fn new(map: &Map) -> Self {
        Self {
            tour: Tour::new(map),
            nodes: Vec::new(),
            layer: Vec::new(),
            seen: FxHashSet::default(),
            alike: FxHashMap::default(),
            width: WIDTH,
            guess: None,
        }
    }

    /// The guesses at the chance to come under which the runner survives an action.
    fn survivals(&mut self, map: &Map, start: &State, action: Action) -> u64 {
        self.width = NARROW;
        let mut count = 0;
        for guess in 0..GUESSES {
            self.guess = Some(mix(start.future_hash() ^ guess));
            let mut next = *start;
            next.round_with(map, action, &mut Imagined { guess: self.guess, count: 0 });
            let survives = if let Some(ending) = next.ending {
                ending == Ending::Won
            } else {
                let limit = (SAFE * NARROW * Action::ALL.len()) as u64;
                let plan = self.plan(map, &next, limit, &|| false);
                plan.wins || plan.actions.len() + 2 >= SAFE
            };
            count += u64::from(survives);
        }
        (self.width, self.guess) = (WIDTH, None);
        count
    }

    /// The action of a plan, or another one that survives under more guesses at the chance to come.
    fn safest(&mut self, map: &Map, start: &State, planned: Action) -> Action {
        let mut best = (self.survivals(map, start, planned), planned);
        for action in Action::ALL {
            if best.0 == GUESSES {
                break;
            }
            if action != planned && start.check(map, action).is_ok() {
                let survivals = self.survivals(map, start, action);
                if survivals > best.0 {
                    best = (survivals, action);
                }
            }
        }
        best.1
    }

    /// The best way on from a state, within a number of rounds looked at. `stop` is asked at every depth and ends the search.
    pub fn plan(&mut self, map: &Map, start: &State, limit: u64, stop: &dyn Fn() -> bool) -> CoursePlan {
        self.nodes.clear();
        self.seen.clear();
        self.layer.clear();
        let left = self.tour.left(start.runner, start.bonuses);
        self.nodes.push(Node { state: *start, parent: 0, action: Action::None, left, respawns: 0 });
        self.layer.push(0);
        let mut looked = 0;
        let mut best = 0;
        for _ in 0..DEEPEST {
            let first = self.nodes.len();
            let layer = std::mem::take(&mut self.layer);
            for &index in &layer {
                looked += Action::ALL.len() as u64;
                if let Some(won) = self.expand(map, index) {
                    return self.path(won, true, looked);
                }
            }
            self.layer = layer;
            if self.nodes.len() == first {
                break;
            }
            self.choose(first);
            best = self.layer[0];
            if looked >= limit || stop() {
                break;
            }
        }
        self.path(best, false, looked)
    }

    /// Puts the successors of a node behind all nodes; the one that wins, if there is one.
    fn expand(&mut self, map: &Map, index: u32) -> Option<u32> {
        let Node { state, respawns, .. } = self.nodes[index as usize];
        for action in Action::ALL {
            if state.check(map, action).is_err() || (action.digs() && !is_worth_digging(map, &state, action))
            {
                continue;
            }
            let mut next = state;
            let mut fate = Imagined { guess: self.guess, count: 0 };
            next.round_with(map, action, &mut fate);
            match next.ending {
                Some(Ending::Won) => {
                    self.push(next, index, action, 0, respawns);
                    return Some(self.nodes.len() as u32 - 1);
                }
                Some(_) => continue,
                None => {}
            }
            let left = self.tour.left(next.runner, next.bonuses);
            if left < UNREACHABLE && self.seen.insert(next.future_hash()) {
                self.push(next, index, action, left, respawns + fate.count);
            }
        }
        None
    }

    fn push(&mut self, state: State, parent: u32, action: Action, left: u16, respawns: u16) {
        self.nodes.push(Node { state, parent, action, left, respawns });
    }

    /// Chooses the next layer among the nodes from `first` on.
    fn choose(&mut self, first: usize) {
        let mut order: Vec<u32> = (first as u32..self.nodes.len() as u32).collect();
        order.sort_unstable_by_key(|&index| {
            let node = &self.nodes[index as usize];
            (node.left + RESPAWN_COST * node.respawns, index)
        });
        self.alike.clear();
        self.layer.clear();
        for index in order {
            let state = &self.nodes[index as usize].state;
            let alike = self.alike.entry((state.runner, state.bonuses)).or_default();
            *alike += 1;
            if *alike <= ALIKE {
                self.layer.push(index);
                if self.layer.len() == self.width {
                    break;
                }
            }
        }
    }

    fn path(&self, mut index: u32, wins: bool, nodes: u64) -> CoursePlan {
        let mut plan = CoursePlan { wins, nodes, ..CoursePlan::default() };
        while index != 0 {
            let node = &self.nodes[index as usize];
            plan.sure += usize::from(node.respawns == 0);
            plan.actions.push(node.action);
            plan.cells.push(node.state.runner);
            index = node.parent;
        }
        plan.actions.reverse();
        plan.cells.reverse();
        plan
    }
}

/// A hole traps an enemy or lets the runner through: without either it only costs a round.
fn is_worth_digging(map: &Map, state: &State, action: Action) -> bool {
    let beside = if action == Action::BombLeft { state.runner - 1 } else { state.runner + 1 };
    let hole = map.below(beside);
    !state.holes().iter().any(|open| open.cell == hole)
        && (!state.enemy_cells().is_empty() || !map.is_closed(map.below(hole)))
}

/// The agent.
pub struct CourseAgent {
    rules: Arc<Rules>,
    planner: Planner,
}

impl CourseAgent {
    /// An agent for a course map.
    pub fn new(rules: Arc<Rules>) -> Option<Self> {
        let Ground::Course(map) = rules.ground() else { return None };
        let planner = Planner::new(map);
        Some(Self { rules, planner })
    }
}

impl Agent<Rules> for CourseAgent {
    fn act(&mut self, turn: &Turn<'_, Rules>, insight: &mut Insight) -> Action {
        let (Ground::Course(map), Observation::Course(view)) = (self.rules.ground(), turn.observation) else {
            return Action::None;
        };
        let state = view.state.with_phase_guessed();
        let (nodes, stop) = (turn.clock.nodes(USUAL_NODES), &|| turn.clock.expired());
        let mut plan = self.planner.plan(map, &state, nodes, stop);
        let mut action = plan.actions.first().copied().unwrap_or(turn.legal[0]);
        if action == Action::None && view.state.is_phase_in_doubt() {
            let other = self.planner.plan(map, &state.with_other_phase(), nodes, stop);
            if let Some(&step) = other.actions.first()
                && step != Action::None
                && self.planner.survivals(map, &state, step) == GUESSES
            {
                (plan, action) = (other, step);
            }
        }
        if plan.sure < SOON.min(plan.actions.len()) {
            action = self.planner.safest(map, &state, action);
        }
        insight.mark(reason::PATH, plan.cells.iter().map(|&cell| map.point(cell)));
        insight.count("nodes", plan.nodes);
        insight.count("rounds ahead", plan.actions.len() as u64);
        insight.say(|| {
            if plan.wins {
                format!("out in {} rounds", plan.actions.len())
            } else {
                format!("no way out in sight; safe for {} rounds", plan.actions.len())
            }
        });
        action
    }
}
