//! A game on the screen: its whole history, who sits where, and who is thinking.

use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use anyhow::Result;
use damier_core::agent::Budget;
use damier_core::game::{Seat, Status};
use damier_core::insight::Insight;
use damier_kit::Info;
use damier_kit::cancel::Cancel;
use damier_kit::fault::Fault;
use damier_kit::referee::{self, Decision, Finish};
use damier_kit::replay::{End, Move, Replay};
use damier_kit::review::{Remark, Review};
use damier_kit::table::{OpenLevel, Seated, Table};
use damier_kit::time::{cpu, start_clock};

use crate::contestant::Contestant;
use crate::terms::Terms;
use crate::{replays, seats};

/// The thread in which an agent thinks. Its panic is the agent's fault and must not disturb the screen.
pub const AGENT_THREAD: &str = "agent";

/// What a person is called in replays.
pub const PERSON: &str = "human";

/// Something to do in another thread.
pub type Work = Box<dyn FnOnce() + Send>;

/// Where agents think, and who is told when something is ready.
#[derive(Clone)]
pub struct Workshop {
    begin: Arc<dyn Fn(Work) -> std::io::Result<()> + Send + Sync>,
    wake: Arc<dyn Fn() + Send + Sync>,
}

impl Workshop {
    /// `begin` has work done in another thread, now or when one is free; `wake` is called there when it is done.
    pub fn new(
        begin: impl Fn(Work) -> std::io::Result<()> + Send + Sync + 'static,
        wake: impl Fn() + Send + Sync + 'static,
    ) -> Self {
        Self { begin: Arc::new(begin), wake: Arc::new(wake) }
    }

    /// Has work done; whoever waits for it is woken after it, even if it panics.
    fn begin(&self, work: impl FnOnce() + Send + 'static) -> std::io::Result<()> {
        struct AtLast(Arc<dyn Fn() + Send + Sync>);
        impl Drop for AtLast {
            fn drop(&mut self) {
                (self.0)();
            }
        }
        let wake = Arc::clone(&self.wake);
        (self.begin)(Box::new(move || {
            let _at_last = AtLast(wake);
            work();
        }))
    }
}

impl Default for Workshop {
    /// A thread for each thought; whoever wants it asks.
    fn default() -> Self {
        let thread = || std::thread::Builder::new().name(AGENT_THREAD.to_owned());
        Self::new(move |work| thread().spawn(work).map(|_| ()), || {})
    }
}

/// An agent that needs less processor time than this to sit down may forget what it keeps in memory and sit down again later.
const QUICK: Duration = Duration::from_millis(60);

/// How long looking back at a game may take.
const REVIEW_TIME: Duration = Duration::from_secs(10);

/// Who sits at a seat.
enum Sitter {
    Human,
    Agent(Chair),
    /// Whoever it was: their actions are on record.
    Record,
}

/// An agent at the table.
struct Seating {
    agent: Box<dyn Seated>,
    /// The processor time it needed to sit down.
    needed: Duration,
}

/// Where an agent sits: nobody before it is first to move, while it thinks, and while it rests. Its thread takes it from here when it
/// begins to think, not when it is asked to: until then it may still be sent to rest.
type Chair = Arc<Mutex<Option<Seating>>>;

fn occupant(chair: &Chair) -> MutexGuard<'_, Option<Seating>> {
    chair.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A state of the game and the decision that led to it.
struct Moment {
    /// No other moment of the session has it, not even one that was replaced.
    id: u64,
    table: Box<dyn Table>,
    /// Nothing for the start.
    decision: Option<Move>,
}

/// An agent's answer from its thread.
struct Thought {
    table: Box<dyn Table>,
    taken: Result<Move, Fault>,
}

struct Thinking {
    seat: Seat,
    /// The moment it thinks about: if the game has gone elsewhere meanwhile, the answer is dropped.
    about: usize,
    about_id: u64,
    answer: Receiver<Thought>,
    /// Says that nobody waits for the answer any more.
    unwanted: Cancel,
}

