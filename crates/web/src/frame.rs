//! A moment of a game as the message that the page gets.

use axum::extract::ws::Utf8Bytes;
use damier_core::game::{Outcome, Seat, Status};
use damier_core::insight::Insight;
use damier_host::session::Session;
use damier_kit::fault::Fault;
use damier_kit::replay::{End, Move};
use serde::Serialize;
use serde_json::{Value, json};

use crate::picture::SpriteTable;

/// So much of an agent's log goes with a decision; the replay holds all of it.
const LONGEST_LOG: usize = 8 << 10;

#[derive(Serialize)]
struct Frame<'a> {
    t: &'static str,
    n: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    sprites_at: Option<usize>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    sprites: Vec<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    size: Option<[u16; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tiles: Option<Vec<usize>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    changes: Option<Vec<(usize, usize)>>,
    pieces: Vec<(u32, Value, Value, usize)>,
    labels: &'a [(&'static str, String)],
    turn: u32,
    stop: bool,
    score: Vec<i64>,
    status: Value,
    human: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    legal: Option<Vec<String>>,
    idle: Option<&'static str>,
    decision: Option<Decision<'a>>,
}

#[derive(Serialize)]
struct Decision<'a> {
    seat: Seat,
    action: &'a str,
    us: u64,
    insight: &'a Insight,
    #[serde(skip_serializing_if = "str::is_empty")]
    log: &'a str,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    warnings: &'a [Fault],
}

/// The message of a moment: what changed since the one before, or the whole board, as also where its size changes. Sprites that are new to the table come with it,
/// all of them with a whole board.
pub fn message(
    session: &Session,
    sprites: &mut SpriteTable,
    turn_limit: u32,
    n: usize,
    whole: bool,
) -> Utf8Bytes {
    let table = session.table_at(n);
    let scene = table.draw();
    let known = if whole { 0 } else { sprites.len() };
    let before = (!whole && n > 0).then(|| session.table_at(n - 1).draw());
    let (tiles, changes) = match before.filter(|before| before.size == scene.size) {
        None => (Some(sprites.tiles(&scene)), None),
        Some(before) => (None, Some(sprites.changes(&before, &scene))),
    };
    let pieces = sprites.pieces(&scene);
    let new = sprites.from(known);
    let seats = session.setup().players.len();
    let over = over(session, turn_limit, n);
    let human = over.is_none() && session.human_moves_at(n);
    let frame = Frame {
        t: "frame",
        n,
        sprites_at: (!new.is_empty()).then_some(known),
        sprites: new,
        size: tiles.is_some().then_some([scene.size.width, scene.size.height]),
        tiles,
        changes,
        pieces,
        labels: &scene.labels,
        turn: table.turns(),
        stop: session.is_stop(n),
        score: (0..seats).map(|seat| table.score(seat)).collect(),
        status: match (over, table.status()) {
            (Some((result, reason)), _) => json!({"over": {"result": result, "reason": reason}}),
            (None, Status::ToMove(seat)) => json!({"to_move": seat}),
            (None, Status::Over(_)) => unreachable!("a game that is over has a result"),
        },
        human,
        legal: human.then(|| table.legal()),
        idle: table.idle(),
        decision: session.decision_at(n).map(decision),
    };
    serde_json::to_string(&frame).expect("a frame is plain data").into()
}

/// How the game ended at a moment, as each seat sees it, and why.
pub fn over(session: &Session, turn_limit: u32, n: usize) -> Option<(Vec<Outcome>, String)> {
    let seats = session.setup().players.len();
    let table = session.table_at(n);
    if let Status::Over(over) = table.status() {
        let results = (0..seats).map(|seat| over.outcome(seat)).collect();
        return Some((results, over.reason.to_owned()));
    }
    let front = n + 1 == session.moments();
    if let Some(end) = session.end().filter(|_| front) {
        return Some(((0..seats).map(|seat| seen_from(end, seat)).collect(), end.reason.clone()));
    }
    (table.turns() >= turn_limit).then(|| (vec![Outcome::Limit; seats], "turn limit".to_owned()))
}

/// An end outside the rules as one seat sees it.
fn seen_from(end: &End, seat: Seat) -> Outcome {
    match &end.fault {
        Some((faulty, _)) if *faulty == seat => Outcome::Loss,
        Some(_) => Outcome::Win,
        None => end.outcome,
    }
}

fn decision(step: &Move) -> Decision<'_> {
    let Move { seat, action, us, insight, log, warnings, .. } = step;
    let start = log.floor_char_boundary(log.len().saturating_sub(LONGEST_LOG));
    Decision { seat: *seat, action, us: *us, insight, log: &log[start..], warnings }
}
