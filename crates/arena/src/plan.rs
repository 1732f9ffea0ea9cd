//! Plan of a tournament: agents, games, levels, seeds and terms. It is saved in the store, so that a tournament can only be resumed with
//! the plan it started with.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, anyhow, bail, ensure};
use damier_kit::Info;
use damier_kit::table::OpenLevel;
use serde::{Deserialize, Serialize};

use crate::schedule::{Field, Format};
use damier_host::ENGINE;
use damier_host::contestant::Contestant;
use damier_host::games::{self, Games};
use damier_host::levels::{self, NamedLevel};
use damier_host::seats;
use damier_host::seeds;
use damier_host::terms::Terms;
use damier_process::agents;
use damier_process::config::parse_toml;

/// A participating agent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entrant {
    /// Name in tables.
    pub name: String,
    /// The agent, as typed.
    pub agent: String,
}

/// One game of a tournament, with its levels and seeds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Event {
    /// Its name.
    pub name: String,
    /// The game.
    pub game: String,
    /// The rule set.
    pub rules: String,
    /// The levels.
    pub levels: Vec<NamedLevel>,
    /// The seeds.
    pub seeds: Vec<u64>,
    /// Turn limit: a game then ends undecided.
    pub turns: u32,
    /// Number of seats.
    pub seats: usize,
    /// Numbers of the participating agents.
    pub agents: Vec<usize>,
}

/// Plan of a tournament.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    /// Program that made it: another version may play the same games differently.
    pub engine: String,
    /// Its name.
    pub name: String,
    /// Format.
    pub format: Format,
    /// The terms.
    pub terms: Terms,
    /// The agents.
    pub agents: Vec<Entrant>,
    /// The games.
    pub events: Vec<Event>,
}

impl Plan {
    /// The sizes from which the schedule is made.
    pub fn fields(&self) -> Vec<Field> {
        let field = |event: &Event| Field {
            agents: event.agents.clone(),
            levels: event.levels.len(),
            seeds: event.seeds.clone(),
            seats: event.seats,
        };
        self.events.iter().map(field).collect()
    }

    /// The first difference to another plan; `None` if they are the same.
    pub fn difference(&self, other: &Self) -> Option<&'static str> {
        [
            ("the version of the program", self.engine == other.engine),
            ("the name", self.name == other.name),
            ("the format", self.format == other.format),
            ("the terms", self.terms == other.terms),
            ("the agents", self.agents == other.agents),
            ("the games, levels or seeds", self.events == other.events),
        ]
        .into_iter()
        .find_map(|(what, same)| (!same).then_some(what))
    }
}

/// A tournament file.
///
/// ```toml
/// name = "spring"
/// format = "round-robin"                     # or gauntlet, knockout
/// agents = ["best", "class/alice/agent.toml", "cmd:python3 bob.py"]
/// seeds = "1..10"
///
/// [terms]
/// turn_ms = 100
///
/// [[games]]
/// game = "siam"
/// levels = ["start"]
///
/// [[games]]
/// game = "pacman"
/// seeds = "1..3"
/// agents = ["best", "baseline"]              # instead of those above
/// ```
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TournamentFile {
    /// Its name; by default that of the file.
    pub name: Option<String>,
    /// Format.
    #[serde(default)]
    pub format: Format,
    /// Agents: built-in names, `agent.toml` files or folders with one, relative to this file, or `cmd:COMMAND`.
    #[serde(default)]
    pub agents: Vec<String>,
    /// Seeds, such as `1..10`.
    pub seeds: Option<String>,
    /// The terms.
    #[serde(default)]
    pub terms: Terms,
    /// The games.
    pub games: Vec<EventFile>,
}

/// One game in a tournament file.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EventFile {
    /// Its name; by default that of the game.
    pub name: Option<String>,
    /// The game.
    pub game: String,
    /// Rule set; by default the game's first one.
    pub rules: Option<String>,
    /// Levels as on the command line; by default the game's first one.
    #[serde(default)]
    pub levels: Vec<String>,
    /// Seeds; by default those of the tournament.
    pub seeds: Option<String>,
    /// Turn limit; by default the game's own.
    pub turns: Option<u32>,
    /// Agents; by default those of the tournament.
    pub agents: Option<Vec<String>>,
}

impl TournamentFile {
    /// Reads a file.
    pub fn read(path: &Path) -> Result<Self> {
        let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
        let mut file: Self = parse_toml(path, &text)?;
        let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
        file.name = file.name.or(stem);
        Ok(file)
    }
}

/// A tournament ready to play.
pub struct Prepared {
    /// The plan.
    pub plan: Plan,
    /// The agents, as in the plan.
    pub contestants: Vec<Contestant>,
    /// The games and opened levels, as in the plan.
    pub events: Vec<PreparedEvent>,
}

impl Prepared {
    /// Checks that this machine can run the agents under the plan's terms. Foreign agents never run less confined than the plan says.
    pub fn new(plan: Plan, contestants: Vec<Contestant>, events: Vec<PreparedEvent>) -> Result<Self> {
        if contestants.iter().any(Contestant::is_foreign) {
            agents::check_machine(plan.terms.clock, plan.terms.confinement)?;
        }
        Ok(Self { plan, contestants, events })
    }
}

