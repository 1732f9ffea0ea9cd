//! The strongest agent: plays the solver's plan.

use std::sync::Arc;

use damier_core::agent::{Agent, Turn};
use damier_core::insight::{Insight, reason};

use crate::reach;
use crate::rules::{Action, Rules, State};
use crate::solve::{Answer, SearchLimits, SearchOutcome, solve};

/// The position limit of the solver without a budget.
const DEFAULT_POSITIONS: u64 = 20_000_000;

/// Plays a shortest solution, and solves again if the robots are not where the plan expects them.
pub struct Best {
    game: Arc<Rules>,
    /// The state in which the plan continues, and the rest of the plan.
    plan: Option<(State, Vec<Action>)>,
    answer: Option<Answer>,
}

impl Best {
    /// The agent for a game.
    pub const fn new(game: Arc<Rules>) -> Self {
        Self { game, plan: None, answer: None }
    }

    fn plan_from(&mut self, turn: &Turn<'_, Rules>) -> Vec<Action> {
        let state = &turn.observation.state;
        if let Some((expected, plan)) = self.plan.take()
            && expected == *state
        {
            return plan;
        }
        let limits = SearchLimits {
            time: turn.clock.budget().time,
            positions: Some(turn.clock.nodes(DEFAULT_POSITIONS)),
            ..SearchLimits::default()
        };
        let answer = solve(&self.game, state, &limits, &mut |_| {});
        self.answer = Some(answer.clone());
        answer.plan.unwrap_or_default()
    }

    fn show(&self, state: &State, plan: &[Action], insight: &mut Insight) {
        if !insight.wanted() {
            return;
        }
        let size = self.game.level().board().size();
        for corridor in reach::corridors(&self.game, state) {
            insight.mark(reason::CORRIDOR, corridor.cells.iter().map(|&cell| size.xy(cell)));
            insight.mark("obstacle missing", corridor.missing.map(|cell| size.xy(cell)));
        }
        let mut ahead = state.clone();
        for &action in plan {
            let from = ahead.robots[action.robot.index()];
            let length = self.game.slide(&ahead, action).map_or(0, |(stop, _)| {
                let path = self.game.slides().path(action.robot, from, action.dir).cells;
                path.iter().position(|&cell| cell == stop).map_or(0, |last| last + 1)
            });
            let path = &self.game.slides().path(action.robot, from, action.dir).cells[..length];
            insight.mark(reason::PATH, path.iter().map(|&cell| size.xy(cell)));
            self.game.make_move(&mut ahead, action);
        }
        insight.mark(reason::GOAL, [size.xy(self.game.level().target())]);
        let Some(answer) = &self.answer else { return };
        insight.count("positions", answer.positions);
        insight.say(|| {
            let steps: Vec<String> = plan.iter().map(ToString::to_string).collect();
            let proof = match answer.outcome {
                SearchOutcome::Solved => "proven shortest".to_owned(),
                _ => format!("at least {} were needed from the start", answer.lower_bound),
            };
            format!("{} moves to go, {proof}: {}", plan.len(), steps.join(", "))
        });
    }
}

impl Agent<Rules> for Best {
    fn act(&mut self, turn: &Turn<'_, Rules>, insight: &mut Insight) -> Action {
        let state = &turn.observation.state;
        let plan = self.plan_from(turn);
        let Some((&first, rest)) = plan.split_first().filter(|(first, _)| turn.legal.contains(first)) else {
            insight.say(|| "no solution found: playing any move".to_owned());
            return turn.legal[turn.number as usize % turn.legal.len()];
        };
        self.show(state, &plan, insight);
        let mut next = state.clone();
        self.game.make_move(&mut next, first);
        self.plan = Some((next, rest.to_vec()));
        first
    }
}
