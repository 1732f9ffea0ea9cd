//! A thread pool for agents, first in, first out. A game requests one decision at a time, so all games advance equally.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, PoisonError};

use damier_host::session::{AGENT_THREAD, Work};

/// Queue of work, served by a few threads.
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

    /// Adds work at the end of the queue.
    pub fn push(&self, work: Work) {
        self.0.waiting.lock().unwrap_or_else(PoisonError::into_inner).push_back(work);
        self.0.arrived.notify_one();
    }
}

impl Inside {
    fn work(&self) {
        // Agents have a lower priority than sockets. If the system does not allow that, they share.
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
                // After a panic the client gets no answer; the thread continues with the next job.
                let _ = catch_unwind(AssertUnwindSafe(work));
            }
        }
    }
}
