//! The guards' part of a tick: which of them move, where each wants to go, and its step.

use super::board::{Base, Board, Cell, HOPELESS, Layer, Now, after, before, rating};
use super::{
    Body, Doing, Ending, Fate, HALF_HEIGHT, HALF_WIDTH, HEIGHT, MOVES, STEP_X, STEP_Y, State, Version, WIDTH,
};

/// Where a guard wants to go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Stand,
    Up,
    Down,
    Left,
    Right,
    Fall,
}

impl State {
    pub(super) fn move_guards(&mut self, board: &Board, version: Version, fate: &mut impl Fate) {
        let count = self.guard_count;
        self.cycle = (self.cycle + 1) % 6;
        for _ in 0..MOVES[usize::from(count)][usize::from(self.cycle)] {
            self.guard_turn += 1;
            if self.guard_turn >= count {
                self.guard_turn = 0;
            }
            let id = usize::from(self.guard_turn);
            if matches!(self.guards[id].doing, Doing::Moving | Doing::Climbing(_)) {
                let way = self.choose_way(board, id);
                self.step_guard(board, version, id, way, fate);
            }
        }
    }

    fn choose_way(&mut self, board: &Board, id: usize) -> Way {
        let body = self.guards[id].body;
        if let Doing::Climbing(hole) = self.guards[id].doing {
            if body.cell.y == hole.y {
                return Way::Up;
            }
            if body.cell.x != hole.x {
                self.guards[id].doing = Doing::Moving;
            }
        } else if self.falls(board, body) {
            return Way::Fall;
        }
        self.chase_on_the_row(board, body).unwrap_or_else(|| self.scan(board, body.cell))
    }

    /// Straight to the runner, if both are on one row and the floor holds all the way.
    fn chase_on_the_row(&self, board: &Board, body: Body) -> Option<Way> {
        let (cell, runner) = (body.cell, &self.runner);
        if cell.y != runner.cell.y || self.runner_falls {
            return None;
        }
        let on_others =
            self.extent.below(cell).map_or(0, |below| self.guard_marks[below.row()] | self.gold[below.row()]);
        let runs = self.layer(board).runs[cell.row()] | on_others;
        let between = if cell.x < runner.cell.x {
            before(runner.cell.x) & !before(cell.x)
        } else {
            after(runner.cell.x) & !after(cell.x)
        };
        let is_left = (cell.x, body.xo) < (runner.cell.x, runner.xo);
        (runs & between == between).then_some(if is_left { Way::Right } else { Way::Left })
    }

    /// Looks along the row for the way up or down that comes nearest to the runner's row: the own column first, then from
    /// the left end, then from the right end. The first of the best decides.
    fn scan(&self, board: &Board, from: Cell) -> Way {
        let layer = self.layer(board);
        let own = self.own_column(layer, from);
        if own.0 == 0 {
            return own.1;
        }
        let (first, last) = self.walkable(layer, from);
        let (left, right) = (before(from.x) & !before(first), after(from.x) & !after(last));
        let (runner, y) = (self.runner.cell.row(), from.row());
        let mut reach = layer.reach[runner][y];
        // Only gold on the runner's row can make a way down end there.
        let mut in_doubt = self.gold[runner] & (left | right) & layer.drops[y] & !reach;
        while in_doubt != 0 {
            let x = in_doubt.trailing_zeros() as u8;
            reach |= u64::from(self.rate_down(layer, Cell { x, y: from.y }) == 0) << x;
            in_doubt &= in_doubt - 1;
        }
        let to_the_left = (reach & left).checked_ilog2().map(|x| from.x - x as u8);
        let to_the_right = (reach & right != 0).then(|| (reach & right).trailing_zeros() as u8 - from.x);
        match (to_the_left, to_the_right) {
            (None, None) => self.scan_other_rows(layer, from, own, left, right),
            (Some(steps), Some(others)) if steps > others => Way::Right,
            (None, Some(_)) => Way::Right,
            _ => Way::Left,
        }
    }

