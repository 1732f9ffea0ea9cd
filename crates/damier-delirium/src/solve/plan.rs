//! The outer search: a beam over what is gathered next.
//!
//! Each step of a plan is an errand of the inner search: the next diamond, the next blue monster crushed, the exit. Of all
//! positions after so many errands the most promising ones are kept.

use damier_core::random::{Chance, Rng};
use rustc_hash::FxHashMap;

use super::outlook::Outlook;
use super::reach::{Errand, Luck, Manner, Position, Reach};
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

impl Pass {
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

    /// One pass of the beam: a plan that wins, or the one that came farthest.
    pub(crate) fn pass(
        &mut self,
        rules: &Rules,
        start: &Position<W, H, M, L>,
        pass: &Pass,
        dice: &mut Rng,
        stop: &mut dyn FnMut(u64) -> bool,
    ) -> Plan {
        let first = Stop { position: start.clone(), parent: usize::MAX, actions: Vec::new(), ticks: 0 };
        let mut stops = vec![first];
        let mut beam = vec![0];
        let mut best = 0;
        let mut errands = 0;
        while !beam.is_empty() && errands < 400 {
            errands += 1;
            let mut next: Vec<(u32, usize)> = Vec::new();
            for &from in &beam {
                for errand in errands_of(&stops[from].position) {
                    let arrivals = self.reach.search(
                        rules,
                        &stops[from].position,
                        errand,
                        &pass.manner_of(errand),
                        stop,
                    );
                    for arrival in arrivals {
                        let ticks = stops[from].ticks + arrival.actions.len() as u32;
                        let to = Stop {
                            position: arrival.position,
                            parent: from,
                            actions: arrival.actions,
                            ticks,
                        };
                        if to.position.board.ending == Some(Ending::Won) {
                            stops.push(to);
                            return plan_of(&stops, stops.len() - 1);
                        }
                        let outlook = Outlook::of(&to.position.board);
                        if outlook.is_lost() {
                            continue;
                        }
                        let jitter = if pass.jitter > 0 { dice.below(pass.jitter) } else { 0 };
                        let guesses = pass.manner.caution * to.position.luck.guesses() / 4;
                        if to.position.board.missing < stops[best].position.board.missing {
                            best = stops.len();
                        }
                        next.push((ticks + outlook.ticks() + jitter + guesses, stops.len()));
                        stops.push(to);
                    }
                    if stop(self.reach.expanded) {
                        return plan_of(&stops, best);
                    }
                }
            }
            beam = keep(next, &stops, pass.width);
        }
        plan_of(&stops, best)
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
