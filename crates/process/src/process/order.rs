//! What to run, and with what: the same on every system.

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};

use damier_host::terms::Confinement;
use damier_kit::fault::{Fault, FaultCode};

use super::tools::{find, search_path};

/// Variables without which programs do not run at all on Windows.
const KEPT_VARIABLES: &[&str] = &["SystemRoot", "SystemDrive", "PATHEXT", "ComSpec"];

/// A process to start.
#[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "only Linux confines processes"))]
pub struct Order<'a> {
    /// The words of the command.
    pub command: &'a [String],
    /// Working folder, readable to the process.
    pub folder: &'a Path,
    /// May it write to its folder too?
    pub writes_folder: bool,
    /// Memory limit, in megabytes.
    pub memory_mb: u64,
    /// Maximum number of processes at once.
    pub processes: u32,
    /// How it is confined.
    pub confinement: Confinement,
}

impl Order<'_> {
    /// The program's file.
    pub fn program(&self) -> Result<PathBuf, Fault> {
        find(search_path(), self.folder, &self.command[0]).ok_or_else(|| {
            Fault::new(FaultCode::Crash, format!("there is no program `{}` to start", self.command[0]))
        })
    }

    /// The fault of a process that did not start.
    pub fn not_started(&self, error: &io::Error) -> Fault {
        Fault::new(FaultCode::Crash, format!("`{}` cannot be started: {error}", self.command.join(" ")))
    }

    /// The command with its arguments, folder, pipes and a clean environment.
    pub fn to_command(&self, program: &Path, scratch: &Path) -> Command {
        let mut command = Command::new(program);
        command
            .args(&self.command[1..])
            .current_dir(self.folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .env_clear()
            .env("PATH", search_path())
            .env("LANG", "C.UTF-8")
            .env("HOME", scratch)
            .env("TMPDIR", scratch)
            // The most frequent mistake is an answer that stays in a buffer.
            .env("PYTHONUNBUFFERED", "1")
            .env("PYTHONDONTWRITEBYTECODE", "1");
        if cfg!(windows) {
            let kept = KEPT_VARIABLES.iter().filter_map(|name| Some((name, std::env::var_os(name)?)));
            command.envs(kept).env("TEMP", scratch).env("TMP", scratch);
        }
        command
    }
}

/// Temporary folder of a process, deleted with it.
pub struct Scratch(pub PathBuf);

impl Scratch {
    /// Creates a new folder.
    pub fn new() -> io::Result<Self> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("damier-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path)?;
        Ok(Self(path))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // Nothing depends on it: at worst an empty folder stays behind.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
