//! The course environment's flat list of cell codes, a line a row: `[4,4,4,4,22,1,…]`.
//!
//! Commas, spaces and brackets all separate. Where the rows are not lines of their own, a header `; width: 12` tells their
//! length.

use damier_core::grid::Cell;
use damier_core::level::{LevelError, LevelText};

use super::{Level, Map, checked_size, number};
use crate::kind::Kind;

/// A number of the text, and where it stands.
struct Code {
    number: u8,
    line: usize,
    column: usize,
}

/// Reads one map.
pub fn parse(text: &str) -> Result<Level, LevelError> {
    let text = LevelText::parse(text)?;
    let mut rows: Vec<Vec<Code>> = Vec::new();
    for row in &text.rows {
        let codes = read_row(row.text, row.line)?;
        if !codes.is_empty() {
            rows.push(codes);
        }
    }
    let headers: Vec<(String, String)> =
        text.headers.iter().map(|&(_, key, value)| (key.to_owned(), value.to_owned())).collect();
    let width = match number(&headers, "width", 1..=u32::from(u16::MAX))? {
        Some(width) => width as usize,
        None => rows.first().map_or(0, Vec::len),
    };
    let codes: Vec<Code> = rows.into_iter().flatten().collect();
    if width == 0 || !codes.len().is_multiple_of(width) {
        return Err(LevelError::whole(format!("{} codes are no rows of {width}", codes.len())));
    }
    let size = checked_size(width, codes.len() / width)?;
    let cells = codes.iter().map(kind).collect::<Result<_, _>>()?;
    let headers = headers.into_iter().filter(|(key, _)| !key.eq_ignore_ascii_case("width")).collect();
    let place = |cell: Cell| (codes[cell.index()].line, codes[cell.index()].column);
    Level::new(vec![Map::new(size, cells, headers, &place)?])
}

fn read_row(text: &str, line: usize) -> Result<Vec<Code>, LevelError> {
    let separates = |char: char| char.is_whitespace() || "[],".contains(char);
    let mut codes = Vec::new();
    for word in text.split(separates).filter(|word| !word.is_empty()) {
        let offset = word.as_ptr() as usize - text.as_ptr() as usize;
        let column = text[..offset].chars().count() + 1;
        let number = word
            .parse()
            .map_err(|_| LevelError::at(line, column, format!("`{word}` is not a code of a cell")))?;
        codes.push(Code { number, line, column });
    }
    Ok(codes)
}

fn kind(code: &Code) -> Result<Kind, LevelError> {
    let unsupported = match code.number {
        0 => return Ok(Kind::Empty),
        1 => return Ok(Kind::Dirt),
        2 => return Ok(Kind::Diamond),
        3 => return Ok(Kind::Rock),
        4 | 5 => return Ok(Kind::Border),
        6 => return Ok(Kind::Wall),
        21 => return Ok(Kind::Exit),
        22 => return Ok(Kind::Miner),
        24 => return Ok(Kind::Blue),
        25 => return Ok(Kind::Red),
        7 => "the magic wall",
        8..=20 => "a wall or door of another kind",
        26 => "the green monster",
        27 => "the yellow monster",
        28 => "the purple monster",
        29 => "the black monster",
        30 => "the amoeba",
        31..=49 => "a bomb, key or door",
        _ => "no cell of the course",
    };
    let message = format!("code {} is {unsupported}, which is not supported", code.number);
    Err(LevelError::at(code.line, code.column, message))
}

/// Writes one map, a line a row.
pub fn print(level: &Level) -> Result<String, LevelError> {
    let map = level.single("codes")?;
    let mut text = super::drawn::print_headers(map);
    for row in super::course_kinds(map, "codes")?.chunks(map.size().width.into()) {
        let codes: Vec<String> = row.iter().map(|kind| kind.code().to_string()).collect();
        text += &codes.join(",");
        text.push('\n');
    }
    Ok(text)
}
