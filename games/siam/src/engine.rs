//! The engine: iterative deepening with a shared transposition table, on one thread or several.

pub mod order;
pub mod search;
pub mod table;

use std::sync::Arc;
use std::thread;
use std::time::Duration;

use damier_kit::time::Instant;

use damier_kit::cancel::Cancel;

use crate::action::Move;
use crate::board::Board;
use crate::evaluate::Evaluation;
use crate::moves::{MoveList, MoveRules};
use order::{History, MAX_PLY};
use search::{End, Searcher, WIN, WIN_BOUND};
use table::TranspositionTable;

/// The default size of the transposition table in bytes.
pub const DEFAULT_MEMORY: usize = 64 << 20;
/// How much of a table a search fills, with room for positions of earlier moves.
const BYTES_PER_MS: usize = 128 << 10;
const BYTES_PER_NODE: usize = 256;
/// The maximum search depth.
pub const MAX_DEPTH: u32 = 40;

/// The limits of a search. The first one reached ends it.
#[derive(Clone, Debug)]
pub struct SearchLimits {
    /// Wall time.
    pub time: Option<Duration>,
    /// The nodes of each thread. With one thread and no other limit the result is deterministic.
    pub nodes: Option<u64>,
    /// The depth in plies, without extensions for threats.
    pub depth: u32,
    /// Threads.
    pub threads: usize,
    /// Ends the search early.
    pub cancel: Cancel,
}

impl Default for SearchLimits {
    fn default() -> Self {
        Self { time: None, nodes: None, depth: MAX_DEPTH, threads: 1, cancel: Cancel::default() }
    }
}

impl SearchLimits {
    /// The useful table size in bytes for searches with these limits.
    pub fn memory(&self) -> usize {
        let by_time = self.time.map(|time| time.as_millis() as usize * BYTES_PER_MS);
        let by_nodes = self
            .nodes
            .map(|nodes| usize::try_from(nodes).unwrap_or(usize::MAX).saturating_mul(BYTES_PER_NODE));
        let cancelled = self.cancel.is_cancelled().then_some(0);
        let least = by_time.into_iter().chain(by_nodes).chain(cancelled).min();
        least.map_or(DEFAULT_MEMORY, |bytes| bytes.clamp(1 << 20, DEFAULT_MEMORY))
    }

    /// One thread for this long.
    pub fn time(time: Duration) -> Self {
        Self { time: Some(time), ..Self::default() }
    }

    /// One thread to this depth.
    pub fn depth(depth: u32) -> Self {
        Self { depth, ..Self::default() }
    }

    /// One thread for this many positions.
    pub fn nodes(nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..Self::default() }
    }
}

/// A score for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Score(pub i32);

impl Score {
    /// The plies to a forced win, if the score is one. It is proven, but there may be a shorter one.
    pub fn wins_in(self) -> Option<u32> {
        (self.0 > WIN_BOUND).then(|| (WIN - self.0) as u32)
    }

    /// The plies to a forced loss, if the score is one.
    pub fn loses_in(self) -> Option<u32> {
        Self(-self.0).wins_in()
    }

    /// Whether the score is a forced win or loss.
    pub fn is_decided(self) -> bool {
        self.0.abs() > WIN_BOUND
    }
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thought {
    /// The score of the best line.
    pub score: Score,
    /// The best line, starting with the move to play.
    pub line: Vec<Move>,
    /// The last completed depth.
    pub depth: u32,
    /// The nodes of all threads.
    pub nodes: u64,
}

impl Thought {
    /// The move to play.
    pub fn best(&self) -> Option<Move> {
        self.line.first().copied()
    }
}

/// The position to search, with its context.
#[derive(Clone, Copy)]
pub struct Question<'a> {
    /// The rules.
    pub rules: &'a MoveRules,
    /// The position. It must not be over.
    pub board: &'a Board,
    /// The keys of earlier positions of the game: repeating one counts as a draw.
    pub past: &'a [u64],
    /// First moves to exclude.
    pub without: &'a [Move],
}

impl<'a> Question<'a> {
    /// A position without a history.
    pub fn new(rules: &'a MoveRules, board: &'a Board) -> Self {
        Self { rules, board, past: &[], without: &[] }
    }
}

/// The SIAM engine. Its transposition table and move histories carry over from search to search.
pub struct Engine {
    evaluation: Arc<Evaluation>,
    table: TranspositionTable,
    histories: Vec<History>,
}

impl Engine {
    /// An engine with the shipped evaluation and a table of about this many bytes.
    pub fn new(memory: usize) -> Self {
        Self::with_evaluation(Evaluation::shipped(), memory)
    }

