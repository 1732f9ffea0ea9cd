//! Batches of games for reinforcement learning: arrays in, arrays out, without the interpreter's lock.

use std::sync::{Mutex, MutexGuard, TryLockError};

use damier_batch::{AnyBatch, AnySaved, Autoreset, IllegalAction, Options, Outputs, Reward};
use damier_core::grid::Size;
use numpy::{
    PyArray1, PyArray2, PyArray3, PyArray4, PyArrayMethods, PyReadonlyArray1, PyUntypedArrayMethods,
};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::convert::{IllegalActionError, damier_error, level_error};
use crate::game::{find_game, find_rules};

/// The arguments of a batch, as Python passes them.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct Setup {
    game: String,
    rules: Option<String>,
    /// Names and texts.
    levels: Vec<(String, String)>,
    opponent: Option<String>,
    autoreset: String,
    illegal: String,
    reward: String,
    step_limit: u32,
    seat: Option<usize>,
    size: Option<(u16, u16)>,
    threads: usize,
}

fn choice<T: Copy>(what: &str, name: &str, choices: &[(&str, T)]) -> PyResult<T> {
    choices.iter().find(|(known, _)| *known == name).map(|&(_, choice)| choice).ok_or_else(|| {
        let names: Vec<&str> = choices.iter().map(|&(name, _)| name).collect();
        damier_error(format!("{what}={name:?}: expected one of {}", names.join(", ")))
    })
}

impl Setup {
    fn options(&self) -> PyResult<Options> {
        let autoreset = [
            ("next_step", Autoreset::NextStep),
            ("same_step", Autoreset::SameStep),
            ("disabled", Autoreset::Disabled),
        ];
        // `raise` is checked before the step.
        let illegal = [
            ("ignore", IllegalAction::Ignore),
            ("lose", IllegalAction::Lose),
            ("raise", IllegalAction::Ignore),
        ];
        let reward = [("score", Reward::Score), ("sparse", Reward::Sparse)];
        Ok(Options {
            autoreset: choice("autoreset", &self.autoreset, &autoreset)?,
            illegal: choice("illegal", &self.illegal, &illegal)?,
            reward: choice("reward", &self.reward, &reward)?,
            step_limit: self.step_limit,
            seat: self.seat,
            size: self.size.map(|(width, height)| Size::new(width, height)),
            threads: self.threads,
        })
    }

    fn batch(&self, py: Python<'_>, count: usize) -> PyResult<Box<dyn AnyBatch>> {
        let game = find_game(&self.game)?;
        let rules = find_rules(game.info(), self.rules.as_deref())?;
        let options = self.options()?;
        // A batch's own errors do not name the level.
        for (name, text) in &self.levels {
            game.open(text, rules).map_err(|error| level_error(format!("{name}: {error}")))?;
        }
        let texts: Vec<&str> = self.levels.iter().map(|(_, text)| text.as_str()).collect();
        py.detach(|| game.batch(&texts, rules, count, self.opponent.as_deref(), options))
            .map_err(damier_error)
    }
}

/// Locks the games, unless another thread is using them.
fn lock<T>(games: &Mutex<T>) -> PyResult<MutexGuard<'_, T>> {
    match games.try_lock() {
        Ok(games) => Ok(games),
        Err(TryLockError::Poisoned(games)) => Ok(games.into_inner()),
        Err(TryLockError::WouldBlock) => {
            Err(PyRuntimeError::new_err("another thread is using this environment: give each thread its own"))
        }
    }
}

/// Whether an action is illegal by the mask. Between episodes the mask is all zeros, and any action is accepted.
fn is_illegal(action: i64, mask: &[u8]) -> bool {
    let legal = usize::try_from(action).ok().and_then(|action| mask.get(action));
    legal != Some(&1) && mask.contains(&1)
}

/// A saved batch. As bytes it is stored by the actions that led to it.
#[pyclass(frozen, module = "damier._engine")]
pub struct SavedBatch(Box<dyn AnySaved>);

#[pymethods]
impl SavedBatch {
    /// The saved batch as bytes, for `read_saved` of a batch with the same setup.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.0.to_bytes())
    }
}

