//! The search on classic boards: beams over exact ticks find a plan that wins, then the plan is made shorter.
//!
//! When one setting of the beam does not find a way, the next one of a portfolio tries, with an ever wider beam.

use damier_core::random::{Chance, Rng};
use damier_kit::cancel::Deadline;

use super::archive::{Archive, Prefix};
use super::beam::{Aim, Beam, Field, Memory, SPAN, Setting};
use super::shorten::{Plan, shorten};
use super::ways::Ways;
use crate::action::Action;
use crate::classic::State;
use crate::classic::board::Board;

/// The portfolio, tried in turn; each time around the beams are twice as wide.
pub(crate) const PORTFOLIO: [Setting; 8] = [
    Setting { width: 200, alike: 4, visits: 200, aim: Aim::Order, gold: 4, guard: 100, noise: 0 },
    Setting { width: 150, alike: 4, visits: 200, aim: Aim::Nearest, gold: 20, guard: 200, noise: 0 },
    Setting { width: 250, alike: 12, visits: 400, aim: Aim::Order, gold: 8, guard: 200, noise: 0 },
    Setting { width: 250, alike: 12, visits: 400, aim: Aim::Nearest, gold: 8, guard: 200, noise: 0 },
    Setting { width: 250, alike: 4, visits: 400, aim: Aim::Order, gold: 3, guard: 40, noise: 6 },
    Setting { width: 250, alike: 6, visits: 800, aim: Aim::Nearest, gold: 20, guard: 200, noise: 12 },
    Setting { width: 250, alike: 3, visits: 200, aim: Aim::Nearest, gold: 40, guard: 100, noise: 30 },
    Setting { width: 250, alike: 8, visits: 1_000, aim: Aim::Order, gold: 12, guard: 40, noise: 20 },
];

/// One search of so many is a wide one from the start; the others start again from prefixes.
const RESTARTS: usize = 4;
/// Ticks that a search looks ahead from a prefix.
const FURTHER: u32 = 500;
/// Windows that are looked at between two beams over the rest of a plan.
const WINDOWS: u32 = 8;

/// A plan that did not get shorter while so many times the keys of all before were tried is as short as it gets.
const PATIENCE: u64 = 4;
/// Keys that are tried at least before that.
const LEAST_PATIENCE: u64 = 4_000_000;
/// The widest beam over the rest of a plan.
const WIDEST: usize = 6_000;
/// The widest beam of a search for the first plan.
const WIDEST_FIRST: usize = 16_000;

/// Limits of a search.
#[derive(Clone, Debug)]
pub struct SearchLimits {
    /// Keys tried.
    pub nodes: u64,
    /// The time, if it is limited.
    pub deadline: Option<Deadline>,
}

impl SearchLimits {
    pub(super) fn is_late(&self) -> bool {
        self.deadline.as_ref().is_some_and(Deadline::passed)
    }
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
    /// Keys tried until the first win.
    pub first: u64,
    /// Beams tried.
    pub beams: u32,
    /// The least gold left in any state.
    pub gold_left: u16,
}

/// Looks for a way to win from a state, with the chance of the game known; the first one found.
pub fn solve(board: &Board, ways: &Ways, start: &State, chance: &Rng, limits: &SearchLimits) -> Found {
    let mut field = Field { board, ways, memory: &mut Memory::new(board) };
    find(&mut field, start, chance, limits)
}

/// Looks for a short way to win, until the limits are reached.
pub fn solve_short(board: &Board, ways: &Ways, start: &State, chance: &Rng, limits: &SearchLimits) -> Found {
    let mut field = Field { board, ways, memory: &mut Memory::new(board) };
    let mut best = find(&mut field, start, chance, limits);
    if !best.wins {
        return best;
    }
    let mut plan = Plan::new(board, start, chance, best.keys);
    best.first = best.nodes;
    let mut draw = Rng::new(1);
    let mut width = 300;
    let mut shortest = (plan.ticks(), best.nodes);
    while best.nodes < limits.nodes && !limits.is_late() {
        if plan.ticks() < shortest.0 {
            shortest = (plan.ticks(), best.nodes);
        } else if best.nodes > PATIENCE * shortest.1 + LEAST_PATIENCE {
            break;
        }
        for _ in 0..WINDOWS {
            shorten(&mut field, &mut plan, &mut draw, &mut best.nodes, limits);
        }
        let found = replan(&mut field, &plan, &mut draw, width, limits);
        best.nodes += found.nodes;
        best.beams += 1;
        width = (width + width / 6).min(WIDEST);
        if found.wins {
            plan = Plan::new(board, start, chance, found.keys);
        }
    }
    Found { keys: plan.keys, ..best }
}

/// A beam over the rest of a plan from one of its ticks on; it wins only if the whole is shorter then.
fn replan(field: &mut Field<'_>, plan: &Plan, draw: &mut Rng, width: usize, limits: &SearchLimits) -> Found {
    let from = if draw.below(2) == 0 { 0 } else { draw.below(plan.ticks()) } as usize;
    let setting = Setting {
        width,
        alike: 2 + draw.below(8) as u8,
        visits: u16::MAX,
        aim: Aim::Order,
        gold: [0, 2, 4, 8, 16][draw.below(5) as usize],
        guard: [40, 100, 200][draw.below(3) as usize],
        noise: [0, 0, 4, 10][draw.below(4) as usize],
    };
    let (state, chance) = &plan.moments[from];
    let ticks = plan.ticks() - from as u32;
    let beam = Beam::new(field, setting, draw.next_u64(), state, chance);
    let mut found = beam.within(ticks.saturating_sub(1)).run(field, limits);
    found.wins &= (found.keys.len() as u32) < ticks;
    if found.wins {
        found.keys = [&plan.keys[..from], &found.keys].concat();
    }
    found
}

