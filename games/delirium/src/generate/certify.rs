//! Is there a plan that wins whatever chance does? And how hard is it?
//!
//! The search goes from diamond to diamond by exact simulation, best first by the distance to the nearest goal. It uses no
//! tick in which chance is asked, so its plan wins with every seed. It finds no plan for many caves that have one; those
//! are not generated.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

use damier_core::game::Game;
use damier_core::grid::{Cell, Dir, Size};
use damier_core::random::Chance;
use rustc_hash::FxHashSet;

use crate::board::Ending;
use crate::kind::Kind;
use crate::rules::{Action, Rules, State};

/// States looked at on the way to one diamond.
const STATES: usize = 3_000;

/// What the miner can do that matters here.
const MOVES: [Action; 5] = [
    Action::Go(Dir::North),
    Action::Go(Dir::East),
    Action::Go(Dir::South),
    Action::Go(Dir::West),
    Action::Stay,
];

/// A plan that wins whatever chance does, and how dangerous it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certificate {
    /// The actions.
    pub plan: Vec<Action>,
    /// The ticks in which another move would have been deadly.
    pub deadly: usize,
}

impl Certificate {
    /// The ticks of the plan.
    pub fn ticks(&self) -> usize {
        self.plan.len()
    }

    /// From 0 to 10: more for a longer plan, and for more ticks in which a wrong move kills.
    pub fn difficulty(&self) -> f64 {
        let effort = self.ticks() as f64 / 300.0 + self.deadly as f64 / 12.0;
        10.0 * (1.0 - (-effort).exp())
    }
}

/// Chance that nobody may ask.
struct Asked(bool);

impl Chance for Asked {
    fn below(&mut self, _bound: u32) -> u32 {
        self.0 = true;
        0
    }
}

/// Searches for a plan that wins the first map whatever chance does.
pub fn certify(rules: &Rules) -> Option<Certificate> {
    let mut state = rules.start();
    let mut plan = Vec::new();
    while state.ending() != Some(Ending::Won) {
        let (next, steps) = to_next_goal(rules, &state)?;
        (state, plan) = (next, [plan, steps].concat());
    }
    let deadly = deadly_ticks(rules, &plan);
    Some(Certificate { plan, deadly })
}

/// The state after an action, unless it kills or depends on chance.
fn step(rules: &Rules, state: &State, action: Action) -> Option<State> {
    let mut next = state.clone();
    let mut asked = Asked(false);
    rules.apply_out_of_line(&mut next, action, &mut asked);
    let alive = next.ending().is_none_or(|ending| ending == Ending::Won);
    (alive && !asked.0).then_some(next)
}

/// One diamond more, or out.
fn to_next_goal(rules: &Rules, start: &State) -> Option<(State, Vec<Action>)> {
    let size = rules.size(start);
    let distance = distances(rules, start);
    let mut nodes: Vec<(State, usize, Action)> = vec![(start.clone(), 0, Action::Stay)];
    let mut open = BinaryHeap::new();
    let mut seen = FxHashSet::default();
    open.push((Reverse(0u32), Reverse(0u32), 0usize));
    while let Some((_, Reverse(ticks), index)) = open.pop() {
        for action in MOVES {
            let Some(next) = step(rules, &nodes[index].0, action) else { continue };
            if !seen.insert(rules.hash(&next)) {
                continue;
            }
            let done = next.gathered() > start.gathered() || next.ending().is_some();
            let rest = distance[miner_index(rules, &next, size)];
            nodes.push((next, index, action));
            let last = nodes.len() - 1;
            if done {
                return Some((nodes[last].0.clone(), plan_to(&nodes, last)));
            }
            if nodes.len() >= STATES {
                return None;
            }
            let estimate = 2 * u32::from(rest.min(1_000)) + ticks + 1;
            open.push((Reverse(estimate), Reverse(ticks + 1), last));
        }
    }
    None
}

fn miner_index(rules: &Rules, state: &State, size: Size) -> usize {
    debug_assert_eq!(size, rules.size(state), "a cave that is certified is one map");
    rules.miner(state).index()
}

fn plan_to(nodes: &[(State, usize, Action)], mut index: usize) -> Vec<Action> {
    let mut plan = Vec::new();
    while index != 0 {
        plan.push(nodes[index].2);
        index = nodes[index].1;
    }
    plan.reverse();
    plan
}

/// The steps from each cell to the nearest diamond, or exit once it is open, around walls; rocks can often be passed.
fn distances(rules: &Rules, state: &State) -> Vec<u16> {
    let (size, kinds) = (rules.size(state), rules.kinds(state));
    let goal = if state.is_open() { Kind::Exit } else { Kind::Diamond };
    let mut distance = vec![u16::MAX; kinds.len()];
    let mut queue: VecDeque<Cell> =
        size.cells().filter(|cell| kinds[cell.index()].at_rest() == goal).collect();
    for cell in &queue {
        distance[cell.index()] = 0;
    }
    while let Some(cell) = queue.pop_front() {
        for next in Dir::ALL.into_iter().filter_map(|dir| size.step(cell, dir)) {
            let closed = matches!(kinds[next.index()], Kind::Border | Kind::Wall | Kind::Exit);
            if !closed && distance[next.index()] == u16::MAX {
                distance[next.index()] = distance[cell.index()] + 1;
                queue.push_back(next);
            }
        }
    }
    distance
}

/// The ticks of a plan in which a step elsewhere kills at once.
fn deadly_ticks(rules: &Rules, plan: &[Action]) -> usize {
    let mut state = rules.start();
    let mut deadly = 0;
    for &action in plan {
        let dies = |other: &Action| {
            let mut next = state.clone();
            rules.apply_out_of_line(&mut next, *other, &mut Asked(false));
            next.ending().is_some_and(|ending| ending != Ending::Won)
        };
        deadly += usize::from(MOVES.iter().any(dies));
        rules.apply_out_of_line(&mut state, action, &mut Asked(false));
    }
    deadly
}
