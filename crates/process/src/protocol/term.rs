//! Prolog terms that end in a full stop, for `read/1`.
//!
//! ```text
//! > hello(1,'damier 0.1.0',loderunner,course).
//! < hello(1,'my-astar').
//! > start('7f3a',0,1,[init_ms=10000,…,turns=1000],['WWWW','W.XW','WWWW']).
//! < ready.
//! > turn(17,1830,[none,left,bomb_right],[map=['WWWW','W.XW','WWWW'],exit=[2,1],…]).
//! < info('A* 41 nodes').
//! < cell(3,4,path).
//! < score(left,0.7).
//! < act(17,left).
//! > fault(18,illegal,noop,1,'bomb_left: (3,8) is not floor').
//! > end(win,211,[1350],'exit reached').
//! > quit.
//! ```
//!
//! A list is a list, an object a list of `key=value`, a string an atom, nothing is `null`.

use std::fmt::Write;

use serde_json::Value;

use super::{Answer, Message, POLICY, PROTO, level_value, limits};

/// Appends a message.
pub fn write(message: &Message<'_>, line: &mut Vec<u8>) {
    let mut text = String::new();
    match message {
        Message::Hello { engine, game, rules } => {
            let proto = PROTO.to_string();
            compound(&mut text, "hello", &[&proto, &atom(engine), &atom(game), &atom(rules)]);
        }
        Message::Start { id, player, players, terms, level } => {
            let pairs: Vec<String> =
                limits(terms).iter().map(|(name, value)| format!("{name}={value}")).collect();
            let (player, players) = (player.to_string(), players.to_string());
            let limits = format!("[{}]", pairs.join(","));
            compound(
                &mut text,
                "start",
                &[&atom(id), &player, &players, &limits, &term(&level_value(level))],
            );
        }
        Message::Turn { n, bank_ms, legal, observation } => {
            let legal: Vec<String> = legal.iter().map(|action| atom(action)).collect();
            let legal = format!("[{}]", legal.join(","));
            compound(&mut text, "turn", &[&n.to_string(), &bank_ms.to_string(), &legal, &term(observation)]);
        }
        Message::Fault { n, fault, strikes } => {
            let (n, strikes, detail) = (n.to_string(), strikes.to_string(), atom(&fault.detail));
            compound(&mut text, "fault", &[&n, fault.code.name(), POLICY, &strikes, &detail]);
        }
        Message::End { result, reason, turns, scores } => {
            let scores: Vec<String> = scores.iter().map(i64::to_string).collect();
            let scores = format!("[{}]", scores.join(","));
            compound(&mut text, "end", &[&atom(result), &turns.to_string(), &scores, &atom(reason)]);
        }
        Message::Quit => text.push_str("quit"),
    }
    text.push('.');
    line.extend_from_slice(text.as_bytes());
}

fn compound(text: &mut String, functor: &str, arguments: &[&str]) {
    write!(text, "{functor}({})", arguments.join(",")).expect("a string takes it");
}

/// An atom, in quotes unless it is a plain name.
fn atom(name: &str) -> String {
    let mut characters = name.chars();
    let plain = characters.next().is_some_and(|first| first.is_ascii_lowercase())
        && characters.all(|character| character.is_ascii_alphanumeric() || character == '_');
    if plain {
        return name.to_owned();
    }
    let mut text = String::from("'");
    for character in name.chars() {
        match character {
            '\'' => text.push_str("\\'"),
            '\\' => text.push_str("\\\\"),
            '\n' => text.push_str("\\n"),
            '\t' => text.push_str("\\t"),
            character if character.is_control() => text.push(' '),
            character => text.push(character),
        }
    }
    text.push('\'');
    text
}

fn term(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(truth) => truth.to_string(),
        Value::Number(number) => number.to_string(),
        Value::String(name) => atom(name),
        Value::Array(values) => format!("[{}]", values.iter().map(term).collect::<Vec<_>>().join(",")),
        Value::Object(map) => {
            // `=-` would be read as one operator.
            let pair = |(key, value): (&String, &Value)| match term(value) {
                negative if negative.starts_with('-') => format!("{}= {negative}", atom(key)),
                value => format!("{}={value}", atom(key)),
            };
            let pairs: Vec<String> = map.iter().map(pair).collect();
            format!("[{}]", pairs.join(","))
        }
    }
}

