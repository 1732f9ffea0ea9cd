//! What several tests share: fixtures and random positions.
#![allow(dead_code, reason = "every test uses a part of it")]

use damier_core::random::{Chance, Rng};
use damier_siam::board::{ANIMALS, Board};
use damier_siam::engine::{Engine, Question, SearchLimits};
use damier_siam::moves::{MoveList, MoveRules};
use serde_json::Value;

/// The lines of a fixture.
pub fn fixture(name: &str) -> Vec<Value> {
    let path = format!("{}/tests/fixtures/{name}.jsonl", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    text.lines().map(|line| serde_json::from_str(line).expect("a fixture is JSON lines")).collect()
}

/// The position of a fixture's line.
pub fn position(case: &Value) -> Board {
    let text = case["position"].as_str().expect("a position");
    Board::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// A position after so many random moves, or the last one before the end of the game.
pub fn random_position(rules: &MoveRules, seed: u64, plies: u32) -> Board {
    let mut rng = Rng::new(seed);
    let mut board = Board::start(ANIMALS);
    for _ in 0..plies {
        let mut moves = MoveList::new();
        rules.list(&board, &mut moves);
        let mut next = board;
        if next.play(moves[rng.below(moves.len() as u32) as usize]).is_some() {
            break;
        }
        board = next;
    }
    board
}

/// A position of a game between careless players, near its end: they look at 200 positions a move and now and then at none.
pub fn tense_position(rules: &MoveRules, seed: u64) -> Board {
    let mut rng = Rng::new(seed);
    let mut engine = Engine::new(1 << 16);
    let mut boards = vec![random_position(rules, seed, 4)];
    for _ in 0..30 {
        let board = *boards.last().expect("there is a first one");
        let mut moves = MoveList::new();
        rules.list(&board, &mut moves);
        let action = match rng.below(4) {
            0 => moves[rng.below(moves.len() as u32) as usize],
            _ => {
                engine.answer(Question::new(rules, &board), &SearchLimits::nodes(200)).best().expect("a move")
            }
        };
        let mut next = board;
        if next.play(action).is_some() {
            break;
        }
        boards.push(next);
    }
    boards[boards.len().saturating_sub(1 + rng.below(5) as usize)]
}
