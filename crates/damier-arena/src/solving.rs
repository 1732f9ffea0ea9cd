//! Around every solver: what it costs, whether its plan wins, and its answer for programs.

use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use damier_core::agent::{Budget, Clock};
use damier_core::cpu;
use damier_core::game::Status;
use damier_core::insight::Insight;
use damier_core::kit::{Info, Solution};
use damier_core::table::OpenLevel;
use serde_json::{Map, Value, json};

use crate::seats::{self, DEFAULT_OPPONENT};
use crate::terms::Terms;

/// Counts what a computation costs.
pub struct Stopwatch {
    started: Instant,
    cpu: Duration,
}

/// What a computation cost.
pub struct Effort {
    /// The time that passed.
    pub time: Duration,
    /// Of all threads together.
    pub cpu: Duration,
}

impl Stopwatch {
    /// Begins to count.
    pub fn start() -> Self {
        Self { started: Instant::now(), cpu: cpu::of_process() }
    }

    /// What it cost so far.
    pub fn read(&self) -> Effort {
        Effort { time: self.started.elapsed(), cpu: cpu::of_process().saturating_sub(self.cpu) }
    }
}

/// A duration as a number of milliseconds.
pub fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

/// Plays the plan again through the rules: a solver is believed only when its plan wins.
pub fn verify_plan(info: &'static Info, open: &dyn OpenLevel, seed: u64, plan: &[String]) -> Result<()> {
    let mut table = open.table(seed, 0);
    let mut plan = plan.iter();
    loop {
        match table.status() {
            Status::Over(outcome) if outcome.seen_from(0) == "win" && plan.len() == 0 => return Ok(()),
            Status::Over(outcome) => bail!(
                "the solver's plan does not win: {} with {} actions left; this is a bug",
                outcome.reason,
                plan.len()
            ),
            Status::ToMove(0) => match plan.next() {
                Some(action) => table.act(action)?,
                None => bail!("the solver's plan ends before the game does; this is a bug"),
            },
            Status::ToMove(seat) => {
                let mut opponent = seats::agent(info, open, DEFAULT_OPPONENT, seat, seed, &Terms::default())?;
                let clock = Clock::start(Budget::default());
                opponent.play(table.as_mut(), &clock, &mut Insight::unwanted())?;
            }
        }
    }
}

/// A solver's answer for programs.
pub fn solution_json(
    seed: u64,
    level: &str,
    open: &dyn OpenLevel,
    solution: &Solution,
    effort: &Effort,
) -> Value {
    let mut line = Map::new();
    line.insert("level".into(), level.into());
    line.insert("rules".into(), open.rules().into());
    line.insert("seed".into(), seed.into());
    line.insert("outcome".into(), json!(solution.outcome));
    line.insert("turns".into(), solution.plan.len().into());
    line.insert("plan".into(), json!(solution.plan));
    line.insert("lower_bound".into(), json!(solution.lower_bound));
    line.insert("ms".into(), milliseconds(effort.time).into());
    line.insert("cpu_ms".into(), milliseconds(effort.cpu).into());
    line.insert("states".into(), solution.states.into());
    line.extend(open.solution_json(solution));
    Value::Object(line)
}
