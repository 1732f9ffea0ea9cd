//! Slots for concurrent searches. A search holds its slot as long as it runs, even if its client is gone.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};

/// Time limit of a first attempt.
pub const ATTEMPT: Duration = Duration::from_millis(250);

/// Limits concurrent searches, because each uses all cores.
///
/// While all slots are taken, a search is first attempted with a [short time limit](ATTEMPT): most are done by then. The others wait in
/// the order in which they would have ended had they been alone, so a short one overtakes a long one, and none waits for ever.
pub struct Searches {
    attempts: Arc<Semaphore>,
    list: Arc<Mutex<WaitList>>,
}

struct WaitList {
    free: usize,
    /// Start of this list's clock.
    opened: Instant,
    /// Waiting searches by the time when they would be done; the second number breaks ties.
    waiting: BTreeMap<(Duration, u64), oneshot::Sender<Slot>>,
    arrived: u64,
}

/// A search's slot, passed on to the next search when dropped.
pub struct Slot(Option<Arc<Mutex<WaitList>>>);

impl Searches {
    /// This many concurrent searches, and as many attempts.
    pub fn new(slots: usize) -> Self {
        let list = WaitList { free: slots, opened: Instant::now(), waiting: BTreeMap::new(), arrived: 0 };
        Self { attempts: Arc::new(Semaphore::new(slots)), list: Arc::new(Mutex::new(list)) }
    }

    /// Takes a slot if one is free.
    pub fn try_acquire(&self) -> Option<Slot> {
        let mut list = lock(&self.list);
        list.free = list.free.checked_sub(1)?;
        Some(Slot(Some(Arc::clone(&self.list))))
    }

    /// Waits for a slot for an attempt.
    pub async fn attempt(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.attempts).acquire_owned().await.ok()
    }

    /// Waits for a slot for a search with this time limit. Cancel-safe: a caller that gives up waiting takes none.
    pub async fn acquire(&self, time: Duration) -> Option<Slot> {
        if let Some(slot) = self.try_acquire() {
            return Some(slot);
        }
        let (sender, turn) = oneshot::channel();
        {
            let mut list = lock(&self.list);
            list.arrived += 1;
            let key = (list.opened.elapsed() + time, list.arrived);
            list.waiting.insert(key, sender);
            // A slot may have become free meanwhile.
            if let Some(free) = list.free.checked_sub(1) {
                list.free = free;
                drop(list);
                drop(Slot(Some(Arc::clone(&self.list))));
            }
        }
        turn.await.ok()
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        let Some(list) = self.0.take() else { return };
        let mut inside = lock(&list);
        while let Some((_, next)) = inside.waiting.pop_first() {
            match next.send(Self(Some(Arc::clone(&list)))) {
                Ok(()) => return,
                // The waiting search was given up.
                Err(mut refused) => refused.0 = None,
            }
        }
        inside.free += 1;
    }
}

fn lock(list: &Mutex<WaitList>) -> MutexGuard<'_, WaitList> {
    list.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn short_searches_overtake_long_ones() {
        let searches = Arc::new(Searches::new(1));
        let first = searches.acquire(Duration::from_secs(5)).await.unwrap();
        assert!(searches.try_acquire().is_none());
        let (sender, mut order) = tokio::sync::mpsc::unbounded_channel();
        for seconds in [60, 5, 1] {
            let (searches, sender) = (Arc::clone(&searches), sender.clone());
            tokio::spawn(async move {
                let _slot = searches.acquire(Duration::from_secs(seconds)).await;
                sender.send(seconds).unwrap();
            });
            tokio::task::yield_now().await;
        }
        drop(first);
        let order = [order.recv().await, order.recv().await, order.recv().await];
        assert_eq!(order, [Some(1), Some(5), Some(60)]);
        assert!(searches.try_acquire().is_some());
    }

    #[tokio::test]
    async fn a_search_that_was_given_up_takes_no_slot() {
        let searches = Searches::new(1);
        let first = searches.try_acquire().unwrap();
        let waiting = searches.acquire(Duration::ZERO);
        assert!(tokio::time::timeout(Duration::from_millis(5), waiting).await.is_err());
        drop(first);
        let again = searches.try_acquire();
        assert!(again.is_some() && searches.try_acquire().is_none());
    }
}
