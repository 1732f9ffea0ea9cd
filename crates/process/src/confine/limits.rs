//! Resource limits.

use std::io;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Memory that a program may reserve beyond what it may use: interpreters reserve stacks and arenas generously. The referee watches
/// what is used.
const RESERVE_MB: u64 = 512;
/// The largest file.
const FILE_MB: u64 = 64;
const OPEN_FILES: u64 = 256;

/// The limits of a process.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    values: [(Resource, u64); 4],
}

impl Limits {
    /// The usual ones, with this much memory.
    pub fn new(memory_mb: u64) -> Self {
        let values = [
            (Resource::Data, memory_mb.saturating_add(RESERVE_MB).saturating_mul(1 << 20)),
            (Resource::Fsize, FILE_MB << 20),
            (Resource::Nofile, OPEN_FILES),
            (Resource::Core, 0),
        ];
        Self { values }
    }

    /// Sets them for this process; they only ever get stricter.
    pub fn apply(&self) -> io::Result<()> {
        for &(resource, value) in &self.values {
            let value = getrlimit(resource).maximum.map_or(value, |old| value.min(old));
            setrlimit(resource, Rlimit { current: Some(value), maximum: Some(value) })?;
        }
        Ok(())
    }
}
