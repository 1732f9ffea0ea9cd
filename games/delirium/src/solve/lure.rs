//! How much is missing until something falls on a monster.
//!
//! A thing crushes what it falls on. So a thing has to be pushed and dropped to where it falls, a monster has to get below
//! it through cells that are empty or will be dug, and then it has to be there at the right time:
//!
//! ```text
//! #.r......#      two cells aside, a cell of grass to fall through: the rock's way;
//! #...:....#      the monster's den ends one cell before it: dig that,
//! #...:.B__#      push the rock, and let it go when the monster passes
//! ##########
//! ```
//!
//! Both ways are floods over sets of cells, by the work that they take; the estimate is the cheapest place where they meet,
//! the miner's way to where that work begins and, once everything is ready, the monster's steps to that place.

use arrayvec::ArrayVec;
use rustc_hash::FxHashMap;

use super::field::Cells;
use crate::board::{Board, Row, Spot, Word, column_of, row_of};

/// The most cells of grass between a monster and a thing's way that are counted.
const MOST_DIGS: usize = 16;

/// What a cell of grass between a monster and a thing's way counts, in ticks.
const DIG: u32 = 3;

/// The most work on a thing that is counted: an empty cell that it goes aside, or one of grass that it falls through.
const MOST_WORK: usize = 40;

/// What such a cell counts, in ticks.
const WORK: u32 = 4;

/// What each step of a monster to where it will be hit counts, in ticks.
const STEP: u32 = 2;

/// The most steps of a monster that are counted.
const MOST_STEPS: u32 = 10;

/// More than any estimate.
pub(crate) const HOPELESS: u32 = 250;

/// Cells that monsters and falling things pass, or will once they are dug.
fn soft<W: Word>(row: &Row<W>) -> W {
    let grass = !row.a & row.b & !row.c & !row.d;
    row.free() | grass | row.creatures()
}

/// Cells that monsters and falling things pass.
fn walkable<W: Word>(row: &Row<W>) -> W {
    row.free() | row.creatures()
}

/// Which monsters are to be crushed, and where.
#[derive(Clone, Copy)]
pub(crate) struct Prey<W, const H: usize> {
    /// Only blue ones.
    pub blue: bool,
    /// Cells that something is to fall on instead: magic walls.
    pub fixed: Option<Cells<W, H>>,
    /// The cells where their explosion is of use.
    pub zone: Cells<W, H>,
    /// How much work it counts to push a thing aside through a cell of grass, which has to be dug first: one or two.
    pub grass: usize,
}

impl<W: Word, const H: usize> Prey<W, H> {
    /// The cells of what something is to fall on.
    fn cells<const M: usize>(&self, board: &Board<W, H, M>) -> Cells<W, H> {
        self.fixed.unwrap_or_else(|| monsters(board, self.blue))
    }
}

/// The cells of all monsters, or of the blue ones only.
pub(crate) fn monsters<W: Word, const H: usize, const M: usize>(
    board: &Board<W, H, M>,
    blue: bool,
) -> Cells<W, H> {
    Cells::at(board.walkers().filter(|walker| walker.blue || !blue).map(|walker| walker.spot))
}

fn distance<W: Word>(one: Spot, other: Spot) -> u32 {
    column_of::<W>(one).abs_diff(column_of::<W>(other)) + row_of::<W>(one).abs_diff(row_of::<W>(other)) as u32
}

fn nearest<W: Word, const H: usize>(from: Spot, cells: Cells<W, H>) -> u32 {
    cells.spots().map(|spot| distance::<W>(from, spot)).min().unwrap_or(60)
}

/// Where things may come, by the work that it takes.
struct Flight<W, const H: usize> {
    free: Cells<W, H>,
    soft: Cells<W, H>,
    things: Cells<W, H>,
    /// All cells that they come to after so much work.
    after: ArrayVec<Cells<W, H>, { MOST_WORK + 1 }>,
}

impl<W: Word, const H: usize> Flight<W, H> {
    fn new<const M: usize>(board: &Board<W, H, M>) -> Self {
        let (free, soft) = (Cells::of(board, walkable), Cells::of(board, soft));
        let things = Cells::of(board, Row::things);
        let mut after = ArrayVec::new();
        after.push(falling(things, &free));
        Self { free, soft, things, after }
    }

