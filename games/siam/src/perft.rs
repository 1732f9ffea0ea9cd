//! Perft: the number of move sequences of an exact length. A finished game has no successors.
//!
//! The counts pin the rules: independent engines that agree on them agree on the legal moves.

use crate::action::Move;
use crate::board::Board;
use crate::moves::{MoveList, MoveRules};

/// The number of sequences of exactly `depth` plies from a position that is not over.
///
/// ```
/// use damier_siam::{board::Board, perft::perft, rules::RuleSet};
/// assert_eq!(perft(&RuleSet::Official.moves(), &Board::start(5), 3), 184_544);
/// ```
pub fn perft(rules: &MoveRules, board: &Board, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => rules.count(board),
        _ => {
            let mut moves = MoveList::new();
            rules.list(board, &mut moves);
            moves.iter().map(|&action| after(rules, board, action, depth)).sum()
        }
    }
}

/// The same number, split by first move, in the order of the move list.
pub fn divide(rules: &MoveRules, board: &Board, depth: u32) -> Vec<(Move, u64)> {
    let mut moves = MoveList::new();
    if depth > 0 {
        rules.list(board, &mut moves);
    }
    moves.sort_unstable_by_key(|action| action.rank());
    moves.into_iter().map(|action| (action, after(rules, board, action, depth))).collect()
}

fn after(rules: &MoveRules, board: &Board, action: Move, depth: u32) -> u64 {
    let mut next = *board;
    match (next.play(action), depth) {
        (_, 1) => 1,
        (Some(_), _) => 0,
        (None, _) => perft(rules, &next, depth - 1),
    }
}
