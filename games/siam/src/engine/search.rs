//! Principal variation search, one thread of it.
//!
//! The score of a win counts the plies to it and is always a proof: moves are reduced and pruned only if a move that does
//! not lose is known, and neither a null move nor a repetition is ever scored as a win.

use std::sync::LazyLock;

use damier_kit::time::Instant;

use damier_kit::cancel::Cancel;

use super::order::{History, MAX_PLY, Picker};
use super::table::{Bound, Known, TranspositionTable};
use crate::action::Move;
use crate::board::Board;
use crate::evaluate::{Evaluation, UNIT};
use crate::moves::MoveRules;

/// The score of an immediate win; a win in n plies is n less.
pub const WIN: i32 = 30_000;
/// Scores above this are wins.
pub const WIN_BOUND: i32 = WIN - 1_000;
/// Greater than every score.
const INFINITE: i32 = WIN + 1;
const DRAW: i32 = 0;

/// The futility margin: the maximum gain of a quiet move, per remaining ply.
const FUTILITY: i32 = UNIT / 2;
/// Up to this depth a position whose evaluation is well above the window is not searched.
const SHALLOW: i32 = 4;
/// The number of nodes between two checks of the clock.
const CLOCK_NODES: u64 = 1_024;

/// When a search thread stops.
pub struct End<'a> {
    /// Ends the search early.
    pub cancel: &'a Cancel,
    /// The deadline.
    pub deadline: Option<Instant>,
    /// The nodes of one thread.
    pub nodes: u64,
}

/// One thread of the search.
pub struct Searcher<'a> {
    rules: &'a MoveRules,
    evaluation: &'a Evaluation,
    table: &'a TranspositionTable,
    end: End<'a>,
    history: &'a mut History,
    /// The keys of the positions before the current one: those of the game, then those of the search.
    path: Vec<u64>,
    /// The best line from each ply.
    lines: Box<[Variation; MAX_PLY + 1]>,
    /// The number of nodes searched.
    pub nodes: u64,
    next_look: u64,
    /// Whether the search was stopped. Then its last scores are meaningless.
    pub stopped: bool,
}

#[derive(Clone, Copy)]
struct Variation {
    length: usize,
    moves: [Move; MAX_PLY],
}

/// Late move reductions, by depth and position in the move order.
static REDUCTIONS: LazyLock<[[i8; 64]; 64]> = LazyLock::new(|| {
    let mut table = [[0; 64]; 64];
    for (depth, row) in table.iter_mut().enumerate().skip(1) {
        for (place, reduction) in row.iter_mut().enumerate().skip(1) {
            *reduction = (0.4 + (depth as f64).ln() * (place as f64).ln() / 2.0) as i8;
        }
    }
    table
});

impl<'a> Searcher<'a> {
    /// A thread that searches from a position that the game reached through `past`.
    pub fn new(
        rules: &'a MoveRules,
        evaluation: &'a Evaluation,
        table: &'a TranspositionTable,
        history: &'a mut History,
        past: &[u64],
        end: End<'a>,
    ) -> Self {
        let line = Variation { length: 0, moves: [Move::from_index(0); MAX_PLY] };
        let lines = Box::new([line; MAX_PLY + 1]);
        let next_look = end.nodes.min(CLOCK_NODES);
        let path = past.to_vec();
        Self { rules, evaluation, table, end, history, path, lines, nodes: 0, next_look, stopped: false }
    }

    /// Prepares for a new search: ages the move statistics.
    pub fn begin(&mut self) {
        self.history.fade();
    }

    /// Searches the root moves in order to a depth, and moves the best one to the front. Returns its score, or a bound if
    /// that is not between `alpha` and `beta`. A stopped search may still have found a better first move.
    pub fn root(&mut self, board: &Board, moves: &mut [(Move, i32)], depth: i32, window: (i32, i32)) -> i32 {
        let (mut alpha, beta) = window;
        let mut best = -INFINITE;
        self.path.push(board.key());
        for index in 0..moves.len() {
            let action = moves[index].0;
            let mut next = *board;
            let winner = next.play(action);
            let score = match winner {
                Some(side) if side == board.side() => WIN - 1,
                Some(_) => 1 - WIN,
                None if index == 0 => -self.search(&next, (-beta, -alpha), depth - 1, 1, Some(action)),
                None => self.scout(&next, (alpha, beta), depth, index, action, 0),
            };
            if self.stopped {
                break;
            }
            moves[index].1 = score;
            if score > best {
                best = score;
                if score > alpha || index == 0 {
                    alpha = alpha.max(score);
                    self.extend_line(0, action, winner.is_some());
                    moves[..=index].rotate_right(1);
                }
                if score >= beta {
                    break;
                }
            }
        }
        self.path.pop();
        best
    }

