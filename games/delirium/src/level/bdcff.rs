//! BDCFF, the text format of the Boulder Dash community, for the elements that have an equivalent here.
//!
//! A cave is a `[map]` of characters or a list of `[objects]`; a file may hold many caves. Unsupported elements are refused
//! by name and place, and so are caves that are filled at random.

use damier_core::grid::{Cell, Dir, Size};
use damier_core::level::LevelError;

use super::{Level, Map, checked_size, refuse_options};
use crate::kind::Kind;

/// Every element: its name, its character in a map, what it is here, and where it looks.
const ELEMENTS: &[(&str, char, Kind, Option<Dir>)] = &[
    ("SPACE", ' ', Kind::Empty, None),
    ("DIRT", '.', Kind::Dirt, None),
    ("WALL", 'w', Kind::Wall, None),
    ("STEELWALL", 'W', Kind::Border, None),
    ("BOULDER", 'r', Kind::Rock, None),
    ("DIAMOND", 'd', Kind::Diamond, None),
    ("INBOX", 'P', Kind::Miner, None),
    ("OUTBOX", 'X', Kind::Exit, None),
    ("FIREFLYl", 'Q', Kind::Red, Some(Dir::West)),
    ("FIREFLYu", 'o', Kind::Red, Some(Dir::North)),
    ("FIREFLYr", 'O', Kind::Red, Some(Dir::East)),
    ("FIREFLYd", 'q', Kind::Red, Some(Dir::South)),
    ("BUTTERFLYd", 'c', Kind::Blue, Some(Dir::South)),
    ("BUTTERFLYl", 'C', Kind::Blue, Some(Dir::West)),
    ("BUTTERFLYu", 'b', Kind::Blue, Some(Dir::North)),
    ("BUTTERFLYr", 'B', Kind::Blue, Some(Dir::East)),
];

/// What stands in a cell.
type Element = (Kind, Option<Dir>);

/// Does this text look like BDCFF?
pub fn is_bdcff(text: &str) -> bool {
    let mut lines = text.lines().map(|line| line.trim().to_ascii_lowercase());
    lines.any(|line| matches!(line.as_str(), "[bdcff]" | "[cave]" | "[map]" | "[game]"))
}

/// The caves of a file, each with its name and a text of its own.
pub fn split(text: &str) -> Vec<(Option<String>, String)> {
    let mut head = String::new();
    let mut caves: Vec<(Option<String>, String)> = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        let section = line.trim().to_ascii_lowercase();
        if section == "[cave]" {
            caves.push((None, head.clone()));
            inside = true;
        }
        match caves.last_mut() {
            Some((name, cave)) if inside => {
                if let Some(("name", value)) =
                    attribute(line).as_ref().map(|(key, value)| (key.as_str(), value))
                {
                    name.get_or_insert(value.clone());
                }
                cave.push_str(line);
                cave.push('\n');
            }
            None => {
                head.push_str(line);
                head.push('\n');
            }
            Some(_) => {}
        }
        inside &= section != "[/cave]";
    }
    if caves.is_empty() { vec![(None, text.to_owned())] } else { caves }
}

/// A line `Key=value`, its key in small letters.
fn attribute(line: &str) -> Option<(String, String)> {
    let (key, value) = line.split_once('=')?;
    Some((key.trim().to_ascii_lowercase(), value.trim().to_owned()))
}

/// What is read of a cave so far.
struct Cave {
    name: Option<String>,
    need: Option<String>,
    time: Option<String>,
    size: (usize, usize),
    fill: Element,
    /// Where a random fill is asked for.
    random: Option<usize>,
    /// The lines of the map, with their numbers.
    map: Vec<(usize, String)>,
    /// The lines of the objects, with their numbers.
    objects: Vec<(usize, String)>,
}

/// Reads the first cave.
pub fn parse(text: &str) -> Result<Level, LevelError> {
    let cave = Cave::read(text)?;
    let (size, elements, places) = if cave.map.is_empty() { cave.draw()? } else { cave.copy()? };
    // The usual headings need no mention.
    let headings: Vec<String> = size
        .cells()
        .zip(&elements)
        .filter(|&(_, &(kind, heading))| heading != usual_heading(kind))
        .filter_map(|(cell, &(_, heading))| {
            let (x, y) = size.xy(cell);
            Some(format!("{x} {y} {}", heading?.arrow_name()))
        })
        .collect();
    let headings = headings.join(", ");
    let headers =
        [("name", cave.name), ("need", cave.need), ("time", cave.time), ("headings", Some(headings))];
    let headers = headers
        .into_iter()
        .filter_map(|(key, value)| Some((key.to_owned(), value.filter(|value| !value.is_empty())?)));
    let cells = elements.iter().map(|&(kind, _)| kind).collect();
    Level::new(vec![Map::new(size, cells, headers.collect(), &|cell: Cell| places[cell.index()])?])
}

