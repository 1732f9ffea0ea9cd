//! Measurements: stopwatches, milliseconds, percentiles.

use std::time::Duration;

use damier_kit::time::{Instant, cpu};

/// Measures wall and processor time of a computation.
pub struct Stopwatch {
    started: Instant,
    cpu: Duration,
}

/// Cost of a computation.
pub struct Effort {
    /// Wall time.
    pub time: Duration,
    /// Processor time of all threads.
    pub cpu: Duration,
}

impl Stopwatch {
    /// Starts measuring.
    pub fn start() -> Self {
        Self { started: Instant::now(), cpu: cpu::of_process() }
    }

    /// The cost so far.
    pub fn read(&self) -> Effort {
        Effort { time: self.started.elapsed(), cpu: cpu::of_process().saturating_sub(self.cpu) }
    }
}

/// A duration in milliseconds.
pub fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

/// The smallest of these sorted durations that `percent` of them do not exceed (nearest rank); zero if there are none.
pub fn percentile(sorted: &[Duration], percent: usize) -> Duration {
    let rank = (sorted.len() * percent).div_ceil(100);
    sorted.get(rank.saturating_sub(1)).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_values_that_occur() {
        let times: Vec<Duration> = (1..=200).map(Duration::from_millis).collect();
        let of = |percent| percentile(&times, percent).as_millis();
        assert_eq!([0, 50, 99, 100].map(of), [1, 100, 198, 200]);
        assert_eq!(percentile(&times[..1], 50), times[0]);
        assert_eq!(percentile(&[], 50), Duration::ZERO);
    }
}
