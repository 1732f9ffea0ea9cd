//! Sharper lower bounds from two helpers at a time, for searches that turn out to be long.
//!
//! [`Bounds`](super::bounds::Bounds) imagines that robots stop wherever they like until the active robot is stopped by a
//! helper for the last time. But to stop somewhere a robot needs a wall or another robot there. So let `c1` be the helper
//! that stops the active robot for the last time, and look at these two robots alone. If nobody else ever stops either of
//! them, they follow the exact rules of a board with two robots: `exact[r][c1]` are the cells from which the active robot
//! arrives within `r` moves. Otherwise consider the *last* time that one of the two is stopped by another helper `c2`:
//! from then on the two follow the exact rules, and before that `c2` has to get to where it is needed; only before that
//! are all three imagined to stop wherever they like. These are the sets of `pairs[r][{c1, c2}]`, and a position with
//! helpers `c1, c2, c3` is worth having if one of its three pairs says so.
//!
//! The sets hold for boards without diagonals, on which all robots slide alike.

use std::ops::Range;

use damier_core::grid::{Cell, Dir};

use super::bits::Bits;
use super::rays::Rays;

/// The most cells a board may have: the sets take about a mebibyte a level then.
pub const MAX_AREA: usize = 256;

/// How many helpers' sets are joined at a time.
const BLOCK: usize = 16;

/// The sets for one target, worked out level by level.
pub struct Pairs<const W: usize> {
    geometry: Geometry<W>,
    /// By number of moves left, then by pair: what [`level`](Self::level) answers. Nothing is kept for no move left.
    levels: Vec<Vec<Bits<W>>>,
    /// By number of moves and helper.
    exact: Vec<Vec<Bits<W>>>,
    /// The last level of `exact` with the moves by which the active robot then goes wherever it likes.
    roaming: Vec<Bits<W>>,
    /// What pairs add to the last level of `exact`, by helper and helper.
    free: Vec<Bits<W>>,
}

/// Slides turned round: from where does one come to a cell?
struct Geometry<const W: usize> {
    area: usize,
    /// The parts of rows between walls.
    rows: Vec<Range<usize>>,
    /// The parts of columns between walls.
    columns: Vec<Vec<Cell>>,
    /// For every cell, the cells on its two lines.
    reach: Vec<Bits<W>>,
    /// By cell and direction: who stops there, coming in this direction, because of a wall?
    arrivals: Vec<Bits<W>>,
    /// By cell and direction: who comes through or to it in this direction?
    through: Vec<Bits<W>>,
    /// By cell and direction: who slides through the cell before it, then it, and is not before it already? First as it
    /// is, then after one more move by which the active robot goes wherever it likes, and so on as far as that differs.
    stopped: Vec<Vec<Bits<W>>>,
}

impl<const W: usize> Geometry<W> {
    fn new(rays: &Rays<'_, W>) -> Self {
        let area = rays.area();
        let mut geometry = Self {
            area,
            rows: Vec::new(),
            columns: Vec::new(),
            reach: vec![Bits::NONE; area],
            arrivals: vec![Bits::NONE; area * 4],
            through: vec![Bits::NONE; area * 4],
            stopped: Vec::new(),
        };
        for cell in cells(area) {
            for dir in Dir::ALL {
                let ray = rays.ray(0, cell, dir);
                geometry.reach[cell.index()] |= ray.cells;
                if ray.stop != cell {
                    geometry.arrivals[ray.stop.index() * 4 + dir.index()].insert(cell);
                }
                for passed in ray.cells.iter() {
                    geometry.through[passed.index() * 4 + dir.index()].insert(cell);
                }
            }
            let rest = |dir: Dir| rays.slides().path_in(0, cell, dir).cells;
            if rest(Dir::West).is_empty() {
                geometry.rows.push(cell.index()..cell.index() + 1 + rest(Dir::East).len());
            }
            if rest(Dir::North).is_empty() {
                geometry.columns.push([cell].iter().chain(rest(Dir::South)).copied().collect());
            }
        }
        geometry.find_stopped(rays);
        geometry
    }

