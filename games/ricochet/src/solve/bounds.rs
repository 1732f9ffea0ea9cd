//! Lower bounds, as sets of cells from which the active robot may still reach the target within a number of moves.
//!
//! There are two cases. Either the active robot reaches the target by slides that only walls stop; the cells from which
//! that takes at most `r` moves are `alone[r]`. Or some slide on its path is stopped by a helper. Consider the *last* such
//! slide: a helper is on a cell `b`, the active robot stops before it on `x`, and continues from `x` alone. So the
//! remaining moves are at least those that bring a helper to `b`, those that bring the active robot onto the line that
//! ends at `x`, one for that slide, and those from `x` alone, assuming that both robots can stop anywhere. The cells from
//! which that takes at most `r` moves with a helper that is now on `c` are `helped[r][c]`.
//!
//! For a position with helpers on `c1, c2, c3` the allowed cells of the active robot with `r` remaining moves are
//! therefore `alone[r] | helped[r][c1] | helped[r][c2] | helped[r][c3]`. The bound is admissible and consistent: one move
//! changes it by at most one.

use damier_core::grid::{Cell, Dir};

use super::bits::Bits;
use super::helpers::Helpers;
use super::lines::Lines;
use super::pairs::{self, Pairs};
use super::rays::Rays;

/// The sets for one target, computed level by level on demand.
pub struct Bounds<const W: usize, const H: usize> {
    active: usize,
    /// The slide table of each kind of helper.
    kinds: Vec<usize>,
    /// The kind of each helper.
    kind_of: [usize; H],
    levels: Vec<Level<W>>,
    area: usize,
    ways: Ways<W>,
    saturated: bool,
    /// Sharper bounds, once they are requested.
    pairs: Option<Pairs<W>>,
    /// The number of moves up to which they are requested.
    sharp_moves: usize,
}

/// The moves of robots that can stop anywhere.
enum Ways<const W: usize> {
    /// On a board without diagonals: along its lines.
    Lines(Lines<W>),
    /// On a board with diagonals: for every cell, the cells from which the active robot reaches it in one move.
    Turns(Vec<Bits<W>>),
}

fn before<const W: usize>(rays: &Rays<'_, W>, active: usize) -> Vec<Bits<W>> {
    let mut before = vec![Bits::NONE; rays.area()];
    for cell in rays.cells() {
        for reached in rays.fan(active, cell).cells.iter() {
            before[reached.index()].insert(cell);
        }
    }
    before
}

struct Level<const W: usize> {
    alone: Bits<W>,
    /// By kind of helper and cell.
    helped: Vec<Bits<W>>,
}

impl<const W: usize, const H: usize> Bounds<W, H> {
    /// The bounds for an active robot with slide table `active` and helpers with slide `tables`.
    pub fn new(rays: &Rays<'_, W>, target: Cell, active: usize, tables: &[usize; H]) -> Self {
        let mut kinds: Vec<usize> = Vec::with_capacity(H);
        let kind_of = tables.map(|table| {
            kinds.iter().position(|&known| known == table).unwrap_or_else(|| {
                kinds.push(table);
                kinds.len() - 1
            })
        });
        let area = rays.area();
        let ways = if rays.are_straight() {
            Ways::Lines(Lines::new(rays))
        } else {
            Ways::Turns(before(rays, active))
        };
        let first = Level { alone: Bits::one(target), helped: vec![Bits::NONE; kinds.len() * area] };
        Self {
            active,
            kinds,
            kind_of,
            levels: vec![first],
            area,
            ways,
            saturated: false,
            pairs: None,
            sharp_moves: 0,
        }
    }

    /// The level for `moves` remaining moves: compute it with [`prepare`](Self::prepare) first.
    #[inline]
    fn level(&self, moves: usize) -> &Level<W> {
        &self.levels[moves.min(self.levels.len() - 1)]
    }

    /// The number of computed levels.
    pub fn levels(&self) -> usize {
        self.levels.len()
    }