/// Looks for a way to win; the first one found, or the best that was seen.
pub(crate) fn find(field: &mut Field<'_>, start: &State, chance: &Rng, limits: &SearchLimits) -> Found {
    let mut finder = Finder::new(field, start, chance, WIDEST_FIRST);
    finder.advance(field, limits);
    finder.found()
}

/// A search for the first win, which can be interrupted: one beam after the other, from the start or from prefixes.
pub(crate) struct Finder {
    start: State,
    chance: Rng,
    draw: Rng,
    /// The widest beam.
    widest: usize,
    beam: Beam,
    /// The best of all beams that are done, with the sums over them.
    best: Found,
}

impl Finder {
    /// A search from a state on. What earlier searches kept as prefixes is forgotten.
    pub(crate) fn new(field: &mut Field<'_>, start: &State, chance: &Rng, widest: usize) -> Self {
        field.memory.archive = Archive::default();
        Self {
            start: *start,
            chance: chance.clone(),
            draw: Rng::new(2),
            widest,
            beam: Beam::new(field, PORTFOLIO[0], 0, start, chance),
            best: Found { gold_left: u16::MAX, ..Found::default() },
        }
    }

    /// Searches on until the limits are reached or a win is found; true if it is.
    pub(crate) fn advance(&mut self, field: &mut Field<'_>, limits: &SearchLimits) -> bool {
        let end = self.nodes().saturating_add(limits.nodes);
        while self.nodes() < end && !limits.is_late() {
            let left = SearchLimits { nodes: end - self.nodes(), ..limits.clone() };
            if !self.beam.advance(field, &left) {
                continue;
            }
            let best = self.found();
            if best.wins {
                return true;
            }
            self.best = best;
            self.beam = self.next_beam(field);
        }
        false
    }

    /// The state and the chance with which it starts.
    pub(crate) fn start(&self) -> (State, Rng) {
        (self.start, self.chance.clone())
    }

    /// Keys tried so far.
    pub(crate) fn nodes(&self) -> u64 {
        self.best.nodes + self.beam.nodes()
    }

    /// What has been found so far.
    pub(crate) fn found(&self) -> Found {
        let found = self.beam.found();
        let (nodes, beams) = (self.nodes(), self.best.beams + 1);
        let best =
            if found.wins || found.gold_left < self.best.gold_left { found } else { self.best.clone() };
        Found { nodes, beams, ..best }
    }

    fn next_beam(&mut self, field: &mut Field<'_>) -> Beam {
        let beam = self.best.beams as usize;
        // After the first time around, most searches start again from a prefix.
        if beam >= PORTFOLIO.len()
            && !beam.is_multiple_of(RESTARTS)
            && let Some(prefix) = field.memory.archive.choose(&mut self.draw)
        {
            return go_on(field, prefix, &mut self.draw);
        }
        let number = if beam < PORTFOLIO.len() { beam } else { PORTFOLIO.len() + beam / RESTARTS };
        let mut setting = PORTFOLIO[number % PORTFOLIO.len()];
        setting.width = (setting.width << (number / PORTFOLIO.len()).min(6)).min(self.widest);
        Beam::new(field, setting, beam as u64, &self.start, &self.chance)
    }
}

/// A short beam from a prefix on.
fn go_on(field: &mut Field<'_>, prefix: Prefix, draw: &mut Rng) -> Beam {
    let setting = Setting {
        width: 60 << draw.below(3),
        alike: 3 + draw.below(10) as u8,
        visits: u16::MAX,
        aim: if draw.below(2) == 0 { Aim::Nearest } else { Aim::Order },
        gold: [2, 6, 16, 40][draw.below(4) as usize],
        guard: [40, 100, 200][draw.below(3) as usize],
        noise: [0, 4, 12, 24][draw.below(4) as usize],
    };
    let Prefix { state, chance, keys, .. } = prefix;
    Beam::new(field, setting, draw.next_u64(), &state, &chance).after(keys).for_ticks(FURTHER)
}

/// Keys that keep the runner alive for `ticks`, or that win before; `None` if a beam finds none.
pub fn survive(board: &Board, ways: &Ways, start: &State, chance: &Rng, ticks: u32) -> Option<Vec<Action>> {
    let setting =
        Setting { width: 400, alike: 20, visits: u16::MAX, aim: Aim::Nearest, gold: 0, guard: 40, noise: 0 };
    let mut field = Field { board, ways, memory: &mut Memory::new(board) };
    let limits = SearchLimits { nodes: u64::MAX, deadline: None };
    let beam = Beam::new(&mut field, setting, 0, start, chance).for_ticks(ticks);
    let found = beam.run(&mut field, &limits);
    (found.wins || found.keys.len() as u32 >= ticks - SPAN).then_some(found.keys)
}
