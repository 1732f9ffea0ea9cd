//! Interactive games: the whole history, the players, and the agents that are thinking.

use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use anyhow::{Result, bail};
use damier_core::agent::Budget;
use damier_core::game::{Seat, Status};
use damier_core::insight::Insight;
use damier_kit::Info;
use damier_kit::cancel::Cancel;
use damier_kit::fault::{Leave, Substituted};
use damier_kit::referee::{self, Decision, Finish};
use damier_kit::replay::{End, Move, Replay, substituted};
use damier_kit::review::{Remark, Review};
use damier_kit::table::{OpenLevel, Seated, Table};
use damier_kit::time::{self, cpu, start_clock};

use crate::contestant::Contestant;
use crate::terms::Terms;
use crate::{replays, seats};

/// Name of the threads in which agents think. A panic there is the agent's fault and must not clutter the screen.
pub const AGENT_THREAD: &str = "agent";

/// Name of a human player in replays.
pub const PERSON: &str = "human";

/// A job for another thread.
pub type Work = Box<dyn FnOnce() + Send>;

/// Runs the jobs of a session (agents' decisions, reviews) and wakes its owner after each.
#[derive(Clone)]
pub struct Executor {
    spawn: Arc<dyn Fn(Work) -> std::io::Result<()> + Send + Sync>,
    wake: Arc<dyn Fn() + Send + Sync>,
}

impl Executor {
    /// `spawn` runs a job in another thread, now or later; `wake` is called in that thread when the job is done.
    pub fn new(
        spawn: impl Fn(Work) -> std::io::Result<()> + Send + Sync + 'static,
        wake: impl Fn() + Send + Sync + 'static,
    ) -> Self {
        Self { spawn: Arc::new(spawn), wake: Arc::new(wake) }
    }

    /// Runs a job and wakes the owner afterwards, even if the job panics.
    fn spawn(&self, work: impl FnOnce() + Send + 'static) -> std::io::Result<()> {
        struct WakeOnDrop(Arc<dyn Fn() + Send + Sync>);
        impl Drop for WakeOnDrop {
            fn drop(&mut self) {
                (self.0)();
            }
        }
        let wake = Arc::clone(&self.wake);
        (self.spawn)(Box::new(move || {
            let _wake = WakeOnDrop(wake);
            work();
        }))
    }
}

impl Default for Executor {
    /// Starts a thread per job and wakes nobody: the owner polls.
    fn default() -> Self {
        Self::new(|work| time::spawn(AGENT_THREAD, None, work), || {})
    }
}

/// Agents that start up in less processor time than this are dropped while idle, to free their memory.
const CHEAP_STARTUP: Duration = Duration::from_millis(60);

/// Time limit of a review.
const REVIEW_TIME: Duration = Duration::from_secs(10);

/// The player at a seat.
enum Player {
    Human,
    Agent(AgentSlot),
    /// A player of a replay, known by name only.
    Record,
}

/// An agent that has started up.
struct ReadyAgent {
    agent: Box<dyn Seated>,
    /// Processor time of its start-up.
    startup: Duration,
}

/// Holds an agent between its decisions. Empty until its first turn, while it thinks, and after it was dropped to free memory. The
/// agent's thread takes it out when it starts to think, not when the job is queued.
type AgentSlot = Arc<Mutex<Option<ReadyAgent>>>;

fn lock(slot: &AgentSlot) -> MutexGuard<'_, Option<ReadyAgent>> {
    slot.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A state of the game and the decision that led to it.
struct Moment {
    /// Unique in the session, also among moments that were replaced.
    id: u64,
    table: Box<dyn Table>,
    /// `None` at the start.
    decision: Option<Move>,
}

/// Answer of an agent's thread.
struct Thought {
    table: Box<dyn Table>,
    taken: Result<Move, Leave>,
}

/// A decision under way.
struct Thinking {
    seat: Seat,
    /// The moment it is about. If that moment has been replaced meanwhile, the answer is dropped.
    about: usize,
    about_id: u64,
    answer: Receiver<Thought>,
    /// Set when the answer is no longer wanted.
    cancel: Cancel,
}

