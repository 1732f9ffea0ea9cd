//! The maps of the course environment: rows of names between quotes, without the border, which is added.
//!
//! ```text
//! <Map Name="hello" Width="4" Height="2">
//!  <Data>
//!   "Avatar1, ., Stone, Diam"
//!   "StW1, , M2, Exit"
//!  </Data>
//!  <Parameters><Goals Time="80"><Goal Gather="1" Item="Diam" /></Goals></Parameters>
//! </Map>
//! ```
//!
//! A file `Scenarii.xml` names the maps of a sequence: `<Scenario Name="L001_N001.xml" />`. In 2008 it was `MapsList.xml`, with `<Map Name="…" />`. Several maps in one text are such a sequence.
//!
//! Without an `Avatar1` the miner begins at the first of the `Gateways`, counted from 1. Whatever is not told here is
//! skipped: the environment's files differ from version to version.

use damier_core::grid::{Cell, Size};
use damier_core::level::LevelError;

use super::{Level, Map, checked_size, course_kinds, refuse_options};
use crate::kind::Kind;

/// What ends a map.
const END: &str = "</Map>";

/// Reads one map, or several in sequence.
pub fn parse(text: &str) -> Result<Level, LevelError> {
    let mut maps = Vec::new();
    let mut start = 0;
    for map in text.split_inclusive(END) {
        if maps.is_empty() || map.contains(END) {
            maps.push(parse_map(text, start, map)?);
        }
        start += map.len();
    }
    Level::new(maps)
}

/// The files of the maps that a `Scenarii.xml`, or a `MapsList.xml` of 2008, names in their order.
pub fn parts(text: &str) -> Vec<String> {
    let element = match text {
        list if list.contains("<Scenarii") => "<Scenario ",
        list if list.contains("<Maps") => "<Map ",
        _ => return Vec::new(),
    };
    let maps = text.split(element).skip(1);
    maps.filter_map(|map| attribute(map.split('>').next()?, "Name")).map(unescape).collect()
}

/// Reads the map that begins at this place of the whole text.
fn parse_map(whole: &str, begin: usize, text: &str) -> Result<Map, LevelError> {
    let (start, data) = between(text, "<Data>", "</Data>")
        .ok_or_else(|| LevelError::whole("there is no <Data> with the rows of the map"))?;
    let rows = quoted(data);
    let height = rows.len() + 2;
    let width = rows.iter().map(|(_, row)| row.split(',').count()).max().unwrap_or(0) + 2;
    let size = checked_size(width, height)?;
    check_gravity(text)?;
    let mut cells = vec![Kind::Border; size.area()];
    let mut places = vec![(0, 0); size.area()];
    for (y, &(offset, row)) in (1u16..).zip(&rows) {
        let mut at = begin + start + offset;
        // A row shorter than the others ends with empty cells.
        for (x, name) in (1..size.width - 1).zip(row.split(',')) {
            let place = place_of(whole, at + name.len() - name.trim_start().len());
            let cell = size.cell(x, y).index();
            (cells[cell], places[cell]) = (kind(name.trim(), place)?, place);
            at += name.len() + 1;
        }
        for x in 1 + row.split(',').count() as u16..size.width - 1 {
            cells[size.cell(x, y).index()] = Kind::Empty;
        }
    }
    if !cells.contains(&Kind::Miner) {
        put_miner(text, size, &mut cells)?;
    }
    let goal = tag(text, "Goal ");
    let headers = [
        ("name", tag(text, "Map ").and_then(|tag| attribute(tag, "Name"))),
        ("need", goal.and_then(|tag| attribute(tag, "Gather"))),
        ("time", tag(text, "Goals").and_then(|tag| attribute(tag, "Time"))),
    ];
    let headers = headers.into_iter().filter_map(|(key, value)| Some((key.to_owned(), unescape(value?))));
    Map::new(size, cells, headers.collect(), &|cell: Cell| places[cell.index()])
}

fn kind(name: &str, (line, column): (usize, usize)) -> Result<Kind, LevelError> {
    Ok(match name {
        "" | "Vide" => Kind::Empty,
        "." | "Herbe" => Kind::Dirt,
        "Diam" => Kind::Diamond,
        "Stone" => Kind::Rock,
        // The environment tolerates the second spelling of each.
        "StW" | "StW1" | "StW2" | "StW3" | "StW4" | "Stw" => Kind::Wall,
        "SlW" | "SlW1" | "SlW2" | "SlW3" | "SlW4" | "S1W1" => Kind::Border,
        "Exit" => Kind::Exit,
        "Avatar1" => Kind::Miner,
        "M1" => Kind::Blue,
        "M2" => Kind::Red,
        _ => return Err(LevelError::at(line, column, format!("the element `{name}` is not supported"))),
    })
}

