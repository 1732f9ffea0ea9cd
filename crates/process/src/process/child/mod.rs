//! A running process, behind one interface on every system.
//!
//! | system | waits by | confines | measures processor time and memory | kills |
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

/// How long a process that has closed its output is given to end.
const LAST_BREATH: Duration = Duration::from_millis(200);

/// When to give up on a process.
#[derive(Clone, Copy, Debug)]
pub struct Deadline {
    /// The moment in real time.
    pub wall: Instant,
    /// The processor time the process may have used in total, where it is measured.
    #[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "only Linux measures it"))]
    pub cpu: Option<Duration>,
}

/// Why there is no line.
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
