//! Names, logs and reasons of agents cannot inject control sequences into the user's terminal.
#![cfg(unix)]

mod common;

use std::path::{Path, PathBuf};
use std::process::Output;

use common::{damier_in, folder};

/// Sets the title, rings the bell, changes the colour and reverses the writing direction.
const NASTY: &str = "\u{1b}]0;owned\u{7}\u{1b}[31m\u{202e}\u{9b}2J";

/// Sends control sequences wherever it can: in its log, its insight, as an action, and when it resigns.
const AGENT: &str = r#"
import json, sys
NASTY = "\u001b]0;owned\u0007\u001b[31m\u202e\u009b2J"
def say(message):
    print(json.dumps(message), flush=True)
for line in sys.stdin:
    message = json.loads(line)
    print(NASTY, file=sys.stderr, flush=True)
    if message["t"] == "hello":
        say({"t": "hello", "proto": 1, "name": NASTY})
    elif message["t"] == "start":
        say({"t": "ready"})
    elif message["t"] == "turn" and message["n"] == 1:
        say({"t": "info", "text": NASTY, "cells": [[0, 0, NASTY]], "scores": {NASTY: 1}})
        say({"t": "act", "n": 1, "a": NASTY})
    elif message["t"] == "turn" and message["n"] == 2:
        say({"t": "fault", "n": 2, "detail": NASTY})
    elif message["t"] == "turn":
        say({"t": "resign", "n": message["n"], "reason": NASTY})
"#;

/// A folder with a hostile agent in a folder with a hostile name.
fn nasty_class(name: &str) -> (PathBuf, String) {
    let folder = folder(name);
    // File names may contain anything but a slash.
    let agent = format!("class/{NASTY}");
    std::fs::create_dir_all(folder.join(&agent)).unwrap();
    let escaped = NASTY.chars().map(|c| format!("\\U{:08X}", u32::from(c))).collect::<Vec<_>>().concat();
    let manifest = format!("name = \"{escaped}\"\ncommand = \"python3 agent.py\"\n");
    std::fs::write(folder.join(&agent).join("agent.toml"), manifest).unwrap();
    std::fs::write(folder.join(&agent).join("agent.py"), AGENT).unwrap();
    (folder, agent)
}

/// The output of a command, which must not contain control sequences.
#[track_caller]
fn harmless(output: &Output) -> String {
    let printed = [&output.stdout[..], &output.stderr].concat();
    let text = String::from_utf8(printed).unwrap();
    let steers = |c: &char| (c.is_control() && !matches!(c, '\n' | '\t')) || *c == '\u{202e}';
    assert_eq!(text.chars().find(steers), None, "{text:?}");
    assert!(text.contains("owned"), "the agent said nothing: {text}");
    text
}

fn run(folder: &Path, args: &[&str]) -> String {
    harmless(&damier_in(folder, args))
}

#[test]
fn no_command_passes_on_what_steers_a_terminal() {
    let (folder, agent) = nasty_class("foreign-text");
    let suite =
        "name = 's'\ngame = 'pacman'\n[[tests]]\nname = 't'\nlevels = ['damier/pocket']\npoints = 1\n";
    std::fs::write(folder.join("suite.toml"), suite).unwrap();
    let level = ["--level", "damier/pocket"];
    run(&folder, &[&["run", "pacman", "--agent", &agent, "--replays", "replays"], &level[..]].concat());
    run(&folder, &[&["match", "pacman", "random", &agent], &level[..]].concat());
    let both = format!("random,{agent}");
    run(&folder, &[&["tournament", "pacman", "--agent", &both, "--out", "t.db"], &level[..]].concat());
    run(&folder, &["merge", "t.db"]);
    run(&folder, &["replay", "t.db#1"]);
    run(&folder, &["grade", "suite.toml", &agent, "--out", "report"]);
    run(&folder, &["check-agent", &agent, "--game", "pacman"]);
    run(&folder, &["check-agent", &format!("class/no-{NASTY}")]);
    for file in ["report/index.html", "report/results.csv", "report/junit.xml"] {
        let text = std::fs::read(folder.join(file)).unwrap();
        harmless(&Output { stdout: text, stderr: Vec::new(), status: std::process::ExitStatus::default() });
    }
}
