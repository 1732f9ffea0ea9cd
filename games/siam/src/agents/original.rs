//! The course's program.

use damier_core::agent::{Agent, Turn};
use damier_core::insight::Insight;

use crate::action::Move;
use crate::rules::Rules;

/// Always plays the first legal move in the order of the course's program ([`Move::rank`]).
#[derive(Clone, Copy, Debug)]
pub struct Original;

impl Agent<Rules> for Original {
    fn act(&mut self, turn: &Turn<'_, Rules>, insight: &mut Insight) -> Move {
        insight.say(|| format!("the first of {} legal moves", turn.legal.len()));
        turn.legal[0]
    }
}
