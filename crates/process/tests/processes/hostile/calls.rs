//! System calls and files that are no agent's business.

use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;

use super::{Elsewhere, assert_unharmed, run, run_with, succeeded, terms};
use crate::common::{agents, manifest};
use damier_host::terms::Confinement;
use damier_kit::fault::FaultCode;
use damier_process::process::build;

/// Needs the list of allowed system calls. A call that fails for its arguments was reached.
#[cfg(target_arch = "x86_64")]
#[test]
fn calls_that_no_player_needs_are_not_even_looked_at() {
    let played = run_with("surface", "", 4, &terms(Confinement::Full));
    assert_unharmed(&played);
    let reached: Vec<&str> = played.log.lines().filter(|line| line.starts_with("reached ")).collect();
    assert_eq!((reached, succeeded(&played)), (vec![], vec![]), "{}", played.log);
    assert!(played.log.lines().filter(|line| line.starts_with("failed ")).count() > 35, "{}", played.log);
}

/// Needs the filter to know the interface of a call.
#[cfg(target_arch = "x86_64")]
#[test]
fn calls_by_another_interface_lose_and_say_so() {
    let played = run("interface", "", Confinement::Full);
    assert_eq!(played.code(), FaultCode::Forbidden, "{}", played.fault());
    assert!(played.fault().detail.contains("another architecture"), "{}", played.fault());
}

/// Needs the filter: neither limits nor priorities of the one who started it, nor a core that others use.
#[test]
fn the_referee_keeps_its_limits_and_priorities() {
    let played = run("referee", "", Confinement::Full);
    assert_unharmed(&played);
    assert_eq!(succeeded(&played), [""; 0], "{}", played.log);
}

/// Needs a read-only folder, and the filter for what Landlock does not know.
#[test]
fn an_agent_leaves_no_mark_on_its_own_files() {
    let file = agents().join("hostile.py");
    let state = || {
        let metadata = std::fs::metadata(&file).unwrap();
        (metadata.mtime(), metadata.mode(), metadata.len())
    };
    let before = state();
    let played = run("remember", "", Confinement::Full);
    assert_unharmed(&played);
    assert_eq!((state(), succeeded(&played)), (before, vec![]), "{}", played.log);
}

/// Needs the filter, which looks at the modes of new files.
#[test]
fn no_file_runs_as_its_owner_and_there_are_no_special_files() {
    let played = run("owner", "", Confinement::Full);
    assert_unharmed(&played);
    assert_eq!(succeeded(&played), [""; 0], "{}", played.log);
}

/// Needs namespaces or Landlock.
#[test]
fn nothing_of_others_can_be_read() {
    let played = run("look", "", Confinement::Full);
    assert_unharmed(&played);
    // Without namespaces, folders can be seen from outside, but not opened.
    let opened: Vec<_> = succeeded(&played).into_iter().filter(|path| !Path::new(path).is_dir()).collect();
    assert_eq!(opened, [""; 0], "{}", played.log);
}

/// Needs a search for programs that gives no right to what lies around them.
#[test]
fn a_folder_called_bin_opens_nothing_beside_it() {
    let class = Elsewhere::new("class");
    let (bin, bob) = (class.0.join("bin"), class.0.join("lib"));
    for folder in [&bin, &bob] {
        std::fs::create_dir_all(folder).unwrap();
    }
    std::fs::write(bob.join("file.txt"), "a secret").unwrap();
    let program = bin.join("agent");
    std::fs::write(&program, format!("#!/bin/sh\ncat {}\n", bob.join("file.txt").display())).unwrap();
    std::fs::set_permissions(&program, PermissionsExt::from_mode(0o755)).unwrap();
    let text = "name = \"bin\"\ncommand = \"./agent\"\nprocesses = 4\n";
    let played = crate::common::play(&crate::common::agent(text, &bin), &terms(Confinement::Full));
    assert!(
        !played.log.contains("a secret") && !played.fault().detail.contains("a secret"),
        "{}",
        played.log
    );
}

/// Needs the filter while an agent is built: its folder is writable then.
#[test]
fn a_build_leaves_no_file_that_runs_as_its_owner() {
    let class = Elsewhere::new("build");
    let script = "import os\nos.close(os.open('made', os.O_CREAT | os.O_WRONLY, 0o755))\n\
        for mode in (0o4755, 0o2755):\n    os.chmod('made', mode)\n\
        try:\n    os.open('other', os.O_CREAT | os.O_WRONLY, 0o4755)\nexcept OSError:\n    pass\n\
        try:\n    os.chmod('../file.txt', 0)\nexcept OSError:\n    pass\n";
    let folder = class.0.join("agent");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(class.file(), "").unwrap();
    std::fs::write(folder.join("build.py"), script).unwrap();
    let text = "name = \"build\"\nbuild = \"python3 build.py\"\ncommand = \"./made\"\n";
    build(&manifest(text, &folder), Confinement::Full).unwrap();
    let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o7777;
    assert_eq!(mode(&folder.join("made")), 0o755);
    assert!(!folder.join("other").exists());
    assert_ne!(mode(Path::new(&class.file())), 0, "the file of somebody else");
}
