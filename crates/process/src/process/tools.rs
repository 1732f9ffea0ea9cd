//! Where programs are: the interpreters and compilers that agents are run and built with.
//!
//! Version managers put wrappers on the `PATH` (pyenv's `shims`, rustup's proxies) that start other programs and read the whole home
//! folder before the real program runs. A confined agent may do neither, so it gets a `PATH` that leads to the real ones.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// Programs that are often wrapped, and how to ask them for their real place.
const WRAPPED: &[(&str, &[&str])] = &[
    ("python3", &["-c", "import sys; print(sys.executable)"]),
    ("node", &["-p", "process.execPath"]),
    ("rustc", &["--print", "sysroot"]),
];

/// The search path for agents, and the folders that its programs need.
pub struct Tools {
    /// The `PATH`.
    pub path: OsString,
    /// Folders outside the system's own that hold real programs and what belongs to them.
    pub folders: Vec<PathBuf>,
}

/// Finds out once.
pub fn tools() -> &'static Tools {
    static TOOLS: OnceLock<Tools> = OnceLock::new();
    TOOLS.get_or_init(|| {
        let old = std::env::var_os("PATH").unwrap_or_default();
        let mut programs: Vec<PathBuf> = Vec::new();
        for (name, question) in WRAPPED {
            let wrapped = find(&old, Path::new("/"), name).filter(|found| !of_the_system(found));
            programs.extend(wrapped.and_then(|found| ask(&found, question)));
        }
        let folders: Vec<PathBuf> = programs.iter().filter_map(|program| home(program)).collect();
        let first = folders.iter().map(|folder| folder.join("bin"));
        let path = std::env::join_paths(first.chain(std::env::split_paths(&old))).unwrap_or(old);
        Tools { path, folders }
    })
}

fn of_the_system(program: &Path) -> bool {
    ["/usr", "/bin", "/sbin"].iter().any(|system| program.starts_with(system))
}

/// The first file of this name on a search path; a name with a `/` is taken from the agent's folder.
pub fn find(path: &OsStr, folder: &Path, name: &str) -> Option<PathBuf> {
    if name.contains('/') {
        return Some(folder.join(name)).filter(|program| program.is_file());
    }
    std::env::split_paths(path).map(|folder| folder.join(name)).find(|program| program.is_file())
}

fn ask(program: &Path, question: &[&str]) -> Option<PathBuf> {
    let answer =
        Command::new(program).args(question).output().ok().filter(|answer| answer.status.success())?;
    let place = PathBuf::from(String::from_utf8(answer.stdout).ok()?.trim()).canonicalize().ok()?;
    // A compiler says where its folder is, an interpreter where its program is.
    Some(if place.is_dir() { place.join("bin").join(program.file_name()?) } else { place })
}

/// The folder that holds a program and its libraries, if the program lies in a `bin` folder outside the system's own.
pub fn home(program: &Path) -> Option<PathBuf> {
    let program = program.canonicalize().ok()?;
    let bin = program.parent()?;
    (bin.file_name()? == "bin" && !of_the_system(&program)).then(|| bin.parent().map(Path::to_owned))?
}
