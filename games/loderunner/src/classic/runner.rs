//! The runner's part of a tick.

use crate::action::Action;

use super::board::{Base, Board, Cell, Layer, Now};
use super::{Body, Dig, Doing, Ending, HALF_HEIGHT, HALF_WIDTH, HEIGHT, STEP_X, STEP_Y, State, WIDTH};

/// The frame at which a dig is done.
const DUG: u8 = 11;
/// From this frame on a guard cannot stop a dig any more.
const TOO_LATE: u8 = 8;

impl State {
    /// Is a dig under way, and does it go on? A guard that stands above the brick in time stops it; any other guard there
    /// makes the brick read as a hole at once.
    pub(super) fn dig_goes_on(&mut self, board: &Board) -> bool {
        let Some(dig) = self.dig else { return false };
        let above = dig.brick.above().expect("a brick that is dug has a cell above it");
        if self.now(board, above) != Now::Guard {
            return true;
        }
        let guard = self.guard_at(above);
        self.unmark(dig.brick);
        if dig.frame < TOO_LATE && guard.is_some_and(|id| self.guards[id].body.yo > -11) {
            self.open[dig.brick.row()] &= !dig.brick.bit();
            self.dig = None;
            return false;
        }
        self.open[dig.brick.row()] |= dig.brick.bit();
        true
    }

    pub(super) fn go_on_digging(&mut self) {
        let Some(dig) = &mut self.dig else { return };
        dig.frame += 1;
        if dig.frame == DUG {
            let brick = dig.brick;
            self.dig = None;
            self.open_hole(brick);
        }
    }

    /// True if the runner looked at the key.
    pub(super) fn move_runner(&mut self, board: &Board, key: Action) -> bool {
        if self.falls(board, self.runner) {
            self.fall(board);
            self.settle(board);
            return false;
        }
        self.runner_falls = false;
        match key {
            Action::None => {}
            Action::Up => self.climb_up(board),
            Action::Down => self.climb_down(board),
            Action::Left | Action::Right => self.walk(board, key == Action::Left),
            Action::BombLeft | Action::BombRight => self.begin_to_dig(board, key == Action::BombLeft),
        }
        self.settle(board);
        true
    }

    /// Does nothing hold an entity up here?
    #[inline]
    pub(super) fn falls(&self, board: &Board, body: Body) -> bool {
        let layer = self.layer(board);
        let holds = if body.yo == 0 { &layer.ladder_or_bar } else { &layer.ladder };
        if holds[body.cell.row()] & body.cell.bit() != 0 {
            return false;
        }
        let below = self.extent.below(body.cell);
        body.yo < 0 || below.is_some_and(|below| self.floor(layer, below.row()) & below.bit() == 0)
    }

    /// The cells of a row that read as brick, ladder, solid or guard.
    #[inline]
    fn floor(&self, layer: &Layer, row: usize) -> u64 {
        let mut floor = (layer.brick[row] & !self.open[row]) | layer.solid[row] | layer.ladder[row];
        if self.runner_marked && self.runner.cell.row() == row {
            floor &= !self.runner.cell.bit();
        }
        floor | self.guard_marks[row]
    }

    fn fall(&mut self, board: &Board) {
        let stop = self
            .extent
            .below(self.runner.cell)
            .is_none_or(|below| matches!(self.now(board, below), Now::Brick | Now::Solid | Now::Guard));
        self.sink(board, stop, true);
    }

    fn climb_up(&mut self, board: &Board) {
        let Body { cell, yo, .. } = self.runner;
        let blocked = cell
            .above()
            .is_none_or(|above| matches!(self.now(board, above), Now::Brick | Now::Solid | Now::Trap));
        let on_ladder = self.base(board, cell) == Base::Ladder;
        let ladder_below = self.base_below_is_ladder(board, cell);
        let onto_floor = cell.y > 0 && !on_ladder && yo > 0 && yo < 11 && ladder_below;
        let cannot = (!on_ladder && (yo <= 0 || !ladder_below)) || (yo <= 0 && blocked);
        if !onto_floor && cannot {
            return;
        }
        let stop = blocked || onto_floor;
        self.runner.pull_to_column();
        self.runner.yo -= STEP_Y;
        if stop && self.runner.yo < 0 {
            self.runner.yo = 0;
        } else if self.runner.yo < -HALF_HEIGHT {
            self.enter(board, Cell { y: cell.y - 1, ..cell });
            self.runner.yo += HEIGHT;
        }
    }

    fn climb_down(&mut self, board: &Board) {
        let Body { cell, yo, .. } = self.runner;
        let below = self.extent.below(cell);
        let stop = below.is_none_or(|below| matches!(self.now(board, below), Now::Brick | Now::Solid));
        if yo >= 0 && stop {
            return;
        }
        self.sink(board, stop, false);
    }

    /// A step down, climbing or falling.
    fn sink(&mut self, board: &Board, stop: bool, mut falling: bool) {
        let Body { cell, yo, .. } = self.runner;
        let on_bar = self.base(board, cell) == Base::Bar;
        let catches = on_bar && yo < 0;
        if on_bar && !catches && !falling {
            let below = self.extent.below(cell);
            falling = below.is_some_and(|below| !matches!(self.now(board, below), Now::Ladder | Now::Guard));
        }
        self.runner.pull_to_column();
        self.runner.yo += STEP_Y;
        let caught = catches && self.runner.yo >= 0;
        if caught {
            self.runner.yo = 0;
        }
        if stop && self.runner.yo > 0 {
            self.runner.yo = 0;
        } else if self.runner.yo > HALF_HEIGHT {
            self.enter(board, Cell { y: cell.y + 1, ..cell });
            self.runner.yo -= HEIGHT;
        }
        if falling
            && let Some(below) = self.extent.below(self.runner.cell)
            && self.now(board, below) == Now::Guard
            && let Some(id) = self.guard_at(below)
        {
            self.runner.yo = self.runner.yo.min(self.guards[id].body.yo);
        }
        self.runner_falls = falling && !caught;
    }

