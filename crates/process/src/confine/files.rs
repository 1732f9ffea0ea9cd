//! Files, by Landlock: what is not named cannot be opened.

use std::io;
use std::os::fd::{AsRawFd, BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset, RulesetAttr,
    RulesetCreatedAttr, RulesetError, Scope,
};

use super::cage::check;

/// What every program needs: the system's programs and libraries, and how it is set up.
const SYSTEM: &[&str] = &[
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

/// Devices that every program may use.
const DEVICES: &[&str] = &["/dev/full", "/dev/null", "/dev/random", "/dev/urandom", "/dev/zero"];

/// The rights that we know of; an older kernel enforces those that it knows.
const NEWEST: ABI = ABI::V6;

/// The version of Landlock in the kernel, 0 if there is none.
pub fn version() -> i32 {
    const VERSION: libc::c_uint = 1;
    // SAFETY: with this flag the call reads nothing and answers with a number. Nothing wraps the bare question.
    let version = unsafe {
        libc::syscall(libc::SYS_landlock_create_ruleset, std::ptr::null::<libc::c_void>(), 0_usize, VERSION)
    };
    version.max(0) as i32
}

/// Rules that allow to read and execute some files and folders and the system's, to write others, and to connect nowhere.
pub fn rules(read: &[PathBuf], write: &[PathBuf]) -> io::Result<Option<OwnedFd>> {
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
    made().map_err(io::Error::other)
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

/// Enters the rules for good.
pub fn restrict(rules: BorrowedFd<'_>) -> io::Result<()> {
    // SAFETY: a plain system call without pointers. The landlock crate would take the rules by value; here they are borrowed
    // by a process that is about to execute another program.
    check(unsafe { libc::syscall(libc::SYS_landlock_restrict_self, rules.as_raw_fd(), 0) }).map(|_| ())
}