/// The first gateway is where the miner comes in.
fn put_miner(text: &str, size: Size, cells: &mut [Kind]) -> Result<(), LevelError> {
    let gateway = between(text, "<Gateways>", "</Gateways>").and_then(|(_, inside)| {
        let (x, y) = quoted(inside).first()?.1.split_once(',')?;
        Some((x.trim().parse::<u16>().ok()?, y.trim().parse::<u16>().ok()?))
    });
    match gateway {
        Some((x, y)) if (1..size.width - 1).contains(&x) && (1..size.height - 1).contains(&y) => {
            cells[size.cell(x, y).index()] = Kind::Miner;
            Ok(())
        }
        Some((x, y)) => Err(LevelError::whole(format!("the gateway {x},{y} is outside the map"))),
        None => Err(LevelError::whole("there is neither an Avatar1 nor a gateway for the miner")),
    }
}

/// Only downwards: the environment knows other directions.
fn check_gravity(text: &str) -> Result<(), LevelError> {
    let direction = tag(text, "Gravity").and_then(|tag| attribute(tag, "Direction"));
    match direction {
        None | Some("Down" | "0,1") => Ok(()),
        Some(other) => Err(LevelError::whole(format!("gravity towards `{other}` is not supported"))),
    }
}

/// What is between two marks, and where it begins.
fn between<'a>(text: &'a str, from: &str, to: &str) -> Option<(usize, &'a str)> {
    let start = text.find(from)? + from.len();
    let end = start + text[start..].find(to)?;
    Some((start, &text[start..end]))
}

/// All texts between quotes, and where they begin.
fn quoted(text: &str) -> Vec<(usize, &str)> {
    let mut offset = 0;
    let mut found = Vec::new();
    for (index, part) in text.split('"').enumerate() {
        if index % 2 == 1 {
            found.push((offset, part));
        }
        offset += part.len() + 1;
    }
    found
}

/// The inside of the first tag of this name.
fn tag<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let start = text.find(&format!("<{name}"))? + 1;
    Some(&text[start..start + text[start..].find('>')?])
}

fn attribute<'a>(tag: &'a str, name: &str) -> Option<&'a str> {
    let start = tag.find(&format!("{name}=\""))? + name.len() + 2;
    Some(&tag[start..start + tag[start..].find('"')?])
}

/// Line and column of an offset, from 1.
fn place_of(text: &str, offset: usize) -> (usize, usize) {
    let before = &text[..offset.min(text.len())];
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
}

/// Writes one map; its border must be all round.
pub fn print(level: &Level) -> Result<String, LevelError> {
    let map = level.single("xml")?;
    refuse_options(map, "xml")?;
    if map.header("headings").is_some() {
        return Err(LevelError::whole("the format `xml` has no place for headings"));
    }
    let kinds = course_kinds(map, "xml")?;
    let size = map.size();
    if !map.is_closed() || size.width < 3 || size.height < 3 {
        return Err(LevelError::whole("the format `xml` needs border (`#`) all round the map"));
    }
    let mut data = String::new();
    for y in 1..size.height - 1 {
        let names: Vec<&str> = (1..size.width - 1).map(|x| name(kinds[size.cell(x, y).index()])).collect();
        data.extend(["  \"", &names.join(","), "\"\n"]);
    }
    let time = map.header("time").map_or_else(String::new, |time| format!(" Time=\"{}\"", escape(time)));
    Ok(format!(
        "<Map Name=\"{}\" Width=\"{}\" Height=\"{}\">\n <Data>\n{data} </Data>\n <Parameters>\n  <Gravity Direction=\"Down\" />\n  \
         <Goals{time}>\n   <Goal Gather=\"{}\" Item=\"Diam\" />\n  </Goals>\n </Parameters>\n</Map>\n",
        escape(map.header("name").unwrap_or_default()),
        size.width - 2,
        size.height - 2,
        map.need(),
    ))
}

fn name(kind: Kind) -> &'static str {
    match kind {
        Kind::Empty | Kind::Blast => " ",
        Kind::Dirt => ".",
        Kind::Exit => "Exit",
        Kind::Miner => "Avatar1",
        Kind::Red => "M2",
        Kind::Blue => "M1",
        Kind::Wall => "StW1",
        Kind::Rock | Kind::FallingRock => "Stone",
        Kind::Diamond | Kind::FallingDiamond => "Diam",
        _ => "SlW1",
    }
}

const ESCAPES: [(&str, &str); 4] = [("&", "&amp;"), ("\"", "&quot;"), ("<", "&lt;"), (">", "&gt;")];

fn escape(text: &str) -> String {
    ESCAPES.iter().fold(text.to_owned(), |text, (char, escape)| text.replace(char, escape))
}

fn unescape(text: &str) -> String {
    ESCAPES.iter().rev().fold(text.to_owned(), |text, (char, escape)| text.replace(escape, char))
}
