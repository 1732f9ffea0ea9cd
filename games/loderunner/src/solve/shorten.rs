//! Makes a plan that wins shorter: a small beam looks for a quicker way through a window of the plan, and where the runner is
//! back on the plan's own way sooner than before, the rest of the plan is played from there. If it still wins, it is
//! kept.

use damier_core::random::{Chance, Rng, mix};
use rustc_hash::{FxHashMap, FxHashSet};

use super::beam::{Candidate, Field, SPAN, Steps, hold_key, tick};
use super::classic::SearchLimits;
use crate::action::Action;
use crate::classic::board::Board;
use crate::classic::{Body, Ending, State};

/// Ticks of a window.
const WINDOW: [u32; 3] = [60, 120, 200];
/// States kept of a layer.
const WIDTH: usize = 60;
/// States kept of a layer with the runner at one cell.
const ALIKE: u8 = 3;
/// Ways back onto the plan that are played to the end, of one window.
const REPLAYS: u32 = 250;

/// What a way counts that the runner cannot go without a guard, in steps.
const WITH_A_GUARD: u32 = 100;

/// The keys that are tried, with the ticks for which each may be held.
const KEYS: [(Action, u8); 13] = [
    (Action::Left, 5),
    (Action::Right, 5),
    (Action::Up, 5),
    (Action::Down, 5),
    (Action::Left, 2),
    (Action::Right, 2),
    (Action::Up, 1),
    (Action::Down, 1),
    (Action::Left, 1),
    (Action::Right, 1),
    (Action::BombLeft, 1),
    (Action::BombRight, 1),
    (Action::None, 3),
];

/// A plan that wins, with the state and the chance before each of its ticks.
pub(super) struct Plan {
    pub keys: Vec<Action>,
    pub moments: Vec<(State, Rng)>,
    /// The last tick at which the runner is somewhere with the same gold.
    last: FxHashMap<(Body, u64), u32>,
}

impl Plan {
    /// Plays keys that win.
    pub(super) fn new(board: &Board, start: &State, chance: &Rng, keys: Vec<Action>) -> Self {
        let (mut state, mut chance) = (*start, chance.clone());
        let mut moments = vec![(state, chance.clone())];
        let mut last = FxHashMap::default();
        for (&key, at) in keys.iter().zip(1..) {
            tick(board, &mut state, key, &mut chance);
            moments.push((state, chance.clone()));
            last.insert((state.runner, state.gold_hash()), at);
        }
        Self { keys, moments, last }
    }

    pub(super) fn ticks(&self) -> u32 {
        self.keys.len() as u32
    }
}

/// Looks for a quicker way through one window of a plan; true if the plan got shorter.
pub(super) fn shorten(
    field: &mut Field<'_>,
    plan: &mut Plan,
    draw: &mut Rng,
    nodes: &mut u64,
    limits: &SearchLimits,
) -> bool {
    let from = draw.below(plan.ticks());
    let window = WINDOW[draw.below(WINDOW.len() as u32) as usize];
    let Some((skipped, keys)) = quicker(field, plan, from, window, draw, nodes, limits) else { return false };
    let mut whole = plan.keys[..from as usize].to_vec();
    whole.extend(keys);
    whole.extend(&plan.keys[skipped as usize..]);
    let (start, chance) = plan.moments[0].clone();
    let mut new = Plan::new(field.board, &start, &chance, whole);
    // The win may come before the last key.
    let won = new.moments.iter().position(|(state, _)| state.ending == Some(Ending::Won));
    if let Some(won) = won {
        new.keys.truncate(won);
        new.moments.truncate(won + 1);
    }
    *plan = new;
    true
}

/// Keys from tick `from` on after which the plan goes on at a tick that is later than theirs, and that tick.
fn quicker(
    field: &mut Field<'_>,
    plan: &Plan,
    from: u32,
    window: u32,
    draw: &mut Rng,
    nodes: &mut u64,
    limits: &SearchLimits,
) -> Option<(u32, Vec<Action>)> {
    let (state, chance) = plan.moments[from as usize].clone();
    let tour = field.memory.tours.number(field.ways, &state);
    let mut layer = vec![Candidate { state, chance, step: 0, tick: from, left: 0, tour }];
    let mut steps = Steps::new();
    let mut seen = FxHashSet::default();
    let mut replays = 0;
    let mut best: Option<(u32, u32, u32)> = None;
    while !layer.is_empty() && replays < REPLAYS && !limits.is_late() {
        let mut next: Vec<Candidate> = Vec::new();
        for candidate in &layer {
            for (key, hold) in KEYS {
                *nodes += 1;
                let Some((mut after, step)) = hold_key(field.board, candidate, key, hold) else { continue };
                if after.state.ending.is_some() || !seen.insert(after.state.hash()) {
                    continue;
                }
                let Some(left) = field.look(candidate, &mut after) else { continue };
                after.step = steps.push(step);
                after.left = left.steps(WITH_A_GUARD) + after.tick / SPAN;
                let back = plan.last.get(&(after.state.runner, after.state.gold_hash()));
                if let Some(&back) = back.filter(|&&back| back > after.tick)
                    && best.is_none_or(|(gain, ..)| back - after.tick > gain)
                    && replays < REPLAYS
                {
                    replays += 1;
                    if wins(field.board, &after, &plan.keys[back as usize..]) {
                        best = Some((back - after.tick, back, after.step));
                    }
                }
                if after.tick < from + window {
                    next.push(after);
                }
            }
        }
        layer = choose(next, draw);
    }
    best.map(|(_, back, step)| (back, steps.keys(step)))
}

fn wins(board: &Board, from: &Candidate, keys: &[Action]) -> bool {
    let (mut state, mut chance) = (from.state, from.chance.clone());
    for &key in keys {
        tick(board, &mut state, key, &mut chance);
        if state.ending.is_some() {
            break;
        }
    }
    state.ending == Some(Ending::Won)
}

/// The most promising states of a layer, with a little noise.
fn choose(mut layer: Vec<Candidate>, draw: &mut Rng) -> Vec<Candidate> {
    let seed = draw.next_u64();
    layer.sort_by_cached_key(|candidate| {
        (candidate.left + (mix(seed ^ u64::from(candidate.step)) % 4) as u32, candidate.tick)
    });
    let mut alike: FxHashMap<u64, u8> = FxHashMap::default();
    layer.retain(|candidate| {
        let kind = candidate.state.gold_hash() ^ mix(candidate.state.runner.cell.word());
        let count = alike.entry(kind).or_default();
        *count += 1;
        *count <= ALIKE
    });
    layer.truncate(WIDTH);
    layer
}
