//! The JSON format: one level per line.
//!
//! ```json
//! {"id":"first","size":2,"walls":[9,3,12,6],"robots":{"red":[0,0]},"target_robot":"red","target":[1,1]}
//! ```
//!
//! `size` is the side of a square or `[columns, rows]`; `walls` has a bit mask for every cell, row by row from the top
//! (north 1, east 2, south 4, west 8); cells are `[x, y]` from `[0, 0]` at the top left; a `target_robot` of `null` means
//! any robot. Optional: `"ricochet": true` (the active robot must turn before it reaches the target) and
//! `"diagonals": [{"at": [3, 4], "slope": "/", "colour": "red"}]`. A mission on a board of the course's panels may have
//! the course's numbers for it: `"sides": [0, 1, 0, 0]` (which side of each panel is up: north-west, north-east,
//! south-west, south-east) and `"number": 14` (of the target). Other keys are ignored.

use std::collections::BTreeMap;

use damier_core::grid::{Cell, Dir, Size};
use damier_core::level::LevelError;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Flaw, Level, Panels};
use crate::board::{Board, Diagonal, MAX_SIDE, Slope, wall_bit};
use crate::robot::Robot;

#[derive(Deserialize)]
#[serde(untagged)]
enum Side {
    Square(u16),
    Both(u16, u16),
}

#[derive(Deserialize)]
struct Mission {
    id: Option<Value>,
    size: Side,
    walls: Vec<u8>,
    robots: BTreeMap<Robot, (u16, u16)>,
    target_robot: Option<Robot>,
    target: (u16, u16),
    #[serde(default)]
    ricochet: bool,
    #[serde(default)]
    diagonals: Vec<DiagonalAt>,
    sides: Option<[u8; 4]>,
    number: Option<u8>,
}

#[derive(Deserialize)]
struct DiagonalAt {
    at: (u16, u16),
    slope: char,
    colour: Option<Robot>,
}

/// Reads one level.
pub fn parse(text: &str) -> Result<Level, LevelError> {
    let mission: Mission =
        serde_json::from_str(text).map_err(|error| at(error.line(), error.column(), &error))?;
    let board = board(&mission, text)?;
    let cell = |key: &str, (x, y): (u16, u16), what: &str| {
        if board.size().contains(x as i16, y as i16) {
            Ok(board.size().cell(x, y))
        } else {
            Err(located(text, &[key], 0, format!("{what} [{x}, {y}] is outside the board")))
        }
    };
    let robots: Vec<(Robot, Cell)> = mission
        .robots
        .iter()
        .map(|(&robot, &place)| {
            Ok((robot, cell(robot.name(), place, &format!("the {} robot at", robot.name()))?))
        })
        .collect::<Result<_, LevelError>>()?;
    let target = cell("target", mission.target, "the target")?;
    let level = Level::new(board, robots, target, mission.target_robot)
        .map_err(|flaw| located(text, keys_of(flaw), 0, flaw.to_string()))?;
    let id = mission.id.map(|id| id.as_str().map_or_else(|| id.to_string(), str::to_owned));
    let panels = panels(mission.sides, mission.number)
        .map_err(|(key, message)| located(text, &[key], 0, message.to_owned()))?;
    Ok(level.with_id(id).with_must_ricochet(mission.ricochet).with_panels(panels))
}

/// The course's numbers, or the invalid key and the reason.
fn panels(
    sides: Option<[u8; 4]>,
    number: Option<u8>,
) -> Result<Option<Panels>, (&'static str, &'static str)> {
    match (sides, number) {
        (None, None) => Ok(None),
        (Some(_), None) => Err(("sides", "`sides` of panels need the `number` of the target")),
        (None, Some(_)) => Err(("number", "the `number` of a target needs the `sides` of the panels")),
        (Some(sides), _) if sides.iter().any(|&side| side > 1) => {
            Err(("sides", "the side of a panel is 0 or 1"))
        }
        (Some(_), Some(17..)) => Err(("number", "the number of a target is from 0 to 16")),
        (Some(sides), Some(number)) => Ok(Some(Panels { sides, number })),
    }
}

/// The keys of the value with this flaw.
fn keys_of(flaw: Flaw) -> &'static [&'static str] {
    const ROBOTS: [[&str; 2]; 5] = [
        ["robots", "red"],
        ["robots", "green"],
        ["robots", "blue"],
        ["robots", "yellow"],
        ["robots", "silver"],
    ];
    match flaw {
        Flaw::NoRobot => &["robots"],
        Flaw::RobotInClosedCell(robot) | Flaw::RobotOnRobot(robot, _) => &ROBOTS[robot.index()],
        Flaw::TargetInClosedCell => &["target"],
        Flaw::TargetRobotMissing(_) => &["target_robot"],
    }
}