/// A game with its opened levels.
pub struct PreparedEvent {
    /// The game's description.
    pub info: &'static Info,
    /// The levels in the plan's order.
    pub levels: Vec<Arc<dyn OpenLevel>>,
    /// The terms.
    pub terms: Terms,
}

/// Checks and opens everything a tournament needs: games, levels, and agents that can take their seats. Files are searched in `folder`
/// first.
pub fn prepare(games: Games, file: &TournamentFile, folder: &Path) -> Result<Prepared> {
    ensure!(!file.games.is_empty(), "the tournament has no games");
    let mut entrants = Entrants::default();
    let (mut events, mut prepared) = (Vec::new(), Vec::new());
    for entry in &file.games {
        let texts = entry.agents.as_ref().unwrap_or(&file.agents);
        let agents = texts.iter().map(|text| entrants.find(text, folder)).collect::<Result<Vec<_>>>()?;
        let (mut event, opened) = prepare_event(games, file, entry, folder)?;
        let name = &event.name;
        ensure!(
            agents.len() >= event.seats,
            "{name}: there are {} agents for {} seats",
            agents.len(),
            event.seats
        );
        let distinct: HashSet<usize> = agents.iter().copied().collect();
        ensure!(distinct.len() == agents.len(), "{name}: an agent is listed twice");
        agents.iter().try_for_each(|&agent| entrants.check(agent, &opened, event.seats))?;
        event.agents = agents;
        events.push(event);
        prepared.push(opened);
    }
    let plan = Plan {
        engine: ENGINE.to_owned(),
        name: file.name.clone().unwrap_or_default(),
        format: file.format,
        terms: file.terms.clone(),
        agents: entrants.entrants,
        events,
    };
    Prepared::new(plan, entrants.contestants, prepared)
}

/// An event without agents, and its opened levels.
pub(crate) fn prepare_event(
    games: Games,
    file: &TournamentFile,
    entry: &EventFile,
    folder: &Path,
) -> Result<(Event, PreparedEvent)> {
    let game = games::find(games, &entry.game)?;
    let info = game.info();
    let name = entry.name.clone().unwrap_or_else(|| info.name.to_owned());
    let rules = games::rule_set(info, entry.rules.as_deref())?;
    let names: Vec<String> = entry.levels.iter().map(|name| near(folder, name)).collect();
    let levels = levels::find_all(game, &names, rules)?;
    let opened = levels
        .iter()
        .map(|level| levels::open(game, level, rules).map(Arc::from))
        .collect::<Result<Vec<Arc<dyn OpenLevel>>>>()?;
    let seats = opened[0].facts().seats.len();
    ensure!(seats <= 2, "{name}: tournaments support games with one or two seats; this one has {seats}");
    let seeds = entry.seeds.as_deref().or(file.seeds.as_deref()).unwrap_or("1");
    let seeds = seeds::parse(seeds).map_err(|error| anyhow!("{name}: {error}"))?;
    let turns = entry.turns.unwrap_or(info.turn_limit);
    let event = Event {
        name,
        game: info.name.into(),
        rules: rules.into(),
        levels,
        seeds,
        turns,
        seats,
        agents: Vec::new(),
    };
    Ok((event, PreparedEvent { info, levels: opened, terms: Terms { turns, ..file.terms.clone() } }))
}

/// The agents found so far.
#[derive(Default)]
pub(crate) struct Entrants {
    pub entrants: Vec<Entrant>,
    pub contestants: Vec<Contestant>,
}

impl Entrants {
    fn find(&mut self, text: &str, folder: &Path) -> Result<usize> {
        if let Some(known) = self.entrants.iter().position(|entrant| entrant.agent == text) {
            return Ok(known);
        }
        let contestant = agents::find(&near(folder, text))?;
        let name = contestant.name().to_owned();
        if let Some(other) = self.entrants.iter().find(|entrant| entrant.name == name) {
            bail!("`{}` and `{text}` are both called `{name}`: tables need different names", other.agent);
        }
        Ok(self.add(name, text.to_owned(), contestant))
    }

    /// Finds an agent and lists it under this name, once.
    pub fn invite(&mut self, name: &str, text: &str, folder: &Path) -> Result<usize> {
        if let Some(known) = self.entrants.iter().position(|entrant| entrant.name == name) {
            return Ok(known);
        }
        let contestant = agents::find(&near(folder, text))?;
        Ok(self.add(name.to_owned(), text.to_owned(), contestant))
    }

    /// Adds an agent and returns its number.
    pub fn add(&mut self, name: String, agent: String, contestant: Contestant) -> usize {
        self.entrants.push(Entrant { name, agent });
        self.contestants.push(contestant);
        self.entrants.len() - 1
    }

    /// Checks that an agent can take every seat of an event, before the first game.
    pub fn check(&self, agent: usize, event: &PreparedEvent, count: usize) -> Result<()> {
        let open = event.levels[0].as_ref();
        (0..count).try_for_each(|seat| seats::check(&self.contestants[agent], event.info, open, seat))
    }
}

/// Path of a file or folder in `folder`, if it exists; otherwise the name itself.
fn near(folder: &Path, name: &str) -> String {
    let path: PathBuf = folder.join(name);
    if path.exists() { path.to_string_lossy().into_owned() } else { name.to_owned() }
}
