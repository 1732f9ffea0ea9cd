//! A game on the screen: its whole history, who sits where, and who is thinking.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::time::Duration;

use anyhow::Result;
use damier_core::agent::{Budget, Clock};
use damier_core::fault::Fault;
use damier_core::game::{Seat, Status};
use damier_core::insight::Insight;
use damier_core::kit::Info;
use damier_core::referee::{self, Decision};
use damier_core::replay::{Move, Replay};
use damier_core::review::{Remark, Review};
use damier_core::table::{OpenLevel, Seated, Table};

use crate::terms::Terms;
use crate::{replays, seats};

/// The thread in which an agent thinks. Its panic is the agent's fault and must not disturb the screen.
pub const AGENT_THREAD: &str = "agent";

/// How long looking back at a game may take.
const REVIEW_TIME: Duration = Duration::from_secs(10);

/// Who sits at a seat.
enum Sitter {
    Human,
    /// An agent, away while it thinks.
    Agent(Option<Box<dyn Seated>>),
    /// Whoever it was: their actions are on record.
    Record,
}

/// A state of the game and the decision that led to it.
struct Moment {
    table: Box<dyn Table>,
    /// Nothing for the start.
    decision: Option<Move>,
}

/// What a thinking agent was asked for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Purpose {
    Move(Seat),
    Hint,
}

/// An agent's answer from its thread.
struct Thought {
    agent: Box<dyn Seated>,
    table: Box<dyn Table>,
    taken: Result<Move, Fault>,
}

struct Thinking {
    purpose: Purpose,
    /// The moment it thinks about: if the player has gone elsewhere meanwhile, the answer is dropped.
    about: usize,
    answer: Receiver<Thought>,
}

/// What looking back at the game has come to.
enum LookBack {
    /// It is under way, about the game up to this moment.
    Thinking(usize, Receiver<Option<Review>>),
    /// It is done.
    Done(Review),
}

/// What a session is made of.
pub struct Setup {
    /// The game.
    pub info: &'static Info,
    /// Its level.
    pub open: Arc<dyn OpenLevel>,
    /// What the level is called.
    pub level_name: String,
    /// The seed of the game's chance and of its agents.
    pub seed: u64,
    /// Agent names by seat; `None` is a person.
    pub sitters: Vec<Option<String>>,
    /// What each decision of an agent may cost.
    pub budget: Budget,
}

/// A game on the screen.
pub struct Session {
    setup: Setup,
    sitters: Vec<Sitter>,
    moments: Vec<Moment>,
    shown: usize,
    thinking: Option<Thinking>,
    hint: Option<(usize, String, Insight)>,
    look_back: Option<LookBack>,
    /// Why the last thing tried did not work.
    pub complaint: Option<String>,
}

impl Session {
    /// A new game.
    pub fn new(setup: Setup) -> Result<Self> {
        let sitters = seat_all(&setup)?;
        let mut session = Self::at_start(setup, sitters);
        session.let_agents_think();
        Ok(session)
    }

    /// A game that has been played: its seats are known by name only, and nobody acts any more.
    pub fn from_replay(setup: Setup, replay: &Replay) -> Result<Self> {
        let sitters = setup.sitters.iter().map(|_| Sitter::Record).collect();
        let mut session = Self::at_start(setup, sitters);
        for step in &replay.moves {
            let mut table = session.moments.last().expect("there is a start").table.copy();
            table.act(&step.action)?;
            session.moments.push(Moment { table, decision: Some(step.clone()) });
        }
        Ok(session)
    }

    fn at_start(setup: Setup, sitters: Vec<Sitter>) -> Self {
        let moments = vec![Moment { table: setup.open.table(setup.seed, 0), decision: None }];
        Self {
            setup,
            sitters,
            moments,
            shown: 0,
            thinking: None,
            hint: None,
            look_back: None,
            complaint: None,
        }
    }