impl Drop for Thinking {
    fn drop(&mut self) {
        self.cancel.cancel();
    }
}

/// A hint: what an agent would do at a moment.
#[derive(Clone, Debug)]
pub struct Hinted {
    /// The moment.
    pub about: usize,
    about_id: u64,
    /// The action.
    pub action: String,
    /// The agent's reasons.
    pub insight: Insight,
}

/// State of a review.
enum ReviewState {
    /// Running, for the game up to this number of moments.
    Running(usize, Receiver<Option<Review>>),
    /// Finished.
    Done(Review),
}

/// Everything a session starts from.
pub struct Setup {
    /// The game.
    pub info: &'static Info,
    /// Its level.
    pub open: Arc<dyn OpenLevel>,
    /// The level's name.
    pub level_name: String,
    /// Seed of the game's chance and of its agents.
    pub seed: u64,
    /// Agents by seat; `None` is a human. Those of a replay are known by name only.
    pub players: Vec<Option<Contestant>>,
    /// Terms under which agents play. The session does not enforce the turn limit.
    pub terms: Terms,
    /// Runs the agents.
    pub executor: Executor,
}

/// An interactive game.
pub struct Session {
    setup: Setup,
    players: Vec<Player>,
    moments: Vec<Moment>,
    shown: usize,
    /// Number of moments ever made, also of those that were replaced.
    made: u64,
    thinking: Option<Thinking>,
    hinting: Option<Thinking>,
    hint: Option<Hinted>,
    /// End of the game outside the rules: an agent's fault, an agent that gave up, or what the replay says.
    end: Option<End>,
    review_state: Option<ReviewState>,
    /// Why the last request failed.
    pub complaint: Option<String>,
}

impl Session {
    /// Starts a game. Agents start up now; they think only when asked ([`let_agents_think`](Self::let_agents_think)).
    pub fn new(setup: Setup) -> Result<Self> {
        let players = start_agents(&setup)?;
        Ok(Self::at_start(setup, players))
    }

    /// Starts a game whose agents start up at their first turn, in their own thread: some take long.
    pub fn with_lazy_agents(setup: Setup) -> Self {
        let empty = |player: &Option<Contestant>| match player {
            None => Player::Human,
            Some(_) => Player::Agent(AgentSlot::default()),
        };
        let players = setup.players.iter().map(empty).collect();
        Self::at_start(setup, players)
    }

    /// Opens a replay. Its players are known by name only and do not act.
    pub fn from_replay(setup: Setup, replay: &Replay) -> Result<Self> {
        let players = setup.players.iter().map(|_| Player::Record).collect();
        let mut session = Self::at_start(setup, players);
        for step in &replay.moves {
            let mut table = session.front().table.copy();
            table.act_or_quit(&step.action)?;
            session.append(table, step.clone());
        }
        let over = matches!(session.front().table.status(), Status::Over(_));
        session.end = replay.end.clone().filter(|_| !over);
        Ok(session)
    }

    /// Takes the actions of an interrupted game, of all seats in turn, so that it continues where it was.
    pub fn catch_up(&mut self, actions: &[String]) -> Result<()> {
        for action in actions {
            let Status::ToMove(seat) = self.front().table.status() else {
                bail!("the game is over before `{action}`")
            };
            let mut table = self.front().table.copy();
            table.act(action)?;
            let step = Move::of(Decision::given(table.as_ref(), seat));
            self.append(table, step);
        }
        Ok(())
    }

    fn at_start(setup: Setup, players: Vec<Player>) -> Self {
        let moments = vec![Moment { id: 0, table: setup.open.table(setup.seed, 0), decision: None }];
        Self {
            setup,
            players,
            moments,
            shown: 0,
            made: 1,
            thinking: None,
            hinting: None,
            hint: None,
            end: None,
            review_state: None,
            complaint: None,
        }
    }