impl Drop for Thinking {
    fn drop(&mut self) {
        self.unwanted.cancel();
    }
}

/// What an agent would do at a moment.
#[derive(Clone, Debug)]
pub struct Hinted {
    /// The moment.
    pub about: usize,
    about_id: u64,
    /// The action.
    pub action: String,
    /// What the agent shows of it.
    pub insight: Insight,
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
    /// The agents by seat; `None` is a person. Those of a record are known by name only.
    pub sitters: Vec<Option<Contestant>>,
    /// What each decision of an agent may cost.
    pub budget: Budget,
    /// Where agents think.
    pub workshop: Workshop,
}

/// A game on the screen.
pub struct Session {
    setup: Setup,
    sitters: Vec<Sitter>,
    moments: Vec<Moment>,
    shown: usize,
    /// The number of moments that ever were.
    made: u64,
    thinking: Option<Thinking>,
    hinting: Option<Thinking>,
    hint: Option<Hinted>,
    /// How the game ended outside the rules: by an agent's fault, or as its record says.
    end: Option<End>,
    look_back: Option<LookBack>,
    /// Why the last thing tried did not work.
    pub complaint: Option<String>,
}

impl Session {
    /// A new game. Nobody thinks before they are let.
    pub fn new(setup: Setup) -> Result<Self> {
        let sitters = seat_all(&setup)?;
        Ok(Self::at_start(setup, sitters))
    }

    /// A new game whose agents sit down when they are first to move, in their own thread: some need a while for it.
    pub fn with_agents_to_come(setup: Setup) -> Self {
        let resting = |sitter: &Option<Contestant>| match sitter {
            None => Sitter::Human,
            Some(_) => Sitter::Agent(Chair::default()),
        };
        let sitters = setup.sitters.iter().map(resting).collect();
        Self::at_start(setup, sitters)
    }

    /// A game that has been played: its seats are known by name only, and nobody acts any more.
    pub fn from_replay(setup: Setup, replay: &Replay) -> Result<Self> {
        let sitters = setup.sitters.iter().map(|_| Sitter::Record).collect();
        let mut session = Self::at_start(setup, sitters);
        for step in &replay.moves {
            let mut table = session.front().table.copy();
            table.act_or_leave(&step.action)?;
            session.append(table, step.clone());
        }
        let over = matches!(session.front().table.status(), Status::Over(_));
        session.end = replay.end.clone().filter(|_| !over);
        Ok(session)
    }

    fn at_start(setup: Setup, sitters: Vec<Sitter>) -> Self {
        let moments = vec![Moment { id: 0, table: setup.open.table(setup.seed, 0), decision: None }];
        Self {
            setup,
            sitters,
            moments,
            shown: 0,
            made: 1,
            thinking: None,
            hinting: None,
            hint: None,
            end: None,
            look_back: None,
            complaint: None,
        }
    }

    /// The same setting from the start, with another seed; a recorded game only goes back to its start.
    pub fn restart(&mut self, seed: u64) -> Result<()> {
        self.shown = 0;
        if self.is_record() {
            return Ok(());
        }
        self.setup.seed = seed;
        self.sitters = seat_all(&self.setup)?;
        self.moments.clear();
        self.push(self.setup.open.table(seed, 0), None);
        (self.thinking, self.hinting, self.hint) = (None, None, None);
        (self.end, self.look_back, self.complaint) = (None, None, None);
        Ok(())
    }

    /// Is it a game that has been played, where nobody acts any more?
    pub fn is_record(&self) -> bool {
        self.sitters.iter().any(|sitter| matches!(sitter, Sitter::Record))
    }

    /// The number of moments: the start, and one after each decision.
    pub fn moments(&self) -> usize {
        self.moments.len()
    }

