//! Timed solving: the solver's verified answer, its cost, and its JSON.

use anyhow::{Result, anyhow, ensure};
use damier_core::game::Status;
use damier_kit::plan::play_plan;
use damier_kit::table::{OpenLevel, Table};
use damier_kit::{Analysis, AnalyzeOptions, Info, Solvability, SolveOptions, Solved};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::measure::{Effort, Stopwatch, milliseconds};

/// Solves from the table's position and verifies the plan by replaying it. The effort is that of the solver alone.
pub fn solve(
    open: &dyn OpenLevel,
    table: &dyn Table,
    seed: u64,
    options: &SolveOptions,
    progress: &dyn Fn(&str),
) -> Result<(Solved, Effort)> {
    let stopwatch = Stopwatch::start();
    let answer = table.solve(options, progress);
    let effort = stopwatch.read();
    if answer.solution.outcome == Solvability::Solved {
        verify_plan(open, table, seed, &answer.solution.plan)?;
    }
    Ok((answer, effort))
}

/// Verifies that a plan wins from the table's position, by replaying it through the rules.
pub fn verify_plan(open: &dyn OpenLevel, table: &dyn Table, seed: u64, plan: &[String]) -> Result<()> {
    let won = play_plan(open, table.copy().as_mut(), seed, plan);
    won.map_err(|why| anyhow!("the solver's plan {why}; this is a bug"))
}

/// Analyzes the position at which a level starts; `report` gets snapshots.
pub fn analyze(
    info: &Info,
    open: &dyn OpenLevel,
    options: &AnalyzeOptions,
    report: &mut dyn FnMut(&Analysis<String>),
) -> Result<Analysis<String>> {
    ensure!(matches!(open.table(0, 0).status(), Status::ToMove(_)), "the game is over in this position");
    open.analyze(options, report).ok_or_else(|| anyhow!("{} does not support analysis", info.name))
}

/// A solver's answer as JSON.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SolutionMessage {
    /// The level's name.
    pub level: String,
    /// The rule set.
    pub rules: String,
    /// The seed of the game that the plan is for.
    pub seed: u64,
    /// The answer's kind.
    pub outcome: Solvability,
    /// The number of turns of the plan.
    pub turns: usize,
    /// The actions that win, of the seat that the solver plans for.
    pub plan: Vec<String>,
    /// Proven lower bound: no plan takes fewer turns.
    pub lower_bound: Option<u32>,
    /// Wall time in milliseconds.
    pub ms: f64,
    /// Processor time of all threads in milliseconds.
    pub cpu_ms: f64,
    /// States searched.
    pub states: u64,
    /// The game's own fields.
    #[serde(flatten)]
    pub details: Map<String, Value>,
}

impl SolutionMessage {
    /// The answer for a level.
    pub fn new(level: &str, open: &dyn OpenLevel, seed: u64, answer: &Solved, effort: &Effort) -> Self {
        let Solved { solution, details } = answer;
        Self {
            level: level.to_owned(),
            rules: open.rules().to_owned(),
            seed,
            outcome: solution.outcome,
            turns: solution.plan.len(),
            plan: solution.plan.clone(),
            lower_bound: solution.lower_bound,
            ms: milliseconds(effort.time),
            cpu_ms: milliseconds(effort.cpu),
            states: solution.states,
            details: details.clone(),
        }
    }
}
