//! What an agent may see of the state.
//!
//! Under `course` that is what the ENSSAT project hands to its agents, which does not say whether the enemies move in the
//! coming round. Under `classic` it is everything but how long guards carry gold.

use schemars::JsonSchema;
use serde::Serialize;

use crate::classic::board::{Board, Cell, Now};
use crate::classic::{self, Doing};
use crate::course;
use crate::course::map::{Map, Tile};

/// What is seen.
#[derive(Clone, Debug, JsonSchema, Serialize)]
#[serde(untagged)]
#[expect(clippy::large_enum_variant, reason = "made once a turn and never moved around")]
pub enum Observation {
    /// Of a round.
    Course(CourseView),
    /// Of a tick.
    Classic(ClassicView),
}

/// A runner, an enemy: what it is, where, and its last action's code, -1 at the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct Character {
    /// `R` or `E`.
    pub item: char,
    /// The column.
    pub x: u16,
    /// The row.
    pub y: u16,
    /// The last action. In a round without moves of the enemies theirs is the runner's.
    pub d: i8,
}

/// An open hole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct Bomb {
    /// The column.
    pub x: u16,
    /// The row.
    pub y: u16,
    /// Rounds until it closes.
    pub delay: u8,
}

/// What the course hands to its agents.
#[derive(Clone, Debug, JsonSchema, Serialize)]
pub struct CourseView {
    /// The map as it was drawn, without runner, enemies and bonuses.
    pub map: Vec<String>,
    /// The exit.
    pub exit: (u16, u16),
    /// The runner, then the enemies in the order in which they move.
    pub characters: Vec<Character>,
    /// The bonuses that are left.
    pub bonuses: Vec<(u16, u16)>,
    /// The open holes, the newest first.
    pub bombs: Vec<Bomb>,
    /// The same for agents that are built in. Whether the enemies move now is not told: it is always said to be so.
    #[serde(skip)]
    pub state: course::State,
}

/// A runner or guard: its cell, and the offset from the cell's centre.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct Figure {
    /// The column.
    pub x: u8,
    /// The row.
    pub y: u8,
    /// Units to the right of the centre, -20 to 20.
    pub xo: i8,
    /// Units below the centre, -22 to 22.
    pub yo: i8,
}

/// A guard as seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct SeenGuard {
    /// Where it is.
    #[serde(flatten)]
    pub figure: Figure,
    /// `moving`, `trapped`, `climbing`, `respawning`, or `away` while no cell is free for its return.
    pub doing: &'static str,
    /// Does it carry gold?
    pub gold: bool,
}

/// What is seen of a tick.
#[derive(Clone, Debug, JsonSchema, Serialize)]
pub struct ClassicView {
    /// The board as it stands: bricks, ladders, bars and so on; open holes and hidden ladders are empty.
    pub board: Vec<String>,
    /// The runner.
    pub runner: Figure,
    /// The guards.
    pub guards: Vec<SeenGuard>,
    /// Where gold lies.
    pub gold: Vec<(u8, u8)>,
    /// Gold that is not yet the runner's, on the board or carried.
    pub gold_left: u16,
    /// The open holes with the ticks that each has left, the oldest first.
    pub holes: Vec<(u8, u8, u8)>,
    /// The brick that is being dug, and for how many ticks.
    pub dig: Option<(u8, u8, u8)>,
    /// The same for agents that are built in, with a guess where it cannot be seen how long a guard carries gold.
    #[serde(skip)]
    pub state: classic::State,
}

impl Observation {
    /// What is seen of a round.
    pub fn course(map: &Map, state: &course::State) -> Self {
        let character = |item: char, cell: u16, d: i8| {
            let (x, y) = map.point(cell);
            Character { item, x, y, d }
        };
        let enemies = state.enemies().map(|enemy| character('E', enemy.cell, enemy.seen));
        let bomb = |hole: &course::Hole| {
            let (x, y) = map.point(hole.cell);
            Bomb { x, y, delay: hole.delay }
        };
        let left = |cell: &&u16| state.bonuses & map.bonus(**cell) != 0;
        Self::Course(CourseView {
            map: drawn(map),
            exit: map.point(map.exit()),
            characters: std::iter::once(character('R', state.runner, state.seen)).chain(enemies).collect(),
            bonuses: map.bonuses().iter().filter(left).map(|&cell| map.point(cell)).collect(),
            bombs: state.holes().iter().map(bomb).collect(),
            state: state.shown(),
        })
    }

    /// What is seen of a tick.
    pub fn classic(board: &Board, state: &classic::State) -> Self {
        let figure =
            |body: classic::Body| Figure { x: body.cell.x, y: body.cell.y, xo: body.xo, yo: body.yo };
        let guard = |guard: &classic::Guard| SeenGuard {
            figure: figure(guard.body),
            doing: match guard.doing {
                Doing::Moving => "moving",
                Doing::Trapped => "trapped",
                Doing::Climbing(_) => "climbing",
                Doing::Respawning => "respawning",
                Doing::Away => "away",
            },
            gold: guard.carry > 0,
        };
        let seen = state.seen();
        Self::Classic(ClassicView {
            board: board_rows(board, state),
            runner: figure(state.runner),
            guards: state.guards().iter().map(guard).collect(),
            gold: state.gold().map(|cell| (cell.x, cell.y)).collect(),
            gold_left: state.gold_left(),
            holes: state.holes().map(|(cell, ticks)| (cell.x, cell.y, ticks)).collect(),
            dig: state.dig.map(|dig| (dig.brick.x, dig.brick.y, dig.frame)),
            state: seen,
        })
    }
}

fn drawn(map: &Map) -> Vec<String> {
    let character = |cell: u16| match map.tile(cell) {
        Tile::Wall => 'W',
        Tile::Floor => 'F',
        Tile::Ladder => 'L',
        Tile::Cable => 'C',
        Tile::Path => '.',
        Tile::Exit => 'X',
    };
    (0..map.height()).map(|y| (0..map.width()).map(|x| character(y * map.width() + x)).collect()).collect()
}

fn board_rows(board: &Board, state: &classic::State) -> Vec<String> {
    let character = |cell: Cell| match state.tile_now(board, cell) {
        Now::Brick | Now::Trap => '#',
        Now::Solid => '@',
        Now::Ladder => 'H',
        Now::Bar => '-',
        Now::Empty | Now::Guard | Now::Runner => ' ',
    };
    let all: Vec<char> = board.extent().cells().map(character).collect();
    all.chunks(board.extent().columns.into()).map(|row| row.iter().collect()).collect()
}
