//! The slides of a board as the search wants them: where a lone robot stops, and the cells it passes as a set.

use damier_core::grid::{Cell, Dir};

use super::bits::Bits;
use crate::slides::Slides;

/// One slide.
#[derive(Clone, Copy, Debug)]
pub struct Ray<const W: usize> {
    /// The cells passed, the last one included.
    pub cells: Bits<W>,
    /// Where it ends if nobody is in the way; the start itself if it moves nothing.
    pub stop: Cell,
}

/// The slides of all tables, directions and cells.
pub struct Rays<'a, const W: usize> {
    slides: &'a Slides,
    area: usize,
    all: Vec<Ray<W>>,
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
        Self { slides, area, all }
    }

    /// The tables these rays come from.
    pub const fn slides(&self) -> &'a Slides {
        self.slides
    }

    /// The number of cells.
    pub const fn area(&self) -> usize {
        self.area
    }

    /// One slide.
    #[inline]
    pub fn ray(&self, table: usize, cell: Cell, dir: Dir) -> &Ray<W> {
        &self.all[(table * self.area + cell.index()) * 4 + dir.index()]
    }

    /// Where a robot stops among others; its own cell if it cannot move.
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
