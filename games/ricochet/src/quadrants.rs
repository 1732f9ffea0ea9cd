//! Our own quadrants, and boards put together from them.
//!
//! Four plates of 8 by 8 cells, each with two sides, lie around the closed centre in any order. A side has four targets,
//! one of each colour and one of each symbol, each in the corner of two walls, and two walls at right angles to the
//! outer wall; the fourth plate's sides also hold the target for any robot.

use damier_core::grid::{Cell, Dir, Size};
use damier_core::random::{Chance, Rng};

use crate::board::Board;
use crate::robot::Robot::{self, Blue, Green, Red, Yellow};

/// The sign on a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "signs name themselves")]
pub enum Symbol {
    Triangle,
    Square,
    Circle,
    Plus,
    /// On the target for any robot.
    Spiral,
}
use Symbol::{Circle, Plus, Square, Triangle};

/// Two walls that meet at a corner of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Corner {
    NorthEast,
    SouthEast,
    SouthWest,
    NorthWest,
}

impl Corner {
    const fn walls(self) -> [Dir; 2] {
        match self {
            Self::NorthEast => [Dir::North, Dir::East],
            Self::SouthEast => [Dir::East, Dir::South],
            Self::SouthWest => [Dir::South, Dir::West],
            Self::NorthWest => [Dir::West, Dir::North],
        }
    }
}

/// A target printed on a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target {
    /// Where it is.
    pub cell: Cell,
    /// The robot that must reach it; `None` for any robot.
    pub robot: Option<Robot>,
    /// Its sign.
    pub symbol: Symbol,
}

/// A board with the targets printed on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrintedBoard {
    /// Walls.
    pub board: Board,
    /// The 16 targets, and the one for any robot.
    pub targets: Vec<Target>,
}

struct Spot {
    x: u16,
    y: u16,
    corner: Corner,
    robot: Option<Robot>,
    symbol: Symbol,
}

const fn t(x: u16, y: u16, corner: Corner, robot: Robot, symbol: Symbol) -> Spot {
    Spot { x, y, corner, robot: Some(robot), symbol }
}

const fn any(x: u16, y: u16, corner: Corner) -> Spot {
    Spot { x, y, corner, robot: None, symbol: Symbol::Spiral }
}

/// One side of a plate, drawn as the north-west quadrant: the centre is at its bottom right.
struct Quadrant {
    targets: [Spot; 4],
    any: Option<Spot>,
    /// The wall at the top edge stands to the east of this column.
    top: u16,
    /// The wall at the left edge stands to the south of this row.
    left: u16,
}

/// The two sides of the four plates.
const PLATES: [[Quadrant; 2]; 4] = [
    [
        Quadrant {
            targets: [
                t(6, 2, Corner::SouthEast, Yellow, Plus),
                t(1, 4, Corner::SouthWest, Red, Triangle),
                t(5, 6, Corner::NorthWest, Blue, Circle),
                t(3, 3, Corner::NorthEast, Green, Square),
            ],
            any: None,
            top: 1,
            left: 5,
        },
        Quadrant {
            targets: [
                t(3, 1, Corner::NorthEast, Blue, Circle),
                t(2, 3, Corner::NorthWest, Green, Square),
                t(1, 5, Corner::SouthWest, Red, Triangle),
                t(4, 4, Corner::SouthEast, Yellow, Plus),
            ],
            any: None,
            top: 5,
            left: 2,
        },
    ],
    [
        Quadrant {
            targets: [
                t(4, 4, Corner::NorthWest, Red, Square),
                t(1, 2, Corner::SouthWest, Yellow, Triangle),
                t(2, 6, Corner::SouthEast, Green, Circle),
                t(6, 1, Corner::NorthEast, Blue, Plus),
            ],
            any: None,
            top: 3,
            left: 4,
        },
        Quadrant {
            targets: [
                t(4, 4, Corner::SouthWest, Green, Circle),
                t(1, 3, Corner::NorthEast, Blue, Plus),
                t(5, 2, Corner::NorthWest, Yellow, Triangle),
                t(2, 1, Corner::SouthEast, Red, Square),
            ],
            any: None,
            top: 3,
            left: 5,
        },
    ],
    [
        Quadrant {
            targets: [
                t(5, 3, Corner::SouthWest, Red, Circle),
                t(3, 4, Corner::NorthEast, Blue, Triangle),
                t(1, 6, Corner::SouthEast, Yellow, Square),
                t(3, 1, Corner::NorthWest, Green, Plus),
            ],
            any: None,
            top: 4,
            left: 2,
        },
        Quadrant {
            targets: [
                t(6, 3, Corner::NorthWest, Green, Plus),
                t(2, 2, Corner::NorthEast, Blue, Triangle),
                t(5, 6, Corner::SouthWest, Red, Circle),
                t(4, 4, Corner::SouthEast, Yellow, Square),
            ],
            any: None,
            top: 3,
            left: 3,
        },
    ],
    [
        Quadrant {
            targets: [
                t(3, 6, Corner::SouthEast, Red, Plus),
                t(1, 2, Corner::NorthEast, Blue, Square),
                t(6, 3, Corner::NorthWest, Green, Triangle),
                t(2, 4, Corner::SouthWest, Yellow, Circle),
            ],
            any: Some(any(5, 6, Corner::SouthEast)),
            top: 5,
            left: 6,
        },
        Quadrant {
            targets: [
                t(6, 1, Corner::NorthWest, Yellow, Circle),
                t(6, 4, Corner::SouthEast, Blue, Square),
                t(4, 1, Corner::NorthEast, Red, Plus),
                t(1, 5, Corner::SouthWest, Green, Triangle),
            ],
            any: Some(any(3, 4, Corner::NorthEast)),
            top: 5,
            left: 4,
        },
    ],
];

