//! BDCFF, the text format of the Boulder Dash community.
//!
//! A cave is a `[map]` of characters, or a ground filled by the C64's random generator, and a list of `[objects]` on it; a
//! file may hold many caves. Each has up to five levels of difficulty: values may differ from level to level, and objects
//! in `[Level=…]` belong to some. The first one is read, or that of a line `; level: N` before the cave.

mod objects;

use damier_core::grid::{Cell, Size};
use damier_core::level::LevelError;

use super::{Level, Map, checked_size};
use crate::kind::Kind;
use crate::rules::CaveOptions;
use crate::rules::boulder::next_c64;
use objects::{Canvas, pick};

/// The characters of a map.
const CHARS: &[(char, Kind)] = &[
    (' ', Kind::Empty),
    ('.', Kind::Dirt),
    ('w', Kind::Wall),
    ('M', Kind::Magic),
    ('X', Kind::Exit),
    ('H', Kind::HiddenExit),
    ('W', Kind::Border),
    ('E', Kind::SoftBorder),
    ('r', Kind::Rock),
    ('R', Kind::FallingRock),
    ('d', Kind::Diamond),
    ('D', Kind::FallingDiamond),
    ('P', Kind::Inbox),
    ('x', Kind::GrowingAcross),
    ('v', Kind::GrowingUp),
    ('e', Kind::Growing),
    ('a', Kind::Amoeba),
    ('s', Kind::Slime),
    ('F', Kind::Doll),
    ('Q', Kind::RedLeft),
    ('o', Kind::RedUp),
    ('O', Kind::RedRight),
    ('q', Kind::RedDown),
    ('C', Kind::BlueLeft),
    ('b', Kind::BlueUp),
    ('B', Kind::BlueRight),
    ('c', Kind::BlueDown),
];

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

/// The element of this name.
fn element(name: &str, line: usize) -> Result<Kind, LevelError> {
    let unsupported = || LevelError::at(line, 0, format!("the element `{name}` is not supported"));
    Kind::named(name).ok_or_else(unsupported)
}

/// What is read of a cave.
#[derive(Default)]
struct Cave {
    /// The properties, with the numbers of their lines; later ones overrule.
    properties: Vec<(usize, String, String)>,
    /// The lines of the map, with their numbers.
    map: Vec<(usize, String)>,
    /// The objects of this level, with their numbers.
    objects: Vec<(usize, String)>,
    /// Characters that the file gives meanings of its own.
    codes: Vec<(char, String)>,
    /// The level that is read, from 0.
    level: usize,
}

/// Reads the first cave.
pub fn parse(text: &str) -> Result<Level, LevelError> {
    let cave = Cave::read(text);
    let (size, cells, seed) = if cave.map.is_empty() { cave.fill()? } else { cave.copy()? };
    let canvas = Canvas {
        size,
        cells,
        wraps: cave.flag("borderproperties.objectwraparound", false),
        lineshift: cave.flag("borderproperties.lineshift", false),
        level: cave.level,
    };
    let mut canvas = canvas;
    for (line, object) in &cave.objects {
        canvas.draw(object, *line)?;
    }
    let cells: Vec<Kind> = canvas.cells.into_iter().map(Kind::unheaded).collect();
    let headers = cave.headers(size, &cells, seed)?;
    Level::new(vec![Map::new(size, cells, headers, &|_: Cell| (0, 0))?])
}

impl Cave {
    fn read(text: &str) -> Self {
        let mut cave = Self::default();
        let (mut section, mut wanted) = (String::new(), true);
        for (number, line) in (1..).zip(text.lines()) {
            let trimmed = line.trim();
            let lower = trimmed.to_ascii_lowercase();
            if section == "[map]" && lower != "[/map]" {
                cave.map.push((number, line.trim_end_matches('\r').to_owned()));
            } else if let Some(levels) = lower.strip_prefix("[level=") {
                let mut levels =
                    levels.trim_end_matches(']').split(',').map(|level| level.trim().parse::<usize>());
                wanted = levels.any(|level| level == Ok(cave.level + 1));
            } else if lower == "[/level]" {
                wanted = true;
            } else if lower == "[/cave]" {
                break;
            } else if lower.starts_with("[/") {
                "[cave]".clone_into(&mut section);
            } else if lower.starts_with('[') {
                section = lower;
            } else if let Some(level) = lower.strip_prefix("; level:") {
                cave.level = level.trim().parse::<usize>().unwrap_or(1).clamp(1, 5) - 1;
            } else if !trimmed.is_empty() && !trimmed.starts_with(';') {
                cave.take(trimmed, &section, number, wanted);
            }
        }
        cave
    }