/// Reads an answer.
pub fn read(line: &str) -> Result<Answer, String> {
    let body = line.trim().strip_suffix('.').ok_or("a term ends with a full stop")?;
    let (functor, arguments) = parse(body)?;
    match (&*functor, &arguments[..]) {
        ("hello", [proto, name]) => Ok(Answer::Hello { proto: number("hello", proto)?, name: name.clone() }),
        ("ready", []) => Ok(Answer::Ready),
        ("act", [n, action]) => Ok(Answer::Act { n: number("act", n)?, action: action.clone() }),
        ("fault", [n, detail]) => Ok(Answer::Fault { n: number("fault", n)?, detail: detail.clone() }),
        ("resign", [n, reason]) => Ok(Answer::Resign { n: number("resign", n)?, reason: reason.clone() }),
        ("info", [text]) => Ok(Answer::sentence(text.clone())),
        ("cell", [x, y, why]) => Ok(Answer::mark((number("cell", x)?, number("cell", y)?), why.clone())),
        ("score", [action, score]) => Answer::score(action.clone(), number("score", score)?),
        ("hello", _) => Err("it should be hello(1, Name)".into()),
        ("ready", _) => Err("it should be ready, without arguments".into()),
        ("act", _) => Err("it should be act(N, Action), with the number of the turn".into()),
        ("fault", _) => Err("it should be fault(N, Detail), with the number of the turn".into()),
        ("resign", _) => Err("it should be resign(N, Reason), with the number of the turn".into()),
        ("info", _) => Err("it should be info(Text)".into()),
        ("cell", _) => Err("it should be cell(Column, Row, Why)".into()),
        ("score", _) => Err("it should be score(Action, Number)".into()),
        _ => Err(format!(
            "`{functor}` is not a message of an agent: these are hello/2, ready, info/1, cell/3, score/2, act/2, fault/2 and resign/2"
        )),
    }
}

fn number<T: std::str::FromStr>(functor: &str, argument: &str) -> Result<T, String> {
    argument.parse().map_err(|_| format!("`{functor}`: `{argument}` is not a valid number here"))
}

/// A functor and its arguments, each an atom or a number.
fn parse(body: &str) -> Result<(String, Vec<String>), String> {
    let (functor, rest) = simple(body.trim())?;
    let rest = rest.trim();
    if rest.is_empty() {
        return Ok((functor, Vec::new()));
    }
    let mut rest = rest.strip_prefix('(').ok_or_else(|| format!("after `{functor}` comes a ( or the end"))?;
    let mut arguments = Vec::new();
    loop {
        let (argument, after) = simple(rest.trim_start())?;
        arguments.push(argument);
        let after = after.trim_start();
        if let Some(after) = after.strip_prefix(',') {
            rest = after;
        } else if after.trim_end() == ")" {
            return Ok((functor, arguments));
        } else {
            return Err(format!("`{after}`: an argument is an atom or a number, followed by , or )"));
        }
    }
}

/// An atom, a string in double quotes or a number at the beginning, and what follows it.
fn simple(text: &str) -> Result<(String, &str), String> {
    let Some(quote) = text.chars().next().filter(|first| matches!(first, '\'' | '"')) else {
        let word =
            |character: char| character.is_alphanumeric() || matches!(character, '_' | '.' | '-' | '+');
        let end = text.find(|character| !word(character)).unwrap_or(text.len());
        return match &text[..end] {
            "" => Err(format!("`{text}`: an atom or a number is missing here")),
            variable if variable.starts_with(|first: char| first.is_uppercase() || first == '_') => {
                Err(format!("`{variable}` is an unbound variable"))
            }
            name => Ok((name.to_owned(), &text[end..])),
        };
    };
    let mut name = String::new();
    let mut characters = text.char_indices().skip(1).peekable();
    while let Some((at, character)) = characters.next() {
        match character {
            '\\' => name.push(match characters.next() {
                Some((_, 'n')) => '\n',
                Some((_, 't')) => '\t',
                Some((_, escaped)) => escaped,
                None => break,
            }),
            // A doubled quote stands for one quote.
            character if character == quote && characters.peek().is_some_and(|(_, next)| *next == quote) => {
                characters.next();
                name.push(quote);
            }
            character if character == quote => return Ok((name, &text[at + quote.len_utf8()..])),
            character => name.push(character),
        }
    }
    Err(format!("`{text}`: a {quote} is not closed"))
}
