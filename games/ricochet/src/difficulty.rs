//! The difficulty of a mission for humans, rated from the results of the search.

use crate::robot::Robot;
use crate::rules::Action;
use crate::solve::{Answer, Solutions};

/// The number of different robots that a plan moves.
pub fn movers(plan: &[Action]) -> usize {
    Robot::ALL.into_iter().filter(|&robot| plan.iter().any(|action| action.robot == robot)).count()
}

/// The difficulty from 0 (trivial) to 10: longer solutions, more robots to move and more positions to search make a
/// mission harder, many different shortest solutions make it easier.
pub fn rating(answer: &Answer, solutions: &Solutions) -> f64 {
    let moves = solutions.simplest.len() as f64;
    let helpers = movers(&solutions.simplest).saturating_sub(1) as f64;
    let positions = (answer.positions.max(1) as f64).log10();
    let choices = (solutions.count.max(1) as f64).log10();
    let rating = 0.35 * moves + 0.7 * helpers + 0.45 * positions - 0.4 * choices - 0.3;
    (rating.clamp(0.0, 10.0) * 10.0).round() / 10.0
}