    /// A line that is neither map nor section.
    fn take(&mut self, line: &str, section: &str, number: usize, wanted: bool) {
        match section {
            "[objects]" if wanted => self.objects.push((number, line.to_owned())),
            "[mapcodes]" => {
                // `Length=1` is no code.
                let mut chars = line.chars();
                if let (Some(code), Some('=')) = (chars.next(), chars.next()) {
                    self.codes.push((code, chars.as_str().trim().to_owned()));
                }
            }
            "[cave]" => {
                if let Some((key, value)) = attribute(line) {
                    self.properties.push((number, key, value));
                }
            }
            _ => {}
        }
    }

    /// The value of a property, with its line.
    fn property(&self, key: &str) -> Option<(usize, &str)> {
        let found = self.properties.iter().rev().find(|property| property.1 == key);
        found.map(|(line, _, value)| (*line, value.as_str()))
    }

    fn flag(&self, key: &str, default: bool) -> bool {
        self.property(key)
            .map_or(default, |(_, value)| matches!(value.to_ascii_lowercase().as_str(), "true" | "yes" | "1"))
    }

    /// The number of this level, or the first one if there is only one.
    fn number(&self, key: &str) -> Result<Option<f64>, LevelError> {
        let Some((line, value)) = self.property(key) else { return Ok(None) };
        let numbers: Vec<&str> = value.split_whitespace().collect();
        let number = numbers.get(self.level).or(numbers.first());
        let number = number.and_then(|number| number.parse().ok());
        number.map(Some).ok_or_else(|| LevelError::at(line, 0, format!("`{key}={value}`: expected numbers")))
    }

    /// The element of an effect such as `AMOEBABOULDEReffect`.
    fn effect(&self, name: &str) -> Result<Option<Kind>, LevelError> {
        let of = |property: &&(usize, String, String)| {
            property.1 == "effect"
                && property.2.split_whitespace().next().is_some_and(|it| it.eq_ignore_ascii_case(name))
        };
        let Some((line, _, value)) = self.properties.iter().rev().find(of) else { return Ok(None) };
        element(value.split_whitespace().nth(1).unwrap_or(""), *line).map(Some)
    }

    fn is_intermission(&self) -> bool {
        self.flag("intermission", false)
    }

    fn size(&self) -> Result<(usize, usize), LevelError> {
        let default = if self.is_intermission() { (20, 12) } else { (40, 22) };
        let Some((line, value)) = self.property("size") else { return Ok(default) };
        let mut sides = value.split_whitespace().map(str::parse);
        match (sides.next(), sides.next()) {
            (Some(Ok(width)), Some(Ok(height))) => Ok((width, height)),
            _ => Err(LevelError::at(line, 0, format!("`Size={value}`: expected two numbers"))),
        }
    }

    fn kind_of(&self, char: char, line: usize, column: usize) -> Result<Kind, LevelError> {
        let own = self.codes.iter().find(|code| code.0 == char);
        let kind = match own {
            Some((_, name)) => Kind::named(name),
            None => CHARS.iter().find(|row| row.0 == char).map(|row| row.1),
        };
        let name = own.map_or_else(|| char.to_string(), |code| code.1.clone());
        kind.ok_or_else(|| LevelError::at(line, column, format!("the element `{name}` is not supported")))
    }

    /// A cave given as a map.
    fn copy(&self) -> Result<Filled, LevelError> {
        let longest = self.map.iter().map(|(_, row)| row.chars().count()).max().unwrap_or(0);
        let (width, height) = match self.property("size") {
            Some(_) => self.size()?,
            None => (longest, self.map.len()),
        };
        let size = checked_size(width, height)?;
        let mut cells = vec![Kind::Empty; size.area()];
        for (y, (line, row)) in self.map.iter().take(height).enumerate() {
            for (x, char) in row.chars().take(width).enumerate() {
                cells[y * width + x] = self.kind_of(char, *line, x + 1)?;
            }
        }
        Ok((size, cells, [0, 0x1e]))
    }

