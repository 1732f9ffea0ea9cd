//! Caves as the cells of the Boulder Dash community's reference engine: one JSON object a line,
//! `{"name":…,"need":…,"w":40,"h":22,"map":[26,26,…],"push":250000,…}`.
//!
//! `map` holds the element of each cell, row by row; the other keys are the cave's parameters. Keys that nothing here knows
//! are kept.

use damier_core::grid::Cell;
use damier_core::level::LevelError;
use serde_json::{Map as Object, Value, json};

use super::{Level, Map, checked_size};
use crate::kind::Kind;

/// The value of a key, as the header holds it and as the format does.
enum Field {
    /// The same number.
    Number,
    /// `yes` or `no`; 1 or 0.
    Flag,
    /// An element's name; its number.
    Element,
    /// A direction; its number clockwise from up, 1 to 8.
    Direction,
    /// Seconds; milliseconds.
    Seconds,
}

/// The keys of parameters and their headers.
const FIELDS: [(&str, &str, Field); 19] = [
    ("need", "need", Field::Number),
    ("push", "push", Field::Number),
    ("snapel", "dig-leaves", Field::Element),
    ("diag", "diagonal", Field::Flag),
    ("millt", "magic-time", Field::Number),
    ("amt", "amoeba-time", Field::Number),
    ("amg", "amoeba-growth", Field::Number),
    ("ams", "amoeba-size", Field::Number),
    ("slime", "slime", Field::Number),
    ("amen", "amoeba-big", Field::Element),
    ("amenc", "amoeba-enclosed", Field::Element),
    ("lineshift", "lineshift", Field::Flag),
    ("border", "border-scan", Field::Flag),
    ("time", "time", Field::Seconds),
    ("grav", "gravity", Field::Direction),
    ("birth", "birth", Field::Number),
    ("frame", "frame", Field::Number),
    ("slimemask", "slime-mask", Field::Number),
    ("slimeseed", "slime-seed", Field::Number),
];

/// The keys of the map itself, and of recordings.
const NO_HEADERS: [&str; 6] = ["w", "h", "map", "ticks", "elements", "exit"];

/// The frames until the miner is born, by the scheduling of the cave: in milliseconds, or of the C64.
const BIRTH: [u16; 2] = [8, 17];

const WAYS: [(&str, u64); 4] = [("up", 1), ("right", 3), ("down", 5), ("left", 7)];

impl Field {
    fn read(&self, key: &str, value: &Value) -> Result<String, LevelError> {
        let bad = |expected: &str| LevelError::whole(format!("`{key}` is {value}: expected {expected}"));
        let number = value.as_u64().ok_or_else(|| bad("a number"))?;
        Ok(match self {
            Self::Number => number.to_string(),
            Self::Flag => if number == 0 { "no" } else { "yes" }.to_owned(),
            Self::Element => element(number, key)?.name().to_owned(),
            Self::Direction => {
                let way = WAYS.iter().find(|way| way.1 == number).ok_or_else(|| bad("1, 3, 5 or 7"))?;
                way.0.to_owned()
            }
            Self::Seconds if number % 1000 == 0 => (number / 1000).to_string(),
            Self::Seconds => (number as f64 / 1000.0).to_string(),
        })
    }

    fn write(&self, text: &str) -> Option<Value> {
        Some(match self {
            Self::Number => json!(text.parse::<u64>().ok()?),
            Self::Flag => json!(u8::from(text == "yes")),
            Self::Element => json!(Kind::named(text)?.element()),
            Self::Direction => json!(WAYS.iter().find(|way| way.0 == text)?.1),
            Self::Seconds => {
                json!((text.split_whitespace().next()?.parse::<f64>().ok()? * 1000.0).round() as u64)
            }
        })
    }
}

/// The names of elements that we do not have, for error messages.
fn element(number: u64, at: &str) -> Result<Kind, LevelError> {
    u16::try_from(number).ok().and_then(Kind::of_element).ok_or_else(|| {
        LevelError::whole(format!("{at}: the element {} is not supported", element_name(number)))
    })
}

/// Reads one cave.
pub fn parse(object: &Object<String, Value>) -> Result<Level, LevelError> {
    let side = |key: &str| {
        let side = object.get(key).and_then(Value::as_u64);
        side.map(|side| side as usize).ok_or_else(|| LevelError::whole(format!("`{key}` must be a number")))
    };
    let size = checked_size(side("w")?, side("h")?)?;
    let not_map = || LevelError::whole("`map` must be a list of the elements' numbers, one for each cell");
    let map = object.get("map").and_then(Value::as_array).ok_or_else(not_map)?;
    if map.len() != size.area() {
        return Err(LevelError::whole(format!(
            "`map` has {} cells, {}x{} are {}",
            map.len(),
            size.width,
            size.height,
            size.area()
        )));
    }
    let mut cells = Vec::with_capacity(map.len());
    for (value, cell) in map.iter().zip(size.cells()) {
        let (x, y) = size.xy(cell);
        let number = value.as_u64().ok_or_else(not_map)?;
        let kind = element(number, &format!("row {}, column {}", y + 1, x + 1))?;
        cells.push(kind.unheaded());
    }
    let place = |cell: Cell| (usize::from(size.xy(cell).1) + 1, usize::from(size.xy(cell).0) + 1);
    Level::new(vec![Map::new(size, cells, headers(object)?, &place)?])
}

