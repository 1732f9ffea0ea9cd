//! The level: one map or a sequence of maps, parsed and checked once, in every format its users have.
//!
//! Reading finds out the format by itself:
//!
//! | format | looks like | read and written by |
//! | --- | --- | --- |
//! | `damier` | rows of `_.drw#XPRB`, header lines `; need: 5`, maps of a sequence separated by `; next` | [`drawn`] |
//! | `json` | `{"name":…,"need":…,"time":…,"rows":[…]}`, one level a line | [`json`] |
//! | `cells` | `{"w":40,"h":22,"map":[26,…],…}`, the reference engine's elements, one cave a line | [`cells`] |
//! | `codes` | the course environment's numbers, `4,4,4,22,1,…` | [`codes`] |
//! | `xml` | the course environment's `<Map>` | [`xml`] |
//! | `bdcff` | the caves of the Boulder Dash community | [`bdcff`] |
//!
//! Header lines that nothing here knows are kept.

pub mod bdcff;
pub mod cells;
pub mod codes;
pub mod drawn;
pub mod json;
pub mod xml;

use damier_core::grid::{Cell, Dir, Size};
use damier_core::level::LevelError;

use crate::kind::Kind;
use crate::rules::OPTION_HEADERS;

/// The largest number of columns and of rows.
pub const MAX_SIDE: usize = 128;

/// The smallest number of columns and of rows.
pub const MIN_SIDE: usize = 3;

/// The largest number of monsters on one map.
pub const MAX_MONSTERS: usize = 4_095;

/// One map with its goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Map {
    size: Size,
    cells: Vec<Kind>,
    need: u16,
    headers: Vec<(String, String)>,
    /// Where monsters look that do not look where the rules say, by the header `headings`.
    headings: Vec<(Cell, Dir)>,
}

/// A checked level: one map or several in sequence, each with one miner and an exit.
///
/// ```
/// use damier_delirium::level::Level;
/// let level = Level::parse("; need: 1\n######\n#P.dX#\n######\n").unwrap();
/// assert_eq!(level.first().need(), 1);
///
/// let error = Level::parse("######\n#P?dX#\n######\n").unwrap_err();
/// assert_eq!(error.to_string(), "line 2, column 3: `?` is not a part of a map");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Level {
    maps: Vec<Map>,
}

impl Map {
    /// Checks a map. `place` tells the line and column of a cell in the text that it was read from.
    ///
    /// Caves of Boulder Dash, which say what their edges are, may have several miners or none.
    ///
    /// Without a `need` header all diamonds of the map are needed.
    pub fn new(
        size: Size,
        cells: Vec<Kind>,
        headers: Vec<(String, String)>,
        place: &dyn Fn(Cell) -> (usize, usize),
    ) -> Result<Self, LevelError> {
        debug_assert_eq!(cells.len(), size.area());
        let headers: Vec<_> =
            headers.into_iter().filter_map(|(key, value)| clean_header(&key, &value)).collect();
        let count = |kind: Kind| cells.iter().filter(|&&cell| cell == kind).count();
        let is_cave = headers.iter().any(|(key, _)| key == "edges");
        match cells.iter().filter(|kind| kind.is_miner()).count() {
            1 => {}
            0 if is_cave => {}
            0 => return Err(LevelError::whole("there is no miner (`P`)")),
            _ if is_cave => {}
            _ => {
                let second = cells.iter().rposition(|&cell| cell == Kind::Miner).unwrap_or(0);
                let (line, column) = place(Cell(second as u16));
                return Err(LevelError::at(line, column, "there is a second miner (`P`)"));
            }
        }
        let monsters = cells.iter().filter(|kind| kind.is_monster()).count();
        if monsters > MAX_MONSTERS {
            return Err(LevelError::whole(format!(
                "there are {monsters} monsters, there can be at most {MAX_MONSTERS}"
            )));
        }
        let diamonds = count(Kind::Diamond);
        let spare = number(&headers, "need-all-but", 0..=u32::from(u16::MAX))?.unwrap_or(0) as u16;
        let need = need(&headers)?.unwrap_or((diamonds as u16).saturating_sub(spare));
        let headings = headings(&headers, size)?;
        let map = Self { size, cells, need, headers, headings };
        map.check_closed()?;
        Ok(map)
    }

    /// Columns and rows.
    pub fn size(&self) -> Size {
        self.size
    }

