//! Namespaces: an agent has its own processes, mounts, users, network and host name. It has no pids of other processes and cannot open
//! files that it does not see.
//!
//! There are three processes:
//!
//! ```text
//! referee ── warden ── init (pid 1 of the namespace) ── agent
//! ```
//!
//! - *Init* sets up the view, starts the agent and reaps all processes that end. When it exits, the kernel ends the whole namespace.
//! - The [*warden*](super::warden) is outside and exits as the agent exited.
//!
//! Each dies with the one to its left. All of this happens between `fork` and `exec`, where only system calls are made.

use std::ffi::{CStr, CString};
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::sync::OnceLock;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{Mode, OFlags, open};
use rustix::io::{Errno, read, write};
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::process::{
    DumpableBehavior, Pid, WaitOptions, WaitStatus, getegid, geteuid, set_dumpable_behavior, setpgid, wait,
    waitpid,
};

use super::cage::Allowed;
use super::view::View;
use super::warden::{clone_process, close_descriptors, die_with_parent, end_like, exit};

const NEW: libc::c_int = libc::CLONE_NEWUSER
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWNS
    | libc::CLONE_NEWNET
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWUTS;

/// Namespaces that are ready to enter.
pub struct Namespaces {
    view: View,
    /// Kernel files and what is written to them: user and group ids are the same inside as outside.
    maps: [(&'static CStr, CString); 3],
}

impl Namespaces {
    /// Prepares them for an agent.
    pub fn new(allowed: &Allowed) -> io::Result<Self> {
        let (user, group) = (geteuid().as_raw(), getegid().as_raw());
        Ok(Self {
            view: View::new(allowed)?,
            maps: [
                (c"/proc/self/setgroups", c"deny".to_owned()),
                (c"/proc/self/uid_map", CString::new(format!("{user} {user} 1"))?),
                (c"/proc/self/gid_map", CString::new(format!("{group} {group} 1"))?),
            ],
        })
    }

    /// Enters them. The process that returns is the agent, or reports an error; the calling process becomes the warden.
    pub fn enter(&self) -> io::Result<()> {
        let (end, tell_end) = pipe_with(PipeFlags::CLOEXEC)?;
        if let Some(init) = clone_process(NEW)? {
            drop(tell_end);
            watch(init, &end);
        }
        drop(end);
        die_with_parent()?;
        if has_no_reader(&tell_end) {
            exit(1);
        }
        for (file, text) in &self.maps {
            let file = open(*file, OFlags::WRONLY | OFlags::CLOEXEC, Mode::empty())?;
            write(&file, text.as_bytes())?;
        }
        self.view.enter()?;
        // Init stays a copy of the referee, so its memory must not be readable. `exec` makes the agent readable again.
        set_dumpable_behavior(DumpableBehavior::NotDumpable)?;
        if let Some(agent) = clone_process(0)? {
            reap(agent, &tell_end);
        }
        // A process group of its own can be stopped and continued without stopping init.
        Ok(setpgid(None, None)?)
    }
}

/// Can namespaces and the view in them be made? Containers and distributions may forbid it.
///
/// Tries all of it once, in a process that exits instead of starting a program.
pub fn supported() -> bool {
    const DONE: i32 = libc::EOWNERDEAD;
    static SUPPORTED: OnceLock<bool> = OnceLock::new();
    *SUPPORTED.get_or_init(|| {
        let Ok(namespaces) = Namespaces::new(&Allowed::nothing()) else { return false };
        let mut command = Command::new("/");
        let attempt =
            move || namespaces.enter().and_then(|()| Err::<(), _>(io::Error::from_raw_os_error(DONE)));
        // SAFETY: between fork and exec only system calls are made; everything they need was made before.
        unsafe { command.pre_exec(attempt) };
        command.spawn().is_err_and(|error| error.raw_os_error() == Some(DONE))
    })
}

/// The warden: waits until the agent has exited, and exits in the same way.
fn watch(init: Pid, end: &OwnedFd) -> ! {
    let end = keep_only(end);
    let mut status = [0; size_of::<i32>()];
    // SAFETY: the descriptor was kept open for this process alone.
    let told = read(unsafe { std::os::fd::BorrowedFd::borrow_raw(end) }, &mut status);
    let _ = waitpid(Some(init), WaitOptions::empty());
    // An init that reports nothing was killed.
    let status = if told == Ok(status.len()) { i32::from_ne_bytes(status) } else { libc::SIGKILL };
    end_like(status)
}

/// Init: reaps all processes that end, until the agent does.
fn reap(agent: Pid, tell_end: &OwnedFd) -> ! {
    let tell_end = keep_only(tell_end);
    loop {
        match wait(WaitOptions::empty()) {
            Ok(Some((pid, status))) if pid == agent => tell(tell_end, status),
            Ok(_) | Err(Errno::INTR) => {}
            Err(_) => exit(1),
        }
    }
}

fn tell(descriptor: libc::c_int, status: WaitStatus) -> ! {
    // SAFETY: the descriptor was kept open for this process alone.
    let _ = write(unsafe { std::os::fd::BorrowedFd::borrow_raw(descriptor) }, &status.as_raw().to_ne_bytes());
    exit(0)
}

/// Closes every descriptor but one, which moves to another number. Otherwise the agent's pipes would stay open after its end.
fn keep_only(descriptor: &OwnedFd) -> libc::c_int {
    const KEPT: libc::c_int = 0;
    // SAFETY: a plain system call; nothing else uses descriptors in this process any more.
    unsafe { libc::dup2(descriptor.as_raw_fd(), KEPT) };
    close_descriptors(KEPT + 1);
    KEPT
}

fn has_no_reader(pipe: &OwnedFd) -> bool {
    let mut polled = [PollFd::new(pipe, PollFlags::OUT)];
    poll(&mut polled, Some(&Timespec::default())).is_ok() && polled[0].revents().contains(PollFlags::ERR)
}
