//! States: positions with their random numbers and the actions that led to them.

use std::sync::Arc;

use damier_core::encode::Canvas;
use damier_core::game::{Outcome, Status};
use damier_core::grid::Size;
use damier_core::random::Rng;
use damier_kit::Position;
use numpy::{PyArray1, PyArray3, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::convert::{Reduced, damier_error, illegal_action, to_python};
use crate::game::{Game, Opened, same_level};
use crate::svg;

/// The first bytes of a serialized state; the last one is the version of the format.
const MAGIC: [u8; 4] = *b"dms\x01";

/// Among the action numbers of a serialized state, marks a new random seed.
const CHANCE: u16 = u16::MAX;

/// The history of a state as a linked list, newest event first. Copies of a state share it.
struct Past {
    event: Event,
    before: Option<Arc<Past>>,
}

#[derive(Clone, Copy)]
enum Event {
    Action(u16),
    Chance(u64),
}

impl Drop for Past {
    /// Drops iteratively: recursion would overflow the stack after a long game.
    fn drop(&mut self) {
        let mut next = self.before.take();
        while let Some(mut past) = next.and_then(Arc::into_inner) {
            next = past.before.take();
        }
    }
}

/// A state of a game.
#[pyclass(module = "damier")]
pub struct State {
    pub opened: Arc<Opened>,
    pub position: Box<dyn Position>,
    seed: u64,
    past: Option<Arc<Past>>,
}

impl State {
    /// The initial state of a game with the random numbers of a seed.
    pub fn start(opened: &Arc<Opened>, seed: u64) -> Self {
        let position = opened.level.position(seed, 0);
        Self { opened: Arc::clone(opened), position, seed, past: None }
    }

    fn record(&mut self, event: Event) {
        self.past = Some(Arc::new(Past { event, before: self.past.take() }));
    }

    fn duplicate(&self) -> Self {
        Self {
            opened: Arc::clone(&self.opened),
            position: self.position.copy(),
            seed: self.seed,
            past: self.past.clone(),
        }
    }

    /// The number of an action given by name or number.
    fn number(&self, action: &Bound<'_, PyAny>) -> PyResult<usize> {
        if let Ok(name) = action.extract::<&str>() {
            return self.position.number(name).map_err(|error| illegal_action(&error));
        }
        let number: i64 = action.extract()?;
        usize::try_from(number).map_err(|_| damier_error(format!("there is no action {number}")))
    }

    fn take(&mut self, number: usize) -> PyResult<()> {
        self.position.act(number).map_err(|error| illegal_action(&error))?;
        self.record(Event::Action(number as u16));
        Ok(())
    }

    fn set_chance(&mut self, seed: u64) {
        self.position.set_chance(Rng::new(seed));
        self.record(Event::Chance(seed));
    }

    fn seat(&self, seat: Option<usize>) -> PyResult<usize> {
        let seat = seat.unwrap_or(match self.position.status() {
            Status::ToMove(seat) => seat,
            Status::Over(_) => 0,
        });
        self.opened.seat_name(seat).map(|_| seat)
    }

    fn events(&self) -> Vec<Event> {
        let mut events = Vec::new();
        let mut past = self.past.as_deref();
        while let Some(Past { event, before }) = past {
            events.push(*event);
            past = before.as_deref();
        }
        events.reverse();
        events
    }

    fn bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(self.seed.to_le_bytes());
        for event in self.events() {
            match event {
                Event::Action(number) => bytes.extend(number.to_le_bytes()),
                Event::Chance(seed) => {
                    bytes.extend(CHANCE.to_le_bytes());
                    bytes.extend(seed.to_le_bytes());
                }
            }
        }
        bytes
    }

    /// Reads a state by playing its game again, which detects corrupt bytes.
    pub fn from_bytes(opened: &Arc<Opened>, bytes: &[u8]) -> PyResult<Self> {
        let malformed = || damier_error("these bytes are not a Damier state");
        let rest = bytes.strip_prefix(&MAGIC).ok_or_else(malformed)?;
        let (seed, mut rest) = rest.split_first_chunk().ok_or_else(malformed)?;
        let mut state = Self::start(opened, u64::from_le_bytes(*seed));
        while let Some((number, after)) = rest.split_first_chunk() {
            rest = after;
            match u16::from_le_bytes(*number) {
                CHANCE => {
                    let (seed, after) = rest.split_first_chunk().ok_or_else(malformed)?;
                    state.set_chance(u64::from_le_bytes(*seed));
                    rest = after;
                }
                number => state.take(number.into())?,
            }
        }
        if rest.is_empty() { Ok(state) } else { Err(malformed()) }
    }
}

#[pymethods]
impl State {
    /// The game, with its level and rules.
    #[getter]
    fn game(&self) -> Game {
        Game(Arc::clone(&self.opened))
    }

    /// The seat to move; None if the game is over.
    #[getter]
    fn to_move(&self) -> Option<usize> {
        match self.position.status() {
            Status::ToMove(seat) => Some(seat),
            Status::Over(_) => None,
        }
    }

