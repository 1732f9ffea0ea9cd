//! The drawn format: a board that humans can read and write.
//!
//! ```text
//! ; id: small
//! ; target: red
//! +---+---+---+---+
//! | R         |   |
//! +   +   +   +   +
//! |     \b      B |
//! +   +---+   +   +
//! | r |         G |
//! +---+---+---+---+
//! ```
//!
//! Corners are `+`, walls `---` and `|`. A cell contains, in any order: a robot (`R G B Y S`), the target (the lower-case
//! letter of the robot that must reach it, or `*` for any robot), and a diagonal (`/` or `\`, followed by the lower-case
//! letter of the colour that passes, or by nothing if all robots turn). Header lines are optional: `id` and
//! `ricochet: yes`.

use damier_core::grid::{Cell, Dir, Size};
use damier_core::level::{LevelError, LevelText, Row};

use super::{Flaw, Level};
use crate::board::{Board, Diagonal, MAX_SIDE, Slope};
use crate::robot::Robot;

/// The number of text columns from one cell to the next.
const PITCH: usize = 4;

/// The robot that must reach a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Finisher {
    One(Robot),
    Any,
}

impl From<Option<Robot>> for Finisher {
    fn from(robot: Option<Robot>) -> Self {
        robot.map_or(Self::Any, Self::One)
    }
}

impl Finisher {
    const fn letter(self) -> char {
        match self {
            Self::One(robot) => robot.letter().to_ascii_lowercase(),
            Self::Any => '*',
        }
    }
}

/// The contents of a cell besides its diagonal.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Contents {
    pub robot: Option<Robot>,
    pub target: Option<Finisher>,
}

/// The contents of all cells of a drawing.
#[derive(Default)]
struct Pieces {
    robots: Vec<(Robot, Cell)>,
    /// The robot that must reach the target, and its cell.
    target: Option<(Option<Robot>, Cell)>,
}

/// Reads one level.
pub fn parse(text: &str) -> Result<Level, LevelError> {
    let text = LevelText::parse(text)?;
    let (board, pieces) = read(&text)?;
    let Some((target_robot, target)) = pieces.target else {
        return Err(LevelError::whole(
            "there is no target: write the small letter of a robot into a cell, or `*` for any robot",
        ));
    };
    let size = board.size();
    let place = |cell: Cell| {
        let (x, y) = size.xy(cell);
        (text.rows[usize::from(y) * 2 + 1].line, usize::from(x) * PITCH + 2)
    };
    let robots = pieces.robots.clone();
    let level = Level::new(board, pieces.robots, target, target_robot).map_err(|flaw| {
        let cell = match flaw {
            Flaw::RobotInClosedCell(robot) | Flaw::RobotOnRobot(robot, _) => {
                robots.iter().find(|&&(other, _)| other == robot).map(|&(_, cell)| cell)
            }
            Flaw::TargetInClosedCell | Flaw::TargetRobotMissing(_) => Some(target),
            Flaw::NoRobot => None,
        };
        let (line, column) = cell.map_or((0, 0), place);
        LevelError::at(line, column, flaw.to_string())
    })?;
    let ricochet = match text.header("ricochet") {
        None | Some("no") => false,
        Some("yes") => true,
        Some(other) => return Err(LevelError::whole(format!("`ricochet` is `yes` or `no`, not `{other}`"))),
    };
    Ok(level.with_id(text.header("id").map(str::to_owned)).with_must_ricochet(ricochet))
}

/// Reads a board without robots and target; drawing them is an error.
pub(super) fn parse_board(text: &LevelText<'_>) -> Result<Board, LevelError> {
    let (board, pieces) = read(text)?;
    if pieces.robots.is_empty() && pieces.target.is_none() {
        return Ok(board);
    }
    Err(LevelError::whole("robots and target stand in the query: draw the board without them"))
}

