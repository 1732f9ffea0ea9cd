//! The search on classic boards: a beam over exact ticks, by time.
//!
//! The runner's choices are keys held for about the width of a cell. What they lead to is sorted into buckets of a few ticks,
//! and of each bucket the most promising states are kept: those with little gold left, and little way to it (see
//! [`ways`](super::ways)). States that look alike crowd each other out, so that the beam stays broad. When one setting
//! does not find a way, the next one of a portfolio tries, with an ever wider beam.
//!
//! This is not `damier_search`'s beam: a step lasts from one tick to a hundred, so layers are spans of time rather than depths,
//! and a layer is chosen with quotas of states that look alike.

use damier_core::random::{Chance, Rng, mix};
use damier_kit::cancel::Deadline;
use rustc_hash::{FxHashMap, FxHashSet};

use super::ways::Ways;
use crate::action::Action;
use crate::classic::board::Board;
use crate::classic::{ByChance, Ending, State, Version};

/// The ticks of one bucket: about a cell's width.
const SPAN: u32 = 5;
/// No plan is longer, in buckets.
const LONGEST: usize = 1_500;
/// The longest fall or dig that follows a key, in ticks.
const LONGEST_FALL: u8 = 120;

/// The keys that are tried, and for how many ticks each is held.
const KEYS: [(Action, u8); 8] = [
    (Action::Left, 5),
    (Action::Right, 5),
    (Action::Up, 5),
    (Action::Down, 5),
    (Action::BombLeft, 1),
    (Action::BombRight, 1),
    (Action::None, 2),
    (Action::None, 6),
];

/// How a beam is set.
#[derive(Clone, Copy, Debug)]
struct Setting {
    /// Beam width: states kept of a bucket.
    width: usize,
    /// Quota of a bucket for states with the runner at one cell and the same gold left.
    alike: u8,
    /// The same quota over all buckets.
    visits: u16,
    /// What a piece of gold counts, in steps.
    gold: u32,
    /// Random steps added to what is left.
    noise: u32,
}

/// The portfolio, tried in turn; each time around the beams are twice as wide.
const PORTFOLIO: [Setting; 6] = [
    Setting { width: 150, alike: 4, visits: 200, gold: 20, noise: 0 },
    Setting { width: 250, alike: 12, visits: 400, gold: 8, noise: 0 },
    Setting { width: 250, alike: 4, visits: 400, gold: 3, noise: 6 },
    Setting { width: 250, alike: 6, visits: 800, gold: 20, noise: 12 },
    Setting { width: 250, alike: 3, visits: 200, gold: 40, noise: 30 },
    Setting { width: 250, alike: 8, visits: 1_000, gold: 12, noise: 20 },
];

/// Limits of a search.
#[derive(Clone, Debug)]
pub struct SearchLimits {
    /// Keys tried.
    pub nodes: u64,
    /// The time, if it is limited.
    pub deadline: Option<Deadline>,
}

/// What a search has found.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// The key of each tick.
    pub keys: Vec<Action>,
    /// Does it win? Otherwise it only stays alive, as near to the goal as was seen.
    pub wins: bool,
    /// Keys tried.
    pub nodes: u64,
    /// Beams tried.
    pub beams: u32,
    /// The least gold left in any state.
    pub gold_left: u16,
}

/// A state that may be kept.
struct Candidate {
    state: State,
    chance: Rng,
    /// The last step that led here.
    step: u32,
    tick: u32,
    /// What is left: steps to the nearest gold, over the rest and to the top, and what gold counts.
    left: u32,
    /// The part of it that changes only with the gold.
    tour: u32,
}

/// A key, for how long it is held, and how long the runner falls or digs after it.
#[derive(Clone, Copy)]
struct Step {
    before: u32,
    key: Action,
    held: u8,
    waited: u8,
}

