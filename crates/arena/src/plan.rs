//! What a tournament is about: agents, games, levels, seeds and terms. The plan goes into the store, so that a tournament goes
//! on only with the one it began with.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail, ensure};
use damier_core::agent::Budget;
use damier_kit::Info;
use damier_kit::table::OpenLevel;
use serde::{Deserialize, Serialize};

use crate::schedule::{Field, Format};
use damier_host::contestant::Contestant;
use damier_host::games::{self, Games};
use damier_host::levels;
use damier_host::seats;
use damier_host::seeds;
use damier_host::terms::{ClockKind, Confinement, Terms};
use damier_process::agents;
use damier_process::config::parse_toml;

/// The terms of all games, with the names that the agent protocol uses.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Conditions {
    /// The time from the start of a process to its `ready`.
    pub init_ms: u64,
    /// The time for a turn.
    pub turn_ms: u64,
    /// So much more is forgiven every turn.
    pub grace_ms: u64,
    /// What turns may take beyond that in the whole game.
    pub bank_ms: u64,
    /// The number of late, illegal or unreadable answers that loses the game.
    pub strikes: u32,
    /// Memory in use, in megabytes.
    pub memory_mb: u64,
    /// Processes at once, for agents that ask for more than one.
    pub processes: u32,
    /// Which time counts.
    pub clock: ClockKind,
    /// How agents are confined.
    pub confinement: Confinement,
    /// Time for each decision of a built-in agent; results then depend on the machine.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub think_ms: Option<u64>,
    /// Nodes for each decision of a built-in agent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
}

impl Default for Conditions {
    fn default() -> Self {
        let usual = Terms::default();
        let millis = |duration: Duration| duration.as_millis() as u64;
        Self {
            init_ms: millis(usual.init),
            turn_ms: millis(usual.turn),
            grace_ms: millis(usual.grace),
            bank_ms: millis(usual.bank),
            strikes: usual.strikes,
            memory_mb: usual.memory_mb,
            processes: usual.processes,
            clock: usual.clock,
            confinement: usual.confinement,
            think_ms: None,
            nodes: None,
        }
    }
}

impl Conditions {
    /// The terms of a game with this limit of turns.
    pub fn terms(&self, turns: u32) -> Terms {
        Terms {
            init: Duration::from_millis(self.init_ms),
            turn: Duration::from_millis(self.turn_ms),
            grace: Duration::from_millis(self.grace_ms),
            bank: Duration::from_millis(self.bank_ms),
            strikes: self.strikes,
            memory_mb: self.memory_mb,
            processes: self.processes,
            turns,
            clock: self.clock,
            confinement: self.confinement,
            budget: Budget { time: self.think_ms.map(Duration::from_millis), nodes: self.nodes },
        }
    }
}

/// An agent that takes part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entrant {
    /// Its name in tables.
    pub name: String,
    /// The agent, as typed.
    pub agent: String,
}

/// A level that is played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlannedLevel {
    /// What it is called.
    pub name: String,
    /// The level itself.
    pub text: String,
}

/// One game of a tournament, on its levels, with its seeds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Event {
    /// What it is called.
    pub name: String,
    /// The game.
    pub game: String,
    /// The rule set.
    pub rules: String,
    /// The levels.
    pub levels: Vec<PlannedLevel>,
    /// The seeds.
    pub seeds: Vec<u64>,
    /// A game ends undecided after so many turns.
    pub turns: u32,
    /// The seats of the game.
    pub seats: usize,
    /// Who takes part, by number.
    pub agents: Vec<usize>,
}

/// A tournament, before it is played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    /// The program that made it: another version may play the same games otherwise.
    pub engine: String,
    /// What it is called.
    pub name: String,
    /// Who meets whom.
    pub format: Format,
    /// The terms.
    pub terms: Conditions,
    /// The agents.
    pub agents: Vec<Entrant>,
    /// The games.
    pub events: Vec<Event>,
}

impl Plan {
    /// The sizes that the schedule needs.
    pub fn fields(&self) -> Vec<Field> {
        let field = |event: &Event| Field {
            agents: event.agents.clone(),
            levels: event.levels.len(),
            seeds: event.seeds.clone(),
            seats: event.seats,
        };
        self.events.iter().map(field).collect()
    }

