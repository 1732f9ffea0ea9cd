//! Starting of processes on Linux, inside their confinement.

use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child as Spawned, Command};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Mutex, PoisonError};

use super::order::Order;
use super::tools::{folders_of, tools};
use crate::confine::announce::announcement_channel;
use crate::confine::cage::{Allowed, Cage};
use crate::confine::limits::core_of_this_thread;
use crate::confine::namespaces;
use crate::confine::warden::die_with_parent;
use damier_host::terms::Confinement;

/// Is a process started in namespaces of its own?
pub fn uses_namespaces(order: &Order<'_>) -> bool {
    order.confinement == Confinement::Full && namespaces::supported()
}

/// A process that is ready to start.
pub struct Prepared {
    /// Command that starts it.
    pub command: Command,
    /// What it may use, and the channel for its announcement; `None` if it is not confined.
    pub confined: Option<(Allowed, OwnedFd)>,
}

/// Prepares a process. `scratch` is its temporary folder, as it sees it.
pub fn prepare(order: &Order<'_>, program: &Path, scratch: &Path) -> io::Result<Prepared> {
    let mut command = order.to_command(program, scratch);
    command.process_group(0);
    if order.confinement == Confinement::Off {
        // SAFETY: between fork and exec this makes one system call. The standard library cannot check that, hence `unsafe`.
        unsafe { command.pre_exec(die_with_parent) };
        return Ok(Prepared { command, confined: None });
    }
    let allowed = allowed(order, program, scratch);
    let cage = Cage::new(&allowed)?;
    let (ours, theirs) = announcement_channel()?;
    let enter = move || {
        die_with_parent()?;
        cage.enter(theirs.as_fd())
    };
    // SAFETY: between fork and exec `enter` makes system calls only; everything it needs was made before.
    unsafe { command.pre_exec(enter) };
    Ok(Prepared { command, confined: Some((allowed, ours)) })
}

/// What the process may use.
fn allowed(order: &Order<'_>, program: &Path, scratch: &Path) -> Allowed {
    let folder = order.real_folder();
    let mut read: Vec<PathBuf> = tools().folders.clone();
    // A program given as a path gives no access to the files around it.
    if !order.names_a_path() {
        read.extend(folders_of(program));
    }
    read.push(folder.clone());
    let mut write = Vec::new();
    if order.writes_folder {
        write.push(folder.clone());
    }
    // In a namespace the scratch folder does not exist yet.
    if !uses_namespaces(order) {
        write.push(scratch.to_owned());
    }
    // Builds may use every core.
    let core = if order.writes_folder { None } else { core_of_this_thread() };
    Allowed { folder, read, write, memory_mb: order.memory_mb, scratch: order.quota(), core }
}

type Job = (Command, Sender<io::Result<Spawned>>);

/// Starts the process from a thread that never ends, because a process dies with the thread that started it, and threads that play games
/// are short-lived.
pub fn spawn(command: Command) -> io::Result<Spawned> {
    static SPAWNER: Mutex<Option<Sender<Job>>> = Mutex::new(None);
    let (sender, answer) = channel();
    let gone = || io::Error::other("the thread that starts processes is gone");
    let mut kept = SPAWNER.lock().unwrap_or_else(PoisonError::into_inner);
    let spawner = match kept.take() {
        Some(spawner) => spawner,
        None => start_spawner()?,
    };
    let sent = spawner.send((command, sender));
    *kept = Some(spawner);
    drop(kept);
    sent.map_err(|_| gone())?;
    answer.recv().map_err(|_| gone())?
}

/// Starts the thread from which processes are started. It fails if the machine has no thread left; a retry may succeed.
fn start_spawner() -> io::Result<Sender<Job>> {
    let (sender, jobs) = channel::<Job>();
    std::thread::Builder::new().name("spawner".to_owned()).spawn(move || {
        for (mut command, answer) in jobs {
            let _ = answer.send(command.spawn());
        }
    })?;
    Ok(sender)
}
