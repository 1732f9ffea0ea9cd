//! Levels as text: opening, converting and generating them.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use damier_core::game::Facts;
use damier_host::levels;
use damier_kit::message::{Picture, picture};
use damier_kit::table::{AnyGame, OpenLevel};
use damier_kit::{Cancel, GenerateRequest, Info};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tokio::time::timeout;

use crate::body::Body;
use crate::error::{Answer, ApiError};
use crate::games;
use crate::server::Shared;

/// Maximum length of a level's text, in bytes.
const MAX_LEVEL: usize = 512 << 10;
/// Maximum time to generate a level.
const GENERATE_TIME: Duration = Duration::from_secs(10);
/// Maximum length of a name, in characters.
pub const MAX_NAME: usize = 100;

/// A level: a shipped or generated one by name, or a text.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LevelChoice {
    /// `pack/name` or `generated/SEED`; with a text, the level's name.
    pub name: Option<String>,
    /// The level, in any format that its game reads.
    pub text: Option<String>,
}

/// Checks that a name is short and has no control characters.
pub fn check_name(name: &str) -> Answer<()> {
    if name.chars().count() > MAX_NAME || name.chars().any(char::is_control) {
        return Err(ApiError::bad(format!("a name must have at most {MAX_NAME} characters, on one line")));
    }
    Ok(())
}

/// Checks that a text is short enough for a level.
pub fn check_text(text: &str) -> Answer<()> {
    if text.len() > MAX_LEVEL {
        return Err(ApiError::bad(format!("a level's text must have at most {} kilobytes", MAX_LEVEL >> 10)));
    }
    Ok(())
}

/// Limits of the cache of opened levels: their number, and the total size of their texts in bytes.
const MAX_OPENED: usize = 32;
const MAX_OPENED_TEXT: usize = 4 << 20;

/// Cache of recently opened levels. A level in the editor is opened, checked, solved and played, but parsed once.
#[derive(Default)]
pub struct OpenedLevels(Mutex<VecDeque<OpenedLevel>>);

struct OpenedLevel {
    game: &'static str,
    rules: &'static str,
    text: String,
    open: Arc<dyn OpenLevel>,
}

impl OpenedLevels {
    /// Opens a text under a rule set; of several levels, the first.
    pub fn open(&self, game: &dyn AnyGame, rules: &'static str, text: &str) -> Answer<Arc<dyn OpenLevel>> {
        check_text(text)?;
        let name = game.info().name;
        let known = |level: &&OpenedLevel| (level.game, level.rules, &*level.text) == (name, rules, text);
        if let Some(level) = self.lock().iter().find(known) {
            return Ok(Arc::clone(&level.open));
        }
        let open: Arc<dyn OpenLevel> = open_first(game, rules, text)?.into();
        self.keep(name, rules, text.to_owned(), &open);
        Ok(open)
    }

