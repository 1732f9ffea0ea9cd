//! Games and rule sets by name.

use anyhow::{Result, anyhow};
use damier_kit::Info;
use damier_kit::table::AnyGame;

/// All games of the program, in the order in which lists show them.
pub type Games = &'static [&'static dyn AnyGame];

/// The game of this name.
pub fn find(games: Games, name: &str) -> Result<&'static dyn AnyGame> {
    let game = games.iter().find(|game| game.info().name == name);
    game.copied().ok_or_else(|| {
        let names: Vec<_> = games.iter().map(|game| game.info().name).collect();
        anyhow!("there is no game `{name}`; the games are {}", names.join(", "))
    })
}

/// The rule set of this name, by default the game's first one.
pub fn rule_set(info: &Info, name: Option<&str>) -> Result<&'static str> {
    let Some(name) = name else { return Ok(info.rules[0].name) };
    let rules = info.rules.iter().find(|rules| rules.name == name);
    rules.map(|rules| rules.name).ok_or_else(|| {
        let names: Vec<_> = info.rules.iter().map(|rules| rules.name).collect();
        anyhow!("{} has no rule set `{name}`; it has {}", info.name, names.join(", "))
    })
}
