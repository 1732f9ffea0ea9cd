//! How much is missing until something falls on a monster.
//!
//! A loose thing crushes what passes below it once nothing holds it up. So a monster has to get below a thing, through
//! cells that are empty or will be dug, and the miner has to be where the thing can be set free:
//!
//! ```text
//! #..r....#      the thing hangs on grass; below it lie its shadow,
//! #..:....#      the monster's den, and one cell of grass between them:
//! #..:.B__#      dig it, then set the rock free when the monster passes
//! #########
//! ```

use arrayvec::ArrayVec;
use rustc_hash::FxHashMap;

use super::field::Cells;
use crate::board::{Board, Row, Spot, Word, column_of, row_of};

/// The most cells of grass between a monster and a shadow that are counted.
const MOST_DIGS: usize = 16;

/// What a cell of grass between a monster and a shadow counts, in ticks.
const DIG: u32 = 3;

/// The most cells by which a thing may have to slide or be pushed aside.
const MOST_PUSHES: u32 = 30;

/// What a cell that a thing goes aside counts, in ticks.
const PUSH: u32 = 4;

/// More than any estimate.
const HOPELESS: u32 = 250;

/// Cells that monsters and falling things pass, or will once they are dug.
fn soft<W: Word>(row: &Row<W>) -> W {
    let grass = !row.a & row.b & !row.c & !row.d;
    row.free() | grass | row.creatures()
}

/// Which monsters are to be crushed, and where.
#[derive(Clone, Copy)]
pub(crate) struct Prey<W, const H: usize> {
    /// Only blue ones.
    pub blue: bool,
    /// The cells where their explosion is of use.
    pub zone: Cells<W, H>,
}

/// The cells that things may fall through.
fn shadows<W: Word, const H: usize>(things: &Cells<W, H>, soft: &Cells<W, H>) -> Cells<W, H> {
    let mut shadows = [W::ZERO; H];
    for y in 1..H {
        shadows[y] = (things.0[y - 1] | shadows[y - 1]) & soft.0[y];
    }
    Cells(shadows)
}

/// The cells right below things whose shadow meets certain cells.
fn triggers<W: Word, const H: usize>(
    things: &Cells<W, H>,
    shadows: &Cells<W, H>,
    met: &Cells<W, H>,
) -> Cells<W, H> {
    let mut triggers = [W::ZERO; H];
    let mut hit = W::ZERO;
    for y in (1..H).rev() {
        hit = shadows.0[y] & (met.0[y] | hit);
        triggers[y] = hit & things.0[y - 1];
    }
    Cells(triggers)
}

fn distance<W: Word>(one: Spot, other: Spot) -> u32 {
    column_of::<W>(one).abs_diff(column_of::<W>(other)) + row_of::<W>(one).abs_diff(row_of::<W>(other)) as u32
}

fn nearest<W: Word, const H: usize>(from: Spot, cells: Cells<W, H>) -> u32 {
    cells.spots().map(|spot| distance::<W>(from, spot)).min().unwrap_or(60)
}

/// Where monsters may come, by the cells of grass that have to be dug for it.
struct Roaming<W, const H: usize> {
    soft: Cells<W, H>,
    walkable: Cells<W, H>,
    zone: Cells<W, H>,
    /// All they reach after so many digs.
    reach: ArrayVec<Cells<W, H>, { MOST_DIGS + 1 }>,
    /// The cells of the zone that they reach if all grass is dug.
    everywhere: Cells<W, H>,
}

impl<W: Word, const H: usize> Roaming<W, H> {
    fn new<const M: usize>(board: &Board<W, H, M>, prey: &Prey<W, H>) -> Self {
        let walkable = Cells::of(board, |row| row.free() | row.creatures());
        let mut dens = Cells([W::ZERO; H]);
        for walker in board.walkers().filter(|walker| walker.blue || !prey.blue) {
            dens.0[row_of::<W>(walker.spot)] |= W::ONE << column_of::<W>(walker.spot);
        }
        dens.fill(&walkable);
        let soft = Cells::of(board, soft);
        let mut everywhere = dens;
        everywhere.fill(&soft);
        let mut reach = ArrayVec::new();
        reach.push(dens);
        Self { everywhere: everywhere.within(&prey.zone), soft, walkable, zone: prey.zone, reach }
    }

