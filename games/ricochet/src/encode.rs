//! Encoding for learners: actions, masks and planes.

use damier_core::Game;
use damier_core::encode::{Canvas, Encode, Plane};
use damier_core::game::Seat;
use damier_core::grid::{Cell, Dir, Size};
use damier_core::random::Chance;

use crate::board::Slope;
use crate::robot::{MAX_ROBOTS, Robot};
use crate::rules::{Action, Course, Rules, State};

/// Colours are 1 for any robot and 2 to 6 for red, green, blue, yellow and silver. A robot is 1; if robots must ricochet, 2
/// to 5 if it has only moved north, east, south or west and back, and 6 if it has turned.
const PLANES: [Plane; 12] = [
    Plane::marks("wall north"),
    Plane::marks("wall east"),
    Plane::marks("wall south"),
    Plane::marks("wall west"),
    Plane::values("red", 6),
    Plane::values("green", 6),
    Plane::values("blue", 6),
    Plane::values("yellow", 6),
    Plane::values("silver", 6),
    Plane::values("target", 6),
    Plane::values("rising diagonal", 6),
    Plane::values("falling diagonal", 6),
];
const WALLS: usize = 0;
const ROBOTS: usize = 4;
const TARGET: usize = 9;
const RISING: usize = 10;
const FALLING: usize = 11;

fn colour(robot: Option<Robot>) -> u8 {
    robot.map_or(1, |robot| robot as u8 + 2)
}

#[inline]
fn shown(course: Course) -> u8 {
    match course {
        Course::Still => 1,
        Course::Straight(dir) => 2 + dir as u8,
        Course::Turned => 6,
    }
}

impl Rules {
    #[inline]
    fn put(&self, canvas: &mut Canvas<'_>, plane: usize, cell: Cell, value: u8) {
        let (x, y) = self.level().board().size().xy(cell);
        canvas.put(plane, x, y, value);
    }

    #[inline]
    fn put_robot(&self, state: &State, robot: usize, canvas: &mut Canvas<'_>) {
        if state.robots[robot] != State::ABSENT {
            self.put(canvas, ROBOTS + robot, state.robots[robot], shown(state.courses[robot]));
        }
    }
}

impl Encode for Rules {
    fn action_count(&self) -> usize {
        4 * MAX_ROBOTS
    }

    #[inline]
    fn numbered(&self, number: usize) -> Action {
        Action { robot: Robot::ALL[number / 4], dir: Dir::from_index(number as u8) }
    }

    fn number(&self, action: Action) -> Option<usize> {
        Some(4 * action.robot.index() + action.dir.index())
    }

    #[inline]
    fn allows(&self, state: &State, action: Action) -> bool {
        !self.is_solved(state) && self.can_move(state, action)
    }

    fn mask(&self, state: &State, mask: &mut [u8]) {
        let running = !self.is_solved(state);
        for (byte, action) in mask.iter_mut().zip(Action::all()) {
            *byte = u8::from(running && self.can_move(state, action));
        }
    }

    fn planes(&self) -> &'static [Plane] {
        &PLANES
    }

    fn extent(&self) -> Size {
        self.level().board().size()
    }

    fn write(&self, state: &State, _: Seat, canvas: &mut Canvas<'_>) {
        let board = self.level().board();
        canvas.clear();
        for dir in Dir::ALL {
            canvas.fill_outside(WALLS + dir.index(), board.size(), 1);
            for cell in board.size().cells().filter(|&cell| board.has_wall(cell, dir)) {
                self.put(canvas, WALLS + dir.index(), cell, 1);
            }
        }
        for cell in board.size().cells() {
            if let Some(diagonal) = board.diagonal(cell) {
                let plane = if diagonal.slope == Slope::Rising { RISING } else { FALLING };
                self.put(canvas, plane, cell, colour(diagonal.colour));
            }
        }
        self.put(canvas, TARGET, self.level().target(), colour(self.level().target_robot()));
        for robot in 0..MAX_ROBOTS {
            self.put_robot(state, robot, canvas);
        }
    }

    fn update(&self, before: &State, after: &State, _: Seat, canvas: &mut Canvas<'_>) {
        for robot in (0..MAX_ROBOTS).filter(|&robot| before.robots[robot] != after.robots[robot]) {
            self.put(canvas, ROBOTS + robot, before.robots[robot], 0);
            self.put_robot(after, robot, canvas);
        }
    }

    #[inline]
    fn advance<C: Chance + ?Sized>(
        &self,
        state: &mut State,
        action: Action,
        chance: &mut C,
        _: Seat,
        canvas: &mut Canvas<'_>,
    ) {
        let robot = action.robot.index();
        self.put(canvas, ROBOTS + robot, state.robots[robot], 0);
        self.apply(state, action, chance);
        self.put_robot(state, robot, canvas);
    }
}