fn read(text: &LevelText<'_>) -> Result<(Board, Pieces), LevelError> {
    let size = size(text)?;
    let mut board = Board::empty(size);
    let mut pieces = Pieces::default();
    for (index, row) in text.rows.iter().enumerate() {
        let letters: Vec<char> = row.text.trim_end().chars().collect();
        if letters.len() > usize::from(size.width) * PITCH + 1 {
            let column = usize::from(size.width) * PITCH + 2;
            return Err(LevelError::at(row.line, column, "this row is longer than the top wall"));
        }
        if index.is_multiple_of(2) {
            read_walls(&mut board, row, &letters, index / 2)?;
        } else {
            read_cells(&mut board, &mut pieces, row, &letters, index / 2)?;
        }
    }
    Ok((board, pieces))
}

fn size(text: &LevelText<'_>) -> Result<Size, LevelError> {
    let top = &text.rows[0];
    let columns = top.text.trim_end().len();
    if columns < PITCH + 1 || columns % PITCH != 1 || !top.text.starts_with('+') {
        return Err(LevelError::at(top.line, 1, "the first row must be the top wall: `+---+---+` and so on"));
    }
    if text.rows.len() < 3 || text.rows.len().is_multiple_of(2) {
        let last = text.rows.last().map_or(0, |row| row.line);
        return Err(LevelError::at(last, 0, "the last row must be the bottom wall: `+---+---+` and so on"));
    }
    let (width, height) = (columns / PITCH, text.rows.len() / 2);
    if width > usize::from(MAX_SIDE) || height > usize::from(MAX_SIDE) {
        let message = format!("a board of {width} by {height} cells: each side may be at most {MAX_SIDE}");
        return Err(LevelError::at(top.line, 0, message));
    }
    Ok(Size::new(width as u16, height as u16))
}

/// Reads a row of corners and horizontal walls: those above the cells of row `y`.
fn read_walls(board: &mut Board, row: &Row<'_>, letters: &[char], y: usize) -> Result<(), LevelError> {
    let size = board.size();
    for x in 0..usize::from(size.width) {
        let wall: String = (1..PITCH).map(|offset| letters.get(x * PITCH + offset).unwrap_or(&' ')).collect();
        match wall.as_str() {
            "---" if y < usize::from(size.height) => {
                board.build_wall(size.cell(x as u16, y as u16), Dir::North);
            }
            "---" | "   " => {}
            other => {
                let message = format!("`{other}` is neither a wall `---` nor an opening of three spaces");
                return Err(LevelError::at(row.line, x * PITCH + 2, message));
            }
        }
    }
    for (index, &letter) in letters.iter().step_by(PITCH).enumerate() {
        if !matches!(letter, '+' | ' ' | '-' | '|') {
            let message = format!("`{letter}` stands where a corner `+` belongs");
            return Err(LevelError::at(row.line, index * PITCH + 1, message));
        }
    }
    Ok(())
}

fn read_cells(
    board: &mut Board,
    pieces: &mut Pieces,
    row: &Row<'_>,
    letters: &[char],
    y: usize,
) -> Result<(), LevelError> {
    let size = board.size();
    for x in 0..=usize::from(size.width) {
        let wall = letters.get(x * PITCH).copied().unwrap_or(' ');
        match wall {
            '|' if x < usize::from(size.width) => board.build_wall(size.cell(x as u16, y as u16), Dir::West),
            '|' | ' ' => {}
            other => {
                let message = format!("`{other}` stands between two cells: write `|` for a wall or a space");
                return Err(LevelError::at(row.line, x * PITCH + 1, message));
            }
        }
    }
    for x in 0..usize::from(size.width) {
        let cell = size.cell(x as u16, y as u16);
        let mut column = x * PITCH + 1;
        let end = (x + 1) * PITCH;
        while column < end.min(letters.len()) {
            let next = letters.get(column + 1).copied().filter(|_| column + 1 < end);
            let used = read_letter(board, pieces, cell, letters[column], next)
                .map_err(|message| LevelError::at(row.line, column + 1, message))?;
            column += used;
        }
    }
    Ok(())
}