    /// The fewest digs after which they reach a shadow, if there are some, and at most so many.
    fn fewest_digs(&mut self, most: usize, shadows: &Cells<W, H>) -> Option<usize> {
        if !self.everywhere.meets(shadows) {
            return None;
        }
        (0..=most).find(|&digs| self.after(digs).meets(shadows))
    }

    /// The cells of the zone that they reach after so many digs.
    fn after(&mut self, digs: usize) -> Cells<W, H> {
        while self.reach.len() <= digs {
            let mut reach = self.reach[self.reach.len() - 1].grown_into(&self.soft);
            reach.fill(&self.walkable);
            self.reach.push(reach);
        }
        self.reach[digs].within(&self.zone)
    }

    /// Where the miner has to go: the triggers, or the edge of the dens if they have to be opened first; each with the
    /// ticks from there.
    fn goals(&mut self, digs: usize, work: u32, triggers: Cells<W, H>, goals: &mut Vec<Goal>) {
        if digs == 0 {
            goals.extend(triggers.spots().take(MOST_GOALS).map(|spot| (spot, work)));
        } else {
            let edge = self.reach[0].grown_into(&self.soft).without(&self.reach[0]);
            goals.extend(edge.spots().take(MOST_GOALS).map(|cell| (cell, work + nearest(cell, triggers))));
        }
    }
}

/// A cell that the miner has to go to, and the ticks from there.
type Goal = (Spot, u32);

/// The most goals of one way to crush a monster.
const MOST_GOALS: usize = 32;

/// The goals that lead to a monster crushed.
fn goals_of<W: Word, const H: usize, const M: usize>(
    board: &Board<W, H, M>,
    prey: &Prey<W, H>,
    goals: &mut Vec<Goal>,
) {
    let mut roaming = Roaming::new(board, prey);
    let mut things = Cells::of(board, Row::things);
    let mut least = HOPELESS;
    for pushes in 0..=MOST_PUSHES {
        if PUSH * pushes > least {
            break;
        }
        let shadows = shadows(&things, &roaming.soft);
        let most = ((least + PUSH - PUSH * pushes) / DIG).min(MOST_DIGS as u32);
        if let Some(digs) = roaming.fewest_digs(most as usize, &shadows) {
            let work = DIG * digs as u32 + PUSH * pushes;
            least = least.min(work);
            let triggers = triggers(&things, &shadows, &roaming.after(digs));
            roaming.goals(digs, work, triggers, goals);
        }
        things = things.widened_into(&roaming.soft);
    }
}

/// Estimates, remembered by how things and grass lie.
pub(crate) struct Lure {
    known: FxHashMap<u64, (u32, u32)>,
    goals: Vec<Goal>,
}

impl Lure {
    pub(crate) fn new() -> Self {
        Self { known: FxHashMap::default(), goals: Vec::new() }
    }

    pub(crate) fn clear(&mut self) {
        self.known.clear();
        self.goals.clear();
    }

    /// An estimate of the ticks until a monster is crushed.
    pub(crate) fn estimate<W: Word, const H: usize, const M: usize>(
        &mut self,
        board: &Board<W, H, M>,
        prey: &Prey<W, H>,
    ) -> u32 {
        let goals = &mut self.goals;
        let &mut (first, last) = self.known.entry(board.hash ^ board.grass_hash).or_insert_with(|| {
            let first = goals.len() as u32;
            goals_of(board, prey, goals);
            (first, goals.len() as u32)
        });
        let goals = &self.goals[first as usize..last as usize];
        goals.iter().map(|&(spot, rest)| distance::<W>(board.miner, spot) + rest).min().unwrap_or(HOPELESS)
    }
}
