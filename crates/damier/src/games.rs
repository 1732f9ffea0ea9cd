//! The games that Damier knows: the one place where a game is registered.

use anyhow::{Result, anyhow};
use clap::builder::PossibleValuesParser;
use damier_core::kit::Info;
use damier_core::table::{AnyGame, Registered};
use damier_delirium::Delirium;
use damier_loderunner::LodeRunner;
use damier_pacman::Pacman;
use damier_ricochet::Ricochet;
use damier_siam::Siam;

/// All games, in the order in which they are listed.
pub static GAMES: &[&dyn AnyGame] = &[
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

/// The game of this name.
pub fn find(name: &str) -> Result<&'static dyn AnyGame> {
    let game = GAMES.iter().find(|game| game.info().name == name);
    game.copied().ok_or_else(|| {
        let names: Vec<_> = GAMES.iter().map(|game| game.info().name).collect();
        anyhow!("there is no game `{name}`; the games are {}", names.join(", "))
    })
}

/// The rule set of this name, or the game's first one.
pub fn rule_set(info: &Info, name: Option<&str>) -> Result<&'static str> {
    let Some(name) = name else { return Ok(info.rules[0].name) };
    let rules = info.rules.iter().find(|rules| rules.name == name);
    rules.map(|rules| rules.name).ok_or_else(|| {
        let names: Vec<_> = info.rules.iter().map(|rules| rules.name).collect();
        anyhow!("{} has no rule set `{name}`; it has {}", info.name, names.join(", "))
    })
}
