//! JSON lines.
//!
//! ```text
//! > {"t":"hello","proto":1,"engine":"damier 0.1.0","game":"loderunner","rules":"course"}
//! < {"t":"hello","proto":1,"name":"my-astar"}
//! > {"t":"start","match":"7f3a","player":0,"players":1,"limits":{"init_ms":10000,…},"level":["WWWW","W.XW","WWWW"]}
//! < {"t":"ready"}
//! > {"t":"turn","n":17,"bank_ms":1830,"legal":["none","left"],"obs":{…}}
//! < {"t":"info","text":"A* 41 nodes","cells":[[3,4,"path"],[3,5,"danger"]],"scores":{"left":0.7}}
//! < {"t":"act","n":17,"a":"left"}
//! > {"t":"fault","n":18,"code":"illegal","detail":"bomb_left: (3,8) is not floor","policy":"noop","strikes":1}
//! > {"t":"end","result":"win","score":[1350],"reason":"exit reached","turns":211}
//! > {"t":"quit"}
//! ```

use damier_core::insight::{Insight, Mark};
use serde_json::{Map, Value, json};

use super::{Answer, Message, POLICY, PROTO, limits};

/// Appends a message.
pub fn write(message: &Message<'_>, line: &mut Vec<u8>) {
    // The turn is the one frequent message, so it is written without an intermediate value.
    if let Message::Turn { n, bank_ms, legal, observation } = message {
        line.extend_from_slice(
            format!("{{\"t\":\"turn\",\"n\":{n},\"bank_ms\":{bank_ms},\"legal\":").as_bytes(),
        );
        serde_json::to_writer(&mut *line, legal).expect("names are plain data");
        line.extend_from_slice(b",\"obs\":");
        serde_json::to_writer(&mut *line, observation).expect("an observation is plain data");
        line.push(b'}');
        return;
    }
    serde_json::to_writer(line, &value(message)).expect("a message is plain data");
}

fn value(message: &Message<'_>) -> Value {
    match message {
        Message::Hello { engine, game, rules } => {
            json!({"t": "hello", "proto": PROTO, "engine": engine, "game": game, "rules": rules})
        }
        Message::Start { id, player, players, terms, level } => {
            let limits: Map<String, Value> =
                limits(terms).into_iter().map(|(name, value)| (name.to_owned(), value.into())).collect();
            json!({"t": "start", "match": id, "player": player, "players": players, "limits": limits, "level": level})
        }
        Message::Turn { n, bank_ms, legal, observation } => {
            json!({"t": "turn", "n": n, "bank_ms": bank_ms, "legal": legal, "obs": observation})
        }
        Message::Fault { n, fault, strikes } => json!({
            "t": "fault", "n": n, "code": fault.code.name(), "detail": fault.detail, "policy": POLICY, "strikes": strikes,
        }),
        Message::End { result, reason, turns, scores } => {
            json!({"t": "end", "result": result, "score": scores, "reason": reason, "turns": turns})
        }
        Message::Quit => json!({"t": "quit"}),
    }
}

/// Reads an answer.
pub fn read(line: &str) -> Result<Answer, String> {
    let value: Value = serde_json::from_str(line).map_err(|error| format!("this is not JSON: {error}"))?;
    let Value::Object(map) = value else {
        return Err("this is JSON, but not an object such as {\"t\":\"ready\"}".into());
    };
    let kind = map.get("t").ok_or("the key `t` is missing: it names the kind of message")?;
    match kind.as_str() {
        Some("hello") => Ok(Answer::Hello { proto: number(&map, "proto")?, name: string(&map, "name")? }),
        Some("ready") => Ok(Answer::Ready),
        Some("act") => Ok(Answer::Act { n: number(&map, "n")?, action: string(&map, "a")? }),
        Some("fault") => Ok(Answer::Fault { n: number(&map, "n")?, detail: string(&map, "detail")? }),
        Some("resign") => Ok(Answer::Resign { n: number(&map, "n")?, reason: string(&map, "reason")? }),
        Some("info") => Ok(Answer::Info(insight(&map)?)),
        Some(other) => Err(format!(
            "`{other}` is not a message of an agent: these are hello, ready, info, act, fault and resign"
        )),
        None => Err(format!("`t` is {kind}, not a string such as \"act\"")),
    }
}

fn number(map: &Map<String, Value>, key: &str) -> Result<u32, String> {
    let value = map.get(key).ok_or_else(|| format!("the key `{key}` is missing"))?;
    let number = value.as_u64().and_then(|number| u32::try_from(number).ok());
    number.ok_or_else(|| format!("`{key}` is {value}, not a number such as 17"))
}

fn string(map: &Map<String, Value>, key: &str) -> Result<String, String> {
    let value = map.get(key).ok_or_else(|| format!("the key `{key}` is missing"))?;
    value
        .as_str()
        .map(str::to_owned)
        .ok_or_else(|| format!("`{key}` is {value}, not a string such as \"left\""))
}

fn insight(map: &Map<String, Value>) -> Result<Insight, String> {
    let mut insight = Insight::default();
    if let Some(text) = map.get("text") {
        text.as_str().ok_or("`text` is not a string")?.clone_into(&mut insight.text);
    }
    if let Some(cells) = map.get("cells") {
        let wrong = || format!("`cells` is {cells}, not a list of [column, row, \"why\"]");
        insight.marks =
            cells.as_array().and_then(|cells| cells.iter().map(mark).collect()).ok_or_else(wrong)?;
    }
    if let Some(scores) = map.get("scores") {
        let wrong = || format!("`scores` is {scores}, not an object of actions and numbers");
        let pairs = scores.as_object().ok_or_else(wrong)?.iter();
        insight.scores = pairs
            .map(|(action, score)| Some((action.clone(), score.as_f64()?)))
            .collect::<Option<_>>()
            .ok_or_else(wrong)?;
    }
    if let Some(counters) = map.get("counters") {
        let wrong = || format!("`counters` is {counters}, not an object of names and whole numbers");
        let pairs = counters.as_object().ok_or_else(wrong)?.iter();
        insight.counters = pairs
            .map(|(name, count)| Some((name.clone().into(), count.as_u64()?)))
            .collect::<Option<_>>()
            .ok_or_else(wrong)?;
    }
    Ok(insight)
}

fn mark(value: &Value) -> Option<Mark> {
    let [x, y, why] = value.as_array()?.as_slice() else { return None };
    let coordinate = |value: &Value| value.as_u64().and_then(|value| u16::try_from(value).ok());
    Some(Mark::new((coordinate(x)?, coordinate(y)?), why.as_str()?.to_owned()))
}
