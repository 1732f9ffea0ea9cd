//! A simple opponent for measurements.

use std::sync::Arc;

use damier_core::agent::{Agent, Turn};
use damier_core::insight::Insight;
use damier_core::random::Rng;

use crate::action::Move;
use crate::board::{Board, Piece, Side, Square, WIDTH, each};
use crate::moves::MoveList;
use crate::rules::Rules;

const DEPTH: u32 = 3;
const WIN: i32 = 1_000;

/// Alpha-beta to three plies, with random choice among equally good moves. A position is worth more the closer mountains
/// are to the edges towards which own animals face them.
pub struct Sparring {
    rules: Arc<Rules>,
    rng: Rng,
}

impl Sparring {
    /// A sparring partner whose choices depend on the positions and the seed.
    pub fn new(rules: Arc<Rules>, seed: u64) -> Self {
        Self { rules, rng: Rng::new(seed) }
    }

    fn search(&self, board: &Board, mut alpha: i32, beta: i32, depth: u32) -> i32 {
        if depth == 0 {
            return nearness(board, board.side()) - nearness(board, !board.side());
        }
        let mut moves = MoveList::new();
        self.rules.moves().list(board, &mut moves);
        for action in moves {
            let mut next = *board;
            let score = match next.play(action) {
                Some(winner) if winner == board.side() => WIN + depth as i32,
                Some(_) => -WIN - depth as i32,
                None => -self.search(&next, -beta, -alpha, depth - 1),
            };
            alpha = alpha.max(score);
            if alpha >= beta {
                break;
            }
        }
        alpha
    }
}

/// The sum, over all animals that face an adjacent mountain, of how close that mountain is to the edge ahead.
fn nearness(board: &Board, side: Side) -> i32 {
    let steps = |square: Square| {
        let Some(Piece::Animal(_, dir)) = board.piece(square) else { return 0 };
        let Some(ahead) = square.step(dir).filter(|ahead| board.mountains() & ahead.bit() != 0) else {
            return 0;
        };
        let to_edge = std::iter::successors(ahead.step(dir), |square| square.step(dir)).count();
        (WIDTH - to_edge) as i32
    };
    each(board.animals(side)).map(steps).sum()
}

impl Agent<Rules> for Sparring {
    fn act(&mut self, turn: &Turn<'_, Rules>, insight: &mut Insight) -> Move {
        let board = &turn.observation.state.board;
        let mut best = (-WIN - DEPTH as i32 - 1, turn.legal[0]);
        let mut order = turn.legal.to_vec();
        self.rng.shuffle(&mut order);
        for action in order {
            let mut next = *board;
            let score = match next.play(action) {
                Some(winner) if winner == board.side() => WIN + DEPTH as i32,
                Some(_) => -WIN - DEPTH as i32,
                None => -self.search(&next, -2 * WIN, -best.0, DEPTH - 1),
            };
            if score > best.0 {
                best = (score, action);
            }
        }
        insight.say(|| format!("three plies: {}", best.0));
        best.1
    }
}
