//! The level: parsed and checked once, printed in every format.
//!
//! | | course | `damier` (classic) | `kgoldrunner` | `vglc` |
//! | --- | --- | --- | --- | --- |
//! | nothing | `.` | space | space | `.` |
//! | brick, floor (can be dug) | `F` | `#` | `M` | `b` |
//! | solid, wall | `W` | `@` | `X` | `B` |
//! | ladder | `L` | `H` | `H` | `#` |
//! | bar, cable | `C` | `-` | `T` | `-` |
//! | trap | | `X` | `F` | |
//! | hidden ladder | | `S` | `Z` | |
//! | gold, bonus | `B` | `$` | `N` | `G` |
//! | guard, enemy | `E` | `0` | `E` | `E` |
//! | runner | `R` | `&` | `R` | `M` |
//! | exit | `X` | | | |
//!
//! A course map has any size, is framed by walls and has one runner and one exit. A classic level has 16 to 32
//! rows of 28 to 64 cells: as many as its longest row has, and shorter rows end in empty cells. Lines `; key: value` are headers and are kept.

use damier_core::level::LevelError;

use crate::classic::board::{self, Base, Cell, Extent, MOST_COLUMNS, MOST_ROWS};
use crate::course::map::{self, Tile};
use crate::rules::RuleSet;

/// The largest number of columns and of rows of a course map.
pub const MAX_SIDE: usize = 128;

/// A well-formed level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Level {
    headers: Vec<(String, String)>,
    drawing: Drawing,
}

/// What is drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::large_enum_variant, reason = "one a level")]
pub enum Drawing {
    /// A map of the course.
    Course(map::Drawing),
    /// A board of 1983.
    Classic(board::Drawing),
}

/// The characters of a classic format, in the order of [`CLASSIC`].
struct Alphabet {
    name: &'static str,
    characters: [Option<char>; 10],
}

/// What a character of a classic level stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Tile(Base),
    Gold,
    Guard,
    Runner,
}

const CLASSIC: [Part; 10] = [
    Part::Tile(Base::Empty),
    Part::Tile(Base::Brick),
    Part::Tile(Base::Solid),
    Part::Tile(Base::Ladder),
    Part::Tile(Base::Bar),
    Part::Tile(Base::Trap),
    Part::Tile(Base::Hidden),
    Part::Gold,
    Part::Guard,
    Part::Runner,
];

const ALPHABETS: [Alphabet; 3] = [
    Alphabet { name: "damier", characters: alphabet(" #@H-XS$0&") },
    Alphabet { name: "kgoldrunner", characters: alphabet(" MXHTFZNER") },
    Alphabet { name: "vglc", characters: alphabet(".bB#-??GEM") },
];

/// One character for each part; `?` where the format has none.
const fn alphabet(text: &str) -> [Option<char>; 10] {
    let bytes = text.as_bytes();
    let mut characters = [None; 10];
    let mut index = 0;
    while index < 10 {
        if bytes[index] != b'?' {
            characters[index] = Some(bytes[index] as char);
        }
        index += 1;
    }
    characters
}

impl Alphabet {
    fn part(&self, character: char) -> Option<Part> {
        self.characters.iter().position(|&other| other == Some(character)).map(|index| CLASSIC[index])
    }

    fn character(&self, part: Part) -> Option<char> {
        let index = CLASSIC.iter().position(|&other| other == part)?;
        self.characters[index]
    }
}

/// A line of the drawing with its number in the text, from 1.
type Row<'a> = (usize, &'a str);

impl Level {
    /// Parses and checks a text for a rule set; the classic formats are told apart by their characters.
    ///
    /// ```
    /// use damier_loderunner::level::Level;
    /// use damier_loderunner::rules::RuleSet;
    /// let level = Level::parse("WWWWW WR.XW WFFFW WWWWW", RuleSet::Course).unwrap();
    /// assert_eq!(level.print("damier").unwrap(), "WWWWW\nWR.XW\nWFFFW\nWWWWW\n");
    /// let error = Level::parse("WWWWW\nWR.YW\nWWWWW", RuleSet::Course).unwrap_err();
    /// assert_eq!(error.to_string(), "line 2, column 4: `Y` is not a part of a course map: W F L C . B R E X");
    /// ```
    pub fn parse(text: &str, rules: RuleSet) -> Result<Self, LevelError> {
        let mut headers = Vec::new();
        let mut rows: Vec<Row> = Vec::new();
        for (index, line) in text.lines().enumerate() {
            match line.strip_prefix(';') {
                Some(header) => {
                    let (key, value) = header.split_once(':').unwrap_or((header, ""));
                    headers.push((key.trim().to_owned(), value.trim().to_owned()));
                }
                None => rows.push((index + 1, line)),
            }
        }
        let drawing = match rules {
            RuleSet::Course if rows.iter().any(|(_, text)| text.contains('&')) => {
                return Err(LevelError::whole("this is a classic level: it needs --rules classic"));
            }
            RuleSet::Course => Drawing::Course(read_course(&rows)?),
            RuleSet::Classic => Drawing::Classic(read_classic(&rows)?),
        };
        Ok(Self { headers, drawing })
    }