/// The side of a quadrant.
const SIDE: u16 = 8;

/// The size of a board of four quadrants.
pub const BOARD_SIZE: Size = Size::new(2 * SIDE, 2 * SIDE);

/// How the plates lie: clockwise from the north-west, which plate and which side up.
pub type Layout = [(usize, usize); 4];

/// The layout that stands for "the board" where a format names none.
pub const STANDARD: Layout = [(0, 0), (1, 0), (2, 0), (3, 0)];

/// A random layout.
pub fn random_layout(rng: &mut Rng) -> Layout {
    let mut plates = [0, 1, 2, 3];
    rng.shuffle(&mut plates);
    plates.map(|plate| (plate, rng.below(2) as usize))
}

/// Puts the plates together.
pub fn assemble(layout: &Layout) -> PrintedBoard {
    let mut printed = PrintedBoard { board: Board::empty(BOARD_SIZE), targets: Vec::with_capacity(17) };
    for (turns, &(plate, side)) in layout.iter().enumerate() {
        lay(&mut printed, &PLATES[plate][side], turns as u8);
    }
    printed
}

/// Lays a quadrant after this many quarter turns clockwise, which also bring it to its place.
fn lay(printed: &mut PrintedBoard, quadrant: &Quadrant, turns: u8) {
    let place = |x: u16, y: u16| {
        let last = BOARD_SIZE.width - 1;
        let (x, y) = (0..turns).fold((x, y), |(x, y), _| (last - y, x));
        BOARD_SIZE.cell(x, y)
    };
    let turn = |dir: Dir| Dir::from_index(dir as u8 + turns);
    for spot in quadrant.targets.iter().chain(&quadrant.any) {
        let cell = place(spot.x, spot.y);
        for dir in spot.corner.walls() {
            printed.board.build_wall(cell, turn(dir));
        }
        printed.targets.push(Target { cell, robot: spot.robot, symbol: spot.symbol });
    }
    printed.board.build_wall(place(quadrant.top, 0), turn(Dir::East));
    printed.board.build_wall(place(0, quadrant.left), turn(Dir::South));
    for dir in [Dir::North, Dir::West] {
        printed.board.build_wall(place(SIDE - 1, SIDE - 1), turn(dir));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every layout obeys the rules of the game: a closed centre, 17 targets on different cells, each in a corner.
    #[test]
    fn every_layout_is_a_legal_board() {
        let mut rng = Rng::new(1);
        for _ in 0..300 {
            let printed = assemble(&random_layout(&mut rng));
            let board = &printed.board;
            assert_eq!(BOARD_SIZE.cells().filter(|&cell| board.is_closed(cell)).count(), 4);
            assert_eq!(printed.targets.len(), 17);
            for (index, target) in printed.targets.iter().enumerate() {
                assert!(printed.targets[..index].iter().all(|other| other.cell != target.cell));
                let walls = board.walls(target.cell);
                assert!([0b0011, 0b0110, 0b1100, 0b1001].contains(&walls), "{target:?}");
            }
            for robot in [Red, Green, Blue, Yellow] {
                let mut symbols: Vec<_> = printed
                    .targets
                    .iter()
                    .filter(|target| target.robot == Some(robot))
                    .map(|target| target.symbol as u8)
                    .collect();
                symbols.sort_unstable();
                assert_eq!(symbols, [0, 1, 2, 3], "{robot:?} has each symbol once");
            }
        }
    }
}
