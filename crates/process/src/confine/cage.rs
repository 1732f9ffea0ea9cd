//! Entering the confinement, in the new process.
//!
//! Everything is prepared before the fork. Between `fork` and `exec`, where memory must not be allocated, a [`Cage`] only makes
//! system calls.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::PathBuf;

use rustix::fs::{Mode, OFlags, open};
use rustix::thread::set_no_new_privs;

use super::announce::{announce, move_out_of_reach};
use super::calls::{self, Filter};
use super::files::FileRules;
use super::limits::{Limits, drop_capabilities, pin, prefer_for_oom_kill};
use super::namespaces::{self, Namespaces};
use super::view::SCRATCH;
use super::warden::become_warden;

/// Resources that an agent may use. All paths are absolute and free of symbolic links.
#[derive(Clone, Debug)]
pub struct Allowed {
    /// Its working folder.
    pub folder: PathBuf,
    /// Folders and files that it may read and execute.
    pub read: Vec<PathBuf>,
    /// Folders that it may write.
    pub write: Vec<PathBuf>,
    /// Memory limit, in megabytes.
    pub memory_mb: u64,
    /// Quota of its scratch folder.
    pub scratch: Quota,
    /// The core that it runs on; `None` if it may use all.
    pub core: Option<usize>,
}

impl Allowed {
    /// Nothing but the system's own files.
    pub fn nothing() -> Self {
        let scratch = Quota { megabytes: 1, files: 16 };
        Self { folder: "/".into(), read: Vec::new(), write: Vec::new(), memory_mb: 0, scratch, core: None }
    }
}

/// Limits on the contents of a folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quota {
    /// Total size of files.
    pub megabytes: u64,
    /// Number of files and folders.
    pub files: u64,
}

/// A confinement that is ready to enter.
pub struct Cage {
    namespaces: Option<Namespaces>,
    files: Option<FileRules>,
    calls: Option<Filter>,
    limits: Limits,
    core: Option<usize>,
}

impl Cage {
    /// Prepares the layers that the kernel offers.
    pub fn new(allowed: &Allowed) -> io::Result<Self> {
        let namespaces = namespaces::supported().then(|| Namespaces::new(allowed)).transpose()?;
        Ok(Self {
            namespaces,
            files: FileRules::new(&allowed.read, &allowed.write)?,
            calls: calls::supported().then(Filter::from_rules),
            limits: Limits::new(allowed.memory_mb),
            core: allowed.core,
        })
    }

    /// Enters it, in the new process, and announces the process and the listener for its system calls through `channel`.
    ///
    /// Only system calls are made: no memory is allocated and no lock taken.
    pub fn enter(&self, channel: BorrowedFd<'_>) -> io::Result<()> {
        prefer_for_oom_kill();
        match &self.namespaces {
            Some(namespaces) => namespaces.enter()?,
            None => become_warden()?,
        }
        let channel = move_out_of_reach(channel)?;
        self.limits.apply()?;
        if let Some(core) = self.core {
            pin(core);
        }
        set_no_new_privs(true)?;
        drop_capabilities()?;
        let scratch = self.namespaces.as_ref().map(|_| open_scratch()).transpose()?;
        if let Some(rules) = &self.files {
            if let Some(scratch) = &scratch {
                rules.allow_writing(scratch.as_fd())?;
            }
            rules.enforce()?;
        }
        let listener = self.calls.as_ref().map(Filter::install).transpose()?;
        announce(channel, scratch.as_ref().map(OwnedFd::as_fd), listener.as_ref().map(OwnedFd::as_fd))
    }
}

fn open_scratch() -> io::Result<OwnedFd> {
    Ok(open(SCRATCH, OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?)
}

/// The result of a system call, or its error.
pub(super) fn check(result: libc::c_long) -> io::Result<libc::c_long> {
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(result) }
}
