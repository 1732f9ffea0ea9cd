//! Replays: recorded games with the hash of every state.

use std::path::PathBuf;

use damier_host::replays;
use damier_kit::replay::Replay as Record;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde_json::json;

use crate::convert::{Reduced, damier_error, to_python};
use crate::game::{Game, find_game};

/// A recorded game.
#[pyclass(frozen, module = "damier")]
pub struct Replay(Record);

#[pymethods]
impl Replay {
    /// Reads a replay file, compressed or not.
    #[staticmethod]
    fn load(path: PathBuf) -> PyResult<Self> {
        replays::read(&path).map(Self).map_err(damier_error)
    }

    /// Reads the JSON lines of a replay.
    #[staticmethod]
    fn parse(text: &str) -> PyResult<Self> {
        Record::parse(text).map(Self).map_err(damier_error)
    }

    /// Reads a replay from bytes, compressed or not, as stores keep it.
    #[staticmethod]
    fn from_bytes(bytes: &Bound<'_, PyBytes>) -> PyResult<Self> {
        replays::unpack("replay", bytes.as_bytes()).map(Self).map_err(damier_error)
    }

    /// Replays the game and raises an error if a state, a score or the end differs.
    fn verify(&self, py: Python<'_>) -> PyResult<()> {
        let game = find_game(&self.0.start.game)?;
        py.detach(|| self.0.verify(game)).map_err(damier_error)
    }

    /// The game on its level.
    #[getter]
    fn game(&self, py: Python<'_>) -> PyResult<Game> {
        let start = &self.0.start;
        let kind = py.get_type::<Game>();
        let options = pyo3::types::PyDict::new(py);
        options.set_item("rules", &start.rules)?;
        options.set_item("text", &start.text)?;
        let game = kind.call((&start.game, &start.level), Some(&options))?;
        Ok(Game(std::sync::Arc::clone(&game.cast::<Game>()?.get().0)))
    }

    /// The random seed of the game.
    #[getter]
    fn seed(&self) -> u64 {
        self.0.start.seed
    }

    /// The agents' names by seat.
    #[getter]
    fn agents(&self) -> Vec<String> {
        self.0.start.agents.clone()
    }

    /// The names of the actions, in order.
    #[getter]
    fn actions(&self) -> Vec<&str> {
        self.0.moves.iter().map(|step| step.action.as_str()).collect()
    }

    /// How the game ended: outcome, reason, turns, scores; None if it was aborted.
    #[getter]
    fn end<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &serde_json::to_value(&self.0.end).map_err(damier_error)?)
    }

    /// The moves as dictionaries: seat, action, hash, time in microseconds (`us`), and what else was recorded.
    fn moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &json!(self.0.moves))
    }

    /// The replay as compressed bytes, in the format of replay files.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &replays::pack(&self.0).map_err(damier_error)?))
    }

    fn __len__(&self) -> usize {
        self.0.moves.len()
    }

    fn __repr__(&self) -> String {
        let start = &self.0.start;
        format!("<damier.Replay {} {}, {} moves>", start.game, start.level, self.0.moves.len())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> Reduced<'py, (String,)> {
        let parse = slf.get_type().getattr("parse")?;
        Ok((parse, (slf.get().0.to_json_lines(),)))
    }
}