    /// One more unit of work: aside into an empty cell or down into grass; aside into grass takes `grass` units.
    fn work(&mut self, grass: usize) {
        let last = &self.after[self.after.len() - 1];
        let mut next = last.widened_into(&self.free).with(&last.lowered_into(&self.soft));
        if let Some(before) = self.after.len().checked_sub(grass) {
            next = next.with(&self.after[before].widened_into(&self.soft));
        }
        self.after.push(falling(next, &self.free));
    }

    /// The cells where a monster is crushed after so much work: something falls to the cell above.
    fn hits(&self, work: usize) -> Cells<W, H> {
        let things = &self.after[work].0;
        let mut hits = [W::ZERO; H];
        for y in 2..H {
            hits[y] = things[y - 2] & things[y - 1] & self.soft.0[y - 1];
        }
        Cells(hits)
    }

    /// Where the miner has to be so that things crush a monster on one of these cells after so much work: below what has
    /// to fall first, behind what has to be pushed.
    fn handles(&self, work: usize, hits: Cells<W, H>) -> Cells<W, H> {
        let mut cells = rising(hits.raised(), &self.soft, &self.after[work]);
        let mut later = cells;
        for before in self.after[..work].iter().rev() {
            later = cells;
            let origins = cells.widened_into(before).with(&cells.raised()).within(before);
            cells = rising(origins, &self.free, before);
        }
        let things = cells.within(&self.things);
        let mut handles = [W::ZERO; H];
        for y in 1..H - 1 {
            let (things, later, soft) = (things.0[y], later.0[y], self.soft.0[y]);
            let pushed = (things & later >> 1) >> 1 | (things & later << 1) << 1;
            handles[y] |= pushed & soft;
            handles[y + 1] |= things;
        }
        Cells(handles)
    }
}

/// These cells and all those that something falls to from them.
fn falling<W: Word, const H: usize>(mut cells: Cells<W, H>, free: &Cells<W, H>) -> Cells<W, H> {
    for y in 1..H {
        cells.0[y] |= cells.0[y - 1] & free.0[y];
    }
    cells
}

/// These cells and all those among others that something falls to them from.
fn rising<W: Word, const H: usize>(
    mut cells: Cells<W, H>,
    free: &Cells<W, H>,
    others: &Cells<W, H>,
) -> Cells<W, H> {
    for y in (1..H).rev() {
        cells.0[y - 1] |= cells.0[y] & free.0[y] & others.0[y - 1];
    }
    cells
}

/// Where monsters may come, by the cells of grass that have to be dug for it.
struct Roaming<W, const H: usize> {
    zone: Cells<W, H>,
    /// All they reach after so many digs.
    reach: ArrayVec<Cells<W, H>, { MOST_DIGS + 1 }>,
    /// The cells of the zone that they reach if all grass is dug.
    everywhere: Cells<W, H>,
}

impl<W: Word, const H: usize> Roaming<W, H> {
    fn new<const M: usize>(board: &Board<W, H, M>, prey: &Prey<W, H>, flight: &Flight<W, H>) -> Self {
        let mut dens = prey.cells(board);
        let mut everywhere = dens;
        if prey.fixed.is_none() {
            dens.fill(&flight.free);
            everywhere.fill(&flight.soft);
        }
        let mut reach = ArrayVec::new();
        reach.push(dens);
        Self { everywhere: everywhere.within(&prey.zone), zone: prey.zone, reach }
    }

    /// The fewest digs after which they come to one of the cells, if there are some, and at most so many.
    fn fewest_digs(&mut self, most: usize, cells: &Cells<W, H>, flight: &Flight<W, H>) -> Option<usize> {
        if !self.everywhere.meets(cells) {
            return None;
        }
        (0..=most).find(|&digs| self.after(digs, flight).meets(cells))
    }

    /// The cells of the zone that they reach after so many digs.
    fn after(&mut self, digs: usize, flight: &Flight<W, H>) -> Cells<W, H> {
        while self.reach.len() <= digs {
            let mut reach = self.reach[self.reach.len() - 1].grown_into(&flight.soft);
            reach.fill(&flight.free);
            self.reach.push(reach);
        }
        self.reach[digs].within(&self.zone)
    }