    /// The same setting from the start, with another seed; a recorded game only goes back to its start.
    pub fn restart(&mut self, seed: u64) -> Result<()> {
        self.shown = 0;
        if self.sitters.iter().any(|sitter| matches!(sitter, Sitter::Record)) {
            return Ok(());
        }
        self.setup.seed = seed;
        self.sitters = seat_all(&self.setup)?;
        self.moments = vec![Moment { table: self.setup.open.table(seed, 0), decision: None }];
        (self.thinking, self.hint, self.look_back, self.complaint) = (None, None, None, None);
        self.let_agents_think();
        Ok(())
    }

    /// What the session is made of.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// The table on the screen.
    pub fn table(&self) -> &dyn Table {
        self.moments[self.shown].table.as_ref()
    }

    /// Position and length of the history, in decisions.
    pub fn position(&self) -> (usize, usize) {
        (self.shown, self.moments.len() - 1)
    }

    /// The decision that led to what is on the screen.
    pub fn last_decision(&self) -> Option<&Move> {
        self.moments[self.shown].decision.as_ref()
    }

    /// What to draw of an agent's thinking: the hint asked for, or the decision about to be taken here, or the one that led here.
    pub fn insight(&self) -> Option<&Insight> {
        if let Some((about, _, insight)) = &self.hint
            && *about == self.shown
        {
            return Some(insight);
        }
        let next = self.moments.get(self.shown + 1).and_then(|moment| moment.decision.as_ref());
        next.into_iter()
            .chain(self.last_decision())
            .map(|decision| &decision.insight)
            .find(|insight| !insight.is_empty())
    }

    /// The hinted action, if one was asked for here.
    pub fn hint(&self) -> Option<&str> {
        self.hint.as_ref().filter(|(about, ..)| *about == self.shown).map(|(_, action, _)| action.as_str())
    }

    /// Is an agent thinking about what is on the screen?
    pub fn is_thinking(&self) -> bool {
        self.thinking.is_some() || matches!(self.look_back, Some(LookBack::Thinking(..)))
    }

    /// Is a person to move in the newest moment, and is that on the screen or can the game branch off here?
    pub fn human_to_move(&self) -> bool {
        matches!(self.table().status(), Status::ToMove(seat) if matches!(self.sitters[seat], Sitter::Human))
    }

    /// A person's action. Taken in the past, it replaces the future.
    pub fn act(&mut self, action: &str) {
        self.complaint = None;
        let Status::ToMove(seat) = self.table().status() else {
            self.complaint = Some("the game is over".into());
            return;
        };
        if !matches!(self.sitters[seat], Sitter::Human) {
            return;
        }
        let mut table = self.table().copy();
        match table.act(action) {
            Ok(()) => {
                self.moments.truncate(self.shown + 1);
                self.look_back = None;
                let decision = Move::of(Decision {
                    table: table.as_ref(),
                    seat,
                    took: Duration::ZERO,
                    cpu: None,
                    insight: Insight::default(),
                    log: String::new(),
                    warnings: Vec::new(),
                });
                self.append(table, decision);
                self.go_forward();
                self.let_agents_think();
            }
            Err(illegal) => self.complaint = Some(illegal.to_string()),
        }
    }

    fn append(&mut self, table: Box<dyn Table>, decision: Move) {
        self.moments.push(Moment { table, decision: Some(decision) });
    }

    /// Goes on to the next stop that is known: between two turns, or where a person is to move. False if there is none yet.
    pub fn go_forward(&mut self) -> bool {
        let stop = (self.shown + 1..self.moments.len()).find(|&index| self.is_stop(index));
        match stop {
            Some(index) => self.shown = index,
            // Nothing between here and the front is a stop: what was played is shown, the rest follows when it is known.
            None if self.front_awaits_agent() => {}
            None => self.shown = self.moments.len() - 1,
        }
        stop.is_some()
    }

    /// Goes back to the stop before.
    pub fn go_back(&mut self) {
        self.shown = (0..self.shown).rev().find(|&index| self.is_stop(index)).unwrap_or(0);
        self.complaint = None;
    }

    /// Goes back to where a person was last to move.
    pub fn undo(&mut self) {
        let before = |index: &usize| self.human_moves_at(*index);
        if let Some(index) = (0..self.shown).rev().find(before) {
            self.shown = index;
        }
        self.complaint = None;
    }

