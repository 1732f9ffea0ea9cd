//! A quick solution: a beam search that keeps the most promising positions of each depth. It proves nothing, but gives the
//! exact search something to show while it works.

use damier_kit::cancel::Deadline;
use rustc_hash::FxHashSet;

use crate::rules::{Action, Rules, State};

/// The number of positions kept at each depth.
const WIDTH: usize = 400;
/// The maximum depth.
const DEPTH: usize = 80;

/// A position of the beam.
struct Node {
    state: State,
    parent: usize,
    action: Action,
}

/// Searches for some solution until the deadline; `estimate` returns a lower bound on the remaining moves, or `None` if there
/// is no solution.
pub fn find(
    game: &Rules,
    start: &State,
    deadline: &Deadline,
    estimate: impl Fn(&State) -> Option<u32>,
) -> Option<Vec<Action>> {
    if game.is_solved(start) {
        return Some(Vec::new());
    }
    let mut seen = FxHashSet::default();
    seen.insert((start.robots, start.courses));
    let mut depths: Vec<Vec<Node>> = Vec::new();
    for depth in 0..DEPTH {
        let mut next: Vec<(u32, Node)> = Vec::new();
        let parents = depth.checked_sub(1).map(|depth| &depths[depth]);
        let states: Vec<&State> =
            parents.map_or_else(|| vec![start], |nodes| nodes.iter().map(|node| &node.state).collect());
        for (parent, state) in states.into_iter().enumerate() {
            if deadline.passed() {
                return None;
            }
            for action in game.moves(state) {
                let mut child = state.clone();
                game.make_move(&mut child, action);
                if game.is_solved(&child) {
                    return Some(plan_of(&depths, depth, parent, action));
                }
                if let Some(left) = estimate(&child).filter(|_| seen.insert((child.robots, child.courses))) {
                    next.push((left, Node { state: child, parent, action }));
                }
            }
        }
        next.sort_by_key(|(left, _)| *left);
        next.truncate(WIDTH);
        depths.push(next.into_iter().map(|(_, node)| node).collect());
    }
    None
}

fn plan_of(depths: &[Vec<Node>], depth: usize, parent: usize, last: Action) -> Vec<Action> {
    let mut actions = vec![last];
    let mut parent = parent;
    for nodes in depths[..depth].iter().rev() {
        actions.push(nodes[parent].action);
        parent = nodes[parent].parent;
    }
    actions.reverse();
    actions
}
