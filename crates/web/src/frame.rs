//! Frames: moments of a game as messages to the page.

use damier_core::game::{Outcome, Seat, Status};
use damier_core::grid::Size;
use damier_host::contestant::Contestant;
use damier_host::session::Session;
use damier_kit::fault::Substituted;
use damier_kit::message::{Decision, Frame, Over, SessionMessage, SpriteTable, StatusMessage};
use damier_kit::replay::{End, Move};
use damier_kit::scene::Scene;

/// Maximum part of an agent's log sent with a decision, in bytes; the replay has all of it.
const MAX_LOG: usize = 8 << 10;

/// The last board written, to compute what changed since.
struct Written {
    n: usize,
    size: Size,
    tiles: Vec<u16>,
}

impl Written {
    fn new(n: usize, scene: &Scene, sprites: &mut SpriteTable) -> Self {
        Self { n, size: scene.size, tiles: sprites.tiles(scene) }
    }
}

/// The board of a frame.
enum Board {
    /// All tiles.
    Whole(Vec<u16>),
    /// The cells that changed.
    Changes(Vec<(usize, u16)>),
}

/// Writes the frames of a game one after the other. It caches the last board, so that a frame draws only one scene.
#[derive(Default)]
pub struct FrameWriter {
    written: Option<Written>,
}

impl FrameWriter {
    /// Writes the frame of a moment: the changes since the previous one, or the whole board if `whole` or if its size changed. It includes
    /// the sprites that are new to the table; all sprites if `whole`.
    pub fn write(
        &mut self,
        session: &Session,
        sprites: &mut SpriteTable,
        turn_limit: u32,
        n: usize,
        whole: bool,
    ) -> String {
        let table = session.table_at(n);
        let scene = table.draw();
        let known = if whole { 0 } else { sprites.len() };
        let before = (!whole && n > 0).then(|| self.before(session, sprites, n));
        let (tiles, changes) = match self.board(before, &scene, sprites, n) {
            Board::Whole(tiles) => (Some(tiles), None),
            Board::Changes(changes) => (None, Some(changes)),
        };
        let pieces = sprites.pieces(&scene);
        let new = sprites.from(known);
        let seats = session.setup().players.len();
        let over = over(session, turn_limit, n);
        let human = over.is_none() && session.human_moves_at(n);
        let to_move = match table.status() {
            Status::ToMove(seat) if over.is_none() => Some(seat),
            _ => None,
        };
        let frame = SessionMessage::Frame(Frame {
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
            status: StatusMessage { over, to_move },
            human,
            legal: human.then(|| table.legal()),
            idle: table.idle(),
            notation: table.notation(),
            decision: session.decision_at(n).map(decision),
        });
        serde_json::to_string(&frame).expect("a frame is plain data")
    }

    /// The board before a moment. It is drawn again only if another board was written last, as after a move in the past.
    fn before(&mut self, session: &Session, sprites: &mut SpriteTable, n: usize) -> Written {
        let last = self.written.take().filter(|written| written.n == n - 1);
        last.unwrap_or_else(|| Written::new(n - 1, &session.table_at(n - 1).draw(), sprites))
    }

    fn board(
        &mut self,
        before: Option<Written>,
        scene: &Scene,
        sprites: &mut SpriteTable,
        n: usize,
    ) -> Board {
        if let Some(mut written) = before.filter(|before| before.size == scene.size) {
            let changes = sprites.update(&mut written.tiles, scene);
            self.written = Some(Written { n, ..written });
            return Board::Changes(changes);
        }
        let written = self.written.insert(Written::new(n, scene, sprites));
        Board::Whole(written.tiles.clone())
    }
}

/// How the game ended at a moment, for each seat, and why.
pub fn over(session: &Session, turn_limit: u32, n: usize) -> Option<Over> {
    let seats = session.setup().players.len();
    let table = session.table_at(n);
    let front = n + 1 == session.moments();
    let (result, reason) = if let Status::Over(over) = table.status() {
        ((0..seats).map(|seat| over.outcome(seat)).collect(), over.reason.to_owned())
    } else if let Some(end) = session.end().filter(|_| front) {
        ((0..seats).map(|seat| seen_from(end, seat)).collect(), end.reason.clone())
    } else if table.turns() >= turn_limit {
        (vec![Outcome::Limit; seats], "turn limit".to_owned())
    } else {
        return None;
    };
    let named = |(player, substituted): (&Option<Contestant>, Substituted)| {
        Some(format!("{}: {}", player.as_ref()?.name(), substituted.sentence()?))
    };
    let substituted =
        session.setup().players.iter().zip(session.substituted_at(n)).filter_map(named).collect();
    Some(Over { result, reason, substituted })
}

/// The outcome of an end outside the rules, for one seat.
fn seen_from(end: &End, seat: Seat) -> Outcome {
    match (&end.fault, end.outcome) {
        (Some((faulty, _)), _) if *faulty == seat => Outcome::Loss,
        (Some(_), _) => Outcome::Win,
        (None, Outcome::Win) if seat > 0 => Outcome::Loss,
        (None, Outcome::Loss) if seat > 0 => Outcome::Win,
        (None, outcome) => outcome,
    }
}

fn decision(step: &Move) -> Decision<'_> {
    let Move { seat, action, us, insight, log, warnings, .. } = step;
    let start = log.floor_char_boundary(log.len().saturating_sub(MAX_LOG));
    Decision { seat: *seat, action, us: *us, insight, log: &log[start..], warnings }
}