    /// Goes back to the start.
    pub fn go_to_start(&mut self) {
        self.shown = 0;
    }

    /// Goes on to the newest moment.
    pub fn go_to_end(&mut self) {
        self.shown = (0..self.moments.len()).rev().find(|&index| self.is_stop(index)).unwrap_or(0);
    }

    fn is_stop(&self, index: usize) -> bool {
        self.moments[index].table.between_turns() || self.human_moves_at(index)
    }

    fn human_moves_at(&self, index: usize) -> bool {
        matches!(self.moments[index].table.status(),
            Status::ToMove(seat) if matches!(self.sitters[seat], Sitter::Human))
    }

    fn front_awaits_agent(&self) -> bool {
        matches!(self.moments.last().expect("there is a start").table.status(),
            Status::ToMove(seat) if matches!(self.sitters[seat], Sitter::Agent(_)))
    }

    /// Asks our strongest agent what it would do here.
    pub fn ask_for_hint(&mut self) {
        let Status::ToMove(seat) = self.table().status() else { return };
        if self.thinking.is_some() {
            return;
        }
        match seat_agent(&self.setup, "best", seat) {
            Ok(agent) => {
                let about = self.shown;
                self.think(agent, seat, Purpose::Hint, about);
            }
            Err(error) => self.complaint = Some(error.to_string()),
        }
    }

    /// Looks back at the game that was played up to its newest moment: the first time to find out, then from remark to remark.
    pub fn look_back(&mut self) {
        match &self.look_back {
            Some(LookBack::Thinking(..)) => {}
            Some(LookBack::Done(_)) => self.go_to_next_remark(),
            None => self.begin_to_look_back(),
        }
    }

    fn begin_to_look_back(&mut self) {
        let open = Arc::clone(&self.setup.open);
        let seed = self.setup.seed;
        let actions: Vec<String> =
            self.moments.iter().filter_map(|moment| Some(moment.decision.as_ref()?.action.clone())).collect();
        let (sender, answer) = channel();
        let thinker = std::thread::Builder::new().name(AGENT_THREAD.to_owned());
        let spawned = thinker.spawn(move || {
            let clock = Clock::start(Budget { time: Some(REVIEW_TIME), nodes: None });
            let review =
                open.review(seed, &actions, &clock, &|_| {}).expect("the game was played by the rules");
            // Nobody listens any more if the session was left meanwhile.
            let _ = sender.send(review);
        });
        match spawned {
            Ok(_) => self.look_back = Some(LookBack::Thinking(self.moments.len(), answer)),
            Err(error) => self.complaint = Some(format!("no review: {error}")),
        }
    }

    /// Shows the position of the next remark after the one on the screen, and begins again after the last.
    fn go_to_next_remark(&mut self) {
        let Some(LookBack::Done(review)) = &self.look_back else { return };
        let positions = || review.remarks.iter().map(|remark| remark.number - 1);
        if let Some(next) = positions().find(|&position| position > self.shown).or_else(|| positions().next())
        {
            self.shown = next;
        }
    }

    /// The review of the game, once it is known.
    pub fn review(&self) -> Option<&Review> {
        match &self.look_back {
            Some(LookBack::Done(review)) => Some(review),
            _ => None,
        }
    }

    /// The remark on the decision about to be taken here.
    pub fn remark(&self) -> Option<&Remark> {
        self.review()?.remarks.iter().find(|remark| remark.number == self.shown + 1)
    }

    /// Lets the agent to move at the front think, up to one turn ahead of the screen.
    pub fn let_agents_think(&mut self) {
        let front = self.moments.len() - 1;
        let ahead = (self.shown + 1..=front).any(|index| self.is_stop(index));
        if self.thinking.is_some() || ahead {
            return;
        }
        let Status::ToMove(seat) = self.moments[front].table.status() else { return };
        let Sitter::Agent(agent) = &mut self.sitters[seat] else { return };
        if let Some(agent) = agent.take() {
            self.think(agent, seat, Purpose::Move(seat), front);
        }
    }

