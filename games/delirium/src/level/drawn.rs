//! Our own format: header lines and rows of characters.
//!
//! ```text
//! ; name: two ways
//! ; need: 2
//! #########      #  border       w  wall, slippery, breakable      X  exit
//! #P..r.d.#      _  empty        r  rock                           P  miner
//! #.www.R_#      .  grass        d  diamond                        R  red, B  blue monster
//! #d....BX#
//! #########
//! ```

use damier_core::grid::Cell;
use damier_core::level::{LevelError, LevelText};

use super::{Level, Map, checked_size};
use crate::kind::Kind;

/// The header line between two maps of a sequence.
const NEXT: &str = "next";

/// Reads one map, or several separated by `; next`.
pub fn parse(text: &str) -> Result<Level, LevelError> {
    let mut maps = Vec::new();
    let mut part = String::new();
    let mut first_line = 0;
    for (index, line) in text.lines().enumerate() {
        if line.trim().strip_prefix(';').is_some_and(|rest| rest.trim() == NEXT) {
            maps.push(parse_map(&part, first_line)?);
            (part, first_line) = (String::new(), index + 1);
        } else {
            part.push_str(line);
            part.push('\n');
        }
    }
    maps.push(parse_map(&part, first_line)?);
    Level::new(maps)
}

/// Reads one map; `lines_before` of the whole text come before it.
fn parse_map(text: &str, lines_before: usize) -> Result<Map, LevelError> {
    let shifted = |error: LevelError| match error.line {
        0 => error,
        line => LevelError { line: line + lines_before, ..error },
    };
    read_map(text).map_err(shifted)
}

fn read_map(text: &str) -> Result<Map, LevelError> {
    let text = LevelText::parse(text)?;
    let size = checked_size(text.width()?, text.rows.len())?;
    let mut cells = Vec::with_capacity(size.area());
    for row in &text.rows {
        for (x, char) in row.text.chars().enumerate() {
            let kind = Kind::from_char(char)
                .ok_or_else(|| LevelError::at(row.line, x + 1, format!("`{char}` is not a part of a map")))?;
            cells.push(kind);
        }
    }
    let place = |cell: Cell| {
        let (x, y) = size.xy(cell);
        (text.rows[usize::from(y)].line, usize::from(x) + 1)
    };
    let headers = text.headers.iter().map(|&(_, key, value)| (key.to_owned(), value.to_owned())).collect();
    Map::new(size, cells, headers, &place)
}

/// Writes all maps.
pub fn print(level: &Level) -> String {
    let maps: Vec<String> = level.maps().iter().map(print_map).collect();
    maps.join(&format!("; {NEXT}\n"))
}

/// The header lines of a map.
pub(crate) fn print_headers(map: &Map) -> String {
    let header = |(key, value): &(String, String)| {
        if value.is_empty() { format!("; {key}\n") } else { format!("; {key}: {value}\n") }
    };
    map.headers().iter().map(header).collect()
}

fn print_map(map: &Map) -> String {
    let mut text = print_headers(map);
    for row in rows(map) {
        text.push_str(&row);
        text.push('\n');
    }
    text
}

/// The rows of a map's drawing.
pub(crate) fn rows(map: &Map) -> impl Iterator<Item = String> + '_ {
    map.cells().chunks(map.size().width.into()).map(|row| row.iter().map(|kind| kind.exact_char()).collect())
}
