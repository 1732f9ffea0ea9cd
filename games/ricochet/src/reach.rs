//! What one robot can do while the others stay where they are: the cells it reaches, and the corridors to the target.

use damier_core::grid::{Cell, Dir};

use crate::robot::Robot;
use crate::rules::{Action, Rules, State};

/// The number of moves a robot needs to stop on each cell while the others stay; nothing where it cannot.
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

/// Where a robot stops in each direction if it were on `cell`, the others staying.
pub fn stops(game: &Rules, state: &State, robot: Robot, cell: Cell) -> impl Iterator<Item = (Dir, Cell)> {
    let mut state = state.clone();
    state.robots[robot.index()] = cell;
    Dir::ALL.into_iter().filter_map(move |dir| Some((dir, game.slide(&state, Action { robot, dir })?.0)))
}

/// A straight way into the target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Corridor {
    /// The direction in which a robot comes through it.
    pub dir: Dir,
    /// Its cells, from the one next to the target outwards.
    pub cells: Vec<Cell>,
    /// Where an obstacle is missing: without it a robot would slide over the target. Nothing if a wall or a robot stops
    /// it already.
    pub missing: Option<Cell>,
}

/// The corridors of the target, seen backwards from it: the cells from which it is one move away, and where an obstacle
/// is missing for that. A corridor ends at a wall or at a robot that is in the way, and does not turn at diagonals.
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