    /// The table at a moment.
    pub fn table_at(&self, moment: usize) -> &dyn Table {
        self.moments[moment].table.as_ref()
    }

    /// The decision that led to a moment; nothing led to the start.
    pub fn decision_at(&self, moment: usize) -> Option<&Move> {
        self.moments[moment].decision.as_ref()
    }

    /// How the game ended outside the rules, after its newest moment.
    pub fn end(&self) -> Option<&End> {
        self.end.as_ref()
    }

    /// The seat whose agent thinks about its move.
    pub fn thinking_seat(&self) -> Option<Seat> {
        self.thinking.as_ref().map(|thinking| thinking.seat)
    }

    fn front(&self) -> &Moment {
        self.moments.last().expect("there is a start")
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
        if let Some(hint) = &self.hint
            && hint.about_id == self.moments[self.shown].id
        {
            return Some(&hint.insight);
        }
        let next = self.moments.get(self.shown + 1).and_then(|moment| moment.decision.as_ref());
        next.into_iter()
            .chain(self.last_decision())
            .map(|decision| &decision.insight)
            .find(|insight| !insight.is_empty())
    }

    /// The hinted action, if one was asked for here.
    pub fn hint(&self) -> Option<&str> {
        let here = |hint: &&Hinted| hint.about_id == self.moments[self.shown].id;
        self.hint.as_ref().filter(here).map(|hint| hint.action.as_str())
    }

    /// The hint that was thought out last, wherever it was asked for; it is handed out once.
    pub fn take_hint(&mut self) -> Option<Hinted> {
        self.hint.take()
    }

    /// Is an agent thinking about what is on the screen?
    pub fn is_thinking(&self) -> bool {
        self.thinking.is_some() || self.hinting.is_some() || self.is_looking_back()
    }

    /// Is a person to move in the newest moment, and is that on the screen or can the game branch off here?
    pub fn human_to_move(&self) -> bool {
        matches!(self.table().status(), Status::ToMove(seat) if matches!(self.sitters[seat], Sitter::Human))
    }

    /// A person's action at what is on the screen. Taken in the past, it replaces the future.
    pub fn act(&mut self, action: &str) {
        if self.act_at(self.shown, action) {
            self.go_forward();
            self.let_agents_think();
        }
    }

    /// A person's action at a moment. Taken in the past, it replaces the future. False if it was not taken; the complaint says why.
    pub fn act_at(&mut self, moment: usize, action: &str) -> bool {
        self.complaint = None;
        let Status::ToMove(seat) = self.moments[moment].table.status() else {
            self.complaint = Some("the game is over".into());
            return false;
        };
        if !matches!(self.sitters[seat], Sitter::Human) {
            return false;
        }
        let mut table = self.moments[moment].table.copy();
        if let Err(illegal) = table.act_or_leave(action) {
            self.complaint = Some(illegal.to_string());
            return false;
        }
        self.moments.truncate(moment + 1);
        (self.look_back, self.end) = (None, None);
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
        true
    }

    fn append(&mut self, table: Box<dyn Table>, decision: Move) {
        self.push(table, Some(decision));
    }

