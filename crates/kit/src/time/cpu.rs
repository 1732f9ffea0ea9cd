//! Processor time: the cost of a computation, independent of how busy the machine is.

use std::time::Duration;

/// Processor time of this thread so far.
pub fn of_thread() -> Duration {
    clock::read(clock::THREAD)
}

/// Processor time of all threads of this process so far.
pub fn of_process() -> Duration {
    clock::read(clock::PROCESS)
}

#[cfg(unix)]
mod clock {
    use std::time::Duration;

    use rustix::time::{ClockId, clock_gettime};

    pub const THREAD: ClockId = ClockId::ThreadCPUTime;
    pub const PROCESS: ClockId = ClockId::ProcessCPUTime;

    pub fn read(clock: ClockId) -> Duration {
        let time = clock_gettime(clock);
        Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
    }
}

/// Fallback for systems without processor clocks: wall time.
#[cfg(not(unix))]
mod clock {
    use std::time::Duration;

    pub const THREAD: () = ();
    pub const PROCESS: () = ();

    pub fn read((): ()) -> Duration {
        super::super::now()
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn sleeping_costs_nothing_and_working_does() {
        let before = of_thread();
        std::thread::sleep(Duration::from_millis(50));
        let slept = of_thread().saturating_sub(before);
        assert!(slept < Duration::from_millis(20), "{slept:?} of sleep");
        while of_thread().saturating_sub(before) < slept + Duration::from_millis(5) {}
        assert!(of_process() >= of_thread());
    }
}
