//! What happens by itself after a time: trapped guards climb out, holes fill, guards come back.

use super::board::{Base, Board, COLUMNS, Cell, Now, ROWS};
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
        self.trapped.push(id as u8, ticks);
    }

    /// A dig is done.
    pub(super) fn open_hole(&mut self, brick: Cell) {
        self.open[brick.row()] |= brick.bit();
        self.holes.push(brick, OPEN);
    }

    pub(super) fn pass_time(&mut self, board: &Board, fate: &mut impl Fate) {
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
        self.guard_marks[hole.row()] &= !hole.bit();
        self.open[hole.row()] &= !hole.bit();
    }

    fn respawn(&mut self, board: &Board, id: usize, fate: &mut impl Fate) {
        if self.guards[id].doing == Doing::Trapped {
            self.trapped.remove_thing(id as u8);
        }
        if self.guards[id].carry > 0 {
            self.collect(board);
        }
        self.guards[id].carry = 0;
        let hole = self.guards[id].body.cell;
        self.guard_marks[hole.row()] &= !hole.bit();
        let Some((row, free)) =
            (1..ROWS as u8).map(|row| (row, self.free_columns(board, row))).find(|&(_, free)| free != 0)
        else {
            return;
        };
        let cell = Cell { x: fate.column(row, free), y: row };
        self.guard_marks[cell.row()] |= cell.bit();
        self.guards[id].body = Body::at(cell);
        self.guards[id].doing = Doing::Respawning;
        self.respawning.push(id as u8, RESPAWN);
    }

    fn free_columns(&self, board: &Board, row: u8) -> u32 {
        (0..COLUMNS as u8)
            .map(|x| Cell { x, y: row })
            .filter(|&cell| {
                self.now(board, cell) == Now::Empty
                    && !matches!(self.base(board, cell), Base::Gold | Base::Brick)
            })
            .map(Cell::bit)
            .sum()
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
