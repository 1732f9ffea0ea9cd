//! A game's description: everything that front ends know about it before a level is opened.

use damier_core::game::Seat;
use schemars::JsonSchema;
use serde::Serialize;

use crate::scene::Sprite;

/// A name with a sentence about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Named {
    /// The name, as typed in a command.
    pub name: &'static str,
    /// What it is.
    pub about: &'static str,
}

/// An agent that comes with the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct AgentInfo {
    /// The name, as typed in a command.
    pub name: &'static str,
    /// How it thinks.
    pub about: &'static str,
    /// The seats it can play.
    pub seats: &'static [Seat],
}

/// Levels shipped together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Pack {
    /// The pack's name: the first half of `pack/name`.
    pub name: &'static str,
    /// What is in it.
    pub about: &'static str,
    /// Each level's name and text.
    pub levels: &'static [(&'static str, &'static str)],
}

/// A key and the action it plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct KeyBinding {
    /// `up`, `down`, `left`, `right`, `space`, `enter` or a single character.
    pub key: &'static str,
    /// The action's name.
    pub action: &'static str,
}

/// A look of the game in the terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Style {
    /// The name, as typed in a command.
    pub name: &'static str,
    /// What it looks like.
    pub about: &'static str,
    /// Keys that select which piece the other keys move: the piece's name goes before the action.
    pub pieces: &'static [KeyBinding],
    /// The keys of this look.
    pub keys: &'static [KeyBinding],
}

/// A brush of the level editor: a symbol of the level's text and its look.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Brush {
    /// The symbol in the text.
    pub symbol: char,
    /// Its look on the board; its name says what it is.
    pub sprite: Sprite,
    /// Does a level have at most one of it?
    pub once: bool,
    /// The rule sets that support it; empty means all.
    pub rules: &'static [&'static str],
}

impl Brush {
    /// A brush that paints anywhere, under every rule set.
    pub const fn new(symbol: char, sprite: Sprite) -> Self {
        Self { symbol, sprite, once: false, rules: &[] }
    }

    /// The same brush for something that a level has at most once.
    pub const fn once(self) -> Self {
        Self { once: true, ..self }
    }

    /// The same brush under some rule sets only.
    pub const fn only(self, rules: &'static [&'static str]) -> Self {
        Self { rules, ..self }
    }
}

/// A game's description: everything that front ends know about it before a level is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Info {
    /// The name, as typed in a command.
    pub name: &'static str,
    /// The name, as shown to people.
    pub title: &'static str,
    /// One sentence.
    pub about: &'static str,
    /// The rule sets, the default one first.
    pub rules: &'static [Named],
    /// The agents that come with it.
    pub agents: &'static [AgentInfo],
    /// The level formats that can be written, the game's own first. Reading detects the format.
    pub formats: &'static [Named],
    /// Brushes of the level editor, for games whose levels are rows of symbols: in the format `drawn` if there is one, else in the
    /// first. The first brush erases.
    pub brushes: &'static [Brush],
    /// The level packs; the first level of the first one is the default.
    pub packs: &'static [Pack],
    /// The looks in the terminal, the modern one first.
    pub styles: &'static [Style],
    /// Overlays that can be drawn over any state.
    pub overlays: &'static [Named],
    /// Real-time games: milliseconds per turn in interactive play. Others wait for the player.
    pub tick_ms: Option<u32>,
    /// The action when no key is pressed, in games that can be played in real time.
    pub idle: Option<&'static str>,
    /// The grading suite that comes with the game, as TOML.
    pub suite: &'static str,
    /// The door for agents written for the original course: each file's name and text; empty if there is no door.
    pub door: &'static [(&'static str, &'static str)],
    /// The game's files for the page, each with its name and text; `page.js` is its module. Empty if the page draws it by sprites alone.
    pub page: &'static [(&'static str, &'static str)],
    /// The default turn limit of a headless game.
    pub turn_limit: u32,
    /// Actions that tables count.
    pub tallies: &'static [Tally],
}

/// A group of actions that tables count together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// Heading of the column.
    pub name: &'static str,
    /// Names of the actions.
    pub actions: &'static [&'static str],
}

/// Lists files for [`Info::page`] with their texts. They are in the folder `page` of the game's crate.
#[macro_export]
macro_rules! page_files {
    ($($name:literal),+ $(,)?) => {
        &[$(($name, include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/page/", $name)))),+]
    };
}
