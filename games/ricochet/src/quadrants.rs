//! Our own quadrants, and boards assembled from them.
//!
//! Four plates of 8 by 8 cells, each with two sides, surround the closed centre in any order. A side has four targets, one
//! of each colour and one of each symbol, each in the corner of two walls, and two walls at right angles to the outer
//! wall; the sides of the fourth plate also have the target for any robot.

use damier_core::grid::{Cell, Dir, Size};
use damier_core::random::{Chance, Rng};

use crate::board::Board;
use crate::robot::Robot::{self, Blue, Green, Red, Yellow};

/// The symbol of a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names are self-explanatory")]
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
    /// Its cell.
    pub cell: Cell,
    /// The robot that must reach it; `None` for any robot.
    pub robot: Option<Robot>,
    /// Its symbol.
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
    /// The wall at the top edge is east of this column.
    top: u16,
    /// The wall at the left edge is south of this row.
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

/// The arrangement of the plates: clockwise from the north-west, the plate and its upper side.
pub type Layout = [(usize, usize); 4];

/// The default layout for formats that do not include the board.
pub const STANDARD: Layout = [(0, 0), (1, 0), (2, 0), (3, 0)];

/// A random layout.
pub fn random_layout(rng: &mut Rng) -> Layout {
    let mut plates = [0, 1, 2, 3];
    rng.shuffle(&mut plates);
    plates.map(|plate| (plate, rng.below(2) as usize))
}

/// Assembles a board from the plates.
pub fn assemble(layout: &Layout) -> PrintedBoard {
    let mut printed = PrintedBoard { board: Board::empty(BOARD_SIZE), targets: Vec::with_capacity(17) };
    for (turns, &(plate, side)) in layout.iter().enumerate() {
        lay(&mut printed, &PLATES[plate][side], turns as u8);
    }
    printed
}

/// The layout of a board assembled from the plates; `None` for any other board.
pub fn recognize(board: &Board) -> Option<Layout> {
    if board.size() != BOARD_SIZE {
        return None;
    }
    // The sides of plates that fit in each quadrant: the board has all their walls.
    let fitting = |turns: u8| -> Vec<(usize, usize)> {
        let sides = (0..PLATES.len()).flat_map(|plate| [(plate, 0), (plate, 1)]);
        let fits = |&(plate, side): &(usize, usize)| {
            let mut alone = PrintedBoard { board: Board::empty(BOARD_SIZE), targets: Vec::new() };
            lay(&mut alone, &PLATES[plate][side], turns);
            BOARD_SIZE.cells().all(|cell| alone.board.walls(cell) & !board.walls(cell) == 0)
        };
        sides.filter(fits).collect()
    };
    let [first, second, third, fourth] = [0, 1, 2, 3].map(fitting);
    let layouts = first.iter().flat_map(|&a| second.iter().map(move |&b| (a, b)));
    let layouts = layouts.flat_map(|(a, b)| third.iter().map(move |&c| (a, b, c)));
    let mut layouts = layouts.flat_map(|(a, b, c)| fourth.iter().map(move |&d| [a, b, c, d]));
    layouts.find(|layout| assemble(layout).board == *board)
}

/// The targets printed on a board assembled from the plates; empty for any other board.
pub fn printed_targets(board: &Board) -> Vec<Target> {
    recognize(board).map(|layout| assemble(&layout).targets).unwrap_or_default()
}

/// The four cells in the middle of a board of four quadrants, if they are closed.
pub fn closed_centre(board: &Board) -> Option<[Cell; 4]> {
    let centre = [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(x, y)| BOARD_SIZE.cell(SIDE - 1 + x, SIDE - 1 + y));
    (board.size() == BOARD_SIZE && centre.iter().all(|&cell| board.is_closed(cell))).then_some(centre)
}

/// Places a quadrant after this many clockwise quarter turns, which also determine its position.
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
            let layout = random_layout(&mut rng);
            let printed = assemble(&layout);
            assert_eq!(recognize(&printed.board), Some(layout));
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

    #[test]
    fn other_boards_have_no_layout() {
        assert_eq!(recognize(&Board::empty(Size::new(8, 8))), None);
        let mut board = assemble(&STANDARD).board;
        board.build_wall(Cell(0), Dir::South);
        assert_eq!(recognize(&board), None);
    }
}
