//! `GET /api/games`: all games. The data never changes while the program runs, except for the installed agents.

use std::collections::{BTreeMap, BTreeSet};

use axum::Json;
use axum::extract::State;
use damier_host::games::{self, Games};
use damier_kit::message::{BrushMessage, GameMessage, LevelInfo, PackMessage};
use damier_kit::table::AnyGame;
use damier_kit::{Brush, Info, Pack};
use schemars::JsonSchema;
use serde::Serialize;

use crate::agents::Installed;
use crate::body::Path;
use crate::error::{Answer, ApiError};
use crate::server::Shared;

/// The games, without installed agents.
pub fn catalogue(games: Games) -> Vec<GameMessage> {
    games.iter().map(|game| describe(*game)).collect()
}

fn describe(game: &dyn AnyGame) -> GameMessage {
    let info = game.info();
    let style = &info.styles[0];
    let figures = figures(game);
    let brush = |brush: &Brush| BrushMessage::new(brush, figures.contains(brush.sprite.name));
    let defaults = info.rules.iter().filter_map(|rules| default_level(game, rules.name));
    let (mut default_level, mut players, mut seats) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
    for (rules, level, names) in defaults {
        default_level.insert(rules, level);
        players.insert(rules, names.len());
        seats.insert(rules, names);
    }
    let strengths = game.rounds().map_or_else(Vec::new, |rounds| rounds.strengths.to_vec());
    GameMessage {
        name: info.name,
        title: info.title,
        about: info.about,
        rules: info.rules,
        agents: info.agents,
        formats: info.formats,
        packs: info.packs.iter().map(|pack| describe_pack(game, pack)).collect(),
        keys: style.keys,
        pieces: style.pieces,
        overlays: info.overlays,
        brushes: info.brushes.iter().map(brush).collect(),
        tick_ms: info.tick_ms,
        idle: info.idle,
        turn_limit: info.turn_limit,
        default_level,
        players,
        seats,
        strengths,
        page: info.page.iter().map(|(name, _)| *name).collect(),
    }
}

/// The sprite names of all pieces on shipped levels, to tell them from parts of the board.
fn figures(game: &dyn AnyGame) -> BTreeSet<&'static str> {
    let info = game.info();
    let levels = info.packs.iter().flat_map(|pack| pack.levels);
    let opened =
        levels.flat_map(|(_, text)| info.rules.iter().filter_map(|rules| game.open(text, rules.name).ok()));
    opened.flat_map(|open| open.table(0, 0).draw().pieces).map(|piece| piece.sprite.name).collect()
}

/// The first level that opens under a rule set, and the names of its seats.
fn default_level(
    game: &dyn AnyGame,
    rules: &'static str,
) -> Option<(&'static str, String, &'static [&'static str])> {
    game.info().packs.iter().flat_map(|pack| pack.levels.iter().map(move |level| (pack, level))).find_map(
        |(pack, (name, text))| {
            let open = game.open(text, rules).ok()?;
            Some((rules, format!("{}/{name}", pack.name), open.facts().seats))
        },
    )
}

fn describe_pack(game: &dyn AnyGame, pack: &Pack) -> PackMessage {
    let level = |(name, text): &(&'static str, &str)| {
        let rules = game.info().rules.iter().map(|rules| rules.name);
        let opened: Vec<_> = rules.filter_map(|rules| Some((rules, game.open(text, rules).ok()?))).collect();
        let size = opened.first().map(|(_, open)| open.table(0, 0).draw().size);
        let size = size.map_or([0, 0], |size| [size.width, size.height]);
        LevelInfo { name, size, rules: opened.iter().map(|(rules, _)| *rules).collect() }
    };
    PackMessage { name: pack.name, about: pack.about, levels: pack.levels.iter().map(level).collect() }
}

/// The game of this name.
pub fn find(shared: &Shared, name: &str) -> Answer<&'static dyn AnyGame> {
    games::find(shared.games, name).map_err(|error| ApiError::not_found(error.to_string()))
}

/// The rule set of this name, or the first one.
pub fn rules(info: &Info, name: Option<&str>) -> Answer<&'static str> {
    games::rule_set(info, name).map_err(ApiError::from)
}

/// All games: rules, agents, levels, formats, keys, brushes.
pub async fn list(State(shared): State<Shared>) -> Json<Vec<GameInfo>> {
    let listed =
        |game: &GameMessage| GameInfo { installed: shared.agents.playing(game.name), game: game.clone() };
    Json(shared.catalogue().iter().map(listed).collect())
}

/// A game and the agents installed for it.
#[derive(Serialize, JsonSchema)]
pub struct GameInfo {
    #[serde(flatten)]
    game: GameMessage,
    installed: Vec<Installed>,
}

/// A shipped level.
#[derive(Serialize, JsonSchema)]
pub struct LevelText {
    /// `pack/name`.
    name: String,
    /// The level as it is shipped.
    text: &'static str,
}

/// A shipped level's text.
pub async fn level(
    State(shared): State<Shared>,
    Path((game, pack, name)): Path<(String, String, String)>,
) -> Answer<Json<LevelText>> {
    let info = find(&shared, &game)?.info();
    let text = info
        .packs
        .iter()
        .filter(|known| known.name == pack)
        .flat_map(|pack| pack.levels)
        .find_map(|(known, text)| (*known == name).then_some(*text))
        .ok_or_else(|| ApiError::not_found(format!("{} has no level `{pack}/{name}`", info.name)))?;
    Ok(Json(LevelText { name: format!("{pack}/{name}"), text }))
}
