//! Agents by name, as on a command line or in a file.

use std::path::Path;
use std::sync::{Arc, PoisonError};

use anyhow::{Error, Result, bail, ensure};
use damier_core::game::Seat;
use damier_host::contestant::{Contestant, ForeignAgent};
use damier_host::terms::{ClockKind, Confinement, Terms};
use damier_kit::Info;
use damier_kit::fault::{Fault, FaultCode};
use damier_kit::table::{OpenLevel, Seated};

use crate::confine::{self, Strength};
use crate::manifest::{FILE_NAME, Manifest};
use crate::process::child::MEASURES_CPU;
use crate::process::{ProcessAgent, build};

/// Finds an agent: `cmd:COMMAND`, an `agent.toml`, a folder with one, or the name of a built-in agent. Whether the game has a built-in
/// agent of this name is checked when it [takes a seat](Contestant::sit).
pub fn find(text: &str) -> Result<Contestant> {
    Ok(match find_manifest(text)? {
        Some(manifest) => foreign(manifest),
        None => Contestant::built_in(text),
    })
}

/// Finds an agent's manifest; `None` if the text can only be the name of a built-in agent.
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
        "`{text}` is not an agent: there is no such file, and no folder of this name with an `{FILE_NAME}`"
    );
    Ok(None)
}

/// Checks that this machine can run agent processes with this clock and this confinement.
pub fn check_machine(clock: ClockKind, confinement: Confinement) -> Result<()> {
    check_clock(clock).map_err(Error::msg)?;
    let report = confine::report();
    if confinement == Confinement::Full && report.strength() == Strength::None {
        let (_, missing) = report.layers();
        bail!(
            "this machine cannot confine agents: it lacks {}; --unconfined runs them anyway",
            missing.join(", and ")
        );
    }
    Ok(())
}

/// Warning about weak confinement of agent processes; `None` if they are fully confined.
pub fn confinement_warning(confinement: Confinement) -> Option<String> {
    if confinement == Confinement::Off {
        return Some("agents are NOT confined".to_owned());
    }
    let report = confine::report();
    let (there, _) = report.layers();
    let explanation = "`damier check-agent --confinement` explains";
    match report.strength() {
        Strength::Full => None,
        Strength::Reduced => {
            Some(format!("agents are confined by {} only; {explanation}", there.join(" and ")))
        }
        Strength::None => Some(format!("agents are NOT properly confined; {explanation}")),
    }
}

fn check_clock(clock: ClockKind) -> Result<(), &'static str> {
    if clock == ClockKind::Cpu && !MEASURES_CPU {
        return Err("this system cannot measure the processor time of agents: use clock = \"wall\"");
    }
    Ok(())
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
        let mut built = self.built.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = &*built {
            return known.clone();
        }
        let result = build(self, terms.confinement);
        if !result.as_ref().is_err_and(Fault::is_of_machine) {
            *built = Some(result.clone());
        }
        result
    }

    fn sit(
        self: Arc<Self>,
        game: &'static Info,
        open: &dyn OpenLevel,
        seat: Seat,
        terms: &Terms,
    ) -> Result<Box<dyn Seated>, Fault> {
        check_clock(terms.clock).map_err(|error| Fault::new(FaultCode::Build, error))?;
        self.prepare(terms)?;
        Ok(Box::new(ProcessAgent::new(self, game, open, seat, terms)?))
    }
}
