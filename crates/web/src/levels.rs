//! Levels by text: opened, written in another format, made anew.

use axum::Json;
use axum::extract::State;
use damier_host::levels;
use damier_kit::GenerateRequest;
use damier_kit::table::{AnyGame, OpenLevel};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;

use crate::body::Body;
use crate::error::{Answer, ApiError, Problem};
use crate::games;
use crate::picture;
use crate::server::Shared;

/// A longer text was not meant as a level.
const LONGEST_LEVEL: usize = 512 << 10;
/// A longer name was not meant as one.
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

/// Opens a text under a rule set; of several levels, the first.
pub fn open_text(game: &dyn AnyGame, rules: &str, text: &str) -> Answer<Box<dyn OpenLevel>> {
    check_text(text)?;
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
    game: &'static dyn AnyGame,
    rules: &'static str,
    choice: &LevelChoice,
) -> Answer<(String, Box<dyn OpenLevel>)> {
    if let Some(name) = &choice.name {
        check_name(name)?;
    }
    if let Some(text) = &choice.text {
        let name = choice.name.clone().filter(|name| !name.trim().is_empty());
        return Ok((name.unwrap_or_else(|| "own".to_owned()), open_text(game, rules, text)?));
    }
    if let Some(name) = &choice.name {
        check_shipped(game, name)?;
    }
    let level = levels::find_one(game, choice.name.as_deref(), rules)?;
    let open = game.open(&level.text, rules)?;
    Ok((level.name, open))
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
}

/// One of several levels in a file.
#[derive(Serialize, ToSchema)]
struct Part {
    /// Its name in the file.
    name: Option<String>,
    /// Its text.
    text: String,
}

/// A level that is well formed.
#[derive(Serialize, ToSchema)]
pub struct Opened {
    ok: bool,
    /// Columns and rows.
    size: [u16; 2],
    /// The rule set.
    rules: String,
    /// The number of players.
    players: usize,
    /// The name of the game's own format.
    format: &'static str,
    /// The level in that format.
    text: String,
    /// What the board draws.
    #[schema(value_type = Object)]
    picture: Value,
    /// What is true of every game on it.
    #[schema(value_type = Object)]
    facts: Value,
    /// The levels of the file, if there are several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    levels: Vec<Part>,
}

/// Checks a level and draws it.
#[utoipa::path(post, path = "/api/levels/open", request_body = OpenRequest,
    responses((status = 200, body = Opened), (status = 422, description = "The level is malformed.", body = Problem)))]
pub async fn open(State(shared): State<Shared>, Body(request): Body<OpenRequest>) -> Answer<Json<Opened>> {
    let game = games::find(&shared, &request.game)?;
    let rules = games::rules(game.info(), request.rules.as_deref())?;
    shared
        .aside(move || {
            let open = open_text(game, rules, &request.text)?;
            let scene = open.table(1, 0).draw();
            let facts = open.facts();
            let parts = game.split(&request.text);
            let levels = if parts.len() > 1 { parts } else { Vec::new() };
            Ok(Json(Opened {
                ok: true,
                size: [scene.size.width, scene.size.height],
                rules: rules.to_owned(),
                players: facts.seats.len(),
                format: game.info().formats[0].name,
                text: open.print(game.info().formats[0].name)?,
                picture: picture::picture(&scene),
                facts: json!(facts),
                levels: levels.into_iter().map(|(name, text)| Part { name, text }).collect(),
            }))
        })
        .await
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
#[derive(Serialize, ToSchema)]
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
    let formats = game.info().formats;
    if formats.iter().all(|format| format.name != request.to) {
        let names: Vec<&str> = formats.iter().map(|format| format.name).collect();
        let game = game.info().name;
        return Err(ApiError::bad(format!("{game} writes no such format; it writes {}", names.join(", "))));
    }
    shared
        .aside(move || {
            let text = open_text(game, rules, &request.text)?.print(&request.to)?;
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
#[derive(Serialize, ToSchema)]
pub struct Generated {
    /// The level in the game's own format.
    text: String,
    /// What the board draws.
    #[schema(value_type = Object)]
    picture: Value,
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
        return Err(ApiError::bad("a difficulty is a number from 0 to 10"));
    }
    shared
        .aside(move || {
            let Generate { seed, difficulty, size, .. } = request;
            let wanted = GenerateRequest { seed, difficulty, size: size.map(|[w, h]| (w, h)), rules };
            let text = game.generate(&wanted).map_err(ApiError::bad)?;
            let picture = picture::picture(&game.open(&text, rules)?.table(1, 0).draw());
            Ok(Json(Generated { text, picture }))
        })
        .await
}
