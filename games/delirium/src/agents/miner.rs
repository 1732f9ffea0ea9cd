//! The agent `best`: our miner.
//!
//! It keeps a picture of the world (`belief`), plans on it with the solver's search, chance being guessed and guesses
//! avoided (`mind`), and follows the plan as long as the world does. Where the world goes another way, what is left of
//! the plan is tried on the world as it is; only if that fails is there a new plan.
//!
//! The first plan is made at once. Later ones are thought out over many ticks (`thinker`): the miner finds a line on which
//! it stays alive, plans from the end of that line while it follows it, and goes on with the plan when both are done. Above
//! all stands the shield: no action without a line that survives, if there is one that has it.

mod belief;
mod mind;
mod thinker;

use std::sync::Arc;

use damier_core::agent::{Agent, Budget, Clock, Turn};
use damier_core::game::Game;
use damier_core::grid::Cell;
use damier_core::insight::{Insight, Point, reason};

use crate::rules::{Action, Rules, State};
use crate::solve::Sought;
use crate::solve::plan::WayOut;
use belief::Belief;
use mind::{Mind, Outcome};
use thinker::{Grant, Spawn};

/// Positions that are looked at for the first plan before the first action.
const FIRST_PLAN: u64 = 1_000_000;

/// Positions that are looked at for later plans in each tick.
const PER_TICK: u64 = 1_000;

/// Positions for each millisecond that a decision may take, where its time is limited: so many are looked at on any machine.
const PER_MILLISECOND: u64 = 100;

/// Positions that all plans of a game may look at before each tick gets only a few.
const ALL_PLANS: u64 = 4_000_000;

/// Positions in each tick after that.
const LAST_PLANS: u64 = 200;

/// Positions that are looked at before a plan is good enough that does not win: for the first plan, and for later ones. From
/// the end of a plan that leaves the way to the exit free there is more to be done than from that of others.
const fn patience(way_out: WayOut) -> [u64; 2] {
    match way_out {
        WayOut::Free => [1_000_000, 100_000],
        WayOut::Closed | WayOut::Lost => [1_600_000, 200_000],
    }
}

/// The base-2 logarithm of the ticks of the first wait for a plan. Each further one lasts twice as long.
const FIRST_WAIT: u32 = 2;

/// The base-2 logarithm of the most ticks of a wait.
const LONGEST_WAIT: u32 = 7;

/// The agent `best`: plans on exact simulation, repairs its plans, and never walks into certain death.
pub struct Miner {
    rules: Arc<Rules>,
    mind: Mind,
    belief: Option<Belief>,
    last: Action,
    plan: Vec<u8>,
    next: usize,
    outcome: Option<Outcome>,
    /// Where the plan began, as long as it is only a wait for another one.
    waiting: Option<State>,
    /// What was done for a plan since the last one was taken.
    effort: Effort,
    planned: u64,
    plans: u64,
    repairs: u64,
}

/// What was done for a plan so far.
#[derive(Default)]
struct Effort {
    /// Waits that were begun.
    waits: u32,
    /// Passes of the portfolio that came to nothing.
    passes: usize,
    /// Positions looked at.
    positions: u64,
}

impl Miner {
    /// A miner for a level. `seed` is that of its guesses about chance.
    pub fn new(rules: &Arc<Rules>, seed: u64) -> Self {
        Self::with_spawn(rules, seed, thinker::spawn)
    }

    fn with_spawn(rules: &Arc<Rules>, seed: u64, spawn: Spawn) -> Self {
        Self {
            rules: Arc::clone(rules),
            mind: Mind::new(rules, seed, spawn),
            belief: None,
            last: Action::Stay,
            plan: Vec::new(),
            next: 0,
            outcome: None,
            waiting: None,
            effort: Effort::default(),
            planned: 0,
            plans: 0,
            repairs: 0,
        }
    }

    /// Does the world go as planned? If not, what is left of the plan may still do.
    fn keep_or_drop_plan(&mut self, belief: &Belief) {
        let Some(outcome) = &self.outcome else { return };
        let now = self.rules.hash(belief.state());
        let expected = self.next.checked_sub(1).and_then(|last| outcome.hashes.get(last).copied());
        let deviates = expected.is_some_and(|expected| expected != now);
        if self.next >= self.plan.len() || (deviates && self.waiting.is_some()) {
            self.drop_plan();
        } else if deviates {
            let rest = self.plan.split_off(self.next);
            let repaired = self.mind.foresee(belief.state(), &rest);
            let good =
                repaired.lives && (repaired.wins || !outcome.wins && repaired.missing <= outcome.missing);
            self.repairs += u64::from(good);
            (self.plan, self.next) = (rest, 0);
            self.outcome = good.then_some(repaired);
        }
    }

    fn drop_plan(&mut self) {
        (self.outcome, self.waiting) = (None, None);
    }

    /// Looks for a plan, if there is none, as far as this decision allows.
    fn think(&mut self, belief: &Belief, clock: &Clock) {
        if self.outcome.is_some() && self.waiting.is_none() {
            return;
        }
        let first = self.plans == 0 && self.effort.waits == 0;
        let positions = match clock.budget() {
            Budget { nodes: Some(nodes), .. } => nodes,
            Budget { time: Some(time), .. } => PER_MILLISECOND * (1 + time.as_millis() as u64),
            _ if first => FIRST_PLAN,
            _ if self.planned < ALL_PLANS => PER_TICK,
            _ => LAST_PLANS,
        };
        if self.waiting.is_none() {
            // Nobody waits for the first plan of a game.
            let wait = (FIRST_WAIT + self.effort.waits).min(LONGEST_WAIT);
            self.begin_wait(belief, if first { 0 } else { 1 << wait }, positions);
        }
        if let Some(sought) = self.mind.go_on(Grant { positions, clock: *clock }) {
            self.take(sought);
        }
    }

