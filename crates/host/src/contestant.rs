//! Agents that can take a seat.

use std::fmt::Debug;
use std::sync::Arc;

use anyhow::{Result, ensure};
use damier_core::game::Seat;
use damier_kit::Info;
use damier_kit::fault::{Fault, FaultCode};
use damier_kit::table::{OpenLevel, Seated};

use crate::terms::Terms;

/// An agent from outside the program, such as a process that speaks the agent protocol.
pub trait ForeignAgent: Debug + Send + Sync {
    /// Its name in tables and replays.
    fn name(&self) -> &str;

    /// The only game it plays; `None` if it plays all.
    fn game(&self) -> Option<&str>;

    /// Runs its build step, if it has one, once.
    fn prepare(&self, terms: &Terms) -> Result<(), Fault>;

    /// Takes a seat.
    fn sit(
        self: Arc<Self>,
        game: &'static Info,
        open: &dyn OpenLevel,
        seat: Seat,
        terms: &Terms,
    ) -> Result<Box<dyn Seated>, Fault>;
}

/// An agent that can take a seat.
#[derive(Clone, Debug)]
pub enum Contestant {
    /// An agent that comes with the game, by name.
    BuiltIn(String),
    /// An agent from outside the program.
    Foreign(Arc<dyn ForeignAgent>),
}

impl Contestant {
    /// Its name in tables and replays.
    pub fn name(&self) -> &str {
        match self {
            Self::BuiltIn(name) => name,
            Self::Foreign(agent) => agent.name(),
        }
    }

    /// Is it from outside the program?
    pub fn is_foreign(&self) -> bool {
        matches!(self, Self::Foreign(_))
    }

    /// Runs its build step, if it has one, once; [`sit`](Self::sit) does it if this was not called.
    pub fn prepare(&self, terms: &Terms) -> Result<(), Fault> {
        match self {
            Self::BuiltIn(_) => Ok(()),
            Self::Foreign(agent) => agent.prepare(terms),
        }
    }

    /// Checks that it can take this seat of this game and level.
    pub fn check(&self, game: &Info, open: &dyn OpenLevel, seat: Seat) -> Result<()> {
        match self {
            Self::Foreign(agent) => {
                let other = agent.game().filter(|own| *own != game.name);
                ensure!(
                    other.is_none(),
                    "`{}` plays {}, not {}",
                    agent.name(),
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

    /// Takes a seat. A process starts when it is told to [begin](Seated::begin), at the latest at its first turn.
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
            Self::Foreign(agent) => Arc::clone(agent).sit(game, open, seat, terms),
        }
    }
}