fn usual_heading(kind: Kind) -> Option<Dir> {
    match kind {
        Kind::Red => Some(Dir::West),
        Kind::Blue => Some(Dir::South),
        _ => None,
    }
}

impl Cave {
    fn read(text: &str) -> Result<Self, LevelError> {
        let mut cave = Self {
            name: None,
            need: None,
            time: None,
            size: (40, 22),
            fill: (Kind::Dirt, None),
            random: None,
            map: Vec::new(),
            objects: Vec::new(),
        };
        let mut section = String::new();
        for (number, line) in (1..).zip(text.lines()) {
            let trimmed = line.trim();
            if section == "[map]" && !trimmed.eq_ignore_ascii_case("[/map]") {
                cave.map.push((number, line.trim_end_matches('\r').to_owned()));
            } else if trimmed.starts_with('[') {
                section = trimmed.to_ascii_lowercase();
                if section == "[/cave]" {
                    break;
                }
            } else if !trimmed.is_empty() && !trimmed.starts_with(';') {
                cave.take(trimmed, &section, number)?;
            }
        }
        Ok(cave)
    }

    /// A line that is neither map nor section.
    fn take(&mut self, line: &str, section: &str, number: usize) -> Result<(), LevelError> {
        if section == "[objects]" {
            self.objects.push((number, line.to_owned()));
        } else if let Some((key, value)) = attribute(line) {
            self.set(&key, &value, number, section == "[cave]")?;
        }
        Ok(())
    }

    fn set(&mut self, key: &str, value: &str, line: usize, in_cave: bool) -> Result<(), LevelError> {
        let first = || value.split_whitespace().next().map(str::to_owned);
        match key {
            "name" if in_cave => self.name = Some(value.to_owned()),
            "diamondsrequired" => self.need = first(),
            "cavetime" => self.time = first(),
            "size" => {
                let mut sides = value.split_whitespace().map(str::parse);
                match (sides.next(), sides.next()) {
                    (Some(Ok(width)), Some(Ok(height))) => self.size = (width, height),
                    _ => {
                        return Err(LevelError::at(line, 0, format!("`Size={value}`: expected two numbers")));
                    }
                }
            }
            "initialfill" => self.fill = named(value, line)?,
            "randomfill" if !value.is_empty() => self.random = Some(line),
            _ => {}
        }
        Ok(())
    }

    /// A cave given as a map.
    fn copy(&self) -> Result<Drawn, LevelError> {
        let width = self.map.iter().map(|(_, row)| row.chars().count()).max().unwrap_or(0);
        let size = checked_size(width, self.map.len())?;
        let mut elements = Vec::with_capacity(size.area());
        let mut places = Vec::with_capacity(size.area());
        for (line, row) in &self.map {
            for (x, char) in row.chars().chain(std::iter::repeat(' ')).take(width).enumerate() {
                let element = ELEMENTS.iter().find(|element| element.1 == char);
                let &(_, _, kind, heading) = element.ok_or_else(|| {
                    LevelError::at(*line, x + 1, format!("the element `{char}` is not supported"))
                })?;
                elements.push((kind, heading));
                places.push((*line, x + 1));
            }
        }
        Ok((size, elements, places))
    }

    /// A cave given as objects on a filled ground with a border.
    fn draw(&self) -> Result<Drawn, LevelError> {
        if let Some(line) = self.random {
            return Err(LevelError::at(line, 0, "caves that are filled at random are not supported"));
        }
        let size = checked_size(self.size.0, self.size.1)?;
        let mut elements = vec![self.fill; size.area()];
        let mut places = vec![(0, 0); size.area()];
        for cell in size.cells() {
            let (x, y) = size.xy(cell);
            if x == 0 || y == 0 || x + 1 == size.width || y + 1 == size.height {
                elements[cell.index()] = (Kind::Border, None);
            }
        }
        for (line, text) in &self.objects {
            for ((x, y), element) in object(text, *line)? {
                if size.contains(x, y) {
                    let cell = size.cell(x as u16, y as u16).index();
                    (elements[cell], places[cell]) = (element, (*line, 0));
                }
            }
        }
        Ok((size, elements, places))
    }
}

/// A size, what each cell holds, and where the text says so.
type Drawn = (Size, Vec<Element>, Vec<(usize, usize)>);

fn named(name: &str, line: usize) -> Result<Element, LevelError> {
    let element = ELEMENTS.iter().find(|element| element.0.eq_ignore_ascii_case(name));
    let short = match name.to_ascii_uppercase().as_str() {
        "FIREFLY" => Some((Kind::Red, Some(Dir::West))),
        "BUTTERFLY" => Some((Kind::Blue, Some(Dir::South))),
        _ => None,
    };
    element
        .map(|&(_, _, kind, heading)| (kind, heading))
        .or(short)
        .ok_or_else(|| LevelError::at(line, 0, format!("the element `{name}` is not supported")))
}

