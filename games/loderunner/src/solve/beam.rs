//! A beam over exact ticks, by time.
//!
//! The runner's choices are keys held for about the width of a cell. What they lead to is sorted into buckets of a few ticks,
//! and of each bucket the most promising states are kept: those with the shortest tour left (see [`tours`](super::tours)).
//! States that look alike crowd each other out, so that the beam stays broad.
//!
//! This is not `damier_search`'s beam: a step lasts from one tick to a hundred, so layers are spans of time rather than depths,
//! and a layer is chosen with quotas of states that look alike.

use damier_core::random::{Chance, Rng, mix};
use rustc_hash::{FxHashMap, FxHashSet};

use super::archive::Archive;
use super::classic::{Found, SearchLimits};
use super::escape::Escape;
use super::tours::{Left, TourNumber, Tours};
use super::ways::Ways;
use crate::action::Action;
use crate::classic::board::Board;
use crate::classic::{ByChance, Ending, State, Version};

/// The ticks of one bucket: about a cell's width.
pub(super) const SPAN: u32 = 5;
/// No plan is longer, in buckets.
const LONGEST: u32 = 1_500;
/// The longest fall or dig that follows a key, in ticks.
const LONGEST_FALL: u8 = 120;
/// Steps of what is left are a little longer than a bucket; estimates may be too long by this part.
const DOUBT: f64 = 0.7;

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

/// What a way counts in the archive that the runner cannot go without a guard, in steps.
const WITH_A_GUARD: u32 = 60;

/// What gold that is taken counts while waiting, in steps.
const TAKEN: u32 = 40;
/// What a cell counts while waiting that only a dig leads out of, in steps.
const UNSAFE: u32 = 20;

/// What a beam is after.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Aim {
    /// All gold, in the best order.
    Order,
    /// All gold, the nearest first.
    Nearest,
    /// To stay alive, take no gold and keep out of places that only a dig leads out of.
    Wait,
}

/// How a beam is set.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Setting {
    /// Beam width: states kept of a bucket.
    pub width: usize,
    /// Quota of a bucket for states with the runner at one cell and the same gold left.
    pub alike: u8,
    /// The same quota over all buckets.
    pub visits: u16,
    /// What it is after.
    pub aim: Aim,
    /// What a piece of gold counts, in steps.
    pub gold: u32,
    /// What a way counts that the runner cannot go without a guard, in steps.
    pub guard: u32,
    /// Random steps added to what is left.
    pub noise: u32,
}

/// What searches on one board share.
pub(crate) struct Field<'a> {
    pub board: &'a Board,
    pub ways: &'a Ways,
    pub memory: &'a mut Memory,
}

/// What searches on one board have found out.
pub(crate) struct Memory {
    pub tours: Tours,
    pub escape: Escape,
    pub archive: Archive,
}

impl Memory {
    pub(crate) fn new(board: &Board) -> Self {
        Self { tours: Tours::default(), escape: Escape::new(board), archive: Archive::default() }
    }
}

/// A state that may be kept.
#[derive(Clone)]
pub(super) struct Candidate {
    pub state: State,
    pub chance: Rng,
    /// The last step that led here.
    pub step: u32,
    pub tick: u32,
    /// What is left, in steps, and what gold counts.
    pub left: u32,
    pub tour: TourNumber,
}

/// A key, for how long it is held, and how long the runner falls or digs after it.
#[derive(Clone, Copy)]
pub(super) struct Step {
    before: u32,
    key: Action,
    held: u8,
    waited: u8,
}

/// The steps of a search, each with the one before it; number 0 is the start.
pub(super) struct Steps(Vec<Step>);

impl Steps {
    pub(super) fn new() -> Self {
        Self(vec![Step { before: 0, key: Action::None, held: 0, waited: 0 }])
    }

    pub(super) fn push(&mut self, step: Step) -> u32 {
        self.0.push(step);
        self.0.len() as u32 - 1
    }

    /// The keys that lead to a step, tick by tick.
    pub(super) fn keys(&self, mut step: u32) -> Vec<Action> {
        let mut parts = Vec::new();
        while step != 0 {
            parts.push(self.0[step as usize]);
            step = self.0[step as usize].before;
        }
        let ticks = |step: Step| {
            let held = std::iter::repeat_n(step.key, step.held.into());
            held.chain(std::iter::repeat_n(Action::None, step.waited.into()))
        };
        parts.into_iter().rev().flat_map(ticks).collect()
    }
}

