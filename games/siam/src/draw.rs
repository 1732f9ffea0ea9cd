//! Drawing: the scene for front ends, and the numbered board of the course's program.

use damier_core::grid::{Dir, Size};
use damier_core::insight::{Mark, Point};
use damier_kit::Brush;
use damier_kit::scene::{Colour, Piece as Figure, Scene, Sprite};

use crate::action::Move;
use crate::board::{Board, Piece, SQUARES, Side, Square, WIDTH};
use crate::rules::{Ending, Rules, State};

const SQUARE: Sprite = Sprite::new("square", "· ", ". ", Colour::Dim);
const BORDER: Sprite = Sprite::new("border", "∙ ", ". ", Colour::Plain);
const MOUNTAIN: Sprite = Sprite::new("mountain", "▲▲", "MM", Colour::Brown);

const ELEPHANTS: [Sprite; 4] = [
    Sprite::new("elephant", "E↑", "E^", Colour::Cyan).facing(Dir::North),
    Sprite::new("elephant", "E→", "E>", Colour::Cyan).facing(Dir::East),
    Sprite::new("elephant", "E↓", "Ev", Colour::Cyan).facing(Dir::South),
    Sprite::new("elephant", "E←", "E<", Colour::Cyan).facing(Dir::West),
];

const RHINOS: [Sprite; 4] = [
    Sprite::new("rhino", "R↑", "R^", Colour::Orange).facing(Dir::North),
    Sprite::new("rhino", "R→", "R>", Colour::Orange).facing(Dir::East),
    Sprite::new("rhino", "R↓", "Rv", Colour::Orange).facing(Dir::South),
    Sprite::new("rhino", "R←", "R<", Colour::Orange).facing(Dir::West),
];

/// The brushes of the level editor.
pub const BRUSHES: &[Brush] = &[
    Brush::new('.', SQUARE),
    Brush::new('M', MOUNTAIN),
    Brush::new('N', ELEPHANTS[0]),
    Brush::new('E', ELEPHANTS[1]),
    Brush::new('S', ELEPHANTS[2]),
    Brush::new('W', ELEPHANTS[3]),
    Brush::new('n', RHINOS[0]),
    Brush::new('e', RHINOS[1]),
    Brush::new('s', RHINOS[2]),
    Brush::new('w', RHINOS[3]),
];

/// The size of the scene.
pub const SIZE: Size = Size::new(WIDTH as u16, WIDTH as u16);

/// The point of a square in the scene, whose first row is the northernmost.
pub fn point(square: Square) -> Point {
    (square.column() as u16, (WIDTH - 1 - square.row()) as u16)
}

fn sprite(piece: Piece) -> Sprite {
    match piece {
        Piece::Mountain => MOUNTAIN,
        Piece::Animal(Side::Elephants, dir) => ELEPHANTS[dir.index()],
        Piece::Animal(Side::Rhinos, dir) => RHINOS[dir.index()],
    }
}

/// The id of an empty square.
const NO_PIECE: u32 = u32::MAX;

/// Assigns ids to the pieces of a position: one per square, then the id of the next animal that enters.
pub fn piece_ids(board: &Board) -> Vec<u32> {
    let mut next = 0;
    let mut ids: Vec<u32> = Square::all()
        .map(|square| match board.piece(square) {
            Some(_) => {
                next += 1;
                next - 1
            }
            None => NO_PIECE,
        })
        .collect();
    ids.push(next);
    ids
}

/// Moves the ids with their pieces. An animal that enters gets a new id, even if it was on the board before.
pub fn follow_pieces(ids: &mut [u32], before: &Board, action: Move) {
    if action.is_turn() {
        return;
    }
    let mover = if let Some(from) = action.from() {
        std::mem::replace(&mut ids[from.index()], NO_PIECE)
    } else {
        ids[SQUARES] += 1;
        ids[SQUARES] - 1
    };
    let pushed: Vec<Square> = pushed_squares(before, action).collect();
    for square in pushed.into_iter().rev() {
        let id = std::mem::replace(&mut ids[square.index()], NO_PIECE);
        if let Some(next) = square.step(action.facing()) {
            ids[next.index()] = id;
        }
    }
    if let Some(to) = action.to() {
        ids[to.index()] = mover;
    }
}

