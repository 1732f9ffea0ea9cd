//! Orders of gold: how far it is over all gold that lies somewhere and from the last piece to the top.
//!
//! Distances are one-way, so an order that leaves a piece behind a drop without a way back is long. The orders of a few
//! pieces are exact, those of many are improved step by step. A tour is kept for each set of gold.

use rustc_hash::FxHashMap;

use super::ways::{FAR, Ways, carriers};
use crate::classic::State;
use crate::classic::board::Cell;

/// Steps that it takes to get gold from a guard that carries it, and to walk there.
const FROM_A_GUARD: u32 = 20;
/// A way that the runner cannot go alone counts so much: a guard may bring the gold, or be a bridge. Longer than any
/// number of steps, so that orders avoid it.
const IMPOSSIBLE: u32 = 1 << 16;
/// So many pieces are ordered exactly.
const MOST_EXACT: usize = 9;
/// Of so many pieces every order is improved that begins with the nearest ones; of more only the best few.
const MOST_IMPROVED: usize = 14;
/// Orders of many pieces that are improved.
const SAMPLES: usize = 3;

/// Tours over sets of gold, found once each.
#[derive(Debug, Default)]
pub struct Tours {
    numbers: FxHashMap<u64, u32>,
    tours: Vec<Tour>,
}

/// A set of gold.
#[derive(Debug)]
struct Tour {
    /// Each piece, with the length of the best order that begins with it.
    starts: Vec<(Cell, u32)>,
    /// The length of a tree over all pieces, and from it to the top.
    tree: u32,
}

/// The number of a tour.
pub type TourNumber = u32;

impl Tours {
    /// The tour over the gold that lies somewhere.
    pub fn number(&mut self, ways: &Ways, state: &State) -> TourNumber {
        let key = state.gold_hash();
        if let Some(&number) = self.numbers.get(&key) {
            return number;
        }
        let gold: Vec<Cell> = state.gold().collect();
        let order = Order::over(ways, &gold);
        let (tree, lengths) = (order.tree(), order.all_starts());
        self.tours.push(Tour { starts: gold.into_iter().zip(lengths).collect(), tree });
        let number = self.tours.len() as u32 - 1;
        self.numbers.insert(key, number);
        number
    }

    /// What is left: the way to a first piece of gold, over the rest, and to the top. Nothing if the game cannot be won any
    /// more.
    pub fn left(&self, ways: &Ways, number: TourNumber, state: &State) -> Option<Left> {
        let from = state.runner.cell;
        let out = ways.to_top(from);
        if state.gold_left() == 0 || out >= FAR {
            return (out < FAR).then(|| Left::new(out.into(), 0));
        }
        let Tour { starts, tree } = &self.tours[number as usize];
        let carried = carriers(state).count() as u32;
        if starts.is_empty() {
            let nearest = carriers(state).map(|guard| steps(ways.between(from, guard))).min().unwrap_or(0);
            let length = nearest + u32::from(out);
            return Some(Left { greedy: length, ..Left::new(length, carried) });
        }
        let first = |&(gold, then): &(Cell, u32)| steps(ways.between(from, gold)) + then;
        let length = starts.iter().map(first).min().expect("some gold lies there");
        let nearest = starts.iter().map(|&(gold, _)| steps(ways.between(from, gold))).min().unwrap_or(0);
        let alone = state.guards().is_empty();
        (!alone || length < IMPOSSIBLE).then(|| Left { greedy: nearest + tree, ..Left::new(length, carried) })
    }
}

/// What is left of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Left {
    /// Steps that the runner goes alone.
    pub alone: u32,
    /// Ways that the runner cannot go alone.
    pub impossible: u32,
    /// Steps to the nearest gold, and of a tree over all gold: does not insist on an order.
    greedy: u32,
    /// Pieces of gold that guards carry.
    carried: u32,
}

impl Left {
    fn new(length: u32, carried: u32) -> Self {
        let (alone, impossible) = (length % IMPOSSIBLE, length / IMPOSSIBLE);
        Self { alone, impossible, greedy: length, carried }
    }

    /// All steps, if a way that needs a guard counts so many.
    pub fn steps(self, with_a_guard: u32) -> u32 {
        self.alone + self.impossible * with_a_guard + self.carried * FROM_A_GUARD
    }

    /// The same without an order.
    pub fn greedy_steps(self, with_a_guard: u32) -> u32 {
        let (alone, impossible) = (self.greedy % IMPOSSIBLE, self.greedy / IMPOSSIBLE);
        alone + impossible * with_a_guard + self.carried * FROM_A_GUARD
    }
}

/// The length of a way.
fn steps(way: u16) -> u32 {
    if way >= FAR { IMPOSSIBLE } else { way.into() }
}

/// An order problem: steps from each piece to each other, and from each to the top.
pub(super) struct Order {
    count: usize,
    between: Vec<u32>,
    out: Vec<u32>,
}

impl Order {
    /// What it takes from each piece to each other, row by row, and from each to the top.
    pub(super) fn new(between: Vec<u32>, out: Vec<u32>) -> Self {
        Self { count: out.len(), between, out }
    }

    fn over(ways: &Ways, gold: &[Cell]) -> Self {
        let leg = |from: &Cell, to: &Cell| steps(ways.between(*from, *to));
        let between = gold.iter().flat_map(|from| gold.iter().map(move |to| leg(from, to))).collect();
        Self::new(between, gold.iter().map(|&from| steps(ways.to_top(from))).collect())
    }

