//! A planner that thinks a little in every tick.
//!
//! The search runs in a thread of its own, but never beside the game: it goes on only as far as a decision grants, and the
//! decision waits for it. So what is found depends on the positions granted, not on how fast the machine is.
//!
//! Where no thread can be had, as in a browser, the search runs inside the decision. It cannot be paused there, so it ends
//! with the decision's budget.

use std::io;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};

use damier_core::agent::{Budget, Clock};
use damier_kit::time;

use crate::board::{Board, Word};
use crate::picture::{Cave64, Cave128, LargePicture, SmallPicture};
use crate::rules::{LARGE_BEINGS, LARGE_ROWS, Rules, SMALL_BEINGS, SMALL_ROWS, State};
use crate::solve::plan::Planner;
use crate::solve::reach::{Luck, Position};
use crate::solve::{Sought, portfolio};

/// A plan to look for.
pub(super) struct Job {
    /// The position from which it has to lead on.
    pub state: State,
    /// What chance is guessed to be from there on.
    pub luck: Luck,
    /// What a guess about chance costs, in quarters of a tick.
    pub caution: u32,
    /// The first pass of the portfolio that is worth trying.
    pub first_pass: usize,
    /// Positions to look at.
    pub most: u64,
}

/// How far the search may go on.
#[derive(Clone, Copy)]
pub(super) struct Grant {
    /// Positions to look at.
    pub positions: u64,
    /// The decision's budget.
    pub clock: Clock,
}

/// Enough for searches on the largest boards, which are copied at every tick of a survived line.
const STACK: usize = 8 << 20;

/// Starts a thread for the planner. Tests pass one that fails.
pub(super) type Spawn = fn(Box<dyn FnOnce() + Send>) -> io::Result<()>;

/// Starts the planner's thread.
pub(super) fn spawn(work: Box<dyn FnOnce() + Send>) -> io::Result<()> {
    time::spawn("miner", Some(STACK), work)
}

pub(super) enum Order {
    Begin(Box<Job>),
    GoOn(Grant),
}

/// The planner, as the miner sees it.
pub(super) enum Thinker {
    /// Runs in a thread, which ends when this is dropped.
    Thread { orders: Sender<Order>, thoughts: Receiver<Option<Sought>> },
    /// Runs inside the decision.
    InTurn { rules: Arc<Rules>, planners: Planners, job: Option<Box<Job>> },
}

impl Thinker {
    pub(super) fn new(rules: &Arc<Rules>, spawn: Spawn) -> Self {
        let (orders, incoming) = channel();
        let (outgoing, thoughts) = channel();
        let desk =
            Desk { orders: incoming, thoughts: outgoing, grant: None, until: 0, next: None, open: true };
        let shared = Arc::clone(rules);
        match spawn(Box::new(move || desk.work(&shared))) {
            Ok(()) => Self::Thread { orders, thoughts },
            Err(_) => Self::InTurn { rules: Arc::clone(rules), planners: Planners::default(), job: None },
        }
    }

    /// Begins to search for another plan. The search before is dropped.
    pub(super) fn begin(&mut self, next: Job) {
        let next = Box::new(next);
        match self {
            // A thread that panicked cannot be told; `go_on` then finds nothing.
            Self::Thread { orders, .. } => drop(orders.send(Order::Begin(next))),
            Self::InTurn { job, .. } => *job = Some(next),
        }
    }

    /// Continues the search: what it found, once it has ended.
    pub(super) fn go_on(&mut self, grant: Grant) -> Option<Sought> {
        match self {
            Self::Thread { orders, thoughts } => {
                orders.send(Order::GoOn(grant)).ok()?;
                thoughts.recv().ok().flatten()
            }
            Self::InTurn { rules, planners, job } => {
                let job = job.take()?;
                let most = match grant.clock.budget() {
                    // What the whole wait would grant: nothing else bounds this decision.
                    Budget { time: None, nodes: None } => job.most,
                    _ => grant.positions,
                };
                let mut stop = |states| states >= most || grant.clock.expired();
                Some(planners.search(rules, &job, &mut stop))
            }
        }
    }
}

