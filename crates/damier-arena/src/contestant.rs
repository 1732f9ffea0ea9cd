//! Who can sit down at a table.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Result, ensure};
use damier_core::fault::{Fault, FaultCode};
use damier_core::game::Seat;
use damier_core::kit::Info;
use damier_core::table::{OpenLevel, Seated};

use crate::manifest::{FILE_NAME, Manifest};
use crate::process::{ProcessAgent, build};
use crate::terms::Terms;

/// Somebody who can sit down.
#[derive(Clone, Debug)]
pub enum Contestant {
    /// An agent that comes with the game, by its name.
    BuiltIn(String),
    /// An agent that is a process of its own.
    Process(Arc<Manifest>),
}

impl Contestant {
    /// The contestant as typed: `cmd:COMMAND`, an `agent.toml`, a folder that holds one, or the name of a built-in agent. Whether
    /// the game has an agent of this name shows when it [sits](Self::sit) down.
    pub fn find(text: &str) -> Result<Self> {
        if let Some(command) = text.strip_prefix("cmd:") {
            return Ok(Self::Process(Arc::new(Manifest::of_command(command)?)));
        }
        let path = Path::new(text);
        let file = if path.is_dir() { path.join(FILE_NAME) } else { path.to_owned() };
        if file.is_file() {
            return Ok(Self::Process(Arc::new(Manifest::read(&file)?)));
        }
        ensure!(
            !text.contains(['/', '.']),
            "`{text}` is no agent: there is no such file, and no `{FILE_NAME}` in a folder of this name"
        );
        Ok(Self::BuiltIn(text.to_owned()))
    }

    /// Its name in tables and replays.
    pub fn name(&self) -> &str {
        match self {
            Self::BuiltIn(name) => name,
            Self::Process(manifest) => &manifest.name,
        }
    }

    /// Does its build step, if it has one. That happens once; [`sit`](Self::sit) sees to it where this was not called.
    pub fn prepare(&self, terms: &Terms) -> Result<(), Fault> {
        match self {
            Self::BuiltIn(_) => Ok(()),
            Self::Process(manifest) => {
                manifest.built.get_or_init(|| build(manifest, terms.confinement)).clone()
            }
        }
    }

    /// Can it play this game, level and seat at all? A contestant that cannot is a mistake of whoever invited it.
    pub fn check(&self, game: &Info, open: &dyn OpenLevel, seat: Seat) -> Result<()> {
        match self {
            Self::Process(manifest) => {
                let other = manifest.game.as_deref().filter(|own| *own != game.name);
                ensure!(
                    other.is_none(),
                    "`{}` plays {}, not {}",
                    manifest.name,
                    other.unwrap_or_default(),
                    game.name
                );
            }
            Self::BuiltIn(name) => {
                let playing: Vec<&str> = game
                    .agents
                    .iter()
                    .filter(|agent| agent.seats.contains(&seat))
                    .map(|agent| agent.name)
                    .collect();
                ensure!(
                    playing.contains(&&**name),
                    "{} has no agent `{name}` for seat {seat} ({}); it has {}",
                    game.name,
                    open.facts().seats[seat],
                    playing.join(", ")
                );
            }
        }
        Ok(())
    }

    /// Sits down. A process is started by the game's first turn, or when it is told to [begin](Seated::begin).
    pub fn sit(
        &self,
        game: &'static Info,
        open: &dyn OpenLevel,
        seat: Seat,
        seed: u64,
        terms: &Terms,
    ) -> Result<Box<dyn Seated>, Fault> {
        self.check(game, open, seat).map_err(|error| Fault::new(FaultCode::Build, error.to_string()))?;
        match self {
            Self::BuiltIn(name) => open.agent(name, seat, seed).ok_or_else(|| {
                Fault::new(FaultCode::Build, format!("the agent `{name}` does not play by these rules"))
            }),
            Self::Process(manifest) => {
                self.prepare(terms)?;
                Ok(Box::new(ProcessAgent::new(Arc::clone(manifest), game, open, seat, terms)?))
            }
        }
    }
}
