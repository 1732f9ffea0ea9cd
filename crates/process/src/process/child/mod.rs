//! A running process, behind one interface on every system.
//!
//! | system | waits with | confines | measures processor time and memory | kills |
//! | --- | --- | --- | --- | --- |
//! | Linux ([`linux`]) | `ppoll` | yes | yes | the process group; also when the referee is killed |
//! | others ([`portable`]) | reader threads and a channel | no | no | the process group (macOS) or the job (Windows) |

#[cfg(target_os = "linux")]
mod linux;
// Tested on Linux too.
#[cfg(any(test, not(target_os = "linux")))]
mod portable;

use std::time::{Duration, Instant};

use damier_kit::fault::Fault;

#[cfg(target_os = "linux")]
pub use linux::Child;
#[cfg(not(target_os = "linux"))]
pub use portable::Child;

/// Can the processor time of other processes be measured on this system?
pub const MEASURES_CPU: bool = cfg!(target_os = "linux");

/// Time for a process that has closed its output to exit. On a busy machine, tearing down its namespaces takes a while.
const EXIT_GRACE: Duration = Duration::from_secs(1);

/// When to give up on a process.
#[derive(Clone, Copy, Debug)]
pub struct Deadline {
    /// Deadline in wall time.
    pub wall: Instant,
    /// Total processor time that the process may have used by then, where it is measured.
    #[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "only Linux measures it"))]
    pub cpu: Option<Duration>,
}

/// Time during which the referee itself did not run (a stopped process, a busy machine), which must not count as the agent's.
#[cfg(target_os = "linux")]
#[derive(Debug)]
pub struct Stall {
    /// Total length.
    pub time: Duration,
    /// When the referee was last seen running.
    seen: Instant,
}

#[cfg(target_os = "linux")]
impl Stall {
    /// Minimum length of a stall that counts. Waiting wakes up far more often, and an agent that keeps all cores busy cannot cause one.
    const SHORTEST: Duration = Duration::from_millis(500);

    /// No stall so far.
    pub fn none() -> Self {
        Self { time: Duration::ZERO, seen: Instant::now() }
    }

    /// Records that the referee is running.
    pub fn notice(&mut self, now: Instant) {
        let gap = now.duration_since(std::mem::replace(&mut self.seen, now));
        if gap >= Self::SHORTEST {
            self.time += gap;
        }
    }
}

/// Why no line was read.
#[derive(Debug)]
pub enum Silence {
    /// The deadline has passed.
    Late,
    /// The process did something that loses the game.
    Fault(Fault),
}

impl From<Fault> for Silence {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}