    /// Starts over with another seed; a replay only goes back to its start.
    pub fn restart(&mut self, seed: u64) -> Result<()> {
        self.shown = 0;
        if self.is_record() {
            return Ok(());
        }
        self.setup.seed = seed;
        self.players = start_agents(&self.setup)?;
        self.moments.clear();
        self.push(self.setup.open.table(seed, 0), None);
        (self.thinking, self.hinting, self.hint) = (None, None, None);
        (self.end, self.review_state, self.complaint) = (None, None, None);
        Ok(())
    }

    /// Is it a replay?
    pub fn is_record(&self) -> bool {
        self.players.iter().any(|player| matches!(player, Player::Record))
    }

    /// Number of moments: the start, and one after each decision.
    pub fn moments(&self) -> usize {
        self.moments.len()
    }

    /// The table at a moment.
    pub fn table_at(&self, moment: usize) -> &dyn Table {
        self.moments[moment].table.as_ref()
    }

    /// The decision that led to a moment; `None` at the start.
    pub fn decision_at(&self, moment: usize) -> Option<&Move> {
        self.moments[moment].decision.as_ref()
    }

    /// End of the game outside the rules, after its newest moment.
    pub fn end(&self) -> Option<&End> {
        self.end.as_ref()
    }

    /// Number of substituted answers of each seat up to a moment.
    pub fn substituted_at(&self, moment: usize) -> Vec<Substituted> {
        let end = self.end.as_ref().filter(|_| moment + 1 == self.moments.len());
        let moves = self.moments[..=moment].iter().filter_map(|moment| moment.decision.as_ref());
        substituted(self.players.len(), moves, end)
    }

    /// The seat whose agent is thinking.
    pub fn thinking_seat(&self) -> Option<Seat> {
        self.thinking.as_ref().map(|thinking| thinking.seat)
    }

    fn front(&self) -> &Moment {
        self.moments.last().expect("there is a start")
    }

    /// What the session started from.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// The table at the shown moment.
    pub fn table(&self) -> &dyn Table {
        self.moments[self.shown].table.as_ref()
    }

    /// Shown moment and newest moment, counted in decisions.
    pub fn position(&self) -> (usize, usize) {
        (self.shown, self.moments.len() - 1)
    }

    /// The decision that led to the shown moment.
    pub fn last_decision(&self) -> Option<&Move> {
        self.moments[self.shown].decision.as_ref()
    }

    /// Insight to draw: that of a hint for this moment, of the next decision, or of the decision that led here.
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

    /// The hinted action, if there is a hint for the shown moment.
    pub fn hint(&self) -> Option<&str> {
        let here = |hint: &&Hinted| hint.about_id == self.moments[self.shown].id;
        self.hint.as_ref().filter(here).map(|hint| hint.action.as_str())
    }

    /// Takes the latest hint, for whichever moment.
    pub fn take_hint(&mut self) -> Option<Hinted> {
        self.hint.take()
    }

    /// Is a decision, a hint or a review under way?
    pub fn is_thinking(&self) -> bool {
        self.thinking.is_some() || self.hinting.is_some() || self.is_reviewing()
    }

    /// Is a human to move at the shown moment?
    pub fn human_to_move(&self) -> bool {
        self.human_moves_at(self.shown)
    }

    /// Plays a human's action at the shown moment. In the past, it replaces the future.
    pub fn act(&mut self, action: &str) {
        if self.act_at(self.shown, action) {
            self.go_forward();
            self.let_agents_think();
        }
    }