    /// The reason why the game ended; None while it runs.
    #[getter]
    fn over(&self) -> Option<&'static str> {
        match self.position.status() {
            Status::ToMove(_) => None,
            Status::Over(over) => Some(over.reason),
        }
    }

    /// The number of turns played.
    #[getter]
    fn turns(&self) -> u32 {
        self.position.turns()
    }

    /// A 64-bit hash of the state, the same on every machine.
    #[getter]
    fn key(&self) -> u64 {
        self.position.key()
    }

    /// `win`, `loss` or `draw` for a seat; None while the game runs.
    #[pyo3(signature = (seat=0))]
    fn outcome(&self, seat: usize) -> PyResult<Option<&'static str>> {
        let seat = self.seat(Some(seat))?;
        Ok(match self.position.status() {
            Status::ToMove(_) => None,
            Status::Over(over) => Some(over.outcome(seat).name()),
        })
    }

    /// Whether this seat has won.
    #[pyo3(signature = (seat=0))]
    fn won(&self, seat: usize) -> PyResult<bool> {
        Ok(self.outcome(seat)? == Some(Outcome::Win.name()))
    }

    /// The score of a seat.
    #[pyo3(signature = (seat=0))]
    fn score(&self, seat: usize) -> PyResult<i64> {
        Ok(self.position.score(self.seat(Some(seat))?))
    }

    /// The names of the legal actions.
    fn legal(&self) -> Vec<&str> {
        self.position.legal().into_iter().map(|number| self.opened.actions[number].as_str()).collect()
    }

    /// The numbers of the legal actions.
    fn legal_numbers(&self) -> Vec<usize> {
        self.position.legal()
    }

    /// The mask of legal actions, by number.
    fn mask<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<bool>> {
        let mut mask = vec![0; self.opened.actions.len()];
        self.position.mask(&mut mask);
        PyArray1::from_iter(py, mask.into_iter().map(|byte| byte != 0))
    }

    /// Takes an action, given by name or number.
    fn act(&mut self, action: &Bound<'_, PyAny>) -> PyResult<()> {
        let number = self.number(action)?;
        self.take(number)
    }

    /// The state after an action; this one is not changed.
    fn after(&self, action: &Bound<'_, PyAny>) -> PyResult<Self> {
        let number = self.number(action)?;
        let mut after = self.duplicate();
        after.take(number)?;
        Ok(after)
    }

    /// An independent copy. With a `chance` seed its future random numbers differ, so that planners cannot foresee the
    /// game's own.
    #[pyo3(signature = (*, chance=None))]
    fn copy(&self, chance: Option<u64>) -> Self {
        let mut copy = self.duplicate();
        if let Some(seed) = chance {
            copy.set_chance(seed);
        }
        copy
    }

    /// The observation of a seat, by default the one to move, as uint8[planes, rows, columns].
    #[pyo3(signature = (seat=None, *, size=None))]
    fn planes<'py>(
        &self,
        py: Python<'py>,
        seat: Option<usize>,
        size: Option<(u16, u16)>,
    ) -> PyResult<Bound<'py, PyArray3<u8>>> {
        let seat = self.seat(seat)?;
        let extent = self.opened.level.extent();
        let (width, height) = size.unwrap_or((extent.width, extent.height));
        if width < extent.width || height < extent.height {
            return Err(damier_error(format!(
                "planes of {width}x{height} are too small: the level has {}x{} cells",
                extent.width, extent.height
            )));
        }
        let planes = self.opened.level.planes().len();
        let array = PyArray3::zeros(py, [planes, height.into(), width.into()], false);
        let mut bytes = array.try_readwrite().map_err(damier_error)?;
        self.position.write(
            seat,
            &mut Canvas::new(bytes.as_slice_mut().map_err(damier_error)?, Size::new(width, height)),
        );
        drop(bytes);
        Ok(array)
    }

    /// The observation of a seat, by default the one to move, as agent processes receive it.
    #[pyo3(signature = (seat=None))]
    fn observe<'py>(&self, py: Python<'py>, seat: Option<usize>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &self.position.observe(self.seat(seat)?))
    }

    /// The whole state, as `damier trace` prints it.
    fn json<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &self.position.json())
    }

    /// The state in the game's notation; None if it has none.
    fn notation(&self) -> Option<String> {
        self.position.notation()
    }

    /// The names of the actions since the start.
    fn history(&self) -> Vec<&str> {
        let name = |event| match event {
            Event::Action(number) => Some(self.opened.actions[usize::from(number)].as_str()),
            Event::Chance(_) => None,
        };
        self.events().into_iter().filter_map(name).collect()
    }

    /// The state as bytes, for `Game.state`.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.bytes())
    }

    fn __copy__(&self) -> Self {
        self.duplicate()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        self.duplicate()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> Reduced<'py, (Game, Bound<'py, PyBytes>)> {
        let py = slf.py();
        let state = slf.try_borrow()?;
        let restore = py.import("damier._engine")?.getattr("restore_state")?;
        Ok((restore, (state.game(), state.to_bytes(py))))
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        let Ok(other) = other.cast::<Self>() else { return Ok(false) };
        let other = other.try_borrow()?;
        Ok(same_level(&self.opened, &other.opened) && self.position.equals(other.position.as_ref()))
    }

    fn __hash__(&self) -> u64 {
        self.position.key()
    }

    fn __str__(&self) -> String {
        svg::text(&self.position.draw())
    }

    fn __repr__(&self) -> String {
        let status = match self.position.status() {
            Status::ToMove(seat) => format!("{} to move", self.opened.level.facts().seats[seat]),
            Status::Over(over) => over.reason.to_owned(),
        };
        format!(
            "<damier.State {} {}, turn {}, {status}>",
            self.opened.game.info().name,
            self.opened.name,
            self.turns()
        )
    }

    fn _repr_svg_(&self) -> String {
        svg::draw(&self.position.draw())
    }
}

/// Restores a pickled state.
#[pyfunction]
pub fn restore_state(game: &Bound<'_, Game>, bytes: &Bound<'_, PyBytes>) -> PyResult<State> {
    State::from_bytes(&game.get().0, bytes.as_bytes())
}