    /// The scan where no way leads to the runner's row.
    fn scan_other_rows(&self, layer: &Layer, from: Cell, own: (u8, Way), left: u64, right: u64) -> Way {
        let mut best = own;
        let mut compare = |x: u8, way: Way| {
            let rating = self.rate(layer, Cell { x, y: from.y });
            if rating < best.0 {
                best = (rating, way);
            }
        };
        let mut to_the_left = layer.ways[from.row()] & left;
        while to_the_left != 0 {
            compare(to_the_left.trailing_zeros() as u8, Way::Left);
            to_the_left &= to_the_left - 1;
        }
        let mut to_the_right = layer.ways[from.row()] & right;
        while to_the_right != 0 {
            let x = to_the_right.ilog2() as u8;
            compare(x, Way::Right);
            to_the_right &= !(1 << x);
        }
        best.1
    }

    /// What the own column is worth: down, if one can drop, then up.
    fn own_column(&self, layer: &Layer, at: Cell) -> (u8, Way) {
        let down = self.rate_down(layer, at);
        let up = layer.up[self.runner.cell.row()][at.row()][at.column()];
        match (down, up) {
            (HOPELESS, HOPELESS) => (HOPELESS, Way::Stand),
            _ if up < down => (up, Way::Up),
            _ => (down, Way::Down),
        }
    }

    /// What a column is worth, down or up.
    #[inline]
    fn rate(&self, layer: &Layer, at: Cell) -> u8 {
        let x = at.column();
        if self.gold_columns[x] & layer.aside[x] == 0 {
            layer.both[self.runner.cell.row()][at.row()][x]
        } else {
            self.rate_down(layer, at).min(layer.up[self.runner.cell.row()][at.row()][x])
        }
    }

    /// What a way down is worth, where gold may stop it.
    fn rate_down(&self, layer: &Layer, at: Cell) -> u8 {
        let runner = self.runner.cell.y;
        if layer.drops[at.row()] & at.bit() == 0 {
            HOPELESS
        } else {
            rating(layer.drop_row(at, runner, self.gold_columns[at.column()]), runner)
        }
    }

    /// The first and the last column that a guard can walk to on its row: up to a wall, and no further than the first
    /// cell that holds nobody.
    fn walkable(&self, layer: &Layer, from: Cell) -> (u8, u8) {
        let y = from.row();
        let closed = (layer.brick[y] & !self.open[y]) | layer.solid[y];
        let mut marks = self.guard_marks[y];
        if self.runner_marked && self.runner.cell.y == from.y {
            marks |= self.runner.cell.bit();
        }
        let ends = !((layer.ladder_or_bar[y] & !marks) | layer.supported[y]) & !closed;
        let (left, right) = (before(from.x), after(from.x));
        let first_open = (closed & left).checked_ilog2().map_or(0, |x| x + 1);
        let last_ending = (ends & left).checked_ilog2().unwrap_or(0);
        // Beyond the last column everything is closed.
        let wall = (closed & right).trailing_zeros() - 1;
        let first_ending = (ends & right).trailing_zeros();
        (first_open.max(last_ending) as u8, wall.min(first_ending) as u8)
    }

    fn supports(&self, board: &Board, cell: Cell) -> bool {
        matches!(self.base(board, cell), Base::Brick | Base::Solid | Base::Ladder)
    }

    fn step_guard(&mut self, board: &Board, version: Version, id: usize, way: Way, fate: &mut impl Fate) {
        let before = self.guards[id].body.cell;
        match way {
            // A guard that chooses to stand climbs no longer; one that is blocked goes on climbing.
            Way::Stand => self.guards[id].doing = Doing::Moving,
            Way::Up => self.step_up(board, id),
            Way::Down | Way::Fall => self.step_down(board, version, id, way == Way::Fall),
            Way::Left | Way::Right => self.step_aside(board, id, way == Way::Left),
        }
        let cell = self.guards[id].body.cell;
        if cell != before && cell == self.runner.cell && self.runner_marked {
            self.die(Ending::Caught);
        }
        self.guard_marks[cell.row()] |= cell.bit();
        if self.guards[id].carry == 0
            && self.has_gold(cell)
            && self.guards[id].body.reaches(self.base_below_is_ladder(board, cell))
        {
            self.take_gold(cell);
            self.guards[id].carry = fate.carry();
        }
    }

