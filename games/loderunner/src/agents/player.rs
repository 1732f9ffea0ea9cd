//! Our classic agent: plans on exact ticks with a guess at what it cannot know (how long guards carry gold, where they come
//! back) and follows its plan.
//!
//! It plans while it moves. When things do not go as imagined, the rest of the plan is played in thought: often it wins all the
//! same. If not, the runner goes on for a short while on keys that keep it alive, and meanwhile a search looks for a plan from
//! where they lead, a slice at every tick. A search that is not done by then has more time from the next place on: the
//! runner waits, without taking gold, since the wrong order of gold can close the way to the rest. Only after several
//! searches without success it takes what the last one could get.

use std::sync::Arc;

use damier_core::agent::{Agent, Turn};
use damier_core::insight::{Insight, reason};
use damier_core::random::Rng;
use damier_kit::cancel::{Cancel, Deadline};

use crate::action::Action;
use crate::classic::board::Board;
use crate::classic::{ByChance, Ending, State, Version};
use crate::observe::Observation;
use crate::rules::{Ground, Rules};
use crate::solve::beam::{Aim, Beam, Field, Memory, Setting};
use crate::solve::classic::{Finder, SearchLimits};
use crate::solve::ways::Ways;

/// Keys tried for the first plan without an agent's limit.
const FIRST_NODES: u64 = 700_000;
/// Keys tried at every later tick while there is no plan that wins.
const SLICE: u64 = 12_000;
/// Keys tried to stay alive.
const SURVIVAL_NODES: u64 = 13_000;
/// Ticks of a plan that fails which the runner still follows while it looks for another one.
const AHEAD: usize = 60;
/// A runner whose keys keep it alive for so many ticks more is safe for the moment.
const SAFE: usize = 40;
/// Ticks for which the runner looks for keys to stay alive.
const SURVIVAL: u32 = 200;
/// Ticks that the runner waits for a search, one search after the other. Then it takes the gold that it can get.
const WAITS: [usize; 3] = [0, 150, 450];
/// The widest beam: its buckets are sorted within one tick.
const WIDEST: usize = 1_000;
/// The way ahead that is shown, in ticks.
const SHOWN: usize = 300;

/// Ticks that the runner must live on after a wait, and could.
const BEYOND: u32 = 200;

/// How the runner stays alive: it had best wait, but may have to move on.
const STAYING_ALIVE: [Setting; 2] = [
    Setting { width: 40, alike: 4, visits: u16::MAX, aim: Aim::Wait, gold: 0, guard: 100, noise: 0 },
    Setting { width: 40, alike: 4, visits: u16::MAX, aim: Aim::Order, gold: 4, guard: 100, noise: 0 },
];

/// What goes on from tick to tick while there is no plan that wins.
enum Thought {
    /// Keys to stay alive with, after those of the plan.
    Waiting(Box<Wait>),
    /// A search from the end of the plan on, as it is imagined.
    Searching(Box<Finder>),
}

/// A search for keys to stay alive with.
struct Wait {
    beam: Beam,
    /// The moment from which it starts, and the ticks for which it lasts.
    from: Moment,
    ticks: u32,
    /// The number of its setting.
    setting: usize,
}

/// The agent.
pub struct ClassicAgent {
    rules: Arc<Rules>,
    ways: Ways,
    memory: Memory,
    /// The guess at the chance to come.
    guess: Rng,
    /// The keys still to press, the next one last.
    plan: Vec<Action>,
    wins: bool,
    thought: Option<Thought>,
    /// Searches without success since there was a plan that wins, or since gold was taken without one.
    failures: usize,
    /// What should be seen now, if all goes as imagined.
    imagined: Option<State>,
}

impl ClassicAgent {
    /// An agent for a classic board.
    pub fn new(rules: Arc<Rules>, seed: u64) -> Option<Self> {
        let Ground::Classic(board) = rules.ground() else { return None };
        let (ways, memory) = (Ways::new(board), Memory::new(board));
        Some(Self {
            rules,
            ways,
            memory,
            guess: Rng::new(seed),
            plan: Vec::new(),
            wins: false,
            thought: None,
            failures: 0,
            imagined: None,
        })
    }

    /// Sees to it that there are keys to press, with some of these keys tried; the number of keys tried.
    fn think(&mut self, board: &Board, seen: &State, limits: &SearchLimits) -> u64 {
        if self.imagined.is_none() {
            return self.plan_first(board, seen, limits);
        }
        if self.imagined.is_some_and(|imagined| imagined.seen() != *seen) {
            self.look_again(board, seen);
        }
        if self.wins { 0 } else { self.go_on(board, seen, limits) }
    }

