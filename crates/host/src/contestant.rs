//! Agents that can take a seat.

use std::fmt::Debug;
use std::sync::Arc;

use anyhow::{Result, ensure};
use damier_core::agent::{Budget, Clock};
use damier_core::game::Seat;
use damier_core::insight::Insight;
use damier_kit::Info;
use damier_kit::fault::{Fault, FaultCode, Leave};
use damier_kit::table::{OpenLevel, Seated, Table};
use damier_kit::time::start_clock;

use crate::budgets::parse_budget;
use crate::terms::Terms;

/// An agent from outside the program, such as a process that speaks the agent protocol.
pub trait ForeignAgent: Debug + Send + Sync {
    /// Its name in tables and replays.
    fn name(&self) -> &str;

    /// The only game it plays; `None` if it plays any.
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

/// An agent that comes with the game.
#[derive(Clone, Debug)]
pub struct BuiltIn {
    /// Its name in tables and replays, with its budget.
    name: String,
    /// Its name in the game.
    agent: String,
    /// Budget of its decisions, instead of that of the terms.
    budget: Option<Budget>,
}

/// An agent that can take a seat.
#[derive(Clone, Debug)]
pub enum Contestant {
    /// An agent that comes with the game.
    BuiltIn(BuiltIn),
    /// An agent from outside the program.
    Foreign(Arc<dyn ForeignAgent>),
}

impl Contestant {
    /// The agent of this name that comes with the game. The name may end with a budget of its own: `best:100ms`, `best:400000n`.
    pub fn built_in(name: &str) -> Self {
        let budgeted = name.rsplit_once(':').and_then(|(agent, text)| Some((agent, parse_budget(text)?)));
        let (agent, budget) = budgeted.map_or((name, None), |(agent, budget)| (agent, Some(budget)));
        Self::BuiltIn(BuiltIn { name: name.to_owned(), agent: agent.to_owned(), budget })
    }

    /// Its name in tables and replays.
    pub fn name(&self) -> &str {
        match self {
            Self::BuiltIn(BuiltIn { name, .. }) => name,
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
            Self::BuiltIn(BuiltIn { agent: name, .. }) => {
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

    /// Takes a seat. A process starts in [`begin`](Seated::begin), at the latest at its first turn.
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
            Self::BuiltIn(built_in) => built_in.sit(open, seat, seed).ok_or_else(|| {
                let detail = format!("the agent `{}` does not play by these rules", built_in.agent);
                Fault::new(FaultCode::Build, detail)
            }),
            Self::Foreign(agent) => Arc::clone(agent).sit(game, open, seat, terms),
        }
    }
}

impl BuiltIn {
    /// Its name in the game, without a budget.
    pub fn agent(&self) -> &str {
        &self.agent
    }

    /// Takes a seat; `None` if it does not play by these rules.
    fn sit(&self, open: &dyn OpenLevel, seat: Seat, seed: u64) -> Option<Box<dyn Seated>> {
        let agent = open.agent(&self.agent, seat, seed)?;
        Some(match self.budget {
            Some(budget) => Box::new(Budgeted { agent, budget }),
            None => agent,
        })
    }
}

/// A built-in agent with a budget of its own.
struct Budgeted {
    agent: Box<dyn Seated>,
    budget: Budget,
}

impl Seated for Budgeted {
    fn play(&mut self, table: &mut dyn Table, _: &Clock, insight: &mut Insight) -> Result<(), Leave> {
        self.agent.play(table, &start_clock(self.budget), insight)
    }
}
