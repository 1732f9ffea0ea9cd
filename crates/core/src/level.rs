//! Level texts: header lines, rows of characters, and errors that name line and column.

use thiserror::Error;

/// Why a level text cannot be used, and where.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}{message}", place(*line, *column))]
pub struct LevelError {
    /// Line, from 1; 0 where the error is about the level as a whole.
    pub line: usize,
    /// Column, from 1, counted in characters; 0 where the error is about the whole line.
    pub column: usize,
    /// What is wrong, as a sentence.
    pub message: String,
}

impl LevelError {
    /// An error at a character of a line, both counted from 1.
    pub fn at(line: usize, column: usize, message: impl Into<String>) -> Self {
        Self { line, column, message: message.into() }
    }

    /// An error about the level as a whole.
    pub fn whole(message: impl Into<String>) -> Self {
        Self::at(0, 0, message)
    }
}

fn place(line: usize, column: usize) -> String {
    match (line, column) {
        (0, _) => String::new(),
        (_, 0) => format!("line {line}: "),
        _ => format!("line {line}, column {column}: "),
    }
}

/// One row of a level's drawing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row<'a> {
    /// Its line in the text, from 1.
    pub line: usize,
    /// Its characters, without the line end.
    pub text: &'a str,
}

/// A level text split into `; key: value` header lines and the rows of the drawing.
///
/// ```
/// use damier_core::level::LevelText;
/// let level = LevelText::parse("; need: 3\n#####\n#P d#\n#####\n").unwrap();
/// assert_eq!(level.header("need"), Some("3"));
/// assert_eq!(level.rows[1].text, "#P d#");
/// assert_eq!(level.rows[1].line, 3);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LevelText<'a> {
    /// Header lines in their order: (line, key, value).
    pub headers: Vec<(usize, &'a str, &'a str)>,
    /// The rows of the drawing, from the top.
    pub rows: Vec<Row<'a>>,
}

impl<'a> LevelText<'a> {
    /// Splits a text. Blank lines around the drawing are dropped; header lines may stand anywhere.
    pub fn parse(text: &'a str) -> Result<Self, LevelError> {
        let mut level = Self::default();
        for (index, text) in text.lines().enumerate() {
            let line = index + 1;
            match text.trim_start().strip_prefix(';') {
                Some(header) => {
                    let (key, value) = header.split_once(':').unwrap_or((header, ""));
                    level.headers.push((line, key.trim(), value.trim()));
                }
                None => level.rows.push(Row { line, text }),
            }
        }
        let blank = |row: &Row| row.text.trim().is_empty();
        let drawn = level.rows.iter().rposition(|row| !blank(row)).map_or(0, |last| last + 1);
        level.rows.truncate(drawn);
        let first = level.rows.iter().position(|row| !blank(row)).unwrap_or(0);
        level.rows.drain(..first);
        if level.rows.is_empty() {
            return Err(LevelError::whole("the level is empty: it has no rows"));
        }
        Ok(level)
    }

    /// The value of a header line.
    pub fn header(&self, key: &str) -> Option<&'a str> {
        self.headers.iter().find(|(_, name, _)| name.eq_ignore_ascii_case(key)).map(|&(_, _, value)| value)
    }

    /// The number of columns; an error if rows differ in length.
    pub fn width(&self) -> Result<usize, LevelError> {
        let length = |row: &Row| row.text.chars().count();
        let width = length(&self.rows[0]);
        match self.rows.iter().find(|row| length(row) != width) {
            None => Ok(width),
            Some(row) => Err(LevelError::at(
                row.line,
                width.min(length(row)) + 1,
                format!("this row has {} characters, the first one has {width}", length(row)),
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ragged_rows_are_named() {
        let level = LevelText::parse("\n####\n###\n").unwrap();
        let error = level.width().unwrap_err();
        assert_eq!(error.to_string(), "line 3, column 4: this row has 3 characters, the first one has 4");
    }

    #[test]
    fn blank_lines_inside_a_drawing_stay() {
        let level = LevelText::parse("\n##\n\n##\n\n").unwrap();
        assert_eq!(level.rows.iter().map(|row| row.line).collect::<Vec<_>>(), [2, 3, 4]);
    }

    #[test]
    fn an_empty_text_is_an_error() {
        assert!(LevelText::parse("; need: 2\n\n").is_err());
        assert!(LevelText::parse("").is_err());
    }
}
