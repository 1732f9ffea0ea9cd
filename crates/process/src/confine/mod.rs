//! Confinement of agent processes: keeps them from doing harm, as far as the system can. Only Linux can.
//!
//! | protection | against | by |
//! | --- | --- | --- |
//! | `files` | reading other people's files, writing anywhere but its scratch folder, TCP connections, signals | Landlock |
//! | `calls` | processes, sockets, signals, leaving its process group, `io_uring`, tracing | seccomp |
//! | `limits` | memory, huge files, core dumps | resource limits |
//!
//! System calls that say something about an agent (a new process, a socket, a signal) are not refused blindly: the kernel asks
//! the referee, which counts processes exactly and can say later why an agent lost.

#[cfg(target_os = "linux")]
pub mod cage;
#[cfg(target_os = "linux")]
pub mod calls;
#[cfg(target_os = "linux")]
pub mod files;
#[cfg(target_os = "linux")]
pub mod limits;

use std::fmt;

/// What this machine enforces on agents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Report {
    /// The protections of the Linux kernel.
    Linux {
        /// Version of Landlock, 0 if there is none.
        landlock: i32,
        /// Are system calls filtered?
        seccomp: bool,
    },
    /// Nothing: Damier confines agents on Linux only.
    Unsupported,
}

/// The version of Landlock from which on signals stay inside.
const COMPLETE_LANDLOCK: i32 = 6;

/// Finds out what this machine enforces.
pub fn report() -> Report {
    #[cfg(target_os = "linux")]
    return Report::Linux { landlock: files::version(), seccomp: calls::supported() };
    #[cfg(not(target_os = "linux"))]
    Report::Unsupported
}

impl Report {
    /// Is every protection there?
    pub fn complete(&self) -> bool {
        matches!(self, Self::Linux { landlock: COMPLETE_LANDLOCK.., seccomp: true })
    }

    /// What is missing, in a few words; `None` if nothing is.
    pub fn gaps(&self) -> Option<String> {
        if self.complete() {
            return None;
        }
        let text = self.to_string();
        let gaps: Vec<&str> = text.lines().filter(|line| line.contains("NOT")).collect();
        Some(if gaps.is_empty() { "its Landlock is too old".to_owned() } else { gaps.join("; ") })
    }
}

impl fmt::Display for Report {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let &Self::Linux { landlock, seccomp } = self else {
            return write!(formatter, "agents are NOT confined: that needs Linux");
        };
        let (files, network, signals) = match landlock {
            0 => ("NOT protected: the kernel has no Landlock", "", ""),
            1..4 => ("Landlock", "", ""),
            4..6 => ("Landlock", "Landlock", ""),
            _ => ("Landlock", "Landlock", "Landlock"),
        };
        let with_seccomp = |landlock: &str| match (seccomp, landlock) {
            (true, "") => "seccomp".to_owned(),
            (true, landlock) => format!("seccomp and {landlock}"),
            (false, "") => "NOT protected: the kernel has no seccomp with notifications".to_owned(),
            (false, landlock) => landlock.to_owned(),
        };
        writeln!(formatter, "files      {files}")?;
        writeln!(formatter, "network    {}", with_seccomp(network))?;
        writeln!(formatter, "processes  {}", with_seccomp(""))?;
        writeln!(formatter, "signals    {}", with_seccomp(signals))?;
        writeln!(formatter, "memory     resource limit, and watched by the referee")?;
        write!(formatter, "output     capped by the referee")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_named() {
        assert_eq!(Report::Linux { landlock: 6, seccomp: true }.gaps(), None);
        let gaps = |landlock, seccomp| Report::Linux { landlock, seccomp }.gaps().unwrap();
        assert_eq!(gaps(5, true), "its Landlock is too old");
        assert_eq!(gaps(0, true), "files      NOT protected: the kernel has no Landlock");
        assert!(gaps(6, false).starts_with("processes  NOT protected"));
        assert_eq!(Report::Unsupported.gaps().unwrap(), "agents are NOT confined: that needs Linux");
    }
}