/// Looks for a way to win from a state, with the chance of the game known.
pub fn solve(board: &Board, ways: &Ways, start: &State, chance: &Rng, limits: &SearchLimits) -> Found {
    let mut best = Found { gold_left: u16::MAX, ..Found::default() };
    for beam in 0.. {
        let mut setting = PORTFOLIO[beam as usize % PORTFOLIO.len()];
        setting.width <<= (beam as usize / PORTFOLIO.len()).min(6);
        let left = SearchLimits { nodes: limits.nodes - best.nodes, ..limits.clone() };
        let found = Beam::new(board, ways, setting, beam).run(start, chance, &left);
        let nodes = best.nodes + found.nodes;
        if found.wins || found.gold_left < best.gold_left {
            best = found;
        }
        (best.nodes, best.beams) = (nodes, beam + 1);
        if best.wins || best.nodes >= limits.nodes || is_late(limits) {
            break;
        }
    }
    best
}

/// Keys that keep the runner alive for `ticks`, or that win before; `None` if a beam finds none.
pub fn survive(board: &Board, ways: &Ways, start: &State, chance: &Rng, ticks: u32) -> Option<Vec<Action>> {
    let setting = Setting { width: 400, alike: 20, visits: u16::MAX, gold: 0, noise: 0 };
    let mut beam = Beam::new(board, ways, setting, 0);
    beam.horizon = (ticks / SPAN) as usize;
    let limits = SearchLimits { nodes: u64::MAX, deadline: None };
    let found = beam.run(start, chance, &limits);
    (found.wins || found.keys.len() as u32 >= ticks - SPAN).then_some(found.keys)
}

fn is_late(limits: &SearchLimits) -> bool {
    limits.deadline.as_ref().is_some_and(Deadline::passed)
}

/// One beam.
struct Beam<'a> {
    board: &'a Board,
    ways: &'a Ways,
    setting: Setting,
    seed: u64,
    /// No plan is longer, in buckets.
    horizon: usize,
    steps: Vec<Step>,
    buckets: Vec<Vec<Candidate>>,
    visits: FxHashMap<u64, u16>,
    found: Found,
}

impl<'a> Beam<'a> {
    fn new(board: &'a Board, ways: &'a Ways, setting: Setting, seed: u32) -> Self {
        Self {
            board,
            ways,
            setting,
            seed: u64::from(seed),
            horizon: LONGEST,
            steps: vec![Step { before: 0, key: Action::None, held: 0, waited: 0 }],
            buckets: Vec::new(),
            visits: FxHashMap::default(),
            found: Found::default(),
        }
    }

    fn run(mut self, start: &State, chance: &Rng, limits: &SearchLimits) -> Found {
        self.found.gold_left = start.gold_left();
        let tour = self.ways.tour(start);
        let start = Candidate { state: *start, chance: chance.clone(), step: 0, tick: 0, left: 0, tour };
        self.buckets.push(vec![start]);
        let mut nearest = 0;
        for time in 0..=self.horizon {
            let Some(bucket) = self.buckets.get_mut(time).map(std::mem::take) else { break };
            let layer = self.choose(bucket);
            nearest = layer.first().map_or(nearest, |candidate| candidate.step);
            for candidate in &layer {
                if is_late(limits) {
                    break;
                }
                if let Some(won) = self.expand(candidate, time) {
                    self.found.wins = true;
                    self.found.keys = self.keys(won);
                    return self.found;
                }
            }
            if self.found.nodes >= limits.nodes || is_late(limits) {
                break;
            }
        }
        self.found.keys = self.keys(nearest);
        self.found
    }