    /// What a cell holds when the game begins.
    pub fn kind(&self, cell: Cell) -> Kind {
        self.cells[cell.index()]
    }

    /// What a cell holds, a monster with its heading under Boulder Dash's rules.
    pub fn headed(&self, cell: Cell) -> Kind {
        match self.kind(cell) {
            Kind::Red => Kind::monster(false, self.heading(cell).unwrap_or(Dir::West)),
            Kind::Blue => Kind::monster(true, self.heading(cell).unwrap_or(Dir::South)),
            kind => kind,
        }
    }

    /// All cells, row by row.
    pub fn cells(&self) -> &[Kind] {
        &self.cells
    }

    /// The diamonds to gather before the exit opens.
    pub fn need(&self) -> u16 {
        self.need
    }

    /// Where the monster of a cell looks when the game begins, if the level says so: the header `headings` lists column,
    /// row and direction of such monsters, as in `3 4 up, 5 4 left`.
    pub fn heading(&self, cell: Cell) -> Option<Dir> {
        self.headings.iter().find(|(at, _)| *at == cell).map(|&(_, dir)| dir)
    }

    /// Why the map can be played but never won, if that is plain to see: no exit, or too few diamonds without a monster whose
    /// explosion could make more.
    pub fn warning(&self) -> Option<&'static str> {
        let count = |wanted: fn(&&Kind) -> bool| self.cells.iter().filter(wanted).count();
        if count(|kind| kind.on_board() == Kind::Exit) == 0 {
            return Some("no exit: this map cannot be won");
        }
        let diamonds = count(|kind| kind.at_rest() == Kind::Diamond);
        // Magic walls, amoeba and explosions may all make diamonds.
        let makers = count(|kind| {
            kind.is_blue() || kind.is_blast() || matches!(kind, Kind::Magic | Kind::Amoeba | Kind::Amoeba2)
        });
        let too_few = diamonds < usize::from(self.need) && makers == 0;
        too_few.then_some("too few diamonds: this map cannot be won")
    }

    /// The header lines in their order.
    pub fn headers(&self) -> &[(String, String)] {
        &self.headers
    }

    /// The value of a header line such as `name`.
    pub fn header(&self, key: &str) -> Option<&str> {
        self.headers.iter().find(|(name, _)| name.eq_ignore_ascii_case(key)).map(|(_, value)| value.as_str())
    }

    /// Is every cell of the edge border? If not, the map is played with a ring of border around it.
    pub fn is_closed(&self) -> bool {
        let Size { width, height } = self.size;
        self.size.cells().all(|cell| {
            let (x, y) = self.size.xy(cell);
            let inner = (1..width - 1).contains(&x) && (1..height - 1).contains(&y);
            inner || self.kind(cell) == Kind::Border
        })
    }

    fn check_closed(&self) -> Result<(), LevelError> {
        let Size { width, height } = self.size;
        let largest = MAX_SIDE as u16 - 2;
        if (width > largest || height > largest) && !self.is_closed() {
            return Err(LevelError::whole(format!(
                "a map of more than {largest} columns or rows must have border (`#`) all round"
            )));
        }
        Ok(())
    }
}

/// The number that a header gives, if it is there.
pub(crate) fn number(
    headers: &[(String, String)],
    key: &str,
    range: std::ops::RangeInclusive<u32>,
) -> Result<Option<u32>, LevelError> {
    let Some((_, value)) = headers.iter().find(|(name, _)| name.eq_ignore_ascii_case(key)) else {
        return Ok(None);
    };
    match value.parse() {
        Ok(number) if range.contains(&number) => Ok(Some(number)),
        _ => Err(LevelError::whole(format!(
            "`{key}: {value}`: expected a number from {} to {}",
            range.start(),
            range.end()
        ))),
    }
}

fn need(headers: &[(String, String)]) -> Result<Option<u16>, LevelError> {
    Ok(number(headers, "need", 0..=u32::from(u16::MAX))?.map(|need| need as u16))
}