    /// Computes the levels up to `moves`, as far as they differ.
    pub fn prepare(&mut self, rays: &Rays<'_, W>, moves: usize) {
        while !self.saturated && self.levels.len() <= moves {
            let next = self.next_level(rays);
            let last = self.levels.last().expect("there is a first level");
            let grows = next.alone != last.alone || next.helped != last.helped;
            // A level depends on the previous two.
            if !grows && self.levels.len() > 1 {
                self.saturated = true;
            } else {
                self.levels.push(next);
            }
        }
        if let (Ways::Lines(lines), Some(pairs)) = (&self.ways, &mut self.pairs) {
            while pairs.moves() < moves.min(self.sharp_moves) {
                let alone = &self.levels[pairs.moves().min(self.levels.len() - 1)].alone;
                pairs.add_level(rays, lines, alone);
            }
        }
    }

    /// Whether all levels above this one are equal to it.
    #[inline]
    pub fn is_last(&self, moves: usize) -> bool {
        self.saturated
            && moves + 1 >= self.levels.len()
            && moves > self.pairs.as_ref().map_or(0, Pairs::moves)
    }

    /// The sets for this many remaining moves.
    pub fn sets(&self, moves: usize) -> Sets<'_, W, H> {
        let level = self.level(moves);
        let pairs = self.pairs.as_ref().and_then(|pairs| pairs.level(moves));
        let helped = self.kind_of.map(|kind| &level.helped[kind * self.area..][..self.area]);
        Sets { alone: level.alone, helped, pairs }
    }

    /// Switches to the sharper bounds of [`Pairs`] for up to this many remaining moves, if they exist. Returns false if nothing
    /// changes; otherwise they must be [prepared](Self::prepare).
    pub fn sharpen(&mut self, rays: &Rays<'_, W>, moves: usize) -> bool {
        match &self.ways {
            Ways::Lines(lines) if H >= 2 && self.area <= pairs::MAX_AREA && self.pairs.is_none() => {
                self.sharp_moves = moves;
                self.pairs = Some(Pairs::new(rays, lines));
                true
            }
            _ => false,
        }
    }

    fn next_level(&self, rays: &Rays<'_, W>) -> Level<W> {
        let last = self.levels.last().expect("there is a first level");
        let mut alone = last.alone;
        for cell in rays.cells() {
            if rays.fan(self.active, cell).ends.meets(&last.alone) {
                alone.insert(cell);
            }
        }
        let helped = match &self.ways {
            Ways::Lines(_) if H == 0 => Vec::new(),
            Ways::Lines(lines) => self.helped_on_lines(lines, &last.helped),
            Ways::Turns(before) => self.helped_by_turns(rays, before),
        };
        Level { alone, helped }
    }

    /// The new cells in `alone` for this many moves.
    fn newly_alone(&self, moves: usize) -> Bits<W> {
        let older = moves.checked_sub(1).map_or(Bits::NONE, |moves| self.levels[moves].alone);
        self.levels[moves].alone.without(older)
    }

    /// The next level of `helped` on a board without diagonals. The active robot's moves before it is stopped do not depend
    /// on the helpers and are precomputed; the helpers' moves come before them.
    fn helped_on_lines(&self, lines: &Lines<W>, last: &[Bits<W>]) -> Vec<Bits<W>> {
        let mut helped = lines.roam(last);
        for (moves, stopped) in (0..self.levels.len()).rev().zip(lines.stopped()) {
            for stop in self.newly_alone(moves).iter() {
                for dir in Dir::ALL {
                    if let Some(helper) = lines.beside(stop, dir) {
                        helped[helper.index()] |= stopped[helper.index() * 4 + dir.index()];
                    }
                }
            }
        }
        helped
    }

    /// The next level of `helped` on a board with diagonals.
    fn helped_by_turns(&self, rays: &Rays<'_, W>, before: &[Bits<W>]) -> Vec<Bits<W>> {
        let last = &self.levels[self.levels.len() - 1].helped;
        let older = self.levels.len().checked_sub(2).map(|index| &self.levels[index].helped);
        let stops = self.helped_stops(rays, self.newly_alone(self.levels.len() - 1));
        let mut helped = Vec::with_capacity(last.len());
        for (kind, &table) in self.kinds.iter().enumerate() {
            for cell in rays.cells() {
                let index = kind * rays.area() + cell.index();
                let mut set = last[index] | stops[cell.index()];
                let fresh = last[index].without(older.map_or(Bits::NONE, |older| older[index]));
                for cell in fresh.iter() {
                    set |= before[cell.index()];
                }
                for next in rays.fan(table, cell).cells.iter() {
                    set |= last[kind * rays.area() + next.index()];
                }
                helped.push(set);
            }
        }
        helped
    }

    /// For every cell `b`: the cells from which the active robot can slide so that a helper on `b` stops it on one of `stops`.
    fn helped_stops(&self, rays: &Rays<'_, W>, stops: Bits<W>) -> Vec<Bits<W>> {
        let mut sets = vec![Bits::NONE; rays.area()];
        for from in rays.cells() {
            for dir in Dir::ALL {
                if !rays.ray(self.active, from, dir).cells.meets(&stops) {
                    continue;
                }
                let path = rays.slides().path_in(self.active, from, dir).cells;
                for pair in path.windows(2).filter(|pair| stops.contains(pair[0])) {
                    sets[pair[1].index()].insert(from);
                }
            }
        }
        sets
    }
}

