//! The file system that an agent sees: a read-only root folder of its own with what it needs, and a scratch folder in memory.
//!
//! The steps are prepared before the fork; carrying them out makes system calls only.

use std::ffi::{CStr, CString, OsStr};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, Mode, OFlags, mkdirat, open, symlinkat, unlinkat};
use rustix::io::Errno;
use rustix::mount::{
    MountFlags, MountPropagationFlags, UnmountFlags, mount, mount_bind_recursive, mount_change, unmount,
};
use rustix::process::{chdir, pivot_root};

use super::cage::{Allowed, check};
use super::files::{DEVICES, SYSTEM};

/// The scratch folder, as the agent sees it.
pub const SCRATCH: &CStr = c"/tmp";
/// A folder that every system has: the new root is mounted there before it replaces the old one.
const MOUNT_POINT: &CStr = c"/usr";
/// Mount point of the old root while the new one is filled.
const OLD_ROOT: &str = "/.old";

/// A `/proc` with only the agent's own processes. `/proc/self` links there, because dynamic programs use it to find their libraries.
const PROCESSES: &str = "/.proc";
const OWN_PROCESS: &str = "/proc/self";

/// Attributes of a mount, for `mount_setattr`.
const READ_ONLY: u64 = 0x1;
const NO_SET_UID: u64 = 0x2;
const NO_DEVICES: u64 = 0x4;
const NO_PROGRAMS: u64 = 0x8;

/// The scratch folder, as the agent sees it.
pub fn scratch() -> PathBuf {
    PathBuf::from(OsStr::from_bytes(SCRATCH.to_bytes()))
}

enum Step {
    Folder(CString),
    /// An empty file, to mount another one on.
    File(CString),
    Link {
        at: CString,
        to: CString,
    },
    Bind {
        from: CString,
        to: CString,
        attributes: u64,
    },
    /// A file system in memory, of limited size.
    Memory {
        at: CString,
        options: CString,
    },
    /// A read-only `/proc` with the processes of this namespace.
    Processes(CString),
}

/// The view of an agent, ready to be set up.
pub struct View {
    steps: Vec<Step>,
    folder: CString,
}

impl View {
    /// The view of an agent that works in `allowed.folder`.
    pub fn new(allowed: &Allowed) -> io::Result<Self> {
        let quota = allowed.scratch;
        let options = format!("mode=0700,size={}m,nr_inodes={}", quota.megabytes, quota.files);
        let mut steps = vec![
            Step::Folder(SCRATCH.to_owned()),
            Step::Memory { at: SCRATCH.to_owned(), options: CString::new(options)? },
            Step::Folder(CString::new(PROCESSES)?),
            Step::Processes(CString::new(PROCESSES)?),
            Step::Folder(c"/proc".to_owned()),
            Step::Link { at: CString::new(OWN_PROCESS)?, to: CString::new(format!("{PROCESSES}/self"))? },
        ];
        for (path, attributes) in visible(allowed) {
            add_steps(&mut steps, &path, attributes)?;
        }
        Ok(Self { steps, folder: text(&allowed.folder)? })
    }

    /// Makes it the root folder of this process, which must have a mount namespace of its own, and changes to the agent's folder.
    pub fn enter(&self) -> io::Result<()> {
        mount_change(c"/", MountPropagationFlags::PRIVATE | MountPropagationFlags::REC)?;
        let flags = MountFlags::NOSUID | MountFlags::NODEV;
        mount(c"damier", MOUNT_POINT, c"tmpfs", flags, c"mode=0755,size=1m")?;
        chdir(MOUNT_POINT)?;
        mkdirat(CWD, &OLD_ROOT[1..], Mode::RWXU)?;
        pivot_root(c".", &OLD_ROOT[1..])?;
        chdir(c"/")?;
        for step in &self.steps {
            step.take()?;
        }
        unmount(OLD_ROOT, UnmountFlags::DETACH)?;
        unlinkat(CWD, OLD_ROOT, rustix::fs::AtFlags::REMOVEDIR)?;
        set_attributes(c"/", READ_ONLY, false)?;
        Ok(chdir(&*self.folder)?)
    }
}

/// Does an agent see this path?
pub fn shows(allowed: &Allowed, path: &Path) -> bool {
    path.starts_with(scratch()) || visible(allowed).iter().any(|(shown, _)| path.starts_with(shown))
}

