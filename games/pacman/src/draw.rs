//! Drawing: the scene for front ends, the display of the original program, and the debug view.

use damier_core::grid::{Cell, Dir};
use damier_core::insight::{Mark, Point, reason};
use damier_kit::Brush;
use damier_kit::scene::{Colour, Piece, Scene, Sprite};

use crate::maze::Spot;
use crate::rules::{Ending, Figures, Rules, State};

const WALL: Sprite = Sprite::new("wall", "██", "##", Colour::Navy);
const FLOOR: Sprite = Sprite::new("floor", "  ", "  ", Colour::Plain);
const PELLET: Sprite = Sprite::new("pellet", "· ", ". ", Colour::White);
const POTION: Sprite = Sprite::new("potion", "● ", "o ", Colour::Green);
const DEAD: Sprite = Sprite::new("dead", "✗ ", "X ", Colour::Yellow);

/// Pacman's mouth opens in the direction he faces.
const PACMAN: [Sprite; 4] = [
    Sprite::new("pacman", "\\/", "\\/", Colour::Yellow).facing(Dir::North),
    Sprite::new("pacman", "(<", "(<", Colour::Yellow).facing(Dir::East),
    Sprite::new("pacman", "/\\", "/\\", Colour::Yellow).facing(Dir::South),
    Sprite::new("pacman", ">)", ">)", Colour::Yellow).facing(Dir::West),
];

const GHOSTS: [Sprite; 4] = [
    Sprite::new("ghost", "▟▙", "$ ", Colour::Red),
    Sprite::new("ghost", "▟▙", "% ", Colour::Pink),
    Sprite::new("ghost", "▟▙", "& ", Colour::Cyan),
    Sprite::new("ghost", "▟▙", "@ ", Colour::Orange),
];

const FLEEING: [Sprite; 4] = [
    Sprite::new("fleeing ghost", "▟▙", "1 ", Colour::Purple),
    Sprite::new("fleeing ghost", "▟▙", "2 ", Colour::Purple),
    Sprite::new("fleeing ghost", "▟▙", "3 ", Colour::Purple),
    Sprite::new("fleeing ghost", "▟▙", "4 ", Colour::Purple),
];

/// The brushes of the level editor.
pub const BRUSHES: &[Brush] = &[
    Brush::new(' ', FLOOR),
    Brush::new('#', WALL),
    Brush::new('.', PELLET),
    Brush::new('o', POTION),
    Brush::new('P', PACMAN[1]).once(),
    Brush::new('1', GHOSTS[0]).once(),
    Brush::new('2', GHOSTS[1]).once(),
    Brush::new('3', GHOSTS[2]).once(),
    Brush::new('4', GHOSTS[3]).once(),
];

/// Fleeing ghosts turn white when the potion lasts for this many turns or fewer.
const ENDING_SOON: u8 = 5;

/// The scene of a state.
pub fn scene(rules: &Rules, state: &State) -> Scene {
    let maze = rules.maze();
    let size = maze.size();
    Scene {
        size,
        tiles: size.cells().map(|cell| tile(rules, state, cell)).collect(),
        pieces: pieces(rules, &state.figures),
        walls: Vec::new(),
        labels: labels(&state.figures),
    }
}

fn tile(rules: &Rules, state: &State, cell: Cell) -> Sprite {
    match rules.maze().spot_at(rules.maze().size().xy(cell)) {
        None => WALL,
        Some(spot) if !state.has_pellet(spot) => FLOOR,
        Some(spot) if rules.maze().place(spot).potion => POTION,
        Some(_) => PELLET,
    }
}

