//! Legality of moves, with an explanation of the rule that forbids an illegal one.

use damier_core::game::Illegal;
use damier_core::grid::Dir;

use crate::action::Move;
use crate::board::{Board, Piece, Square, WIDTH};
use crate::line::{self, Line, TooWeak};
use crate::moves::{MoveRules, OPENING_PLIES};

/// Checks whether a move is legal; an error names the rule that forbids it.
pub fn check(rules: &MoveRules, board: &Board, action: Move) -> Result<(), Illegal> {
    match (action.from(), action.to()) {
        (None, Some(to)) => check_entry(rules, board, to, action.facing()),
        (Some(from), None) => check_exit(board, from),
        (Some(from), Some(to)) if from == to => check_turn(board, from, action.facing()),
        (Some(from), Some(to)) => check_step(rules, board, from, to, action.facing()),
        (None, None) => refuse("the move leads from nowhere to nowhere"),
    }
}

fn refuse(message: impl Into<String>) -> Result<(), Illegal> {
    Err(Illegal(message.into()))
}

fn check_entry(rules: &MoveRules, board: &Board, to: Square, facing: Dir) -> Result<(), Illegal> {
    if board.hand(board.side()) == 0 {
        return refuse(format!("the {} have no animal in hand", board.side().name()));
    }
    if !to.on_border() {
        return refuse(format!("{to} is not on the border: an animal enters on a border square"));
    }
    check_open(rules, board, to)?;
    if board.free() & to.bit() != 0 {
        return Ok(());
    }
    // An animal that enters faces away from the edge it comes from.
    if to.step(facing.opposite()).is_some() {
        let inwards: Vec<&str> =
            Dir::ALL.iter().filter(|dir| to.step(dir.opposite()).is_none()).map(|dir| dir.name()).collect();
        return refuse(format!(
            "{to} is occupied: an animal enters there only by pushing {}",
            inwards.join(" or ")
        ));
    }
    check_push(rules, board, to, facing)
}

fn check_exit(board: &Board, from: Square) -> Result<(), Illegal> {
    own_animal(board, from)?;
    if from.on_border() {
        return Ok(());
    }
    refuse(format!("{from} is not on the border: an animal leaves from a border square"))
}

fn check_turn(board: &Board, square: Square, facing: Dir) -> Result<(), Illegal> {
    if own_animal(board, square)? == facing {
        return refuse(format!(
            "the animal on {square} already looks {}: a turn must change that",
            facing.name()
        ));
    }
    Ok(())
}

fn check_step(
    rules: &MoveRules,
    board: &Board,
    from: Square,
    to: Square,
    facing: Dir,
) -> Result<(), Illegal> {
    let looks = own_animal(board, from)?;
    let Some(dir) = Dir::ALL.into_iter().find(|&dir| from.step(dir) == Some(to)) else {
        return refuse(format!("{to} is not next to {from}: an animal goes one square, never diagonally"));
    };
    check_open(rules, board, to)?;
    if board.free() & to.bit() != 0 {
        return Ok(());
    }
    if looks != dir {
        return refuse(format!(
            "{to} is occupied, and an animal pushes only straight ahead: the one on {from} looks {}",
            looks.name()
        ));
    }
    if facing != dir {
        return refuse(format!("an animal keeps its facing in a push: it looks {}", dir.name()));
    }
    check_push(rules, board, to, dir)
}

/// The facing of an own animal.
fn own_animal(board: &Board, square: Square) -> Result<Dir, Illegal> {
    match board.piece(square) {
        Some(Piece::Animal(side, dir)) if side == board.side() => Ok(dir),
        Some(Piece::Animal(side, _)) => {
            Err(Illegal(format!("the animal on {square} belongs to the {}", side.name())))
        }
        Some(Piece::Mountain) => Err(Illegal(format!("on {square} stands a mountain"))),
        None => Err(Illegal(format!("there is no animal on {square}"))),
    }
}

fn check_open(rules: &MoveRules, board: &Board, to: Square) -> Result<(), Illegal> {
    if rules.closed(board) & to.bit() == 0 {
        return Ok(());
    }
    refuse(format!("{to} is closed in the first {OPENING_PLIES} plies, two turns of each player"))
}

fn check_push(rules: &MoveRules, board: &Board, first: Square, dir: Dir) -> Result<(), Illegal> {
    let (line, cell) = ahead(board, first, dir);
    let Err(TooWeak { force, mass, cell: stop }) = line::push(line, cell, board.side(), rules.reading())
    else {
        return Ok(());
    };
    let stop = (cell..stop).fold(first, |square, _| square.step(dir).unwrap_or(square));
    refuse(format!("the push is too weak: force {force}, mass {mass} at {stop}"))
}

/// The line through a square, oriented so that a direction is forward, and the square's cell in it.
fn ahead(board: &Board, square: Square, dir: Dir) -> (Line, usize) {
    let (row, column) = (square.row(), square.column());
    match dir {
        Dir::East => (board.lines()[row], column),
        Dir::West => (line::reversed(board.lines()[row]), WIDTH - 1 - column),
        Dir::North => (board.lines()[WIDTH + column], row),
        Dir::South => (line::reversed(board.lines()[WIDTH + column]), WIDTH - 1 - row),
    }
}