/// Many games. Every step updates the arrays of observations, masks and rewards in place.
#[pyclass(frozen, module = "damier._engine")]
pub struct Batch {
    games: Mutex<Box<dyn AnyBatch>>,
    raise: bool,
    observations: Py<PyArray4<u8>>,
    masks: Py<PyArray2<u8>>,
    rewards: Py<PyArray1<f32>>,
    terminated: Py<PyArray1<bool>>,
    truncated: Py<PyArray1<bool>>,
    illegal: Py<PyArray1<bool>>,
    /// Only if episodes restart in the same step.
    final_observations: Option<Py<PyArray4<u8>>>,
}

impl Batch {
    /// Borrows the batch and all arrays, and runs a closure without the interpreter's lock.
    fn with<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut dyn AnyBatch, Outputs<'_>) -> Result<T, damier_batch::BatchError> + Send,
    ) -> PyResult<T> {
        let mut batch = lock(&self.games)?;
        macro_rules! borrow {
            ($($array:ident),*) => {
                $(let mut $array = self.$array.bind(py).try_readwrite().map_err(damier_error)?;)*
                $(let $array = $array.as_slice_mut().map_err(damier_error)?;)*
            };
        }
        borrow!(observations, masks, rewards, terminated, truncated, illegal);
        let mut last = match &self.final_observations {
            Some(last) => Some(last.bind(py).try_readwrite().map_err(damier_error)?),
            None => None,
        };
        let final_observations = match &mut last {
            Some(last) => Some(last.as_slice_mut().map_err(damier_error)?),
            None => None,
        };
        let outputs =
            Outputs { observations, masks, rewards, terminated, truncated, illegal, final_observations };
        let batch = batch.as_mut();
        py.detach(|| work(batch, outputs)).map_err(damier_error)
    }

    /// Returns an error for the first illegal action, before any game is played. Used with `illegal="raise"`.
    fn check(&self, py: Python<'_>, actions: &[i64]) -> PyResult<()> {
        let masks = self.masks.bind(py).try_readonly().map_err(damier_error)?;
        let columns = masks.shape()[1];
        let rows = masks.as_slice().map_err(damier_error)?.chunks(columns);
        for (index, (mask, &action)) in rows.zip(actions).enumerate() {
            if is_illegal(action, mask) {
                return Err(IllegalActionError::new_err(format!(
                    "action {action} is illegal in game {index}"
                )));
            }
        }
        Ok(())
    }
}

#[pymethods]
impl Batch {
    #[new]
    fn new(py: Python<'_>, setup: &Bound<'_, PyAny>, count: usize) -> PyResult<Self> {
        if count == 0 {
            return Err(damier_error("a batch needs at least one game"));
        }
        let setup: Setup = setup.extract()?;
        let batch = setup.batch(py, count)?;
        let (planes, size) = (batch.planes().len(), batch.size());
        let shape = [count, planes, size.height.into(), size.width.into()];
        let final_observations =
            (setup.autoreset == "same_step").then(|| PyArray4::zeros(py, shape, false).unbind());
        Ok(Self {
            raise: setup.illegal == "raise",
            observations: PyArray4::zeros(py, shape, false).unbind(),
            masks: PyArray2::zeros(py, [count, batch.action_count()], false).unbind(),
            rewards: PyArray1::zeros(py, count, false).unbind(),
            terminated: PyArray1::zeros(py, count, false).unbind(),
            truncated: PyArray1::zeros(py, count, false).unbind(),
            illegal: PyArray1::zeros(py, count, false).unbind(),
            final_observations,
            games: Mutex::new(batch),
        })
    }

    /// uint8[games, planes, rows, columns]
    #[getter]
    fn observations(&self, py: Python<'_>) -> Py<PyArray4<u8>> {
        self.observations.clone_ref(py)
    }

    /// uint8[games, actions]
    #[getter]
    fn masks(&self, py: Python<'_>) -> Py<PyArray2<u8>> {
        self.masks.clone_ref(py)
    }

    /// float32[games]
    #[getter]
    fn rewards(&self, py: Python<'_>) -> Py<PyArray1<f32>> {
        self.rewards.clone_ref(py)
    }

