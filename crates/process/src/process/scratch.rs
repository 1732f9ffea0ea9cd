//! Temporary (scratch) folders of processes, and the trace file that agents write there.

#[cfg(target_os = "linux")]
use std::fs::DirEntry;
use std::fs::File;
use std::hash::{BuildHasher, RandomState};
use std::io::{self, Read, Seek, SeekFrom};
#[cfg(target_os = "linux")]
use std::os::fd::{AsRawFd, OwnedFd};
#[cfg(target_os = "linux")]
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Once;
#[cfg(target_os = "linux")]
use std::time::Duration;

use damier_kit::fault::{Fault, FaultCode};
#[cfg(target_os = "linux")]
use rustix::fs::{FlockOperation, Mode, OFlags, flock, open};

#[cfg(target_os = "linux")]
use super::gauge::deleted_files;
#[cfg(target_os = "linux")]
use super::remove::remove_tree;
#[cfg(target_os = "linux")]
use crate::confine::cage::Quota;
#[cfg(not(target_os = "linux"))]
use std::fs::remove_dir_all as remove_tree;

/// File in the scratch folder whose text is added to the agent's log: the courses tell students to write it.
pub const TRACE: &str = "trace.txt";
/// Maximum text read from the trace at once, in bytes; of more, only the end is kept.
const KEPT_TRACE: u64 = 64 << 10;

/// Temporary folder of a process, deleted with it.
pub struct Scratch {
    /// Its path, for the referee.
    pub path: PathBuf,
    /// Keeps alive a folder in memory that only the process sees.
    #[cfg(target_os = "linux")]
    private: Option<OwnedFd>,
    /// Lock on a folder on disk, which shows that its referee is alive.
    #[cfg(target_os = "linux")]
    _lock: Option<OwnedFd>,
    /// Length of the trace read so far.
    taken: u64,
}

impl Scratch {
    /// A new folder, or a machine fault if none can be created.
    pub fn new() -> Result<Self, Fault> {
        // The process has another working folder.
        let folder = std::env::temp_dir();
        let folder = std::path::absolute(&folder).unwrap_or(folder);
        let made = Self::create(&folder).and_then(|scratch| check_space(&folder).map(|()| scratch));
        made.map_err(|error| {
            let detail = format!("the temporary folder {} cannot be used: {error}", folder.display());
            Fault::new(FaultCode::Machine, detail)
        })
    }

    /// Creates a folder that only the referee's user can access.
    fn create(folder: &Path) -> io::Result<Self> {
        loop {
            // The name is random, so that nobody can create the folder first and put something into it.
            let random = RandomState::new().hash_one(std::process::id());
            let path = folder.join(format!("{PREFIX}{}-{random:016x}", std::process::id()));
            match create_private(&path) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                made => return made.map(|()| Self::at(path)),
            }
        }
    }

    /// Removes the folders of killed referees, once per run.
    pub fn remove_leftovers_once() {
        static LEFTOVERS: Once = Once::new();
        LEFTOVERS.call_once(remove_leftovers);
    }

    fn at(path: PathBuf) -> Self {
        Self {
            #[cfg(target_os = "linux")]
            _lock: lock(&path),
            path,
            #[cfg(target_os = "linux")]
            private: None,
            taken: 0,
        }
    }

    /// A folder in memory that a process has in a namespace of its own.
    #[cfg(target_os = "linux")]
    pub fn private(folder: OwnedFd) -> Self {
        let path = PathBuf::from(format!("/proc/self/fd/{}", folder.as_raw_fd()));
        Self { path, private: Some(folder), _lock: None, taken: 0 }
    }

    /// Memory it uses, in bytes; 0 for a folder on disk.
    #[cfg(target_os = "linux")]
    pub fn memory(&self) -> u64 {
        let statistics = self.private.as_ref().and_then(|folder| rustix::fs::fstatvfs(folder).ok());
        statistics.map_or(0, |all| (all.f_blocks - all.f_bfree) * all.f_frsize)
    }

    /// Does it fit its quota, counting deleted files that these processes still hold? In memory, the kernel enforces the quota.
    #[cfg(target_os = "linux")]
    pub fn fits_quota(&self, quota: Quota, holders: impl IntoIterator<Item = i32>) -> bool {
        if self.private.is_some() {
            return true;
        }
        let deleted = holders.into_iter().map(|pid| deleted_files(pid, &self.path)).sum::<u64>() >> 20;
        let megabytes = quota.megabytes.checked_sub(deleted);
        megabytes.is_some_and(|megabytes| fits_quota(&self.path, Quota { megabytes, ..quota }))
    }

    /// The text appended to the trace since the last call.
    pub fn take_trace(&mut self) -> String {
        // Usually there is no such file.
        self.read_trace().unwrap_or_default()
    }

    fn read_trace(&mut self) -> io::Result<String> {
        let mut file = open_plain(&self.path.join(TRACE))?;
        let length = file.metadata()?.len();
        // A file that has become shorter was rewritten.
        let start = if length < self.taken { 0 } else { self.taken };
        file.seek(SeekFrom::Start(start.max(length.saturating_sub(KEPT_TRACE))))?;
        self.taken = length;
        let mut text = Vec::new();
        file.take(KEPT_TRACE).read_to_end(&mut text)?;
        Ok(String::from_utf8_lossy(&text).into_owned())
    }
}