    fn find_stopped(&mut self, rays: &Rays<'_, W>) {
        let mut last = self.through.clone();
        for cell in cells(self.area) {
            for dir in Dir::ALL {
                if let Some(before) = neighbour(rays, cell, dir.opposite()) {
                    last[cell.index() * 4 + dir.index()].remove(before);
                }
            }
        }
        let mut older = vec![Bits::NONE; last.len()];
        while older != last {
            let next = older.iter().zip(&last).map(|(older, last)| self.roam(*older, *last)).collect();
            older = std::mem::replace(&mut last, next);
            self.stopped.push(older.clone());
        }
    }

    /// Adds the moves to `last` by which the active robot goes wherever it likes on its lines; those to `older` are there.
    fn roam(&self, older: Bits<W>, last: Bits<W>) -> Bits<W> {
        last.without(older).iter().fold(last, |all, cell| all | self.reach[cell.index()])
    }

    /// From where does the active robot slide so that a robot on `blocker` stops it on one of `stops`?
    fn stopped_by(&self, rays: &Rays<'_, W>, blocker: Cell, stops: &Bits<W>) -> Bits<W> {
        Dir::ALL.into_iter().fold(Bits::NONE, |all, dir| {
            // Who comes to the cell before the blocker and would go on comes through the blocker's cell.
            match neighbour(rays, blocker, dir.opposite()) {
                Some(stop) if stops.contains(stop) => {
                    all | self.stopped[0][blocker.index() * 4 + dir.index()]
                }
                _ => all,
            }
        })
    }
}

fn cells(area: usize) -> impl Iterator<Item = Cell> {
    (0..area as u16).map(Cell)
}

/// The next cell in a direction if no wall is between.
fn neighbour<const W: usize>(rays: &Rays<'_, W>, cell: Cell, dir: Dir) -> Option<Cell> {
    rays.slides().path_in(0, cell, dir).cells.first().copied()
}

/// The place of a pair of different cells among all pairs.
#[inline]
pub fn pair(one: Cell, other: Cell) -> usize {
    let (low, high) = (one.min(other).index(), one.max(other).index());
    high * high.wrapping_sub(1) / 2 + low
}

/// What is new in `exact` for a helper with so many moves left.
fn newly<const W: usize>(exact: &[Vec<Bits<W>>], helper: Cell, moves: usize) -> Bits<W> {
    let older = moves.checked_sub(1).map_or(Bits::NONE, |moves| exact[moves][helper.index()]);
    exact[moves][helper.index()].without(older)
}

impl<const W: usize> Pairs<W> {
    /// The sets for no move left.
    pub fn new(rays: &Rays<'_, W>) -> Self {
        let area = rays.area();
        Self {
            geometry: Geometry::new(rays),
            levels: vec![Vec::new()],
            exact: vec![vec![Bits::NONE; area]],
            roaming: vec![Bits::NONE; area],
            free: vec![Bits::NONE; area * area],
        }
    }

    /// The number of moves up to which the sets are worked out.
    #[inline]
    pub fn moves(&self) -> usize {
        self.levels.len() - 1
    }

    /// The cells worth having for the active robot with so many moves left, by [`pair`] of helpers; nothing if there is
    /// no move left or there are more than [`moves`](Self::moves).
    pub fn level(&self, moves: usize) -> Option<&[Bits<W>]> {
        self.levels.get(moves).map(Vec::as_slice).filter(|level| !level.is_empty())
    }

    /// Works out the next level; `alone` are the cells from which walls alone lead to the target within the moves of the
    /// last one.
    pub fn add_level(&mut self, rays: &Rays<'_, W>, alone: &Bits<W>) {
        let exact = self.next_exact(rays, alone);
        self.move_second();
        self.add_stops(rays);
        let level = self.join(&exact);
        self.levels.push(level);
        self.exact.push(exact);
        for (roaming, exact) in self.roaming.iter_mut().zip(&self.exact[self.levels.len() - 1]) {
            *roaming = self.geometry.roam(Bits::NONE, *roaming) | *exact;
        }
    }

