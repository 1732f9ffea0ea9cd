//! JSON: `{"name":"…","need":5,"time":120,"rows":["####",…]}`, one level a line. Other keys with plain values are kept.

use damier_core::grid::Cell;
use damier_core::level::LevelError;
use serde_json::{Map as Object, Value, json};

use super::{Level, Map, checked_size, drawn};
use crate::kind::Kind;

/// Reads one object.
pub fn parse(text: &str) -> Result<Level, LevelError> {
    let object: Object<String, Value> = serde_json::from_str(text)
        .map_err(|error| LevelError::at(error.line(), error.column(), format!("bad JSON: {error}")))?;
    if object.contains_key("map") {
        return super::cells::parse(&object);
    }
    let not_rows = || LevelError::whole("`rows` must be a list of strings");
    let rows: Vec<Vec<char>> = object
        .get("rows")
        .and_then(Value::as_array)
        .ok_or_else(not_rows)?
        .iter()
        .map(|row| row.as_str().map(|row| row.chars().collect()).ok_or_else(not_rows))
        .collect::<Result<_, _>>()?;
    let width = rows.first().map_or(0, Vec::len);
    let size = checked_size(width, rows.len())?;
    let mut cells = Vec::with_capacity(size.area());
    for (row, y) in rows.iter().zip(1..) {
        if row.len() != width {
            let message = format!("row {y} has {} characters, the first one has {width}", row.len());
            return Err(LevelError::whole(message));
        }
        for (&char, x) in row.iter().zip(1..) {
            let kind = Kind::from_char(char).ok_or_else(|| {
                LevelError::whole(format!("row {y}, column {x}: `{char}` is not a part of a map"))
            })?;
            cells.push(kind);
        }
    }
    let headers = object
        .iter()
        .filter(|&(key, _)| key != "rows")
        .filter_map(|(key, value)| Some((key.clone(), plain(value)?)))
        .collect();
    // The whole object is one line, so places are rows and columns of the map.
    let map = Map::new(size, cells, headers, &|cell: Cell| {
        let (x, y) = size.xy(cell);
        (usize::from(y) + 1, usize::from(x) + 1)
    });
    Level::new(vec![map.map_err(|error| match error.line {
        0 => error,
        row => LevelError::whole(format!("row {row}, column {}: {}", error.column, error.message)),
    })?])
}

fn plain(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(_) | Value::Bool(_) => Some(value.to_string()),
        _ => None,
    }
}

/// Writes one object on one line.
pub fn print(level: &Level) -> Result<String, LevelError> {
    let map = level.single("json")?;
    let mut object = Object::new();
    for (key, value) in map.headers() {
        if key == "rows" {
            continue;
        }
        let number = value.parse::<u32>().ok().filter(|number| number.to_string() == *value);
        let value = number.map_or_else(|| json!(value), |number| json!(number));
        object.entry(key.clone()).or_insert(value);
    }
    object.insert("rows".into(), drawn::rows(map).collect());
    Ok(format!("{}\n", Value::Object(object)))
}
