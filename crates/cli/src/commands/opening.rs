//! `--prefix`: actions as typed, or a moment of a replay with its level, rules and seed.

use std::path::Path;

use anyhow::{Result, ensure};
use damier_arena::store::read_replay;
use damier_host::levels::NamedLevel;
use damier_host::{Prefix, levels};
use damier_kit::Info;
use damier_kit::replay::Start;
use damier_kit::table::AnyGame;

use crate::games;

/// Where games begin.
#[derive(Default)]
pub struct Opening {
    /// The actions that lead there.
    pub prefix: Prefix,
    /// How the replay began that the actions are taken from.
    replayed: Option<Start>,
}

impl Opening {
    /// Reads a list of actions, a replay, or a replay with a turn (`FILE@TURN`). Without a text, games begin at their start.
    pub fn read(text: Option<&str>, game: &Info) -> Result<Self> {
        let Some(text) = text else { return Ok(Self::default()) };
        let (file, turn) = match text.rsplit_once('@').map(|(file, turn)| (file, turn.parse())) {
            Some((file, Ok(turn))) => (file, Some(turn)),
            _ => (text, None),
        };
        if !is_replay(file) {
            return Ok(Self { prefix: Prefix::parse(text)?, replayed: None });
        }
        let replay = read_replay(Path::new(file))?;
        let other = &replay.start.game;
        ensure!(other == game.name, "{file} is a replay of {other}, not of {}", game.name);
        Ok(Self { prefix: Prefix::of_replay(&replay, turn), replayed: Some(replay.start) })
    }

    /// The rule set: that of the replay, or the one asked for.
    pub fn rules(&self, game: &Info, asked: Option<&str>) -> Result<&'static str> {
        let own = self.replayed.as_ref().map(|start| &*start.rules);
        ensure!(
            own.is_none() || asked.is_none(),
            "the prefix is a replay with its own rules: leave --rules out"
        );
        games::rule_set(game, own.or(asked))
    }

    /// The levels: that of the replay, or those asked for. Each may be unreadable.
    pub fn levels(
        &self,
        game: &dyn AnyGame,
        asked: &[String],
        rules: &'static str,
    ) -> Result<Vec<Result<NamedLevel>>> {
        let Some(start) = &self.replayed else { return Ok(levels::find_each(game, asked, rules)) };
        ensure!(asked.is_empty(), "the prefix is a replay with its own level: leave other levels out");
        Ok(vec![Ok(NamedLevel { name: start.level.clone(), text: start.text.clone() })])
    }

    /// The seed of the replay, or 1.
    pub fn seed(&self) -> u64 {
        self.replayed.as_ref().map_or(1, |start| start.seed)
    }
}

/// Does the text name a file, or a game of a store?
fn is_replay(text: &str) -> bool {
    Path::new(text).is_file()
        || text.rsplit_once('#').is_some_and(|(store, number)| {
            Path::new(store).is_file() && number.bytes().all(|byte| byte.is_ascii_digit())
        })
}