/// One beam.
pub(crate) struct Beam {
    setting: Setting,
    seed: u64,
    /// The keys that lead to the start.
    prefix: Vec<Action>,
    /// Ticks that are looked ahead.
    horizon: u32,
    /// Plans that are surely longer are given up.
    longest: u32,
    steps: Steps,
    buckets: Vec<Vec<Candidate>>,
    /// The bucket whose turn is next.
    time: usize,
    /// The states of the last bucket that are still to be expanded.
    layer: std::vec::IntoIter<Candidate>,
    /// The step to the best of the last bucket, or to the best win of that bucket, and its tick.
    nearest: u32,
    won: Option<(u32, u32)>,
    /// Gold left at the start.
    gold: u16,
    visits: FxHashMap<u64, u16>,
    found: Found,
}

impl Beam {
    /// A beam from a state on.
    pub(crate) fn new(
        field: &mut Field<'_>,
        setting: Setting,
        seed: u64,
        start: &State,
        chance: &Rng,
    ) -> Self {
        let tour = field.memory.tours.number(field.ways, start);
        let first = Candidate { state: *start, chance: chance.clone(), step: 0, tick: 0, left: 0, tour };
        Self {
            setting,
            seed,
            prefix: Vec::new(),
            horizon: LONGEST * SPAN,
            longest: u32::MAX,
            steps: Steps::new(),
            buckets: vec![vec![first]],
            time: 0,
            layer: Vec::new().into_iter(),
            nearest: 0,
            won: None,
            gold: start.gold_left(),
            visits: FxHashMap::default(),
            found: Found { gold_left: start.gold_left(), ..Found::default() },
        }
    }

    /// Looks for plans of at most so many ticks.
    pub(super) fn within(self, ticks: u32) -> Self {
        Self { longest: ticks, ..self }.for_ticks(ticks)
    }

    /// Starts after these keys.
    pub(super) fn after(self, prefix: Vec<Action>) -> Self {
        Self { prefix, ..self }
    }

    /// Looks so many ticks ahead.
    pub(crate) fn for_ticks(self, ticks: u32) -> Self {
        Self { horizon: ticks.min(self.horizon), ..self }
    }

    /// Keys tried so far.
    pub(crate) fn nodes(&self) -> u64 {
        self.found.nodes
    }

    /// Searches to the end, or until the limits are reached.
    pub(super) fn run(mut self, field: &mut Field<'_>, limits: &SearchLimits) -> Found {
        self.advance(field, limits);
        self.found()
    }

    /// What has been found so far, its prefix included: a win, or the way to the most promising state.
    pub(crate) fn found(&self) -> Found {
        let keys = [&self.prefix[..], &self.steps.keys(self.nearest)].concat();
        Found { keys, ..self.found.clone() }
    }

    /// Searches on until the limits are reached; true if it is at its end or has won.
    pub(crate) fn advance(&mut self, field: &mut Field<'_>, limits: &SearchLimits) -> bool {
        let end = self.found.nodes.saturating_add(limits.nodes);
        loop {
            let Some(candidate) = self.layer.next() else {
                if self.end_bucket() || !self.begin_bucket(field) {
                    return true;
                }
                continue;
            };
            if let Some(win) = self.expand(field, &candidate) {
                self.won = Some(self.won.map_or(win, |best| best.min(win)));
            }
            if self.found.nodes >= end || (self.layer.len().is_multiple_of(16) && limits.is_late()) {
                return self.end_bucket();
            }
        }
    }

    /// Takes stock of the wins of a bucket; true if there are any.
    fn end_bucket(&mut self) -> bool {
        if let Some((_, step)) = self.won {
            (self.found.wins, self.nearest) = (true, step);
        }
        self.found.wins
    }

    /// Goes on with the next bucket; false if there is none.
    fn begin_bucket(&mut self, field: &Field<'_>) -> bool {
        if self.time as u32 > self.horizon / SPAN {
            return false;
        }
        let Some(bucket) = self.buckets.get_mut(self.time).map(std::mem::take) else { return false };
        let layer = self.choose(field, &bucket);
        self.nearest = layer.first().map_or(self.nearest, |candidate| candidate.step);
        self.layer = layer.into_iter();
        self.time += 1;
        true
    }