    /// What the shortest order takes at least, if the way to each piece from the start takes so much.
    pub(super) fn shortest(&self, first: &[u32]) -> u32 {
        let nearest = first.iter().copied().min().unwrap_or(0);
        if self.count > MOST_EXACT {
            return nearest.saturating_add(self.tree());
        }
        let orders = first.iter().zip(self.exact()).map(|(first, then)| first + then);
        orders.min().unwrap_or(0)
    }

    fn step(&self, from: usize, to: usize) -> u32 {
        self.between[from * self.count + to]
    }

    /// The length of a shortest tree over all pieces, whichever way each leg goes, and from it to the top.
    fn tree(&self) -> u32 {
        let mut apart: Vec<(usize, u32)> = (1..self.count).map(|piece| (piece, u32::MAX)).collect();
        let mut length = self.out.iter().copied().min().unwrap_or(0);
        let mut last = 0;
        while !apart.is_empty() {
            for (piece, distance) in &mut apart {
                *distance = (*distance).min(self.step(last, *piece)).min(self.step(*piece, last));
            }
            let nearest = (0..apart.len()).min_by_key(|&index| apart[index].1).unwrap_or(0);
            let (piece, distance) = apart.swap_remove(nearest);
            (length, last) = (length.saturating_add(distance), piece);
        }
        length
    }

    /// For each piece: the steps from there over all others to the top.
    fn all_starts(&self) -> Vec<u32> {
        if self.count <= MOST_EXACT {
            return self.exact();
        }
        if self.count <= MOST_IMPROVED {
            let improved = |start| self.length(&self.improved(self.nearest_first(start)));
            return (0..self.count).map(improved).collect();
        }
        let mut orders: Vec<Vec<usize>> = (0..self.count).map(|start| self.nearest_first(start)).collect();
        orders.sort_by_cached_key(|order| self.length(order));
        orders.truncate(SAMPLES);
        let orders: Vec<Vec<usize>> = orders.into_iter().map(|order| self.improved(order)).collect();
        let first = |start| orders.iter().map(|order| self.with_first(order, start)).min();
        (0..self.count).map(|start| first(start).expect("there are orders")).collect()
    }

    /// The length of an order with a piece taken first.
    fn with_first(&self, order: &[usize], start: usize) -> u32 {
        let rest: Vec<usize> = order.iter().copied().filter(|&piece| piece != start).collect();
        self.step(start, rest[0]) + self.length(&rest)
    }

    /// Dynamic programming over sets of pieces still to take.
    fn exact(&self) -> Vec<u32> {
        let sets = 1usize << self.count;
        let mut best = vec![u32::MAX; sets * self.count.max(1)];
        for set in 0..sets {
            for at in (0..self.count).filter(|&at| set >> at & 1 == 0) {
                let next = (0..self.count).filter(|next| set >> next & 1 == 1);
                let steps = next
                    .map(|next| self.step(at, next) + best[(set & !(1 << next)) * self.count + next])
                    .min();
                best[set * self.count + at] = steps.unwrap_or(self.out[at]);
            }
        }
        (0..self.count).map(|start| best[((sets - 1) & !(1 << start)) * self.count + start]).collect()
    }

    fn nearest_first(&self, start: usize) -> Vec<usize> {
        let mut left: Vec<usize> = (0..self.count).filter(|&piece| piece != start).collect();
        let mut order = vec![start];
        while !left.is_empty() {
            let last = order[order.len() - 1];
            let nearest = (0..left.len()).min_by_key(|&index| self.step(last, left[index])).unwrap_or(0);
            order.push(left.swap_remove(nearest));
        }
        order
    }

    fn length(&self, order: &[usize]) -> u32 {
        let steps: u32 = order.windows(2).map(|pair| self.step(pair[0], pair[1])).sum();
        steps + self.out[order[order.len() - 1]]
    }

    /// Moves runs of one to three pieces elsewhere as long as that is shorter.
    fn improved(&self, mut order: Vec<usize>) -> Vec<usize> {
        let mut length = self.length(&order);
        for _ in 0..3 {
            let before = length;
            for run in 1..=3usize {
                for from in 1..order.len().saturating_sub(run - 1) {
                    let mut rest = order.clone();
                    let moved: Vec<usize> = rest.drain(from..from + run).collect();
                    if let Some((at, shorter)) = self.best_place(&rest, &moved, length) {
                        rest.splice(at..at, moved);
                        (order, length) = (rest, shorter);
                    }
                }
            }
            if length == before {
                break;
            }
        }
        order
    }

    /// Where a run of pieces makes the order shorter than before, if anywhere.
    fn best_place(&self, rest: &[usize], moved: &[usize], before: u32) -> Option<(usize, u32)> {
        let (first, last) = (moved[0], moved[moved.len() - 1]);
        let inside: u32 = moved.windows(2).map(|pair| self.step(pair[0], pair[1])).sum();
        let alone = self.length(rest) + inside;
        let cost = |at: usize| {
            let entered = self.step(rest[at - 1], first);
            match rest.get(at) {
                Some(&next) => alone + entered + self.step(last, next) - self.step(rest[at - 1], next),
                None => alone + entered + self.out[last] - self.out[rest[at - 1]],
            }
        };
        (1..=rest.len())
            .map(|at| (at, cost(at)))
            .filter(|&(_, cost)| cost < before)
            .min_by_key(|&(_, cost)| cost)
    }
}