    /// What is drawn.
    pub fn drawing(&self) -> &Drawing {
        &self.drawing
    }

    /// The value of a header line such as `name`.
    pub fn header(&self, key: &str) -> Option<&str> {
        self.headers.iter().find(|(name, _)| name.eq_ignore_ascii_case(key)).map(|(_, value)| value.as_str())
    }

    /// The level as text in one of the formats; `damier` holds all levels.
    pub fn print(&self, format: &str) -> Result<String, LevelError> {
        let headers: Vec<String> =
            self.headers.iter().map(|(key, value)| format!("; {key}: {value}\n")).collect();
        let headers = headers.concat();
        match &self.drawing {
            Drawing::Course(drawing) if format == "damier" => Ok(headers + &print_course(drawing)),
            Drawing::Course(_) => Err(LevelError::whole(format!(
                "`{format}` is a format of classic levels; this is a course map"
            ))),
            Drawing::Classic(drawing) => {
                let alphabet =
                    ALPHABETS.iter().find(|alphabet| alphabet.name == format).ok_or_else(|| {
                        LevelError::whole(format!("`{format}` is not a format of Lode Runner levels"))
                    })?;
                let rows = print_classic(drawing, alphabet)?;
                Ok(if format == "damier" { headers + &rows } else { rows })
            }
        }
    }
}

fn read_course(rows: &[Row]) -> Result<map::Drawing, LevelError> {
    let words: Vec<(usize, usize, &str)> = rows
        .iter()
        .flat_map(|&(line, text)| {
            text.split_whitespace()
                .map(move |word| (line, word.as_ptr() as usize - text.as_ptr() as usize, word))
        })
        .collect();
    let &(_, _, first) =
        words.first().ok_or_else(|| LevelError::whole("the level is empty: it has no rows"))?;
    let (width, height) = (first.chars().count(), words.len());
    if !(3..=MAX_SIDE).contains(&width) || !(3..=MAX_SIDE).contains(&height) {
        return Err(LevelError::whole(format!(
            "a course map has 3 to {MAX_SIDE} columns and rows, this one has {width} and {height}"
        )));
    }
    let mut drawing = map::Drawing::new(width as u16);
    for (y, &(line, start, word)) in words.iter().enumerate() {
        let length = word.chars().count();
        if length != width {
            let message = format!("this row has {length} characters, the first one has {width}");
            return Err(LevelError::at(line, start + width.min(length) + 1, message));
        }
        for (x, character) in word.chars().enumerate() {
            let refuse = |message: String| LevelError::at(line, start + x + 1, message);
            let framed = x == 0 || y == 0 || x + 1 == width || y + 1 == height;
            if framed && character != 'W' {
                return Err(refuse(format!(
                    "`{character}` stands in the frame: a course map is framed by W"
                )));
            }
            drawing.add(character).map_err(refuse)?;
        }
    }
    drawing.check().map_err(LevelError::whole)?;
    Ok(drawing)
}

fn print_course(drawing: &map::Drawing) -> String {
    let mut text = String::new();
    for (cell, &tile) in drawing.tiles.iter().enumerate() {
        let at = cell as u16;
        text.push(match tile {
            Tile::Wall => 'W',
            Tile::Floor => 'F',
            Tile::Ladder => 'L',
            Tile::Cable => 'C',
            Tile::Exit => 'X',
            Tile::Path if drawing.runner == Some(at) => 'R',
            Tile::Path if drawing.enemies.contains(&at) => 'E',
            Tile::Path if drawing.bonuses.contains(&at) => 'B',
            Tile::Path => '.',
        });
        if (cell + 1) % usize::from(drawing.width) == 0 {
            text.push('\n');
        }
    }
    text
}

