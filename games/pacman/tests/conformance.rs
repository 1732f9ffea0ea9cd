//! Games of the original program, state by state.
//!
//! `fixtures/traces.jsonl` holds one game a line: its keys, and its states as words of 19 characters. Numbers are digits
//! of base 36: Pacman's column, row and direction, the same of the four ghosts, the potion clock or `-`, two digits of
//! the score, and the first letter of the status.

use damier_core::random::Rng;
use damier_kit::{Levels, Trace};
use damier_pacman::Pacman;
use serde_json::Value;

fn digit(value: &Value) -> char {
    char::from_digit(value.as_u64().unwrap() as u32, 36).unwrap()
}

fn word(state: &Value) -> String {
    let ghosts = state["ghosts"].as_array().unwrap().iter().flat_map(|ghost| ghost.as_array().unwrap());
    let figures = state["pacman"].as_array().unwrap().iter().chain([&state["dir"]]).chain(ghosts);
    let mut word: String = figures.map(digit).collect();
    word.push(if state["potion"].is_null() { '-' } else { digit(&state["potion"]) });
    let score = state["score"].as_u64().unwrap();
    word.extend([score / 36, score % 36].map(|part| char::from_digit(part as u32, 36).unwrap()));
    word.push(state["status"].as_str().unwrap().chars().next().unwrap());
    word
}

fn trace(rules: &str, actions: &str) -> Vec<Value> {
    let game = Pacman::open(damier_pacman::ORIGINAL_MAZE, rules).unwrap();
    let mut states = Vec::new();
    Pacman::trace(&game, actions, &mut Rng::new(0), &mut |state| states.push(state)).unwrap();
    states
}

#[test]
fn the_games_of_the_original_program() {
    let games = include_str!("fixtures/traces.jsonl");
    assert_eq!(games.lines().count(), 16);
    for game in games.lines() {
        let game: Value = serde_json::from_str(game).unwrap();
        let states = trace("course", game["keys"].as_str().unwrap());
        let expected: Vec<&str> = game["states"].as_str().unwrap().split(' ').collect();
        assert_eq!(states.len(), expected.len(), "states of {}", game["id"]);
        for (index, (state, expected)) in states.iter().zip(expected).enumerate() {
            assert_eq!(word(state), expected, "state {index} of {}: {state}", game["id"]);
            let (turn, phase) = (index.div_ceil(2), ["pacman", "ghosts"][index % 2]);
            assert_eq!(state["turn"], turn, "state {index} of {}", game["id"]);
            assert_eq!(state["phase"], if index == 0 { "init" } else { phase });
            assert_eq!(state["visited"], state["score"].as_u64().unwrap() + 6);
        }
    }
}

#[test]
fn a_trace_has_the_fields_of_the_rules() {
    let states = trace("course", "");
    let mut fields: Vec<&str> = states[0].as_object().unwrap().keys().map(String::as_str).collect();
    fields.sort_unstable();
    let expected = ["dir", "ghosts", "pacman", "phase", "potion", "score", "status", "turn", "visited"];
    assert_eq!(fields, expected);
    assert_eq!(states.len(), 2, "the board, then the ghosts of the turn that waits for a key");
}

#[test]
fn names_and_keys_spell_the_same_game() {
    assert_eq!(trace("course", "up,left,wait,right,down,quit"), trace("course", "zq ds\u{61}"));
    assert_eq!(trace("course", "left"), trace("course", "q"));
    assert_eq!(trace("course", "Z,é"), trace("course", "xxx"), "unknown keys do nothing, whatever they are");
    assert_eq!(trace("course", "zzzzza").last().unwrap()["status"], "quit");
}
