//! Levels by name: `pack/name`, `generated/SEED`, a file, or `-`.

use std::io::Read;
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail, ensure};
use damier_kit::table::{AnyGame, OpenLevel};
use damier_kit::{GenerateRequest, Info};
use serde::{Deserialize, Serialize};

use crate::seeds::parse_range;

/// Maximum size of a level file, in bytes.
const LARGEST_FILE: u64 = 16 << 20;

/// A level's text with its name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NamedLevel {
    /// Its name.
    pub name: String,
    /// The level, in any format its game reads.
    pub text: String,
}

/// The level of this name, by default the game's first one.
pub fn find_one(game: &dyn AnyGame, name: Option<&str>, rules: &'static str) -> Result<NamedLevel> {
    let default = default_name(game, rules);
    let mut levels = find(game, name.unwrap_or(&default), rules)?;
    ensure!(
        levels.len() == 1,
        "`{}` holds {} levels; name one of them",
        name.unwrap_or(&default),
        levels.len()
    );
    Ok(levels.remove(0))
}

/// All levels of these names, by default the game's first one. A pack's name stands for all its levels.
pub fn find_all(game: &dyn AnyGame, names: &[String], rules: &'static str) -> Result<Vec<NamedLevel>> {
    if names.is_empty() {
        return find(game, &default_name(game, rules), rules);
    }
    let mut levels = Vec::new();
    for name in names {
        levels.extend(find(game, name, rules)?);
    }
    Ok(levels)
}

/// Like [`find_all`], with one error for each name that is not found.
pub fn find_each(game: &dyn AnyGame, names: &[String], rules: &'static str) -> Vec<Result<NamedLevel>> {
    let one_by_one: Vec<&[String]> = if names.is_empty() { vec![&[]] } else { names.chunks(1).collect() };
    let found = one_by_one.into_iter().map(|name| find_all(game, name, rules));
    found
        .flat_map(|levels| match levels {
            Ok(levels) => levels.into_iter().map(Ok).collect(),
            Err(error) => vec![Err(error)],
        })
        .collect()
}

/// Opens a level under a rule set; an error names file, line and column.
pub fn open(game: &dyn AnyGame, level: &NamedLevel, rules: &str) -> Result<Box<dyn OpenLevel>> {
    game.open(&level.text, rules).map_err(|error| match (error.line, error.column) {
        (0, _) => anyhow!("{}: {}", level.name, error.message),
        (line, 0) => anyhow!("{}:{line}: {}", level.name, error.message),
        (line, column) => anyhow!("{}:{line}:{column}: {}", level.name, error.message),
    })
}

/// The name of the first level of the game's first pack for a rule set.
fn default_name(game: &dyn AnyGame, rules: &str) -> String {
    let packs = game.info().packs;
    let pack = packs.iter().find(|pack| game.open(pack.levels[0].1, rules).is_ok()).unwrap_or(&packs[0]);
    format!("{}/{}", pack.name, pack.levels[0].0)
}

fn find(game: &dyn AnyGame, name: &str, rules: &'static str) -> Result<Vec<NamedLevel>> {
    if name == "-" {
        let mut text = String::new();
        std::io::stdin().take(LARGEST_FILE).read_to_string(&mut text).context("standard input")?;
        return Ok(split(game, "-", &text));
    }
    if let Some(seeds) = name.strip_prefix("generated/") {
        return generated(game, seeds, rules);
    }
    if let Some(levels) = shipped(game.info(), name) {
        return Ok(levels);
    }
    let path = Path::new(name);
    if path.is_file() {
        let text = read_text(path)?;
        let parts = game.parts(&text);
        let text = if parts.is_empty() { text } else { join_parts(path, &parts)? };
        return Ok(split(game, name, &text));
    }
    let packs: Vec<_> = game.info().packs.iter().map(|pack| pack.name).collect();
    bail!(
        "`{name}` is neither a file nor a level of {}; its packs are {} (see `damier levels {}`)",
        game.info().name,
        packs.join(", "),
        game.info().name
    )
}

/// Reads a text file of reasonable size. If it is not UTF-8, it is read as Latin-1, the encoding of old level files.
fn read_text(path: &Path) -> Result<String> {
    let size = std::fs::metadata(path).with_context(|| path.display().to_string())?.len();
    ensure!(size <= LARGEST_FILE, "{}: {size} bytes is too large for a level", path.display());
    let bytes = std::fs::read(path).with_context(|| path.display().to_string())?;
    ensure!(!bytes.contains(&0), "{}: not a text file", path.display());
    Ok(String::from_utf8(bytes)
        .unwrap_or_else(|wrong| wrong.as_bytes().iter().map(|&byte| char::from(byte)).collect()))
}

/// Joins the texts of the files that a list names. They must be in the same folder as the list.
fn join_parts(list: &Path, parts: &[String]) -> Result<String> {
    let read = |part: &String| {
        let path = list.with_file_name(part);
        ensure!(
            Path::new(part).components().count() == 1,
            "{}: `{part}` must be a file in the same folder",
            list.display()
        );
        read_text(&path).with_context(|| format!("{} names a file that cannot be read", list.display()))
    };
    Ok(parts.iter().map(read).collect::<Result<Vec<_>>>()?.join("\n"))
}

fn split(game: &dyn AnyGame, name: &str, text: &str) -> Vec<NamedLevel> {
    let mut levels = game.split(text);
    if let [(_, text)] = &mut levels[..] {
        return vec![NamedLevel { name: name.to_owned(), text: std::mem::take(text) }];
    }
    let name_of = |index: usize, own: Option<String>| own.unwrap_or_else(|| format!("{name}#{}", index + 1));
    levels
        .into_iter()
        .enumerate()
        .map(|(index, (own, text))| NamedLevel { name: name_of(index, own), text })
        .collect()
}

fn generated(game: &dyn AnyGame, seeds: &str, rules: &'static str) -> Result<Vec<NamedLevel>> {
    let seeds = parse_range(seeds)
        .or_else(|| seeds.parse().ok().map(|seed| seed..=seed))
        .ok_or_else(|| anyhow!("`generated/{seeds}`: expected a seed or a range of seeds such as 1..50"))?;
    seeds
        .map(|seed| {
            let name = format!("generated/{seed}");
            match game.generate(&GenerateRequest {
                seed,
                difficulty: None,
                size: None,
                rules,
                ..GenerateRequest::default()
            }) {
                Ok(text) => Ok(NamedLevel { name, text }),
                Err(message) => bail!("{name}: {message}"),
            }
        })
        .collect()
}

/// A level of a pack, or all levels of a pack.
fn shipped(info: &Info, name: &str) -> Option<Vec<NamedLevel>> {
    let (pack_name, level_name) =
        name.split_once('/').map_or((name, None), |(pack, level)| (pack, Some(level)));
    let pack = info.packs.iter().find(|pack| pack.name == pack_name)?;
    let levels: Vec<NamedLevel> = pack
        .levels
        .iter()
        .filter(|(name, _)| level_name.is_none_or(|wanted| wanted == *name))
        .map(|(name, text)| NamedLevel { name: format!("{pack_name}/{name}"), text: (*text).to_owned() })
        .collect();
    (!levels.is_empty()).then_some(levels)
}
