//! The lines of a board without diagonals: the parts of its rows and columns between walls. A robot that can stop anywhere
//! reaches every cell of its two lines in one move, so what holds for all cells of a line is computed once.

use std::ops::Range;

use damier_core::grid::{Cell, Dir};

use super::bits::Bits;
use super::rays::Rays;

/// The lines of a board, first the parts of rows, then those of columns, and tables derived from them.
pub struct Lines<const W: usize> {
    count: usize,
    rows: Vec<Range<usize>>,
    /// For every cell, its part of a row.
    row_of: Vec<u16>,
    /// For every cell, its part of a column.
    column_of: Vec<u16>,
    /// By cell and direction: the next cell, if there is no wall between.
    beside: Vec<Option<Cell>>,
    /// By direction: the cells where a wall stops robots.
    ends: [Bits<W>; 4],
    /// See [`stopped`](Self::stopped).
    stopped: Vec<Vec<Bits<W>>>,
}

impl<const W: usize> Lines<W> {
    /// The lines of a board.
    pub fn new(rays: &Rays<'_, W>) -> Self {
        let area = rays.area();
        let mut lines = Self {
            count: 0,
            rows: Vec::new(),
            row_of: vec![0; area],
            column_of: vec![0; area],
            beside: Vec::with_capacity(area * 4),
            ends: [Bits::NONE; 4],
            stopped: Vec::new(),
        };
        for cell in rays.cells() {
            for dir in Dir::ALL {
                let beside = rays.slides().path_in(0, cell, dir).cells.first().copied();
                if beside.is_none() {
                    lines.ends[dir.index()].insert(cell);
                }
                lines.beside.push(beside);
            }
        }
        lines.number(rays);
        lines.find_stopped(rays);
        lines
    }

    fn number(&mut self, rays: &Rays<'_, W>) {
        for first in self.ends(Dir::West).iter() {
            let end = first.index() + 1 + rays.slides().path_in(0, first, Dir::East).cells.len();
            self.row_of[first.index()..end].fill(self.count as u16);
            self.rows.push(first.index()..end);
            self.count += 1;
        }
        for first in self.ends(Dir::North).iter() {
            for cell in [&first].into_iter().chain(rays.slides().path_in(0, first, Dir::South).cells) {
                self.column_of[cell.index()] = self.count as u16;
            }
            self.count += 1;
        }
    }

    fn find_stopped(&mut self, rays: &Rays<'_, W>) {
        // For every cell, the cells from which a robot that can stop anywhere reaches it in this many moves.
        let mut around: Vec<Bits<W>> = rays.cells().map(Bits::one).collect();
        loop {
            let mut stopped = vec![Bits::NONE; around.len() * 4];
            for dir in Dir::ALL {
                for first in self.ends(dir.opposite()).iter() {
                    let mut coming = around[first.index()];
                    for step in rays.slides().path_in(0, first, dir).cells.windows(2) {
                        stopped[step[1].index() * 4 + dir.index()] = coming;
                        coming |= around[step[0].index()];
                    }
                }
            }
            if self.stopped.last() == Some(&stopped) {
                return;
            }
            self.stopped.push(stopped);
            around = self.roam(&around);
        }
    }

    /// The number of lines.
    pub const fn count(&self) -> usize {
        self.count
    }

    /// The two lines of a cell.
    pub fn of(&self, cell: Cell) -> [usize; 2] {
        [self.row_of[cell.index()].into(), self.column_of[cell.index()].into()]
    }

    /// The next cell in a direction, if there is no wall between.
    #[inline]
    pub fn beside(&self, cell: Cell, dir: Dir) -> Option<Cell> {
        self.beside[cell.index() * 4 + dir.index()]
    }

    /// The cells where a wall stops robots that move in this direction.
    pub const fn ends(&self, dir: Dir) -> Bits<W> {
        self.ends[dir.index()]
    }

    /// By cell and direction, four per cell: the cells from which a robot slides towards the cell and would be stopped
    /// before it by a robot there, without the cell before it. First directly, then after one more move that can stop
    /// anywhere, and so on as far as that differs.
    pub fn stopped(&self) -> &[Vec<Bits<W>>] {
        &self.stopped
    }

    /// The cells from which a robot slides so that another on `blocker` stops it on one of `stops`.
    pub fn stopped_by(&self, blocker: Cell, stops: &Bits<W>) -> Bits<W> {
        Dir::ALL.into_iter().fold(Bits::NONE, |all, dir| match self.beside(blocker, dir.opposite()) {
            Some(stop) if stops.contains(stop) => all | self.stopped[0][blocker.index() * 4 + dir.index()],
            _ => all,
        })
    }

    /// For every cell, the union of the sets of all cells of its lines.
    pub fn roam(&self, sets: &[Bits<W>]) -> Vec<Bits<W>> {
        let mut sums = vec![Bits::NONE; self.count];
        self.sum(sets, &mut sums);
        let mut all = vec![Bits::NONE; sets.len()];
        self.add_sums(&sums, &mut all);
        all
    }

    /// For every line, the union of the sets of its cells.
    pub fn sum(&self, sets: &[Bits<W>], sums: &mut [Bits<W>]) {
        sums.fill(Bits::NONE);
        for (line, row) in self.rows.iter().enumerate() {
            let mut sum = Bits::NONE;
            for (&set, &column) in sets[row.clone()].iter().zip(&self.column_of[row.clone()]) {
                sum |= set;
                sums[usize::from(column)] |= set;
            }
            sums[line] = sum;
        }
    }

    /// Adds to every cell the sets of its two lines.
    pub fn add_sums(&self, sums: &[Bits<W>], sets: &mut [Bits<W>]) {
        for (row, &sum) in self.rows.iter().zip(sums) {
            for (set, &column) in sets[row.clone()].iter_mut().zip(&self.column_of[row.clone()]) {
                *set = *set | sum | sums[usize::from(column)];
            }
        }
    }
}