    /// A ground filled at random, or with one element, with a border.
    fn fill(&self) -> Result<Filled, LevelError> {
        let (width, height) = self.size()?;
        let size = checked_size(width, height)?;
        let named =
            |key: &str, default| self.property(key).map_or(Ok(default), |(line, name)| element(name, line));
        let mut fills = vec![(named("initialfill", Kind::Dirt)?, 256)];
        if let Some((line, value)) = self.property("randomfill") {
            for pair in value.split_whitespace().collect::<Vec<_>>().chunks(2) {
                let bad = || {
                    LevelError::at(line, 0, format!("`RandomFill={value}`: expected elements and numbers"))
                };
                let &[name, threshold] = pair else { return Err(bad()) };
                fills.push((element(name, line)?, threshold.parse().map_err(|_| bad())?));
            }
        }
        let seed = self.number("randseed")?.unwrap_or(0.0);
        // Below zero a cave is filled anew in every game; here it is always the same.
        let mut seed = (seed as i64 as u16).to_be_bytes();
        let border = named("initialborder", Kind::Border)?;
        let mut cells = vec![fills[0].0; size.area()];
        for y in 1..height.saturating_sub(1) {
            for x in 0..width {
                cells[y * width + x] = pick(&fills, next_c64(&mut seed));
            }
        }
        for (place, cell) in cells.iter_mut().enumerate() {
            let (x, y) = (place % width, place / width);
            if x == 0 || y == 0 || x + 1 == width || y + 1 == height {
                *cell = border;
            }
        }
        Ok((size, cells, seed))
    }

    /// The headers of a cave: its name, and what differs from the defaults.
    fn headers(
        &self,
        size: Size,
        cells: &[Kind],
        seed: [u8; 2],
    ) -> Result<Vec<(String, String)>, LevelError> {
        let mut headers: Vec<(String, String)> = Vec::new();
        let mut add =
            |key: &str, value: Option<String>| headers.extend(value.map(|value| (key.to_owned(), value)));
        let yes = |is: bool| is.then(|| "yes".to_owned());
        let default = CaveOptions::DEFAULT;
        let second = if self.flag("paltiming", false) { 1_200.0 } else { 1_000.0 };
        let ms = |key: &str| -> Result<u64, LevelError> {
            Ok((self.number(key)?.unwrap_or(999.0).max(0.0) * second).round() as u64)
        };
        add("name", self.property("name").map(|(_, name)| name.to_owned()).filter(|name| !name.is_empty()));
        let need = self.number("diamondsrequired")?.unwrap_or(10.0) as i64;
        add("need", (need > 0).then(|| need.to_string()));
        add("need-all-but", (need <= 0).then(|| need.unsigned_abs().to_string()));
        if self.property("cavetime").is_some() {
            let time = ms("cavetime")?;
            let whole = time % 1000 == 0;
            let seconds = if whole { (time / 1000).to_string() } else { (time as f64 / 1000.0).to_string() };
            add("time", Some(seconds));
        }
        add("edges", Some("open".to_owned()));
        add("inter", self.is_intermission().then(|| "1".to_owned()));
        let timing = self.timing();
        add("sched", Some(timing.to_string()));
        add("birth", Some(self.birth(timing)?.to_string()));
        if timing == 0
            && let Some(frame) = self.number("frametime")?
        {
            add("frame", Some((frame as u32).clamp(1, 10_000).to_string()));
        }
        add("magic-time", Some(ms("magicwalltime")?.to_string()));
        add("amoeba-time", Some(ms("amoebatime")?.to_string()));
        let chance = |key: &str, index: usize| -> Option<String> {
            let (_, value) = self.property(key)?;
            let part: f64 = value.split_whitespace().nth(index)?.parse().ok()?;
            Some(((part * 1e6).round() as u32).to_string())
        };
        add("push", chance("pushingboulderprob", 0));
        add("amoeba-growth", chance("amoebagrowthprob", 0));
        add("amoeba-fast", chance("amoebagrowthprob", 1));
        let threshold = self.number("amoebathreshold")?;
        add("amoeba-size", threshold.map(|part| ((part * size.area() as f64).round() as u32).to_string()));
        let element = |kind: Option<Kind>, default| {
            kind.filter(|&kind| kind != default).map(|kind| kind.name().to_owned())
        };
        add("amoeba-big", element(self.effect("AMOEBABOULDEReffect")?, default.amoeba_big));
        add("amoeba-enclosed", element(self.effect("AMOEBADIAMONDeffect")?, default.amoeba_enclosed));
        add("lineshift", yes(self.flag("borderproperties.lineshift", false)));
        add("border-scan", (!self.flag("borderproperties.scan", true)).then(|| "no".to_owned()));
        add("diagonal", yes(self.flag("diagonalmovement", false)));
        add("long-blasts", yes(!self.flag("shortexplosions", true)));
        add(
            "magic-stops-amoeba",
            (!self.flag("magicwallproperties.convertamoeba", true)).then(|| "no".to_owned()),
        );
        let snaps = self.flag("snapexplosions", false).then_some(Kind::Blast1);
        let snaps = match self.property("snapelement") {
            Some((line, name)) => Some(self::element(name, line)?),
            None => snaps,
        };
        add("dig-leaves", element(snaps, default.dig_leaves));
        add(
            "gravity",
            self.property("gravity").map(|(_, way)| way.to_ascii_lowercase()).filter(|way| way != "down"),
        );
        if cells.contains(&Kind::Slime) {
            if self.flag("slimepredictable", true) {
                let mask = self.number("slimepermeabilityc64")?.unwrap_or(0.0) as u8;
                add("slime-mask", Some(mask.to_string()));
                let own = self.number("slimepredictablec64seed")?.filter(|&seed| seed >= 0.0);
                let seed = own.map_or(u16::from_be_bytes(seed), |seed| seed as u16);
                add("slime-seed", Some(seed.to_string()));
            } else {
                add("slime", chance("slimepermeability", 0));
            }
        }
        Ok(headers)
    }