    /// What makes this another tournament than `other`: nothing if they are the same.
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

/// A tournament as its file gives it.
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
    /// What it is called; the file's name if not given.
    pub name: Option<String>,
    /// Who meets whom.
    #[serde(default)]
    pub format: Format,
    /// The agents: built-in names, `agent.toml` files or folders with one, relative to this file, or `cmd:COMMAND`.
    #[serde(default)]
    pub agents: Vec<String>,
    /// The seeds, such as `1..10`.
    pub seeds: Option<String>,
    /// The terms.
    #[serde(default)]
    pub terms: Conditions,
    /// The games.
    pub games: Vec<EventFile>,
}

/// One game of a tournament as its file gives it.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EventFile {
    /// What it is called; the game's name if not given.
    pub name: Option<String>,
    /// The game.
    pub game: String,
    /// The rule set; the game's first one if not given.
    pub rules: Option<String>,
    /// Levels as on the command line; the game's first one if none is given.
    #[serde(default)]
    pub levels: Vec<String>,
    /// The seeds; those of the tournament if not given.
    pub seeds: Option<String>,
    /// A game ends undecided after so many turns; the game's own limit if not given.
    pub turns: Option<u32>,
    /// The agents; those of the tournament if not given.
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

/// A planned tournament with all that is needed to play it.
pub struct Prepared {
    /// The plan.
    pub plan: Plan,
    /// The agents, as in the plan.
    pub contestants: Vec<Contestant>,
    /// The games and opened levels, as in the plan.
    pub events: Vec<PreparedEvent>,
}

/// A game with its opened levels.
pub struct PreparedEvent {
    /// What is known of the game.
    pub info: &'static Info,
    /// The levels in the order of the plan.
    pub levels: Vec<Arc<dyn OpenLevel>>,
    /// The terms.
    pub terms: Terms,
}

/// Checks a tournament: every game, level and agent exists, and every agent can take every seat that it will be given. Files
/// are looked for in `folder` first.
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
        ensure!(distinct.len() == agents.len(), "{name}: an agent is named twice");
        agents.iter().try_for_each(|&agent| entrants.check(agent, &opened, event.seats))?;
        event.agents = agents;
        events.push(event);
        prepared.push(opened);
    }
    let plan = Plan {
        engine: engine(),
        name: file.name.clone().unwrap_or_default(),
        format: file.format,
        terms: file.terms.clone(),
        agents: entrants.entrants,
        events,
    };
    Ok(Prepared { plan, contestants: entrants.contestants, events: prepared })
}

/// The name and version of this program.
pub(crate) fn engine() -> String {
    concat!("damier ", env!("CARGO_PKG_VERSION")).to_owned()
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
    ensure!(seats <= 2, "{name}: tournaments are for games of one or two seats, this one has {seats}");
    let seeds = entry.seeds.as_deref().or(file.seeds.as_deref()).unwrap_or("1");
    let seeds = seeds::parse(seeds).map_err(|error| anyhow!("{name}: {error}"))?;
    let turns = entry.turns.unwrap_or(info.turn_limit);
    let levels =
        levels.into_iter().map(|level| PlannedLevel { name: level.name, text: level.text }).collect();
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
    Ok((event, PreparedEvent { info, levels: opened, terms: file.terms.terms(turns) }))
}

/// The agents named so far.
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

    /// An agent under a name of its own, found once.
    pub fn invite(&mut self, name: &str, text: &str, folder: &Path) -> Result<usize> {
        if let Some(known) = self.entrants.iter().position(|entrant| entrant.name == name) {
            return Ok(known);
        }
        let contestant = agents::find(&near(folder, text))?;
        Ok(self.add(name.to_owned(), text.to_owned(), contestant))
    }

    /// Adds an agent and gives it its number.
    pub fn add(&mut self, name: String, agent: String, contestant: Contestant) -> usize {
        self.entrants.push(Entrant { name, agent });
        self.contestants.push(contestant);
        self.entrants.len() - 1
    }

    /// Can an agent take every seat of an event? A mistake of whoever wrote the plan shows before the first game.
    pub fn check(&self, agent: usize, event: &PreparedEvent, count: usize) -> Result<()> {
        let open = event.levels[0].as_ref();
        (0..count).try_for_each(|seat| seats::check(&self.contestants[agent], event.info, open, seat))
    }
}

/// A file or folder beside the file that names it, if there is one; otherwise the name as it is.
fn near(folder: &Path, name: &str) -> String {
    let path: PathBuf = folder.join(name);
    if path.exists() { path.to_string_lossy().into_owned() } else { name.to_owned() }
}