    /// Adds a level to the cache under one of its texts.
    fn keep(&self, game: &'static str, rules: &'static str, text: String, open: &Arc<dyn OpenLevel>) {
        let mut levels = self.lock();
        levels.push_back(OpenedLevel { game, rules, text, open: Arc::clone(open) });
        let total =
            |levels: &VecDeque<OpenedLevel>| levels.iter().map(|level| level.text.len()).sum::<usize>();
        while levels.len() > MAX_OPENED || total(&levels) > MAX_OPENED_TEXT {
            levels.pop_front();
        }
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<OpenedLevel>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn open_first(game: &dyn AnyGame, rules: &str, text: &str) -> Answer<Box<dyn OpenLevel>> {
    match game.open(text, rules) {
        Ok(open) => Ok(open),
        Err(error) => {
            let several = game.split(text);
            match several.first() {
                Some((_, first)) if several.len() > 1 => Ok(game.open(first, rules)?),
                _ => Err(error.into()),
            }
        }
    }
}

/// Finds and opens the chosen level, by default the game's first one. Never reads files.
pub fn open_choice(
    shared: &Shared,
    game: &'static dyn AnyGame,
    rules: &'static str,
    choice: &LevelChoice,
) -> Answer<(String, Arc<dyn OpenLevel>)> {
    if let Some(name) = &choice.name {
        check_name(name)?;
    }
    if let Some(text) = &choice.text {
        let name = choice.name.clone().filter(|name| !name.trim().is_empty());
        return Ok((name.unwrap_or_else(|| "own".to_owned()), shared.levels.open(game, rules, text)?));
    }
    if let Some(name) = &choice.name {
        check_shipped(game, name)?;
    }
    let level = levels::find_one(game, choice.name.as_deref(), rules)?;
    let open = game.open(&level.text, rules)?;
    Ok((level.name, open.into()))
}

/// Checks that a name is that of a shipped or generated level, so that it is never taken for a file.
pub fn check_shipped(game: &dyn AnyGame, name: &str) -> Answer<()> {
    let info = game.info();
    let (pack, level) = name.split_once('/').map_or((name, None), |(pack, level)| (pack, Some(level)));
    let shipped = info.packs.iter().any(|known| {
        known.name == pack && level.is_none_or(|level| known.levels.iter().any(|(name, _)| *name == level))
    });
    if shipped || name.starts_with("generated/") {
        return Ok(());
    }
    let packs: Vec<&str> = info.packs.iter().map(|pack| pack.name).collect();
    Err(ApiError::not_found(format!(
        "{} has no level of this name; its packs are {}, and generated/SEED generates one",
        info.name,
        packs.join(", ")
    )))
}

/// A level to open.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OpenRequest {
    /// The game.
    game: String,
    /// The rule set; by default the game's first one.
    rules: Option<String>,
    /// The level, in any format that the game reads; of a file with several levels, the first is opened.
    text: String,
    /// The format of the answer's `text`; by default the game's own.
    format: Option<String>,
    /// A second format, for the answer's `shown`.
    shown: Option<String>,
}

/// One of several levels in a file.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "LevelPart")]
struct Part {
    /// Its name in the file.
    name: Option<String>,
    /// Its text.
    text: String,
}

/// A level that is well formed.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "OpenedLevel")]
pub struct Opened {
    ok: bool,
    /// Columns and rows.
    size: [u16; 2],
    /// The rule set.
    rules: &'static str,
    /// The number of players.
    players: usize,
    /// The format of `text`.
    format: &'static str,
    /// The level in that format.
    text: String,
    /// The level in the requested second format, unless that format cannot represent it.
    #[serde(skip_serializing_if = "Option::is_none")]
    shown: Option<String>,
    /// The board.
    picture: Picture,
    /// Properties of every game on it.
    facts: Facts,
    /// The levels of the file, if there are several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    levels: Vec<Part>,
}

/// Checks a level, draws it and converts it to the requested formats.
pub async fn open(State(shared): State<Shared>, Body(request): Body<OpenRequest>) -> Answer<Json<Opened>> {
    let again = shared.clone();
    shared.run_blocking(move || open_level(&again, &request).map(Json)).await
}

fn open_level(shared: &Shared, request: &OpenRequest) -> Answer<Opened> {
    let game = games::find(shared, &request.game)?;
    let info = game.info();
    let rules = games::rules(info, request.rules.as_deref())?;
    let format =
        request.format.as_deref().map_or(Ok(info.formats[0].name), |name| find_format(info, name))?;
    let shown = request.shown.as_deref().map(|name| find_format(info, name)).transpose()?;
    let open = shared.levels.open(game, rules, &request.text)?;
    let text = open.print(format)?;
    // The editor continues with this text.
    shared.levels.keep(info.name, rules, text.clone(), &open);
    let scene = open.table(1, 0).draw();
    let facts = open.facts();
    let parts = game.split(&request.text);
    let levels = if parts.len() > 1 { parts } else { Vec::new() };
    Ok(Opened {
        ok: true,
        size: [scene.size.width, scene.size.height],
        rules,
        players: facts.seats.len(),
        format,
        text,
        shown: shown.and_then(|format| open.print(format).ok()),
        picture: picture(&scene),
        facts,
        levels: levels.into_iter().map(|(name, text)| Part { name, text }).collect(),
    })
}

/// The format of this name.
fn find_format(info: &'static Info, name: &str) -> Answer<&'static str> {
    let found = info.formats.iter().find(|format| format.name == name);
    found.map(|format| format.name).ok_or_else(|| {
        let names: Vec<&str> = info.formats.iter().map(|format| format.name).collect();
        ApiError::bad(format!("{} cannot write this format; it writes {}", info.name, names.join(", ")))
    })
}

/// A level and the format to convert it to.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ConvertRequest {
    /// The game.
    game: String,
    /// The rule set; by default the game's first one.
    rules: Option<String>,
    /// The level.
    text: String,
    /// One of the game's formats.
    to: String,
}

/// A level's text.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "ConvertedLevel")]
pub struct Converted {
    /// The level in the requested format.
    text: String,
}

/// Converts a level to another format.
pub async fn convert(
    State(shared): State<Shared>,
    Body(request): Body<ConvertRequest>,
) -> Answer<Json<Converted>> {
    let game = games::find(&shared, &request.game)?;
    let rules = games::rules(game.info(), request.rules.as_deref())?;
    let format = find_format(game.info(), &request.to)?;
    let again = shared.clone();
    shared
        .run_blocking(move || {
            let text = again.levels.open(game, rules, &request.text)?.print(format)?;
            Ok(Json(Converted { text }))
        })
        .await
}

/// Description of a level to generate.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Generate {
    /// The game.
    game: String,
    /// The rule set; by default the game's first one.
    rules: Option<String>,
    /// The same seed gives the same level.
    seed: u64,
    /// From 0 (easy) to 10 (hard).
    difficulty: Option<f64>,
    /// Columns and rows.
    size: Option<[u16; 2]>,
}

