//! The course's coordinates: 1-based, (1, 1) at the bottom left, y upwards.
//!
//! A level is the course's query, alone (on our standard board), below a drawn board without robots and target, or below the facts of a
//! [`cases`] board:
//!
//! ```text
//! jeu_1robot(5,2,14,10,3,3,9,16,rbtVert,15,7,Chemin,NbCoups)
//! ```
//!
//! The arguments are x and y of the blue, green, red and yellow robot, the robot that must reach the target, and x and y
//! of the target. The answer is the robot's path: its start and the cells where it stops, `14,10|4,10|4,1`.

use damier_core::grid::{Cell, Size};
use damier_core::level::{LevelError, LevelText};

use super::{Flaw, Level, cases, drawn};
use crate::board::Board;
use crate::quadrants;
use crate::robot::Robot;

/// The start of a query.
pub const QUERY: &str = "jeu_1robot(";

/// The order of the robots in a query, with the course's names.
const ROBOTS: [(Robot, &str); 4] = [
    (Robot::Blue, "rbtBleu"),
    (Robot::Green, "rbtVert"),
    (Robot::Red, "rbtRouge"),
    (Robot::Yellow, "rbtJaune"),
];

/// The course's coordinates of a cell.
///
/// ```
/// use damier_core::grid::{Cell, Size};
/// assert_eq!(damier_ricochet::level::course::point(Size::new(16, 16), Cell(0)), (1, 16));
/// ```
pub fn point(size: Size, cell: Cell) -> (u16, u16) {
    let (x, y) = size.xy(cell);
    (x + 1, size.height - y)
}

/// The cell at the course's coordinates, if it is on the board.
pub fn cell(size: Size, (x, y): (u16, u16)) -> Option<Cell> {
    let inside = (1..=size.width).contains(&x) && (1..=size.height).contains(&y);
    inside.then(|| size.cell(x - 1, size.height - y))
}

/// A path in the course's notation: `14,10|4,10|4,1`.
pub fn answer(size: Size, way: &[Cell]) -> String {
    let points: Vec<String> = way
        .iter()
        .map(|&cell| {
            let (x, y) = point(size, cell);
            format!("{x},{y}")
        })
        .collect();
    points.join("|")
}

/// Parses a path in the course's notation; `None` if it is not on this board.
pub fn parse_answer(size: Size, answer: &str) -> Option<Vec<Cell>> {
    let point = |text: &str| {
        let (x, y) = text.split_once(',')?;
        cell(size, (x.trim().parse().ok()?, y.trim().parse().ok()?))
    };
    answer.split('|').map(point).collect()
}

/// Reads a query, with or without a drawn board.
pub fn parse(text: &str) -> Result<Level, LevelError> {
    let (line, query) = text
        .lines()
        .enumerate()
        .find(|(_, line)| line.contains(QUERY))
        .ok_or_else(|| LevelError::whole(format!("there is no query `{QUERY}…)`")))?;
    // The query is replaced by an empty line, so that line numbers of errors stay right.
    let rest: Vec<&str> = text.lines().map(|line| if line.contains(QUERY) { "" } else { line }).collect();
    let rest_text = rest.join("\n");
    let (board, notes) = if rest_text.trim().is_empty() {
        (quadrants::assemble(&quadrants::STANDARD).board, Vec::new())
    } else if cases::is_case_file(&rest_text) {
        cases::parse_board(&rest_text)?
    } else {
        (drawn::parse_board(&LevelText::parse(&rest_text)?)?, Vec::new())
    };
    read_query(board, line + 1, query).map(|level| level.with_notes(notes))
}

fn read_query(board: Board, line: usize, query: &str) -> Result<Level, LevelError> {
    let begin = query.find(QUERY).map_or(0, |at| at + QUERY.len());
    let column_at = |offset: usize| query[..offset].chars().count() + 1;
    let inner = query[begin..].split(')').next().unwrap_or_default();
    let mut offset = begin;
    let arguments: Vec<(usize, &str)> = inner
        .split(',')
        .map(|argument| {
            let column = column_at(offset + (argument.len() - argument.trim_start().len()));
            offset += argument.len() + 1;
            (column, argument.trim())
        })
        .collect();
    if arguments.len() != 13 {
        let message = format!("the query has {} arguments, `jeu_1robot` has 13", arguments.len());
        return Err(LevelError::at(line, column_at(begin), message));
    }
    let size = board.size();
    let place = |index: usize| {
        let number = |(column, text): (usize, &str)| {
            let wrong = || LevelError::at(line, column, format!("`{text}` is not a coordinate"));
            text.parse::<u16>().map_err(|_| wrong())
        };
        let (column, _) = arguments[index];
        let (x, y) = (number(arguments[index])?, number(arguments[index + 1])?);
        let outside = || LevelError::at(line, column, format!("({x}, {y}) is outside the board"));
        cell(size, (x, y)).ok_or_else(outside)
    };
    let mut robots = Vec::with_capacity(ROBOTS.len());
    for (index, (robot, _)) in ROBOTS.into_iter().enumerate() {
        robots.push((robot, place(2 * index)?));
    }
    let (column, name) = arguments[8];
    let Some((target_robot, _)) = ROBOTS.into_iter().find(|(_, word)| *word == name) else {
        let message = format!("`{name}` is no robot: rbtBleu, rbtVert, rbtRouge or rbtJaune");
        return Err(LevelError::at(line, column, message));
    };
    Level::new(board, robots, place(9)?, Some(target_robot)).map_err(|flaw| {
        let argument = match flaw {
            Flaw::RobotInClosedCell(robot) | Flaw::RobotOnRobot(robot, _) => {
                ROBOTS.iter().position(|&(other, _)| other == robot).map_or(0, |index| 2 * index)
            }
            Flaw::TargetInClosedCell | Flaw::TargetRobotMissing(_) | Flaw::NoRobot => 9,
        };
        LevelError::at(line, arguments[argument].0, flaw.to_string())
    })
}

/// The level as a drawn board and a query, if the course's format supports it.
pub fn print(level: &Level) -> Result<String, LevelError> {
    let query = print_query(level)?;
    Ok(drawn::draw(level.board(), |_| drawn::Contents::default()) + &query)
}

/// The query for the level as one line, if the course's format supports it.
pub fn print_query(level: &Level) -> Result<String, LevelError> {
    let cannot =
        |why: &str| Err(LevelError::whole(format!("the course's format cannot hold this level: {why}")));
    let size = level.board().size();
    if level.robots().count() != ROBOTS.len() {
        return cannot("it has exactly the blue, green, red and yellow robot");
    }
    if level.must_ricochet() {
        return cannot("it has no rule that robots must ricochet");
    }
    let Some((_, name)) =
        level.target_robot().and_then(|robot| ROBOTS.into_iter().find(|&(other, _)| other == robot))
    else {
        return cannot("its missions name one robot");
    };
    let place = |cell: Cell| {
        let (x, y) = point(size, cell);
        format!("{x},{y}")
    };
    let cells = ROBOTS.into_iter().filter_map(|(robot, _)| level.robots().find(|&(other, _)| other == robot));
    let cells: Vec<String> = cells.map(|(_, cell)| place(cell)).collect();
    if cells.len() != ROBOTS.len() {
        return cannot("it has exactly the blue, green, red and yellow robot");
    }
    let (robots, target) = (cells.join(","), place(level.target()));
    Ok(format!("{QUERY}{robots},{name},{target},Chemin,NbCoups)\n"))
}
