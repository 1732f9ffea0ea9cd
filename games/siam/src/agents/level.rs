//! Players that a human can beat.
//!
//! Lower levels do not simply play random moves: they look less far ahead, evaluate roughly, and overlook pushes of both
//! sides, as humans do. The same seed gives the same game.

use std::sync::Arc;

use damier_core::agent::{Agent, Turn};
use damier_core::insight::{Insight, reason};
use damier_core::random::{Chance, Rng};

use crate::action::Move;
use crate::board::Board;
use crate::draw;
use crate::engine::search::WIN;
use crate::engine::{Engine, Question, SearchLimits};
use crate::evaluate::{Evaluation, UNIT};
use crate::rules::Rules;

/// The playing strength of a level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Habits {
    /// The name of the level.
    pub name: &'static str,
    /// The node limit of a move.
    pub nodes: u64,
    /// The search depth in plies after the move; 0 for a static evaluation.
    pub depth: u32,
    /// The maximum error of its evaluation of a move.
    pub noise: i32,
    /// The percentage of winning pushes that it overlooks.
    pub misses_wins: u32,
    /// The percentage of moves allowing a winning push that it considers harmless.
    pub misses_threats: u32,
}

/// The levels, weakest first.
pub const LEVELS: [Habits; 6] = [
    Habits { name: "level1", nodes: 0, depth: 0, noise: 2 * UNIT, misses_wins: 40, misses_threats: 60 },
    Habits { name: "level2", nodes: 0, depth: 0, noise: UNIT, misses_wins: 15, misses_threats: 35 },
    Habits {
        name: "level3",
        nodes: 2_000,
        depth: 1,
        noise: 3 * UNIT / 4,
        misses_wins: 5,
        misses_threats: 15,
    },
    Habits { name: "level4", nodes: 20_000, depth: 2, noise: UNIT / 2, misses_wins: 0, misses_threats: 5 },
    Habits { name: "level5", nodes: 60_000, depth: 4, noise: UNIT / 4, misses_wins: 0, misses_threats: 0 },
    Habits { name: "level6", nodes: 200_000, depth: 6, noise: UNIT / 10, misses_wins: 0, misses_threats: 0 },
];

const TABLE_BYTES: usize = 4 << 20;
/// The number of moves that are searched: those with the best static evaluation.
const CLOSER: usize = 10;

/// A player of one of the [`LEVELS`].
pub struct Leveled {
    rules: Arc<Rules>,
    habits: Habits,
    engine: Engine,
    rng: Rng,
}

/// A move and the player's evaluation of it.
#[derive(Clone, Copy)]
struct Opinion {
    action: Move,
    score: i32,
    /// Whether the player overlooks that the opponent could push a mountain off in reply.
    overlooked: bool,
}

impl Leveled {
    /// A player of the level with this name.
    pub fn new(rules: Arc<Rules>, name: &str, seed: u64) -> Option<Self> {
        let habits = LEVELS.into_iter().find(|habits| habits.name == name)?;
        Some(Self { rules, habits, engine: Engine::new(TABLE_BYTES), rng: Rng::new(seed) })
    }

    fn happens(&mut self, percent: u32) -> bool {
        self.rng.below(100) < percent
    }

    /// A random error of evaluation: small ones are more likely than large ones.
    fn noise(&mut self) -> i32 {
        let thousandths = (self.rng.below(1_000) + self.rng.below(1_000)) as i32 - 999;
        thousandths * self.habits.noise / 999
    }

    /// Evaluates every move without a search; best first.
    fn first_sight(&mut self, board: &Board, legal: &[Move]) -> Vec<Opinion> {
        let side = board.side();
        let evaluation = Evaluation::shipped();
        let mut opinions = Vec::new();
        for &action in legal {
            let mut next = *board;
            let won = next.play(action);
            let danger = won.is_none() && self.rules.moves().threats(&next).of(!side);
            let overlooked = danger && self.happens(self.habits.misses_threats);
            let score = match won {
                Some(winner) if winner == side => {
                    if self.happens(self.habits.misses_wins) {
                        0
                    } else {
                        WIN
                    }
                }
                Some(_) => -WIN,
                None if danger && !overlooked => -WIN,
                None => self.noise() - evaluation.worth(&next),
            };
            opinions.push(Opinion { action, score, overlooked });
        }
        opinions.sort_by_key(|opinion| std::cmp::Reverse(opinion.score));
        opinions
    }

    /// Searches the best moves and puts the best of them first.
    fn look_closer(&mut self, board: &Board, past: &[u64], opinions: &mut Vec<Opinion>, nodes: u64) {
        opinions.truncate(CLOSER);
        let rules = Arc::clone(&self.rules);
        let mut past = past.to_vec();
        past.push(board.key());
        let limits =
            SearchLimits { depth: self.habits.depth, ..SearchLimits::nodes((nodes / CLOSER as u64).max(1)) };
        for opinion in opinions.iter_mut().filter(|opinion| opinion.score.abs() < WIN && !opinion.overlooked)
        {
            let mut next = *board;
            next.play(opinion.action);
            let question = Question { past: &past, ..Question::new(rules.moves(), &next) };
            opinion.score = self.noise() - self.engine.answer(question, &limits).score.0;
        }
        opinions.sort_by_key(|opinion| std::cmp::Reverse(opinion.score));
    }
}

impl Agent<Rules> for Leveled {
    fn act(&mut self, turn: &Turn<'_, Rules>, insight: &mut Insight) -> Move {
        let state = &turn.observation.state;
        let mut opinions = self.first_sight(&state.board, turn.legal);
        if self.habits.depth > 0 && opinions[0].score < WIN {
            let nodes = turn.clock.nodes(self.habits.nodes).min(self.habits.nodes);
            self.look_closer(&state.board, &state.past(), &mut opinions, nodes);
        }
        for opinion in opinions.iter().take(4) {
            insight.score(|| opinion.action.to_string(), f64::from(opinion.score) / 100.0);
        }
        let Opinion { action, score, overlooked } = opinions[0];
        insight.mark(reason::GOAL, action.to().map(draw::point));
        insight.say(|| match score {
            WIN => "pushes a mountain off".to_owned(),
            ..=-1_000 => "every move seems to lose".to_owned(),
            _ if overlooked => "does not see what the opponent can push".to_owned(),
            _ => format!("{} plies ahead, with an inaccurate evaluation", self.habits.depth + 1),
        });
        action
    }
}
