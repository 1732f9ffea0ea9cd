//! Requests to solvers and level checkers, and their answers.

use std::time::Duration;

use damier_core::insight::Mark;
use damier_core::random::Rng;
use schemars::JsonSchema;
use serde::Serialize;

use crate::cancel::{Cancel, Deadline, TimeSource};

/// Options of a solver.
#[derive(Clone, Debug)]
pub struct SolveOptions {
    /// Time for one level.
    pub time: Duration,
    /// Clock that measures the time.
    pub source: TimeSource,
    /// Threads to use.
    pub threads: usize,
    /// The chance of the game that the plan is for, which a solver may know.
    pub chance: Rng,
    /// Ends the search early.
    pub cancel: Cancel,
}

impl Default for SolveOptions {
    /// Five seconds on one thread, for the game of seed 0.
    fn default() -> Self {
        Self {
            time: Duration::from_secs(5),
            source: TimeSource::Wall,
            threads: 1,
            chance: Rng::new(0),
            cancel: Cancel::default(),
        }
    }
}

impl SolveOptions {
    /// The deadline of a search that starts now.
    pub fn deadline(&self) -> Deadline {
        Deadline::measured(self.source, self.time, &self.cancel)
    }
}

/// The answer's kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Solvability {
    /// A plan was found, replayed and wins.
    Solved,
    /// Proven: no plan exists.
    Unsolvable,
    /// No plan and no proof within the limits.
    Unknown,
}

/// A solver's answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Solution<A> {
    /// The answer's kind.
    pub outcome: Solvability,
    /// The actions that win, of the seat that the solver plans for.
    pub plan: Vec<A>,
    /// Proven lower bound on the turns of plans of the searched kind. If the game has other kinds, the notes name them.
    pub lower_bound: Option<u32>,
    /// Number of states searched.
    pub states: u64,
    /// Notes for people, as sentences.
    pub notes: Vec<String>,
}

impl<A> Solution<A> {
    /// No answer after searching `states`.
    pub fn unknown(states: u64) -> Self {
        Self { outcome: Solvability::Unknown, plan: Vec::new(), lower_bound: None, states, notes: Vec::new() }
    }

    /// The same answer with its actions converted, for example to their names.
    pub fn map<B>(self, convert: impl FnMut(A) -> B) -> Solution<B> {
        let Self { outcome, plan, lower_bound, states, notes } = self;
        Solution { outcome, plan: plan.into_iter().map(convert).collect(), lower_bound, states, notes }
    }

    /// Is the plan proven to be the shortest of its kind?
    pub fn optimal(&self) -> bool {
        self.outcome == Solvability::Solved && self.lower_bound == Some(self.plan.len() as u32)
    }
}

/// A solver's answer with its actions by name, for front ends.
#[derive(Clone, Debug, PartialEq)]
pub struct Solved {
    /// The answer.
    pub solution: Solution<String>,
    /// The game's own fields of the answer in JSON.
    pub details: serde_json::Map<String, serde_json::Value>,
}

/// A checker's report on a well-formed level.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Report {
    /// Can it be won?
    pub solvable: Solvability,
    /// The turns of the best known win.
    pub par: Option<u32>,
    /// From 0 (trivial) to 10.
    pub difficulty: Option<f64>,
    /// Facts and warnings, as sentences.
    pub notes: Vec<String>,
    /// Cells that the level's author should look at.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub marks: Vec<Mark>,
}
