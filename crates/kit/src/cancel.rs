//! Cancellation and deadlines of searches.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::time::Instant;

/// Cancellation flag shared between threads. Clones share the flag.
///
/// ```
/// use damier_kit::cancel::Cancel;
///
/// let cancel = Cancel::default();
/// let (shared, child) = (cancel.clone(), cancel.child());
/// child.cancel();
/// assert!(child.is_cancelled() && !shared.is_cancelled());
/// cancel.cancel();
/// assert!(shared.is_cancelled());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<Flag>);

#[derive(Debug, Default)]
struct Flag {
    cancelled: AtomicBool,
    parent: Option<Cancel>,
}

impl Cancel {
    /// Requests cancellation.
    pub fn cancel(&self) {
        self.0.cancelled.store(true, Ordering::Relaxed);
    }

    /// Has cancellation been requested?
    pub fn is_cancelled(&self) -> bool {
        self.0.cancelled.load(Ordering::Relaxed) || self.0.parent.as_ref().is_some_and(Self::is_cancelled)
    }

    /// A flag for a part of the work: it is cancelled with this one, or on its own.
    pub fn child(&self) -> Self {
        Self(Arc::new(Flag { cancelled: AtomicBool::new(false), parent: Some(self.clone()) }))
    }
}

/// The moment at which a search ends; cancellation ends it sooner.
#[derive(Clone, Debug)]
pub struct Deadline {
    at: Instant,
    cancel: Cancel,
}

impl Deadline {
    /// A deadline this far from now.
    pub fn after(time: Duration, cancel: &Cancel) -> Self {
        Self { at: Instant::now() + time, cancel: cancel.clone() }
    }

    /// An earlier deadline: after this part of the time left.
    pub fn earlier(&self, part: f64) -> Self {
        Self::after(self.left().mul_f64(part), &self.cancel)
    }

    /// Has it passed? Cheap enough to ask every thousand nodes, not every node.
    pub fn passed(&self) -> bool {
        self.cancel.is_cancelled() || Instant::now() >= self.at
    }

    /// The time left; zero once cancelled.
    pub fn left(&self) -> Duration {
        if self.cancel.is_cancelled() {
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
        assert!(Deadline::after(Duration::ZERO, &Cancel::default()).passed());
        let far = Deadline::after(Duration::from_secs(100), &Cancel::default());
        assert!(!far.passed());
        assert!(far.earlier(0.1).left() <= Duration::from_secs(10));
    }

    #[test]
    fn cancelling_ends_it_sooner() {
        let cancel = Cancel::default();
        let deadline = Deadline::after(Duration::from_secs(100), &cancel);
        let earlier = deadline.earlier(0.5);
        cancel.cancel();
        assert!(deadline.passed() && earlier.passed());
        assert_eq!(deadline.left(), Duration::ZERO);
    }
}
