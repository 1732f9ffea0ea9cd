//! Confinement of agent processes, which keeps them from doing harm. Linux only.
//!
//! | layer | protects against | mechanism |
//! | --- | --- | --- |
//! | `namespaces`, `view` | seeing other processes, files and networks at all; processes and files that outlive the game | namespaces of users, processes, mounts, network, IPC and names |
//! | `files` | reading other people's files, writing outside its scratch folder, TCP connections, signals | Landlock |
//! | `warden` | processes that outlive the game or the referee where there are no namespaces | a process that adopts and ends them |
//! | `calls`, `rules` | processes, threads, sockets, signals, limits and priorities of others, shared memory, every call not on the allow list | seccomp |
//! | `modes` | changing modes of other people's files, set-uid files | the referee, asked by seccomp |
//! | `limits` | memory use, huge files, core dumps, root privileges | resource limits, capabilities |
//!
//! Some system calls (a new process, a socket, a signal) are not simply refused: the kernel asks the referee, which counts processes
//! exactly and can explain later why an agent lost.

#[cfg(target_os = "linux")]
pub mod announce;
#[cfg(target_os = "linux")]
pub mod cage;
#[cfg(target_os = "linux")]
pub mod calls;
#[cfg(target_os = "linux")]
pub mod files;
#[cfg(target_os = "linux")]
pub mod limits;
#[cfg(target_os = "linux")]
pub mod modes;
#[cfg(target_os = "linux")]
pub mod namespaces;
#[cfg(target_os = "linux")]
pub mod rules;
#[cfg(target_os = "linux")]
pub mod view;
#[cfg(target_os = "linux")]
pub mod warden;

use std::fmt;

/// How well agents are confined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strength {
    /// By every layer.
    Full,
    /// By some layers, which protect files, network, processes and memory.
    Reduced,
    /// Files, network or processes are not protected.
    None,
}

impl Strength {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Reduced => "reduced",
            Self::None => "none",
        }
    }
}

/// Layers of confinement on this machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Report {
    /// The layers of the Linux kernel.
    Linux {
        /// Do agents have namespaces of their own?
        namespaces: bool,
        /// Version of Landlock, 0 if there is none.
        landlock: i32,
        /// Are system calls filtered?
        seccomp: bool,
    },
    /// None: Damier confines agents on Linux only.
    Unsupported,
}

/// Detects the layers of confinement on this machine.
pub fn report() -> Report {
    #[cfg(target_os = "linux")]
    return Report::Linux {
        namespaces: namespaces::supported(),
        landlock: files::version(),
        seccomp: calls::supported(),
    };
    #[cfg(not(target_os = "linux"))]
    Report::Unsupported
}

impl Report {
    /// Combined strength of the layers.
    pub fn strength(self) -> Strength {
        match self {
            Self::Linux { namespaces: true, landlock: 1.., seccomp: true } => Strength::Full,
            Self::Linux { namespaces, landlock, seccomp: true } if namespaces || landlock > 0 => {
                Strength::Reduced
            }
            Self::Linux { .. } | Self::Unsupported => Strength::None,
        }
    }

    /// The names of the available layers, and advice for each missing one.
    pub fn layers(self) -> (Vec<&'static str>, Vec<&'static str>) {
        let Self::Linux { namespaces, landlock, seccomp } = self else {
            return (Vec::new(), vec!["confinement needs Linux"]);
        };
        let all = [
            (seccomp, "seccomp", "seccomp with notifications (Linux 5.5, and a container that allows it)"),
            (
                landlock > 0,
                "Landlock",
                "Landlock (Linux 5.13, named in the kernel's list of security modules)",
            ),
            (
                namespaces,
                "namespaces",
                "namespaces (unprivileged user namespaces are disabled here: check \
                 kernel.apparmor_restrict_unprivileged_userns, user.max_user_namespaces and the container's settings)",
            ),
        ];
        let there = all.iter().filter(|(there, ..)| *there).map(|(_, name, _)| *name).collect();
        let missing = all.iter().filter(|(there, ..)| !there).map(|(.., advice)| *advice).collect();
        (there, missing)
    }
}

impl fmt::Display for Report {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let &Self::Linux { namespaces, landlock, seccomp } = self else {
            return write!(formatter, "agents are NOT confined: confinement needs Linux");
        };
        let by = |layers: &[(bool, &str)]| {
            let names: Vec<&str> = layers.iter().filter(|(there, _)| *there).map(|(_, name)| *name).collect();
            if names.is_empty() { "NOT protected".to_owned() } else { names.join(" and ") }
        };
        let (own, calls) = ((namespaces, "namespaces"), (seccomp, "seccomp"));
        writeln!(formatter, "strength   {}", self.strength().name())?;
        writeln!(formatter, "files      {}", by(&[own, (landlock > 0, "Landlock")]))?;
        writeln!(formatter, "network    {}", by(&[own, calls, (landlock >= 4, "Landlock")]))?;
        writeln!(formatter, "processes  {}", by(&[calls]))?;
        writeln!(formatter, "signals    {}", by(&[own, calls, (landlock >= 6, "Landlock")]))?;
        writeln!(
            formatter,
            "scratch    {}",
            if namespaces { "in memory, with a quota" } else { "on disk, monitored by the referee" }
        )?;
        writeln!(formatter, "memory     resource limit, and monitored by the referee")?;
        write!(formatter, "output     capped by the referee")?;
        for missing in self.layers().1 {
            write!(formatter, "\nmissing    {missing}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_strength_follows_from_the_layers() {
        let strength =
            |namespaces, landlock, seccomp| Report::Linux { namespaces, landlock, seccomp }.strength();
        assert_eq!(strength(true, 6, true), Strength::Full);
        assert_eq!(strength(true, 1, true), Strength::Full);
        assert_eq!(strength(false, 1, true), Strength::Reduced);
        assert_eq!(strength(true, 0, true), Strength::Reduced);
        assert_eq!(strength(false, 0, true), Strength::None);
        assert_eq!(strength(true, 6, false), Strength::None);
        assert_eq!(Report::Unsupported.strength(), Strength::None);
    }

    #[test]
    fn what_is_missing_is_named() {
        let report = Report::Linux { namespaces: false, landlock: 0, seccomp: true }.to_string();
        assert!(
            report.contains("strength   none") && report.contains("files      NOT protected"),
            "{report}"
        );
        assert!(
            report.contains("missing    Landlock") && report.contains("missing    namespaces"),
            "{report}"
        );
        let report = Report::Linux { namespaces: true, landlock: 6, seccomp: true }.to_string();
        assert!(!report.contains("missing") && !report.contains("NOT"), "{report}");
    }
}
