//! Search for programs: the interpreters and compilers that run and build agents.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

#[cfg(target_os = "linux")]
pub use real::{folders_of, tools};

/// The search path for agents.
pub fn search_path() -> &'static OsStr {
    #[cfg(target_os = "linux")]
    return &tools().path;
    #[cfg(not(target_os = "linux"))]
    {
        use std::ffi::OsString;
        use std::sync::LazyLock;

        static PATH: LazyLock<OsString> = LazyLock::new(|| std::env::var_os("PATH").unwrap_or_default());
        &PATH
    }
}

/// The first file of this name on a search path; a name with a `/` is relative to the agent's folder.
pub fn find(path: &OsStr, folder: &Path, name: &str) -> Option<PathBuf> {
    let spellings = if cfg!(windows) {
        let extensions = std::env::var("PATHEXT");
        windows_spellings(name, extensions.as_deref().unwrap_or(".COM;.EXE;.BAT;.CMD"))
    } else {
        vec![name.to_owned()]
    };
    let is_path = name.contains(std::path::is_separator);
    let folders: Vec<PathBuf> =
        if is_path { vec![folder.to_owned()] } else { std::env::split_paths(path).collect() };
    let first = |spelling: &String| folders.iter().map(|at| at.join(spelling)).find(|file| file.is_file());
    spellings.iter().find_map(first)
}

/// Possible file names of a program on Windows. Python is often called `python` or `py` there.
fn windows_spellings(name: &str, extensions: &str) -> Vec<String> {
    let names = if name == "python3" { vec!["python3", "python", "py"] } else { vec![name] };
    let extensions: Vec<String> = extensions.split(';').map(str::to_lowercase).collect();
    let is_complete = extensions.iter().any(|extension| name.to_lowercase().ends_with(extension.as_str()));
    if is_complete {
        return vec![name.to_owned()];
    }
    names
        .iter()
        .flat_map(|name| extensions.iter().map(move |extension| format!("{name}{extension}")))
        .collect()
}

/// Real programs behind the wrappers of version managers.
///
/// Version managers put wrappers on the `PATH` (pyenv's `shims`, rustup's proxies) that start other programs and read the whole
/// home folder before the real program runs. A confined agent may do neither, so its `PATH` leads to the real ones.
#[cfg(target_os = "linux")]
mod real {
    use std::ffi::OsString;
    use std::path::{Path, PathBuf};
    use std::process::Command;
    use std::sync::OnceLock;

    use super::find;

    /// Programs that are often wrapped, and arguments that make them print their real path.
    const WRAPPED: &[(&str, &[&str])] = &[
        ("python3", &["-c", "import sys; print(sys.executable)"]),
        ("node", &["-p", "process.execPath"]),
        ("rustc", &["--print", "sysroot"]),
    ];

    /// Search path for agents, and the folders that its programs need.
    pub struct Tools {
        /// The `PATH`.
        pub path: OsString,
        /// Folders outside the system's own with the real programs and their libraries.
        pub folders: Vec<PathBuf>,
    }

    /// The tools of this machine, found once.
    pub fn tools() -> &'static Tools {
        static TOOLS: OnceLock<Tools> = OnceLock::new();
        TOOLS.get_or_init(|| {
            let old = std::env::var_os("PATH").unwrap_or_default();
            let mut programs: Vec<PathBuf> = Vec::new();
            for (name, question) in WRAPPED {
                let wrapped = find(&old, Path::new("/"), name).filter(|found| !is_of_the_system(found));
                programs.extend(wrapped.and_then(|found| ask(&found, question)));
            }
            let bins = programs.iter().filter_map(|program| bin_outside_the_system(program));
            let folders = programs.iter().flat_map(|program| folders_of(program)).collect();
            let first: Vec<PathBuf> = bins.collect();
            let path =
                std::env::join_paths(first.into_iter().chain(std::env::split_paths(&old))).unwrap_or(old);
            Tools { path, folders }
        })
    }

    fn is_of_the_system(program: &Path) -> bool {
        ["/usr", "/bin", "/sbin"].iter().any(|system| program.starts_with(system))
    }

    fn ask(program: &Path, question: &[&str]) -> Option<PathBuf> {
        let answer =
            Command::new(program).args(question).output().ok().filter(|answer| answer.status.success())?;
        let place = PathBuf::from(String::from_utf8(answer.stdout).ok()?.trim()).canonicalize().ok()?;
        // A compiler prints its folder, an interpreter its program.
        Some(if place.is_dir() { place.join("bin").join(program.file_name()?) } else { place })
    }

    /// Folders of an installation, beside its `bin`.
    const BESIDE_BIN: &[&str] = &["bin", "include", "lib", "lib64", "libexec", "share"];

    /// The folders of a program's installation, if it is in a `bin` folder outside the system's own. Other folders beside it, perhaps of
    /// a home folder, stay hidden.
    pub fn folders_of(program: &Path) -> Vec<PathBuf> {
        let Some(bin) = bin_outside_the_system(program) else { return Vec::new() };
        BESIDE_BIN.iter().map(|name| bin.with_file_name(name)).filter(|folder| folder.is_dir()).collect()
    }

    fn bin_outside_the_system(program: &Path) -> Option<PathBuf> {
        let program = program.canonicalize().ok()?;
        let bin = program.parent()?;
        (bin.file_name()? == "bin" && !is_of_the_system(&program)).then(|| bin.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_programs_have_extensions() {
        let spellings = |name| windows_spellings(name, ".EXE;.BAT");
        assert_eq!(spellings("gcc"), ["gcc.exe", "gcc.bat"]);
        assert_eq!(spellings("./agent.exe"), ["./agent.exe"]);
        assert_eq!(spellings("python3")[..4], ["python3.exe", "python3.bat", "python.exe", "python.bat"]);
    }

    #[cfg(unix)]
    #[test]
    fn a_name_with_a_slash_is_not_searched_for() {
        let path = OsStr::new("/bin:/usr/bin");
        assert!(find(path, Path::new("/"), "sh").is_some());
        assert!(find(path, Path::new("/"), "./sh").is_none());
        assert!(find(path, Path::new("/bin"), "./sh").is_some());
    }
}
