//! Words separated by single spaces, for `scanf`.
//!
//! ```text
//! > hello 1 damier~0.1.0 loderunner course
//! < hello 1 my-astar
//! > start 7f3a 0 1 10000 100 50 2000 3 512 1 1000 3 WWWW W.XW WWWW
//! < ready
//! > turn 17 1830 3 none left bomb_right 5 map 3 WWWW W.XW WWWW exit 2 2 1 …
//! < info A* 41 nodes
//! < cell 3 4 path
//! < score left 0.7
//! < act 17 left
//! > fault 18 illegal noop 1 bomb_left:~(3,8)~is~not~floor
//! > end win 211 1 1350 exit~reached
//! > quit
//! ```
//!
//! A list is its length and its elements; an object its length and its keys, each before its value; nothing is `-`, true 1, false 0.
//! A word holds no space: `~` stands for one, `%7E` for `~`, `%25` for `%`, and `%` alone for the empty word.

use std::fmt::Write;

use serde_json::Value;

use super::{Answer, Message, POLICY, PROTO, level_value, limits};

/// Appends a message.
pub fn write(message: &Message<'_>, line: &mut Vec<u8>) {
    let mut text = String::new();
    match message {
        Message::Hello { engine, game, rules } => {
            words(&mut text, ["hello", &PROTO.to_string(), engine, game, rules]);
        }
        Message::Start { id, player, players, terms, level } => {
            words(&mut text, ["start", id]);
            numbers(&mut text, [*player as u64, *players as u64]);
            numbers(&mut text, limits(terms).map(|(_, limit)| limit));
            put(&mut text, &level_value(level));
        }
        Message::Turn { n, bank_ms, legal, observation } => {
            words(&mut text, ["turn"]);
            numbers(&mut text, [u64::from(*n), *bank_ms, legal.len() as u64]);
            words(&mut text, legal.iter().map(String::as_str));
            put(&mut text, observation);
        }
        Message::Fault { n, fault, strikes } => {
            words(&mut text, ["fault", &n.to_string(), fault.code.name(), POLICY]);
            words(&mut text, [&*strikes.to_string(), &fault.detail]);
        }
        Message::End { result, reason, turns, scores } => {
            words(&mut text, ["end", result, &turns.to_string(), &scores.len().to_string()]);
            words(
                &mut text,
                scores.iter().map(i64::to_string).collect::<Vec<_>>().iter().map(String::as_str),
            );
            words(&mut text, [*reason]);
        }
        Message::Quit => words(&mut text, ["quit"]),
    }
    line.extend_from_slice(text.trim_start().as_bytes());
}

fn words<'a>(text: &mut String, words: impl IntoIterator<Item = &'a str>) {
    for word in words {
        text.push(' ');
        if word.is_empty() {
            text.push('%');
        }
        for character in word.chars() {
            match character {
                ' ' => text.push('~'),
                '~' | '%' => write!(text, "%{:02X}", character as u32).expect("a string takes it"),
                character if character.is_whitespace() || character.is_control() => text.push('~'),
                character => text.push(character),
            }
        }
    }
}

fn numbers(text: &mut String, numbers: impl IntoIterator<Item = u64>) {
    for number in numbers {
        write!(text, " {number}").expect("a string takes it");
    }
}

fn put(text: &mut String, value: &Value) {
    match value {
        Value::Null => words(text, ["-"]),
        Value::Bool(truth) => words(text, [if *truth { "1" } else { "0" }]),
        Value::Number(number) => write!(text, " {number}").expect("a string takes it"),
        Value::String(word) => words(text, [word.as_str()]),
        Value::Array(values) => {
            numbers(text, [values.len() as u64]);
            for value in values {
                put(text, value);
            }
        }
        Value::Object(map) => {
            numbers(text, [map.len() as u64]);
            for (key, value) in map {
                words(text, [key.as_str()]);
                put(text, value);
            }
        }
    }
}

/// Reads an answer.
pub fn read(line: &str) -> Result<Answer, String> {
    let mut parts = line.split_whitespace();
    let kind = parts.next().ok_or("the line is empty")?;
    if kind == "info" {
        let text = line.trim_start().strip_prefix("info").unwrap_or_default().trim().to_owned();
        return Ok(Answer::sentence(text));
    }
    let words: Vec<&str> = parts.collect();
    match (kind, &words[..]) {
        ("hello", [proto, name]) => Ok(Answer::Hello { proto: number("hello", proto)?, name: plain(name) }),
        ("ready", []) => Ok(Answer::Ready),
        ("act", [n, action]) => Ok(Answer::Act { n: number("act", n)?, action: plain(action) }),
        ("fault", [n, detail]) => Ok(Answer::Fault { n: number("fault", n)?, detail: plain(detail) }),
        ("resign", [n, reason]) => Ok(Answer::Resign { n: number("resign", n)?, reason: plain(reason) }),
        ("cell", [x, y, why]) => Ok(Answer::mark((number("cell", x)?, number("cell", y)?), plain(why))),
        ("score", [action, score]) => Answer::score(plain(action), number("score", score)?),
        ("hello", _) => Err("`hello` takes two words: the version 1 and a name without spaces".into()),
        ("ready", _) => Err("`ready` takes no other words".into()),
        ("act", _) => {
            Err("`act` takes two words: the number of the turn and the action, with `~` for a space".into())
        }
        ("fault" | "resign", _) => {
            Err(format!("`{kind}` takes two words: the number of the turn and why, with `~` for a space"))
        }
        ("cell", _) => Err("`cell` takes three words: column, row and why".into()),
        ("score", _) => Err("`score` takes two words: the action and its score".into()),
        _ => Err(format!(
            "`{kind}` is not a message of an agent: these are hello, ready, info, cell, score, act, fault and resign"
        )),
    }
}

fn number<T: std::str::FromStr>(kind: &str, word: &str) -> Result<T, String> {
    word.parse().map_err(|_| format!("`{kind}`: `{word}` is not a valid number here"))
}

/// The word without its escapes.
fn plain(word: &str) -> String {
    if word == "%" { String::new() } else { word.replace('~', " ").replace("%7E", "~").replace("%25", "%") }
}