    /// bool[games]
    #[getter]
    fn terminated(&self, py: Python<'_>) -> Py<PyArray1<bool>> {
        self.terminated.clone_ref(py)
    }

    /// bool[games]
    #[getter]
    fn truncated(&self, py: Python<'_>) -> Py<PyArray1<bool>> {
        self.truncated.clone_ref(py)
    }

    /// bool[games]
    #[getter]
    fn illegal(&self, py: Python<'_>) -> Py<PyArray1<bool>> {
        self.illegal.clone_ref(py)
    }

    /// The last observations of ended episodes with `autoreset="same_step"`, else None.
    /// uint8[games, planes, rows, columns]
    #[getter]
    fn final_observations(&self, py: Python<'_>) -> Option<Py<PyArray4<u8>>> {
        self.final_observations.as_ref().map(|last| last.clone_ref(py))
    }

    /// The maximum value of every plane.
    #[getter]
    fn highs(&self) -> PyResult<Vec<u16>> {
        Ok(lock(&self.games)?.planes().iter().map(|plane| plane.max.into()).collect())
    }

    /// Starts new episodes in all games, or in those selected by a mask.
    #[pyo3(signature = (seeds=vec![], mask=None))]
    fn reset(&self, py: Python<'_>, seeds: Vec<Option<u64>>, mask: Option<Vec<bool>>) -> PyResult<()> {
        self.with(py, |batch, outputs| batch.reset(&seeds, mask.as_deref(), outputs))
    }

    /// Takes one step in every game.
    fn step(&self, py: Python<'_>, actions: PyReadonlyArray1<'_, i64>) -> PyResult<()> {
        let actions = actions.as_slice().map_err(damier_error)?;
        if self.raise {
            self.check(py, actions)?;
        }
        self.with(py, |batch, outputs| batch.step(actions, outputs))
    }

    /// The index of every game's level.
    fn levels(&self) -> PyResult<Vec<usize>> {
        let batch = lock(&self.games)?;
        Ok((0..batch.count()).map(|index| batch.level(index)).collect())
    }

    /// The hashes of the games' states.
    fn keys(&self) -> PyResult<Vec<u64>> {
        let batch = lock(&self.games)?;
        Ok((0..batch.count()).map(|index| batch.key(index)).collect())
    }

    /// Saves all games.
    fn save(&self) -> PyResult<SavedBatch> {
        Ok(SavedBatch(lock(&self.games)?.save()))
    }

    /// Restores a saved batch of the same setup.
    fn restore(&self, py: Python<'_>, saved: &SavedBatch) -> PyResult<()> {
        self.with(py, |batch, outputs| {
            batch.restore(saved.0.as_ref())?;
            batch.show(outputs)
        })
    }

    /// Reads a saved batch from its bytes.
    fn read_saved(&self, bytes: &Bound<'_, PyBytes>) -> PyResult<SavedBatch> {
        Ok(SavedBatch(lock(&self.games)?.read_saved(bytes.as_bytes()).map_err(damier_error)?))
    }
}

/// The observation of a single game: planes and mask.
type Observation<'py> = (Bound<'py, PyArray3<u8>>, Bound<'py, PyArray1<u8>>);

/// The result of a step of a single game: planes, reward, terminated, truncated, mask, illegal.
type Step<'py> = (Bound<'py, PyArray3<u8>>, f32, bool, bool, Bound<'py, PyArray1<u8>>, bool);

/// A single game. Every call returns new arrays.
#[pyclass(frozen, module = "damier._engine")]
pub struct Single {
    game: Mutex<SingleGame>,
    raise: bool,
}

struct SingleGame {
    batch: Box<dyn AnyBatch>,
    observation: Vec<u8>,
    mask: Vec<u8>,
    reward: f32,
    terminated: bool,
    truncated: bool,
    illegal: bool,
}

impl SingleGame {
    fn parts(&mut self) -> (&mut dyn AnyBatch, Outputs<'_>) {
        let outputs = Outputs {
            observations: &mut self.observation,
            masks: &mut self.mask,
            rewards: std::slice::from_mut(&mut self.reward),
            terminated: std::slice::from_mut(&mut self.terminated),
            truncated: std::slice::from_mut(&mut self.truncated),
            illegal: std::slice::from_mut(&mut self.illegal),
            final_observations: None,
        };
        (self.batch.as_mut(), outputs)
    }