/// The paths that an agent sees, parents before children, with the mount attributes of each.
fn visible(allowed: &Allowed) -> Vec<(PathBuf, u64)> {
    let reading = READ_ONLY | NO_SET_UID | NO_DEVICES;
    let system = SYSTEM.iter().map(|path| (PathBuf::from(path), reading));
    let devices = DEVICES.iter().map(|path| (PathBuf::from(path), NO_SET_UID | NO_PROGRAMS));
    let read = allowed.read.iter().map(|path| (path.clone(), reading));
    let write = allowed.write.iter().map(|path| (path.clone(), NO_SET_UID | NO_DEVICES));
    let mut all: Vec<_> = system.chain(devices).chain(read).chain(write).collect();
    // A writable path comes after the same path for reading, and is mounted over it.
    all.sort_by(|(a, _), (b, _)| a.cmp(b));
    all
}

/// Adds the steps that make a file or folder visible, if it exists.
fn add_steps(steps: &mut Vec<Step>, path: &Path, attributes: u64) -> io::Result<()> {
    let Ok(metadata) = path.symlink_metadata() else { return Ok(()) };
    let above: Vec<&Path> = path.ancestors().skip(1).collect();
    for folder in above.into_iter().rev().skip(1) {
        steps.push(Step::Folder(text(folder)?));
    }
    if metadata.is_symlink() {
        steps.push(Step::Link { at: text(path)?, to: text(&path.read_link()?)? });
        return Ok(());
    }
    let to = text(path)?;
    steps.push(if metadata.is_dir() { Step::Folder(to.clone()) } else { Step::File(to.clone()) });
    let from = Path::new(OLD_ROOT).join(path.strip_prefix("/").map_err(io::Error::other)?);
    steps.push(Step::Bind { from: text(&from)?, to, attributes });
    Ok(())
}

fn text(path: &Path) -> io::Result<CString> {
    Ok(CString::new(path.as_os_str().as_bytes())?)
}

impl Step {
    fn take(&self) -> io::Result<()> {
        let done = match self {
            Self::Folder(path) => mkdirat(CWD, &**path, Mode::from_raw_mode(0o755)),
            Self::File(path) => {
                let flags = OFlags::CREATE | OFlags::WRONLY | OFlags::CLOEXEC;
                open(&**path, flags, Mode::from_raw_mode(0o644)).map(drop)
            }
            Self::Link { at, to } => symlinkat(&**to, CWD, &**at),
            Self::Bind { from, to, attributes } => {
                mount_bind_recursive(&**from, &**to)?;
                return set_attributes(to, *attributes, true);
            }
            Self::Memory { at, options } => {
                mount(c"damier", &**at, c"tmpfs", MountFlags::NOSUID | MountFlags::NODEV, &**options)
            }
            Self::Processes(at) => {
                let flags = MountFlags::NOSUID | MountFlags::NODEV | MountFlags::NOEXEC | MountFlags::RDONLY;
                // `hidepid=4` hides processes that the agent may not trace, also from root's group.
                // A container that hides parts of its own `/proc` may forbid this one: most programs work without it.
                let _ = mount(c"proc", &**at, c"proc", flags, c"subset=pid,hidepid=4");
                Ok(())
            }
        };
        match done {
            // Paths inside a folder that is already visible exist already.
            Err(Errno::EXIST | Errno::ROFS | Errno::ISDIR) | Ok(()) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }
}

/// Sets attributes of a mount and, if `below`, of the mounts below it.
fn set_attributes(path: &CStr, attributes: u64, below: bool) -> io::Result<()> {
    #[repr(C)]
    struct Change {
        set: u64,
        clear: u64,
        propagation: u64,
        namespace: u64,
    }
    const AT_RECURSIVE: libc::c_uint = 0x8000;
    let change = Change { set: attributes, clear: 0, propagation: 0, namespace: 0 };
    // SAFETY: the path is null-terminated, and the size is that of the structure. No dependency wraps this call.
    check(unsafe {
        libc::syscall(
            libc::SYS_mount_setattr,
            libc::AT_FDCWD,
            path.as_ptr(),
            if below { AT_RECURSIVE } else { 0 },
            &raw const change,
            size_of::<Change>(),
        )
    })
    .map(|_| ())
}
