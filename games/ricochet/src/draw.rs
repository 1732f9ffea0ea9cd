//! State to scene: what terminal and page both draw.

use damier_core::grid::Dir;
use damier_kit::scene::{Colour, Piece, Scene, Sprite};

use crate::board::Slope;
use crate::robot::Robot;
use crate::rules::{Rules, State};

const fn colour(robot: Robot) -> Colour {
    match robot {
        Robot::Red => Colour::Red,
        Robot::Green => Colour::Green,
        Robot::Blue => Colour::Blue,
        Robot::Yellow => Colour::Yellow,
        Robot::Silver => Colour::White,
    }
}

const fn robot_sprite(robot: Robot) -> Sprite {
    let ascii = ["R ", "G ", "B ", "Y ", "S "][robot.index()];
    Sprite::new("robot", "◖◗", ascii, colour(robot))
}

const fn target_sprite(robot: Option<Robot>) -> Sprite {
    match robot {
        Some(robot) => {
            let ascii = ["r ", "g ", "b ", "y ", "s "][robot.index()];
            Sprite::new("target", "◎ ", ascii, colour(robot))
        }
        None => Sprite::new("target", "◎ ", "* ", Colour::Purple),
    }
}

/// The state as a picture.
pub fn scene(game: &Rules, state: &State) -> Scene {
    let level = game.level();
    let board = level.board();
    let size = board.size();
    let tile = |cell| {
        if cell == level.target() {
            return target_sprite(level.target_robot());
        }
        if board.is_closed(cell) {
            return Sprite::new("closed", "▒▒", "##", Colour::Dim);
        }
        match board.diagonal(cell) {
            Some(diagonal) => {
                let colour = diagonal.colour.map_or(Colour::Plain, colour);
                match diagonal.slope {
                    Slope::Rising => Sprite::new("rising diagonal", "╱ ", "/ ", colour),
                    Slope::Falling => Sprite::new("falling diagonal", "╲ ", "\\ ", colour),
                }
            }
            None => Sprite::new("floor", "· ", ". ", Colour::Dim),
        }
    };
    let walls = size.cells().flat_map(|cell| {
        let sides = Dir::ALL.into_iter().filter(move |&dir| {
            // A wall between two cells is drawn once, from its northern or western cell.
            let shared = matches!(dir, Dir::North | Dir::West) && size.step(cell, dir).is_some();
            board.has_wall(cell, dir) && !shared
        });
        sides.map(move |dir| (size.xy(cell), dir))
    });
    let piece =
        |robot: Robot| Piece::new(robot as u32, size.xy(state.robots[robot.index()]), robot_sprite(robot));
    let mission = level.target_robot().map_or("any robot", Robot::name);
    let mut labels =
        vec![("moves", state.moves.to_string()), ("mission", format!("{mission} to the target"))];
    if level.must_ricochet() {
        labels.push(("rule", "the active robot must turn".to_owned()));
    }
    Scene {
        size,
        tiles: size.cells().map(tile).collect(),
        pieces: state.present().map(piece).collect(),
        walls: walls.collect(),
        labels,
    }
}