    fn step_up(&mut self, board: &Board, id: usize) {
        let Body { cell, yo, .. } = self.guards[id].body;
        let stop = cell.above().is_none_or(|above| {
            matches!(self.now(board, above), Now::Brick | Now::Solid | Now::Trap | Now::Guard)
        });
        if yo <= 0 && stop {
            return;
        }
        let mut body = self.guards[id].body;
        body.pull_to_column();
        body.yo -= STEP_Y;
        if stop && body.yo < 0 {
            body.yo = 0;
        } else if body.yo < -HALF_HEIGHT {
            self.leave(board, cell);
            body.cell.y -= 1;
            body.yo += HEIGHT;
        }
        if body.yo <= 0 && body.yo > -STEP_Y {
            self.count_carry(board, id);
        }
        self.guards[id].body = body;
    }

    fn step_down(&mut self, board: &Board, version: Version, id: usize, falling: bool) {
        let Body { cell, yo, .. } = self.guards[id].body;
        let into_hole = falling && yo < 0 && board.is_brick(cell);
        let stop = into_hole
            || self
                .extent
                .below(cell)
                .is_none_or(|below| matches!(self.now(board, below), Now::Brick | Now::Solid | Now::Guard));
        if !into_hole && yo >= 0 && stop {
            return;
        }
        let mut body = self.guards[id].body;
        let catches = self.base(board, cell) == Base::Bar && yo < 0;
        body.pull_to_column();
        body.yo += STEP_Y;
        let caught = catches && body.yo >= 0;
        if caught {
            body.yo = 0;
        }
        if stop && body.yo > 0 {
            body.yo = 0;
        } else if body.yo > HALF_HEIGHT {
            self.leave(board, cell);
            body.cell.y += 1;
            body.yo -= HEIGHT;
        }
        if !into_hole && !caught && (0..STEP_Y).contains(&body.yo) {
            self.count_carry(board, id);
        }
        self.guards[id].body = body;
        if into_hole {
            if body.yo >= 0 || version == Version::Four {
                self.lose_gold(board, id);
            }
            if body.yo >= 0 {
                self.trap(version, id);
            }
        }
    }

    fn step_aside(&mut self, board: &Board, id: usize, left: bool) {
        let sign = if left { -1 } else { 1 };
        let mut body = self.guards[id].body;
        let cell = body.cell;
        let beside = if left { cell.left() } else { self.extent.right(cell) };
        let stop = beside.is_none_or(|beside| {
            matches!(self.now(board, beside), Now::Brick | Now::Solid | Now::Guard) || board.is_trap(beside)
        });
        if stop && body.xo * sign >= 0 {
            return;
        }
        body.pull_to_row();
        body.xo += sign * STEP_X;
        if stop && body.xo * sign > 0 {
            body.xo = 0;
        } else if body.xo * sign > HALF_WIDTH {
            self.leave(board, cell);
            body.cell = beside.expect("an edge stops");
            body.xo -= sign * WIDTH;
        }
        if body.xo * sign >= 0 && body.xo * sign < STEP_X {
            self.count_carry(board, id);
        }
        self.guards[id].body = body;
    }

    /// Near the centre of a cell a guard counts: how long it still carries gold, or how long it takes none.
    fn count_carry(&mut self, board: &Board, id: usize) {
        let Body { cell, .. } = self.guards[id].body;
        match self.guards[id].carry {
            2.. => self.guards[id].carry -= 1,
            1 => {
                let floor = self.extent.below(cell).is_none_or(|below| self.supports(board, below));
                if self.base(board, cell) == Base::Empty && floor {
                    self.put_gold(cell);
                    self.guards[id].carry = -1;
                }
            }
            0 => {}
            ..0 => self.guards[id].carry += 1,
        }
    }

    /// A guard in a hole loses its gold to the cell above, or for good.
    fn lose_gold(&mut self, board: &Board, id: usize) {
        if self.guards[id].carry > 0 {
            let above = self.guards[id].body.cell.above().expect("a hole has a cell above it");
            if self.base(board, above) == Base::Empty {
                self.put_gold(above);
            } else {
                self.collect(board);
            }
            self.guards[id].carry = 0;
        }
    }
}
