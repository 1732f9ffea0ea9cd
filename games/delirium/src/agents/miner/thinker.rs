//! A planner that thinks a little in every tick.
//!
//! The search runs in a thread of its own, but never beside the game: it goes on only as far as a decision grants, and the
//! decision waits for it. So what is found depends on the positions granted, not on how fast the machine is.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use damier_core::agent::Clock;

use crate::board::Word;
use crate::rules::{Rules, State};
use crate::solve::plan::Planner;
use crate::solve::reach::{Guessed, Position};
use crate::solve::{Sought, portfolio};

/// A plan to look for.
pub(super) struct Job {
    /// The position from which it has to lead on.
    pub state: State,
    /// What chance is guessed to be from there on.
    pub luck: Guessed,
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

enum Order {
    Begin(Box<Job>),
    GoOn(Grant),
}

/// The planner's thread, as the miner sees it. It ends when this is dropped.
pub(super) struct Thinker {
    orders: Sender<Order>,
    thoughts: Receiver<Option<Sought>>,
}

impl Thinker {
    pub(super) fn new(rules: &Arc<Rules>) -> Self {
        let (orders, incoming) = channel();
        let (outgoing, thoughts) = channel();
        let rules = Arc::clone(rules);
        let desk =
            Desk { orders: incoming, thoughts: outgoing, grant: None, until: 0, next: None, open: true };
        // Should there be no thread to be had, nothing is ever found, and the miner stays alive as well as it can.
        let _ = thread::Builder::new().stack_size(STACK).spawn(move || desk.work(&rules));
        Self { orders, thoughts }
    }

    /// Begins to look for another plan. What was looked for until now is forgotten.
    pub(super) fn begin(&self, job: Job) {
        // Without a thread there is nobody to tell.
        let _ = self.orders.send(Order::Begin(Box::new(job)));
    }

    /// Goes on with the search: what it found, once it has ended.
    pub(super) fn go_on(&self, grant: Grant) -> Option<Sought> {
        self.orders.send(Order::GoOn(grant)).ok()?;
        self.thoughts.recv().ok().flatten()
    }
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
        let mut small = None;
        let mut large = None;
        while let Some(job) = self.next_job() {
            let (luck, rest) = (job.luck.clone(), (job.caution, job.first_pass, job.most));
            let sought = match &job.state {
                State::Small(board) => {
                    let planner = small.get_or_insert_with(|| Box::new(Planner::new()));
                    self.seek(rules, &Position { board: *board, luck }, rest, planner)
                }
                State::Large(board) => {
                    let planner = large.get_or_insert_with(|| Box::new(Planner::new()));
                    self.seek(rules, &Position { board: **board, luck }, rest, planner)
                }
            };
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

    fn seek<W: Word, const H: usize, const M: usize>(
        &mut self,
        rules: &Rules,
        start: &Position<W, H, M, Guessed>,
        (caution, first_pass, most): (u32, usize, u64),
        planner: &mut Planner<W, H, M, Guessed>,
    ) -> Sought {
        let before = planner.expanded();
        let mut stop = |states: u64| states - before >= most || !self.may_go_on(states - before);
        portfolio(rules, start, planner, first_pass.., caution, &mut stop)
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
