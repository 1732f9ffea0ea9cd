//! Benchmarks: measurements, and a signature that pins the behaviour.

use serde::Serialize;

use crate::time::{Instant, cpu};

/// A measurement of a benchmark.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Measure {
    /// What was counted: `turns`, `nodes`, `clones`.
    pub what: &'static str,
    /// The count.
    pub count: u64,
    /// Processor time in seconds.
    pub seconds: f64,
}

impl Measure {
    /// Repeats a run for about `seconds`, at least once, and measures this thread's processor time. A run gets its number and
    /// returns its count.
    pub fn timed(what: &'static str, seconds: f64, mut run: impl FnMut(u64) -> u64) -> Self {
        // The processor clock is slow to read, so wall time decides when to stop.
        let (started, used) = (Instant::now(), cpu::of_thread());
        let mut count = 0;
        for number in 0.. {
            count += run(number);
            if started.elapsed().as_secs_f64() >= seconds {
                break;
            }
        }
        Self { what, count, seconds: cpu::of_thread().saturating_sub(used).as_secs_f64() }
    }
}

/// Results of `damier bench` for a game.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Bench {
    /// Behaviour signature: it changes only when rules or search change.
    pub signature: u64,
    /// The measurements.
    pub measures: Vec<Measure>,
}