    fn plan_first(&mut self, board: &Board, seen: &State, limits: &SearchLimits) -> u64 {
        let mut field = Field { board, ways: &self.ways, memory: &mut self.memory };
        let mut finder = Finder::new(&mut field, seen, &self.guess, WIDEST);
        self.wins = finder.advance(&mut field, limits);
        if self.wins {
            self.append(&finder.found().keys);
            return finder.nodes();
        }
        // The first search from here was this one.
        self.failures = 1;
        finder.nodes() + self.survive(board, seen, limits)
    }

    /// Something is not as imagined: is the plan still good, and is the search for another one?
    fn look_again(&mut self, board: &Board, seen: &State) {
        let end = play(board, *seen, &self.plan, &self.guess);
        let won_before = std::mem::replace(&mut self.wins, end.state.ending == Some(Ending::Won));
        if self.wins {
            return;
        }
        if won_before {
            self.failures = 0;
            self.keep(AHEAD);
        }
        let same = |finder: &Finder| finder.start().0.coarse_hash() == end.state.coarse_hash();
        match &self.thought {
            Some(Thought::Searching(finder)) if !same(finder) => self.fail(board),
            Some(Thought::Waiting(_)) => self.thought = None,
            _ => {}
        }
    }

    /// Keeps so many ticks of the plan.
    fn keep(&mut self, ticks: usize) {
        self.plan.drain(..self.plan.len().saturating_sub(ticks));
    }

    /// Without a plan that wins: stays alive and searches on.
    fn go_on(&mut self, board: &Board, seen: &State, limits: &SearchLimits) -> u64 {
        if self.plan.len() < SAFE {
            self.fail(board);
        }
        let end = play(board, *seen, &self.plan, &self.guess);
        if end.state.ending.is_some() {
            self.thought = None;
            return self.survive(board, seen, limits);
        }
        let slice = SearchLimits { nodes: limits.nodes.min(SLICE), ..limits.clone() };
        match self.thought.take() {
            None => {
                let mut field = Field { board, ways: &self.ways, memory: &mut self.memory };
                let missing = WAITS[self.failures].saturating_sub(self.plan.len());
                self.thought = Some(match missing {
                    0 => search(&mut field, &end),
                    ticks => wait(&mut field, end, ticks as u32, 0),
                });
                0
            }
            Some(Thought::Waiting(wait)) => self.find_wait(board, seen, wait, &slice),
            Some(Thought::Searching(finder)) => self.find_win(board, seen, finder, &slice),
        }
    }

    /// Looks for keys to wait with; where they lead, a search begins.
    fn find_wait(&mut self, board: &Board, seen: &State, mut wait: Box<Wait>, slice: &SearchLimits) -> u64 {
        let mut field = Field { board, ways: &self.ways, memory: &mut self.memory };
        let before = wait.beam.nodes();
        let done = wait.beam.advance(&mut field, slice);
        let nodes = wait.beam.nodes() - before;
        if !done {
            self.thought = Some(Thought::Waiting(wait));
        } else if let Some(keys) = wait.keys() {
            self.append(&keys);
            let end = play(board, *seen, &self.plan, &self.guess);
            let mut field = Field { board, ways: &self.ways, memory: &mut self.memory };
            self.thought = Some(search(&mut field, &end));
        } else if wait.setting + 1 < STAYING_ALIVE.len() {
            let Wait { from, ticks, setting, .. } = *wait;
            self.thought = Some(self::wait(&mut field, from, ticks, setting + 1));
        } else {
            return nodes + self.survive(board, seen, slice);
        }
        nodes
    }

    /// Looks for a plan that wins from the end of the keys at hand.
    fn find_win(
        &mut self,
        board: &Board,
        seen: &State,
        mut finder: Box<Finder>,
        slice: &SearchLimits,
    ) -> u64 {
        let mut field = Field { board, ways: &self.ways, memory: &mut self.memory };
        let before = finder.nodes();
        let found = finder.advance(&mut field, slice);
        let nodes = finder.nodes() - before;
        if found {
            self.append(&finder.found().keys);
            self.wins = play(board, *seen, &self.plan, &self.guess).state.ending == Some(Ending::Won);
        } else {
            self.thought = Some(Thought::Searching(finder));
        }
        nodes
    }

    /// A search is over that has not found a plan: the runner is nearly where it starts, or will be elsewhere. If that
    /// happened often enough, the runner takes half of the gold that the search could get.
    fn fail(&mut self, board: &Board) {
        let Some(Thought::Searching(finder)) = &self.thought else { return };
        self.failures += 1;
        if self.failures == WAITS.len() {
            self.failures = 0;
            let keys = half(board, finder);
            self.append(&keys);
        }
        self.thought = None;
    }

