//! The cells that one robot can reach while the others stay, and the corridors to the target.

use damier_core::grid::{Cell, Dir};

use crate::robot::Robot;
use crate::rules::{Action, Rules, State};

/// The number of moves a robot needs to stop on each cell while the others stay; `None` if it cannot.
///
/// ```
/// use damier_core::game::Game;
/// use damier_ricochet::{level::Level, reach, robot::Robot, rules::Rules};
/// let game = Rules::new(Level::parse("
/// +---+---+
/// | R   * |
/// +---+---+
/// ").unwrap());
/// assert_eq!(reach::distances(&game, &game.start(), Robot::Red), [Some(0), Some(1)]);
/// ```
pub fn distances(game: &Rules, state: &State, robot: Robot) -> Vec<Option<u32>> {
    let mut distances = vec![None; game.level().board().size().area()];
    let Some(start) = state.cell_of(robot) else { return distances };
    distances[start.index()] = Some(0);
    let mut frontier = vec![start];
    for moves in 1.. {
        let mut next = Vec::new();
        for &cell in &frontier {
            for (_, stop) in stops(game, state, robot, cell) {
                if distances[stop.index()].is_none() {
                    distances[stop.index()] = Some(moves);
                    next.push(stop);
                }
            }
        }
        if next.is_empty() {
            break;
        }
        frontier = next;
    }
    distances
}

/// The cells where a robot on `cell` would stop in each direction, while the others stay.
pub fn stops(game: &Rules, state: &State, robot: Robot, cell: Cell) -> impl Iterator<Item = (Dir, Cell)> {
    let mut state = state.clone();
    state.robots[robot.index()] = cell;
    Dir::ALL.into_iter().filter_map(move |dir| Some((dir, game.slide(&state, Action { robot, dir })?.0)))
}

/// A straight corridor to the target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Corridor {
    /// The direction in which a robot moves through it.
    pub dir: Dir,
    /// Its cells, from the one next to the target outwards.
    pub cells: Vec<Cell>,
    /// The cell where a blocker is missing, without which a robot would slide over the target; `None` if a wall or a robot
    /// stops it already.
    pub missing: Option<Cell>,
}

/// The corridors to the target: the cells that are one move away from it, and where a blocker is missing for that. A
/// corridor ends at a wall or a robot, and does not turn at diagonals.
pub fn corridors(game: &Rules, state: &State) -> Vec<Corridor> {
    let board = game.level().board();
    let target = game.level().target();
    let corridor = |dir: Dir| {
        let mut cells = Vec::new();
        let mut at = target;
        while let Some(next) = board.open_neighbour(at, dir.opposite()) {
            if board.diagonal(next).is_some() {
                break;
            }
            cells.push(next);
            at = next;
            if state.robot_on(next).is_some() {
                break;
            }
        }
        let missing = board.open_neighbour(target, dir).filter(|&beyond| state.robot_on(beyond).is_none());
        Corridor { dir, cells, missing }
    };
    let corridors = Dir::ALL.into_iter().map(corridor);
    corridors.filter(|corridor| !corridor.cells.is_empty()).collect()
}