    /// An engine with another evaluation.
    pub fn with_evaluation(evaluation: Arc<Evaluation>, memory: usize) -> Self {
        Self { evaluation, table: TranspositionTable::new(memory), histories: Vec::new() }
    }

    /// Searches until a limit is reached. `report` gets the result of each depth. Without legal moves the line is empty.
    pub fn think(
        &mut self,
        question: Question,
        limits: &SearchLimits,
        report: &mut dyn FnMut(&Thought),
    ) -> Thought {
        let deadline = limits.time.map(|time| Instant::now() + time);
        let threads = limits.threads.max(1);
        self.table.grow_older();
        self.histories.resize_with(threads.max(self.histories.len()), History::default);
        let helping = limits.cancel.child();
        let (first, helpers) = self.histories.split_at_mut(1);
        let (table, evaluation) = (&self.table, &*self.evaluation);
        let searcher = |history, cancel| {
            let end = End { cancel, deadline, nodes: limits.nodes.unwrap_or(u64::MAX) };
            Searcher::new(question.rules, evaluation, table, history, question.past, end)
        };
        thread::scope(|scope| {
            let helpers: Vec<_> = (1..threads)
                .zip(helpers)
                .map(|(number, history)| {
                    let mut searcher = searcher(history, &helping);
                    scope.spawn(move || {
                        deepen(&mut searcher, question, limits, number, &mut |_| {});
                        searcher.nodes
                    })
                })
                .collect();
            let mut searcher = searcher(&mut first[0], &limits.cancel);
            let mut thought = deepen(&mut searcher, question, limits, 0, report);
            helping.cancel();
            let helped: u64 = helpers.into_iter().map(|helper| helper.join().unwrap_or(0)).sum();
            thought.nodes = searcher.nodes + helped;
            thought
        })
    }

    /// Searches without intermediate reports.
    pub fn answer(&mut self, question: Question, limits: &SearchLimits) -> Thought {
        self.think(question, limits, &mut |_| {})
    }
}

/// Iterative deepening. Helper threads skip some depths, so that they run ahead of the main thread.
fn deepen(
    searcher: &mut Searcher,
    question: Question,
    limits: &SearchLimits,
    number: usize,
    report: &mut dyn FnMut(&Thought),
) -> Thought {
    searcher.begin();
    let mut moves = root_moves(question);
    let line: Vec<Move> = moves.first().map(|&(action, _)| action).into_iter().collect();
    let mut thought = Thought { score: Score(0), line, depth: 0, nodes: 0 };
    for depth in 1..=limits.depth.min(MAX_PLY as u32 - 2) {
        if moves.is_empty() || (number > 0 && (depth as usize + number).is_multiple_of(2 + number)) {
            continue;
        }
        let score = aspire(searcher, question.board, &mut moves, depth as i32, thought.score.0);
        if !searcher.line().is_empty() {
            thought.line = searcher.line().to_vec();
        }
        if searcher.stopped {
            break;
        }
        thought = Thought { score: Score(score), depth, nodes: searcher.nodes, ..thought };
        report(&thought);
        let plies = thought.score.wins_in().or(thought.score.loses_in());
        if plies.is_some_and(|plies| plies <= depth) {
            break;
        }
    }
    thought.nodes = searcher.nodes;
    thought
}

/// The root moves; a winning one comes first.
fn root_moves(question: Question) -> Vec<(Move, i32)> {
    let mut list = MoveList::new();
    question.rules.list(question.board, &mut list);
    let side = question.board.side();
    let mut moves: Vec<(Move, i32)> = list
        .into_iter()
        .filter(|action| !question.without.contains(action))
        .map(|action| (action, 0))
        .collect();
    let wins = |action: Move| {
        let mut board = *question.board;
        board.play(action) == Some(side)
    };
    moves.sort_by_key(|&(action, _)| !wins(action));
    moves
}

/// Searches with an aspiration window around the last score, widened if it fails.
fn aspire(searcher: &mut Searcher, board: &Board, moves: &mut [(Move, i32)], depth: i32, last: i32) -> i32 {
    let mut margin = if depth < 4 || last.abs() > WIN_BOUND { 2 * WIN } else { 30 };
    let (mut alpha, mut beta) = ((last - margin).max(-WIN), (last + margin).min(WIN));
    loop {
        let score = searcher.root(board, moves, depth, (alpha, beta));
        if searcher.stopped || (score > alpha || alpha == -WIN) && (score < beta || beta == WIN) {
            return score;
        }
        margin = if margin > 500 { 2 * WIN } else { margin * 3 };
        if score <= alpha {
            alpha = (score - margin).max(-WIN);
        } else {
            beta = (score + margin).min(WIN);
        }
    }
}
