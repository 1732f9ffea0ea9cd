//! Games and their levels.

use std::sync::Arc;

use damier_games::GAMES;
use damier_host::games;
use damier_host::levels::{self as host, NamedLevel};
use damier_kit::table::OpenLevel;
use damier_kit::{AnyGame, Info};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use serde_json::json;

use crate::agent::Agent;
use crate::convert::{Reduced, damier_error, level_error, to_python};
use crate::search::{self, Limits};
use crate::state::State;

/// An opened level under a rule set, with its action names.
pub struct Opened {
    pub game: &'static dyn AnyGame,
    pub name: String,
    pub rules: &'static str,
    pub text: String,
    pub level: Box<dyn OpenLevel>,
    pub actions: Vec<String>,
}

/// The game of this name.
pub fn find_game(name: &str) -> PyResult<&'static dyn AnyGame> {
    games::find(GAMES, name).map_err(damier_error)
}

/// The rule set of this name, by default the game's first one.
pub fn find_rules(info: &Info, name: Option<&str>) -> PyResult<&'static str> {
    games::rule_set(info, name).map_err(damier_error)
}

impl Opened {
    fn open(game: &'static dyn AnyGame, level: NamedLevel, rules: &'static str) -> PyResult<Self> {
        let opened = host::open(game, &level, rules).map_err(level_error)?;
        let actions = opened.action_names();
        Ok(Self { game, name: level.name, rules, text: level.text, level: opened, actions })
    }

    /// The name of a seat, or an error if there is no such seat.
    pub fn seat_name(&self, seat: usize) -> PyResult<&'static str> {
        let seats = self.level.facts().seats;
        let unknown = || damier_error(format!("there is no seat {seat}; the seats are {}", seats.join(", ")));
        seats.get(seat).copied().ok_or_else(unknown)
    }
}

/// A game on one level under one rule set. It is immutable and can be shared between threads.
#[pyclass(frozen, module = "damier")]
pub struct Game(pub Arc<Opened>);

#[pymethods]
impl Game {
    /// Opens a level: a shipped one, a generated one, a file, or the text of a level.
    #[new]
    #[pyo3(signature = (name, level=None, *, rules=None, text=None))]
    fn new(name: &str, level: Option<&str>, rules: Option<&str>, text: Option<String>) -> PyResult<Self> {
        let game = find_game(name)?;
        let rules = find_rules(game.info(), rules)?;
        let level = match text {
            Some(text) => NamedLevel { name: level.unwrap_or("text").to_owned(), text },
            None => host::find_one(game, level, rules).map_err(level_error)?,
        };
        Ok(Self(Arc::new(Opened::open(game, level, rules)?)))
    }

