//! Solvers, checkers, analysis and generators. They run without the interpreter's lock, and Ctrl-C stops them.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use damier_host::solving::{self, SolutionMessage};
use damier_kit::{AnalyzeOptions, Cancel, GenerateRequest, SolveOptions};
use pyo3::prelude::*;

use crate::convert::{damier_error, level_error, to_python};
use crate::game::{Opened, find_game, find_rules};

/// How often a running search checks for Ctrl-C.
const SIGNAL_INTERVAL: Duration = Duration::from_millis(50);

/// The stack size of a search thread.
const STACK_SIZE: usize = 64 << 20;

/// The time limit and number of threads of a search.
pub struct Limits {
    time: Duration,
    threads: usize,
}

impl Limits {
    /// Checks the time limit in seconds.
    pub fn new(time: f64, threads: usize) -> PyResult<Self> {
        let time = Duration::try_from_secs_f64(time)
            .map_err(|error| damier_error(format!("time={time}: {error}")))?;
        Ok(Self { time, threads: threads.max(1) })
    }

    fn options(&self, opened: &Opened, seed: u64, cancel: &Cancel) -> SolveOptions {
        let chance = opened.level.chance(seed, 0);
        SolveOptions {
            time: self.time,
            threads: self.threads,
            chance,
            cancel: cancel.clone(),
            ..SolveOptions::default()
        }
    }
}

/// Returns an exception if Ctrl-C was pressed.
#[expect(clippy::redundant_closure_for_method_calls, reason = "the method itself is not general enough")]
fn check_signals() -> PyResult<()> {
    Python::attach(|py| py.check_signals())
}

/// Runs long work in a separate thread without the interpreter's lock, and cancels it on Ctrl-C.
fn interruptible<T: Send>(py: Python<'_>, cancel: &Cancel, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    py.detach(|| {
        std::thread::scope(|scope| {
            let (done, finished) = channel();
            let work = move || {
                let result = work();
                // The receiver is gone if the search was cancelled.
                let _ = done.send(());
                result
            };
            let thread = std::thread::Builder::new()
                .stack_size(STACK_SIZE)
                .spawn_scoped(scope, work)
                .map_err(damier_error)?;
            while let Err(RecvTimeoutError::Timeout) = finished.recv_timeout(SIGNAL_INTERVAL) {
                if let Err(interrupt) = check_signals() {
                    cancel.cancel();
                    // The result of a cancelled search is ignored.
                    let _ = thread.join();
                    return Err(interrupt);
                }
            }
            thread.join().map_err(|_| damier_error("internal error in a search: please report it"))
        })
    })
}

/// Searches for a winning plan, or for a proof that there is none.
pub fn solve<'py>(
    py: Python<'py>,
    opened: &Opened,
    limits: &Limits,
    seed: u64,
) -> PyResult<Bound<'py, PyAny>> {
    let cancel = Cancel::default();
    let options = limits.options(opened, seed, &cancel);
    let level = opened.level.as_ref();
    let answer = interruptible(py, &cancel, || {
        solving::solve(level, level.table(seed, 0).as_ref(), seed, &options, &|_| ())
    })?;
    let (answer, effort) = answer.map_err(damier_error)?;
    let message = SolutionMessage::new(&opened.name, level, seed, &answer, &effort);
    let mut value = serde_json::to_value(message).map_err(damier_error)?;
    value["optimal"] = answer.solution.optimal().into();
    value["notes"] = answer.solution.notes.into();
    to_python(py, &value)
}

/// Checks whether the level can be won, and how hard it is.
pub fn check<'py>(py: Python<'py>, opened: &Opened, limits: &Limits) -> PyResult<Bound<'py, PyAny>> {
    let cancel = Cancel::default();
    let options = limits.options(opened, 0, &cancel);
    let report = interruptible(py, &cancel, || opened.level.check(&options, &|_| ()))?;
    to_python(py, &serde_json::to_value(report).map_err(damier_error)?)
}

/// Searches for the best lines from the level's position.
pub fn analyze<'py>(
    py: Python<'py>,
    opened: &Opened,
    time: Option<f64>,
    depth: Option<u32>,
    threads: usize,
    lines: usize,
) -> PyResult<Bound<'py, PyAny>> {
    let time = time.map(|time| Limits::new(time, threads)).transpose()?.map(|limits| limits.time);
    let cancel = Cancel::default();
    let (threads, lines) = (threads.max(1), lines.max(1));
    let options = AnalyzeOptions { time, depth, threads, lines, cancel: cancel.clone() };
    let analysis = interruptible(py, &cancel, || {
        solving::analyze(opened.game.info(), opened.level.as_ref(), &options, &mut |_| ())
    })?;
    let analysis = analysis.map_err(damier_error)?;
    let mut value = serde_json::to_value(analysis.message()).map_err(damier_error)?;
    value["verdict"] = analysis.verdict().into();
    to_python(py, &value)
}

/// Lists all shortest solutions, if the game supports it.
pub fn answers<'py>(
    py: Python<'py>,
    opened: &Opened,
    limits: &Limits,
    most: usize,
) -> PyResult<Bound<'py, PyAny>> {
    let cancel = Cancel::default();
    let options = limits.options(opened, 0, &cancel);
    let answers = interruptible(py, &cancel, || opened.level.answers(&options, most))?;
    let none = || damier_error(format!("{} does not list all shortest solutions", opened.game.info().title));
    to_python(py, &serde_json::to_value(answers.ok_or_else(none)?).map_err(damier_error)?)
}

/// Generates a level and returns its text.
#[pyfunction]
#[pyo3(signature = (name, seed=0, *, size=None, difficulty=None, rules=None))]
pub fn generate(
    py: Python<'_>,
    name: &str,
    seed: u64,
    size: Option<(u16, u16)>,
    difficulty: Option<f64>,
    rules: Option<&str>,
) -> PyResult<String> {
    let game = find_game(name)?;
    let rules = find_rules(game.info(), rules)?;
    if difficulty.is_some_and(|difficulty| !(0.0..=10.0).contains(&difficulty)) {
        return Err(damier_error("difficulty must be between 0 and 10"));
    }
    let cancel = Cancel::default();
    let request = GenerateRequest { seed, difficulty, size, rules, cancel: cancel.clone() };
    interruptible(py, &cancel, || game.generate(&request))?.map_err(level_error)
}