/// Opens a file that an agent wrote. It must not be a link, which could lead to a file that the agent may not read, nor a pipe.
fn open_plain(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.read(true);
    #[cfg(target_os = "linux")]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, libc::O_NOFOLLOW | libc::O_NONBLOCK);
    #[cfg(not(target_os = "linux"))]
    if !path.symlink_metadata()?.is_file() {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    let file = options.open(path)?;
    if file.metadata()?.is_file() { Ok(file) } else { Err(io::ErrorKind::InvalidInput.into()) }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        #[cfg(target_os = "linux")]
        if self.private.is_some() {
            return;
        }
        // A failure is harmless: a later run removes the folder.
        let _ = remove_tree(&self.path);
    }
}

/// Does a folder tree fit its quota? Stops counting when the quota is exceeded.
#[cfg(target_os = "linux")]
pub fn fits_quota(folder: &Path, quota: Quota) -> bool {
    let (mut files, mut bytes) = (0, 0);
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let Ok(metadata) = entry.metadata() else { continue };
            files += 1;
            bytes += metadata.blocks() * 512;
            if metadata.is_dir() {
                folders.push(entry.path());
            }
            if files > quota.files || bytes > quota.megabytes << 20 {
                return false;
            }
        }
    }
    true
}

/// Free space below which a temporary folder counts as full, in bytes.
#[cfg(target_os = "linux")]
const LEAST_SPACE: u64 = 1 << 20;

/// Checks that files can be written: on a full disk a folder can often still be created.
#[cfg(target_os = "linux")]
fn check_space(folder: &Path) -> io::Result<()> {
    let disk = rustix::fs::statvfs(folder)?;
    // A file system without a fixed number of files reports 0 of 0.
    let no_more_files = disk.f_files > 0 && disk.f_favail == 0;
    if disk.f_bavail * disk.f_frsize < LEAST_SPACE || no_more_files {
        return Err(io::ErrorKind::StorageFull.into());
    }
    Ok(())
}

/// Assumes that there is space: failures show in the agent's log.
#[cfg(not(target_os = "linux"))]
#[expect(clippy::unnecessary_wraps, reason = "on Linux it can fail")]
fn check_space(_: &Path) -> io::Result<()> {
    Ok(())
}

/// Creates a folder that only its owner can access.
#[cfg(unix)]
fn create_private(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;

    std::fs::DirBuilder::new().mode(0o700).create(path)
}

