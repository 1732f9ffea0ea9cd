//! What happens by itself after a time: trapped guards climb out, holes fill, guards come back.

use super::board::{Base, Board, Cell, Now};
use super::{Body, Doing, Ending, Fate, State, Version};

/// Ticks from falling into a hole to climbing out: a start, a long phase and five short ones.
const TRAPPED: u8 = 1 + 51 + 5 * 3;
const TRAPPED_VERSION_3: u8 = 1 + 36 + 5 * 3;
/// Ticks from the last stroke of a dig to the hole's filling.
const OPEN: u8 = 1 + 166 + 8 + 8 + 4;
/// Ticks from a hole's filling over a guard to its return.
const RESPAWN: u8 = 1 + 6 + 2;

/// Things that wait, in the order in which they began, each with the ticks it has left.
#[derive(Clone, Copy, Debug)]
pub(super) struct Queue<T, const N: usize> {
    entries: [Option<(T, u8)>; N],
    length: u8,
}

impl<T: Copy + PartialEq, const N: usize> Queue<T, N> {
    pub(super) const fn new() -> Self {
        Self { entries: [None; N], length: 0 }
    }

    pub(super) fn push(&mut self, thing: T, ticks: u8) {
        self.entries[usize::from(self.length)] = Some((thing, ticks));
        self.length += 1;
    }

    fn remove(&mut self, index: usize) {
        self.entries.copy_within(index + 1.., index);
        self.length -= 1;
        self.entries[usize::from(self.length)] = None;
    }

    fn remove_thing(&mut self, thing: T) {
        let index = self.iter().position(|(other, _)| other == thing);
        if let Some(index) = index {
            self.remove(index);
        }
    }

    /// Counts the entry down; the thing, if its time has come, is taken out.
    fn count_down(&mut self, index: usize) -> Option<T> {
        let (thing, ticks) = self.entries[index].as_mut()?;
        *ticks -= 1;
        let done = (*ticks == 0).then_some(*thing);
        if done.is_some() {
            self.remove(index);
        }
        done
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (T, u8)> {
        self.entries[..usize::from(self.length)].iter().flatten().copied()
    }
}

impl<T: PartialEq, const N: usize> PartialEq for Queue<T, N> {
    fn eq(&self, other: &Self) -> bool {
        self.length == other.length && self.entries == other.entries
    }
}

impl<T: Eq, const N: usize> Eq for Queue<T, N> {}

impl State {
    /// Guard `id` has fallen into a hole.
    pub(super) fn trap(&mut self, version: Version, id: usize) {
        let ticks = if version == Version::Three { TRAPPED_VERSION_3 } else { TRAPPED };
        self.guards[id].doing = Doing::Trapped;
        self.guards[id].carry = 0;
        self.trapped.push(id as u8, ticks);
    }

    /// A dig is done.
    pub(super) fn open_hole(&mut self, brick: Cell) {
        self.unmark(brick);
        self.open[brick.row()] |= brick.bit();
        self.holes.push(brick, OPEN);
    }

    #[inline]
    pub(super) fn pass_time(&mut self, board: &Board, fate: &mut impl Fate) {
        if self.holes.length | self.trapped.length | self.respawning.length | self.away != 0 {
            self.count_down(board, fate);
        }
    }

    fn count_down(&mut self, board: &Board, fate: &mut impl Fate) {
        let mut index = 0;
        while index < usize::from(self.trapped.length) {
            match self.trapped.count_down(index) {
                Some(id) => {
                    let guard = &mut self.guards[usize::from(id)];
                    guard.doing = Doing::Climbing(guard.body.cell);
                }
                None => index += 1,
            }
        }
        index = 0;
        while index < usize::from(self.holes.length) {
            match self.holes.count_down(index) {
                Some(hole) => self.fill(board, hole, fate),
                None => index += 1,
            }
        }
        index = 0;
        while index < usize::from(self.respawning.length) {
            match self.respawning.count_down(index) {
                Some(id) => self.come_back(usize::from(id)),
                None => index += 1,
            }
        }
        if self.away > 0 {
            self.bring_back_those_away(board, fate);
        }
    }

    fn fill(&mut self, board: &Board, hole: Cell, fate: &mut impl Fate) {
        match self.now(board, hole) {
            Now::Runner => self.die(Ending::Buried),
            Now::Guard => {
                if let Some(id) = self.guard_at(hole) {
                    self.respawn(board, id, fate);
                }
            }
            _ => {}
        }
        self.unmark(hole);
        self.open[hole.row()] &= !hole.bit();
    }