    fn arrays<'py>(&self, py: Python<'py>) -> PyResult<Observation<'py>> {
        let size = self.batch.size();
        let shape = [self.batch.planes().len(), size.height.into(), size.width.into()];
        let planes = PyArray1::from_slice(py, &self.observation).reshape(shape)?;
        Ok((planes, PyArray1::from_slice(py, &self.mask)))
    }
}

#[pymethods]
impl Single {
    #[new]
    fn new(py: Python<'_>, setup: &Bound<'_, PyAny>) -> PyResult<Self> {
        let setup: Setup = setup.extract()?;
        let batch = setup.batch(py, 1)?;
        let game = SingleGame {
            observation: vec![0; batch.planes().len() * batch.size().area()],
            mask: vec![0; batch.action_count()],
            reward: 0.0,
            terminated: false,
            truncated: false,
            illegal: false,
            batch,
        };
        Ok(Self { game: Mutex::new(game), raise: setup.illegal == "raise" })
    }

    /// The number of planes, rows and columns of an observation.
    #[getter]
    fn shape(&self) -> PyResult<(usize, u16, u16)> {
        let game = lock(&self.game)?;
        let size = game.batch.size();
        Ok((game.batch.planes().len(), size.height, size.width))
    }

    /// The number of actions.
    #[getter]
    fn action_count(&self) -> PyResult<usize> {
        Ok(lock(&self.game)?.batch.action_count())
    }

    /// The maximum value of every plane.
    #[getter]
    fn highs(&self) -> PyResult<Vec<u16>> {
        Ok(lock(&self.game)?.batch.planes().iter().map(|plane| plane.max.into()).collect())
    }

    /// Starts an episode: the first one of a seed, or the next one.
    #[pyo3(signature = (seed=None))]
    fn reset<'py>(&self, py: Python<'py>, seed: Option<u64>) -> PyResult<Observation<'py>> {
        let mut game = lock(&self.game)?;
        let (batch, outputs) = game.parts();
        py.detach(|| batch.reset(&[seed], None, outputs)).map_err(damier_error)?;
        game.arrays(py)
    }

    /// Takes one step.
    fn step<'py>(&self, py: Python<'py>, action: i64) -> PyResult<Step<'py>> {
        let mut game = lock(&self.game)?;
        if self.raise && is_illegal(action, &game.mask) {
            return Err(IllegalActionError::new_err(format!("action {action} is illegal")));
        }
        let (batch, outputs) = game.parts();
        py.detach(|| batch.step(&[action], outputs)).map_err(damier_error)?;
        let (planes, mask) = game.arrays(py)?;
        Ok((planes, game.reward, game.terminated, game.truncated, mask, game.illegal))
    }

    /// The mask of legal actions.
    fn mask<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u8>>> {
        Ok(PyArray1::from_slice(py, &lock(&self.game)?.mask))
    }

    /// The index of the current episode's level.
    #[getter]
    fn level(&self) -> PyResult<usize> {
        Ok(lock(&self.game)?.batch.level(0))
    }

    /// The hash of the state.
    #[getter]
    fn key(&self) -> PyResult<u64> {
        Ok(lock(&self.game)?.batch.key(0))
    }

    /// Saves the game.
    fn save(&self) -> PyResult<SavedBatch> {
        Ok(SavedBatch(lock(&self.game)?.batch.save()))
    }

    /// Restores a saved game of the same setup and returns its observation.
    fn restore<'py>(&self, py: Python<'py>, saved: &SavedBatch) -> PyResult<Observation<'py>> {
        let mut game = lock(&self.game)?;
        let (batch, outputs) = game.parts();
        batch.restore(saved.0.as_ref()).map_err(damier_error)?;
        batch.show(outputs).map_err(damier_error)?;
        game.arrays(py)
    }

    /// Reads a saved game from its bytes.
    fn read_saved(&self, bytes: &Bound<'_, PyBytes>) -> PyResult<SavedBatch> {
        Ok(SavedBatch(lock(&self.game)?.batch.read_saved(bytes.as_bytes()).map_err(damier_error)?))
    }
}
