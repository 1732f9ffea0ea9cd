//! File modes. Landlock lets a process change the mode of any file that it can see, even without write access. So agents may not change
//! modes themselves: the referee does it for them, in folders that they may write, and never sets the set-uid or set-gid bit.

use std::ffi::OsStr;
use std::fs::{File, Permissions, read_link};
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{FileExt, PermissionsExt};
use std::path::{Path, PathBuf};

use rustix::fs::{Mode, OFlags, ResolveFlags, open, openat2};

/// Mode bits that can be set: read, write and execute, but not set-uid, set-gid or sticky.
const ALLOWED_BITS: u32 = 0o777;
const LONGEST_PATH: usize = 4096;

/// A folder that an agent may write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Writable {
    /// Its path, as the agent sees it.
    pub seen: PathBuf,
    /// Its path for the referee.
    pub path: PathBuf,
}

/// A change of a file's mode that a confined process requests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModeChange {
    file: PathBuf,
    mode: u32,
}

impl ModeChange {
    /// A change by path, relative to an open folder or to the working folder.
    pub fn by_path(pid: i32, folder: i32, address: u64, mode: u64) -> io::Result<Self> {
        let path = read_path(pid, address)?;
        let base = if folder == libc::AT_FDCWD { "cwd".to_owned() } else { format!("fd/{folder}") };
        Ok(Self { file: read_link(format!("/proc/{pid}/{base}"))?.join(path), mode: mode as u32 })
    }

    /// A change by file descriptor.
    pub fn by_descriptor(pid: i32, descriptor: i32, mode: u64) -> io::Result<Self> {
        Ok(Self { file: read_link(format!("/proc/{pid}/fd/{descriptor}"))?, mode: mode as u32 })
    }

    /// Makes the change, if the file is in one of these folders.
    pub fn make(&self, folders: &[Writable]) -> io::Result<()> {
        let inside = |folder: &&Writable| self.file.starts_with(&folder.seen);
        let folder = folders.iter().find(inside).ok_or(io::ErrorKind::PermissionDenied)?;
        let name = self.file.strip_prefix(&folder.seen).ok().filter(|name| *name != Path::new(""));
        let name = name.unwrap_or(Path::new("."));
        let top = open(&folder.path, OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
        // The kernel resolves the path, so that the agent cannot swap a folder for a link meanwhile. `NO_XDEV`, because an agent's own
        // folder, which is read-only, can be mounted inside its scratch folder.
        let beneath = ResolveFlags::BENEATH | ResolveFlags::NO_MAGICLINKS | ResolveFlags::NO_XDEV;
        let file = openat2(&top, name, OFlags::PATH | OFlags::CLOEXEC, Mode::empty(), beneath)?;
        let mode = Permissions::from_mode(self.mode & ALLOWED_BITS);
        std::fs::set_permissions(format!("/proc/self/fd/{}", file.as_raw_fd()), mode)
    }
}

/// The path at an address of a process.
fn read_path(pid: i32, address: u64) -> io::Result<PathBuf> {
    let mut bytes = vec![0; LONGEST_PATH];
    let read = File::open(format!("/proc/{pid}/mem"))?.read_at(&mut bytes, address)?;
    let end = bytes[..read].iter().position(|&byte| byte == 0).ok_or(io::ErrorKind::InvalidInput)?;
    Ok(PathBuf::from(OsStr::from_bytes(&bytes[..end])))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modes_change_where_the_agent_may_write_and_nowhere_else() {
        let top = std::env::temp_dir().join(format!("modes-{}", std::process::id()));
        let (mine, other) = (top.join("mine"), top.join("other"));
        for folder in [&mine, &other] {
            std::fs::create_dir_all(folder).unwrap();
            std::fs::write(folder.join("file"), "").unwrap();
        }
        std::os::unix::fs::symlink(&other, mine.join("link")).unwrap();
        let writable = Writable { seen: mine.clone(), path: mine.clone() };
        let change = |file: PathBuf| ModeChange { file, mode: 0o6755 }.make(std::slice::from_ref(&writable));
        change(mine.join("file")).unwrap();
        let mode = std::fs::metadata(mine.join("file")).unwrap().permissions().mode();
        assert_eq!(mode & 0o7777, 0o755, "without set-uid and set-gid");
        for foreign in [other.join("file"), mine.join("link/file"), mine.join("../other/file"), "/".into()] {
            assert!(change(foreign.clone()).is_err(), "{}", foreign.display());
        }
        std::fs::remove_dir_all(top).unwrap();
    }
}