/// The planners for both sizes of boards and caves, made when they are needed.
#[derive(Default)]
pub(super) struct Planners {
    small: Option<Box<Planner<u64, SMALL_ROWS, SMALL_BEINGS>>>,
    large: Option<Box<Planner<u128, LARGE_ROWS, LARGE_BEINGS>>>,
    cave: Option<Box<Planner<Cave64, SMALL_ROWS, SMALL_BEINGS>>>,
    large_cave: Option<Box<Planner<Cave128, LARGE_ROWS, LARGE_BEINGS>>>,
}

impl Planners {
    /// Searches for a plan until `stop`, which gets the positions looked at for this job.
    fn search(&mut self, rules: &Rules, job: &Job, stop: &mut dyn FnMut(u64) -> bool) -> Sought {
        match &job.state {
            State::Small(board) => {
                let planner = self.small.get_or_insert_with(|| Box::new(Planner::new()));
                search(rules, job, *board, planner, stop)
            }
            State::Large(board) => {
                let planner = self.large.get_or_insert_with(|| Box::new(Planner::new()));
                search(rules, job, **board, planner, stop)
            }
            State::Cave(cave) => {
                let planner = self.cave.get_or_insert_with(|| Box::new(Planner::new()));
                let picture = SmallPicture::of_cave(rules.ground(job.state.stage()), cave);
                search(rules, job, picture, planner, stop)
            }
            State::LargeCave(cave) => {
                let planner = self.large_cave.get_or_insert_with(|| Box::new(Planner::new()));
                let picture = LargePicture::of_cave(rules.ground(job.state.stage()), cave);
                search(rules, job, picture, planner, stop)
            }
        }
    }
}

fn search<W: Word, const H: usize, const M: usize>(
    rules: &Rules,
    job: &Job,
    board: Board<W, H, M>,
    planner: &mut Planner<W, H, M>,
    stop: &mut dyn FnMut(u64) -> bool,
) -> Sought {
    let start = Position { board, luck: job.luck.clone() };
    let before = planner.expanded();
    let mut stop = |states: u64| states - before >= job.most || stop(states - before);
    portfolio(rules, &start, planner, &mut (job.first_pass..), job.caution, &mut stop)
}

/// The thread's side.
struct Desk {
    orders: Receiver<Order>,
    thoughts: Sender<Option<Sought>>,
    /// What is granted at the moment, up to how many positions of this job.
    grant: Option<Grant>,
    until: u64,
    /// A job that came before the last one was finished.
    next: Option<Box<Job>>,
    /// Is anybody still listening?
    open: bool,
}

impl Desk {
    fn work(mut self, rules: &Rules) {
        let mut planners = Planners::default();
        while let Some(job) = self.next_job() {
            let sought = planners.search(rules, &job, &mut |states| !self.may_go_on(states));
            if self.open && self.next.is_none() {
                self.grant = None;
                self.open = self.thoughts.send(Some(sought)).is_ok();
            }
        }
    }

    /// Waits for a job, and for the first grant.
    fn next_job(&mut self) -> Option<Box<Job>> {
        let mut job = self.next.take();
        while self.open {
            match self.orders.recv() {
                Ok(Order::Begin(next)) => job = Some(next),
                Ok(Order::GoOn(grant)) => {
                    if job.is_some() {
                        (self.grant, self.until) = (Some(grant), grant.positions);
                        return job;
                    }
                    self.open = self.thoughts.send(None).is_ok();
                }
                Err(_) => self.open = false,
            }
        }
        None
    }

    /// Is there anything left of the grant? If not, waits for another one.
    fn may_go_on(&mut self, states: u64) -> bool {
        while self.open && self.next.is_none() {
            if self.grant.is_some_and(|grant| states < self.until && !grant.clock.expired()) {
                return true;
            }
            if self.grant.take().is_some() {
                self.open = self.thoughts.send(None).is_ok();
            }
            match self.orders.recv() {
                Ok(Order::Begin(job)) => self.next = Some(job),
                Ok(Order::GoOn(grant)) => {
                    (self.grant, self.until) = (Some(grant), states.saturating_add(grant.positions));
                }
                Err(_) => self.open = false,
            }
        }
        false
    }
}
