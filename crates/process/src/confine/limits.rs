//! Resource limits and capabilities.

use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};

use rustix::fs::{Mode, OFlags, open};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use rustix::thread::{
    CapabilitySet, CapabilitySets, CpuSet, sched_getaffinity, sched_setaffinity, set_capabilities,
};

/// Memory that a program may reserve beyond its limit, because interpreters reserve stacks and arenas generously. The referee monitors
/// actual use.
const RESERVE_MB: u64 = 512;
/// Maximum size of a file.
const FILE_MB: u64 = 64;
/// Maximum number of open descriptors of a process.
pub const OPEN_FILES: u64 = 256;
/// Maximum number of pending signals and timers, which all processes of a user share.
const PENDING_SIGNALS: u64 = 256;

/// Resource limits of a process.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    values: [(Resource, u64); 6],
}

impl Limits {
    /// The default limits, with this much memory.
    pub fn new(memory_mb: u64) -> Self {
        let values = [
            (Resource::Data, memory_mb.saturating_add(RESERVE_MB).saturating_mul(1 << 20)),
            (Resource::Fsize, FILE_MB << 20),
            (Resource::Nofile, OPEN_FILES),
            (Resource::Core, 0),
            (Resource::Sigpending, PENDING_SIGNALS),
            (Resource::Msgqueue, 0),
        ];
        Self { values }
    }

    /// Applies the limits to this process. They can only get stricter.
    pub fn apply(&self) -> io::Result<()> {
        for &(resource, value) in &self.values {
            let value = getrlimit(resource).maximum.map_or(value, |old| value.min(old));
            setrlimit(resource, Rlimit { current: Some(value), maximum: Some(value) })?;
        }
        Ok(())
    }
}

/// Raises this process's limit on descriptors to its maximum.
pub fn raise_open_files() -> io::Result<()> {
    let maximum = getrlimit(Resource::Nofile).maximum;
    Ok(setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum })?)
}

/// The core for processes that this thread starts. Threads get cores in turn, so that concurrent games do not take time from each other,
/// however many threads an agent has. `None` if the system does not report its cores.
pub fn core_of_this_thread() -> Option<usize> {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    thread_local! {
        static PLACE: usize = NEXT.fetch_add(1, Ordering::Relaxed);
    }
    let usable = sched_getaffinity(None).ok()?;
    let cores: Vec<usize> = (0..CpuSet::MAX_CPU).filter(|&core| usable.is_set(core)).collect();
    cores.get(PLACE.with(|place| *place) % cores.len().max(1)).copied()
}

/// Pins this process to one core.
pub fn pin(core: usize) {
    let mut cores = CpuSet::new();
    cores.set(core);
    // Only fairness depends on it, not safety.
    let _ = sched_setaffinity(None, &cores);
}

/// Drops all capabilities, irrevocably, in case a grader runs as root.
pub fn drop_capabilities() -> io::Result<()> {
    let none = CapabilitySet::empty();
    Ok(set_capabilities(None, CapabilitySets { effective: none, permitted: none, inheritable: none })?)
}

/// Makes the agent the first process that the kernel kills when memory runs out.
pub fn prefer_for_oom_kill() {
    // Without this file, the kernel chooses by size.
    if let Ok(file) = open(c"/proc/self/oom_score_adj", OFlags::WRONLY | OFlags::CLOEXEC, Mode::empty()) {
        let _ = rustix::io::write(file, b"1000");
    }
}
