//! How far it is: floods and distances over a map taken as it stands, the ground of all estimates.

use damier_core::grid::Dir;

use crate::board::{Board, Row, Spot, Word, column_of, row_of};
use crate::kind::Kind;

/// Farther than any way.
pub(crate) const FAR: u16 = u16::MAX;

/// The price of the dearest step.
const DEAREST: usize = 16;

/// A number per cell: the cost of the cheapest way to a set of cells.
pub(crate) struct Field {
    cost: Vec<u16>,
    rings: [Vec<Spot>; DEAREST + 1],
}

impl Field {
    pub(crate) fn new() -> Self {
        Self { cost: Vec::new(), rings: Default::default() }
    }

    /// The cost from a cell; [`FAR`] without a way.
    #[inline]
    pub(crate) fn at(&self, spot: Spot) -> u16 {
        self.cost[usize::from(spot)]
    }

    /// Computes the cost of the cheapest way from every cell to the given ones, each of which costs something itself.
    ///
    /// `price` is the cost of entering a cell in a direction, at most 16; nothing if that cannot be.
    pub(crate) fn spread<W: Word, const H: usize, const M: usize>(
        &mut self,
        board: &Board<W, H, M>,
        goals: impl Iterator<Item = (Spot, u16)>,
        price: impl Fn(Kind, Dir) -> Option<u16>,
    ) {
        self.cost.clear();
        self.cost.resize(H << W::LOG, FAR);
        let mut goals: Vec<_> = goals.collect();
        goals.sort_unstable_by_key(|&(spot, cost)| (std::cmp::Reverse(cost), spot));
        let mut level = goals.last().map_or(0, |&(_, cost)| usize::from(cost));
        let mut waiting = 0;
        loop {
            while goals.last().is_some_and(|&(_, cost)| usize::from(cost) <= level) {
                let (spot, cost) = goals.pop().expect("there is a last one");
                waiting += usize::from(self.offer(spot, cost));
            }
            let ring = level % (DEAREST + 1);
            while let Some(spot) = self.rings[ring].pop() {
                waiting -= 1;
                if usize::from(self.at(spot)) != level {
                    continue;
                }
                for dir in Dir::ALL {
                    let Some(step) = price(board.kind(spot), dir) else { continue };
                    let from = Board::<W, H, M>::beside(spot, dir.opposite());
                    if usize::from(from) < self.cost.len() && board.kind(from) != Kind::Border {
                        waiting += usize::from(self.offer(from, level as u16 + step));
                    }
                }
            }
            match (waiting, goals.last()) {
                (0, None) => return,
                (0, Some(&(_, cost))) => level = usize::from(cost),
                _ => level += 1,
            }
        }
    }

    /// A way of this cost from a cell: is it the cheapest so far?
    #[inline]
    fn offer(&mut self, spot: Spot, cost: u16) -> bool {
        let known = &mut self.cost[usize::from(spot)];
        let cheaper = cost < *known;
        if cheaper {
            *known = cost;
            self.rings[usize::from(cost) % (DEAREST + 1)].push(spot);
        }
        cheaper
    }
}

/// The miner's price of a step where walls have to be blasted.
pub(crate) fn walk_through_walls(kind: Kind, dir: Dir) -> Option<u16> {
    if kind == Kind::Wall { Some(16) } else { walk(kind, dir) }
}

/// The miner's price of a step: rocks are dear, for they have to be pushed or gone round.
pub(crate) fn walk(kind: Kind, dir: Dir) -> Option<u16> {
    match (kind, dir) {
        (Kind::Border | Kind::Wall, _) => None,
        (Kind::Rock | Kind::FallingRock, Dir::South) => Some(12),
        (Kind::Rock | Kind::FallingRock, Dir::North) => Some(8),
        (Kind::Rock | Kind::FallingRock, _) => Some(5),
        (Kind::Red | Kind::Blue | Kind::Blast, _) => Some(3),
        _ => Some(1),
    }
}

/// A set of cells.
#[derive(Clone, Copy)]
pub(crate) struct Cells<W, const H: usize>(pub(crate) [W; H]);

impl<W: Word, const H: usize> Cells<W, H> {
    /// The cells whose row satisfies something.
    pub(crate) fn of<const M: usize>(board: &Board<W, H, M>, which: impl Fn(&Row<W>) -> W) -> Self {
        let mut cells = [W::ZERO; H];
        for (cells, row) in cells.iter_mut().zip(&board.rows) {
            *cells = which(row);
        }
        Self(cells)
    }

    /// The given cells.
    pub(crate) fn at(spots: impl Iterator<Item = Spot>) -> Self {
        let mut cells = [W::ZERO; H];
        for spot in spots {
            cells[row_of::<W>(spot)] |= W::ONE << column_of::<W>(spot);
        }
        Self(cells)
    }

    /// What can be reached from a spot over these cells, those beside the last ones included.
    pub(crate) fn flood(&self, from: Spot) -> Self {
        let mut open = self.0;
        let start = W::ONE << column_of::<W>(from);
        open[row_of::<W>(from)] |= start;
        let mut reached = [W::ZERO; H];
        let row = along(start, open[row_of::<W>(from)]);
        reached[row_of::<W>(from)] = row | row << 1 | row >> 1;
        loop {
            let mut grown = false;
            for y in (1..H - 1).chain((1..H - 1).rev()) {
                let row = reached[y] | (reached[y - 1] & open[y - 1]) | (reached[y + 1] & open[y + 1]);
                if row == reached[y] {
                    continue;
                }
                let inner = along(row, open[y]);
                reached[y] = row | inner | inner << 1 | inner >> 1;
                grown = true;
            }
            if !grown {
                return Self(reached);
            }
        }
    }