fn headings(headers: &[(String, String)], size: Size) -> Result<Vec<(Cell, Dir)>, LevelError> {
    let Some((_, list)) = headers.iter().find(|(name, _)| name.eq_ignore_ascii_case("headings")) else {
        return Ok(Vec::new());
    };
    let heading = |text: &str| {
        let words: Vec<&str> = text.split_whitespace().collect();
        let &[x, y, dir] = &words[..] else { return None };
        let (x, y) = (x.parse::<i16>().ok()?, y.parse::<i16>().ok()?);
        let dir = Dir::ALL.into_iter().find(|it| it.arrow_name() == dir)?;
        size.contains(x, y).then(|| (size.cell(x as u16, y as u16), dir))
    };
    list.split(',')
        .map(|text| {
            let text = text.trim();
            heading(text).ok_or_else(|| {
                LevelError::whole(format!(
                    "`headings: {text}`: expected column, row and up, right, down or left, as in 3 4 up"
                ))
            })
        })
        .collect()
}

/// A header that every format of ours can hold, if there can be one: one line, and no colon in the key.
fn clean_header(key: &str, value: &str) -> Option<(String, String)> {
    let one_line = |text: &str| text.replace(['\n', '\r'], " ").trim().to_owned();
    let (key, value) = (one_line(key), one_line(value));
    let separates = key == "next" && value.is_empty();
    (!key.is_empty() && !key.contains(':') && !separates).then_some((key, value))
}

/// The cells of a map for a format of the course, which has not all elements.
pub(crate) fn course_kinds(map: &Map, format: &str) -> Result<Vec<Kind>, LevelError> {
    let kind = |kind: &Kind| {
        let usual = kind.heading().is_none() || matches!(kind, Kind::RedLeft | Kind::BlueDown);
        kind.in_course()
            .filter(|_| usual)
            .ok_or_else(|| LevelError::whole(format!("the format `{format}` has no {}", kind.name())))
    };
    map.cells().iter().map(kind).collect()
}

/// Formats of other games have no place for the options of the rules.
pub(crate) fn refuse_options(map: &Map, format: &str) -> Result<(), LevelError> {
    match OPTION_HEADERS.iter().find(|option| map.header(option.name).is_some()) {
        None => Ok(()),
        Some(option) => Err(LevelError::whole(format!(
            "the format `{format}` has no place for the option `{}`",
            option.name
        ))),
    }
}

/// The size of a map of so many columns and rows, if it can be one.
pub(crate) fn checked_size(width: usize, height: usize) -> Result<Size, LevelError> {
    for (side, name) in [(width, "columns"), (height, "rows")] {
        if !(MIN_SIDE..=MAX_SIDE).contains(&side) {
            return Err(LevelError::whole(format!(
                "the map has {side} {name}, it can have {MIN_SIDE} to {MAX_SIDE}"
            )));
        }
    }
    Ok(Size::new(width as u16, height as u16))
}

impl Level {
    /// A level of these maps in sequence, at least one and at most 255.
    pub fn new(maps: Vec<Map>) -> Result<Self, LevelError> {
        if maps.is_empty() || maps.len() > usize::from(u8::MAX) {
            return Err(LevelError::whole(format!("a game has 1 to 255 maps, this one {}", maps.len())));
        }
        Ok(Self { maps })
    }

    /// Parses and checks a level in any of the formats.
    pub fn parse(text: &str) -> Result<Self, LevelError> {
        let first = text
            .lines()
            .map(str::trim)
            .find(|line| !line.is_empty() && !line.starts_with(';'))
            .and_then(|line| line.chars().next());
        match first {
            Some('{') => json::parse(text),
            Some('<') => xml::parse(text),
            _ if bdcff::is_bdcff(text) => bdcff::parse(text),
            Some('[' | '0'..='9') => codes::parse(text),
            _ => drawn::parse(text),
        }
    }

    /// Prints the level in one of the formats, or says why this format cannot hold it.
    pub fn print(&self, format: &str) -> Result<String, LevelError> {
        match format {
            "damier" => Ok(drawn::print(self)),
            "json" => json::print(self),
            "cells" => cells::print(self),
            "codes" => codes::print(self),
            "xml" => xml::print(self),
            "bdcff" => bdcff::print(self),
            _ => Err(LevelError::whole(format!("there is no format `{format}` of Delirium levels"))),
        }
    }

    /// Its maps, at least one.
    pub fn maps(&self) -> &[Map] {
        &self.maps
    }

    /// Its first map.
    pub fn first(&self) -> &Map {
        &self.maps[0]
    }

    /// The single map of a format that holds no sequence.
    pub(crate) fn single(&self, format: &str) -> Result<&Map, LevelError> {
        match &self.maps[..] {
            [map] => Ok(map),
            maps => Err(LevelError::whole(format!(
                "the format `{format}` holds one map, this game has {}",
                maps.len()
            ))),
        }
    }
}