fn board(mission: &Mission, text: &str) -> Result<Board, LevelError> {
    let (width, height) = match mission.size {
        Side::Square(side) => (side, side),
        Side::Both(width, height) => (width, height),
    };
    if !(1..=MAX_SIDE).contains(&width) || !(1..=MAX_SIDE).contains(&height) {
        let message = format!("a board of {width} by {height} cells: each side must be from 1 to {MAX_SIDE}");
        return Err(located(text, &["size"], 0, message));
    }
    let size = Size::new(width, height);
    if mission.walls.len() != size.area() {
        let message = format!(
            "`walls` has {} numbers, a board of {width} by {height} has {} cells",
            mission.walls.len(),
            size.area()
        );
        return Err(located(text, &["walls"], 0, message));
    }
    let mut board = Board::empty(size);
    for cell in size.cells() {
        build_walls(&mut board, &mission.walls, cell)
            .map_err(|message| located(text, &["walls"], cell.index(), message))?;
    }
    for diagonal in &mission.diagonals {
        put_diagonal(&mut board, diagonal).map_err(|message| located(text, &["diagonals"], 0, message))?;
    }
    Ok(board)
}

fn build_walls(board: &mut Board, walls: &[u8], cell: Cell) -> Result<(), String> {
    let size = board.size();
    let (x, y) = size.xy(cell);
    let mask = walls[cell.index()];
    if mask > 15 {
        return Err(format!("the walls of [{x}, {y}] are {mask}: a mask of four sides is at most 15"));
    }
    for dir in Dir::ALL.into_iter().filter(|&dir| mask & wall_bit(dir) != 0) {
        if let Some(neighbour) = size.step(cell, dir)
            && walls[neighbour.index()] & wall_bit(dir.opposite()) == 0
        {
            let (nx, ny) = size.xy(neighbour);
            return Err(format!(
                "the walls disagree: [{x}, {y}] has a wall to the {}, but its neighbour [{nx}, {ny}] has none to the {}",
                dir.name(),
                dir.opposite().name()
            ));
        }
        board.build_wall(cell, dir);
    }
    Ok(())
}

fn put_diagonal(board: &mut Board, diagonal: &DiagonalAt) -> Result<(), String> {
    let (x, y) = diagonal.at;
    if !board.size().contains(x as i16, y as i16) {
        return Err(format!("the diagonal at [{x}, {y}] is outside the board"));
    }
    let slope = Slope::parse(diagonal.slope)
        .ok_or_else(|| format!("a diagonal's slope is `/` or `\\`, not `{}`", diagonal.slope))?;
    board.put_diagonal(board.size().cell(x, y), Diagonal { slope, colour: diagonal.colour });
    Ok(())
}

fn at(line: usize, column: usize, error: &serde_json::Error) -> LevelError {
    let message = error.to_string();
    let message = message.split(" at line ").next().unwrap_or_default();
    LevelError::at(line, column, message)
}

/// An error at the value of nested keys, or at the `index`-th number of the list there.
fn located(text: &str, keys: &[&str], index: usize, message: String) -> LevelError {
    let mut offset = 0;
    for key in keys {
        let quoted = format!("\"{key}\"");
        offset = text[offset..].find(&quoted).map_or(offset, |found| offset + found + quoted.len());
    }
    let value = text[offset..].find([':', '[']).map_or(offset, |colon| offset + colon + 1);
    let item = text[value..].match_indices(',').nth(index.wrapping_sub(1)).filter(|_| index > 0);
    let start = item.map_or(value, |(comma, _)| value + comma + 1);
    let start =
        start + (text[start..].len() - text[start..].trim_start_matches([' ', '[', '\n', '\r']).len());
    let before = &text[..start];
    let line_start = before.rfind('\n').map_or(0, |end| end + 1);
    LevelError::at(before.matches('\n').count() + 1, before[line_start..].chars().count() + 1, message)
}

/// The keys and values of a level, with the current positions of the robots.
pub(crate) fn fields(
    level: &Level,
    robots: impl Iterator<Item = (Robot, Cell)>,
) -> Vec<(&'static str, Value)> {
    let board = level.board();
    let size = board.size();
    let mut fields = Vec::with_capacity(8);
    if let Some(id) = level.id() {
        fields.push(("id", json!(id)));
    }
    fields.push((
        "size",
        if size.width == size.height { json!(size.width) } else { json!([size.width, size.height]) },
    ));
    fields.push(("walls", size.cells().map(|cell| board.walls(cell)).collect()));
    let robots: serde_json::Map<String, Value> =
        robots.map(|(robot, cell)| (robot.name().to_owned(), json!(size.xy(cell)))).collect();
    fields.push(("robots", robots.into()));
    fields.push(("target_robot", json!(level.target_robot())));
    fields.push(("target", json!(size.xy(level.target()))));
    if level.must_ricochet() {
        fields.push(("ricochet", json!(true)));
    }
    if let Some(Panels { sides, number }) = level.panels() {
        fields.push(("sides", json!(sides)));
        fields.push(("number", json!(number)));
    }
    if board.has_diagonals() {
        let diagonals = size.cells().filter_map(|cell| {
            let Diagonal { slope, colour } = board.diagonal(cell)?;
            Some(json!({"at": size.xy(cell), "slope": slope.letter(), "colour": colour}))
        });
        fields.push(("diagonals", diagonals.collect()));
    }
    fields
}

/// The level as one line.
pub fn print(level: &Level) -> String {
    let pairs: Vec<String> =
        fields(level, level.robots()).into_iter().map(|(key, value)| format!("\"{key}\":{value}")).collect();
    format!("{{{}}}\n", pairs.join(","))
}
