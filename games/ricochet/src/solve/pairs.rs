//! Sharper lower bounds from two helpers at a time, for long searches.
//!
//! [`Bounds`](super::bounds::Bounds) assumes that robots can stop anywhere until the active robot is stopped by a helper
//! for the last time. But to stop somewhere a robot needs a wall or another robot. So let `c1` be the helper that stops the
//! active robot for the last time, and consider only these two robots. If no other robot ever stops one of them, they
//! follow the exact rules of a board with two robots: `exact[r][c1]` are the cells from which the active robot arrives
//! within `r` moves. Otherwise consider the *last* time that one of the two is stopped by another helper `c2`: from then on
//! the two follow the exact rules, and before that `c2` has to reach the cell where it is needed; only before that are all
//! three assumed to stop anywhere. These are the sets `pairs[r][{c1, c2}]`, and a position with helpers `c1, c2, c3` is
//! allowed if one of its three pairs allows it.
//!
//! The sets are for boards without diagonals, on which all robots slide the same way.

use damier_core::grid::{Cell, Dir};

use super::bits::Bits;
use super::lines::Lines;
use super::rays::Rays;

/// The maximum number of cells: the sets then take about a mebibyte per level.
pub const MAX_AREA: usize = 256;

/// The sets for one target, computed level by level.
pub struct Pairs<const W: usize> {
    /// By number of remaining moves, then by pair: the result of [`level`](Self::level).
    levels: Vec<Vec<Bits<W>>>,
    /// The last level of two robots alone, by helper.
    exact: Vec<Bits<W>>,
    /// By number of moves and helper: the new cells in `exact`.
    new: Vec<Vec<Bits<W>>>,
    /// The transpose: the helpers for which a cell is new.
    new_for: Vec<Vec<Bits<W>>>,
    /// The last level of `exact`, extended by moves in which the active robot can stop anywhere.
    roaming: Vec<Bits<W>>,
    /// The previous level of `roaming`.
    roamed: Vec<Bits<W>>,
    /// By line, then helper: what its pairs with all helpers on the line add to the last level of `exact`.
    free: Vec<Bits<W>>,
}

/// The stride of lines in `free`: the helpers of one line plus a cache line, as otherwise lines would compete for the same
/// cache sets.
const fn stride(area: usize) -> usize {
    area + 2
}

/// The index of a pair of different cells.
#[inline]
pub fn pair(one: Cell, other: Cell) -> usize {
    let (low, high) = (one.min(other).index(), one.max(other).index());
    high * high.wrapping_sub(1) / 2 + low
}

impl<const W: usize> Pairs<W> {
    /// The sets for no remaining move.
    pub fn new(rays: &Rays<'_, W>, lines: &Lines<W>) -> Self {
        let area = rays.area();
        Self {
            levels: vec![Vec::new()],
            exact: vec![Bits::NONE; area],
            new: vec![vec![Bits::NONE; area]],
            new_for: vec![vec![Bits::NONE; area]],
            roaming: vec![Bits::NONE; area],
            roamed: vec![Bits::NONE; area],
            free: vec![Bits::NONE; stride(area) * lines.count()],
        }
    }

    /// The number of moves up to which the sets are computed.
    #[inline]
    pub fn moves(&self) -> usize {
        self.levels.len() - 1
    }

    /// The allowed cells of the active robot with this many remaining moves, by [`pair`] of helpers; `None` if no move
    /// remains, or more than [`moves`](Self::moves).
    pub fn level(&self, moves: usize) -> Option<&[Bits<W>]> {
        self.levels.get(moves).map(Vec::as_slice).filter(|level| !level.is_empty())
    }

    /// Computes the next level; `alone` are the cells from which walls alone lead to the target within the moves of the
    /// last one.
    pub fn add_level(&mut self, rays: &Rays<'_, W>, lines: &Lines<W>, alone: &Bits<W>) {
        let area = rays.area();
        let exact = self.next_exact(rays, lines, alone);
        let mut level = Vec::with_capacity(area * (area - 1) / 2);
        let mut free = vec![Bits::NONE; self.free.len()];
        // The contributions of the pairs of one helper with every other.
        let mut row = vec![Bits::NONE; area];
        let mut sums = vec![Bits::NONE; lines.count()];
        for helper in rays.cells() {
            self.roam_pairs(lines, helper, &mut row, &mut sums);
            self.add_stops(rays, lines, helper, &mut row);
            // No two helpers share a cell.
            row[helper.index()] = Bits::NONE;
            lines.sum(&row, &mut sums);
            for (line, &sum) in sums.iter().enumerate() {
                free[line * stride(area) + helper.index()] = sum;
            }
            let high = exact[helper.index()];
            level.extend(row[..helper.index()].iter().zip(&exact).map(|(&set, &low)| set | low | high));
        }
        self.free = free;
        self.levels.push(level);
        self.add_exact(rays, exact);
    }