    /// How a cave counts time: 0 in milliseconds, else as one of the C64's games.
    fn timing(&self) -> usize {
        let name = self.property("cavescheduling").map_or("milliseconds", |(_, name)| name);
        TIMINGS.iter().position(|it| it.eq_ignore_ascii_case(name)).unwrap_or(0)
    }

    /// The frames until the miner is born.
    fn birth(&self, timing: usize) -> Result<u32, LevelError> {
        let delay = self.number("hatchingdelay")?;
        Ok(if timing == 0 {
            delay.unwrap_or(21.0) as u32
        } else {
            (delay.unwrap_or(2.0) * 1000.0 / f64::from(CaveOptions::DEFAULT.frame)).ceil() as u32
        }
        .min(10_000))
    }
}

/// How caves count time.
const TIMINGS: [&str; 7] = ["milliseconds", "bd1", "bd2", "plck", "crdr", "bd1atari", "bd2ckatari"];

/// A size, what each cell holds, and how the random generator was left.
type Filled = (Size, Vec<Kind>, [u8; 2]);

/// Headers that a cave has a property for, or no need of one.
const HEADERS: [&str; 25] = [
    "name",
    "need",
    "need-all-but",
    "time",
    "edges",
    "inter",
    "sched",
    "birth",
    "frame",
    "magic-time",
    "amoeba-time",
    "push",
    "amoeba-growth",
    "amoeba-fast",
    "amoeba-size",
    "amoeba-big",
    "amoeba-enclosed",
    "lineshift",
    "border-scan",
    "diagonal",
    "long-blasts",
    "magic-stops-amoeba",
    "dig-leaves",
    "gravity",
    "headings",
];

/// Writes one cave as a map.
pub fn print(level: &Level) -> Result<String, LevelError> {
    let map = level.single("bdcff")?;
    super::refuse_options(map, "bdcff")?;
    let options = CaveOptions::read(map)?;
    let slime = ["slime", "slime-mask", "slime-seed"];
    let known = |name: &str| HEADERS.contains(&name) || slime.contains(&name);
    if let Some(lost) =
        crate::rules::CAVE_HEADERS.iter().find(|it| !known(it.name) && map.header(it.name).is_some())
    {
        return Err(LevelError::whole(format!(
            "the format `bdcff` has no place for the option `{}`",
            lost.name
        )));
    }
    let size = map.size();
    let codes = codes(map);
    let mut text = String::from("[BDCFF]\nVersion=0.5\n[game]\n");
    if !codes.is_empty() {
        text += "[mapcodes]\nLength=1\n";
        text.extend(codes.iter().map(|(char, kind)| format!("{char}={}\n", kind.name())));
        text += "[/mapcodes]\n";
    }
    text += "[cave]\n";
    for (key, value) in properties(map, &options) {
        text.extend([key, "=", &value, "\n"]);
    }
    text.extend([&*format!("Size={} {}\n", size.width, size.height), "[map]\n"]);
    for cell in size.cells() {
        let told = map.heading(cell).filter(|_| map.kind(cell).is_monster());
        if told.is_some() && map.headed(cell).unheaded() == map.kind(cell) {
            return Err(LevelError::whole(
                "the format `bdcff` has no place for a heading that is the usual one",
            ));
        }
        let kind = map.headed(cell);
        let char = CHARS.iter().chain(&codes).find(|row| row.1 == kind).map_or(' ', |row| row.0);
        text.push(char);
        if size.xy(cell).0 + 1 == size.width {
            text.push('\n');
        }
    }
    text += "[/map]\n[/cave]\n[/game]\n[/BDCFF]\n";
    Ok(text)
}