    /// Plays a human's action at a moment. In the past, it replaces the future. False if it was not played; the complaint says why.
    pub fn act_at(&mut self, moment: usize, action: &str) -> bool {
        self.complaint = None;
        let Status::ToMove(seat) = self.moments[moment].table.status() else {
            self.complaint = Some("the game is over".into());
            return false;
        };
        if !matches!(self.players[seat], Player::Human) {
            return false;
        }
        let mut table = self.moments[moment].table.copy();
        if let Err(illegal) = table.act_or_quit(action) {
            self.complaint = Some(illegal.to_string());
            return false;
        }
        self.moments.truncate(moment + 1);
        (self.review_state, self.end) = (None, None);
        let decision = Move::of(Decision::given(table.as_ref(), seat));
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

    /// Shows the next known stop: between two turns, or where a human is to move. False if there is none yet.
    pub fn go_forward(&mut self) -> bool {
        let stop = (self.shown + 1..self.moments.len()).find(|&index| self.is_stop(index));
        match stop {
            Some(index) => self.shown = index,
            // The turn is not complete: its stop follows with the agent's decision.
            None if self.front_awaits_agent() => {}
            None => self.shown = self.moments.len() - 1,
        }
        stop.is_some()
    }

    /// Shows the previous stop.
    pub fn go_back(&mut self) {
        self.shown = (0..self.shown).rev().find(|&index| self.is_stop(index)).unwrap_or(0);
        self.complaint = None;
    }

    /// Shows the last moment before this one where a human was to move.
    pub fn undo(&mut self) {
        let before = |index: &usize| self.human_moves_at(*index);
        if let Some(index) = (0..self.shown).rev().find(before) {
            self.shown = index;
        }
        self.complaint = None;
    }

    /// Shows the start.
    pub fn go_to_start(&mut self) {
        self.shown = 0;
    }

    /// Shows the newest stop.
    pub fn go_to_end(&mut self) {
        self.shown = (0..self.moments.len()).rev().find(|&index| self.is_stop(index)).unwrap_or(0);
    }

    /// Is this moment a stop: between two turns, or where a human is to move?
    pub fn is_stop(&self, index: usize) -> bool {
        self.moments[index].table.between_turns() || self.human_moves_at(index)
    }

    /// Is a human to move at this moment?
    pub fn human_moves_at(&self, index: usize) -> bool {
        matches!(self.moments[index].table.status(),
            Status::ToMove(seat) if matches!(self.players[seat], Player::Human))
    }

    fn front_awaits_agent(&self) -> bool {
        matches!(self.front().table.status(),
            Status::ToMove(seat) if matches!(self.players[seat], Player::Agent(_)))
    }

    /// Asks the agent `best` what it would do at the shown moment.
    pub fn ask_for_hint(&mut self) {
        self.ask_for_hint_at(self.shown);
    }

    /// Asks the agent `best` what it would do at a moment.
    pub fn ask_for_hint_at(&mut self, moment: usize) {
        let Status::ToMove(seat) = self.moments[moment].table.status() else { return };
        if self.hinting.is_some() {
            return;
        }
        self.hinting = self.think(AgentSlot::default(), Contestant::built_in("best"), seat, moment);
    }

    /// Reviews the game up to its newest moment; once the review is known, shows its next remark.
    pub fn review_or_next_remark(&mut self) {
        match &self.review_state {
            Some(ReviewState::Running(..)) => {}
            Some(ReviewState::Done(_)) => self.go_to_next_remark(),
            None => self.start_review(),
        }
    }

    fn start_review(&mut self) {
        let open = Arc::clone(&self.setup.open);
        let seed = self.setup.seed;
        let actions: Vec<String> =
            self.moments.iter().filter_map(|moment| Some(moment.decision.as_ref()?.action.clone())).collect();
        let (sender, answer) = channel();
        let begun = self.setup.executor.spawn(move || {
            let clock = start_clock(Budget { time: Some(REVIEW_TIME), nodes: None });
            let review =
                open.review(seed, &actions, &clock, &|_| {}).expect("the game was played by the rules");
            // The receiver is gone if the session was closed meanwhile.
            let _ = sender.send(review);
        });
        match begun {
            Ok(()) => self.review_state = Some(ReviewState::Running(self.moments.len(), answer)),
            Err(error) => self.complaint = Some(format!("cannot start the review: {error}")),
        }
    }

    /// Shows the next remark after the shown moment; after the last one, the first.
    fn go_to_next_remark(&mut self) {
        let Some(ReviewState::Done(review)) = &self.review_state else { return };
        let positions = || review.remarks.iter().map(|remark| remark.number - 1);
        if let Some(next) = positions().find(|&position| position > self.shown).or_else(|| positions().next())
        {
            self.shown = next;
        }
    }

    /// Is a review under way?
    pub fn is_reviewing(&self) -> bool {
        matches!(self.review_state, Some(ReviewState::Running(..)))
    }

    /// The review of the game, once it is known.
    pub fn review(&self) -> Option<&Review> {
        match &self.review_state {
            Some(ReviewState::Done(review)) => Some(review),
            _ => None,
        }
    }

    /// The remark on the decision taken at the shown moment.
    pub fn remark(&self) -> Option<&Remark> {
        self.review()?.remarks.iter().find(|remark| remark.number == self.shown + 1)
    }

    /// Lets the next agent think, at most one turn ahead of the shown moment.
    pub fn let_agents_think(&mut self) {
        let ahead = (self.shown + 1..self.moments.len()).any(|index| self.is_stop(index));
        if !ahead {
            self.think_at_newest();
        }
    }

    /// Lets the agent to move at the newest moment think, if there is one.
    pub fn think_at_newest(&mut self) {
        if self.thinking.is_some() || self.end.is_some() {
            return;
        }
        let Status::ToMove(seat) = self.front().table.status() else { return };
        let Player::Agent(slot) = &self.players[seat] else { return };
        let slot = Arc::clone(slot);
        let who = self.setup.players[seat].clone().expect("an agent has a name");
        self.thinking = self.think(slot, who, seat, self.moments.len() - 1);
    }

    /// Drops idle built-in agents to free their memory, except those that take long to start up again.
    pub fn drop_idle_agents(&mut self) {
        for (player, contestant) in self.players.iter().zip(&self.setup.players) {
            if let (Player::Agent(slot), Some(Contestant::BuiltIn(_))) = (player, contestant) {
                lock(slot).take_if(|ready| ready.startup < CHEAP_STARTUP);
            }
        }
    }

    /// Lets an agent think in its own thread; if its slot is empty, it starts up first.
    fn think(&mut self, slot: AgentSlot, who: Contestant, seat: Seat, about: usize) -> Option<Thinking> {
        let mut table = self.moments[about].table.copy();
        let Setup { info, seed, ref terms, .. } = self.setup;
        let terms = terms.clone();
        let open = Arc::clone(&self.setup.open);
        let (sender, answer) = channel();
        let cancel = Cancel::default();
        let cancelled = cancel.clone();
        let begun = self.setup.executor.spawn(move || {
            if cancelled.is_cancelled() {
                return;
            }
            let start = || {
                let before = cpu::of_thread();
                let agent = who.sit(info, open.as_ref(), seat, seed, &terms)?;
                Ok(ReadyAgent { agent, startup: cpu::of_thread().saturating_sub(before) })
            };
            let ready = lock(&slot).take();
            let taken = ready.map_or_else(start, Ok).and_then(|mut ready| {
                let decision =
                    referee::decide(ready.agent.as_mut(), table.as_mut(), seat, terms.budget, true);
                let taken = decision.map(Move::of);
                *lock(&slot) = Some(ready);
                taken
            });
            // The receiver is gone if the session was closed meanwhile.
            let _ = sender.send(Thought { table, taken });
        });
        if let Err(error) = begun {
            self.complaint = Some(format!("cannot start the agent: {error}"));
            return None;
        }
        Some(Thinking { seat, about, about_id: self.moments[about].id, answer, cancel })
    }

    fn collect_review(&mut self) {
        let Some(ReviewState::Running(about, answer)) = &self.review_state else { return };
        let current = *about == self.moments.len();
        match answer.try_recv() {
            Err(TryRecvError::Empty) => {}
            Ok(Some(review)) if current => {
                self.review_state = Some(ReviewState::Done(review));
                self.go_to_next_remark();
            }
            Ok(_) => {
                self.review_state = None;
                self.complaint = Some("the review has no remarks on this game".into());
            }
            Err(TryRecvError::Disconnected) => {
                self.review_state = None;
                self.complaint = Some("the review crashed".into());
            }
        }
    }

    /// Collects finished answers and lets agents continue to think. True if an agent has answered.
    pub fn receive(&mut self) -> bool {
        let changed = self.collect_answers();
        if changed {
            self.let_agents_think();
        }
        changed
    }

    /// Collects finished answers. True if an agent has answered.
    pub fn collect_answers(&mut self) -> bool {
        self.collect_review();
        let hinted = self.collect_hint();
        self.collect_move() || hinted
    }

    fn collect_hint(&mut self) -> bool {
        let Some(thinking) = &self.hinting else { return false };
        match thinking.answer.try_recv() {
            Err(TryRecvError::Empty) => return false,
            Err(TryRecvError::Disconnected) => self.complaint = Some("the hint crashed".into()),
            Ok(Thought { taken: Err(leave), .. }) => self.complaint = Some(format!("no hint: {leave}")),
            Ok(Thought { taken: Ok(decision), .. }) => {
                let (about, about_id) = (thinking.about, thinking.about_id);
                let Move { action, insight, .. } = decision;
                self.hint = Some(Hinted { about, about_id, action, insight });
            }
        }
        self.hinting = None;
        true
    }

    fn collect_move(&mut self) -> bool {
        let Some(thinking) = &self.thinking else { return false };
        let seat = thinking.seat;
        let current = thinking.about_id == self.front().id;
        match thinking.answer.try_recv() {
            Err(TryRecvError::Empty) => return false,
            Err(TryRecvError::Disconnected) => {
                self.complaint = Some("the agent crashed; its seat is now yours".into());
                self.players[seat] = Player::Human;
            }
            Ok(Thought { table, taken: Ok(decision) }) if current => self.append(table, decision),
            Ok(Thought { taken: Err(leave), .. }) if current => self.lose_by(seat, leave),
            // The moment was replaced meanwhile.
            Ok(_) => {}
        }
        self.thinking = None;
        true
    }

    fn lose_by(&mut self, seat: Seat, leave: Leave) {
        self.complaint = Some(match &leave {
            Leave::Fault(fault) if fault.is_of_machine() => {
                format!("the game cannot continue, because this machine failed: {}", fault.detail)
            }
            Leave::Fault(fault) => format!("the agent lost by its own fault, {fault}"),
            Leave::Resign(reason) => format!("the agent gave up: {reason}"),
        });
        let finish = Finish::left(seat, leave);
        self.end = Some(finish.end(self.front().table.as_ref(), self.players.len(), 0));
    }

    /// The game up to the shown moment, as a replay.
    pub fn to_replay(&self, turn_limit: u32) -> Result<Replay> {
        self.replay_to(self.shown, turn_limit)
    }

    /// The game up to a moment, as a replay.
    pub fn replay_to(&self, moment: usize, turn_limit: u32) -> Result<Replay> {
        let Setup { info, open, level_name, seed, players, .. } = &self.setup;
        let name = |player: &Option<Contestant>| player.as_ref().map_or(PERSON, Contestant::name).to_owned();
        let agents = players.iter().map(name).collect();
        let mut replay = replays::begin(info, open.as_ref(), level_name, *seed, agents, turn_limit)?;
        replay.moves = self.moments[1..=moment].iter().filter_map(|moment| moment.decision.clone()).collect();
        let at_front = moment + 1 == self.moments.len();
        replay.end = replays::end(self.table_at(moment), self.players.len())
            .or_else(|| self.end.clone().filter(|_| at_front));
        Ok(replay)
    }
}

fn start_agents(setup: &Setup) -> Result<Vec<Player>> {
    let start = |(seat, player): (Seat, &Option<Contestant>)| {
        let Some(agent) = player else { return Ok(Player::Human) };
        let before = cpu::of_thread();
        let agent = seats::sit(setup.info, setup.open.as_ref(), agent, seat, setup.seed, &setup.terms)?;
        let startup = cpu::of_thread().saturating_sub(before);
        Ok(Player::Agent(Arc::new(Mutex::new(Some(ReadyAgent { agent, startup })))))
    };
    setup.players.iter().enumerate().map(start).collect()
}