/// Creates a folder; the system's temporary folder is the user's own.
#[cfg(not(unix))]
fn create_private(path: &Path) -> io::Result<()> {
    std::fs::create_dir(path)
}

/// Prefix of the name of every scratch folder; the referee's pid follows.
const PREFIX: &str = "damier-";

/// Minimum age of an unlocked scratch folder before it is removed: a new one is not locked at once.
#[cfg(target_os = "linux")]
const OLD: Duration = Duration::from_secs(10);

/// Locks a folder; `None` if it is locked already. Locks also work between containers, where pids do not.
#[cfg(target_os = "linux")]
fn lock(folder: &Path) -> Option<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let folder = open(folder, flags, Mode::empty()).ok()?;
    flock(&folder, FlockOperation::NonBlockingLockExclusive).ok()?;
    Some(folder)
}

/// Removes the scratch folders of referees that were killed.
#[cfg(target_os = "linux")]
fn remove_leftovers() {
    for folder in std::fs::read_dir(std::env::temp_dir()).into_iter().flatten().flatten() {
        if is_left_over(&folder).unwrap_or(false) {
            let _ = remove_tree(&folder.path());
        }
    }
}

#[cfg(target_os = "linux")]
fn is_left_over(folder: &DirEntry) -> Option<bool> {
    let name = folder.file_name();
    // Only names made of a pid and a random number are removed.
    let (owner, random) = name.to_str()?.strip_prefix(PREFIX)?.split_once('-')?;
    owner.parse::<u32>().ok().and(u64::from_str_radix(random, 16).ok())?;
    let metadata = folder.path().symlink_metadata().ok()?;
    let age = metadata.modified().ok()?.elapsed().ok()?;
    let ours = metadata.is_dir() && metadata.uid() == rustix::process::geteuid().as_raw();
    Some(ours && age > OLD && lock(&folder.path()).is_some())
}

/// Does nothing: other systems clean up their temporary folders themselves.
#[cfg(not(target_os = "linux"))]
fn remove_leftovers() {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_trace_is_taken_piece_by_piece() {
        let mut scratch = Scratch::new().unwrap();
        assert_eq!(scratch.take_trace(), "");
        let path = scratch.path.join(TRACE);
        std::fs::write(&path, "one\n").unwrap();
        assert_eq!(scratch.take_trace(), "one\n");
        std::fs::write(&path, "one\ntwo\n").unwrap();
        assert_eq!((scratch.take_trace(), scratch.take_trace()), ("two\n".into(), String::new()));
        std::fs::write(&path, "new\n").unwrap();
        assert_eq!(scratch.take_trace(), "new\n");
        std::fs::write(&path, "x".repeat(KEPT_TRACE as usize + 99) + "end").unwrap();
        let taken = scratch.take_trace();
        assert!(taken.len() as u64 == KEPT_TRACE && taken.ends_with("end"));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn only_folders_that_nobody_has_locked_are_left_over() {
        let scratch = Scratch::new().unwrap();
        let left = |path: &Path| {
            let past = std::time::SystemTime::now() - 2 * OLD;
            File::open(path).unwrap().set_modified(past).unwrap();
            let mut entries = std::fs::read_dir(std::env::temp_dir()).unwrap().flatten();
            is_left_over(&entries.find(|entry| entry.path() == path).unwrap())
        };
        assert_eq!(left(&scratch.path), Some(false));
        let name = scratch.path.file_name().unwrap().to_string_lossy().replace("damier-", "damier-0");
        let other = scratch.path.with_file_name(name);
        create_private(&other).unwrap();
        assert_eq!(left(&other), Some(true));
        std::fs::remove_dir(other).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn a_trace_that_is_a_link_is_not_followed() {
        let mut scratch = Scratch::new().unwrap();
        std::fs::write(scratch.path.join("secret"), "secret").unwrap();
        std::os::unix::fs::symlink(scratch.path.join("secret"), scratch.path.join(TRACE)).unwrap();
        assert_eq!(scratch.take_trace(), "");
    }
}
