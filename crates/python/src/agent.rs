//! Built-in agents.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use damier_core::agent::Budget;
use damier_core::insight::Insight;
use damier_kit::Chooser;
use damier_kit::time::start_clock;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::convert::{damier_error, illegal_action, to_python};
use crate::game::{Opened, same_level};
use crate::state::State;

/// A built-in agent at a seat. It may remember earlier turns, so use a new one for every game.
#[pyclass(frozen, module = "damier")]
pub struct Agent {
    opened: Arc<Opened>,
    name: String,
    seat: usize,
    chooser: Mutex<Box<dyn Chooser>>,
}

impl Agent {
    /// The built-in agent of this name.
    pub fn find(opened: &Arc<Opened>, name: &str, seat: usize, seed: u64) -> PyResult<Self> {
        let seat_name = opened.seat_name(seat)?;
        let chooser = opened.level.chooser(name, seat, seed).ok_or_else(|| {
            let agents = opened.game.info().agents.iter();
            let names: Vec<&str> =
                agents.filter(|agent| agent.seats.contains(&seat)).map(|agent| agent.name).collect();
            damier_error(format!(
                "no agent `{name}` plays {seat_name} here; the agents are {}",
                names.join(", ")
            ))
        })?;
        Ok(Self { opened: Arc::clone(opened), name: name.to_owned(), seat, chooser: Mutex::new(chooser) })
    }

    fn decide(
        &self,
        py: Python<'_>,
        state: &State,
        time: Option<f64>,
        nodes: Option<u64>,
        insight: &mut Insight,
    ) -> PyResult<usize> {
        if !same_level(&self.opened, &state.opened) {
            return Err(damier_error("this agent was created for another level"));
        }
        let time = time.map(Duration::try_from_secs_f64).transpose().map_err(damier_error)?;
        let position = state.position.as_ref();
        py.detach(|| {
            let mut chooser = self.chooser.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            chooser.choose(position, &start_clock(Budget { time, nodes }), insight)
        })
        .map_err(|error| illegal_action(&error))
    }
}

#[pymethods]
impl Agent {
    /// The agent's name.
    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    /// The seat that the agent plays.
    #[getter]
    fn seat(&self) -> usize {
        self.seat
    }

    /// Chooses an action and returns its name, within a time in seconds or a number of nodes if given.
    #[pyo3(signature = (state, *, time=None, nodes=None))]
    fn choose(
        &self,
        py: Python<'_>,
        state: &State,
        time: Option<f64>,
        nodes: Option<u64>,
    ) -> PyResult<String> {
        let number = self.decide(py, state, time, nodes, &mut Insight::unwanted())?;
        Ok(self.opened.actions[number].clone())
    }

    /// Chooses an action and returns its name and the agent's insight.
    #[pyo3(signature = (state, *, time=None, nodes=None))]
    fn explain<'py>(
        &self,
        py: Python<'py>,
        state: &State,
        time: Option<f64>,
        nodes: Option<u64>,
    ) -> PyResult<(String, Bound<'py, PyDict>)> {
        let mut insight = Insight::default();
        let number = self.decide(py, state, time, nodes, &mut insight)?;
        let value = serde_json::to_value(&insight).map_err(damier_error)?;
        Ok((self.opened.actions[number].clone(), to_python(py, &value)?.cast_into()?))
    }

    fn __repr__(&self) -> String {
        format!("<damier.Agent {} {}>", self.opened.game.info().name, self.name)
    }
}
