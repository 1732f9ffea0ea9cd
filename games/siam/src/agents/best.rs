//! The strongest player.

use std::sync::Arc;

use damier_core::agent::{Agent, Turn};
use damier_core::insight::{Insight, reason};

use crate::action::Move;
use crate::analyze::score_text;
use crate::board::Board;
use crate::draw;
use crate::engine::{Engine, Question, SearchLimits, Thought};
use crate::rules::Rules;

/// The node limit of a move without a budget.
const DEFAULT_NODES: u64 = 400_000;
/// The number of first moves whose scores are shown.
const CANDIDATES: usize = 3;

/// The engine at full strength.
pub struct Best {
    rules: Arc<Rules>,
    /// Created for the first move, with a table sized for its budget.
    engine: Option<Engine>,
}

impl Best {
    /// A player with an empty memory.
    pub fn new(rules: Arc<Rules>) -> Self {
        Self { rules, engine: None }
    }
}

/// The engine's limits for a turn's budget.
pub(super) fn limits(turn: &Turn<'_, Rules>, usual: u64) -> SearchLimits {
    let left = turn.clock.budget().time.map(|time| time.saturating_sub(turn.clock.elapsed()));
    SearchLimits { time: left, nodes: Some(turn.clock.nodes(usual)), ..SearchLimits::default() }
}

impl Agent<Rules> for Best {
    fn act(&mut self, turn: &Turn<'_, Rules>, insight: &mut Insight) -> Move {
        let state = &turn.observation.state;
        let rules = Arc::clone(&self.rules);
        let past = state.past();
        let question = Question { past: &past, ..Question::new(rules.moves(), &state.board) };
        let limits = limits(turn, DEFAULT_NODES);
        let engine = self.engine.get_or_insert_with(|| Engine::new(limits.memory()));
        let thought = engine.answer(question, &limits);
        if insight.wanted() {
            candidates(engine, question, &thought, insight);
            show(&rules, &state.board, &thought, insight);
        }
        thought.best().unwrap_or(turn.legal[0])
    }
}

/// Adds the scores of the next best moves, searched with the filled transposition table.
fn candidates(engine: &mut Engine, question: Question, thought: &Thought, insight: &mut Insight) {
    let mut without: Vec<Move> = thought.best().into_iter().collect();
    let shown = |score: i32| f64::from(score) / 100.0;
    insight.score(|| without.first().map(ToString::to_string).unwrap_or_default(), shown(thought.score.0));
    let limits = SearchLimits { depth: thought.depth.clamp(1, 6), ..SearchLimits::nodes(100_000) };
    for _ in 1..CANDIDATES {
        let question = Question { without: &without, ..question };
        let next = engine.answer(question, &limits);
        let Some(best) = next.best() else { break };
        insight.score(|| best.to_string(), shown(next.score.0));
        without.push(best);
    }
    // They are searched separately and less deeply than the best move.
    if let Some(others) = insight.scores.get_mut(1..) {
        others.sort_by(|one, other| other.1.total_cmp(&one.1));
    }
}

/// Marks the move, the expected reply and the opponent's threats, and puts the score into words.
pub(super) fn show(rules: &Rules, board: &Board, thought: &Thought, insight: &mut Insight) {
    let opponent = !board.side();
    for action in rules.moves().winning_moves(board, opponent) {
        insight.mark(reason::DANGER, draw::push_squares(board, action).map(draw::point));
    }
    let mut after = *board;
    let mut line = thought.line.iter();
    if let Some(&best) = line.next() {
        insight.mark(reason::PATH, draw::push_squares(board, best).map(draw::point));
        insight.mark(reason::GOAL, best.to().map(draw::point));
        after.play(best);
    }
    if let Some(&reply) = line.next() {
        insight.mark(reason::PREDICTED, reply.to().map(draw::point));
    }
    insight.count("nodes", thought.nodes);
    insight.count("depth", u64::from(thought.depth));
    insight.say(|| {
        let line: Vec<String> = thought.line.iter().take(8).map(ToString::to_string).collect();
        format!("{}: {}", score_text(thought.score, board.side()), line.join(" "))
    });
}
