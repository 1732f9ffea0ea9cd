//! The outer search: a beam over what is gathered next.
//!
//! Each step of a plan is an errand of the inner search: the next diamond, the next blue monster crushed, the exit. Of all
//! positions after so many errands the most promising ones are kept.

use damier_core::random::{Chance, Rng};
use rustc_hash::FxHashMap;

use super::outlook::Outlook;
use super::reach::{Arrival, Errand, Luck, Manner, Position, Reach};
use crate::board::{Ending, Word};
use crate::rules::Rules;

/// How a pass of the outer search goes about it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pass {
    /// Positions kept after each errand.
    pub width: usize,
    /// How the inner searches go about it.
    pub manner: Manner,
    /// Ticks up to which positions are mixed up by chance.
    pub jitter: u32,
}

/// The part of the trouble that is taken at first.
const HURRY: u32 = 8;

impl Pass {
    /// The same with less trouble.
    fn in_a_hurry(&self) -> Self {
        Self { manner: Manner { nodes: self.manner.nodes / HURRY, ..self.manner }, ..*self }
    }

    /// The last errand is worth more trouble than each of those before.
    fn manner_of(&self, errand: Errand) -> Manner {
        match errand {
            Errand::Leave => {
                Manner { nodes: 4 * self.manner.nodes, visits: 4 * self.manner.visits, ..self.manner }
            }
            _ => self.manner,
        }
    }
}

/// Bytes that the positions of one pass may take.
const MEMORY: usize = 640 << 20;

/// A position between two errands.
struct Stop<W: Word, const H: usize, const M: usize, L> {
    position: Position<W, H, M, L>,
    parent: usize,
    actions: Vec<u8>,
    ticks: u32,
}

/// The best that a search found, as the numbers of actions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Plan {
    /// The actions.
    pub actions: Vec<u8>,
    /// Do they win the map?
    pub wins: bool,
    /// Diamonds that the plan leaves missing.
    pub missing: u32,
}

/// The outer search with its memory.
pub(crate) struct Planner<W: Word, const H: usize, const M: usize, L> {
    reach: Reach<W, H, M, L>,
}

impl<W: Word, const H: usize, const M: usize, L: Luck> Planner<W, H, M, L> {
    pub(crate) fn new() -> Self {
        Self { reach: Reach::new() }
    }

    /// Positions looked at so far.
    pub(crate) fn expanded(&self) -> u64 {
        self.reach.expanded
    }

    /// One pass of the beam: a plan that wins, or the one that came farthest. The seed is that of its jitter.
    pub(crate) fn pass(
        &mut self,
        rules: &Rules,
        start: &Position<W, H, M, L>,
        pass: &Pass,
        seed: u64,
        stop: &mut dyn FnMut(u64) -> bool,
    ) -> Plan {
        let first = Stop { position: start.clone(), parent: usize::MAX, actions: Vec::new(), ticks: 0 };
        let mut search = Search { stops: vec![first], best: 0, next: Vec::new(), dice: Rng::new(seed) };
        let mut beam = vec![0];
        let mut errands = 0;
        let room = MEMORY / size_of::<Stop<W, H, M, L>>();
        while !beam.is_empty() && errands < 400 && search.stops.len() < room {
            errands += 1;
            // First with little trouble; with all of it only if that leads to too few positions.
            for pass in [pass.in_a_hurry(), *pass] {
                let mut without = Vec::new();
                for from in beam {
                    let found = search.next.len();
                    if let Some(last) = self.go_on(rules, &mut search, from, &pass, stop) {
                        return plan_of(&search.stops, last);
                    }
                    if search.next.len() == found {
                        without.push(from);
                    }
                }
                beam = without;
                if 2 * search.next.len() >= pass.width {
                    break;
                }
            }
            beam = keep(std::mem::take(&mut search.next), &search.stops, pass.width);
        }
        plan_of(&search.stops, search.best)
    }

