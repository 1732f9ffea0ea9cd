//! Solving with a stopwatch: the solver's answer, verified, what it cost, and its JSON.

use anyhow::{Result, anyhow, bail, ensure};
use damier_core::agent::Budget;
use damier_core::game::{Outcome, Status};
use damier_core::insight::Insight;
use damier_kit::table::OpenLevel;
use damier_kit::time::start_clock;
use damier_kit::{Analysis, AnalyzeOptions, Info, Solvability, SolveOptions, Solved};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::contestant::Contestant;
use crate::measure::{Effort, Stopwatch, milliseconds};
use crate::seats::{self, DEFAULT_OPPONENT};
use crate::terms::Terms;

/// Solves a level, and replays the plan before it is believed. The effort is that of the solver alone.
pub fn solve(
    info: &'static Info,
    open: &dyn OpenLevel,
    seed: u64,
    options: &SolveOptions,
    progress: &dyn Fn(&str),
) -> Result<(Solved, Effort)> {
    let stopwatch = Stopwatch::start();
    let answer = open.solve(options, progress);
    let effort = stopwatch.read();
    if answer.solution.outcome == Solvability::Solved {
        verify_plan(info, open, seed, &answer.solution.plan)?;
    }
    Ok((answer, effort))
}

/// Analyzes the position at which a level starts; `report` gets snapshots.
pub fn analyze(
    info: &Info,
    open: &dyn OpenLevel,
    options: &AnalyzeOptions,
    report: &mut dyn FnMut(&Analysis<String>),
) -> Result<Analysis<String>> {
    ensure!(matches!(open.table(0, 0).status(), Status::ToMove(_)), "the game is over in this position");
    open.analyze(options, report).ok_or_else(|| anyhow!("{} has no analysis of positions", info.name))
}

/// Replays a plan through the rules: a solver is believed only if its plan wins.
pub fn verify_plan(info: &'static Info, open: &dyn OpenLevel, seed: u64, plan: &[String]) -> Result<()> {
    let mut table = open.table(seed, 0);
    let mut plan = plan.iter();
    loop {
        match table.status() {
            Status::Over(over) if over.outcome(0) == Outcome::Win && plan.len() == 0 => return Ok(()),
            Status::Over(over) => bail!(
                "the solver's plan does not win: {} with {} actions left; this is a bug",
                over.reason,
                plan.len()
            ),
            Status::ToMove(0) => match plan.next() {
                Some(action) => table.act(action)?,
                None => bail!("the solver's plan ends before the game does; this is a bug"),
            },
            Status::ToMove(seat) => {
                let opponent = Contestant::BuiltIn(DEFAULT_OPPONENT.to_owned());
                let mut opponent = seats::sit(info, open, &opponent, seat, seed, &Terms::default())?;
                let clock = start_clock(Budget::default());
                opponent.play(table.as_mut(), &clock, &mut Insight::unwanted())?;
            }
        }
    }
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
    /// The actions of seat 0 that win.
    pub plan: Vec<String>,
    /// Proven: no plan takes fewer turns.
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