    /// Where the miner has to go: to the handles, or to the edge of the dens if they have to be opened first; each with the
    /// ticks from there.
    fn goals(
        &self,
        digs: usize,
        ticks: u32,
        handles: Cells<W, H>,
        soft: &Cells<W, H>,
        goals: &mut Vec<Goal>,
    ) {
        if digs == 0 {
            goals.extend(handles.spots().take(MOST_GOALS).map(|spot| (spot, ticks)));
        } else {
            let edge = self.reach[0].grown_into(soft).without(&self.reach[0]);
            goals.extend(edge.spots().take(MOST_GOALS).map(|cell| (cell, ticks + nearest(cell, handles))));
        }
    }
}

/// A cell that the miner has to go to, and the ticks from there.
type Goal = (Spot, u32);

/// The most goals of one way to crush a monster.
const MOST_GOALS: usize = 32;

/// The goals that lead to a monster crushed, and the cells where one will be hit, if everything is ready for it.
fn goals_of<W: Word, const H: usize, const M: usize>(
    board: &Board<W, H, M>,
    prey: &Prey<W, H>,
    goals: &mut Vec<Goal>,
) -> Option<Cells<W, H>> {
    let mut flight = Flight::new(board);
    let mut roaming = Roaming::new(board, prey, &flight);
    let mut least = HOPELESS;
    let mut hit = None;
    for work in 0..=MOST_WORK {
        let ticks = WORK * work as u32;
        if ticks > least {
            break;
        }
        let hits = flight.hits(work);
        let most = ((least + WORK - ticks) / DIG).min(MOST_DIGS as u32);
        if let Some(digs) = roaming.fewest_digs(most as usize, &hits, &flight) {
            let ticks = ticks + DIG * digs as u32;
            least = least.min(ticks);
            let met = roaming.after(digs, &flight).within(&hits);
            roaming.goals(digs, ticks, flight.handles(work, met), &flight.soft, goals);
            if digs == 0 && work <= READY {
                hit = Some(met);
            }
        }
        if work < MOST_WORK {
            flight.work(prey.grass);
        }
    }
    hit
}

/// The work on a thing that is left when the time comes to wait for a monster.
const READY: usize = 1;

/// Estimates, remembered by how things and grass lie.
pub(crate) struct Lure<W, const H: usize> {
    known: FxHashMap<u64, Known<W, H>>,
    goals: Vec<Goal>,
}

/// What is remembered: the first and the last goal, and where a monster will be hit.
type Known<W, const H: usize> = (u32, u32, Option<Cells<W, H>>);

impl<W: Word, const H: usize> Lure<W, H> {
    pub(crate) fn new() -> Self {
        Self { known: FxHashMap::default(), goals: Vec::new() }
    }

    pub(crate) fn clear(&mut self) {
        self.known.clear();
        self.goals.clear();
    }

    /// An estimate of the ticks until a monster is crushed.
    pub(crate) fn estimate<const M: usize>(&mut self, board: &Board<W, H, M>, prey: &Prey<W, H>) -> u32 {
        let goals = &mut self.goals;
        let (first, last, hit) = self.known.entry(board.hash ^ board.grass_hash).or_insert_with(|| {
            let first = goals.len() as u32;
            let hit = goals_of(board, prey, goals);
            (first, goals.len() as u32, hit)
        });
        let goals = &self.goals[*first as usize..*last as usize];
        let work = goals.iter().map(|&(spot, rest)| distance::<W>(board.miner, spot) + rest).min();
        let steps = hit.map_or(MOST_STEPS, |hit| steps_to(hit, board, prey));
        work.map_or(HOPELESS, |work| work + STEP * steps)
    }
}

/// The steps of a monster to one of the cells.
fn steps_to<W: Word, const H: usize, const M: usize>(
    mut cells: Cells<W, H>,
    board: &Board<W, H, M>,
    prey: &Prey<W, H>,
) -> u32 {
    let (monsters, free) = (prey.cells(board), Cells::of(board, walkable));
    let mut steps = 0;
    while steps < MOST_STEPS && !cells.meets(&monsters) {
        steps += 1;
        cells = cells.grown_into(&free);
    }
    steps
}
