//! The warden: a process between the referee and the agent that exits as the agent exited, so that the referee sees its exit code or
//! signal. With namespaces it only waits; without them it keeps the agent's processes together:
//!
//! ```text
//! referee ── warden ── agent ── its children
//! ```
//!
//! Orphans become the warden's children. When the agent exits or the referee is killed, the warden kills and reaps the remaining
//! processes. All of this happens between `fork` and `exec`, where only system calls are made.

use std::io;
use std::mem::zeroed;

use rustix::process::{
    Pid, Resource, Rlimit, Signal, WaitOptions, kill_process_group, set_child_subreaper,
    set_parent_process_death_signal, setpgid, setrlimit, waitpid,
};

use super::cage::check;

/// Starts the agent's process. The process that returns is the agent; the calling one becomes the warden.
pub fn become_warden() -> io::Result<()> {
    // No signal may be lost between the start and the first wait.
    let signals = watched_signals();
    set_mask(libc::SIG_BLOCK, &signals);
    set_parent_process_death_signal(Some(Signal::TERM))?;
    set_child_subreaper(Some(rustix::process::getpid()))?;
    if let Some(agent) = clone_process(0)? {
        close_descriptors(0);
        guard(agent, &signals);
    }
    die_with_parent()?;
    set_mask(libc::SIG_UNBLOCK, &signals);
    // A process group of its own can be stopped, continued and killed without the warden.
    Ok(setpgid(None, None)?)
}

/// Reaps all processes that end, until the agent does.
fn guard(agent: Pid, signals: &libc::sigset_t) -> ! {
    loop {
        // SAFETY: waits for one of the blocked signals; a null pointer asks for no details.
        if unsafe { libc::sigwaitinfo(signals, std::ptr::null_mut()) } == libc::SIGTERM {
            // The referee is gone.
            let _ = kill_process_group(agent, Signal::KILL);
        }
        while let Some(ended) = next_ended() {
            if ended == agent {
                end_with(agent);
            }
            let _ = waitpid(Some(ended), WaitOptions::NOHANG);
        }
    }
}

/// A child that has ended and was not reaped yet.
fn next_ended() -> Option<Pid> {
    // SAFETY: `about` is a valid place for the answer; its pid stays 0 if no child has ended.
    unsafe {
        let mut about: libc::siginfo_t = zeroed();
        let options = libc::WEXITED | libc::WNOHANG | libc::WNOWAIT;
        libc::waitid(libc::P_ALL, 0, &raw mut about, options);
        Pid::from_raw(about.si_pid())
    }
}

/// Kills the agent's remaining processes, then exits like the agent. The agent's pid, which is its group's, is not reused until it is
/// reaped.
fn end_with(agent: Pid) -> ! {
    let _ = kill_process_group(agent, Signal::KILL);
    let status = waitpid(Some(agent), WaitOptions::empty());
    let status = status.ok().flatten().map_or(libc::SIGKILL, |(_, status)| status.as_raw());
    while let Ok(Some(_)) = waitpid(None, WaitOptions::empty()) {}
    end_like(status)
}

fn watched_signals() -> libc::sigset_t {
    // SAFETY: an empty set is made before signals are added.
    unsafe {
        let mut signals = zeroed();
        libc::sigemptyset(&raw mut signals);
        libc::sigaddset(&raw mut signals, libc::SIGCHLD);
        libc::sigaddset(&raw mut signals, libc::SIGTERM);
        signals
    }
}

fn set_mask(how: libc::c_int, signals: &libc::sigset_t) {
    // SAFETY: changes which signals are blocked; this process has one thread.
    unsafe { libc::sigprocmask(how, signals, std::ptr::null_mut()) };
}

/// Makes the kernel kill this process when its parent ends.
pub fn die_with_parent() -> io::Result<()> {
    Ok(set_parent_process_death_signal(Some(Signal::KILL))?)
}

/// Forks into new namespaces; `None` in the new process.
pub(super) fn clone_process(namespaces: libc::c_int) -> io::Result<Option<Pid>> {
    // SAFETY: without shared memory this is `fork`. The library's own would run handlers, which may allocate.
    let pid = check(unsafe { libc::syscall(libc::SYS_clone, namespaces | libc::SIGCHLD, 0, 0, 0, 0) })?;
    Ok(Pid::from_raw(pid as i32))
}

/// Closes descriptors from this one on. Otherwise the agent's pipes would stay open after its end.
pub(super) fn close_descriptors(first: libc::c_int) {
    // SAFETY: a plain system call; nothing else uses descriptors in this process any more.
    unsafe { libc::syscall(libc::SYS_close_range, first, libc::c_uint::MAX, 0) };
}

/// Exits like another process, given its wait status.
pub(super) fn end_like(status: libc::c_int) -> ! {
    if libc::WIFSIGNALED(status) { die_of(libc::WTERMSIG(status)) } else { exit(libc::WEXITSTATUS(status)) }
}

/// Ends this process by a signal, without a core dump of the referee's memory.
fn die_of(signal: libc::c_int) -> ! {
    let _ = setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) });
    // SAFETY: plain system calls. A blocked signal would stay pending for ever.
    unsafe {
        libc::signal(signal, libc::SIG_DFL);
        set_mask(libc::SIG_UNBLOCK, &watched_signals());
        libc::kill(libc::getpid(), signal);
    }
    exit(128 + signal)
}

/// Exits without running the referee's exit handlers.
pub(super) fn exit(code: libc::c_int) -> ! {
    // SAFETY: ends the process.
    unsafe { libc::_exit(code) }
}