/// A new level.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "GeneratedLevel")]
pub struct Generated {
    /// The level in the game's own format.
    text: String,
    /// The board.
    picture: Picture,
}

/// Generates a level.
pub async fn generate(
    State(shared): State<Shared>,
    Body(request): Body<Generate>,
) -> Answer<Json<Generated>> {
    let game = games::find(&shared, &request.game)?;
    let rules = games::rules(game.info(), request.rules.as_deref())?;
    if request.difficulty.is_some_and(|difficulty| !(0.0..=10.0).contains(&difficulty)) {
        return Err(ApiError::bad("the difficulty must be a number from 0 to 10"));
    }
    let again = shared.clone();
    let cancelled_on_drop = CancelOnDrop::default();
    let cancel = cancelled_on_drop.0.clone();
    let made = shared.run_generator(move || {
        let Generate { seed, difficulty, size, .. } = request;
        let wanted = GenerateRequest { seed, difficulty, size: size.map(|[w, h]| (w, h)), rules, cancel };
        let text = game.generate(&wanted).map_err(ApiError::bad)?;
        let picture = picture(&again.levels.open(game, rules, &text)?.table(1, 0).draw());
        Ok(Json(Generated { text, picture }))
    });
    let late = || ApiError::bad(format!("no level within {} s; try another seed", GENERATE_TIME.as_secs()));
    timeout(GENERATE_TIME, made).await.map_err(|_| late())?
}

/// Cancels the work of a request when its client disconnects.
#[derive(Default)]
struct CancelOnDrop(Cancel);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first game's own format and rules, with a text of its first level.
    fn first_level() -> (&'static dyn AnyGame, &'static str, &'static str) {
        let game = damier_games::GAMES[0];
        let info = game.info();
        (game, info.rules[0].name, info.packs[0].levels[0].1)
    }

    #[test]
    fn a_text_is_parsed_once() {
        let (game, rules, text) = first_level();
        let levels = OpenedLevels::default();
        let open = levels.open(game, rules, text).unwrap();
        assert!(Arc::ptr_eq(&open, &levels.open(game, rules, text).unwrap()));
        let written = open.print(game.info().formats[0].name).unwrap();
        levels.keep(game.info().name, rules, written.clone(), &open);
        assert!(Arc::ptr_eq(&open, &levels.open(game, rules, &written).unwrap()));
    }

    #[test]
    fn only_the_newest_levels_stay_open() {
        let (game, rules, text) = first_level();
        let levels = OpenedLevels::default();
        let open = levels.open(game, rules, text).unwrap();
        for number in 0..MAX_OPENED {
            levels.keep(game.info().name, rules, format!("{number}"), &open);
        }
        assert!(!Arc::ptr_eq(&open, &levels.open(game, rules, text).unwrap()));
        levels.keep(game.info().name, rules, " ".repeat(MAX_OPENED_TEXT), &open);
        assert_eq!(levels.lock().len(), 1);
    }
}
