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

use damier_core::grid::{Cell, Dir};

use super::bits::Bits;
use super::rays::Rays;

/// The most cells a board may have: the sets take about a mebibyte a level then.
pub const MAX_AREA: usize = 256;

/// The sets for one target, worked out level by level.
pub struct Pairs<const W: usize> {
    geometry: Geometry<W>,
    /// By number of moves left, then by pair: what [`level`](Self::level) answers.
    levels: Vec<Vec<Bits<W>>>,
    /// By number of moves and helper.
    exact: Vec<Vec<Bits<W>>>,
    /// The last two levels of what pairs add to `exact`.
    older: Vec<Bits<W>>,
    last: Vec<Bits<W>>,
    /// By helper and line, for working out a level.
    along_of: Vec<Bits<W>>,
    /// The same by line and helper.
    along_on: Vec<Bits<W>>,
}

/// Slides turned round: from where does one come to a cell?
struct Geometry<const W: usize> {
    area: usize,
    /// The two lines (a row and a column between walls) through each cell.
    lines: Vec<[usize; 2]>,
    line_count: usize,
    /// For every cell, the cells on its two lines.
    reach: Vec<Bits<W>>,
    /// By cell and direction: who stops there, coming in this direction, because of a wall?
    arrivals: Vec<Bits<W>>,
    /// By cell and direction: who comes through or to it in this direction?
    through: Vec<Bits<W>>,
}

impl<const W: usize> Geometry<W> {
    fn new(rays: &Rays<'_, W>) -> Self {
        let area = rays.area();
        let mut geometry = Self {
            area,
            lines: vec![[usize::MAX; 2]; area],
            line_count: 0,
            reach: vec![Bits::NONE; area],
            arrivals: vec![Bits::NONE; area * 4],
            through: vec![Bits::NONE; area * 4],
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
            for (axis, [one, other]) in
                [[Dir::West, Dir::East], [Dir::North, Dir::South]].into_iter().enumerate()
            {
                if geometry.lines[cell.index()][axis] == usize::MAX {
                    let line =
                        rays.ray(0, cell, one).cells | rays.ray(0, cell, other).cells | Bits::one(cell);
                    for on in line.iter() {
                        geometry.lines[on.index()][axis] = geometry.line_count;
                    }
                    geometry.line_count += 1;
                }
            }
        }
        geometry
    }

    /// From where does the active robot slide so that a robot on `blocker` stops it on one of `stops`?
    fn stopped_by(&self, rays: &Rays<'_, W>, blocker: Cell, stops: &Bits<W>) -> Bits<W> {
        Dir::ALL.into_iter().fold(Bits::NONE, |all, dir| {
            // Who comes to the cell before the blocker and would go on comes through the blocker's cell.
            match neighbour(rays, blocker, dir.opposite()) {
                Some(stop) if stops.contains(stop) => all | self.through_before(blocker, stop, dir),
                _ => all,
            }
        })
    }

