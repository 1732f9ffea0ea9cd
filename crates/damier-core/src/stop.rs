//! When a search ends although it has not found what it looks for: at its deadline, or when nobody waits for it any more.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A word that ends a search, given from another thread. Clones share it.
///
/// ```
/// use damier_core::stop::Stop;
///
/// let stop = Stop::default();
/// let heard_elsewhere = stop.clone();
/// assert!(!heard_elsewhere.is_stopped());
/// stop.stop();
/// assert!(heard_elsewhere.is_stopped());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Ends every search that listens to it.
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Was the word given?
    pub fn is_stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// A moment at which a search ends, or sooner if it is told to stop.
#[derive(Clone, Debug)]
pub struct Deadline {
    at: Instant,
    stop: Stop,
}

impl Deadline {
    /// So much time from now.
    pub fn after(time: Duration, stop: &Stop) -> Self {
        Self { at: Instant::now() + time, stop: stop.clone() }
    }

    /// An earlier one: after a part of the time that is left.
    pub fn earlier(&self, part: f64) -> Self {
        Self::after(self.left().mul_f64(part), &self.stop)
    }

    /// Is it time to end? Cheap enough to ask every thousand nodes, not every node.
    pub fn passed(&self) -> bool {
        self.stop.is_stopped() || Instant::now() >= self.at
    }

    /// The time that is left; none if told to stop.
    pub fn left(&self) -> Duration {
        if self.stop.is_stopped() {
            Duration::ZERO
        } else {
            self.at.saturating_duration_since(Instant::now())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deadline_passes_with_time() {
        assert!(Deadline::after(Duration::ZERO, &Stop::default()).passed());
        let far = Deadline::after(Duration::from_secs(100), &Stop::default());
        assert!(!far.passed());
        assert!(far.earlier(0.1).left() <= Duration::from_secs(10));
    }

    #[test]
    fn a_word_ends_it_sooner() {
        let stop = Stop::default();
        let deadline = Deadline::after(Duration::from_secs(100), &stop);
        let earlier = deadline.earlier(0.5);
        stop.stop();
        assert!(deadline.passed() && earlier.passed());
        assert_eq!(deadline.left(), Duration::ZERO);
    }
}
