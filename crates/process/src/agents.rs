//! Agents as people name them on a command line or in a file.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Result, ensure};
use damier_core::game::Seat;
use damier_host::contestant::{Contestant, ForeignAgent};
use damier_host::terms::Terms;
use damier_kit::Info;
use damier_kit::fault::Fault;
use damier_kit::table::{OpenLevel, Seated};

use crate::manifest::{FILE_NAME, Manifest};
use crate::process::{ProcessAgent, build};

/// The agent as typed: `cmd:COMMAND`, an `agent.toml`, a folder that holds one, or the name of a built-in agent. Whether the
/// game has an agent of this name shows when it [sits](Contestant::sit) down.
pub fn find(text: &str) -> Result<Contestant> {
    Ok(match find_manifest(text)? {
        Some(manifest) => foreign(manifest),
        None => Contestant::BuiltIn(text.to_owned()),
    })
}

/// The manifest of an agent as typed; `None` if the text can only be the name of a built-in agent.
pub fn find_manifest(text: &str) -> Result<Option<Manifest>> {
    if let Some(command) = text.strip_prefix("cmd:") {
        return Manifest::of_command(command).map(Some);
    }
    let path = Path::new(text);
    let file = if path.is_dir() { path.join(FILE_NAME) } else { path.to_owned() };
    if file.is_file() {
        return Manifest::read(&file).map(Some);
    }
    ensure!(
        !text.contains(['/', '.']),
        "`{text}` is no agent: there is no such file, and no `{FILE_NAME}` in a folder of this name"
    );
    Ok(None)
}

/// An agent process that can take a seat.
pub fn foreign(manifest: Manifest) -> Contestant {
    Contestant::Foreign(Arc::new(manifest))
}

impl ForeignAgent for Manifest {
    fn name(&self) -> &str {
        &self.name
    }

    fn game(&self) -> Option<&str> {
        self.game.as_deref()
    }

    fn prepare(&self, terms: &Terms) -> Result<(), Fault> {
        self.built.get_or_init(|| build(self, terms.confinement)).clone()
    }

    fn sit(
        self: Arc<Self>,
        game: &'static Info,
        open: &dyn OpenLevel,
        seat: Seat,
        terms: &Terms,
    ) -> Result<Box<dyn Seated>, Fault> {
        self.prepare(terms)?;
        Ok(Box::new(ProcessAgent::new(self, game, open, seat, terms)?))
    }
}
