//! The course project's agent: A* over the cells of the one robot, the others staying where they are.
//!
//! Its estimate is the Euclidean distance to the target while a move costs 1 however far it goes, so the estimate is far
//! too high: the first way found is not always a shortest one. It never moves another robot, so it finds nothing where
//! an obstacle is missing.

use damier_core::agent::{Agent, Turn};
use damier_core::grid::{Cell, Size};
use damier_core::insight::{Insight, reason};
use damier_search::astar::AStar;

use crate::level::course;
use crate::reach;
use crate::robot::Robot;
use crate::rules::{Action, Rules, State};

/// What the original agent answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OriginalAnswer {
    /// The moves, all of one robot.
    pub plan: Vec<Action>,
    /// The cells where the robot stops, its start first.
    pub way: Vec<Cell>,
    /// Cells whose moves were looked at.
    pub expanded: u64,
}

impl OriginalAnswer {
    /// The way as the course writes it: `14,10|4,10|4,1`.
    pub fn text(&self, size: Size) -> String {
        course::answer(size, &self.way)
    }
}

/// The original agent.
pub struct Original {
    game: std::sync::Arc<Rules>,
}

/// What a move costs, in units fine enough for distances.
const MOVE: u32 = 1 << 16;

impl Original {
    /// The agent for a game.
    pub const fn new(game: std::sync::Arc<Rules>) -> Self {
        Self { game }
    }

    /// Its answer, or nothing where it finds no way. If any robot may reach the target, it tries one after the other.
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
        let way = search.search(
            start,
            |cell| cell == target,
            |cell| (euclid(size, cell, target) * f64::from(MOVE)) as u32,
            |cell, next| next.extend(reach::stops(game, state, robot, cell).map(|(_, stop)| (stop, MOVE))),
        )?;
        let action = |step: &[Cell]| {
            let mut stops = reach::stops(game, state, robot, step[0]);
            stops.find(|&(_, stop)| stop == step[1]).map(|(dir, _)| Action { robot, dir })
        };
        let plan = way.nodes.windows(2).filter_map(action).collect();
        Some(OriginalAnswer { plan, way: way.nodes, expanded: search.expanded() })
    }
}

fn euclid(size: Size, a: Cell, b: Cell) -> f64 {
    let ((ax, ay), (bx, by)) = (size.xy(a), size.xy(b));
    f64::from(ax.abs_diff(bx)).hypot(f64::from(ay.abs_diff(by)))
}

impl Agent<Rules> for Original {
    /// Plays its answer. Where it has none it makes its robot's first legal move, or any.
    fn act(&mut self, turn: &Turn<'_, Rules>, insight: &mut Insight) -> Action {
        let size = self.game.level().board().size();
        let state = &turn.observation.state;
        if let Some(answer) = Self::answer(&self.game, state)
            && let Some(&first) = answer.plan.first()
            && turn.legal.contains(&first)
        {
            insight
                .say(|| format!("A* over one robot: {} in {} moves", answer.text(size), answer.plan.len()));
            insight.mark(reason::PATH, answer.way.iter().map(|&cell| size.xy(cell)));
            insight.mark(reason::GOAL, [size.xy(self.game.level().target())]);
            insight.count("nodes", answer.expanded);
            return first;
        }
        insight.say(|| "A* over one robot finds no way to the target".to_owned());
        let own = |action: &&Action| Some(action.robot) == self.game.level().target_robot();
        *turn.legal.iter().find(own).unwrap_or(&turn.legal[0])
    }
}
