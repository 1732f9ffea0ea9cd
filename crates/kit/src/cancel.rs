//! Cancellation and deadlines of searches.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::time::{Instant, cpu};

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

/// Clock that measures the time of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TimeSource {
    /// Wall time.
    #[default]
    Wall,
    /// Processor time of all threads of the process.
    Cpu,
    /// Processor time of the thread that asks: for searches on one thread, several of which run side by side.
    ThreadCpu,
}

/// The moment at which a search ends; cancellation ends it sooner.
#[derive(Clone, Debug)]
pub struct Deadline {
    at: Moment,
    cancel: Cancel,
}

#[derive(Clone, Copy, Debug)]
enum Moment {
    Wall(Instant),
    Cpu(Duration),
    ThreadCpu(Duration),
}

impl Deadline {
    /// A deadline this far from now, in wall time.
    pub fn after(time: Duration, cancel: &Cancel) -> Self {
        Self::measured(TimeSource::Wall, time, cancel)
    }

    /// A deadline this far from now, measured by this clock.
    pub fn measured(source: TimeSource, time: Duration, cancel: &Cancel) -> Self {
        let at = match source {
            TimeSource::Wall => Moment::Wall(Instant::now() + time),
            TimeSource::Cpu => Moment::Cpu(cpu::of_process() + time),
            TimeSource::ThreadCpu => Moment::ThreadCpu(cpu::of_thread() + time),
        };
        Self { at, cancel: cancel.clone() }
    }

    /// An earlier deadline, after this fraction of the time left.
    pub fn earlier(&self, part: f64) -> Self {
        let source = match self.at {
            Moment::Wall(_) => TimeSource::Wall,
            Moment::Cpu(_) => TimeSource::Cpu,
            Moment::ThreadCpu(_) => TimeSource::ThreadCpu,
        };
        Self::measured(source, self.left().mul_f64(part), &self.cancel)
    }

    /// Has it passed? Cheap enough to ask every thousand nodes, not every node.
    pub fn passed(&self) -> bool {
        self.left().is_zero()
    }

    /// The time left; zero once cancelled.
    pub fn left(&self) -> Duration {
        match self.at {
            _ if self.cancel.is_cancelled() => Duration::ZERO,
            Moment::Wall(at) => at.saturating_duration_since(Instant::now()),
            Moment::Cpu(at) => at.saturating_sub(cpu::of_process()),
            Moment::ThreadCpu(at) => at.saturating_sub(cpu::of_thread()),
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

    #[cfg(unix)]
    #[test]
    fn sleeping_uses_no_processor_time() {
        let deadline = Deadline::measured(TimeSource::Cpu, Duration::from_millis(500), &Cancel::default());
        let earlier = deadline.earlier(0.5);
        std::thread::sleep(Duration::from_millis(300));
        assert!(!earlier.passed());
        while !earlier.passed() {}
        assert!(earlier.left().is_zero() && !deadline.passed());
    }

    #[cfg(unix)]
    #[test]
    fn other_threads_cost_a_thread_no_time() {
        let time = Duration::from_millis(200);
        let [own, all] = [TimeSource::ThreadCpu, TimeSource::Cpu]
            .map(|source| Deadline::measured(source, time, &Cancel::default()));
        std::thread::scope(|scope| {
            scope.spawn(|| while !all.passed() {});
        });
        assert!(all.passed() && !own.passed());
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
