//! Plans of solvers, played through the rules.

use damier_core::agent::Budget;
use damier_core::game::{Outcome, Seat, Status};
use damier_core::insight::Insight;

use crate::table::{OpenLevel, Table};
use crate::time::start_clock;

/// The agent at the other seats: solvers plan against it.
pub const OPPONENT: &str = "original";

/// The seat that a solver plans for: the one to move, or seat 0 if the actions of the one to move are no turns.
pub fn planning_seat(table: &dyn Table) -> Seat {
    match table.status() {
        Status::ToMove(seat) if table.between_turns() => seat,
        _ => 0,
    }
}

/// Plays a whole plan from the position on the table. The error says why it does not win.
pub fn play_plan(
    open: &dyn OpenLevel,
    table: &mut dyn Table,
    seed: u64,
    plan: &[String],
) -> Result<(), String> {
    let planner = planning_seat(table);
    let left = play_actions(open, table, seed, plan)?;
    match table.status() {
        Status::Over(over) if over.outcome(planner) == Outcome::Win && left == 0 => Ok(()),
        Status::Over(over) => Err(format!("ends with {}, {left} actions left", over.reason)),
        Status::ToMove(_) => Err("ends before the game does".to_owned()),
    }
}

/// Plays actions of the [`planning_seat`], against [`OPPONENT`] with this seed, until that seat is to move again or the game
/// is over. Returns the number of actions that were not played.
pub fn play_actions(
    open: &dyn OpenLevel,
    table: &mut dyn Table,
    seed: u64,
    actions: &[String],
) -> Result<usize, String> {
    let planner = planning_seat(table);
    let mut actions = actions.iter();
    loop {
        match table.status() {
            Status::Over(_) => return Ok(actions.len()),
            Status::ToMove(seat) if seat == planner => {
                let Some(action) = actions.next() else { return Ok(0) };
                table.act(action).map_err(|illegal| format!("is illegal: {illegal}"))?;
            }
            Status::ToMove(seat) => {
                let mut opponent = open.agent(OPPONENT, seat, seed).ok_or("has no opponent")?;
                let clock = start_clock(Budget::default());
                opponent
                    .play(table, &clock, &mut Insight::unwanted())
                    .map_err(|fault| format!("meets an opponent that fails: {fault}"))?;
            }
        }
    }
}
