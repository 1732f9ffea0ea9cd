//! Boards in the format of the course's `case.pl`: one Prolog fact per cell.
//!
//! ```text
//! case(1,16,1,0,1,0).
//! ```
//!
//! The arguments are x and y, 1-based from the bottom left, and whether there is a wall above, below, to the left and to the right. The facts
//! do not include robots. A query of the course below them sets the mission; without one the robots are in the corners and blue must reach the
//! first corner of two walls.

use damier_core::grid::{Cell, Dir, Size};
use damier_core::level::LevelError;

use super::{Level, course};
use crate::board::{Board, MAX_SIDE};
use crate::robot::Robot;

/// The start of a fact.
const FACT: &str = "case(";

/// The order of the walls in a fact.
const SIDES: [Dir; 4] = [Dir::North, Dir::South, Dir::West, Dir::East];

/// Whether the text contains facts of cells.
pub fn is_case_file(text: &str) -> bool {
    text.lines().any(|line| facts(line).any(|(_, inner)| numbers(inner).is_some()))
}

/// Reads a board without a query.
pub fn parse(text: &str) -> Result<Level, LevelError> {
    let (board, mut notes) = parse_board(text)?;
    notes.push("the file sets no mission: the robots stand in the corners, add a query `jeu_1robot(…)` to change that".into());
    let size = board.size();
    let (right, bottom) = (size.width - 1, size.height - 1);
    let corners = [(0, 0), (right, 0), (right, bottom), (0, bottom)].map(|(x, y)| size.cell(x, y));
    let robots = [Robot::Blue, Robot::Green, Robot::Red, Robot::Yellow].into_iter().zip(corners).collect();
    let is_corner = |&cell: &Cell| {
        !corners.contains(&cell) && [0b0011, 0b0110, 0b1100, 0b1001].contains(&board.walls(cell))
    };
    let target = size.cells().find(is_corner).or_else(|| size.cells().find(|cell| !corners.contains(cell)));
    let target =
        target.ok_or_else(|| LevelError::whole("the board is too small for four robots and a target"))?;
    let level = Level::new(board, robots, target, Some(Robot::Blue));
    level.map(|level| level.with_notes(notes)).map_err(|flaw| LevelError::whole(flaw.to_string()))
}

/// Reads the facts. If only one of two neighbours has the wall between them, it is built, with a note.
pub fn parse_board(text: &str) -> Result<(Board, Vec<String>), LevelError> {
    let mut cells: Vec<((u16, u16), [bool; 4])> = Vec::new();
    for (index, line) in text.lines().enumerate() {
        for (column, inner) in facts(line) {
            let wrong = |why: &str| LevelError::at(index + 1, column, format!("`case({inner})`: {why}"));
            let Some([x, y, walls @ ..]) = numbers(inner) else {
                return Err(wrong("a cell has six numbers: x, y, and walls above, below, left and right"));
            };
            if !(1..=MAX_SIDE).contains(&x) || !(1..=MAX_SIDE).contains(&y) {
                return Err(wrong(&format!("x and y are from 1 to {MAX_SIDE}")));
            }
            if walls.iter().any(|&wall| wall > 1) {
                return Err(wrong("a wall is 0 or 1"));
            }
            // Like Prolog, this takes the first of two facts.
            if cells.iter().all(|&(place, _)| place != (x, y)) {
                cells.push(((x, y), walls.map(|wall| wall == 1)));
            }
        }
    }
    let width = cells.iter().map(|&((x, _), _)| x).max().unwrap_or(0);
    let height = cells.iter().map(|&((_, y), _)| y).max().unwrap_or(0);
    if width == 0 {
        return Err(LevelError::whole("there is no `case(X,Y,Haut,Bas,Gauche,Droit)`"));
    }
    let size = Size::new(width, height);
    let mut board = Board::empty(size);
    let mut given = vec![None; size.area()];
    for (place, walls) in cells {
        let cell = course::cell(size, place).expect("the size is that of the largest x and y");
        given[cell.index()] = Some(walls);
        for (dir, _) in SIDES.into_iter().zip(walls).filter(|&(_, wall)| wall) {
            board.build_wall(cell, dir);
        }
    }
    if let Some(missing) = size.cells().find(|cell| given[cell.index()].is_none()) {
        let (x, y) = course::point(size, missing);
        return Err(LevelError::whole(format!("there is no `case({x},{y},…)`")));
    }
    let has = |cell: Cell, dir: Dir| {
        SIDES.into_iter().zip(given[cell.index()].unwrap_or_default()).any(|(side, wall)| side == dir && wall)
    };
    let mut notes = Vec::new();
    for cell in size.cells() {
        for dir in Dir::ALL {
            if let Some(neighbour) =
                size.step(cell, dir).filter(|&next| has(cell, dir) && !has(next, dir.opposite()))
            {
                let ((x, y), (nx, ny)) = (course::point(size, cell), course::point(size, neighbour));
                notes.push(format!("({x},{y}) has a wall towards ({nx},{ny}), which has none: it is closed"));
            }
        }
    }
    Ok((board, notes))
}

/// The board as facts, and the query in a comment, so that Prolog can read the file.
pub fn print(level: &Level) -> Result<String, LevelError> {
    let (board, query) = (level.board(), course::print_query(level)?);
    let size = board.size();
    if size.cells().any(|cell| board.diagonal(cell).is_some()) {
        return Err(LevelError::whole("the course's format cannot hold this level: it has no diagonals"));
    }
    let fact = |cell: Cell| {
        let (x, y) = course::point(size, cell);
        let walls = SIDES.map(|dir| if board.has_wall(cell, dir) { "1" } else { "0" });
        format!("case({x},{y},{}).\n", walls.join(","))
    };
    let facts: String = size.cells().map(fact).collect();
    Ok(format!("{facts}% {query}"))
}

/// The arguments of the facts in a line, with their columns. Comments are skipped.
fn facts(line: &str) -> impl Iterator<Item = (usize, &str)> {
    let code = line.split('%').next().unwrap_or_default();
    code.match_indices(FACT).filter_map(move |(at, _)| {
        let before = code[..at].chars().next_back();
        let inner = code[at + FACT.len()..].split(')').next()?;
        let begins = before.is_none_or(|letter| !letter.is_alphanumeric() && letter != '_');
        begins.then(|| (code[..at].chars().count() + 1, inner))
    })
}

fn numbers(inner: &str) -> Option<[u16; 6]> {
    let all: Option<Vec<u16>> = inner.split(',').map(|word| word.trim().parse().ok()).collect();
    all?.try_into().ok()
}
