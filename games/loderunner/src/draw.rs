//! State to picture: the scene that every front end draws, and the overlays.

use damier_core::insight::{Mark, Point, reason};
use damier_kit::Brush;
use damier_kit::scene::{Colour, Piece, Scene, Sprite};

use crate::action::Action;
use crate::classic::board::{Board, Now};
use crate::classic::{self, Body, Doing, HEIGHT, WIDTH};
use crate::course;
use crate::course::map::{Map, Tile};
use crate::rules::{Ground, Rules, State};

const EMPTY: Sprite = Sprite::new("empty", "  ", "  ", Colour::Plain);
const WALL: Sprite = Sprite::new("wall", "██", "@@", Colour::Dim);
const BRICK: Sprite = Sprite::new("brick", "▒▒", "##", Colour::Brown);
const LADDER: Sprite = Sprite::new("ladder", "╠╣", "H ", Colour::Cyan);
const CABLE: Sprite = Sprite::new("cable", "──", "--", Colour::White);
const GOLD: Sprite = Sprite::new("gold", "◆ ", "$ ", Colour::Yellow);
const EXIT: Sprite = Sprite::new("exit", "▐▌", "X ", Colour::Dim);
const OPEN_EXIT: Sprite = Sprite::new("open exit", "▐▌", "X ", Colour::Green);
const HOLE: Sprite = Sprite::new("hole", "░░", "..", Colour::Dim);
// A player sees a brick and nothing; only editors show them.
const TRAP: Sprite = Sprite::new("trap", "▒▒", "XX", Colour::Orange);
const HIDDEN_LADDER: Sprite = Sprite::new("hidden ladder", "╠╣", "S ", Colour::Dim);
const DIGGING: Sprite = Sprite::new("digging", "░▒", ".#", Colour::Brown);

const RUNNER: Sprite = Sprite::new("runner", "☻ ", "R ", Colour::Green);
const DEAD: Sprite = Sprite::new("dead", "✗ ", "+ ", Colour::Red);
const GUARD: Sprite = Sprite::new("guard", "♟ ", "E ", Colour::Red);
const CARRIER: Sprite = Sprite::new("guard with gold", "♟◆", "E$", Colour::Orange);
const TRAPPED: Sprite = Sprite::new("trapped guard", "♟ ", "e ", Colour::Purple);
const RESPAWNING: Sprite = Sprite::new("respawning guard", "♟ ", "e ", Colour::Dim);

const COURSE: &[&str] = &["course"];
const CLASSIC: &[&str] = &["classic"];

/// What an editor paints with.
pub const BRUSHES: &[Brush] = &[
    Brush::new('.', EMPTY).only(COURSE),
    Brush::new('W', WALL).only(COURSE),
    Brush::new('F', BRICK).only(COURSE),
    Brush::new('L', LADDER).only(COURSE),
    Brush::new('C', CABLE).only(COURSE),
    Brush::new('B', GOLD).only(COURSE),
    Brush::new('R', RUNNER).only(COURSE).once(),
    Brush::new('E', GUARD).only(COURSE),
    Brush::new('X', EXIT).only(COURSE).once(),
    Brush::new(' ', EMPTY).only(CLASSIC),
    Brush::new('#', BRICK).only(CLASSIC),
    Brush::new('@', WALL).only(CLASSIC),
    Brush::new('H', LADDER).only(CLASSIC),
    Brush::new('-', CABLE).only(CLASSIC),
    Brush::new('X', TRAP).only(CLASSIC),
    Brush::new('S', HIDDEN_LADDER).only(CLASSIC),
    Brush::new('$', GOLD).only(CLASSIC),
    Brush::new('0', GUARD).only(CLASSIC),
    Brush::new('&', RUNNER).only(CLASSIC).once(),
];

/// The state as a picture.
pub fn scene(rules: &Rules, state: &State) -> Scene {
    let (tiles, pieces, labels) = match (rules.ground(), state) {
        (Ground::Course(map), State::Course(state)) => {
            (course_tiles(map, state), course_pieces(map, state), course_labels(state))
        }
        (Ground::Classic(board), State::Classic(state)) => {
            (classic_tiles(board, state), classic_pieces(state), classic_labels(state))
        }
        _ => (Vec::new(), Vec::new(), Vec::new()),
    };
    Scene { size: rules.size(), tiles, pieces, walls: Vec::new(), labels }
}