fn headers(object: &Object<String, Value>) -> Result<Vec<(String, String)>, LevelError> {
    let mut headers = Vec::new();
    if !object.contains_key("edges") {
        headers.push(("edges".to_owned(), "open".to_owned()));
    }
    for (key, value) in object {
        if NO_HEADERS.contains(&key.as_str()) {
            continue;
        }
        if key == "need" && value.as_i64().is_some_and(|need| need <= 0) {
            let spare = value.as_i64().unwrap_or(0).unsigned_abs();
            headers.push(("need-all-but".to_owned(), spare.to_string()));
            continue;
        }
        match FIELDS.iter().find(|field| field.0 == key) {
            Some((_, header, field)) => headers.push(((*header).to_owned(), field.read(key, value)?)),
            None => match value {
                Value::String(text) => headers.push((key.clone(), text.clone())),
                Value::Number(_) => headers.push((key.clone(), value.to_string())),
                _ => {}
            },
        }
    }
    if !object.contains_key("birth") {
        let c64 = object.get("sched").and_then(Value::as_u64).is_some_and(|sched| sched > 0);
        headers.push(("birth".to_owned(), BIRTH[usize::from(c64)].to_string()));
    }
    Ok(headers)
}

/// Writes one cave on one line.
pub fn print(level: &Level) -> Result<String, LevelError> {
    let map = level.single("cells")?;
    let mut object = Object::new();
    if map.header("edges").is_none() {
        object.insert("edges".into(), json!("closed"));
    }
    if map.header("birth").is_none() {
        object.insert("birth".into(), json!(0));
    }
    for (key, value) in map.headers() {
        let field = FIELDS.iter().find(|field| field.1 == key);
        match field {
            _ if matches!(key.as_str(), "headings" | "need-all-but")
                || (key == "edges" && value == "open") => {}
            Some((name, _, field)) => {
                let bad =
                    || LevelError::whole(format!("the format `cells` has no place for `{key}: {value}`"));
                object.insert((*name).to_owned(), field.write(value).ok_or_else(bad)?);
            }
            None => {
                let number =
                    value.parse::<u64>().ok().filter(|number| key != "name" && number.to_string() == *value);
                object.insert(key.clone(), number.map_or_else(|| json!(value), |number| json!(number)));
            }
        }
    }
    let spare = map.header("need-all-but").and_then(|spare| spare.parse::<i64>().ok());
    object.insert("need".into(), spare.map_or_else(|| json!(map.need()), |spare| json!(-spare)));
    object.insert("w".into(), json!(map.size().width));
    object.insert("h".into(), json!(map.size().height));
    let cells: Vec<u16> = map.size().cells().map(|cell| map.headed(cell).element()).collect();
    object.insert("map".into(), json!(cells));
    Ok(format!("{}\n", Value::Object(object)))
}

/// The name of an element by its number, for those that we do not have.
pub(crate) fn element_name(number: u64) -> String {
    const NAMES: &[(u64, &str)] = &[
        (10, "DIRTLOOSE"),
        (20, "WALLNONSLOPED"),
        (32, "STEELWALLEATABLE"),
        (33, "WALLEATABLE"),
        (38, "FLYINGBOULDER"),
        (42, "MEGABOULDER"),
        (50, "FLYINGDIAMOND"),
        (54, "NUT"),
        (58, "BLADDERSPENDER"),
        (66, "HEXPANDINGSTEELWALL"),
        (68, "VEXPANDINGSTEELWALL"),
        (70, "EXPANDINGSTEELWALL"),
        (72, "EXPANDINGWALLSWITCH"),
        (73, "FIREFLYBUTTERFLYSWITCH"),
        (74, "BITERSWITCH"),
        (78, "ACID"),
        (80, "FALLINGWALL"),
        (83, "SOKOBANBOX"),
        (86, "GLUEDBOULDER"),
        (87, "GLUEDDIAMOND"),
        (89, "TRAPPEDDIAMOND"),
        (90, "CLOCK"),
        (91, "GLUEDDIRT"),
        (98, "POT"),
        (101, "TELEPORTER"),
        (102, "SKELETON"),
        (103, "WATER"),
        (143, "REPLICATOR"),
        (144, "CONVEYORLEFT"),
        (145, "CONVEYORRIGHT"),
        (146, "LAVA"),
        (150, "BLADDER"),
        (159, "WAITINGBOULDER"),
        (161, "CHASINGBOULDER"),
        (163, "GHOST"),
        (205, "BITERu"),
        (230, "GUYGLUED"),
        (241, "BOMB"),
        (249, "NITRO"),
    ];
    NAMES.iter().find(|row| row.0 == number).map_or_else(|| number.to_string(), |row| row.1.to_owned())
}
