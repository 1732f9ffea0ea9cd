//! Enters the confinement, in the new process.
//!
//! Everything is prepared before the process is made. Between `fork` and `exec`, where memory must not be allocated, a [`Cage`]
//! only makes system calls.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::PathBuf;

use rustix::thread::set_no_new_privs;

use super::calls::{self, Filter};
use super::files;
use super::limits::Limits;

/// What an agent may use.
#[derive(Clone, Debug)]
pub struct Allowed {
    /// Folders and files that it may read and execute.
    pub read: Vec<PathBuf>,
    /// Folders that it may write.
    pub write: Vec<PathBuf>,
    /// Its memory, in megabytes.
    pub memory_mb: u64,
}

/// A confinement that is ready to be entered.
pub struct Cage {
    files: Option<OwnedFd>,
    calls: Option<Filter>,
    limits: Limits,
}

impl Cage {
    /// Prepares what the kernel offers.
    pub fn new(allowed: &Allowed) -> io::Result<Self> {
        Ok(Self {
            files: files::rules(&allowed.read, &allowed.write)?,
            calls: calls::supported().then(Filter::of_the_rules),
            limits: Limits::new(allowed.memory_mb),
        })
    }

    /// Enters it, in the new process, and sends the listener for its system calls to the other end of `channel`.
    ///
    /// Only system calls are made: no memory is allocated and no lock taken.
    pub fn enter(&self, channel: BorrowedFd<'_>) -> io::Result<()> {
        self.limits.apply()?;
        set_no_new_privs(true)?;
        if let Some(rules) = &self.files {
            files::restrict(rules.as_fd())?;
        }
        if let Some(filter) = &self.calls {
            filter.install(channel)?;
        }
        Ok(())
    }
}

/// The result of a system call, or its error.
pub(super) fn check(result: libc::c_long) -> io::Result<libc::c_long> {
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(result) }
}
