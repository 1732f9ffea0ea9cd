//! Seeded missions: boards of quadrants or free boards, random robots, and missions of a requested length.

use damier_core::game::Game;
use damier_core::grid::{Cell, Dir, Size};
use damier_core::random::{Chance, Rng};
use damier_kit::Cancel;

use crate::board::{Board, MAX_SIDE};
use crate::level::Level;
use crate::quadrants::{self, BOARD_SIZE, PrintedBoard, Symbol, Target};
use crate::robot::Robot;
use crate::rules::Rules;
use crate::solve::{SearchLimits, SearchOutcome, solve, solve_all};

/// The mission to generate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MissionRequest {
    /// Columns and rows; boards of 16 by 16 are assembled from quadrants.
    pub size: Size,
    /// The number of robots on the board, 1 to 5.
    pub robots: usize,
    /// The number of moves of a shortest solution.
    pub moves: Option<u32>,
    /// The number of robots that the simplest shortest solution moves.
    pub movers: Option<usize>,
    /// Whether the active robot must turn before it reaches the target.
    pub must_ricochet: bool,
}

impl Default for MissionRequest {
    fn default() -> Self {
        Self { size: BOARD_SIZE, robots: 4, moves: None, movers: None, must_ricochet: false }
    }
}

/// The number of random missions to try before giving up.
const TRIES: u32 = 20_000;

/// The minimum side of a board with room for targets.
const MIN_SIDE: u16 = 4;

/// Generates a mission unless cancelled; the same seed and request give the same mission.
pub fn mission(seed: u64, request: &MissionRequest, cancel: &Cancel) -> Result<Level, String> {
    if [request.size.width, request.size.height].iter().any(|side| !(MIN_SIDE..=MAX_SIDE).contains(side)) {
        return Err(format!("each side of a board must be {MIN_SIDE} to {MAX_SIDE} cells long"));
    }
    if !(1..=Robot::ALL.len()).contains(&request.robots) {
        return Err(format!("a board has from 1 to {} robots", Robot::ALL.len()));
    }
    let mut rng = Rng::new(seed);
    for _ in 0..TRIES {
        if cancel.is_cancelled() {
            return Err("cancelled".to_owned());
        }
        let level = random_mission(&mut rng, request);
        if matches(&level, request) {
            return Ok(level.with_id(Some(format!("mission-{seed}"))));
        }
    }
    Err(format!("none of {TRIES} random missions matches the request"))
}

/// A random mission on a random board, solvable or not.
pub fn random_mission(rng: &mut Rng, request: &MissionRequest) -> Level {
    let printed = if request.size == BOARD_SIZE {
        quadrants::assemble(&quadrants::random_layout(rng))
    } else {
        free_board(rng, request.size, request.robots)
    };
    let robots = place_robots(rng, &printed, request.robots);
    let possible: Vec<Target> = printed
        .targets
        .iter()
        .copied()
        .filter(|target| target.robot.is_none_or(|robot| robots.iter().any(|&(present, _)| present == robot)))
        .collect();
    let target = *rng.choose(&possible).expect("there is a target for any robot");
    Level::new(printed.board, robots, target.cell, target.robot)
        .expect("robots and targets are on different open cells")
        .with_must_ricochet(request.must_ricochet)
}

/// Places robots on random cells: never on a target, in a closed cell or on each other.
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

/// A board of any size: corners with targets and walls at the edges, with the same density as on quadrants.
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

fn matches(level: &Level, request: &MissionRequest) -> bool {
    let game = Rules::new(level.clone());
    let limits = SearchLimits { moves: request.moves, positions: Some(2_000_000), ..SearchLimits::default() };
    let start = game.start();
    let Some(movers) = request.movers else {
        let answer = solve(&game, &start, &limits, &mut |_| {});
        return answer.outcome == SearchOutcome::Solved
            && request.moves.is_none_or(|moves| answer.lower_bound == moves);
    };
    let (answer, solutions) = solve_all(&game, &start, &limits, 50);
    request.moves.is_none_or(|moves| answer.lower_bound == moves)
        && solutions.is_some_and(|solutions| {
            Robot::ALL
                .into_iter()
                .filter(|&robot| solutions.simplest.iter().any(|it| it.robot == robot))
                .count()
                == movers
        })
}

/// The solution length for a difficulty from 0 (easy) to 10 (hard): 2 to 16 moves.
pub fn moves_for(difficulty: f64) -> u32 {
    (2.0 + difficulty.clamp(0.0, 10.0) * 1.4).round() as u32
}
