//! Resource limits.

use std::io;

use super::cage::check;

/// Memory that a program may reserve beyond what it may use: interpreters reserve stacks and arenas generously. The referee watches
/// what is used.
const RESERVE_MB: u64 = 512;
/// The largest file.
const FILE_MB: u64 = 64;
const OPEN_FILES: u64 = 256;

/// The limits of a process.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    values: [(libc::__rlimit_resource_t, u64); 4],
}

impl Limits {
    /// The usual ones, with this much memory.
    pub fn new(memory_mb: u64) -> Self {
        let values = [
            (libc::RLIMIT_DATA, memory_mb.saturating_add(RESERVE_MB).saturating_mul(1 << 20)),
            (libc::RLIMIT_FSIZE, FILE_MB << 20),
            (libc::RLIMIT_NOFILE, OPEN_FILES),
            (libc::RLIMIT_CORE, 0),
        ];
        Self { values }
    }

    /// Sets them for this process; they only ever get stricter.
    pub fn apply(&self) -> io::Result<()> {
        for &(resource, value) in &self.values {
            let mut old = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
            // SAFETY: `old` is a valid place for the answer.
            check(unsafe { libc::getrlimit(resource, &raw mut old) }.into())?;
            let value = value.min(old.rlim_max);
            let new = libc::rlimit { rlim_cur: value, rlim_max: value };
            // SAFETY: `new` is a valid limit.
            check(unsafe { libc::setrlimit(resource, &raw const new) }.into())?;
        }
        Ok(())
    }
}
