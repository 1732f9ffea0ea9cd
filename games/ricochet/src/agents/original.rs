//! The course project's agent: A* over the cells of one robot, while the others stay.
//!
//! Its heuristic is the Euclidean distance to the target, while a move of any length costs 1. So the heuristic is not
//! admissible, and the first path found is not always a shortest one. It never moves another robot, so it finds nothing
//! if a blocker is missing.

use damier_core::agent::{Agent, Turn};
use damier_core::grid::{Cell, Size};
use damier_core::insight::{Insight, reason};
use damier_search::astar::AStar;

use crate::level::course;
use crate::reach;
use crate::robot::Robot;
use crate::rules::{Action, Rules, State};

/// The answer of the original agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OriginalAnswer {
    /// The moves, all of one robot.
    pub plan: Vec<Action>,
    /// The cells where the robot stops, its start first.
    pub path: Vec<Cell>,
    /// The number of expanded cells.
    pub expanded: u64,
}

impl OriginalAnswer {
    /// The path in the course's notation: `14,10|4,10|4,1`.
    pub fn text(&self, size: Size) -> String {
        course::answer(size, &self.path)
    }
}

/// The original agent.
pub struct Original {
    game: std::sync::Arc<Rules>,
}

/// The cost of a move, in units fine enough for distances.
const MOVE: u32 = 1 << 16;

impl Original {
    /// The agent for a game.
    pub const fn new(game: std::sync::Arc<Rules>) -> Self {
        Self { game }
    }

    /// The agent's answer; `None` if it finds no path. If any robot may reach the target, it tries one after the other.
    pub fn answer(game: &Rules, state: &State) -> Option<OriginalAnswer> {
        match game.level().target_robot() {
            Some(robot) => Self::answer_for(game, state, robot),
            None => state.present().find_map(|robot| Self::answer_for(game, state, robot)),
        }
    }

    fn answer_for(game: &Rules, state: &State, robot: Robot) -> Option<OriginalAnswer> {
        let (start, target) = (state.cell_of(robot)?, game.level().target());
        let size = game.level().board().size();
        let mut search = AStar::new();
        let path = search.search(
            start,
            |cell| cell == target,
            |cell| (euclid(size, cell, target) * f64::from(MOVE)) as u32,
            |cell, next| next.extend(reach::stops(game, state, robot, cell).map(|(_, stop)| (stop, MOVE))),
        )?;
        let action = |step: &[Cell]| {
            let mut stops = reach::stops(game, state, robot, step[0]);
            stops.find(|&(_, stop)| stop == step[1]).map(|(dir, _)| Action { robot, dir })
        };
        let plan = path.nodes.windows(2).filter_map(action).collect();
        Some(OriginalAnswer { plan, path: path.nodes, expanded: search.expanded() })
    }
}

fn euclid(size: Size, a: Cell, b: Cell) -> f64 {
    let ((ax, ay), (bx, by)) = (size.xy(a), size.xy(b));
    f64::from(ax.abs_diff(bx)).hypot(f64::from(ay.abs_diff(by)))
}

impl Agent<Rules> for Original {
    /// Plays the answer. Without one it plays its robot's first legal move, or any.
    fn act(&mut self, turn: &Turn<'_, Rules>, insight: &mut Insight) -> Action {
        let size = self.game.level().board().size();
        let state = &turn.observation.state;
        if let Some(answer) = Self::answer(&self.game, state)
            && let Some(&first) = answer.plan.first()
            && turn.legal.contains(&first)
        {
            insight
                .say(|| format!("A* over one robot: {} in {} moves", answer.text(size), answer.plan.len()));
            insight.mark(reason::PATH, answer.path.iter().map(|&cell| size.xy(cell)));
            insight.mark(reason::GOAL, [size.xy(self.game.level().target())]);
            insight.count("nodes", answer.expanded);
            return first;
        }
        insight.say(|| "A* over one robot finds no path to the target".to_owned());
        let own = |action: &&Action| Some(action.robot) == self.game.level().target_robot();
        *turn.legal.iter().find(own).unwrap_or(&turn.legal[0])
    }
}
