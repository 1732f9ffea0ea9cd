//! Failures of the referee's machine are not the agent's fault: these games do not count, and are played again.
#![cfg(target_os = "linux")]

mod common;
#[path = "../../process/tests/processes/hide.rs"]
#[allow(dead_code, reason = "each test uses its part")]
mod hide;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use common::{damier_in, folder, text_of};

/// A path at which no temporary folder can be created.
const NO_FOLDER: &str = "/proc/nope";

fn damier_with(temporary: &str, folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_damier"));
    command.args(args).current_dir(folder).env("TMPDIR", temporary);
    command
}

/// Without namespaces, agents write to the machine's temporary folder.
fn damier_without_scratch(folder: &Path, args: &[&str]) -> Output {
    let mut command = damier_with(NO_FOLDER, folder, args);
    hide::hide(&mut command, hide::NAMESPACES);
    command.output().unwrap()
}

/// The error message of a command that could not play all its games.
#[track_caller]
fn missing(output: &Output) -> String {
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{errors}");
    let sentence = errors.lines().find(|line| line.contains("this machine failed"));
    sentence.unwrap_or_else(|| panic!("{errors}")).to_owned()
}

/// A folder with an agent in Python, which answers the first legal action.
fn with_agent(name: &str) -> PathBuf {
    let folder = folder(name);
    text_of(damier_in(&folder, &["new-agent", "siam", "python", "mine"]), 0);
    folder
}

#[test]
fn a_tournament_leaves_out_what_the_machine_cannot_play_and_plays_it_later() {
    let folder = with_agent("machine-tournament");
    let args = |store| {
        let agents = ["--agent", "mine,random,original", "--turns", "10", "--seeds", "1..2"];
        [&["tournament", "siam", "--out", store], &agents[..]].concat()
    };
    let undisturbed = text_of(damier_in(&folder, &args("whole.db")), 0);
    let sentence = missing(&damier_without_scratch(&folder, &args("failed.db")));
    assert!(sentence.contains("8 games were not played") && sentence.contains(NO_FOLDER), "{sentence}");
    assert!(sentence.ends_with("--resume plays the missing games"), "{sentence}");
    let table = text_of(damier_in(&folder, &["merge", "failed.db"]), 0);
    assert!(!table.contains("my-agent"), "a game of the agent counts: {table}");
    let resumed = text_of(damier_in(&folder, &[&args("failed.db")[..], &["--resume"]].concat()), 0);
    assert_eq!(resumed, undisturbed);
}

#[test]
fn nobody_is_graded_for_games_that_the_machine_could_not_play() {
    let folder = with_agent("machine-grade");
    let suite =
        "name = 'S'\ngame = 'siam'\n[[tests]]\nname = 't'\nagainst = 'random'\nturns = 10\npoints = 1\n";
    std::fs::write(folder.join("suite.toml"), suite).unwrap();
    let args = ["grade", "suite.toml", "mine", "--out", "report"];
    let sentence = missing(&damier_without_scratch(&folder, &args));
    assert!(sentence.contains("2 games were not played"), "{sentence}");
    assert!(!folder.join("report/index.html").exists(), "a report without the games");
    text_of(damier_in(&folder, &[&args[..], &["--resume"]].concat()), 1);
    assert!(folder.join("report/index.html").exists());
}

#[test]
fn runs_matches_and_checks_say_that_the_machine_failed() {
    let folder = with_agent("machine-run");
    let run = ["run", "siam", "--agent", "mine", "--vs", "random", "--turns", "10", "--json"];
    let failed = damier_without_scratch(&folder, &run);
    assert!(missing(&failed).contains("1 game was not played"));
    assert!(failed.stdout.is_empty(), "a line of a game that was not played");
    let matched = ["match", "siam", "random", "mine", "--turns", "10"];
    assert!(missing(&damier_without_scratch(&folder, &matched)).ends_with("play the match again"));
    let checked = damier_without_scratch(&folder, &["check-agent", "mine"]);
    let errors = String::from_utf8_lossy(&checked.stderr);
    assert_eq!(checked.status.code(), Some(2), "{errors}");
    assert!(errors.contains("machine: the temporary folder /proc/nope"), "{errors}");
}

/// In namespaces an agent's scratch folder is in memory: the machine's does not matter.
#[test]
fn with_namespaces_no_temporary_folder_is_needed() {
    let folder = with_agent("machine-namespaces");
    let run = ["run", "siam", "--agent", "mine", "--vs", "random", "--turns", "10"];
    let usual = text_of(damier_in(&folder, &run), 0);
    let other = text_of(damier_with(NO_FOLDER, &folder, &run).output().unwrap(), 0);
    let without_times =
        |text: &str| text.lines().map(|line| line.chars().take(40).collect()).collect::<Vec<String>>();
    assert_eq!(without_times(&other), without_times(&usual));
}

/// The referee has no descriptors left: the agent is not to blame.
#[test]
fn an_agent_is_not_blamed_for_descriptors_that_the_machine_lacks() {
    let folder = with_agent("machine-descriptors");
    let program = env!("CARGO_BIN_EXE_damier");
    // Enough for the program, not for the pipes of its agents.
    let script = format!("ulimit -n 10; exec {program} run siam --agent mine --vs random --turns 10 --json");
    let output = Command::new("sh").args(["-c", &script]).current_dir(&folder).output().unwrap();
    assert!(missing(&output).contains("1 game was not played"));
    assert!(output.stdout.is_empty(), "a line of a game that was not played");
}
