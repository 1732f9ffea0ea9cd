//! Starts processes on Linux, and has them enter their confinement.

use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child as Spawned, Command};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Mutex, OnceLock};

use rustix::net::{AddressFamily, SocketFlags, SocketType, socketpair};
use rustix::process::{Signal, set_parent_process_death_signal};

use super::order::Order;
use super::tools::{home, tools};
use crate::confine::cage::{Allowed, Cage};
use damier_host::terms::Confinement;

/// The command, and the channel through which the listener for its system calls will come.
pub fn prepare(order: &Order<'_>, program: &Path, scratch: &Path) -> io::Result<(Command, Option<OwnedFd>)> {
    let mut command = order.to_command(program, scratch);
    command.process_group(0);
    if order.confinement == Confinement::Off {
        // SAFETY: between fork and exec this makes one system call. The standard library cannot check that, hence `unsafe`.
        unsafe { command.pre_exec(die_with_parent) };
        return Ok((command, None));
    }
    let folder = order.folder.to_owned();
    let mut read: Vec<PathBuf> = tools().folders.clone();
    read.extend(home(program));
    let mut write = vec![scratch.to_owned()];
    if order.writes_folder {
        write.push(folder);
    } else {
        read.push(folder);
    }
    let cage = Cage::new(&Allowed { read, write, memory_mb: order.memory_mb })?;
    let (ours, theirs) = socket_pair()?;
    let enter = move || {
        die_with_parent()?;
        cage.enter(theirs.as_fd())
    };
    // SAFETY: between fork and exec `enter` makes system calls only; everything it needs was made before.
    unsafe { command.pre_exec(enter) };
    Ok((command, Some(ours)))
}

/// However the referee ends, its agents end with it.
fn die_with_parent() -> io::Result<()> {
    Ok(set_parent_process_death_signal(Some(Signal::KILL))?)
}

fn socket_pair() -> io::Result<(OwnedFd, OwnedFd)> {
    Ok(socketpair(AddressFamily::UNIX, SocketType::SEQPACKET, SocketFlags::CLOEXEC, None)?)
}

type Job = (Command, Sender<io::Result<Spawned>>);

/// Starts the process from a thread that never ends: a process dies with the thread that started it, and the threads in which games are
/// played come and go.
pub fn spawn(command: Command) -> io::Result<Spawned> {
    static SPAWNER: OnceLock<Mutex<Sender<Job>>> = OnceLock::new();
    let spawner = SPAWNER.get_or_init(|| {
        let (sender, jobs) = channel::<Job>();
        std::thread::spawn(move || {
            for (mut command, answer) in jobs {
                let _ = answer.send(command.spawn());
            }
        });
        Mutex::new(sender)
    });
    let (sender, answer) = channel();
    let gone = || io::Error::other("the thread that starts processes is gone");
    spawner.lock().map_err(|_| gone())?.send((command, sender)).map_err(|_| gone())?;
    answer.recv().map_err(|_| gone())?
}
