//! A sixth game, registered in its own program, is in every command: nothing else had to change.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A folder that is gone after the test.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("damier-tug-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn damier(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_damier-tug")).args(arguments).output().unwrap()
}

/// What a command prints when it succeeds.
fn output(arguments: &[&str]) -> String {
    let output = damier(arguments);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn it_is_listed_with_its_levels() {
    assert!(output(&["games"]).contains("Tug of war"));
    assert!(output(&["levels", "tug"]).contains("ropes/short"));
    assert_eq!(output(&["levels", "tug", "ropes/short"]), "<..o..>\n");
    assert!(output(&["--help"]).contains("games"));
    assert!(output(&["completions", "bash"]).contains("tug"));
    assert!(output(&["schema", "tug"]).contains("integer"));
}

#[test]
fn its_levels_are_checked_solved_generated_and_converted() {
    assert!(output(&["check", "tug", "ropes/short"]).contains("can be won"));
    assert!(output(&["solve", "tug", "ropes/long", "--json"]).contains("\"outcome\":\"solved\""));
    let rope = output(&["generate", "tug", "--seed", "3", "--size", "9x1"]);
    assert_eq!(rope, "<...o...>\n");
    assert_eq!(output(&["convert", "tug", "--to", "rope", "ropes/short"]), "<..o..>\n");
    let scratch = Scratch::new("malformed");
    std::fs::write(scratch.path("bad.txt"), "<..x..>\n").unwrap();
    let refused = damier(&["check", "tug", &scratch.path("bad.txt")]);
    assert_eq!(refused.status.code(), Some(2));
    let message = String::from_utf8(refused.stderr).unwrap();
    assert!(message.contains("bad.txt:1:4: expected rope `.` or the token `o`, found `x`"), "{message}");
}

#[test]
fn its_games_are_traced_played_replayed_reviewed_and_measured() {
    assert_eq!(output(&["trace", "tug", "--actions", "gently,gently"]).lines().count(), 3);
    let scratch = Scratch::new("games");
    let table =
        output(&["run", "tug", "--agent", "best,random", "--seeds", "1..3", "--replays", &scratch.path("")]);
    assert!(table.contains("best"), "{table}");
    let replay = replays(&scratch.0).next().expect("a replay was kept");
    assert!(output(&["verify", &replay]).contains("ok"));
    assert!(output(&["review", &replay]).contains("it ended at"));
    assert!(output(&["bench", "tug", "--seconds", "0.01"]).contains("pulls"));
}

fn replays(folder: &Path) -> impl Iterator<Item = String> {
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    files
        .filter(|file| file.extension().is_some_and(|end| end == "zst"))
        .map(|file| file.display().to_string())
}

#[test]
fn it_is_played_in_the_terminal() {
    for command in [&["play", "tug"][..], &["watch", "tug", "--agent", "best"]] {
        let refused = damier(command);
        let message = String::from_utf8(refused.stderr).unwrap();
        assert!(message.contains("this needs a terminal"), "{command:?}: {message}");
    }
}

#[test]
fn it_has_agents_matches_tournaments_and_grades() {
    let scratch = Scratch::new("arena");
    let agent = scratch.path("my-tug");
    output(&["new-agent", "tug", "python", &agent]);
    assert!(output(&["check-agent", &agent]).contains("without a mistake"));
    assert!(output(&["match", "tug", "random", "best", "--seeds", "1..4"]).contains("Elo"));
    let store = scratch.path("tug.db");
    let agents = format!("best,random,{agent}");
    let table = output(&["tournament", "tug", "--agent", &agents, "--seeds", "1..2", "--out", &store]);
    assert!(table.contains("my-tug"), "{table}");
    assert!(output(&["verify", &store]).contains("ok"));
    let graded = damier(&["grade", "tug", &agent, "--out", &scratch.path("report")]);
    let printed = String::from_utf8_lossy(&graded.stdout).into_owned();
    assert!(printed.contains("my-tug"), "{printed}{}", String::from_utf8_lossy(&graded.stderr));
    assert!(scratch.0.join("report/index.html").is_file());
}