    /// Begins to wait for a plan, so many ticks if that can be survived, and to look for it, so many positions in each.
    fn begin_wait(&mut self, belief: &Belief, ticks: usize, positions: u64) {
        self.effort.waits += 1;
        let wait = self.mind.wait(belief.state(), ticks);
        self.plan.clone_from(&wait.actions);
        self.next = 0;
        self.outcome = Some(self.mind.foresee(belief.state(), &self.plan));
        self.waiting = Some(belief.state().clone());
        let decisions = 1 + self.plan.len() as u64;
        self.mind.begin(wait, self.effort.passes, positions.saturating_mul(decisions));
    }

    /// Takes up a plan that wins, or another one if enough was tried.
    fn take(&mut self, sought: Sought) {
        self.planned += sought.states;
        self.effort.positions += sought.states;
        // The last pass was cut short.
        self.effort.passes += sought.passes.saturating_sub(1);
        let patience = patience(sought.plan.way_out)[usize::from(self.plans > 0)];
        let enough = self.effort.positions >= patience || self.planned >= ALL_PLANS;
        let begun = self.waiting.take();
        self.outcome = None;
        if let Some(begun) = begun
            && (sought.plan.wins || (enough && !sought.plan.actions.is_empty()))
        {
            self.plan.extend(sought.plan.actions);
            self.outcome = Some(self.mind.foresee(&begun, &self.plan));
            self.effort = Effort::default();
            self.plans += 1;
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
            self.drop_plan();
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
        let actions =
            || if left == 1 { "one more action".to_owned() } else { format!("{left} more actions") };
        insight.say(|| match &self.outcome {
            _ if action != wish => format!("{} would be deadly: {}", wish.name(), action.name()),
            Some(_) if self.waiting.is_some() => format!("waiting, {left} ticks yet, and thinking of a plan"),
            Some(outcome) if outcome.wins => format!("a plan of {} wins", actions()),
            Some(outcome) => {
                format!("a plan of {} leaves {} diamonds missing", actions(), outcome.missing)
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
    rules.apply_out_of_line(&mut next, Action::Stay, &mut damier_core::random::Smallest);
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
            self.drop_plan();
            self.last = Action::Look;
            self.belief = Some(belief);
            return Action::Look;
        }
        self.keep_or_drop_plan(&belief);
        self.think(&belief, turn.clock);
        let planned = self.outcome.as_ref().and_then(|_| self.plan.get(self.next));
        let wish = planned.map_or(Action::Stay, |&number| Action::ALL[usize::from(number)]);
        let action = self.shielded(&belief, wish, insight);
        self.explain(&belief, action, wish, insight);
        self.next += 1;
        self.last = action;
        self.belief = Some(belief);
        action
    }
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::time::{Duration, Instant};

    use damier_core::game::{Status, Verdict};
    use damier_core::random::Rng;
    use damier_kit::time::start_clock;

    use super::*;
    use crate::level::Level;
    use crate::rules::RuleSet;

    /// The diamonds have to be made of the blue monster, below the rock.
    const BLUE: &str = "; need: 3
##########
#P..r....#
#........#
#..._____#
#....B...#
#.......X#
##########
";

    /// Plays a game where no thread can be had: was it won, and how long did the longest decision take?
    fn play_without_threads(map: &str, budget: Budget) -> (bool, Duration) {
        let rules = Arc::new(Rules::new(Level::parse(map).unwrap(), RuleSet::Course).unwrap());
        let mut miner = Miner::with_spawn(&rules, 1, |_| Err(io::ErrorKind::Unsupported.into()));
        let (mut state, mut chance, mut legal) = (rules.start(), Rng::new(1), Vec::new());
        let mut longest = Duration::ZERO;
        for number in 1..=600 {
            if let Status::Over(over) = rules.status(&state) {
                return (over.verdict == Verdict::Won(0), longest);
            }
            rules.legal(&state, &mut legal);
            let (clock, observation) = (start_clock(budget), rules.observe(&state, 0));
            let turn = Turn { seat: 0, number, observation: &observation, legal: &legal, clock: &clock };
            let begun = Instant::now();
            let action = miner.act(&turn, &mut Insight::unwanted());
            longest = longest.max(begun.elapsed());
            rules.apply(&mut state, action, &mut chance);
        }
        (false, longest)
    }

    #[test]
    fn without_threads_it_thinks_in_its_turn() {
        for budget in [Budget::default(), Budget { time: None, nodes: Some(20_000) }] {
            assert!(play_without_threads(BLUE, budget).0, "not won with {budget:?}");
        }
    }

    #[test]
    fn without_threads_it_keeps_to_its_time() {
        // Nothing wins here, so every decision thinks as long as it may.
        let hopeless = BLUE.replace("need: 3", "need: 99");
        let time = Duration::from_millis(5);
        let (_, longest) = play_without_threads(&hopeless, Budget { time: Some(time), nodes: None });
        assert!(longest < Duration::from_millis(500), "a decision took {longest:?}");
    }
}
