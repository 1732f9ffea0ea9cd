//! All shortest solutions: counting, listing, and the one that moves the fewest robots.

use rustc_hash::FxHashMap;

use damier_core::grid::Cell;
use damier_kit::cancel::Deadline;

use super::bits::Bits;
use super::expand::Step;
use super::helpers::{self, Key};
use super::search::Search;
use crate::rules::Course;

/// The number of groups between two checks of the clock.
const CLOCK_GROUPS: usize = 256;

/// The positions on shortest solutions, by number of moves made.
pub struct Web<'s, 'a, const W: usize, const H: usize> {
    search: &'s Search<'a, W, H>,
    deadline: &'s Deadline,
    layers: Vec<FxHashMap<Key, Bits<W>>>,
}

impl<'s, 'a, const W: usize, const H: usize> Web<'s, 'a, W, H> {
    /// The web of a search that reached its target after `moves` moves; `None` if the deadline passes.
    pub fn new(search: &'s Search<'a, W, H>, moves: usize, deadline: &'s Deadline) -> Option<Self> {
        let mut web = Self { search, deadline, layers: vec![FxHashMap::default(); moves] };
        for made in (0..moves).rev() {
            for (number, group) in search.layer(made).iter().enumerate() {
                if number % CLOCK_GROUPS == CLOCK_GROUPS - 1 && deadline.passed() {
                    return None;
                }
                let live: Bits<W> =
                    group.cells.iter().filter(|&cell| web.leads_on(made, group.key, cell)).collect();
                if !live.is_empty() {
                    *web.layers[made].entry(group.key).or_insert(Bits::NONE) |= live;
                }
            }
        }
        Some(web)
    }

    fn leads_on(&self, made: usize, key: Key, active: Cell) -> bool {
        let steps = self.search.expander().steps(key, active);
        steps.into_iter().any(|(_, child, stop)| self.is_live(made + 1, child, stop))
    }

    /// Whether the position, after this many moves, is on a shortest solution.
    fn is_live(&self, made: usize, key: Key, active: Cell) -> bool {
        match self.layers.get(made) {
            Some(layer) => layer.get(&key).is_some_and(|cells| cells.contains(active)),
            None => self.is_goal(key, active),
        }
    }

    fn is_goal(&self, key: Key, active: Cell) -> bool {
        active == self.search.expander().task.target && helpers::course(key) == Course::Turned
    }

    fn start(&self) -> (Key, Cell) {
        let task = &self.search.expander().task;
        (helpers::pack(task.helpers, task.alike, task.course), task.active)
    }

    /// The steps of shortest solutions from a position.
    fn live_steps(
        &self,
        made: usize,
        key: Key,
        active: Cell,
    ) -> impl Iterator<Item = (Step, Key, Cell)> + '_ {
        let steps = self.search.expander().steps(key, active);
        steps.into_iter().filter(move |&(_, child, stop)| self.is_live(made + 1, child, stop))
    }

    /// The number of shortest solutions, saturating at `u64::MAX`; `None` if the deadline passes.
    pub fn count(&self) -> Option<u64> {
        let mut ways: FxHashMap<(Key, Cell), u64> = FxHashMap::default();
        ways.insert(self.start(), 1);
        for made in 0..self.layers.len() {
            let mut next = FxHashMap::default();
            for (number, ((key, active), count)) in ways.into_iter().enumerate() {
                if number % CLOCK_GROUPS == CLOCK_GROUPS - 1 && self.deadline.passed() {
                    return None;
                }
                for (_, child, stop) in self.live_steps(made, key, active) {
                    let sum: &mut u64 = next.entry((child, stop)).or_insert(0);
                    *sum = sum.saturating_add(count);
                }
            }
            ways = next;
        }
        Some(ways.values().fold(0, |all, &count| all.saturating_add(count)))
    }

    /// Passes shortest solutions to `take`, in the order of robots and directions, until it returns false or the deadline
    /// passes. `may_move` tells whether the robot that started on a cell may move; branches that move others are pruned.
    pub fn visit(&self, may_move: &dyn Fn(Cell) -> bool, take: &mut dyn FnMut(&[Step]) -> bool) {
        let task = &self.search.expander().task;
        let origins: Vec<(Cell, Cell)> =
            task.helpers.iter().chain([&task.active]).map(|&cell| (cell, cell)).collect();
        let mut visit = Visit { web: self, may_move, take, steps: Vec::new(), origins };
        let (key, active) = self.start();
        visit.from(0, key, active);
    }
}

/// A depth-first traversal of the web.
struct Visit<'v, 's, 'a, const W: usize, const H: usize> {
    web: &'v Web<'s, 'a, W, H>,
    may_move: &'v dyn Fn(Cell) -> bool,
    take: &'v mut dyn FnMut(&[Step]) -> bool,
    steps: Vec<Step>,
    /// The starting cell and the current cell of each robot.
    origins: Vec<(Cell, Cell)>,
}

impl<const W: usize, const H: usize> Visit<'_, '_, '_, W, H> {
    /// Visits the solutions from a position; returns false once `take` has enough.
    fn from(&mut self, made: usize, key: Key, active: Cell) -> bool {
        if self.web.deadline.passed() {
            return false;
        }
        if made == self.web.layers.len() {
            return !(self.take)(&self.steps);
        }
        let steps: Vec<_> = self.web.live_steps(made, key, active).collect();
        for (step, child, stop) in steps {
            let Some(robot) = self.origins.iter().position(|&(_, at)| at == step.from) else { continue };
            if !(self.may_move)(self.origins[robot].0) {
                continue;
            }
            self.origins[robot].1 = self.web.search.expander().landing(key, active, step);
            self.steps.push(step);
            let more = self.from(made + 1, child, stop);
            self.steps.pop();
            self.origins[robot].1 = step.from;
            if !more {
                return false;
            }
        }
        true
    }
}
