//! Reviews of finished games: the mistakes.

use damier_core::agent::Clock;
use damier_kit::review::{Played, Remark, Review, kind};

use crate::analyze::score_text;
use crate::engine::{DEFAULT_MEMORY, Engine};
use crate::record::{Mark, judge};
use crate::rules::{Ending, Rules, State};

/// The node limit per move without a budget.
const DEFAULT_NODES: u64 = 60_000;

/// Compares every move with the engine's choice, as far as the clock allows.
pub fn review(rules: &Rules, played: &Played<Rules>, clock: &Clock, progress: &dyn Fn(&str)) -> Review {
    let mut engine = Engine::new(DEFAULT_MEMORY);
    let nodes = clock.nodes(DEFAULT_NODES).min(DEFAULT_NODES);
    let mut remarks = Vec::new();
    for (index, moment) in played.moments.iter().enumerate() {
        if clock.expired() {
            break;
        }
        progress(&format!("move {} of {}", index + 1, played.moments.len()));
        let after = played.moments.get(index + 1).map_or(&played.end, |next| &next.state);
        let states = [&moment.state, after];
        if let Some(mark) = judge(&mut engine, rules, index, moment.action, states, nodes) {
            remarks.push(remark(&mark, &moment.state, moment.seat));
        }
    }
    Review { text: verdict(played, remarks.len()), remarks }
}

fn remark(mark: &Mark, state: &State, seat: usize) -> Remark {
    let side = state.board.side();
    let before = score_text(mark.before, side);
    let after = score_text(mark.after, side);
    Remark {
        number: mark.index + 1,
        seat,
        action: mark.action.to_string(),
        kind: if mark.is_blunder() { kind::BLUNDER } else { kind::MISTAKE }.into(),
        text: format!("before it: {before}; after it: {after}"),
        instead: vec![mark.better.to_string()],
    }
}

fn verdict(played: &Played<Rules>, remarks: usize) -> String {
    let result = match played.end.ending {
        Some(Ending::Won(side)) => format!("the {} won", side.name()),
        Some(Ending::Repetition | Ending::PlyCap) => "a draw".to_owned(),
        None => "not finished".to_owned(),
    };
    format!("{} moves, {result}; {remarks} gave something away", played.moments.len())
}