    /// Searches a later move with a null window, and again with the full window if it is better than the best so far.
    fn scout(
        &mut self,
        next: &Board,
        (alpha, beta): (i32, i32),
        depth: i32,
        place: usize,
        action: Move,
        ply: usize,
    ) -> i32 {
        let mut reduction = 0;
        if depth >= 2 && place >= 2 {
            reduction = i32::from(REDUCTIONS[(depth as usize).min(63)][place.min(63)]);
            reduction -= self.history.cuts(!next.side(), action) / 6_000;
            reduction -= i32::from(beta - alpha > 1);
            reduction = reduction.clamp(0, depth - 1);
        }
        let null = (-alpha - 1, -alpha);
        let mut score = -self.search(next, null, depth - 1 - reduction, ply + 1, Some(action));
        if score > alpha && reduction > 0 {
            score = -self.search(next, null, depth - 1, ply + 1, Some(action));
        }
        if score > alpha && score < beta {
            score = -self.search(next, (-beta, -alpha), depth - 1, ply + 1, Some(action));
        }
        score
    }

    /// The score of a position for the side to move, or a bound if it is outside of the window. `previous` is the
    /// opponent's last move; `None` after a null move.
    fn search(
        &mut self,
        board: &Board,
        (mut alpha, mut beta): (i32, i32),
        mut depth: i32,
        ply: usize,
        previous: Option<Move>,
    ) -> i32 {
        self.lines[ply].length = 0;
        self.count_node();
        if self.stopped {
            return DRAW;
        }
        // Loaded early: the entry is rarely in the cache, and there is other work to do meanwhile.
        let key = self.rules.key(board);
        let known = if depth > 0 { self.table.get(key) } else { None };
        let side = board.side();
        let threats = self.rules.threats(board);
        if threats.of(side) {
            return WIN - (ply as i32 + 1);
        }
        // Mate distance pruning: no loss in fewer than two plies and no win in fewer than three is possible here.
        alpha = alpha.max(ply as i32 + 2 - WIN);
        beta = beta.min(WIN - (ply as i32 + 3));
        if alpha >= beta {
            return alpha;
        }
        if self.is_repetition(board.key()) {
            return DRAW;
        }
        let threatened = threats.of(!side);
        if threatened {
            // Few moves parry a threat, so they are searched one ply deeper.
            depth = depth.max(0) + 1;
        }
        if depth <= 0 || ply >= MAX_PLY - 1 {
            return if threatened { alpha } else { self.evaluation.worth(board) };
        }

        let window = (alpha, beta);
        let is_pv = beta - alpha > 1;
        if let Some(score) = known.filter(|_| !is_pv).and_then(|known| settled(known, window, depth, ply)) {
            return score;
        }
        let worth = if threatened { -INFINITE } else { self.evaluation.worth(board) };
        if !is_pv
            && !threatened
            && let Some(score) = self.prune(board, beta, depth, ply, worth, previous.is_some())
        {
            return score;
        }
        let known_best = known.and_then(|known| known.best);
        let mut picker = Picker::default();
        picker.fill(self.rules, board, known_best, previous, ply, self.history);
        let (best, action) = self.search_moves(board, window, depth, ply, worth, &mut picker);
        if self.stopped {
            return DRAW;
        }
        if let Some(cut) = action
            && best >= beta
        {
            self.history.learn(side, ply, depth, previous, cut, picker.tried());
        }
        let bound = match best {
            _ if best >= beta => Bound::Lower,
            _ if best > window.0 => Bound::Exact,
            _ => Bound::Upper,
        };
        let score = to_table(best, ply);
        self.table.put(key, Known { best: action, score, bound, depth: depth.min(255) as u8 });
        best
    }