    /// Who slides in a direction through `stop`, then `blocker`, and is not on `stop` already?
    #[inline]
    fn through_before(&self, blocker: Cell, stop: Cell, dir: Dir) -> Bits<W> {
        let mut from = self.through[blocker.index() * 4 + dir.index()];
        from.remove(stop);
        from
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

/// The places of the pairs of a cell with all cells before it.
fn row(high: usize) -> std::ops::Range<usize> {
    let begin = high * high.saturating_sub(1) / 2;
    begin..begin + high
}

impl<const W: usize> Pairs<W> {
    /// The sets for no move left.
    pub fn new(rays: &Rays<'_, W>) -> Self {
        let area = rays.area();
        let none = vec![Bits::NONE; area * (area - 1) / 2];
        let geometry = Geometry::new(rays);
        Self {
            along_of: vec![Bits::NONE; geometry.line_count * area],
            along_on: vec![Bits::NONE; geometry.line_count * area],
            geometry,
            levels: vec![none.clone()],
            exact: vec![vec![Bits::NONE; area]],
            older: none.clone(),
            last: none,
        }
    }

    /// The number of moves up to which the sets are worked out.
    #[inline]
    pub fn moves(&self) -> usize {
        self.levels.len() - 1
    }

    /// The cells worth having for the active robot with so many moves left, by [`pair`] of helpers; nothing if there are
    /// more moves than [`moves`](Self::moves).
    pub fn level(&self, moves: usize) -> Option<&[Bits<W>]> {
        self.levels.get(moves).map(Vec::as_slice)
    }

    /// Works out the next level; `alone` are the cells from which walls alone lead to the target within the moves of the
    /// last one.
    pub fn add_level(&mut self, rays: &Rays<'_, W>, alone: &Bits<W>) {
        let exact = self.next_exact(rays, alone);
        self.find_free_moves();
        // What was newest becomes older, and the oldest sets have made room for the next.
        std::mem::swap(&mut self.older, &mut self.last);
        self.add_stops(rays);
        let level = self.add_free_moves(&exact);
        self.levels.push(level);
        self.exact.push(exact);
    }

    /// What was new in the last level of `exact` for this helper.
    fn newly_exact(&self, helper: Cell) -> Bits<W> {
        let [.., older, last] = self.exact.as_slice() else { return Bits::NONE };
        last[helper.index()].without(older[helper.index()])
    }

    /// One move before `exact`, on a board with two robots.
    fn next_exact(&self, rays: &Rays<'_, W>, alone: &Bits<W>) -> Vec<Bits<W>> {
        let last = &self.exact[self.exact.len() - 1];
        let next = |helper: Cell| {
            let mut set = last[helper.index()] | self.geometry.stopped_by(rays, helper, alone);
            let new = self.newly_exact(helper);
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

    /// The moves by which any of the three robots goes wherever it likes on its lines, to what the last level newly has:
    /// notes for every line and helper what pairs of that helper with one on that line have, and puts into `older` what
    /// pairs have at last and by moves of the active robot.
    fn find_free_moves(&mut self) {
        let Geometry { area, lines, line_count, reach, .. } = &self.geometry;
        self.along_of.fill(Bits::NONE);
        self.along_on.fill(Bits::NONE);
        let (mut known, mut reached) = (Bits::NONE, Bits::NONE);
        for high in 0..*area {
            let row = row(high);
            let of_high = &mut self.along_of[high * line_count..][..*line_count];
            for (low, (last, older)) in self.last[row.clone()].iter().zip(&mut self.older[row]).enumerate() {
                let new = last.without(*older);
                *older = *last;
                if new.is_empty() {
                    continue;
                }
                for line in lines[low] {
                    of_high[line] |= new;
                }
                for line in lines[high] {
                    self.along_on[line * area + low] |= new;
                }
                // Neighbouring pairs often have the same cells.
                if new != known {
                    known = new;
                    reached = new.iter().fold(Bits::NONE, |all, cell| all | reach[cell.index()]);
                }
                *older |= reached;
            }
        }
        for helper in 0..*area {
            for line in 0..*line_count {
                let (of, on) = (helper * line_count + line, line * area + helper);
                let both = self.along_of[of] | self.along_on[on];
                self.along_of[of] = both;
                self.along_on[on] = both;
            }
        }
    }

    /// Adds the moves of the helpers that were noted, and returns the level with what is `exact`.
    fn add_free_moves(&mut self, exact: &[Bits<W>]) -> Vec<Bits<W>> {
        let Geometry { area, lines, line_count, .. } = &self.geometry;
        let mut level = Vec::with_capacity(self.last.len());
        for high in 0..*area {
            let of_high = &self.along_of[high * line_count..][..*line_count];
            let [one, other] = lines[high].map(|line| &self.along_on[line * area..][..*area]);
            for (low, set) in self.last[row(high)].iter_mut().enumerate() {
                let [across, along] = lines[low];
                *set = *set | of_high[across] | of_high[along] | one[low] | other[low];
                level.push(*set | exact[low] | exact[high]);
            }
        }
        level
    }

    /// Adds the moves by which one of the two robots is stopped by the second helper for the last time.
    fn add_stops(&mut self, rays: &Rays<'_, W>) {
        for helper in cells(self.geometry.area) {
            for stop in self.newly_exact(helper).iter() {
                for dir in Dir::ALL {
                    if let Some(second) = neighbour(rays, stop, dir).filter(|&second| second != helper) {
                        self.last[pair(helper, second)] |= self.geometry.through_before(second, stop, dir);
                    }
                }
            }
            for dir in Dir::ALL {
                for step in rays.slides().path_in(0, helper, dir).cells.windows(2) {
                    let exact = self.exact[self.exact.len() - 1][step[0].index()];
                    self.last[pair(helper, step[1])] |= exact;
                }
            }
        }
    }

    /// The memory it takes, in bytes.
    pub fn memory(&self) -> usize {
        (self.levels.len() + 2) * self.last.len() * size_of::<Bits<W>>()
    }
}
