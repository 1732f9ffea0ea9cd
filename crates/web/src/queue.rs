//! A few threads for everything that thinks, in the order in which it was asked for. A game asks for one decision at a time, so
//! all games get on alike.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, PoisonError};

use damier_host::session::{AGENT_THREAD, Work};

/// Threads that do work in order.
#[derive(Clone)]
pub struct Queue(Arc<Inside>);

struct Inside {
    waiting: Mutex<VecDeque<Work>>,
    arrived: Condvar,
}

impl Queue {
    /// Starts the threads.
    pub fn new(threads: usize) -> std::io::Result<Self> {
        let queue = Self(Arc::new(Inside { waiting: Mutex::default(), arrived: Condvar::new() }));
        for _ in 0..threads.max(1) {
            let inside = Arc::clone(&queue.0);
            std::thread::Builder::new().name(AGENT_THREAD.to_owned()).spawn(move || inside.work())?;
        }
        Ok(queue)
    }

    /// Has something done when all that was asked for before is done or under way.
    pub fn push(&self, work: Work) {
        self.0.waiting.lock().unwrap_or_else(PoisonError::into_inner).push_back(work);
        self.0.arrived.notify_one();
    }
}

impl Inside {
    fn work(&self) {
        // Thinking leaves the cores to sockets whenever they need them; where that is not allowed, they share.
        #[cfg(unix)]
        let _ = rustix::process::nice(5);
        loop {
            let next = {
                let waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
                let mut waiting = self
                    .arrived
                    .wait_while(waiting, |waiting| waiting.is_empty())
                    .unwrap_or_else(PoisonError::into_inner);
                waiting.pop_front()
            };
            if let Some(work) = next {
                // Whoever asked for it sees that no answer comes; the thread goes on with the next one.
                let _ = catch_unwind(AssertUnwindSafe(work));
            }
        }
    }
}