/// The sets for a number of remaining moves.
#[derive(Clone, Copy)]
pub struct Sets<'a, const W: usize, const H: usize> {
    alone: Bits<W>,
    /// By helper and cell.
    helped: [&'a [Bits<W>]; H],
    pairs: Option<&'a [Bits<W>]>,
}

impl<const W: usize, const H: usize> Sets<'_, W, H> {
    /// The cells allowed by the rough bounds because this helper is on `cell`.
    #[inline]
    pub fn helped(&self, helper: usize, cell: Cell) -> Bits<W> {
        self.helped[helper][cell.index()]
    }

    /// Whether there are no sharper bounds for this many moves.
    #[inline]
    pub fn are_rough(&self) -> bool {
        self.pairs.is_none()
    }

    /// The allowed cells of the active robot with these helpers.
    #[inline]
    pub fn allowed(&self, helpers: &Helpers<H>) -> Bits<W> {
        let mut allowed = self.alone;
        for (helper, &cell) in helpers.iter().enumerate() {
            match self.pairs {
                None => allowed |= self.helped(helper, cell),
                Some(pairs) => {
                    for &other in &helpers[..helper] {
                        allowed |= pairs[pairs::pair(cell, other)];
                    }
                }
            }
        }
        allowed
    }

    /// For every helper, the cells allowed by the rough bounds without it.
    #[inline]
    pub fn without_each(&self, helpers: &Helpers<H>) -> [Bits<W>; H] {
        let helped: [Bits<W>; H] = std::array::from_fn(|helper| self.helped(helper, helpers[helper]));
        std::array::from_fn(|moving| {
            let others = (0..H).filter(|&helper| helper != moving);
            others.fold(self.alone, |all, helper| all | helped[helper])
        })
    }

    /// The subset of `cells` that is allowed for the active robot after one of the helpers has `moved`; `without` are the
    /// cells that the rough bounds allow without it.
    #[inline]
    pub fn filter(&self, cells: Bits<W>, without: Bits<W>, moved: &Helpers<H>, moving: usize) -> Bits<W> {
        let cells = cells & (without | self.helped(moving, moved[moving]));
        // The small tables of the rough bounds stay in the L1 cache and reject most cells.
        if cells.is_empty() || self.pairs.is_none() { cells } else { cells & self.allowed(moved) }
    }
}