/// Reads one item in a cell and returns its number of characters.
fn read_letter(
    board: &mut Board,
    pieces: &mut Pieces,
    cell: Cell,
    letter: char,
    next: Option<char>,
) -> Result<usize, String> {
    if matches!(letter, ' ' | '.') {
        return Ok(1);
    }
    if let Some(slope) = Slope::parse(letter) {
        let colour =
            next.filter(char::is_ascii_lowercase).and_then(|letter| Robot::parse(&letter.to_string()));
        board.put_diagonal(cell, Diagonal { slope, colour });
        return Ok(1 + usize::from(colour.is_some()));
    }
    let robot = Robot::parse(&letter.to_string());
    match robot {
        Some(robot) if letter.is_ascii_uppercase() => {
            if pieces.robots.iter().any(|&(other, _)| other == robot) {
                return Err(format!("the {} robot is drawn twice", robot.name()));
            }
            pieces.robots.push((robot, cell));
        }
        _ if robot.is_some() || letter == '*' => {
            if pieces.target.is_some() {
                return Err("a second target: a mission has one".to_owned());
            }
            pieces.target = Some((robot, cell));
        }
        _ => {
            return Err(format!(
                "`{letter}` is nothing that a cell holds: robots are R G B Y S, targets r g b y s or *, diagonals / and \\"
            ));
        }
    }
    Ok(1)
}

/// Prints the level with its header lines, or returns an error if the contents do not fit in a cell.
pub fn print(level: &Level) -> Result<String, LevelError> {
    let board = level.board();
    let contents = |cell: Cell| Contents {
        robot: level.robots().find(|&(_, at)| at == cell).map(|(robot, _)| robot),
        target: (level.target() == cell).then_some(level.target_robot().into()),
    };
    let crowded = |cell: &Cell| {
        let Contents { robot, target } = contents(*cell);
        robot.is_some() && target.is_some() && board.diagonal(*cell).is_some_and(|it| it.colour.is_some())
    };
    if let Some(cell) = board.size().cells().find(crowded) {
        let (x, y) = board.size().xy(cell);
        return Err(LevelError::whole(format!(
            "a drawing has no room for a robot, the target and a coloured diagonal in one cell, [{x}, {y}]"
        )));
    }
    let id = level.id().map(|id| format!("; id: {id}\n")).unwrap_or_default();
    let ricochet = if level.must_ricochet() { "; ricochet: yes\n" } else { "" };
    Ok(id + ricochet + &draw(board, contents))
}

/// Draws a board; `contents` returns the robot and the target on a cell.
pub(crate) fn draw(board: &Board, contents: impl Fn(Cell) -> Contents) -> String {
    let size = board.size();
    let mut text = String::new();
    for y in 0..size.height {
        let row = || (0..size.width).map(|x| size.cell(x, y));
        for cell in row() {
            text += if board.has_wall(cell, Dir::North) { "+---" } else { "+   " };
        }
        text += "+\n";
        for cell in row() {
            text.push(if board.has_wall(cell, Dir::West) { '|' } else { ' ' });
            text += &cell_text(contents(cell), board.diagonal(cell));
        }
        text += "|\n";
    }
    text + &"+---".repeat(usize::from(size.width)) + "+\n"
}

/// The three characters of a cell; a fourth one, the colour of a diagonal, is dropped.
fn cell_text(Contents { robot, target }: Contents, diagonal: Option<Diagonal>) -> String {
    let mut text = String::new();
    text.extend(target.map(Finisher::letter));
    text.extend(robot.map(Robot::letter));
    if let Some(Diagonal { slope, colour }) = diagonal {
        text.push(slope.letter());
        text.extend(colour.map(|robot| robot.letter().to_ascii_lowercase()));
    }
    text.truncate(3);
    match text.len() {
        0 => "   ".to_owned(),
        1 => format!(" {text} "),
        2 => format!(" {text}"),
        _ => text,
    }
}
