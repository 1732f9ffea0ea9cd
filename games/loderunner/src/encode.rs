//! The game by numbers: actions, masks and planes. Both rule sets have the same actions and planes of their own.

use damier_core::Game;
use damier_core::encode::{Canvas, Encode, Plane};
use damier_core::game::{Seat, Status};
use damier_core::grid::Size;

use crate::action::Action;
use crate::classic::board::{Board, Cell, Now};
use crate::classic::{self, Doing};
use crate::course;
use crate::course::map::{Map, Tile};
use crate::rules::{Ground, Rules, State};

/// The planes of `course`. Runner and enemies are 2 more than the code of their last action, which is -1 at the start.
const COURSE: [Plane; 9] = [
    Plane::marks("wall"),
    Plane::marks("floor"),
    Plane::marks("ladder"),
    Plane::marks("cable"),
    Plane::marks("exit"),
    Plane::marks("bonus"),
    Plane::values("runner", 8),
    Plane::values("enemy", 8),
    Plane::values("hole", 10),
];
const WALL: usize = 0;
const FLOOR: usize = 1;
const LADDER: usize = 2;
const CABLE: usize = 3;
const EXIT: usize = 4;
const BONUS: usize = 5;
const RUNNER: usize = 6;
const ENEMY: usize = 7;
const HOLE: usize = 8;

/// The planes of `classic`. Offsets are shifted so that a cell without anybody is 0 and the centre 21 or 23. A guard is 1 if
/// it moves, 2 trapped, 3 climbing, 4 coming back, and 4 more if it carries gold. Holes show the ticks they have left, a
/// dig its frame.
const CLASSIC: [Plane; 13] = [
    Plane::marks("brick"),
    Plane::marks("solid"),
    Plane::marks("ladder"),
    Plane::marks("bar"),
    Plane::marks("gold"),
    Plane::marks("runner"),
    Plane::values("runner x", 41),
    Plane::values("runner y", 45),
    Plane::values("guard", 8),
    Plane::values("guard x", 41),
    Plane::values("guard y", 45),
    Plane::values("hole", u8::MAX),
    Plane::values("dig", u8::MAX),
];

fn put(canvas: &mut Canvas<'_>, map: &Map, plane: usize, cell: u16, value: u8) {
    let (x, y) = map.point(cell);
    canvas.put(plane, x, y, value);
}

fn shown(seen: i8) -> u8 {
    (seen + 2) as u8
}

fn write_course(map: &Map, state: &course::State, canvas: &mut Canvas<'_>) {
    let size = Size::new(map.width(), map.height());
    canvas.clear();
    canvas.fill_outside(WALL, size, 1);
    for cell in size.cells() {
        let plane = match map.tile(cell.0) {
            Tile::Wall => WALL,
            Tile::Floor => FLOOR,
            Tile::Ladder => LADDER,
            Tile::Cable => CABLE,
            Tile::Exit => EXIT,
            Tile::Path => continue,
        };
        put(canvas, map, plane, cell.0, 1);
    }
    for &cell in map.bonuses().iter().filter(|&&cell| state.bonuses & map.bonus(cell) != 0) {
        put(canvas, map, BONUS, cell, 1);
    }
    put_figures(map, state, canvas);
}

/// Runner, enemies and holes.
fn put_figures(map: &Map, state: &course::State, canvas: &mut Canvas<'_>) {
    put(canvas, map, RUNNER, state.runner, shown(state.seen));
    for enemy in state.enemies() {
        put(canvas, map, ENEMY, enemy.cell, shown(enemy.seen));
    }
    for hole in state.holes() {
        put(canvas, map, HOLE, hole.cell, hole.delay);
    }
}

fn update_course(map: &Map, before: &course::State, after: &course::State, canvas: &mut Canvas<'_>) {
    put(canvas, map, RUNNER, before.runner, 0);
    for enemy in before.enemies() {
        put(canvas, map, ENEMY, enemy.cell, 0);
    }
    for hole in before.holes() {
        put(canvas, map, HOLE, hole.cell, 0);
    }
    let mut gone = before.bonuses & !after.bonuses;
    while gone != 0 {
        put(canvas, map, BONUS, map.bonuses()[gone.trailing_zeros() as usize], 0);
        gone &= gone - 1;
    }
    put_figures(map, after, canvas);
}

fn write_classic(board: &Board, state: &classic::State, canvas: &mut Canvas<'_>) {
    let mut put =
        |plane: usize, cell: Cell, value: u8| canvas.put(plane, cell.x.into(), cell.y.into(), value);
    for cell in board.extent().cells() {
        let tile = match state.tile_now(board, cell) {
            Now::Brick | Now::Trap => Some(0),
            Now::Solid => Some(1),
            Now::Ladder => Some(2),
            Now::Bar => Some(3),
            Now::Empty | Now::Guard | Now::Runner => None,
        };
        if let Some(plane) = tile {
            put(plane, cell, 1);
        }
        if state.has_gold(cell) {
            put(4, cell, 1);
        }
    }
    put(5, state.runner.cell, 1);
    put(6, state.runner.cell, (state.runner.xo + 21) as u8);
    put(7, state.runner.cell, (state.runner.yo + 23) as u8);
    for guard in state.guards() {
        let doing = match guard.doing {
            Doing::Moving => 1,
            Doing::Trapped => 2,
            Doing::Climbing(_) => 3,
            Doing::Respawning => 4,
            Doing::Away => continue,
        };
        put(8, guard.body.cell, doing + if guard.carry > 0 { 4 } else { 0 });
        put(9, guard.body.cell, (guard.body.xo + 21) as u8);
        put(10, guard.body.cell, (guard.body.yo + 23) as u8);
    }
    for (cell, ticks) in state.holes() {
        put(11, cell, ticks);
    }
    if let Some(dig) = state.dig {
        put(12, dig.brick, dig.frame);
    }
}

impl Encode for Rules {
    fn action_count(&self) -> usize {
        Action::ALL.len()
    }

    #[inline]
    fn numbered(&self, number: usize) -> Action {
        Action::ALL[number]
    }

    fn number(&self, action: Action) -> Option<usize> {
        Some(action.code() as usize)
    }

    #[inline]
    fn allows(&self, state: &State, action: Action) -> bool {
        match (self.ground(), state) {
            (Ground::Course(map), State::Course(state)) => {
                state.ending.is_none() && state.check(map, action).is_ok()
            }
            _ => matches!(self.status(state), Status::ToMove(_)),
        }
    }

    fn planes(&self) -> &'static [Plane] {
        match self.ground() {
            Ground::Course(_) => &COURSE,
            Ground::Classic(_) => &CLASSIC,
        }
    }

    fn extent(&self) -> Size {
        self.size()
    }

    fn write(&self, state: &State, _: Seat, canvas: &mut Canvas<'_>) {
        match (self.ground(), state) {
            (Ground::Course(map), State::Course(state)) => write_course(map, state, canvas),
            (Ground::Classic(board), State::Classic(state)) => {
                canvas.clear();
                // Outside is solid.
                canvas.fill_outside(1, self.size(), 1);
                write_classic(board, state, canvas);
            }
            _ => unreachable!("a state of one rule set under the rules of the other"),
        }
    }

    #[inline]
    fn update(&self, before: &State, after: &State, seat: Seat, canvas: &mut Canvas<'_>) {
        match (self.ground(), before, after) {
            (Ground::Course(map), State::Course(before), State::Course(after)) => {
                update_course(map, before, after, canvas);
            }
            _ => self.write(after, seat, canvas),
        }
    }
}
