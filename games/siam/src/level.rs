//! Levels: starting positions, and the formats they are read and written in.
//!
//! | format | looks like |
//! | --- | --- |
//! | `damier` | `...../...../.MMM./...../..... E 0`: rows from the north, the side to move, the plies played |
//! | `drawn` | the five rows on lines of their own, then `E 0` |
//!
//! Header lines before it: `; animals: 5` (of each side), `; cap: 1000` (plies until a draw), and for puzzles `; title:`,
//! `; goal:` and `; rating:`.

use damier_core::level::{LevelError, LevelText, Row};

use crate::board::{ANIMALS, Board, MOUNTAINS, Piece, Side, Square, WIDTH};

/// The number of plies after which a game is drawn, unless a level sets less: the state stores no more moves.
pub const MAX_PLIES: u16 = 1_000;

/// A checked starting position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Level {
    /// The position.
    pub board: Board,
    /// The number of animals of each side, on the board and in hand.
    pub animals: u8,
    /// The game is drawn after this many plies.
    pub cap: u16,
    /// The title of a puzzle.
    pub title: Option<String>,
    /// The goal of a puzzle.
    pub goal: Option<String>,
    /// The difficulty of a puzzle, from 0 to 10.
    pub rating: Option<String>,
}

impl Level {
    /// A level that starts with this position.
    pub fn new(board: Board) -> Self {
        let on_board = board.animals(Side::Elephants).count_ones() as u8;
        let animals = on_board + board.hand(Side::Elephants);
        Self { board, animals, cap: MAX_PLIES, title: None, goal: None, rating: None }
    }

    /// The start of the published game.
    pub fn start() -> Self {
        Self::new(Board::start(ANIMALS))
    }

    /// Parses and checks a text in one of the formats.
    ///
    /// ```
    /// use damier_siam::level::Level;
    /// let level = Level::parse("...../...../.MMM./...../..... E 0").unwrap();
    /// assert_eq!(level, Level::start());
    /// let error = Level::parse("...../..x../.MMM./...../..... E 0").unwrap_err();
    /// assert_eq!(error.to_string(), "line 1, column 9: `x` is not a piece: . M, N E S W or n e s w");
    /// ```
    pub fn parse(text: &str) -> Result<Self, LevelError> {
        let text = LevelText::parse(text)?;
        let animals = number(&text, "animals", u16::from(ANIMALS), 1, u16::from(ANIMALS))? as u8;
        let cap = number(&text, "cap", MAX_PLIES, 1, MAX_PLIES)?;
        let mut board = Board::empty(animals);
        let turn = match &text.rows[..] {
            [row] => {
                let end = row.text.trim_end().rfind('/').map_or(0, |slash| slash + 1);
                let end = row.text[end..].find(' ').map_or(row.text.len(), |space| end + space);
                read_line(&mut board, row.line, &row.text[..end])?;
                Row { line: row.line, text: &row.text[end..] }
            }
            [rows @ .., turn] if rows.len() == WIDTH => {
                for (row, drawn) in rows.iter().enumerate() {
                    read_row(&mut board, drawn.line, 1, WIDTH - 1 - row, drawn.text.trim_end())?;
                }
                turn.clone()
            }
            rows => {
                let lines = rows.len();
                return Err(LevelError::whole(format!(
                    "a position is one line, or five rows and a line with the side to move; this one has {lines} lines"
                )));
            }
        };
        read_turn(&mut board, &turn)?;
        let note = |key| text.header(key).filter(|value| !value.is_empty()).map(str::to_owned);
        let (title, goal, rating) = (note("title"), note("goal"), note("rating"));
        Ok(Self { board, animals, cap, title, goal, rating })
    }

    /// The level as text in one of the formats.
    pub fn print(&self, format: &str) -> Result<String, LevelError> {
        let mut text = String::new();
        let notes = [("title", &self.title), ("goal", &self.goal), ("rating", &self.rating)];
        for (key, value) in notes {
            text.extend(value.iter().flat_map(|value| ["; ", key, ": ", value, "\n"]));
        }
        if self.animals != ANIMALS {
            text.extend(["; animals: ", &self.animals.to_string(), "\n"]);
        }
        if self.cap != MAX_PLIES {
            text.extend(["; cap: ", &self.cap.to_string(), "\n"]);
        }
        let position = self.board.to_string();
        match format {
            "damier" => text += &position,
            "drawn" => text += &position.replace('/', "\n").replacen(' ', "\n", 1),
            other => return Err(LevelError::whole(format!("there is no format `{other}`: damier or drawn"))),
        }
        text.push('\n');
        Ok(text)
    }

