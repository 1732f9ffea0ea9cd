//! Around every solver: what it costs, whether its plan wins, and its answer for programs.

use std::time::Duration;

use anyhow::{Result, bail};
use damier_core::agent::Budget;
use damier_core::game::{Outcome, Status};
use damier_core::insight::Insight;
use damier_kit::table::OpenLevel;
use damier_kit::time::{Instant, cpu, start_clock};
use damier_kit::{Info, Solved};
use serde_json::{Map, Value, json};

use crate::contestant::Contestant;
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

/// A solver's answer for programs.
pub fn solution_json(
    seed: u64,
    level: &str,
    open: &dyn OpenLevel,
    answer: &Solved,
    effort: &Effort,
) -> Value {
    let Solved { solution, details } = answer;
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
    line.extend(details.clone());
    Value::Object(line)
}
