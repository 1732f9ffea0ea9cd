//! What the tests of the program share: running it and reading its answers.

#![allow(dead_code, reason = "every test program uses a part of it")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// Runs the program in a folder.
pub fn damier_in(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_damier"))
        .args(args)
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

/// What a command prints that ends with this exit code.
#[track_caller]
pub fn text_of(output: Output, exit_code: i32) -> String {
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(exit_code), "{errors}");
    String::from_utf8(output.stdout).unwrap()
}

/// The one line on standard error of a command that must refuse its input.
#[track_caller]
pub fn refusal_of(output: Output) -> String {
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{errors}");
    assert_eq!(errors.lines().count(), 1, "one clear message: {errors}");
    errors
}

/// A folder of one test alone, empty.
pub fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).unwrap();
    path
}