    fn add_exact(&mut self, rays: &Rays<'_, W>, exact: Vec<Bits<W>>) {
        let new: Vec<Bits<W>> =
            exact.iter().zip(&self.exact).map(|(exact, last)| exact.without(*last)).collect();
        let mut new_for = vec![Bits::NONE; exact.len()];
        for (helper, new) in rays.cells().zip(&new) {
            for cell in new.iter() {
                new_for[cell.index()].insert(helper);
            }
        }
        for ((roaming, roamed), exact) in self.roaming.iter_mut().zip(&mut self.roamed).zip(&exact) {
            let last = *roaming;
            for cell in last.without(*roamed).iter() {
                *roaming |= rays.fan(0, cell).cells;
            }
            *roaming |= *exact;
            *roamed = last;
        }
        self.new.push(new);
        self.new_for.push(new_for);
        self.exact = exact;
    }

    /// One move before `exact`, on a board with two robots.
    fn next_exact(&self, rays: &Rays<'_, W>, lines: &Lines<W>, alone: &Bits<W>) -> Vec<Bits<W>> {
        let last = &self.exact;
        let next = |helper: Cell| {
            let new = self.new[self.moves()][helper.index()];
            let mut set = last[helper.index()] | lines.stopped_by(helper, &(new | *alone));
            for dir in Dir::ALL {
                let through = rays.ray(0, helper, dir.opposite()).cells;
                for stop in (new & lines.ends(dir)).iter() {
                    set |= rays.ray(0, stop, dir.opposite()).cells.without(through);
                }
                let ray = rays.ray(0, helper, dir);
                if ray.stop != helper {
                    set |= last[ray.stop.index()].without(ray.cells);
                }
                for step in rays.slides().path_in(0, helper, dir).cells.windows(2) {
                    if last[step[0].index()].contains(step[1]) {
                        set.insert(step[1]);
                    }
                }
            }
            set.remove(helper);
            set
        };
        rays.cells().map(next).collect()
    }

    /// Adds the moves in which one of two helpers can stop anywhere on its lines.
    fn roam_pairs(&self, lines: &Lines<W>, helper: Cell, row: &mut [Bits<W>], sums: &mut [Bits<W>]) {
        let stride = stride(row.len());
        let [one, other] = lines.of(helper).map(|line| &self.free[line * stride..]);
        for ((set, &one), &other) in row.iter_mut().zip(one).zip(other) {
            *set = one | other;
        }
        for (line, sum) in sums.iter_mut().enumerate() {
            *sum = self.free[line * stride + helper.index()];
        }
        lines.add_sums(sums, row);
    }

    /// Adds the moves in which the second helper stops the active robot or the first helper for the last time, and the
    /// active robot's moves before them: these do not depend on the helpers, so they are not computed pair by pair. The
    /// given helper is in turn the first and the second of its pairs.
    fn add_stops(&self, rays: &Rays<'_, W>, lines: &Lines<W>, helper: Cell, row: &mut [Bits<W>]) {
        for (back, stopped) in lines.stopped().iter().enumerate().take(self.new.len()) {
            let moves = self.moves() - back;
            for stop in self.new[moves][helper.index()].iter() {
                for dir in Dir::ALL {
                    if let Some(second) = lines.beside(stop, dir) {
                        row[second.index()] |= stopped[second.index() * 4 + dir.index()];
                    }
                }
            }
            for dir in Dir::ALL {
                if let Some(stop) = lines.beside(helper, dir.opposite()) {
                    let set = stopped[helper.index() * 4 + dir.index()];
                    for first in self.new_for[moves][stop.index()].iter() {
                        row[first.index()] |= set;
                    }
                }
            }
        }
        for dir in Dir::ALL {
            for step in rays.slides().path_in(0, helper, dir).cells.windows(2) {
                row[step[1].index()] |= self.roaming[step[0].index()];
            }
            if let Some(stop) = lines.beside(helper, dir) {
                for first in rays.slides().path_in(0, stop, dir).cells {
                    row[first.index()] |= self.roaming[stop.index()];
                }
            }
        }
    }

    /// The memory used, in bytes.
    pub fn memory(&self) -> usize {
        self.levels.iter().chain([&self.free]).map(|sets| size_of_val(sets.as_slice())).sum()
    }
}
