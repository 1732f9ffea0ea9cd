//! Our classic agent: plans on exact ticks with a guess at what it cannot know (how long guards carry gold, where they come
//! back), follows its plan while things go as imagined, and plans anew when they do not.

use std::sync::Arc;

use damier_core::agent::{Agent, Turn};
use damier_core::insight::{Insight, reason};
use damier_core::random::Rng;
use damier_kit::cancel::{Cancel, Deadline};

use crate::action::Action;
use crate::classic::board::Board;
use crate::classic::{ByChance, State, Version};
use crate::observe::Observation;
use crate::rules::{Ground, Rules};
use crate::solve::classic::{Found, SearchLimits, solve};
use crate::solve::ways::Ways;

/// Keys tried for one plan without an agent's limit.
const USUAL_NODES: u64 = 2_000_000;
/// Ticks for which a plan that does not win is followed before the next one.
const TRUSTED: usize = 40;
/// The way ahead that is shown, in ticks.
const SHOWN: usize = 300;

/// The agent.
pub struct ClassicAgent {
    rules: Arc<Rules>,
    ways: Ways,
    /// The guess at the chance to come.
    guess: Rng,
    /// The keys still to press, the next one last.
    plan: Vec<Action>,
    wins: bool,
    /// What should be seen now, if all goes as imagined.
    imagined: Option<State>,
}

impl ClassicAgent {
    /// An agent for a classic board.
    pub fn new(rules: Arc<Rules>, seed: u64) -> Option<Self> {
        let Ground::Classic(board) = rules.ground() else { return None };
        let ways = Ways::new(board);
        Some(Self { rules, ways, guess: Rng::new(seed), plan: Vec::new(), wins: false, imagined: None })
    }

    /// Plans from what is seen.
    fn think(&mut self, board: &Board, seen: &State, limits: &SearchLimits) -> Found {
        let mut found = solve(board, &self.ways, seen, &self.guess, limits);
        if !found.wins {
            found.keys.truncate(TRUSTED);
        }
        self.wins = found.wins;
        self.plan.clone_from(&found.keys);
        self.plan.reverse();
        self.imagined = Some(*seen);
        found
    }
}

impl Agent<Rules> for ClassicAgent {
    fn act(&mut self, turn: &Turn<'_, Rules>, insight: &mut Insight) -> Action {
        let rules = Arc::clone(&self.rules);
        let (Ground::Classic(board), Observation::Classic(view)) = (rules.ground(), turn.observation) else {
            return Action::None;
        };
        let as_imagined = self.imagined.is_some_and(|imagined| imagined.seen() == view.state);
        if !as_imagined || self.plan.is_empty() {
            let deadline = turn.clock.budget().time.map(|time| Deadline::after(time, &Cancel::default()));
            let limits = SearchLimits { nodes: turn.clock.nodes(USUAL_NODES), deadline };
            let found = self.think(board, &view.state, &limits);
            insight.count("nodes", found.nodes);
            insight.count("beams", found.beams.into());
        }
        let ahead = self.plan.len();
        insight.say(|| match (self.wins, ahead) {
            (true, _) => format!("out in {ahead} ticks"),
            (false, 0) => "no way on in sight".to_owned(),
            (false, _) => format!("no way out in sight yet; a plan for {ahead} ticks"),
        });
        let key = self.plan.pop().unwrap_or(Action::None);
        if let Some(mut imagined) = self.imagined {
            if insight.wanted() {
                insight.mark(reason::PATH, way_ahead(board, imagined, &self.plan, &self.guess));
            }
            imagined.tick(board, Version::Four, key, &mut ByChance(&mut self.guess));
            self.imagined = Some(imagined);
        }
        key
    }
}

/// The cells that the runner means to go through.
fn way_ahead(board: &Board, mut state: State, plan: &[Action], guess: &Rng) -> Vec<(u16, u16)> {
    let mut guess = guess.clone();
    let mut cells = Vec::new();
    for &key in plan.iter().rev().take(SHOWN) {
        state.tick(board, Version::Four, key, &mut ByChance(&mut guess));
        let cell = (state.runner.cell.x.into(), state.runner.cell.y.into());
        if cells.last() != Some(&cell) {
            cells.push(cell);
        }
    }
    cells
}