/// A cell, by column and row, and what an object puts there.
type Placed = ((i16, i16), Element);

/// The cells of an object line such as `Line=2 1 2 4 DIAMOND`.
fn object(text: &str, line: usize) -> Result<Vec<Placed>, LevelError> {
    let bad = || LevelError::at(line, 0, format!("`{text}` is not an object that is supported"));
    let (shape, rest) = text.split_once('=').ok_or_else(bad)?;
    let words: Vec<&str> = rest.split_whitespace().collect();
    let numbers: Vec<i16> = words.iter().map_while(|word| word.parse().ok()).collect();
    // No cave is so large; it also keeps a bad line from filling the memory.
    if numbers.iter().any(|number| !(-1..=200).contains(number)) {
        return Err(bad());
    }
    let names = &words[numbers.len()..];
    let element = |index: usize| names.get(index).ok_or_else(bad).and_then(|name| named(name, line));
    let first = element(0)?;
    let cells = match (shape.trim().to_ascii_lowercase().as_str(), &numbers[..]) {
        ("point", &[x, y]) => vec![((x, y), first)],
        ("line", &[x1, y1, x2, y2]) => line_cells((x1, y1), (x2, y2)).map(|cell| (cell, first)).collect(),
        ("rectangle", &[x1, y1, x2, y2]) => area((x1, y1), (x2, y2))
            .filter(|&(x, y)| x == x1 || x == x2 || y == y1 || y == y2)
            .map(|cell| (cell, first))
            .collect(),
        ("fillrect", &[x1, y1, x2, y2]) => {
            let inner = if names.len() > 1 { element(1)? } else { first };
            let edge = |(x, y): (i16, i16)| x == x1 || x == x2 || y == y1 || y == y2;
            area((x1, y1), (x2, y2)).map(|cell| (cell, if edge(cell) { first } else { inner })).collect()
        }
        ("raster", &[x, y, columns, rows, dx, dy]) => {
            let grid = (0..rows).flat_map(|row| (0..columns).map(move |column| (column, row)));
            grid.map(|(column, row)| ((x + column * dx, y + row * dy), first)).collect()
        }
        _ => return Err(bad()),
    };
    Ok(cells)
}

fn area((x1, y1): (i16, i16), (x2, y2): (i16, i16)) -> impl Iterator<Item = (i16, i16)> {
    (y1.min(y2)..=y1.max(y2)).flat_map(move |y| (x1.min(x2)..=x1.max(x2)).map(move |x| (x, y)))
}

/// A straight line of as many cells as its longer side has.
fn line_cells((x1, y1): (i16, i16), (x2, y2): (i16, i16)) -> impl Iterator<Item = (i16, i16)> {
    let (dx, dy) = (x2 - x1, y2 - y1);
    let steps = dx.abs().max(dy.abs()).max(1);
    let along = move |from: i16, by: i16, step: i16| {
        from + ((i32::from(by) * i32::from(step) * 2 + i32::from(by.signum()) * i32::from(steps))
            / (2 * i32::from(steps))) as i16
    };
    let last = if (dx, dy) == (0, 0) { 0 } else { steps };
    (0..=last).map(move |step| (along(x1, dx, step), along(y1, dy, step)))
}

/// Writes one cave as a map.
pub fn print(level: &Level) -> Result<String, LevelError> {
    let map = level.single("bdcff")?;
    refuse_options(map, "bdcff")?;
    let size = map.size();
    let mut text = String::from("[BDCFF]\nVersion=0.32\n[game]\n[cave]\n");
    if let Some(name) = map.header("name").filter(|name| !name.is_empty()) {
        text.extend(["Name=", name, "\n"]);
    }
    if let Some(time) = map.header("time").and_then(|time| time.split_whitespace().next()) {
        text.extend(["CaveTime=", time, "\n"]);
    }
    let size_line = format!("Size={} {}\n", size.width, size.height);
    text.extend([&*size_line, &format!("DiamondsRequired={}\n", map.need()), "[map]\n"]);
    for cell in size.cells() {
        let kind = map.kind(cell);
        let told = map.heading(cell).filter(|_| kind.is_monster());
        if told.is_some() && told == usual_heading(kind) {
            return Err(LevelError::whole(
                "the format `bdcff` has no place for a heading that is the usual one",
            ));
        }
        let heading = told.or(usual_heading(kind));
        let element = ELEMENTS.iter().find(|element| element.2 == kind && element.3 == heading);
        text.push(element.map_or(' ', |element| element.1));
        if size.xy(cell).0 + 1 == size.width {
            text.push('\n');
        }
    }
    text += "[/map]\n[/cave]\n[/game]\n[/BDCFF]\n";
    Ok(text)
}