    /// One move before `exact`, on a board with two robots.
    fn next_exact(&self, rays: &Rays<'_, W>, alone: &Bits<W>) -> Vec<Bits<W>> {
        let last = &self.exact[self.exact.len() - 1];
        let next = |helper: Cell| {
            let mut set = last[helper.index()] | self.geometry.stopped_by(rays, helper, alone);
            let new = newly(&self.exact, helper, self.moves());
            set |= self.geometry.stopped_by(rays, helper, &new);
            for stop in new.iter() {
                for dir in 0..4 {
                    let blocked = self.geometry.through[helper.index() * 4 + dir];
                    set |= self.geometry.arrivals[stop.index() * 4 + dir].without(blocked);
                }
            }
            for dir in Dir::ALL {
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
        cells(self.geometry.area).map(next).collect()
    }

    /// The moves by which the second of two helpers goes wherever it likes on its lines.
    fn move_second(&mut self) {
        let area = self.geometry.area;
        let mut last = vec![Bits::NONE; area];
        for free in self.free.chunks_exact_mut(area) {
            if free.iter().all(Bits::is_empty) {
                continue;
            }
            last.copy_from_slice(free);
            for row in &self.geometry.rows {
                let all = last[row.clone()].iter().fold(Bits::NONE, |all, &set| all | set);
                free[row.clone()].fill(all);
            }
            for column in &self.geometry.columns {
                let all = column.iter().fold(Bits::NONE, |all, cell| all | last[cell.index()]);
                for cell in column {
                    free[cell.index()] |= all;
                }
            }
        }
    }

    /// Adds the moves by which one of the two robots is stopped by the second helper for the last time, and before them
    /// those of the active robot: it goes its way wherever the helpers are, so that these need not be found pair by pair.
    fn add_stops(&mut self, rays: &Rays<'_, W>) {
        let area = self.geometry.area;
        for helper in cells(area) {
            let free = &mut self.free[helper.index() * area..][..area];
            for (stopped, moves) in self.geometry.stopped.iter().zip((0..self.exact.len()).rev()) {
                for stop in newly(&self.exact, helper, moves).iter() {
                    for dir in Dir::ALL {
                        if let Some(second) = neighbour(rays, stop, dir).filter(|&second| second != helper) {
                            free[second.index()] |= stopped[second.index() * 4 + dir.index()];
                        }
                    }
                }
            }
            for dir in Dir::ALL {
                for step in rays.slides().path_in(0, helper, dir).cells.windows(2) {
                    free[step[1].index()] |= self.roaming[step[0].index()];
                }
            }
        }
    }

    /// Puts together what moves of either helper add, and returns the level with what is `exact`.
    fn join(&mut self, exact: &[Bits<W>]) -> Vec<Bits<W>> {
        let area = self.geometry.area;
        // Block by block: the sets of a column lie far apart, those of a few columns are fetched together.
        for begin in (0..area).step_by(BLOCK) {
            let end = area.min(begin + BLOCK);
            for low in 0..end {
                for high in begin.max(low + 1)..end {
                    let set = self.free[high * area + low] | self.free[low * area + high];
                    self.free[high * area + low] = set;
                    self.free[low * area + high] = set;
                }
            }
        }
        let mut level = Vec::with_capacity(area * (area - 1) / 2);
        for (high, row) in self.free.chunks_exact_mut(area).enumerate() {
            // No two helpers share a cell.
            row[high] = Bits::NONE;
            level.extend(row[..high].iter().zip(exact).map(|(&set, &low)| set | low | exact[high]));
        }
        level
    }

    /// The memory it takes, in bytes.
    pub fn memory(&self) -> usize {
        self.levels.iter().chain([&self.free]).map(|sets| size_of_val(sets.as_slice())).sum()
    }
}