    fn push(&mut self, table: Box<dyn Table>, decision: Option<Move>) {
        self.moments.push(Moment { id: self.made, table, decision });
        self.made += 1;
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

    /// Does time travel stop at this moment: between two turns, or where a person is to move?
    pub fn is_stop(&self, index: usize) -> bool {
        self.moments[index].table.between_turns() || self.human_moves_at(index)
    }

    /// Is a person to move at this moment?
    pub fn human_moves_at(&self, index: usize) -> bool {
        matches!(self.moments[index].table.status(),
            Status::ToMove(seat) if matches!(self.sitters[seat], Sitter::Human))
    }

    fn front_awaits_agent(&self) -> bool {
        matches!(self.front().table.status(),
            Status::ToMove(seat) if matches!(self.sitters[seat], Sitter::Agent(_)))
    }

    /// Asks our strongest agent what it would do here.
    pub fn ask_for_hint(&mut self) {
        self.ask_for_hint_at(self.shown);
    }

    /// Asks our strongest agent what it would do at a moment.
    pub fn ask_for_hint_at(&mut self, moment: usize) {
        let Status::ToMove(seat) = self.moments[moment].table.status() else { return };
        if self.hinting.is_some() {
            return;
        }
        self.hinting = self.think(Chair::default(), Contestant::BuiltIn("best".to_owned()), seat, moment);
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
        let begun = self.setup.workshop.begin(move || {
            let clock = start_clock(Budget { time: Some(REVIEW_TIME), nodes: None });
            let review =
                open.review(seed, &actions, &clock, &|_| {}).expect("the game was played by the rules");
            // Nobody listens any more if the session was left meanwhile.
            let _ = sender.send(review);
        });
        match begun {
            Ok(()) => self.look_back = Some(LookBack::Thinking(self.moments.len(), answer)),
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

    /// Is looking back at the game under way?
    pub fn is_looking_back(&self) -> bool {
        matches!(self.look_back, Some(LookBack::Thinking(..)))
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
        let ahead = (self.shown + 1..self.moments.len()).any(|index| self.is_stop(index));
        if !ahead {
            self.think_on();
        }
    }

    /// Lets the agent to move at the front think, if there is one and the game goes on.
    pub fn think_on(&mut self) {
        if self.thinking.is_some() || self.end.is_some() {
            return;
        }
        let Status::ToMove(seat) = self.front().table.status() else { return };
        let Sitter::Agent(chair) = &self.sitters[seat] else { return };
        let chair = Arc::clone(chair);
        let who = self.setup.sitters[seat].clone().expect("an agent has a name");
        self.thinking = self.think(chair, who, seat, self.moments.len() - 1);
    }

    /// Lets built-in agents forget what they keep in memory, unless they are thinking or need long to sit down again.
    pub fn rest_agents(&mut self) {
        for (sitter, contestant) in self.sitters.iter().zip(&self.setup.sitters) {
            if let (Sitter::Agent(chair), Some(Contestant::BuiltIn(_))) = (sitter, contestant) {
                occupant(chair).take_if(|seating| seating.needed < QUICK);
            }
        }
    }

    /// Lets an agent think, in its own thread; if nobody is on the chair, it sits down there first.
    fn think(&mut self, chair: Chair, who: Contestant, seat: Seat, about: usize) -> Option<Thinking> {
        let mut table = self.moments[about].table.copy();
        let Setup { info, seed, budget, .. } = self.setup;
        let open = Arc::clone(&self.setup.open);
        let (sender, answer) = channel();
        let unwanted = Cancel::default();
        let heard = unwanted.clone();
        let begun = self.setup.workshop.begin(move || {
            if heard.is_cancelled() {
                return;
            }
            let sit = || {
                let before = cpu::of_thread();
                let agent = who.sit(info, open.as_ref(), seat, seed, &Terms::of_budget(budget))?;
                Ok(Seating { agent, needed: cpu::of_thread().saturating_sub(before) })
            };
            let here = occupant(&chair).take();
            let taken = here.map_or_else(sit, Ok).and_then(|mut seating| {
                let decision = referee::decide(seating.agent.as_mut(), table.as_mut(), seat, budget, true);
                let taken = decision.map(Move::of);
                *occupant(&chair) = Some(seating);
                taken
            });
            // Nobody listens any more if the session was left meanwhile.
            let _ = sender.send(Thought { table, taken });
        });
        if let Err(error) = begun {
            self.complaint = Some(format!("the agent cannot think: {error}"));
            return None;
        }
        Some(Thinking { seat, about, about_id: self.moments[about].id, answer, unwanted })
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

    /// Takes in what was thought out meanwhile and lets agents think on. True if something changed.
    pub fn receive(&mut self) -> bool {
        let changed = self.take_in();
        if changed {
            self.let_agents_think();
        }
        changed
    }

    /// Takes in what was thought out meanwhile. True if an agent has answered.
    pub fn take_in(&mut self) -> bool {
        self.receive_review();
        let hinted = self.take_in_hint();
        self.take_in_move() || hinted
    }

    fn take_in_hint(&mut self) -> bool {
        let Some(thinking) = &self.hinting else { return false };
        match thinking.answer.try_recv() {
            Err(TryRecvError::Empty) => return false,
            Err(TryRecvError::Disconnected) => self.complaint = Some("the hint crashed".into()),
            Ok(Thought { taken: Err(fault), .. }) => self.complaint = Some(format!("no hint: {fault}")),
            Ok(Thought { taken: Ok(decision), .. }) => {
                let (about, about_id) = (thinking.about, thinking.about_id);
                let Move { action, insight, .. } = decision;
                self.hint = Some(Hinted { about, about_id, action, insight });
            }
        }
        self.hinting = None;
        true
    }

    fn take_in_move(&mut self) -> bool {
        let Some(thinking) = &self.thinking else { return false };
        let seat = thinking.seat;
        let current = thinking.about_id == self.front().id;
        match thinking.answer.try_recv() {
            Err(TryRecvError::Empty) => return false,
            Err(TryRecvError::Disconnected) => {
                self.complaint = Some("the agent crashed; its seat is now yours".into());
                self.sitters[seat] = Sitter::Human;
            }
            Ok(Thought { table, taken: Ok(decision) }) if current => self.append(table, decision),
            Ok(Thought { taken: Err(fault), .. }) if current => self.lose_by(seat, fault),
            // The game went elsewhere meanwhile.
            Ok(_) => {}
        }
        self.thinking = None;
        true
    }

    fn lose_by(&mut self, seat: Seat, fault: Fault) {
        self.complaint = Some(format!("the agent lost by its own fault, {fault}"));
        let finish = Finish::Fault(seat, fault);
        self.end = Some(finish.end(self.front().table.as_ref(), self.sitters.len(), 0));
    }

    /// The game up to what is on the screen, as a replay.
    pub fn to_replay(&self, turn_limit: u32) -> Result<Replay> {
        self.replay_to(self.shown, turn_limit)
    }

    /// The game up to a moment, as a replay.
    pub fn replay_to(&self, moment: usize, turn_limit: u32) -> Result<Replay> {
        let Setup { info, open, level_name, seed, sitters, .. } = &self.setup;
        let name = |sitter: &Option<Contestant>| sitter.as_ref().map_or(PERSON, Contestant::name).to_owned();
        let agents = sitters.iter().map(name).collect();
        let mut replay = replays::begin(info, open.as_ref(), level_name, *seed, agents, turn_limit)?;
        replay.moves = self.moments[1..=moment].iter().filter_map(|moment| moment.decision.clone()).collect();
        let at_front = moment + 1 == self.moments.len();
        replay.end = replays::end(self.table_at(moment), self.sitters.len())
            .or_else(|| self.end.clone().filter(|_| at_front));
        Ok(replay)
    }
}

fn seat_all(setup: &Setup) -> Result<Vec<Sitter>> {
    setup
        .sitters
        .iter()
        .enumerate()
        .map(|(seat, sitter)| match sitter {
            None => Ok(Sitter::Human),
            Some(agent) => {
                let terms = Terms::of_budget(setup.budget);
                let before = cpu::of_thread();
                let agent = seats::sit(setup.info, setup.open.as_ref(), agent, seat, setup.seed, &terms)?;
                let needed = cpu::of_thread().saturating_sub(before);
                Ok(Sitter::Agent(Arc::new(Mutex::new(Some(Seating { agent, needed })))))
            }
        })
        .collect()
}