fn read_classic(rows: &[Row]) -> Result<board::Drawing, LevelError> {
    let rows = classic_rows(rows)?;
    let fits = |alphabet: &&Alphabet| {
        rows.iter().all(|(_, text)| text.chars().all(|character| alphabet.part(character).is_some()))
            && rows.iter().any(|(_, text)| text.contains(alphabet.characters[9].expect("all have a runner")))
    };
    let alphabet = ALPHABETS.iter().find(fits).unwrap_or(&ALPHABETS[0]);
    let longest = rows.iter().map(|(_, text)| text.chars().count()).max().unwrap_or(0);
    let columns = longest.clamp(Extent::ORIGINAL.columns.into(), MOST_COLUMNS);
    let mut drawing = board::Drawing {
        extent: Extent { columns: columns as u8, rows: rows.len() as u8 },
        tiles: Box::new([[Base::Empty; MOST_COLUMNS]; MOST_ROWS]),
        gold: [0; MOST_ROWS],
        runner: Cell { x: 0, y: 0 },
        guards: Vec::new(),
    };
    let mut runner = None;
    for (y, &(line, text)) in rows.iter().enumerate() {
        for (x, character) in text.chars().enumerate() {
            let refuse = |message: String| Err(LevelError::at(line, x + 1, message));
            let Some(part) = alphabet.part(character) else {
                return refuse(format!(
                    "`{character}` is not a part of a classic level: space # @ H - X S $ 0 &"
                ));
            };
            if x >= MOST_COLUMNS {
                return refuse(format!("this row is longer than {MOST_COLUMNS} cells"));
            }
            let cell = Cell { x: x as u8, y: y as u8 };
            match part {
                Part::Tile(tile) => drawing.tiles[y][x] = tile,
                Part::Gold => drawing.gold[y] |= cell.bit(),
                Part::Guard => drawing.guards.push(cell),
                Part::Runner if runner.replace(cell).is_some() => {
                    return refuse("a second runner".to_owned());
                }
                Part::Runner => {}
            }
        }
    }
    drawing.runner = runner.ok_or_else(|| LevelError::whole("there is no runner (&)"))?;
    Ok(drawing)
}

/// The rows of a classic level. Blank lines before and after sixteen rows are none of them, unless they are as long as a row.
fn classic_rows<'a>(all: &[Row<'a>]) -> Result<Vec<Row<'a>>, LevelError> {
    let fewest = usize::from(Extent::ORIGINAL.rows);
    let shortest = usize::from(Extent::ORIGINAL.columns);
    let blank = |row: Option<&Row>| {
        row.is_some_and(|(_, text)| text.trim().is_empty() && text.chars().count() < shortest)
    };
    let mut rows = all.to_vec();
    while rows.len() > fewest && blank(rows.last()) {
        rows.pop();
    }
    let after = rows.len();
    let leading = (0..after - fewest.min(after)).take_while(|&index| blank(rows.get(index))).count();
    if after - leading == fewest {
        rows.drain(..leading);
    }
    if (fewest..=MOST_ROWS).contains(&rows.len()) {
        return Ok(rows);
    }
    let looks_like_course =
        rows.iter().any(|(_, text)| text.trim().starts_with('W') && text.trim().ends_with('W'));
    let hint = if looks_like_course { "; course maps need --rules course" } else { "" };
    Err(LevelError::whole(format!(
        "a classic level has {fewest} to {MOST_ROWS} rows, this one has {}{hint}",
        rows.len()
    )))
}

fn print_classic(drawing: &board::Drawing, alphabet: &Alphabet) -> Result<String, LevelError> {
    let mut text = String::new();
    for cell in drawing.extent.cells() {
        let part = if cell == drawing.runner {
            Part::Runner
        } else if drawing.guards.contains(&cell) {
            Part::Guard
        } else if drawing.gold[cell.row()] & cell.bit() != 0 {
            Part::Gold
        } else {
            Part::Tile(drawing.tiles[cell.row()][cell.column()])
        };
        text.push(alphabet.character(part).ok_or_else(|| {
            LevelError::whole(format!("the format {} has no traps and no hidden ladders", alphabet.name))
        })?);
        if cell.x + 1 == drawing.extent.columns {
            text.push('\n');
        }
    }
    Ok(text)
}
