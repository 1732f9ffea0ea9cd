//! Keeps an agent process from doing harm, as far as the kernel can.
//!
//! | protection | against | by |
//! | --- | --- | --- |
//! | [`files`] | reading other people's files, writing anywhere but its scratch folder, TCP connections, signals | Landlock |
//! | [`calls`] | processes, sockets, signals, leaving its process group, `io_uring`, tracing | seccomp |
//! | [`limits`] | memory, huge files, core dumps | resource limits |
//!
//! Calls that tell something about an agent (a new process, a socket, a signal) are not refused blindly: the kernel asks the referee,
//! which counts processes exactly and can say later why an agent lost.
//!
//! Everything is prepared before the process is made. Between `fork` and `exec`, where memory must not be allocated, a [`Cage`] only
//! makes system calls.

pub mod calls;
pub mod files;
pub mod limits;

use std::fmt;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::PathBuf;

use rustix::thread::set_no_new_privs;

use calls::Filter;
use limits::Limits;

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

/// What the kernel enforces on this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// The version of Landlock, 0 if there is none.
    pub landlock: i32,
    /// Are system calls filtered?
    pub seccomp: bool,
}

/// The version of Landlock from which on signals stay inside.
const COMPLETE_LANDLOCK: i32 = 6;

/// Finds out what the kernel enforces.
pub fn report() -> Report {
    Report { landlock: files::version(), seccomp: calls::supported() }
}

impl Report {
    /// Is every protection there?
    pub fn complete(&self) -> bool {
        self.landlock >= COMPLETE_LANDLOCK && self.seccomp
    }
}

impl fmt::Display for Report {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (files, network, signals) = match self.landlock {
            0 => ("NOT protected: the kernel has no Landlock", "", ""),
            1..4 => ("Landlock", "", ""),
            4..6 => ("Landlock", "Landlock", ""),
            _ => ("Landlock", "Landlock", "Landlock"),
        };
        let with_seccomp = |landlock: &str| match (self.seccomp, landlock) {
            (true, "") => "seccomp".to_owned(),
            (true, landlock) => format!("seccomp and {landlock}"),
            (false, "") => "NOT protected: the kernel has no seccomp with notifications".to_owned(),
            (false, landlock) => landlock.to_owned(),
        };
        writeln!(formatter, "files      {files}")?;
        writeln!(formatter, "network    {}", with_seccomp(network))?;
        writeln!(formatter, "processes  {}", with_seccomp(""))?;
        writeln!(formatter, "signals    {}", with_seccomp(signals))?;
        writeln!(formatter, "memory     resource limit, and watched by the referee")?;
        write!(formatter, "output     capped by the referee")
    }
}

/// The result of a system call, or its error.
fn check(result: libc::c_long) -> io::Result<libc::c_long> {
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(result) }
}
