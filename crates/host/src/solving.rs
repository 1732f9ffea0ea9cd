//! Solvers' answers: verified plans, and JSON for programs.

use anyhow::{Result, bail};
use damier_core::agent::Budget;
use damier_core::game::{Outcome, Status};
use damier_core::insight::Insight;
use damier_kit::table::OpenLevel;
use damier_kit::time::start_clock;
use damier_kit::{Info, Solved};
use serde_json::{Map, Value, json};

use crate::contestant::Contestant;
use crate::measure::{Effort, milliseconds};
use crate::seats::{self, DEFAULT_OPPONENT};
use crate::terms::Terms;

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