    /// Adds keys after those of the plan.
    fn append(&mut self, keys: &[Action]) {
        self.plan.splice(0..0, keys.iter().rev().copied());
    }

    /// Looks for keys that keep the runner alive from now on.
    fn survive(&mut self, board: &Board, seen: &State, limits: &SearchLimits) -> u64 {
        let mut field = Field { board, ways: &self.ways, memory: &mut self.memory };
        let limits = SearchLimits { nodes: limits.nodes.min(SURVIVAL_NODES), ..limits.clone() };
        let mut nodes = 0;
        self.plan.clear();
        for setting in STAYING_ALIVE {
            let mut beam = Beam::new(&mut field, setting, 0, seen, &self.guess).for_ticks(SURVIVAL);
            beam.advance(&mut field, &limits);
            let found = beam.found();
            nodes += found.nodes;
            if found.wins || found.keys.len() > self.plan.len() {
                self.plan = found.keys.into_iter().rev().collect();
                self.wins = found.wins;
            }
            if self.wins || self.plan.len() > SURVIVAL as usize / 2 {
                break;
            }
        }
        nodes
    }
}

impl Wait {
    /// The keys, if the runner can live on after them.
    fn keys(&self) -> Option<Vec<Action>> {
        let mut keys = self.beam.found().keys;
        let lives = keys.len() >= (self.ticks + BEYOND / 2) as usize;
        keys.truncate(self.ticks as usize);
        lives.then_some(keys)
    }
}

/// Looks for keys to stay alive with for so many ticks.
fn wait(field: &mut Field<'_>, from: Moment, ticks: u32, setting: usize) -> Thought {
    let beam = Beam::new(field, STAYING_ALIVE[setting], 0, &from.state, &from.chance);
    Thought::Waiting(Box::new(Wait { beam: beam.for_ticks(ticks + BEYOND), from, ticks, setting }))
}

/// Looks for a plan that wins.
fn search(field: &mut Field<'_>, from: &Moment) -> Thought {
    let finder = Finder::new(field, &from.state, &from.chance, WIDEST);
    Thought::Searching(Box::new(finder))
}

/// The way to half of the gold that a search could get, if the runner could live on there.
fn half(board: &Board, finder: &Finder) -> Vec<Action> {
    let mut keys = finder.found().keys;
    let (mut state, mut chance) = finder.start();
    let mut left = vec![state.gold_left()];
    for &key in &keys {
        state.tick(board, Version::Four, key, &mut ByChance(&mut chance));
        left.push(state.gold_left());
    }
    let (first, last) = (left[0], left[left.len() - 1]);
    let enough = left.partition_point(|&gold| gold > u16::midpoint(first, last));
    keys.truncate(enough.min(keys.len().saturating_sub(BEYOND as usize)));
    keys
}

/// A moment of the game as it is imagined.
struct Moment {
    state: State,
    chance: Rng,
}

/// Plays keys, the next one last, in thought, up to the end of the game.
fn play(board: &Board, mut state: State, plan: &[Action], guess: &Rng) -> Moment {
    let mut chance = guess.clone();
    for &key in plan.iter().rev() {
        if state.ending.is_some() {
            break;
        }
        state.tick(board, Version::Four, key, &mut ByChance(&mut chance));
    }
    Moment { state, chance }
}

impl Agent<Rules> for ClassicAgent {
    fn act(&mut self, turn: &Turn<'_, Rules>, insight: &mut Insight) -> Action {
        let rules = Arc::clone(&self.rules);
        let (Ground::Classic(board), Observation::Classic(view)) = (rules.ground(), turn.observation) else {
            return Action::None;
        };
        let deadline = turn.clock.budget().time.map(|time| Deadline::after(time, &Cancel::default()));
        let limits = SearchLimits { nodes: turn.clock.nodes(FIRST_NODES), deadline };
        let nodes = self.think(board, &view.state, &limits);
        if nodes > 0 {
            insight.count("nodes", nodes);
        }
        let ahead = self.plan.len();
        insight.say(|| match (self.wins, ahead) {
            (true, _) => format!("out in {ahead} ticks"),
            (false, 0) => "no way on in sight".to_owned(),
            (false, _) => format!("no way out in sight yet; a plan for {ahead} ticks"),
        });
        let key = self.plan.pop().unwrap_or(Action::None);
        if insight.wanted() {
            insight.mark(reason::PATH, way_ahead(board, view.state, &self.plan, &self.guess));
        }
        let mut imagined = view.state;
        imagined.tick(board, Version::Four, key, &mut ByChance(&mut self.guess));
        self.imagined = Some(imagined);
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