    fn walk(&mut self, board: &Board, left: bool) {
        let sign = if left { -1 } else { 1 };
        let cell = self.runner.cell;
        let beside = if left { cell.left() } else { self.extent.right(cell) };
        let stop = beside
            .is_none_or(|beside| matches!(self.now(board, beside), Now::Brick | Now::Solid | Now::Trap));
        if stop && self.runner.xo * sign >= 0 {
            return;
        }
        self.runner.pull_to_row();
        self.runner.xo += sign * STEP_X;
        if stop && self.runner.xo * sign > 0 {
            self.runner.xo = 0;
        } else if self.runner.xo * sign > HALF_WIDTH {
            self.enter(board, beside.expect("an edge stops"));
            self.runner.xo -= sign * WIDTH;
        }
    }

    fn begin_to_dig(&mut self, board: &Board, left: bool) {
        let cell = self.runner.cell;
        let Some(beside) = (if left { cell.left() } else { self.extent.right(cell) }) else { return };
        let Some(brick) = self.extent.below(beside) else { return };
        let allowed = self.now(board, brick) == Now::Brick
            && self.now(board, beside) == Now::Empty
            && self.base(board, beside) != Base::Gold;
        if allowed {
            self.runner.xo = 0;
            self.runner.yo = 0;
            self.dig = Some(Dig { brick, frame: 0 });
        }
    }

    fn enter(&mut self, board: &Board, cell: Cell) {
        self.leave(board, self.runner.cell);
        self.runner.cell = cell;
        if self.now(board, cell) == Now::Guard
            && self.guard_at(cell).is_some_and(|id| self.guards[id].doing != Doing::Respawning)
        {
            self.die(Ending::Caught);
        }
    }

    /// The end of the runner's turn, whether it stepped or stood: its mark, gold within reach, and contact.
    fn settle(&mut self, board: &Board) {
        let cell = self.runner.cell;
        self.guard_marks[cell.row()] &= !cell.bit();
        self.runner_marked = true;
        if self.has_gold(cell) && self.runner.reaches(self.base_below_is_ladder(board, cell)) {
            self.take_gold(cell);
            self.collect(board);
        }
        if self.ending.is_none() {
            self.touch(board);
        }
    }

    /// Contact with the first guard above, below, left or right.
    fn touch(&mut self, board: &Board) {
        let cell = self.runner.cell;
        let (row, bit) = (cell.row(), cell.bit());
        let beside = self.guard_marks[row] & (bit << 1 | bit >> 1);
        let above = self.guard_marks[row.saturating_sub(1)] & bit;
        let below = self.extent.below(cell).map_or(0, |below| self.guard_marks[below.row()] & bit);
        if beside | above | below == 0 {
            return;
        }
        let around = [cell.above(), self.extent.below(cell), cell.left(), self.extent.right(cell)];
        let Some(beside) = around.into_iter().flatten().find(|&beside| self.now(board, beside) == Now::Guard)
        else {
            return;
        };
        let Some(id) = self.guard_at(beside) else { return };
        let guard = &self.guards[id];
        let apart = |cell: u8, offset: i8, size: i8| i32::from(cell) * i32::from(size) + i32::from(offset);
        let sideways = apart(beside.x, guard.body.xo, WIDTH) - apart(cell.x, self.runner.xo, WIDTH);
        let vertically = apart(beside.y, guard.body.yo, HEIGHT) - apart(cell.y, self.runner.yo, HEIGHT);
        if guard.doing != Doing::Respawning && sideways.abs() <= 30 && vertically.abs() <= 33 {
            self.die(Ending::Caught);
        }
    }
}

#[cfg(test)]
mod tests {
    use damier_core::random::Smallest;

    use super::super::{ByChance, Guard, Version};
    use super::*;
    use crate::level::Level;
    use crate::rules::{Ground, RuleSet, Rules};

    /// A guard can be in a brick that is dug only if the brick was opened early and another guard walked in from the side.
    #[test]
    fn the_end_and_the_abort_of_a_dig_overwrite_a_guards_mark_in_the_brick() {
        let floor = "#".repeat(28);
        let text = "\n".repeat(13) + "  &                   $\n" + &floor + "\n" + &floor;
        let rules = Rules::new(Level::parse(&text, RuleSet::Classic).unwrap());
        let Ground::Classic(board) = rules.ground() else { unreachable!("a classic level") };
        let (above, brick) = (Cell { x: 3, y: 13 }, Cell { x: 3, y: 14 });
        for (frame, opened) in [(10, true), (5, false)] {
            let mut state = State::new(board);
            for (id, cell) in [(0, brick), (1, above)] {
                state.guards[id] = Guard { body: Body::at(cell), doing: Doing::Trapped, carry: 0 };
                state.guard_marks[cell.row()] |= cell.bit();
            }
            state.guard_count = 2;
            state.dig = Some(Dig { brick, frame });
            state.open[brick.row()] |= brick.bit();
            state.tick(board, Version::Four, Action::None, &mut ByChance(&mut Smallest));
            assert_eq!(state.dig, None);
            assert_eq!(state.now(board, brick), if opened { Now::Empty } else { Now::Brick });
        }
    }
}
