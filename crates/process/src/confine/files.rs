//! File access, by Landlock: only listed paths can be opened.

use std::io;
use std::os::fd::{AsRawFd, BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset, RulesetAttr,
    RulesetCreatedAttr, RulesetError, Scope,
};

use super::cage::check;

/// Paths that every program needs: the system's programs, libraries and configuration.
pub const SYSTEM: &[&str] = &[
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib64",
    "/etc/alternatives",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/localtime",
    "/etc/ssl/openssl.cnf",
    "/proc/cpuinfo",
    "/proc/meminfo",
    "/proc/stat",
    "/sys/devices/system/cpu",
];

/// Devices that every program may use. `/dev/zero` is not among them: mapping it gives memory that belongs to no process.
pub const DEVICES: &[&str] = &["/dev/full", "/dev/null", "/dev/random", "/dev/urandom"];

/// The newest version we use; an older kernel enforces the subset that it knows.
const NEWEST: ABI = ABI::V6;

/// The version of Landlock in the kernel, 0 if there is none.
pub fn version() -> i32 {
    const VERSION: libc::c_uint = 1;
    // SAFETY: with this flag the call reads nothing and returns a number. No dependency wraps it.
    let version = unsafe {
        libc::syscall(libc::SYS_landlock_create_ruleset, std::ptr::null::<libc::c_void>(), 0_usize, VERSION)
    };
    version.max(0) as i32
}

/// Prepared rules about files.
pub struct FileRules(OwnedFd);

impl FileRules {
    /// Rules that allow reading and executing the system's paths and `read`, writing to `write`, and no network connections. `None` if the
    /// kernel has no Landlock.
    pub fn new(read: &[PathBuf], write: &[PathBuf]) -> io::Result<Option<Self>> {
        if version() == 0 {
            return Ok(None);
        }
        let made = || -> Result<Option<OwnedFd>, RulesetError> {
            let mut rules = Ruleset::default()
                .set_compatibility(CompatLevel::BestEffort)
                .handle_access(AccessFs::from_all(NEWEST))?
                .handle_access(AccessNet::from_all(NEWEST))?
                .scope(Scope::from_all(NEWEST))?
                .create()?;
            let system = SYSTEM.iter().map(Path::new);
            for path in system.chain(read.iter().map(PathBuf::as_path)) {
                rules = allow(rules, path, AccessFs::from_read(NEWEST))?;
            }
            for device in DEVICES {
                rules = allow(rules, Path::new(device), AccessFs::ReadFile | AccessFs::WriteFile)?;
            }
            for path in write {
                rules = allow(rules, path, AccessFs::from_all(NEWEST))?;
            }
            Ok(rules.into())
        };
        Ok(made().map_err(io::Error::other)?.map(Self))
    }

    /// Allows writing to a folder that did not exist when the rules were made. Makes system calls only.
    pub fn allow_writing(&self, folder: BorrowedFd<'_>) -> io::Result<()> {
        #[repr(C, packed)]
        struct PathBeneath {
            access: u64,
            folder: libc::c_int,
        }
        const PATH_BENEATH: libc::c_int = 1;
        let access = AccessFs::from_all(known_version()).bits();
        let rule = PathBeneath { access, folder: folder.as_raw_fd() };
        // SAFETY: this is the structure that the kernel expects for this kind of rule. The landlock crate would allocate.
        let added = unsafe {
            libc::syscall(libc::SYS_landlock_add_rule, self.0.as_raw_fd(), PATH_BENEATH, &raw const rule, 0)
        };
        check(added).map(|_| ())
    }

    /// Enforces the rules on this process, irrevocably.
    pub fn enforce(&self) -> io::Result<()> {
        // SAFETY: a plain system call without pointers. The landlock crate would take the rules by value; here they are borrowed
        // by a process that is about to execute another program.
        check(unsafe { libc::syscall(libc::SYS_landlock_restrict_self, self.0.as_raw_fd(), 0) }).map(|_| ())
    }
}

/// The kernel's version of Landlock, at most [`NEWEST`].
fn known_version() -> ABI {
    match version() {
        0 => ABI::Unsupported,
        1 => ABI::V1,
        2 => ABI::V2,
        3 => ABI::V3,
        4 => ABI::V4,
        5 => ABI::V5,
        _ => NEWEST,
    }
}

/// Allows access beneath a path; one that does not exist needs no rule.
fn allow(
    rules: landlock::RulesetCreated,
    path: &Path,
    access: landlock::BitFlags<AccessFs>,
) -> Result<landlock::RulesetCreated, RulesetError> {
    let Ok(file) = PathFd::new(path) else { return Ok(rules) };
    let access = if path.is_dir() { access } else { access & AccessFs::from_file(NEWEST) };
    rules.add_rule(PathBeneath::new(file, access))
}