/// The scene of a state, with the ids of its pieces.
pub fn scene(rules: &Rules, state: &State, ids: &[u32]) -> Scene {
    let rows = (0..WIDTH).rev();
    let squares = rows.flat_map(|row| (0..WIDTH).map(move |column| Square::at(row, column)));
    let figures = Square::all().filter_map(|square| {
        let piece = state.board.piece(square)?;
        Some(Figure::new(ids[square.index()], point(square), sprite(piece)))
    });
    Scene {
        size: SIZE,
        tiles: squares.map(|square| if square.on_border() { BORDER } else { SQUARE }).collect(),
        pieces: figures.collect(),
        walls: Vec::new(),
        labels: labels(rules, state),
    }
}

fn labels(rules: &Rules, state: &State) -> Vec<(&'static str, String)> {
    let board = &state.board;
    let hands = |side| board.hand(side).to_string();
    let turn = match state.ending {
        None => format!("{} to move", board.side().name()),
        Some(Ending::Won(side)) => format!("{} won", side.name()),
        Some(Ending::Repetition) => "draw: third repetition".to_owned(),
        Some(Ending::PlyCap) => "draw: ply cap".to_owned(),
    };
    let mut labels = vec![
        ("ply", board.ply().to_string()),
        ("turn", turn),
        ("elephants in hand", hands(Side::Elephants)),
        ("rhinos in hand", hands(Side::Rhinos)),
    ];
    if let Some(goal) = &rules.level().goal {
        labels.push(("goal", goal.clone()));
    }
    let closed = rules.moves().closed(board);
    if state.ending.is_none() && closed != 0 {
        let names: Vec<String> = crate::board::each(closed).map(|square| square.to_string()).collect();
        labels.push(("closed", names.join(" and ")));
    }
    labels
}

/// The numbered board of the course's program: an animal shows its kind and facing, an empty square its number.
pub fn original_text(state: &State) -> String {
    let board = &state.board;
    let mut text = String::new();
    let ruler = format!("+{}\n", "----+".repeat(WIDTH));
    for row in (0..WIDTH).rev() {
        text += &ruler;
        for column in 0..WIDTH {
            let square = Square::at(row, column);
            let contents = match board.piece(square) {
                None => square.name().to_string(),
                Some(Piece::Mountain) => "/\\".to_owned(),
                Some(Piece::Animal(side, dir)) => format!("{}{}", side.letter(), &dir.name()[..1]),
            };
            text.extend(["| ", &contents, " "]);
        }
        text += "|\n";
    }
    text += &ruler;
    let hand = |side: Side| format!("{} in hand: {}\n", side.name(), board.hand(side));
    text + &hand(Side::Elephants) + &hand(Side::Rhinos)
}

/// Marks each side's immediate wins: the pusher, and the mountain's last square.
pub fn threat_marks(rules: &Rules, state: &State) -> Vec<Mark> {
    let mut marks = Vec::new();
    if state.ending.is_some() {
        return marks;
    }
    for side in Side::BOTH {
        let why = ["elephants' threat", "rhinos' threat"][side.index()];
        for action in rules.moves().winning_moves(&state.board, side) {
            marks.extend(push_squares(&state.board, action).map(|square| Mark::new(point(square), why)));
        }
    }
    marks
}

/// The squares of a push: the pusher's and those of the pieces it moves.
pub fn push_squares(board: &Board, action: Move) -> impl Iterator<Item = Square> + use<'_> {
    action.from().into_iter().chain(pushed_squares(board, action))
}

/// The squares of the pieces that a move pushes, nearest first.
fn pushed_squares(board: &Board, action: Move) -> impl Iterator<Item = Square> + use<'_> {
    let first = action.to().filter(|_| action.is_push(board));
    let line = std::iter::successors(first, move |square| square.step(action.facing()));
    line.take_while(|square| board.piece(*square).is_some())
}
