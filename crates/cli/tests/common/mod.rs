//! Helpers of the program's tests: running it and reading its output.

#![allow(dead_code, reason = "every test program uses a part of it")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// Runs the program.
pub fn damier(args: &[&str]) -> Output {
    damier_in(Path::new("."), args)
}

/// The output of the program, which must succeed.
#[track_caller]
pub fn printed(args: &[&str]) -> String {
    let output = damier(args);
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "damier {}\n{out}{err}", args.join(" "));
    out.into_owned()
}

/// Runs the program in a folder.
pub fn damier_in(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_damier"))
        .args(args)
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

/// The output of a command that must end with this exit code.
#[track_caller]
pub fn text_of(output: Output, exit_code: i32) -> String {
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(exit_code), "{errors}");
    String::from_utf8(output.stdout).unwrap()
}

/// The one line on standard error of a command that must reject its input.
#[track_caller]
pub fn refusal_of(output: Output) -> String {
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{errors}");
    assert_eq!(errors.lines().count(), 1, "one clear message: {errors}");
    errors
}

/// An empty folder for one test.
pub fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).unwrap();
    path
}
