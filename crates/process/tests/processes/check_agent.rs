//! Every deliberate mistake is found, with a message of its own.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use crate::common::{agents, manifest};
use damier_host::terms::Terms;
use damier_kit::AnyGame;
use damier_pacman::Pacman;
use damier_process::check_agent::{Report, check};

/// Each mistake of `mistaken.py`, the name of its check, and a part of the message.
const MISTAKES: &[(&str, &str, &str)] = &[
    (
        "crash-at-start",
        "ended",
        "should have said `hello`, but it ended with exit code 1; its last log line: RuntimeError: no such file",
    ),
    ("no-hello", "silent", "said nothing where `hello` was expected"),
    ("no-newline", "no-line-end", "without a newline"),
    ("banner", "chatter", "`My agent 1.0` to standard output"),
    ("text-wire", "other-wire", "a message of the wire `text`, but agent.toml says `json`"),
    ("term-wire", "other-wire", "a message of the wire `term`"),
    ("python-dict", "not-quite-json", "looks like JSON but is not"),
    ("broken-json", "unreadable", "this is not JSON"),
    ("no-kind", "unreadable", "the key `t` is missing"),
    ("unknown-kind", "unreadable", "`hi` is not a message of an agent"),
    ("version", "version", "speaks version 2"),
    ("no-name", "unreadable", "the key `name` is missing"),
    ("empty-name", "nameless", "name in `hello` is empty"),
    ("ready-first", "early-ready", "before it got `start`"),
    ("early-ready", "early-ready", "before it got `start`"),
    ("hello-twice", "twice", "said `hello` twice"),
    ("act-first", "out-of-order", "`act` where `hello` was expected"),
    ("no-ready", "silent", "said nothing where `ready` was expected"),
    ("act-for-ready", "early-act", "before it got `turn`"),
    ("empty-line", "empty-line", "an empty line"),
    ("fork", "forbidden", "tried to start another process"),
    ("fork-quietly", "forbidden", "tried to start another process, which was refused."),
    ("early-act", "early-act", "before it got `turn`"),
    ("endless-loop", "computing", "still computing where `act` was expected, after"),
    ("no-act", "silent", "said nothing where `act` was expected"),
    (
        "crash-in-turn",
        "ended",
        "should have said `act`, but it ended with exit code 1; its last log line: IndexError",
    ),
    ("chatter", "chatter", "`thinking about turn 1`"),
    ("no-number", "unreadable", "the key `n` is missing"),
    ("number-as-text", "unreadable", "`n` is \"1\", not a number"),
    ("action-as-number", "unreadable", "`a` is 3, not a string"),
    ("wrong-key", "wrong-key", "has the action in `action`"),
    ("bad-info", "unreadable", "not a list of [column, row, \"why\"]"),
    ("slow", "slow", "for a turn of 100 ms"),
    ("long-line", "flood", "a line of more than 65536 bytes"),
    ("wrong-turn", "wrong-turn", "answered turn 0 when asked for turn 1"),
    ("unknown-action", "unknown-action", "has no action `jump`"),
    ("upper-case", "spelling", "wrote the action `up` as `UP`"),
    ("illegal", "illegal", "`stay` was not legal"),
    ("no-answer", "no-answer", "2 of 3 answers were not yours: Unknown procedure meilleur_coup/2."),
    ("act-twice", "twice", "said `act` twice"),
    ("immortal", "immortal", "running after `quit`"),
];

fn run(text: &str) -> Report {
    let game = Pacman;
    let level = game.open(damier_pacman::ORIGINAL_MAZE, "course").unwrap();
    let (init, turn, bank) =
        (Duration::from_secs(2), Duration::from_millis(100), Duration::from_millis(1500));
    let terms = Terms { init, turn, bank, ..Terms::default() };
    check(&Arc::new(manifest(text, &agents())), game.info(), level.as_ref(), 0, 3, &terms).unwrap()
}

fn mistaken(mistake: &str) -> Report {
    let manifest = format!("name = \"x\"\ncommand = \"python3 mistaken.py {mistake}\"");
    run(&manifest)
}

#[test]
fn every_mistake_is_found_and_named() {
    let mut wrong = Vec::new();
    // Only confinement finds processes, and only Linux measures their processor time.
    let findable = |name: &str| !["forbidden", "computing"].contains(&name) || cfg!(target_os = "linux");
    for (mistake, name, sentence) in MISTAKES.iter().filter(|(_, name, _)| findable(name)) {
        let report = mistaken(mistake);
        let found = matches!(&report.mistakes[..], [only]
            if only.name() == *name && only.to_string().contains(sentence) && !only.advice().is_empty());
        if !found {
            wrong.push(format!("{mistake}: {:?}", report.mistakes));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let sentences: BTreeSet<&str> = MISTAKES.iter().map(|(_, _, sentence)| *sentence).collect();
    assert!(sentences.len() >= 20, "twenty different sentences");
}

#[test]
fn a_program_that_is_not_there_is_named() {
    let report = run("name = \"x\"\ncommand = \"no-such-program\"");
    assert_eq!(report.mistakes[0].name(), "not-started");
    assert!(report.mistakes[0].to_string().contains("there is no program `no-such-program`"));
}

#[test]
fn a_build_that_fails_is_named() {
    let manifest =
        "name = \"x\"\nbuild = \"python3 -c 'import sys; sys.exit(\\\"no compiler\\\")'\"\ncommand = \"./x\"";
    let report = run(manifest);
    assert_eq!(report.mistakes[0].name(), "build");
    assert!(report.mistakes[0].to_string().contains("no compiler"), "{}", report.mistakes[0]);
}

#[test]
fn a_build_may_close_its_output_and_work_on() {
    let manifest = "name = \"x\"\nbuild = \"sh -c 'exec >&- 2>&-; sleep 1.5; exit 3'\"\ncommand = \"./x\"";
    let report = run(manifest);
    assert!(report.mistakes[0].to_string().contains("exit code 3"), "{}", report.mistakes[0]);
}

#[test]
fn giving_up_is_no_mistake() {
    let report = mistaken("resign");
    assert_eq!((report.mistakes, report.decisions), (vec![], 2), "{}", report.log);
    assert_eq!(report.resigned.as_deref(), Some("impossible"));
}

#[test]
fn a_good_agent_makes_no_mistake() {
    let report = mistaken("none");
    assert_eq!(report.mistakes, [], "{}", report.log);
    assert_eq!(report.decisions, 3);
}