fn pieces(rules: &Rules, figures: &Figures) -> Vec<Piece> {
    let maze = rules.maze();
    let dead = figures.ending == Some(Ending::Dead);
    let pacman = if dead { DEAD } else { PACMAN[figures.dir.index()] };
    let mut pieces = vec![Piece::new(0, maze.point(figures.pacman), pacman)];
    for (number, ghost) in figures.ghosts[..maze.ghosts().len()].iter().enumerate() {
        let sprite = match figures.clock {
            None => GHOSTS[number],
            Some(clock) if clock > ENDING_SOON => FLEEING[number],
            Some(_) => Sprite { colour: Colour::White, ..FLEEING[number] },
        };
        let piece = Piece::new(number as u32 + 1, maze.point(ghost.spot), sprite.facing(ghost.dir));
        // Pacman is drawn over a ghost on the same cell.
        pieces.insert(number, piece);
    }
    pieces
}

fn labels(figures: &Figures) -> Vec<(&'static str, String)> {
    let mut labels = vec![
        ("turn", figures.turn.to_string()),
        ("score", figures.score.to_string()),
        ("pellets left", figures.pellets_left.to_string()),
    ];
    if let Some(clock) = figures.clock {
        labels.push(("potion", clock.to_string()));
    }
    labels
}

/// The display of the original program, with three columns per cell. Of the marks it shows those of its debug view: `[X]` for
/// a ghost's target, `+` for a crossroad, `L` for a corner.
pub fn original_text(rules: &Rules, state: &State, marks: &[Mark]) -> String {
    let (maze, figures) = (rules.maze(), &state.figures);
    let size = maze.size();
    let mut text = String::with_capacity(size.area() * 3 + usize::from(size.height));
    for y in 0..size.height {
        for x in 0..size.width {
            let spot = maze.spot_at((x, y));
            if !spot.is_some_and(|spot| is_figure(figures, spot))
                && let Some(sign) = debug_sign(marks, (x, y))
            {
                text.push_str(sign);
                continue;
            }
            match spot {
                None => text.push_str("###"),
                Some(spot) if spot == figures.pacman && figures.ending == Some(Ending::Dead) => {
                    text.push_str("RIP");
                }
                Some(spot) => text.extend([' ', original_char(rules, state, spot), ' ']),
            }
        }
        text.truncate(text.trim_end().len());
        text.push('\n');
    }
    text
}

fn is_figure(figures: &Figures, spot: Spot) -> bool {
    spot == figures.pacman || figures.ghosts.iter().any(|ghost| ghost.spot == spot)
}

fn debug_sign(marks: &[Mark], at: Point) -> Option<&'static str> {
    let signs = [(reason::TARGET, "[X]"), (reason::CROSSROAD, " + "), (reason::CORNER, " L ")];
    let marked = |why: &str| marks.iter().any(|mark| mark.at == at && mark.why == why);
    signs.into_iter().find(|(why, _)| marked(why)).map(|(_, sign)| sign)
}

fn original_char(rules: &Rules, state: &State, spot: Spot) -> char {
    let figures = &state.figures;
    if spot == figures.pacman {
        return ['V', '<', '^', '>'][figures.dir.index()];
    }
    if let Some(number) = figures.ghosts.iter().position(|ghost| ghost.spot == spot) {
        return if figures.clock.is_some() { ['1', '2', '3', '4'] } else { ['$', '%', '§', '@'] }[number];
    }
    match (state.has_pellet(spot), rules.maze().place(spot).potion) {
        (false, _) => ' ',
        (true, false) => '.',
        (true, true) => 'O',
    }
}

/// The debug view that the authors planned: corners, crossroads, and the target of each original ghost.
pub fn debug_marks(rules: &Rules, state: &State) -> Vec<Mark> {
    let maze = rules.maze();
    let mark = |at: Point, why: &'static str| Mark::new(at, why);
    let mut marks = Vec::new();
    for spot in 0..maze.floor() as Spot {
        let at = maze.point(spot);
        match maze.neighbours(spot).count() {
            3.. => marks.push(mark(at, reason::CROSSROAD)),
            _ if maze.place(spot).corner => marks.push(mark(at, reason::CORNER)),
            _ => {}
        }
    }
    for number in 0..maze.ghosts().len() {
        let (x, y) = rules.original_aim(&state.figures, number);
        if maze.size().contains(x, y) {
            marks.push(mark((x as u16, y as u16), reason::TARGET));
        }
    }
    marks
}
