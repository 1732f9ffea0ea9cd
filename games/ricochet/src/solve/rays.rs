//! The slides of a board, prepared for the search: where a lone robot stops, and the set of cells it passes.

use damier_core::grid::{Cell, Dir};

use super::bits::Bits;
use crate::slides::Slides;

/// One slide.
#[derive(Clone, Copy, Debug)]
pub struct Ray<const W: usize> {
    /// The cells passed, including the last one.
    pub cells: Bits<W>,
    /// Where it ends if no robot is in the path; the start if it does not move.
    pub stop: Cell,
}

/// The four slides from a cell together, if no robot is in their path. Aligned to a cache line.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub struct Fan<const W: usize> {
    /// The cell.
    pub from: Bits<W>,
    /// The cells passed.
    pub cells: Bits<W>,
    /// The ends of the slides that move.
    pub ends: Bits<W>,
    /// The end of each slide.
    pub stops: [Cell; 4],
}

/// The slides of all tables, directions and cells.
pub struct Rays<'a, const W: usize> {
    slides: &'a Slides,
    area: usize,
    all: Vec<Ray<W>>,
    fans: Vec<Fan<W>>,
}

impl<'a, const W: usize> Rays<'a, W> {
    /// The slides of a board of `area` cells.
    pub fn new(slides: &'a Slides, area: usize) -> Self {
        let mut all = Vec::with_capacity(slides.tables() * 4 * area);
        for table in 0..slides.tables() {
            for cell in (0..area as u16).map(Cell) {
                for dir in Dir::ALL {
                    let path = slides.path_in(table, cell, dir).cells;
                    let stop = path.last().copied().unwrap_or(cell);
                    all.push(Ray { cells: path.iter().copied().collect(), stop });
                }
            }
        }
        let fans = all.chunks_exact(4).enumerate().map(|(index, rays)| {
            let from = Cell((index % area) as u16);
            let stops = std::array::from_fn(|dir: usize| rays[dir].stop);
            Fan {
                from: Bits::one(from),
                cells: rays.iter().fold(Bits::NONE, |cells, ray| cells | ray.cells),
                ends: stops.into_iter().filter(|&stop| stop != from).collect(),
                stops,
            }
        });
        let fans = fans.collect();
        Self { slides, area, all, fans }
    }

    /// The tables these rays come from.
    pub const fn slides(&self) -> &'a Slides {
        self.slides
    }

    /// Whether the board has no diagonals, so that all robots slide the same way and straight.
    pub fn are_straight(&self) -> bool {
        self.slides.tables() == 1
    }

    /// The number of cells.
    pub const fn area(&self) -> usize {
        self.area
    }

    /// The cells.
    pub fn cells(&self) -> impl Iterator<Item = Cell> + use<W> {
        (0..self.area as u16).map(Cell)
    }

    /// The four slides from a cell.
    #[inline]
    pub fn fan(&self, table: usize, cell: Cell) -> &Fan<W> {
        &self.fans[table * self.area + cell.index()]
    }

    /// One slide.
    #[inline]
    pub fn ray(&self, table: usize, cell: Cell, dir: Dir) -> &Ray<W> {
        &self.all[(table * self.area + cell.index()) * 4 + dir.index()]
    }

    /// The cell where a robot stops among others; its own cell if it cannot move.
    #[inline(always)]
    #[expect(
        clippy::inline_always,
        reason = "the innermost step of the search; a call costs as much as the slide"
    )]
    pub fn stop(&self, table: usize, cell: Cell, dir: Dir, others: &Bits<W>) -> Cell {
        let ray = self.ray(table, cell, dir);
        if !ray.cells.meets(others) {
            return ray.stop;
        }
        let path = self.slides.path_in(table, cell, dir);
        let free = path.free(|cell| others.contains(cell));
        if free == 0 { cell } else { path.cells[free - 1] }
    }
}