    /// Splits a text with several positions, one per line, each with the header lines before it.
    pub fn split(text: &str) -> Vec<(Option<String>, String)> {
        let is_position = |line: &str| line.contains('/') && !line.trim_start().starts_with(';');
        if text.lines().filter(|line| is_position(line)).count() < 2 {
            return vec![(None, text.to_owned())];
        }
        let mut levels = Vec::new();
        let (mut title, mut level) = (None, String::new());
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            level.extend([line, "\n"]);
            if let Some(("title", value)) = line.trim_start_matches([';', ' ']).split_once(": ") {
                title = Some(value.trim().to_owned());
            }
            if is_position(line) {
                levels.push((title.take(), std::mem::take(&mut level)));
            }
        }
        levels
    }
}

impl Board {
    /// Parses a position in the format `damier`, with the usual number of animals.
    ///
    /// ```
    /// use damier_siam::board::{Board, Side};
    /// let board = Board::parse("...../...../.MMM./...../eE... E 2").unwrap();
    /// assert_eq!(board.hand(Side::Rhinos), 4);
    /// ```
    pub fn parse(text: &str) -> Result<Self, LevelError> {
        Level::parse(text).map(|level| level.board)
    }
}

fn number(text: &LevelText, key: &str, usual: u16, least: u16, most: u16) -> Result<u16, LevelError> {
    let Some(&(line, _, value)) = text.headers.iter().find(|(_, name, _)| name.eq_ignore_ascii_case(key))
    else {
        return Ok(usual);
    };
    value.parse().ok().filter(|number| (least..=most).contains(number)).ok_or_else(|| {
        LevelError::at(line, 0, format!("`{key}` must be a number from {least} to {most}, not `{value}`"))
    })
}

/// Reads rows separated by slashes, from the north.
fn read_line(board: &mut Board, line: usize, text: &str) -> Result<(), LevelError> {
    let rows: Vec<&str> = text.split('/').collect();
    if rows.len() != WIDTH {
        return Err(LevelError::at(
            line,
            0,
            format!("a position has five rows separated by `/`, this one has {}", rows.len()),
        ));
    }
    let mut column = 1;
    for (index, row) in rows.into_iter().enumerate() {
        read_row(board, line, column, WIDTH - 1 - index, row)?;
        column += row.chars().count() + 1;
    }
    Ok(())
}

/// Reads one row, whose first character is in column `first` of the text.
fn read_row(board: &mut Board, line: usize, first: usize, row: usize, text: &str) -> Result<(), LevelError> {
    let count = text.chars().count();
    for (column, letter) in text.chars().enumerate() {
        let error = |message: String| Err(LevelError::at(line, first + column, message));
        if column >= WIDTH {
            return error(format!("this row has {count} squares, it should have {WIDTH}"));
        }
        if letter == '.' {
            continue;
        }
        let Some(piece) = Piece::from_letter(letter) else {
            return error(format!("`{letter}` is not a piece: . M, N E S W or n e s w"));
        };
        match piece {
            Piece::Mountain if board.mountains().count_ones() == MOUNTAINS => {
                return error(format!("there are more than {MOUNTAINS} mountains"));
            }
            Piece::Animal(side, _) if board.hand(side) == 0 => {
                let animals = board.animals(side).count_ones();
                return error(format!("there are more than {animals} {}", side.name()));
            }
            _ => board.put(Square::at(row, column), piece),
        }
    }
    if count < WIDTH {
        let message = format!("this row has {count} squares, it should have {WIDTH}");
        return Err(LevelError::at(line, first + count, message));
    }
    Ok(())
}

/// Reads the side to move and the plies played.
fn read_turn(board: &mut Board, row: &Row) -> Result<(), LevelError> {
    let error = |message: String| LevelError::at(row.line, 0, message);
    let words: Vec<&str> = row.text.split_whitespace().collect();
    let [side, ply] = words[..] else {
        return Err(error("after the rows come the side to move and the plies played, such as `E 0`".into()));
    };
    let side = match side {
        "E" => Side::Elephants,
        "R" => Side::Rhinos,
        other => return Err(error(format!("`{other}` is not a side: E or R"))),
    };
    let ply = ply.parse().map_err(|_| error(format!("`{ply}` is not a number of plies from 0 to 65535")))?;
    board.set_turn(side, ply);
    Ok(())
}
