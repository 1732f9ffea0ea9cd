//! Seeded missions: boards of quadrants or free boards, robots at random, and missions of a wanted length.

use damier_core::game::Game;
use damier_core::grid::{Cell, Dir, Size};
use damier_core::random::{Chance, Rng};

use crate::board::{Board, MAX_SIDE};
use crate::level::Level;
use crate::quadrants::{self, BOARD_SIZE, PrintedBoard, Symbol, Target};
use crate::robot::Robot;
use crate::rules::Rules;
use crate::solve::{SearchLimits, SearchOutcome, solve, solve_all};

/// The mission to generate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wish {
    /// Columns and rows; boards of 16 by 16 are put together from quadrants.
    pub size: Size,
    /// How many robots are on the board, 1 to 5.
    pub robots: usize,
    /// The number of moves of a shortest solution.
    pub moves: Option<u32>,
    /// The number of robots that a simplest shortest solution moves.
    pub movers: Option<usize>,
    /// Must the active robot turn before it reaches the target?
    pub must_ricochet: bool,
}

impl Default for Wish {
    fn default() -> Self {
        Self { size: BOARD_SIZE, robots: 4, moves: None, movers: None, must_ricochet: false }
    }
}

/// Missions tried before a wish is given up.
const TRIES: u32 = 20_000;

/// The smallest side of a board that has room for targets.
const MIN_SIDE: u16 = 4;

/// A mission as wished; the same seed and wish give the same one.
pub fn mission(seed: u64, wish: &Wish) -> Result<Level, String> {
    if [wish.size.width, wish.size.height].iter().any(|side| !(MIN_SIDE..=MAX_SIDE).contains(side)) {
        return Err(format!("each side of a board must be from {MIN_SIDE} to {MAX_SIDE}"));
    }
    if !(1..=Robot::ALL.len()).contains(&wish.robots) {
        return Err(format!("a board has from 1 to {} robots", Robot::ALL.len()));
    }
    let mut rng = Rng::new(seed);
    for _ in 0..TRIES {
        let level = random_mission(&mut rng, wish);
        if fulfils(&level, wish) {
            return Ok(level.with_id(Some(format!("mission-{seed}"))));
        }
    }
    Err(format!("none of {TRIES} random missions was as wished"))
}

/// Any mission on a random board, solvable or not.
pub fn random_mission(rng: &mut Rng, wish: &Wish) -> Level {
    let printed = if wish.size == BOARD_SIZE {
        quadrants::assemble(&quadrants::random_layout(rng))
    } else {
        free_board(rng, wish.size, wish.robots)
    };
    let robots = place_robots(rng, &printed, wish.robots);
    let possible: Vec<Target> = printed
        .targets
        .iter()
        .copied()
        .filter(|target| target.robot.is_none_or(|robot| robots.iter().any(|&(present, _)| present == robot)))
        .collect();
    let target = *rng.choose(&possible).expect("there is a target for any robot");
    Level::new(printed.board, robots, target.cell, target.robot)
        .expect("robots and targets are on different open cells")
        .with_must_ricochet(wish.must_ricochet)
}

/// Robots on random cells: never on a target, in a closed cell or on one another.
pub fn place_robots(rng: &mut Rng, printed: &PrintedBoard, count: usize) -> Vec<(Robot, Cell)> {
    let size = printed.board.size();
    let mut cells: Vec<Cell> = size
        .cells()
        .filter(|&cell| {
            !printed.board.is_closed(cell) && printed.targets.iter().all(|target| target.cell != cell)
        })
        .collect();
    rng.shuffle(&mut cells);
    Robot::ALL.into_iter().take(count).zip(cells).collect()
}

/// A board of any size: corners with targets and walls at the edges, as many as quadrants have for their area.
fn free_board(rng: &mut Rng, size: Size, robots: usize) -> PrintedBoard {
    let mut board = Board::empty(size);
    let mut spots: Vec<Cell> = size
        .cells()
        .filter(|&cell| {
            let (x, y) = size.xy(cell);
            x > 0 && y > 0 && x + 1 < size.width && y + 1 < size.height
        })
        .collect();
    rng.shuffle(&mut spots);
    let mut corners: Vec<Cell> = Vec::new();
    for cell in spots {
        let (x, y) = size.xy(cell);
        let apart = |&other: &Cell| {
            let (ox, oy) = size.xy(other);
            x.abs_diff(ox).max(y.abs_diff(oy)) > 1
        };
        if corners.len() < size.area().div_ceil(16) && corners.iter().all(apart) {
            corners.push(cell);
        }
    }
    let mut targets = Vec::with_capacity(corners.len());
    for (index, &cell) in corners.iter().enumerate() {
        let dir = Dir::from_index(rng.below(4) as u8);
        board.build_wall(cell, dir);
        board.build_wall(cell, dir.right());
        let robot = index.checked_sub(1).map(|index| Robot::ALL[index % robots]);
        targets.push(Target { cell, robot, symbol: Symbol::Spiral });
    }
    for _ in 0..(size.width + size.height) / 4 {
        let (x, y) = (rng.below(u32::from(size.width)) as u16, rng.below(u32::from(size.height)) as u16);
        let (cell, dir) = match rng.below(4) {
            0 => (size.cell(x, 0), Dir::East),
            1 => (size.cell(x, size.height - 1), Dir::East),
            2 => (size.cell(0, y), Dir::South),
            _ => (size.cell(size.width - 1, y), Dir::South),
        };
        board.build_wall(cell, dir);
    }
    PrintedBoard { board, targets }
}

fn fulfils(level: &Level, wish: &Wish) -> bool {
    let game = Rules::new(level.clone());
    let limits = SearchLimits { moves: wish.moves, positions: Some(2_000_000), ..SearchLimits::default() };
    let start = game.start();
    let Some(movers) = wish.movers else {
        let answer = solve(&game, &start, &limits, &mut |_| {});
        return answer.outcome == SearchOutcome::Solved
            && wish.moves.is_none_or(|moves| answer.lower_bound == moves);
    };
    let (answer, solutions) = solve_all(&game, &start, &limits, 50);
    wish.moves.is_none_or(|moves| answer.lower_bound == moves)
        && solutions.is_some_and(|solutions| {
            Robot::ALL
                .into_iter()
                .filter(|&robot| solutions.simplest.iter().any(|it| it.robot == robot))
                .count()
                == movers
        })
}

/// The length of solution that a difficulty from 0 (easy) to 10 (hard) stands for: 2 to 16 moves.
pub fn moves_for(difficulty: f64) -> u32 {
    (2.0 + difficulty.clamp(0.0, 10.0) * 1.4).round() as u32
}
