//! Clocks and threads: the only module through which Damier's libraries use them, so that they run where the standard library
//! has neither.

pub use clock::Instant;

use damier_core::agent::{Budget, Clock};

pub mod cpu;

/// Starts the clock of a decision.
pub fn start_clock(budget: Budget) -> Clock {
    Clock::start(budget, now)
}

/// The time since an arbitrary fixed moment of the past.
pub fn now() -> std::time::Duration {
    clock::now()
}

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
mod clock {
    use std::sync::LazyLock;
    use std::time::Duration;

    pub use std::time::Instant;

    static EPOCH: LazyLock<Instant> = LazyLock::new(Instant::now);

    pub fn now() -> Duration {
        EPOCH.elapsed()
    }
}

/// The browser's clock: the host that loads the module provides `now_ms`.
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod clock {
    use std::ops::{Add, Sub};
    use std::time::Duration;

    #[link(wasm_import_module = "damier")]
    unsafe extern "C" {
        safe fn now_ms() -> f64;
    }

    pub fn now() -> Duration {
        Duration::from_secs_f64(now_ms() / 1000.0)
    }

    /// A moment, as `std::time::Instant`.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub struct Instant(Duration);

    impl Instant {
        /// This moment.
        pub fn now() -> Self {
            Self(now())
        }

        /// The time since this moment.
        pub fn elapsed(&self) -> Duration {
            now().saturating_sub(self.0)
        }

        /// The time since an earlier moment, or zero if it is not earlier.
        pub fn saturating_duration_since(&self, earlier: Self) -> Duration {
            self.0.saturating_sub(earlier.0)
        }
    }

    impl Add<Duration> for Instant {
        type Output = Self;

        fn add(self, time: Duration) -> Self {
            Self(self.0 + time)
        }
    }

    impl Sub for Instant {
        type Output = Duration;

        fn sub(self, earlier: Self) -> Duration {
            self.saturating_duration_since(earlier)
        }
    }
}

/// The number of cores.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

/// Runs work in a thread of its own; fails where there are no threads.
pub fn spawn(name: &str, stack: Option<usize>, work: impl FnOnce() + Send + 'static) -> std::io::Result<()> {
    let builder = std::thread::Builder::new().name(name.to_owned());
    let builder = match stack {
        Some(bytes) => builder.stack_size(bytes),
        None => builder,
    };
    builder.spawn(work).map(drop)
}