    /// Grows over open cells as far as they go.
    pub(crate) fn fill(&mut self, open: &Self) {
        for (row, &open) in self.0.iter_mut().zip(&open.0) {
            *row |= along(*row | *row << 1 | *row >> 1, open);
        }
        loop {
            let mut grown = false;
            for y in (1..H - 1).chain((1..H - 1).rev()) {
                let row = self.0[y] | ((self.0[y - 1] | self.0[y + 1]) & open.0[y]);
                if row != self.0[y] {
                    self.0[y] = row | along(row | row << 1 | row >> 1, open.0[y]);
                    grown = true;
                }
            }
            if !grown {
                return;
            }
        }
    }

    /// These cells and their neighbours among others.
    pub(crate) fn grown_into(&self, open: &Self) -> Self {
        let mut grown = self.0;
        for (y, row) in grown.iter_mut().enumerate().take(H - 1).skip(1) {
            let beside = self.0[y] << 1 | self.0[y] >> 1 | self.0[y - 1] | self.0[y + 1];
            *row |= beside & open.0[y];
        }
        Self(grown)
    }

    /// These cells and their neighbours in the same row among others.
    pub(crate) fn widened_into(&self, open: &Self) -> Self {
        let mut wider = self.0;
        wider.iter_mut().zip(&open.0).for_each(|(row, &open)| *row |= (*row << 1 | *row >> 1) & open);
        Self(wider)
    }

    /// The cells right below these among others.
    pub(crate) fn lowered_into(&self, open: &Self) -> Self {
        let mut lower = [W::ZERO; H];
        for (row, (&above, &open)) in lower[1..].iter_mut().zip(self.0.iter().zip(&open.0[1..])) {
            *row = above & open;
        }
        Self(lower)
    }

    /// The cells right above these.
    pub(crate) fn raised(&self) -> Self {
        let mut higher = [W::ZERO; H];
        higher[..H - 1].copy_from_slice(&self.0[1..]);
        Self(higher)
    }

    /// These cells and all eight around each.
    pub(crate) fn thickened(&self) -> Self {
        let mut thick = [W::ZERO; H];
        for (y, row) in thick.iter_mut().enumerate().take(H - 1).skip(1) {
            let column = self.0[y - 1] | self.0[y] | self.0[y + 1];
            *row = column | column << 1 | column >> 1;
        }
        Self(thick)
    }

    /// Is a cell among them?
    pub(crate) fn has(&self, spot: Spot) -> bool {
        self.0[row_of::<W>(spot)] >> column_of::<W>(spot) & W::ONE != W::ZERO
    }

    /// These cells as far as all eight around are among them too.
    pub(crate) fn without_edges(&self) -> Self {
        let mut inner = [W::ZERO; H];
        for (y, row) in inner.iter_mut().enumerate().take(H - 1).skip(1) {
            let column = self.0[y - 1] & self.0[y] & self.0[y + 1];
            *row = column & column << 1 & column >> 1;
        }
        Self(inner)
    }

    /// These cells as far as they are among others.
    pub(crate) fn within(&self, others: &Self) -> Self {
        let mut cells = self.0;
        cells.iter_mut().zip(&others.0).for_each(|(cells, &others)| *cells &= others);
        Self(cells)
    }

    /// These cells and others.
    pub(crate) fn with(&self, others: &Self) -> Self {
        let mut cells = self.0;
        cells.iter_mut().zip(&others.0).for_each(|(cells, &others)| *cells |= others);
        Self(cells)
    }

    /// These cells but for others.
    pub(crate) fn without(&self, others: &Self) -> Self {
        let mut cells = self.0;
        cells.iter_mut().zip(&others.0).for_each(|(cells, &others)| *cells &= !others);
        Self(cells)
    }

    /// Is there a cell in both sets?
    pub(crate) fn meets(&self, other: &Self) -> bool {
        let both = self.0.iter().zip(&other.0).fold(W::ZERO, |any, (&one, &two)| any | one & two);
        both != W::ZERO
    }

    /// How many of these cells are in another set.
    pub(crate) fn shared(&self, other: &Self) -> u32 {
        self.0.iter().zip(&other.0).map(|(&one, &two)| one & two).map(ones).sum()
    }

    /// All of them.
    pub(crate) fn spots(self) -> impl Iterator<Item = Spot> {
        self.0.into_iter().enumerate().flat_map(|(y, mut row)| {
            std::iter::from_fn(move || {
                (row != W::ZERO).then(|| {
                    let x = row.lowest();
                    row &= !(W::ONE << x);
                    (y as Spot) << W::LOG | x as Spot
                })
            })
        })
    }
}

/// The open cells of a row that can be reached from some of them, in doubling steps.
#[inline]
fn along<W: Word>(from: W, open: W) -> W {
    let (mut east, mut west) = (from & open, from & open);
    let (mut open_east, mut open_west) = (open, open);
    for log in 0..W::LOG {
        let step = 1 << log;
        east |= east << step & open_east;
        west |= west >> step & open_west;
        open_east &= open_east << step;
        open_west &= open_west >> step;
    }
    east | west
}

fn ones<W: Word>(word: W) -> u32 {
    let upper = (word >> 32) >> 32;
    word.low64().count_ones() + upper.low64().count_ones()
}
