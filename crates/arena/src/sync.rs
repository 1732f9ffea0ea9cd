//! Periodic flushing of the store's log to disk, so that a power cut loses only seconds.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

/// Time between flushes: a power cut loses at most the games of this time.
const INTERVAL: Duration = Duration::from_secs(5);

/// Flushes a store's log periodically, in a thread of its own, so that games do not wait for the disk.
pub struct Syncer {
    log: PathBuf,
    dirty: Arc<AtomicBool>,
    /// Ends the thread when dropped.
    ending: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Syncer {
    /// Starts flushing the log of the store at this path.
    pub fn new(store: &Path) -> Self {
        Self::every(INTERVAL, store)
    }

    fn every(interval: Duration, store: &Path) -> Self {
        let mut log = store.as_os_str().to_owned();
        log.push("-wal");
        let (log, dirty) = (PathBuf::from(log), Arc::<AtomicBool>::default());
        let (ending, ended) = channel::<()>();
        let (path, news) = (log.clone(), Arc::clone(&dirty));
        let watch = move || {
            while ended.recv_timeout(interval) == Err(RecvTimeoutError::Timeout) {
                // A failure is retried next time; the next write reports a full disk.
                let _ = sync(&path, &news);
            }
        };
        // Without the thread, the log is flushed at the end of each round.
        let thread = std::thread::Builder::new().name("sync".to_owned()).spawn(watch).ok();
        Self { log, dirty, ending: Some(ending), thread }
    }

    /// Marks the log as dirty.
    pub fn note(&self) {
        self.dirty.store(true, Ordering::Release);
    }

    /// Flushes the log now, if it is dirty.
    pub fn sync(&self) -> io::Result<()> {
        sync(&self.log, &self.dirty)
    }
}

impl Drop for Syncer {
    fn drop(&mut self) {
        drop(self.ending.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
        let _ = self.sync();
    }
}

fn sync(log: &Path, dirty: &AtomicBool) -> io::Result<()> {
    if !dirty.swap(false, Ordering::AcqRel) {
        return Ok(());
    }
    let synced = match File::options().append(true).open(log) {
        Ok(file) => file.sync_data(),
        // The log is gone because it was copied into the store.
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
    };
    if synced.is_err() {
        dirty.store(true, Ordering::Release);
    }
    synced
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dirty_log_is_flushed_periodically() {
        let folder = std::env::temp_dir().join(format!("sync-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("games.db-wal"), "games").unwrap();
        let syncer = Syncer::every(Duration::from_millis(10), &folder.join("games.db"));
        syncer.note();
        let limit = std::time::Instant::now() + Duration::from_secs(5);
        while syncer.dirty.load(Ordering::Acquire) {
            assert!(std::time::Instant::now() < limit, "it is not flushed");
            std::thread::sleep(Duration::from_millis(2));
        }
        drop(syncer);
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_failed_flush_is_retried() {
        let folder = std::env::temp_dir().join(format!("sync-no-{}", std::process::id()));
        // A folder in its place cannot be opened for writing.
        std::fs::create_dir_all(folder.join("games.db-wal")).unwrap();
        let syncer = Syncer::every(Duration::from_hours(1), &folder.join("games.db"));
        syncer.note();
        assert!(syncer.sync().is_err() && syncer.sync().is_err());
        drop(syncer);
        std::fs::remove_dir_all(folder).unwrap();
    }
}
