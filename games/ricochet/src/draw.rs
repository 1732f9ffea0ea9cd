//! Drawing: the scene for front ends.

use damier_core::grid::{Cell, Dir};
use damier_kit::scene::{Colour, Piece, Scene, Sprite};

use crate::board::Slope;
use crate::level::Level;
use crate::quadrants::{self, Symbol, Target};
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

const fn target_colour(robot: Option<Robot>) -> Colour {
    match robot {
        Some(robot) => colour(robot),
        None => Colour::Purple,
    }
}

/// The sprites of a symbol.
struct Sign {
    /// The names of its sprites: on a target, and in the centre of the board.
    target: &'static str,
    mission: &'static str,
    /// Two columns of text for the mission's target, the centre of the board, and a target of another mission.
    bold: &'static str,
    big: &'static str,
    hollow: &'static str,
    ascii_hollow: &'static str,
}

/// The sprites of a symbol; `None` for a target without a printed symbol.
const fn sign(symbol: Option<Symbol>) -> Sign {
    let [target, mission, bold, big, hollow, ascii_hollow] = match symbol {
        Some(Symbol::Triangle) => ["triangle target", "triangle mission", "◎▲", "▲▲", "△ ", "^ "],
        Some(Symbol::Square) => ["square target", "square mission", "◎■", "■■", "□ ", "# "],
        Some(Symbol::Circle) => ["circle target", "circle mission", "◎●", "●●", "○ ", "o "],
        Some(Symbol::Plus) => ["plus target", "plus mission", "◎✚", "✚✚", "+ ", "+ "],
        Some(Symbol::Spiral) => ["spiral target", "spiral mission", "◎@", "@@", "@ ", "@ "],
        None => ["target", "mission", "◎ ", "◎◎", "◎ ", "* "],
    };
    Sign { target, mission, bold, big, hollow, ascii_hollow }
}

/// The target of the mission in ASCII: the robot's letter, and the symbol.
const fn target_ascii(robot: Option<Robot>, symbol: Option<Symbol>) -> &'static str {
    let signs = match robot {
        Some(Robot::Red) => ["r^", "r#", "ro", "r+", "r@", "r "],
        Some(Robot::Green) => ["g^", "g#", "go", "g+", "g@", "g "],
        Some(Robot::Blue) => ["b^", "b#", "bo", "b+", "b@", "b "],
        Some(Robot::Yellow) => ["y^", "y#", "yo", "y+", "y@", "y "],
        Some(Robot::Silver) => ["s^", "s#", "so", "s+", "s@", "s "],
        None => ["*^", "*#", "*o", "*+", "*@", "* "],
    };
    match symbol {
        Some(symbol) => signs[symbol as usize],
        None => signs[5],
    }
}

/// A target of another mission.
const fn printed_sprite(target: Target) -> Sprite {
    let Sign { target: name, hollow, ascii_hollow, .. } = sign(Some(target.symbol));
    Sprite::new(name, hollow, ascii_hollow, target_colour(target.robot)).faint()
}

/// The mission's sprites on its target and in the centre of the board.
fn mission_sprites(level: &Level, printed: &[Target]) -> (Sprite, Sprite) {
    let robot = level.target_robot();
    // A custom mission may send a robot to a cell with another robot's symbol.
    let symbol = printed.iter().find(|it| it.cell == level.target() && it.robot == robot).map(|it| it.symbol);
    let Sign { target, mission, bold, big, .. } = sign(symbol);
    let sprite =
        |name, unicode| Sprite::new(name, unicode, target_ascii(robot, symbol), target_colour(robot));
    (sprite(target, bold), sprite(mission, big))
}

/// The scene of a state.
pub fn scene(game: &Rules, state: &State) -> Scene {
    let level = game.level();
    let board = level.board();
    let size = board.size();
    let printed = quadrants::printed_targets(board);
    let (target, mission) = mission_sprites(level, &printed);
    let centre = quadrants::closed_centre(board);
    let tile = |cell: Cell| {
        if cell == level.target() {
            return target;
        }
        if centre.is_some_and(|centre| centre.contains(&cell)) {
            return mission;
        }
        if let Some(other) = printed.iter().find(|it| it.cell == cell) {
            return printed_sprite(*other);
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
    let robot = level.target_robot().map_or("any robot", Robot::name);
    let mut labels = vec![("moves", state.moves.to_string()), ("mission", format!("{robot} to the target"))];
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