    /// The best of a bucket, no two of them the same but for offsets, few of them alike.
    fn choose(&mut self, bucket: Vec<Candidate>) -> Vec<Candidate> {
        let noise = |step: u32| match self.setting.noise {
            0 => 0,
            noise => (mix(u64::from(step) ^ mix(self.seed)) % u64::from(noise)) as u32,
        };
        let mut order: Vec<(u32, u32)> = bucket
            .iter()
            .zip(0..)
            .map(|(candidate, index)| (candidate.left + noise(candidate.step), index))
            .collect();
        order.sort_unstable();
        let mut bucket: Vec<Option<Candidate>> = bucket.into_iter().map(Some).collect();
        let mut same = FxHashSet::default();
        let mut alike: FxHashMap<u64, u8> = FxHashMap::default();
        let mut chosen = Vec::with_capacity(self.setting.width);
        for (_, index) in order {
            let Some(candidate) = bucket[index as usize].take() else { continue };
            if !same.insert(candidate.state.coarse_hash()) {
                continue;
            }
            let kind = candidate.state.gold_hash() ^ mix(candidate.state.runner.cell.word());
            let alike = alike.entry(kind).or_default();
            let visits = self.visits.entry(kind).or_default();
            if *alike < self.setting.alike && *visits < self.setting.visits {
                *alike += 1;
                *visits += 1;
                chosen.push(candidate);
                if chosen.len() == self.setting.width {
                    break;
                }
            }
        }
        chosen
    }

    /// Tries every key; the step that wins, if one does.
    fn expand(&mut self, from: &Candidate, time: usize) -> Option<u32> {
        for (key, hold) in KEYS {
            self.found.nodes += 1;
            let Some((mut candidate, step)) = hold_key(self.board, from, key, hold) else { continue };
            match candidate.state.ending {
                Some(Ending::Won) => return Some(self.push(step)),
                Some(_) => continue,
                None => {}
            }
            if candidate.state.gold_hash() != from.state.gold_hash() {
                candidate.tour = self.ways.tour(&candidate.state);
            }
            let Some(near) = self.ways.nearest(&candidate.state) else { continue };
            let gold = candidate.state.gold_left();
            candidate.left = near + candidate.tour + self.setting.gold * u32::from(gold);
            candidate.step = self.push(step);
            self.found.gold_left = self.found.gold_left.min(gold);
            let bucket = ((candidate.tick / SPAN) as usize).max(time + 1);
            if self.buckets.len() <= bucket {
                self.buckets.resize_with(bucket + 1, Vec::new);
            }
            self.buckets[bucket].push(candidate);
        }
        None
    }

    fn push(&mut self, step: Step) -> u32 {
        self.steps.push(step);
        self.steps.len() as u32 - 1
    }

    fn keys(&self, mut step: u32) -> Vec<Action> {
        let mut parts = Vec::new();
        while step != 0 {
            parts.push(self.steps[step as usize]);
            step = self.steps[step as usize].before;
        }
        let ticks = |step: Step| {
            let held = std::iter::repeat_n(step.key, step.held.into());
            held.chain(std::iter::repeat_n(Action::None, step.waited.into()))
        };
        parts.into_iter().rev().flat_map(ticks).collect()
    }
}

/// Holds a key for a while, then lets the runner fall or dig to the end. Nothing if the key does nothing.
fn hold_key(board: &Board, from: &Candidate, key: Action, hold: u8) -> Option<(Candidate, Step)> {
    let mut state = from.state;
    let mut chance = from.chance.clone();
    let mut held = 0;
    while held < hold && state.ending.is_none() && (held == 0 || !state.is_falling(board)) {
        tick(board, &mut state, key, &mut chance);
        held += 1;
        if state.gold_left() != from.state.gold_left() {
            break;
        }
    }
    let does_nothing = if key.digs() { state.dig.is_none() } else { state.runner == from.state.runner };
    if key != Action::None && does_nothing {
        return None;
    }
    let mut waited = 0;
    while state.ending.is_none() && waited < LONGEST_FALL && (state.dig.is_some() || state.is_falling(board))
    {
        tick(board, &mut state, Action::None, &mut chance);
        waited += 1;
    }
    let step = Step { before: from.step, key, held, waited };
    let tick = from.tick + u32::from(held) + u32::from(waited);
    Some((Candidate { state, chance, step: 0, tick, left: 0, tour: from.tour }, step))
}

fn tick(board: &Board, state: &mut State, key: Action, chance: &mut impl Chance) {
    state.tick(board, Version::Four, key, &mut ByChance(chance));
}