    /// All errands from one stop. Returns the stop with which the pass ends, if it does.
    fn go_on(
        &mut self,
        rules: &Rules,
        search: &mut Search<W, H, M, L>,
        from: usize,
        pass: &Pass,
        stop: &mut dyn FnMut(u64) -> bool,
    ) -> Option<usize> {
        for errand in errands_of(&search.stops[from].position) {
            let start = &search.stops[from].position;
            for arrival in self.reach.search(rules, start, errand, &pass.manner_of(errand), stop) {
                let won = arrival.position.board.ending == Some(Ending::Won);
                search.arrive(from, arrival, pass);
                if won {
                    return Some(search.stops.len() - 1);
                }
            }
            if stop(self.reach.expanded) {
                return Some(search.best);
            }
        }
        None
    }
}

/// A pass under way.
struct Search<W: Word, const H: usize, const M: usize, L> {
    stops: Vec<Stop<W, H, M, L>>,
    /// The stop that came farthest.
    best: usize,
    /// What the stops after the next errand promise, and their numbers.
    next: Vec<(u32, usize)>,
    dice: Rng,
}

impl<W: Word, const H: usize, const M: usize, L: Luck> Search<W, H, M, L> {
    /// Notes where an errand from a stop has led.
    fn arrive(&mut self, from: usize, arrival: Arrival<W, H, M, L>, pass: &Pass) {
        let Arrival { position, actions } = arrival;
        let ticks = self.stops[from].ticks + actions.len() as u32;
        let jitter = if pass.jitter > 0 { self.dice.below(pass.jitter) } else { 0 };
        let guesses = pass.manner.caution * position.luck.guesses() / 4;
        if position.board.missing < self.stops[self.best].position.board.missing {
            self.best = self.stops.len();
        }
        let promise = ticks + Outlook::of(&position.board).ticks() + jitter + guesses;
        self.next.push((promise, self.stops.len()));
        self.stops.push(Stop { position, parent: from, actions, ticks });
    }
}

/// What to try from a position.
fn errands_of<W: Word, const H: usize, const M: usize, L>(
    position: &Position<W, H, M, L>,
) -> impl Iterator<Item = Errand> + use<W, H, M, L> {
    let board = &position.board;
    let outlook = Outlook::of(board);
    let leave = (board.missing == 0).then_some(Errand::Leave);
    let gather =
        (board.missing > 0 && outlook.easy + outlook.hard + outlook.walled > 0).then_some(Errand::Gather);
    let crush = (outlook.needs_blue()).then_some(Errand::Crush);
    let blast = outlook.needs_blast().then_some(Errand::Blast);
    [leave, gather, crush, blast].into_iter().flatten()
}

/// The most promising positions, no two alike but for their monsters.
fn keep<W: Word, const H: usize, const M: usize, L>(
    mut next: Vec<(u32, usize)>,
    stops: &[Stop<W, H, M, L>],
    width: usize,
) -> Vec<usize> {
    next.sort_unstable();
    let mut alike: FxHashMap<(u64, u16), u32> = FxHashMap::default();
    let mut kept = Vec::new();
    for (_, stop) in next {
        let board = &stops[stop].position.board;
        let count = alike.entry((board.hash, board.miner)).or_default();
        *count += 1;
        if *count <= 1 {
            kept.push(stop);
            if kept.len() == width {
                break;
            }
        }
    }
    kept
}

fn plan_of<W: Word, const H: usize, const M: usize, L>(stops: &[Stop<W, H, M, L>], last: usize) -> Plan {
    let board = &stops[last].position.board;
    let mut parts = Vec::new();
    let mut stop = last;
    while stop != usize::MAX {
        parts.push(&stops[stop].actions);
        stop = stops[stop].parent;
    }
    Plan {
        actions: parts.into_iter().rev().flatten().copied().collect(),
        wins: board.ending == Some(Ending::Won),
        missing: board.missing.into(),
    }
}