    fn respawn(&mut self, board: &Board, id: usize, fate: &mut impl Fate) {
        if self.guards[id].doing == Doing::Trapped {
            self.trapped.remove_thing(id as u8);
        }
        if self.guards[id].carry > 0 {
            self.collect(board);
            self.guards[id].carry = 0;
        }
        let hole = self.guards[id].body.cell;
        self.guard_marks[hole.row()] &= !hole.bit();
        self.guards[id].doing = Doing::Away;
        self.away += 1;
        self.place(board, id, fate);
    }

    /// Guards that found no free cell come back as soon as there is one.
    fn bring_back_those_away(&mut self, board: &Board, fate: &mut impl Fate) {
        for id in 0..usize::from(self.guard_count) {
            if self.guards[id].doing == Doing::Away {
                self.place(board, id, fate);
            }
        }
    }

    /// Puts a guard where it comes back, if any cell is free.
    fn place(&mut self, board: &Board, id: usize, fate: &mut impl Fate) {
        let Some(cell) = fate.recorded_cell().or_else(|| self.draw_cell(board, fate)) else { return };
        self.guard_marks[cell.row()] |= cell.bit();
        self.guards[id].body = Body::at(cell);
        self.guards[id].doing = Doing::Respawning;
        self.away -= 1;
        self.respawning.push(id as u8, RESPAWN);
    }

    /// Draws columns until the cell is free, from row 1 on, one row down whenever the first column comes up again.
    fn draw_cell(&mut self, board: &Board, fate: &mut impl Fate) -> Option<Cell> {
        let rows = self.extent.rows;
        if !self.extent.cells().any(|cell| cell.y > 0 && self.is_free(board, cell)) {
            return None;
        }
        let first = self.draw_column(fate);
        let mut cell = Cell { x: first, y: 1 };
        while !self.is_free(board, cell) {
            cell.x = self.draw_column(fate);
            if cell.x == first {
                // Below the bottom row the search begins again at the top.
                cell.y = if cell.y + 1 < rows { cell.y + 1 } else { 1 };
            }
        }
        Some(cell)
    }

    fn draw_column(&mut self, fate: &mut impl Fate) -> u8 {
        let column = fate.column(self.bag);
        self.bag &= !(1 << column);
        if self.bag == 0 {
            self.bag = self.extent.all_columns();
        }
        column
    }

    /// May a guard come back here?
    fn is_free(&self, board: &Board, cell: Cell) -> bool {
        self.now(board, cell) == Now::Empty && !matches!(self.base(board, cell), Base::Gold | Base::Brick)
    }

    fn come_back(&mut self, id: usize) {
        let cell = self.guards[id].body.cell;
        if cell == self.runner.cell && self.runner_marked {
            self.die(Ending::Caught);
        }
        self.guard_marks[cell.row()] |= cell.bit();
        self.guards[id].doing = Doing::Moving;
    }
}

#[cfg(test)]
mod tests {
    use damier_core::random::Rng;

    use super::super::ByChance;
    use super::super::board::Extent;
    use super::*;
    use crate::level::Level;
    use crate::rules::{Ground, RuleSet, Rules};

    /// How often a guard comes back below row 1, whose only free column is the last, if these columns are in the bag.
    fn share_below(bag: u64) -> f64 {
        let text = format!("\n{}\n\n&{}", "@".repeat(27), "\n".repeat(13));
        let rules = Rules::new(Level::parse(&text, RuleSet::Classic).unwrap());
        let Ground::Classic(board) = rules.ground() else { unreachable!("a classic level") };
        let mut rng = Rng::new(7);
        let mut is_below = || {
            let mut state = State { bag, ..State::new(board) };
            state.draw_cell(board, &mut ByChance(&mut rng)).is_some_and(|cell| cell.y > 1)
        };
        (0..10_000).filter(|_| is_below()).count() as f64 / 10_000.0
    }

    /// A full bag holds the free column. Of a bag without it the first column is drawn, and the next bag decides which of
    /// the two comes first.
    #[test]
    fn a_lower_row_comes_up_although_an_upper_one_has_a_free_cell() {
        let all = Extent::ORIGINAL.all_columns();
        assert!(share_below(all) < f64::EPSILON);
        let without = all & !(1 << 27);
        assert!((share_below(without) - 0.5).abs() < 0.02, "{}", share_below(without));
    }
}