/// Characters for the kinds of a map that have none.
fn codes(map: &Map) -> Vec<(char, Kind)> {
    let mut free = ('0'..='9').chain("!#$%&*+-/:<>@ACGIJKLNSTUVYZfghijklmnptuyz".chars());
    let mut codes: Vec<(char, Kind)> = Vec::new();
    for cell in map.size().cells() {
        let kind = map.headed(cell);
        if !CHARS.iter().chain(&codes).any(|row| row.1 == kind)
            && let Some(char) = free.next()
        {
            codes.push((char, kind));
        }
    }
    codes
}

/// The properties of a cave, as the headers of its map give them.
fn properties(map: &Map, options: &CaveOptions) -> Vec<(&'static str, String)> {
    let header = |key: &str| map.header(key).map(str::to_owned);
    let seconds = |time: u64| (time as f64 / 1000.0).to_string();
    let flag = |is: bool| if is { "true" } else { "false" }.to_owned();
    let part = |hits: u32| (f64::from(hits) / 1e6).to_string();
    let timing = header("sched").and_then(|sched| sched.parse::<usize>().ok()).unwrap_or(0);
    let name = TIMINGS.get(timing).copied().unwrap_or(TIMINGS[0]);
    let birth = if timing == 0 {
        options.birth.to_string()
    } else {
        (f64::from(options.birth) * f64::from(options.frame) / 1000.0).to_string()
    };
    let need = options.need_all_but.map_or_else(|| map.need().to_string(), |spare| format!("-{spare}"));
    let mut properties = vec![
        ("Name", header("name").unwrap_or_default()),
        ("Intermission", flag(header("inter").is_some_and(|it| it != "0"))),
        ("DiamondsRequired", need),
        ("CaveScheduling", name.to_owned()),
        ("HatchingDelay", birth),
        ("MagicWallTime", seconds(options.magic_time.into())),
        ("AmoebaTime", seconds(options.amoeba_time.into())),
        ("PushingBoulderProb", part(options.push)),
        ("AmoebaGrowthProb", format!("{} {}", part(options.amoeba_growth), part(options.amoeba_fast))),
        ("AmoebaThreshold", (f64::from(options.amoeba_size) / map.size().area() as f64).to_string()),
        ("Effect", format!("AMOEBABOULDEReffect {}", options.amoeba_big.name())),
        ("Effect", format!("AMOEBADIAMONDeffect {}", options.amoeba_enclosed.name())),
        ("BorderProperties.lineshift", flag(options.lineshift)),
        ("BorderProperties.scan", flag(options.border_scan)),
        ("DiagonalMovement", flag(options.diagonal)),
        ("ShortExplosions", flag(!options.long_blasts)),
        ("MagicWallProperties.convertamoeba", flag(options.magic_stops_amoeba)),
        ("SnapElement", options.dig_leaves.name().to_owned()),
        ("Gravity", header("gravity").unwrap_or_else(|| "down".to_owned())),
    ];
    properties.extend(header("time").map(|time| ("CaveTime", time)));
    properties.extend(header("frame").map(|frame| ("FrameTime", frame)));
    if map.cells().contains(&Kind::Slime) {
        let seed = u16::from_be_bytes(options.slime_seed).to_string();
        match options.slime_mask {
            Some(mask) => properties
                .extend([("SlimePermeabilityC64", mask.to_string()), ("SlimePredictableC64Seed", seed)]),
            None => properties
                .extend([("SlimePredictable", flag(false)), ("SlimePermeability", part(options.slime))]),
        }
    }
    properties
}
