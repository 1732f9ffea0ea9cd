//! Levels by text: opened, written in another format, made anew.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::Json;
use axum::extract::State;
use damier_core::game::Facts;
use damier_host::levels;
use damier_kit::message::{Picture, picture};
use damier_kit::table::{AnyGame, OpenLevel};
use damier_kit::{GenerateRequest, Info};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::body::Body;
use crate::error::{Answer, ApiError, Problem};
use crate::games;
use crate::server::Shared;

/// The longest text that is taken for a level.
const LONGEST_LEVEL: usize = 512 << 10;
/// The longest name.
pub const LONGEST_NAME: usize = 100;

/// Which level is meant: a shipped or generated one by its name, or a text.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct LevelChoice {
    /// `pack/name` or `generated/SEED`; with a text, what to call it.
    pub name: Option<String>,
    /// The level, in any format that its game reads.
    pub text: Option<String>,
}

/// Is this name short and free of control characters?
pub fn check_name(name: &str) -> Answer<()> {
    if name.chars().count() > LONGEST_NAME || name.chars().any(char::is_control) {
        return Err(ApiError::bad(format!("a name has at most {LONGEST_NAME} characters, on one line")));
    }
    Ok(())
}

/// Is this text short enough for a level?
pub fn check_text(text: &str) -> Answer<()> {
    if text.len() > LONGEST_LEVEL {
        return Err(ApiError::bad(format!("a level's text has at most {} kilobytes", LONGEST_LEVEL >> 10)));
    }
    Ok(())
}

/// The most levels that stay open, and the most bytes of text that they have together.
const MOST_OPENED: usize = 32;
const MOST_OPENED_TEXT: usize = 4 << 20;

/// Levels that were opened last. A level under edit is opened, checked, solved and played, but parsed once.
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

    /// Keeps a level open under one of its texts.
    fn keep(&self, game: &'static str, rules: &'static str, text: String, open: &Arc<dyn OpenLevel>) {
        let mut levels = self.lock();
        levels.push_back(OpenedLevel { game, rules, text, open: Arc::clone(open) });
        let total =
            |levels: &VecDeque<OpenedLevel>| levels.iter().map(|level| level.text.len()).sum::<usize>();
        while levels.len() > MOST_OPENED || total(&levels) > MOST_OPENED_TEXT {
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

/// Finds and opens the level that is meant, the game's first one if nothing is said. Files are never looked for.
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

/// Only names of shipped and generated levels go further: a name is never taken for a file.
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
        "{} has no level of this name; its packs are {}, and generated/SEED makes one",
        info.name,
        packs.join(", ")
    )))
}

/// A level as text.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct OpenRequest {
    /// The game.
    game: String,
    /// The rule set; the game's first one if not given.
    rules: Option<String>,
    /// The level, in any format that the game reads; of a file with several levels, the first is opened.
    text: String,
    /// The format of the answer's `text`; the game's own one if not given.
    format: Option<String>,
    /// A second format to give the level in, as the answer's `shown`.
    shown: Option<String>,
}

/// One of several levels in a file.
#[derive(Serialize, JsonSchema, ToSchema)]
#[schemars(rename = "LevelPart")]
struct Part {
    /// Its name in the file.
    name: Option<String>,
    /// Its text.
    text: String,
}

/// A level that is well formed.
#[derive(Serialize, JsonSchema, ToSchema)]
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
    /// The level in the second format that was asked for, unless that format cannot hold it.
    #[serde(skip_serializing_if = "Option::is_none")]
    shown: Option<String>,
    /// What the board draws.
    #[schema(value_type = Object)]
    picture: Picture,
    /// What is true of every game on it.
    #[schema(value_type = Object)]
    facts: Facts,
    /// The levels of the file, if there are several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    levels: Vec<Part>,
}

/// Checks a level, draws it and writes it in the formats that are wanted.
#[utoipa::path(post, path = "/api/levels/open", request_body = OpenRequest,
    responses((status = 200, body = Opened), (status = 400, description = "There is no such format.", body = Problem), (status = 422, description = "The level is malformed, or the format cannot hold it.", body = Problem)))]
pub async fn open(State(shared): State<Shared>, Body(request): Body<OpenRequest>) -> Answer<Json<Opened>> {
    let again = shared.clone();
    shared.aside(move || open_level(&again, &request).map(Json)).await
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
    // The editor goes on with this text.
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

/// A level and the format it is wanted in.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ConvertRequest {
    /// The game.
    game: String,
    /// The rule set; the game's first one if not given.
    rules: Option<String>,
    /// The level.
    text: String,
    /// One of the game's formats.
    to: String,
}

/// A level's text.
#[derive(Serialize, JsonSchema, ToSchema)]
#[schemars(rename = "ConvertedLevel")]
pub struct Converted {
    /// The level in the format asked for.
    text: String,
}

/// Writes a level in another format.
#[utoipa::path(post, path = "/api/levels/convert", request_body = ConvertRequest,
    responses((status = 200, body = Converted), (status = 422, description = "The level is malformed, or the format cannot hold it.", body = Problem)))]
pub async fn convert(
    State(shared): State<Shared>,
    Body(request): Body<ConvertRequest>,
) -> Answer<Json<Converted>> {
    let game = games::find(&shared, &request.game)?;
    let rules = games::rules(game.info(), request.rules.as_deref())?;
    let format = find_format(game.info(), &request.to)?;
    let again = shared.clone();
    shared
        .aside(move || {
            let text = again.levels.open(game, rules, &request.text)?.print(format)?;
            Ok(Json(Converted { text }))
        })
        .await
}

/// What kind of level is wanted.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Generate {
    /// The game.
    game: String,
    /// The rule set; the game's first one if not given.
    rules: Option<String>,
    /// The same seed gives the same level.
    seed: u64,
    /// From 0 (easy) to 10 (hard).
    difficulty: Option<f64>,
    /// Columns and rows.
    size: Option<[u16; 2]>,
}

/// A new level.
#[derive(Serialize, JsonSchema, ToSchema)]
#[schemars(rename = "GeneratedLevel")]
pub struct Generated {
    /// The level in the game's own format.
    text: String,
    /// What the board draws.
    #[schema(value_type = Object)]
    picture: Picture,
}

/// Makes a level.
#[utoipa::path(post, path = "/api/levels/generate", request_body = Generate,
    responses((status = 200, body = Generated), (status = 400, description = "There is no such level.", body = Problem)))]
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
    shared
        .aside(move || {
            let Generate { seed, difficulty, size, .. } = request;
            let wanted = GenerateRequest { seed, difficulty, size: size.map(|[w, h]| (w, h)), rules };
            let text = game.generate(&wanted).map_err(ApiError::bad)?;
            let picture = picture(&again.levels.open(game, rules, &text)?.table(1, 0).draw());
            Ok(Json(Generated { text, picture }))
        })
        .await
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
        for number in 0..MOST_OPENED {
            levels.keep(game.info().name, rules, format!("{number}"), &open);
        }
        assert!(!Arc::ptr_eq(&open, &levels.open(game, rules, text).unwrap()));
        levels.keep(game.info().name, rules, " ".repeat(MOST_OPENED_TEXT), &open);
        assert_eq!(levels.lock().len(), 1);
    }
}