    /// The best of a bucket, no two of them the same but for offsets, few of them alike.
    fn choose(&mut self, field: &Field<'_>, bucket: &[Candidate]) -> Vec<Candidate> {
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
        let mut same = FxHashSet::default();
        let mut alike: FxHashMap<u64, u8> = FxHashMap::default();
        let mut chosen = Vec::with_capacity(self.setting.width);
        for (_, index) in order {
            let candidate = &bucket[index as usize];
            if !same.insert(candidate.state.coarse_hash()) || field.memory.escape.is_stuck(&candidate.state) {
                continue;
            }
            let kind = candidate.state.gold_hash() ^ mix(candidate.state.runner.cell.word());
            let alike = alike.entry(kind).or_default();
            let visits = self.visits.entry(kind).or_default();
            if *alike < self.setting.alike && *visits < self.setting.visits {
                *alike += 1;
                *visits += 1;
                chosen.push(candidate.clone());
                if chosen.len() == self.setting.width {
                    break;
                }
            }
        }
        chosen
    }

    /// Tries every key; tick and step of the earliest win, if there is one.
    fn expand(&mut self, field: &mut Field<'_>, from: &Candidate) -> Option<(u32, u32)> {
        let mut won: Option<(u32, u32)> = None;
        for (key, hold) in KEYS {
            self.found.nodes += 1;
            let Some((mut candidate, step)) = hold_key(field.board, from, key, hold) else { continue };
            match candidate.state.ending {
                Some(Ending::Won) => {
                    let win = (candidate.tick, self.steps.push(step));
                    won = Some(won.map_or(win, |best| best.min(win)));
                    continue;
                }
                Some(_) => continue,
                None => {}
            }
            let Some(left) = field.look(from, &mut candidate) else { continue };
            if f64::from(candidate.tick) + DOUBT * f64::from(left.alone * SPAN) > f64::from(self.longest) {
                continue;
            }
            let gold = candidate.state.gold_left();
            candidate.left = self.rate(field, left, &candidate.state);
            candidate.step = self.steps.push(step);
            self.found.gold_left = self.found.gold_left.min(gold);
            if gold < from.state.gold_left() && !field.memory.escape.is_stuck(&candidate.state) {
                let ticks = self.prefix.len() as u32 + candidate.tick;
                let keys = || [&self.prefix[..], &self.steps.keys(candidate.step)].concat();
                field.memory.archive.offer(&candidate, ticks, left.steps(WITH_A_GUARD), keys);
            }
            let bucket = ((candidate.tick / SPAN) as usize).max(self.time);
            if self.buckets.len() <= bucket {
                self.buckets.resize_with(bucket + 1, Vec::new);
            }
            self.buckets[bucket].push(candidate);
        }
        won
    }

    /// How far a state is from what the beam is after, in steps.
    fn rate(&self, field: &Field<'_>, left: Left, state: &State) -> u32 {
        let Setting { aim, guard, .. } = self.setting;
        let gold = self.setting.gold * u32::from(state.gold_left());
        match aim {
            Aim::Order => left.steps(guard) + gold,
            Aim::Nearest => left.greedy_steps(guard) + gold,
            Aim::Wait => {
                let taken = TAKEN * u32::from(self.gold - state.gold_left());
                taken + if field.memory.escape.is_safe(state.runner.cell) { 0 } else { UNSAFE }
            }
        }
    }
}

impl Field<'_> {
    /// What is left after a step; nothing if the game cannot be won any more.
    pub(super) fn look(&mut self, from: &Candidate, candidate: &mut Candidate) -> Option<Left> {
        if candidate.state.gold_hash() != from.state.gold_hash() {
            candidate.tour = self.memory.tours.number(self.ways, &candidate.state);
        }
        self.memory.tours.left(self.ways, candidate.tour, &candidate.state)
    }
}

/// Holds a key for a while, then lets the runner fall or dig to the end. Nothing if the key does nothing.
pub(super) fn hold_key(board: &Board, from: &Candidate, key: Action, hold: u8) -> Option<(Candidate, Step)> {
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

pub(super) fn tick(board: &Board, state: &mut State, key: Action, chance: &mut impl Chance) {
    state.tick(board, Version::Four, key, &mut ByChance(chance));
}
