//! Our miner.
//!
//! It keeps a picture of the world (`belief`), plans on it with the solver's search, chance being guessed and guesses
//! avoided (`mind`), and follows the plan as long as the world does. Where the world goes another way, what is left of
//! the plan is tried on the world as it is; only if that fails is there a new plan. Above all stands the shield: no
//! action without a line that survives, if there is one that has it.

mod belief;
mod mind;

use std::sync::Arc;

use damier_core::agent::{Agent, Clock, Turn};
use damier_core::game::Game;
use damier_core::grid::Cell;
use damier_core::insight::{Insight, Point, reason};

use crate::rules::{Action, Rules};
use belief::Belief;
use mind::{Mind, Outcome};

/// Positions that the first plan may look at.
const FIRST_PLAN: u64 = 1_000_000;

/// Positions that every later plan may look at.
const NEXT_PLAN: u64 = 120_000;

/// Positions that all plans of a game may look at together before each gets only a little.
const ALL_PLANS: u64 = 6_000_000;

/// Positions that a plan may look at after that.
const LAST_PLANS: u64 = 4_000;

/// The most ticks between two attempts at a plan where none is found.
const LONGEST_PAUSE: u32 = 32;

/// Our miner.
pub struct Miner {
    rules: Arc<Rules>,
    mind: Mind,
    belief: Option<Belief>,
    last: Action,
    plan: Vec<u8>,
    next: usize,
    outcome: Option<Outcome>,
    planned: u64,
    /// Ticks until the next attempt at a plan, and between the last two.
    pause: (u32, u32),
    plans: u64,
    repairs: u64,
}

impl Miner {
    /// A miner for a level. The seed is that of its own guesses.
    pub fn new(rules: &Arc<Rules>, seed: u64) -> Self {
        Self {
            rules: Arc::clone(rules),
            mind: Mind::new(rules, seed),
            belief: None,
            last: Action::Stay,
            plan: Vec::new(),
            next: 0,
            outcome: None,
            planned: 0,
            pause: (0, 1),
            plans: 0,
            repairs: 0,
        }
    }

    /// Does the world go as planned? If not, what is left of the plan may still do.
    fn keep_or_drop_plan(&mut self, belief: &Belief) {
        let Some(outcome) = &self.outcome else { return };
        let now = self.rules.hash(belief.state());
        let expected = self.next.checked_sub(1).and_then(|last| outcome.hashes.get(last).copied());
        if self.next >= self.plan.len() {
            self.outcome = None;
        } else if expected.is_some_and(|expected| expected != now) {
            let rest = self.plan.split_off(self.next);
            let repaired = self.mind.foresee(belief.state(), &rest);
            let good =
                repaired.lives && (repaired.wins || !outcome.wins && repaired.missing <= outcome.missing);
            self.repairs += u64::from(good);
            (self.plan, self.next) = (rest, 0);
            self.outcome = good.then_some(repaired);
        }
    }

    fn make_plan(&mut self, belief: &Belief, clock: &Clock) {
        if self.pause.0 > 0 {
            self.pause.0 -= 1;
            return;
        }
        let usual = match self.plans {
            0 => FIRST_PLAN,
            _ if self.planned < ALL_PLANS => NEXT_PLAN,
            _ => LAST_PLANS,
        };
        let most = clock.nodes(usual);
        let (plan, states) = self.mind.plan(belief.state(), &mut |states| states >= most || clock.expired());
        self.planned += states;
        self.plans += 1;
        self.next = 0;
        if plan.actions.is_empty() {
            self.outcome = None;
            let pause = (2 * self.pause.1).min(LONGEST_PAUSE);
            self.pause = (pause, pause);
        } else {
            self.pause = (0, 1);
            self.plan = plan.actions;
            self.outcome = Some(self.mind.foresee(belief.state(), &self.plan));
        }
    }

    /// The planned action, unless another one is safer: then that one, and the plan is dropped.
    fn shielded(&mut self, belief: &Belief, wish: Action, insight: &mut Insight) -> Action {
        let wished = self.mind.safety(belief.state(), wish);
        if wished >= 1.0 {
            return wish;
        }
        let mut best = (wished, wish);
        for action in Action::ALL {
            let safety = self.mind.safety(belief.state(), action);
            insight.score(|| action.name().to_owned(), safety);
            if safety > best.0 {
                best = (safety, action);
            }
        }
        if best.1 != wish {
            self.outcome = None;
        }
        best.1
    }

    fn explain(&self, belief: &Belief, action: Action, wish: Action, insight: &mut Insight) {
        if !insight.wanted() {
            return;
        }
        let state = belief.state();
        let point = |cell: Cell| -> Point { self.rules.size(state).xy(cell) };
        insight.mark(reason::DANGER, danger(&self.rules, belief).into_iter().map(point));
        insight.mark(reason::PREDICTED, predicted(&self.rules, belief).into_iter().map(point));
        if let Some(outcome) = &self.outcome {
            let path = &outcome.cells[self.next.saturating_sub(1).min(outcome.cells.len())..];
            insight.mark(reason::PATH, path.iter().copied().map(point));
            insight.mark(reason::GOAL, path.last().copied().map(point));
        }
        insight.count("positions", self.planned);
        insight.count("plans", self.plans);
        insight.count("repairs", self.repairs);
        let left = self.plan.len().saturating_sub(self.next);
        insight.say(|| match &self.outcome {
            _ if action != wish => format!("{} would be deadly: {}", wish.name(), action.name()),
            Some(outcome) if outcome.wins => format!("a plan of {left} more actions wins"),
            Some(outcome) => {
                format!("a plan of {left} more actions leaves {} diamonds missing", outcome.missing)
            }
            None => "no plan: staying alive".to_owned(),
        });
    }
}

/// The four cells around each monster.
fn danger(rules: &Rules, belief: &Belief) -> Vec<Cell> {
    let size = rules.size(belief.state());
    let monsters = rules.monsters(belief.state());
    let around = |cell| damier_core::grid::Dir::ALL.into_iter().filter_map(move |dir| size.step(cell, dir));
    monsters.iter().flat_map(|monster| around(monster.cell)).collect()
}

/// Where the monsters will be after the next tick.
fn predicted(rules: &Rules, belief: &Belief) -> Vec<Cell> {
    let mut next = belief.state().clone();
    rules.apply(&mut next, Action::Stay, &mut damier_core::random::Smallest);
    rules.monsters(&next).iter().map(|monster| monster.cell).collect()
}

impl Agent<Rules> for Miner {
    fn act(&mut self, turn: &Turn<'_, Rules>, insight: &mut Insight) -> Action {
        let belief = match self.belief.take() {
            Some(mut belief) => {
                belief.update(self.last, turn.observation);
                belief
            }
            None => Belief::new(&self.rules, turn.observation, 0),
        };
        if turn.legal.contains(&Action::Look) && !belief.knows_a_goal() {
            insight.say(|| "nothing to go for in view: looking further".to_owned());
            (self.last, self.outcome) = (Action::Look, None);
            self.belief = Some(belief);
            return Action::Look;
        }
        self.keep_or_drop_plan(&belief);
        if self.outcome.is_none() {
            self.make_plan(&belief, turn.clock);
        }
        let wish = match &self.outcome {
            Some(_) => Action::ALL[usize::from(self.plan[self.next])],
            None => Action::Stay,
        };
        let action = self.shielded(&belief, wish, insight);
        self.explain(&belief, action, wish, insight);
        self.next += 1;
        self.last = action;
        self.belief = Some(belief);
        action
    }
}