    /// Futility and null move pruning: a score above the window if the evaluation, or a search after a pass, exceeds it.
    fn prune(
        &mut self,
        board: &Board,
        beta: i32,
        depth: i32,
        ply: usize,
        worth: i32,
        may_pass: bool,
    ) -> Option<i32> {
        if beta.abs() >= WIN_BOUND || worth < beta {
            return None;
        }
        if depth <= SHALLOW && worth - FUTILITY * depth >= beta {
            return Some(worth);
        }
        if depth < 3 || !may_pass {
            return None;
        }
        let mut passed = *board;
        passed.pass();
        self.path.push(board.key());
        let score = -self.search(&passed, (-beta, 1 - beta), depth - 3 - depth / 4, ply + 1, None);
        self.path.pop();
        (score >= beta && !self.stopped).then(|| score.min(WIN_BOUND - 1))
    }

    /// Searches the moves of a node; returns the best score, and its move if that raised alpha.
    fn search_moves(
        &mut self,
        board: &Board,
        (mut alpha, beta): (i32, i32),
        depth: i32,
        ply: usize,
        worth: i32,
        picker: &mut Picker,
    ) -> (i32, Option<Move>) {
        let (mut best, mut best_move) = (-INFINITE, None);
        let mut place = 0;
        let hopeless = depth <= SHALLOW && worth > -INFINITE && worth + FUTILITY * (depth + 1) <= alpha;
        self.path.push(board.key());
        for action in picker.by_ref() {
            let mut next = *board;
            if next.play(action).is_some() {
                // The side to move has no winning push, so this one wins for the opponent.
                continue;
            }
            if hopeless
                && place >= 4 * depth as usize
                && best > -WIN_BOUND
                && !self.rules.threats(&next).of(board.side())
            {
                continue;
            }
            let score = if place == 0 {
                -self.search(&next, (-beta, -alpha), depth - 1, ply + 1, Some(action))
            } else {
                self.scout(&next, (alpha, beta), depth, place, action, ply)
            };
            place += 1;
            if self.stopped {
                break;
            }
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    best_move = Some(action);
                    if beta - alpha > 0 {
                        self.extend_line(ply, action, false);
                    }
                }
                if score >= beta {
                    break;
                }
            }
        }
        self.path.pop();
        (best.max(ply as i32 + 1 - WIN), best_move)
    }

    /// Sets the line of this ply to a move followed by the line of the next ply.
    fn extend_line(&mut self, ply: usize, action: Move, ends: bool) {
        let (here, below) = self.lines.split_at_mut(ply + 1);
        let (line, rest) = (&mut here[ply], &below[0]);
        let length = if ends { 0 } else { rest.length.min(MAX_PLY - 1) };
        line.moves[0] = action;
        line.moves[1..=length].copy_from_slice(&rest.moves[..length]);
        line.length = length + 1;
    }

    /// The principal variation.
    pub fn line(&self) -> &[Move] {
        &self.lines[0].moves[..self.lines[0].length]
    }

    /// Whether the position has occurred before, with the same side to move.
    fn is_repetition(&self, key: u64) -> bool {
        self.path.iter().rev().skip(1).step_by(2).any(|&past| past == key)
    }

    fn count_node(&mut self) {
        self.nodes += 1;
        if self.nodes >= self.next_look {
            self.next_look = (self.nodes + CLOCK_NODES).min(self.end.nodes);
            let late = self.end.deadline.is_some_and(|deadline| Instant::now() >= deadline);
            self.stopped |= late || self.nodes >= self.end.nodes || self.end.cancel.is_cancelled();
        }
    }
}

/// The stored score of a position, if it was searched deep enough and causes a cutoff.
fn settled(known: Known, (alpha, beta): (i32, i32), depth: i32, ply: usize) -> Option<i32> {
    let score = from_table(known.score, ply);
    let settles = match known.bound {
        Bound::Exact => true,
        Bound::Lower => score >= beta,
        Bound::Upper => score <= alpha,
    };
    (settles && i32::from(known.depth) >= depth).then_some(score)
}

/// Converts a score for the table, where a win counts its plies from the position itself.
fn to_table(score: i32, ply: usize) -> i16 {
    let plies = ply as i32;
    (if score > WIN_BOUND {
        score + plies
    } else if score < -WIN_BOUND {
        score - plies
    } else {
        score
    }) as i16
}

fn from_table(score: i16, ply: usize) -> i32 {
    let (score, plies) = (i32::from(score), ply as i32);
    if score > WIN_BOUND {
        score - plies
    } else if score < -WIN_BOUND {
        score + plies
    } else {
        score
    }
}