fn course_tiles(map: &Map, state: &course::State) -> Vec<Sprite> {
    let tile = |cell: u16| match map.tile(cell) {
        Tile::Wall => WALL,
        Tile::Floor if state.holes().iter().any(|hole| hole.cell == cell) => HOLE,
        Tile::Floor => BRICK,
        Tile::Ladder => LADDER,
        Tile::Cable => CABLE,
        Tile::Exit if state.bonuses == 0 => OPEN_EXIT,
        Tile::Exit => EXIT,
        Tile::Path if state.bonuses & map.bonus(cell) != 0 => GOLD,
        Tile::Path => EMPTY,
    };
    (0..map.width() * map.height()).map(tile).collect()
}

fn course_pieces(map: &Map, state: &course::State) -> Vec<Piece> {
    let trapped = |cell: u16| state.holes().iter().any(|hole| hole.cell == cell);
    let enemies = state.enemies().zip(1..).map(|(enemy, id)| {
        let sprite = if trapped(enemy.cell) { TRAPPED } else { GUARD };
        Piece::new(id, map.point(enemy.cell), sprite)
    });
    let dead = state.ending.is_some_and(|ending| ending != course::Ending::Won);
    let runner = Piece::new(0, map.point(state.runner), if dead { DEAD } else { RUNNER });
    enemies.chain([runner]).collect()
}

fn course_labels(state: &course::State) -> Vec<(&'static str, String)> {
    vec![
        ("bonuses left", state.bonuses.count_ones().to_string()),
        ("enemies", if state.enemies_move { "move now" } else { "wait" }.to_owned()),
    ]
}

fn classic_tiles(board: &Board, state: &classic::State) -> Vec<Sprite> {
    board
        .extent()
        .cells()
        .map(|cell| match state.tile_now(board, cell) {
            Now::Brick if state.dig.is_some_and(|dig| dig.brick == cell) => DIGGING,
            Now::Brick | Now::Trap => BRICK,
            Now::Solid => WALL,
            Now::Ladder => LADDER,
            Now::Bar => CABLE,
            _ if state.has_gold(cell) => GOLD,
            _ if state.is_open(cell) => HOLE,
            _ => EMPTY,
        })
        .collect()
}

fn point(body: Body) -> Point {
    (body.cell.x.into(), body.cell.y.into())
}

fn shift(body: Body) -> (i8, i8) {
    let hundredths = |units: i8, cell: i8| (i32::from(units) * 100 / i32::from(cell)) as i8;
    (hundredths(body.xo, WIDTH), hundredths(body.yo, HEIGHT))
}

fn classic_pieces(state: &classic::State) -> Vec<Piece> {
    let on_board = |(guard, _): &(&classic::Guard, u32)| guard.doing != Doing::Away;
    let guards = state.guards().iter().zip(1..).filter(on_board).map(|(guard, id)| Piece {
        id,
        at: point(guard.body),
        shift: shift(guard.body),
        sprite: match guard.doing {
            Doing::Trapped => TRAPPED,
            Doing::Respawning => RESPAWNING,
            _ if guard.carry > 0 => CARRIER,
            _ => GUARD,
        },
    });
    let dead = state.ending.is_some_and(|ending| ending != classic::Ending::Won);
    let runner = Piece {
        id: 0,
        at: point(state.runner),
        shift: shift(state.runner),
        sprite: if dead { DEAD } else { RUNNER },
    };
    guards.chain([runner]).collect()
}

fn classic_labels(state: &classic::State) -> Vec<(&'static str, String)> {
    let mut labels = vec![("gold left", state.gold_left().to_string())];
    if state.gold_left() == 0 {
        labels.push(("way out", "the top".to_owned()));
    }
    labels
}

/// Where enemies will be after their next moves if the runner stays where it is.
pub fn predicted(rules: &Rules, state: &State) -> Vec<Mark> {
    let (Ground::Course(map), State::Course(state)) = (rules.ground(), state) else { return Vec::new() };
    let ways = map.ways_to(state.runner);
    let going = |&&cell: &&u16| ways.from(cell) != Action::None;
    let steps = state.enemy_cells().iter().filter(going).map(|&cell| map.after(cell, ways.from(cell)));
    steps.map(|cell| Mark::new(map.point(cell), reason::PREDICTED)).collect()
}
