//! Specification of a process to start, the same on every system.

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use damier_host::terms::Confinement;
use damier_kit::fault::{Fault, FaultCode};

use super::tools::{find, search_path};
#[cfg(target_os = "linux")]
use crate::confine::cage::Quota;

/// Environment variables that programs on Windows need.
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

    /// Is its program given as a path, instead of a name on the search path?
    #[cfg(target_os = "linux")]
    pub fn names_a_path(&self) -> bool {
        self.command[0].contains(std::path::is_separator)
    }

    /// Quota of its scratch folder; compilers need more.
    #[cfg(target_os = "linux")]
    pub fn quota(&self) -> Quota {
        if self.writes_folder {
            Quota { megabytes: 1024, files: 65_536 }
        } else {
            Quota { megabytes: 64, files: 4096 }
        }
    }

    /// Canonical path of its folder.
    #[cfg(target_os = "linux")]
    pub fn real_folder(&self) -> PathBuf {
        self.folder.canonicalize().unwrap_or_else(|_| self.folder.to_owned())
    }

    /// The fault of a process that did not start. It is the machine's fault if that has run out of a resource.
    pub fn not_started(&self, error: &io::Error) -> Fault {
        let code = if ran_out(error) { FaultCode::Machine } else { FaultCode::Crash };
        Fault::new(code, format!("`{}` cannot be started: {error}", self.command.join(" ")))
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
            // The most frequent mistake is an answer that is not flushed.
            .env("PYTHONUNBUFFERED", "1")
            .env("PYTHONDONTWRITEBYTECODE", "1");
        if cfg!(windows) {
            let kept = KEPT_VARIABLES.iter().filter_map(|name| Some((name, std::env::var_os(name)?)));
            command.envs(kept).env("TEMP", scratch).env("TMP", scratch);
        }
        command
    }
}

/// Has the machine run out of processes, descriptors, memory or disk? That is not the program's fault.
fn ran_out(error: &io::Error) -> bool {
    use io::ErrorKind::{OutOfMemory, QuotaExceeded, StorageFull, WouldBlock};

    // The standard library has no error kind for descriptors.
    #[cfg(target_os = "linux")]
    if matches!(error.raw_os_error(), Some(libc::EMFILE | libc::ENFILE)) {
        return true;
    }
    matches!(error.kind(), OutOfMemory | QuotaExceeded | StorageFull | WouldBlock)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_machine_that_ran_out_is_to_blame_for_a_program_that_does_not_start() {
        let command = ["./agent".to_owned()];
        let order = Order {
            command: &command,
            folder: Path::new("."),
            writes_folder: false,
            memory_mb: 64,
            processes: 1,
            confinement: Confinement::Off,
        };
        let code = |error: io::Error| order.not_started(&error).code;
        for kind in [io::ErrorKind::StorageFull, io::ErrorKind::OutOfMemory, io::ErrorKind::WouldBlock] {
            assert_eq!(code(kind.into()), FaultCode::Machine, "{kind}");
        }
        #[cfg(target_os = "linux")]
        for error in [libc::EAGAIN, libc::EMFILE, libc::ENFILE, libc::ENOMEM, libc::ENOSPC] {
            assert_eq!(code(io::Error::from_raw_os_error(error)), FaultCode::Machine, "{error}");
        }
        for kind in [io::ErrorKind::NotFound, io::ErrorKind::PermissionDenied] {
            assert_eq!(code(kind.into()), FaultCode::Crash, "{kind}");
        }
    }
}
