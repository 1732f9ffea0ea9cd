//! The games that Damier knows: the one place where a game is registered.

use anyhow::Result;
use clap::builder::PossibleValuesParser;
use damier_arena::games::Games;
pub use damier_arena::games::rule_set;
use damier_core::table::{AnyGame, Registered};
use damier_delirium::Delirium;
use damier_loderunner::LodeRunner;
use damier_pacman::Pacman;
use damier_ricochet::Ricochet;
use damier_siam::Siam;

/// All games, in the order in which they are listed.
pub static GAMES: Games = &[
    &Registered::<Pacman>::new(),
    &Registered::<Ricochet>::new(),
    &Registered::<Siam>::new(),
    &Registered::<LodeRunner>::new(),
    &Registered::<Delirium>::new(),
];

/// Accepts the name of a game.
pub fn names_parser() -> PossibleValuesParser {
    PossibleValuesParser::new(GAMES.iter().map(|game| game.info().name))
}

/// What `damier bench` measures beside the games.
pub const ARENA: &str = "arena";

/// Accepts the name of a game, or `arena`.
pub fn bench_parser() -> PossibleValuesParser {
    PossibleValuesParser::new(GAMES.iter().map(|game| game.info().name).chain([ARENA]))
}

/// The game of this name.
pub fn find(name: &str) -> Result<&'static dyn AnyGame> {
    damier_arena::games::find(GAMES, name)
}
