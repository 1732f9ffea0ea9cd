//! An agent whose author's code never answers: every command says so.

mod common;

use std::path::PathBuf;

use common::{damier_in, folder, text_of};
use serde_json::Value;

/// Reports that it has no answer; with an argument, it resigns immediately.
const AGENT: &str = r#"
import json, sys
print("Warning: player.pl:1:\nWarning:    Singleton variables: [X]", file=sys.stderr, flush=True)
for line in sys.stdin:
    message = json.loads(line)
    if message["t"] == "hello":
        print(json.dumps({"t": "hello", "proto": 1, "name": "x"}), flush=True)
    elif message["t"] == "start":
        print(json.dumps({"t": "ready"}), flush=True)
    elif message["t"] == "quit":
        break
    elif message["t"] == "turn" and len(sys.argv) > 1:
        print(json.dumps({"t": "resign", "n": message["n"], "reason": "impossible"}), flush=True)
    elif message["t"] == "turn":
        print("ERROR: catch/3: Unknown procedure: move/12", file=sys.stderr, flush=True)
        print(json.dumps({"t": "fault", "n": message["n"], "detail": "Unknown procedure move/12"}), flush=True)
"#;

const CORRIDOR: &str = "#######\n#P....#\n#######\n";

/// A folder with an agent for Pacman, `none`, one that resigns, `gives-up`, and a corridor in which Pacman keeps moving by itself.
fn prepared(name: &str) -> PathBuf {
    let folder = folder(name);
    std::fs::write(folder.join("corridor.txt"), CORRIDOR).unwrap();
    for (agent, argument) in [("none", ""), ("gives-up", " resign")] {
        let own = folder.join(agent);
        std::fs::create_dir_all(&own).unwrap();
        std::fs::write(own.join("agent.py"), AGENT).unwrap();
        let manifest = format!("name = '{agent}'\ngame = 'pacman'\ncommand = 'python3 agent.py{argument}'\n");
        std::fs::write(own.join("agent.toml"), manifest).unwrap();
    }
    folder
}

const SENTENCE: &str = "4 of 4 answers were not yours: Unknown procedure move/12";

#[test]
fn check_agent_does_not_call_it_faultless_and_shows_the_end_of_the_log() {
    let folder = prepared("no-answer-check");
    let said =
        text_of(damier_in(&folder, &["check-agent", "none", "--decisions", "4", "--memory", "256"]), 1);
    assert!(said.contains(SENTENCE) && !said.contains("without a mistake"), "{said}");
    assert!(said.contains("    ERROR: catch/3: Unknown procedure: move/12"), "{said}");
    assert!(!said.contains("Singleton"), "warnings of loading are left out: {said}");
    let said = text_of(damier_in(&folder, &["check-agent", "gives-up"]), 0);
    assert!(said.contains("it gave up at decision 1: impossible"), "{said}");
}

#[test]
fn tables_and_replays_count_it() {
    let folder = prepared("no-answer-run");
    let run = ["run", "pacman", "--level", "corridor.txt", "--agent", "none,baseline"];
    let table = text_of(damier_in(&folder, &[&run[..], &["--replays", "kept"]].concat()), 0);
    assert!(table.contains(&format!("none: {SENTENCE}")) && !table.contains("baseline: "), "{table}");
    let lines = text_of(damier_in(&folder, &[&run[..], &["--json", "--unconfined"]].concat()), 0);
    let games: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let of = |agent: &str| &games.iter().find(|game| game["agent"] == agent).unwrap()["substituted"];
    assert_eq!((&of("none")["count"], of("baseline")), (&4.into(), &Value::Null));

    let replay = "kept/corridor_txt-none-1.jsonl.zst";
    let text = text_of(damier_in(&folder, &["replay", replay]), 0);
    for part in ["! no-answer: Unknown procedure move/12", "| ERROR: catch/3", &format!("none: {SENTENCE}")] {
        assert!(text.contains(part), "{part} in {text}");
    }
    text_of(damier_in(&folder, &["verify", replay]), 0);

    let table =
        text_of(damier_in(&folder, &["match", "pacman", "none", "baseline", "--level", "corridor.txt"]), 0);
    assert!(table.contains(&format!("none: {SENTENCE}")), "{table}");
}

#[test]
fn a_game_that_was_given_up_is_lost_without_a_fault() {
    let folder = prepared("no-answer-resign");
    let args =
        ["run", "pacman", "--level", "corridor.txt", "--agent", "gives-up", "--replays", "kept", "--json"];
    let game: Value = serde_json::from_str(&text_of(damier_in(&folder, &args), 0)).unwrap();
    let end = (&game["outcome"], &game["reason"], &game["turns"]);
    assert_eq!(end, (&"loss".into(), &"it gave up: impossible".into(), &0.into()));
    assert_eq!(game["substituted"], Value::Null);
    let replay = "kept/corridor_txt-gives-up-1.jsonl.zst";
    text_of(damier_in(&folder, &["verify", replay]), 0);
}
