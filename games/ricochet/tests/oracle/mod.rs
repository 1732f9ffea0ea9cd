//! An exhaustive breadth-first search that shares nothing with the solver but the board: it slides cell by cell.

use std::collections::HashMap;

use damier_core::grid::{Cell, Dir};
use damier_ricochet::level::Level;
use damier_ricochet::robot::Robot;

/// A robot's cell, and the axes on which it has moved (bit 0 north-south, bit 1 east-west) or 3 once it has turned.
type Position = Vec<(u16, u8)>;

/// What the search found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// The number of moves of a shortest solution, and the number of shortest solutions.
    Solved(u32, u64),
    /// There is no solution.
    Unsolvable,
    /// It would take more moves or positions than allowed.
    TooMuch,
}

/// Searches up to `depth` moves and about `most` positions.
pub fn search(level: &Level, depth: u32, most: usize) -> Found {
    let robots: Vec<(Robot, Cell)> = level.robots().collect();
    let start: Position = robots.iter().map(|&(_, cell)| (cell.0, 0)).collect();
    let solved = |position: &Position| {
        position.iter().zip(&robots).any(|(&(cell, axes), &(robot, _))| {
            cell == level.target().0
                && level.target_robot().is_none_or(|wanted| wanted == robot)
                && (!level.must_ricochet() || axes == 3)
        })
    };
    if solved(&start) {
        return Found::Solved(0, 1);
    }
    let mut seen: HashMap<Position, u32> = HashMap::from([(start.clone(), 0)]);
    let mut frontier: HashMap<Position, u64> = HashMap::from([(start, 1)]);
    for moves in 1..=depth {
        let mut next: HashMap<Position, u64> = HashMap::new();
        for (position, ways) in &frontier {
            for (index, &(robot, _)) in robots.iter().enumerate() {
                for dir in Dir::ALL {
                    let Some(child) = slide(level, position, index, robot, dir) else { continue };
                    if *seen.entry(child.clone()).or_insert(moves) == moves {
                        *next.entry(child).or_insert(0) += ways;
                    }
                }
            }
        }
        let ways: u64 = next.iter().filter(|(position, _)| solved(position)).map(|(_, ways)| ways).sum();
        if ways > 0 {
            return Found::Solved(moves, ways);
        }
        if next.is_empty() {
            return Found::Unsolvable;
        }
        if seen.len() > most {
            return Found::TooMuch;
        }
        frontier = next;
    }
    Found::TooMuch
}

fn slide(level: &Level, position: &Position, index: usize, robot: Robot, dir: Dir) -> Option<Position> {
    let board = level.board();
    let start = Cell(position[index].0);
    let (mut at, mut heading) = (start, dir);
    let mut turned = false;
    let mut crossed_diagonal = false;
    while !board.has_wall(at, heading) {
        let next = board.size().step(at, heading)?;
        if position.iter().enumerate().any(|(other, &(cell, _))| other != index && cell == next.0) {
            break;
        }
        turned |= crossed_diagonal;
        at = next;
        if let Some(diagonal) = board.diagonal(at)
            && diagonal.colour != Some(robot)
        {
            heading = diagonal.slope.turn(heading);
            crossed_diagonal = true;
        }
        if at == start && heading == dir {
            return None;
        }
    }
    if at == start && !turned {
        return None;
    }
    let mut child = position.clone();
    let axis = if matches!(dir, Dir::North | Dir::South) { 1 } else { 2 };
    let axes = if !level.must_ricochet() {
        0
    } else if turned {
        3
    } else {
        position[index].1 | axis
    };
    child[index] = (at.0, axes);
    Some(child)
}
