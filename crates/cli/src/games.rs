//! The games that the program was started with.

use std::sync::OnceLock;

use anyhow::Result;
use clap::builder::PossibleValuesParser;
use damier_host::games::Games;
pub use damier_host::games::rule_set;
use damier_kit::AnyGame;

static GAMES: OnceLock<Games> = OnceLock::new();

/// Sets the games of the program; only the first call counts.
pub fn register(games: Games) {
    GAMES.get_or_init(|| games);
}

/// All games, in the order in which they are listed.
pub fn all() -> Games {
    GAMES.get().copied().unwrap_or_default()
}

/// Accepts the name of a game.
pub fn names_parser() -> PossibleValuesParser {
    PossibleValuesParser::new(all().iter().map(|game| game.info().name))
}

/// Accepts the name of a game whose positions can be analyzed.
pub fn analyze_parser() -> PossibleValuesParser {
    let games = all().iter().filter(|game| game.capabilities().analyze);
    PossibleValuesParser::new(games.map(|game| game.info().name))
}

/// Accepts the name of a game that supports perft.
pub fn perft_parser() -> PossibleValuesParser {
    let games = all().iter().filter(|game| game.capabilities().divide);
    PossibleValuesParser::new(games.map(|game| game.info().name))
}

/// What `damier bench` measures besides the games.
pub const ARENA: &str = "arena";

/// Accepts the name of a game, or `arena`.
pub fn bench_parser() -> PossibleValuesParser {
    PossibleValuesParser::new(all().iter().map(|game| game.info().name).chain([ARENA]))
}

/// The game of this name.
pub fn find(name: &str) -> Result<&'static dyn AnyGame> {
    damier_host::games::find(all(), name)
}