    fn think(&mut self, mut agent: Box<dyn Seated>, seat: Seat, purpose: Purpose, about: usize) {
        let mut table = self.moments[about].table.copy();
        let budget = self.setup.budget;
        let (sender, answer) = channel();
        let thinker = std::thread::Builder::new().name(AGENT_THREAD.to_owned());
        let spawned = thinker.spawn(move || {
            let taken = referee::decide(agent.as_mut(), table.as_mut(), seat, budget, true).map(Move::of);
            // Nobody listens any more if the session was left meanwhile.
            let _ = sender.send(Thought { agent, table, taken });
        });
        if let Err(error) = spawned {
            self.complaint = Some(format!("the agent cannot think: {error}"));
        }
        self.thinking = Some(Thinking { purpose, about, answer });
    }

    fn receive_review(&mut self) {
        let Some(LookBack::Thinking(about, answer)) = &self.look_back else { return };
        let current = *about == self.moments.len();
        match answer.try_recv() {
            Err(TryRecvError::Empty) => {}
            Ok(Some(review)) if current => {
                self.look_back = Some(LookBack::Done(review));
                self.go_to_next_remark();
            }
            Ok(_) => {
                self.look_back = None;
                self.complaint = Some("there is nothing to remark on this game".into());
            }
            Err(TryRecvError::Disconnected) => {
                self.look_back = None;
                self.complaint = Some("the review crashed".into());
            }
        }
    }

    /// Takes in what an agent has thought out meanwhile. True if something changed.
    pub fn receive(&mut self) -> bool {
        self.receive_review();
        let Some(thinking) = &self.thinking else { return false };
        let (purpose, about) = (thinking.purpose, thinking.about);
        match thinking.answer.try_recv() {
            Err(TryRecvError::Empty) => return false,
            Err(TryRecvError::Disconnected) => {
                self.thinking = None;
                self.complaint = Some("the agent crashed; its seat is now yours".into());
                if let Purpose::Move(seat) = purpose {
                    self.sitters[seat] = Sitter::Human;
                }
            }
            Ok(thought) => {
                self.thinking = None;
                self.take_in(thought, purpose, about);
            }
        }
        self.let_agents_think();
        true
    }

    fn take_in(&mut self, thought: Thought, purpose: Purpose, about: usize) {
        let decision = match thought.taken {
            Ok(decision) => decision,
            Err(fault) => {
                self.complaint = Some(format!("the agent lost by its own fault, {fault}"));
                return;
            }
        };
        match purpose {
            Purpose::Hint => {
                self.hint = Some((about, decision.action, decision.insight));
            }
            Purpose::Move(seat) => {
                self.sitters[seat] = Sitter::Agent(Some(thought.agent));
                if about + 1 == self.moments.len() {
                    self.append(thought.table, decision);
                }
            }
        }
    }

    /// The game up to what is on the screen, as a replay.
    pub fn to_replay(&self, turn_limit: u32) -> Result<Replay> {
        let Setup { info, open, level_name, seed, sitters, .. } = &self.setup;
        let agents =
            sitters.iter().map(|sitter| sitter.clone().unwrap_or_else(|| "human".to_owned())).collect();
        let mut replay = replays::begin(info, open.as_ref(), level_name, *seed, agents, turn_limit)?;
        replay.moves =
            self.moments[1..=self.shown].iter().filter_map(|moment| moment.decision.clone()).collect();
        replay.end = replays::end(self.table(), self.sitters.len());
        Ok(replay)
    }
}

fn seat_all(setup: &Setup) -> Result<Vec<Sitter>> {
    setup
        .sitters
        .iter()
        .enumerate()
        .map(|(seat, name)| match name {
            None => Ok(Sitter::Human),
            Some(name) => Ok(Sitter::Agent(Some(seat_agent(setup, name, seat)?))),
        })
        .collect()
}

fn seat_agent(setup: &Setup, name: &str, seat: Seat) -> Result<Box<dyn Seated>> {
    let terms = Terms::of_budget(setup.budget);
    seats::agent(setup.info, setup.open.as_ref(), name, seat, setup.seed, &terms)
}