    /// The game's name.
    #[getter]
    fn name(&self) -> &'static str {
        self.0.game.info().name
    }

    /// The level's name.
    #[getter]
    fn level(&self) -> &str {
        &self.0.name
    }

    /// The name of the rule set.
    #[getter]
    fn rules(&self) -> &'static str {
        self.0.rules
    }

    /// The level's text as it was read.
    #[getter]
    fn text(&self) -> &str {
        &self.0.text
    }

    /// The names of the actions, by number.
    #[getter]
    fn actions(&self) -> Vec<String> {
        self.0.actions.clone()
    }

    /// The names of the seats.
    #[getter]
    fn seats(&self) -> Vec<&'static str> {
        self.0.level.facts().seats.to_vec()
    }

    /// Whether steps are random.
    #[getter]
    fn stochastic(&self) -> bool {
        self.0.level.facts().chance
    }

    /// Whether every seat sees the whole state.
    #[getter]
    fn perfect_information(&self) -> bool {
        self.0.level.facts().perfect_information
    }

    /// The name and maximum value of every plane of an observation.
    #[getter]
    fn planes(&self) -> Vec<(&'static str, u8)> {
        self.0.level.planes().iter().map(|plane| (plane.name, plane.max)).collect()
    }

    /// The number of planes, rows and columns of an observation.
    #[getter]
    fn shape(&self) -> (usize, u16, u16) {
        let extent = self.0.level.extent();
        (self.0.level.planes().len(), extent.height, extent.width)
    }

    /// The default turn limit.
    #[getter]
    fn turn_limit(&self) -> u32 {
        self.0.game.info().turn_limit
    }

    /// The initial state, with the random numbers of a seed.
    #[pyo3(signature = (seed=0))]
    fn start(&self, seed: u64) -> State {
        State::start(&self.0, seed)
    }

    /// Reads a state from its bytes.
    fn state(&self, bytes: &Bound<'_, PyBytes>) -> PyResult<State> {
        State::from_bytes(&self.0, bytes.as_bytes())
    }

    /// Creates the built-in agent of this name for a seat.
    #[pyo3(signature = (name="best", *, seat=0, seed=0))]
    fn agent(&self, name: &str, seat: usize, seed: u64) -> PyResult<Agent> {
        Agent::find(&self.0, name, seat, seed)
    }

    /// The level's text in one of the game's formats.
    #[pyo3(signature = (format=None))]
    fn to(&self, format: Option<&str>) -> PyResult<String> {
        let info = self.0.game.info();
        let format = format.unwrap_or(info.formats[0].name);
        if info.formats.iter().all(|known| known.name != format) {
            let names: Vec<&str> = info.formats.iter().map(|format| format.name).collect();
            return Err(damier_error(format!(
                "{} has no format `{format}`; it has {}",
                info.name,
                names.join(", ")
            )));
        }
        self.0.level.print(format).map_err(damier_error)
    }

    /// Searches for a winning plan, or for a proof that there is none.
    #[pyo3(signature = (*, time=5.0, threads=1, seed=0))]
    fn solve<'py>(
        &self,
        py: Python<'py>,
        time: f64,
        threads: usize,
        seed: u64,
    ) -> PyResult<Bound<'py, PyAny>> {
        search::solve(py, &self.0, &Limits::new(time, threads)?, seed)
    }

    /// Checks whether the level can be won, and how hard it is.
    #[pyo3(signature = (*, time=5.0, threads=1))]
    fn check<'py>(&self, py: Python<'py>, time: f64, threads: usize) -> PyResult<Bound<'py, PyAny>> {
        search::check(py, &self.0, &Limits::new(time, threads)?)
    }

    /// Searches for the best lines from the level's position.
    #[pyo3(signature = (*, time=1.0, depth=None, threads=1, lines=1))]
    fn analyze<'py>(
        &self,
        py: Python<'py>,
        time: Option<f64>,
        depth: Option<u32>,
        threads: usize,
        lines: usize,
    ) -> PyResult<Bound<'py, PyAny>> {
        search::analyze(py, &self.0, time, depth, threads, lines)
    }

    /// Lists all shortest solutions, at most this many, if the game supports it.
    #[pyo3(signature = (*, time=5.0, threads=1, most=1000))]
    fn answers<'py>(
        &self,
        py: Python<'py>,
        time: f64,
        threads: usize,
        most: usize,
    ) -> PyResult<Bound<'py, PyAny>> {
        search::answers(py, &self.0, &Limits::new(time, threads)?, most)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> Reduced<'py, (&'static str, String, &'static str, String)> {
        let opened = &slf.get().0;
        let reopen = slf.py().import("damier")?.getattr("_reopen")?;
        Ok((reopen, (opened.game.info().name, opened.name.clone(), opened.rules, opened.text.clone())))
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| same_level(&self.0, &other.get().0))
    }

    fn __hash__(&self) -> u64 {
        damier_core::random::hash_bytes(self.0.text.as_bytes())
    }

    fn __repr__(&self) -> String {
        format!("<damier.Game {} {} rules={}>", self.name(), self.0.name, self.0.rules)
    }

    fn _repr_svg_(&self) -> String {
        crate::svg::draw(&self.0.level.position(0, 0).draw())
    }
}

/// Whether these are the same level under the same rules.
pub fn same_level(one: &Arc<Opened>, other: &Arc<Opened>) -> bool {
    Arc::ptr_eq(one, other)
        || (one.game.info().name == other.game.info().name
            && one.rules == other.rules
            && one.text == other.text)
}

/// Describes every game: its rule sets, agents, formats and levels.
#[pyfunction]
#[pyo3(name = "games")]
pub fn describe_games(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let all = PyDict::new(py);
    for game in GAMES {
        let info = game.info();
        let levels: Vec<String> = info
            .packs
            .iter()
            .flat_map(|pack| pack.levels.iter().map(move |(name, _)| format!("{}/{name}", pack.name)))
            .collect();
        let value = json!({
            "title": info.title,
            "about": info.about,
            "rules": info.rules.iter().map(|rules| (rules.name, rules.about)).collect::<Vec<_>>(),
            "agents": info.agents.iter().map(|agent| (agent.name, agent.about)).collect::<Vec<_>>(),
            "formats": info.formats.iter().map(|format| (format.name, format.about)).collect::<Vec<_>>(),
            "levels": levels,
            "turn_limit": info.turn_limit,
        });
        all.set_item(info.name, to_python(py, &value)?)?;
    }
    Ok(all)
}

/// The names and texts of levels: shipped ones, whole packs, `generated/1..50`, files.
#[pyfunction]
#[pyo3(signature = (name, levels=vec![], *, rules=None))]
pub fn levels(
    py: Python<'_>,
    name: &str,
    levels: Vec<String>,
    rules: Option<&str>,
) -> PyResult<Vec<(String, String)>> {
    let game = find_game(name)?;
    let rules = find_rules(game.info(), rules)?;
    let found = py.detach(|| host::find_all(game, &levels, rules)).map_err(level_error)?;
    Ok(found.into_iter().map(|level| (level.name, level.text)).collect())
}
