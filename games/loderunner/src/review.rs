//! Review of a lost game: the last decisions from which the runner could still have survived, and still have won.

use std::sync::Arc;

use damier_core::agent::Clock;
use damier_core::game::{Game, Outcome, Status};
use damier_kit::review::{Moment, Played, Remark, Review, kind, last_where};

use crate::action::Action;
use crate::agents::planner::{CoursePlan, Planner};
use crate::rules::{Ground, Rules, State};
use crate::solve::classic::{Found, SearchLimits, solve, survive};
use crate::solve::ways::Ways;

/// A runner that survives for this many rounds, or ten times as many ticks, was not lost.
const ROUNDS: usize = 12;
const TICKS: u32 = 120;
/// What each question may cost.
const COURSE_NODES: u64 = 300_000;
const CLASSIC_NODES: u64 = 600_000;

/// Looks back at a lost game.
pub fn review(
    rules: &Arc<Rules>,
    played: &Played<Rules>,
    clock: &Clock,
    progress: &dyn Fn(&str),
) -> Option<Review> {
    let Status::Over(over) = rules.status(&played.end) else { return None };
    if over.outcome(0) == Outcome::Win {
        return None;
    }
    let mut judge = Judge::new(rules);
    progress("looking for the last decision that was safe");
    let life = last_mistake(&played.moments, clock, |moment| judge.lives(moment));
    progress("looking for the last decision that could still win");
    let win = last_mistake(&played.moments, clock, |moment| judge.wins(moment));
    let mut remarks: Vec<Remark> = win
        .iter()
        .map(|(index, instead)| {
            let text = "from here the game could still be won, from the next position on no win was found";
            remark(rules, played, *index, kind::WIN_LOST, text, *instead)
        })
        .collect();
    let text = "from here the runner could live on, after this it could not";
    remarks.extend(
        life.iter().map(|(index, instead)| remark(rules, played, *index, kind::LIFE_LOST, text, *instead)),
    );
    let last = played.moments.len();
    let text = match life {
        Some((index, _)) => format!("{}: decision {} of {last} was the mistake", over.reason, index + 1),
        None => format!("{}: it was lost long before the end", over.reason),
    };
    Some(Review { text, remarks })
}

/// The last decision from which there was a better way, and that way. Where it begins as the runner did, chance told against the runner
/// afterwards, and an earlier decision was the mistake.
fn last_mistake(
    moments: &[Moment<Rules>],
    clock: &Clock,
    mut better: impl FnMut(&Moment<Rules>) -> Option<Action>,
) -> Option<(usize, Action)> {
    let (last, instead) = last_where(moments, clock, &mut better)?;
    if instead != moments[last].action {
        return Some((last, instead));
    }
    let earlier = moments[..last].iter().enumerate().rev().take_while(|_| !clock.expired());
    earlier
        .filter_map(|(index, moment)| Some((index, better(moment)?)))
        .find(|&(index, instead)| instead != moments[index].action)
}

fn remark(
    rules: &Rules,
    played: &Played<Rules>,
    index: usize,
    kind: &'static str,
    text: &str,
    instead: Action,
) -> Remark {
    let moment = &played.moments[index];
    Remark {
        number: index + 1,
        seat: moment.seat,
        action: rules.action_name(moment.action),
        kind: kind.into(),
        text: text.to_owned(),
        instead: vec![rules.action_name(instead)],
    }
}

/// Answers whether a position can be lived through, and won.
enum Judge<'a> {
    Course(&'a Rules, Box<Planner>),
    Classic(&'a Rules, Ways),
}

impl<'a> Judge<'a> {
    fn new(rules: &'a Rules) -> Self {
        match rules.ground() {
            Ground::Course(map) => Self::Course(rules, Box::new(Planner::new(map))),
            Ground::Classic(board) => Self::Classic(rules, Ways::new(board)),
        }
    }

    fn lives(&mut self, moment: &Moment<Rules>) -> Option<Action> {
        match self {
            Self::Course(..) => {
                let plan = self.plan(moment)?;
                let lives = plan.wins || plan.actions.len() >= ROUNDS;
                plan.actions.first().copied().filter(|_| lives)
            }
            Self::Classic(rules, ways) => match (rules.ground(), &moment.state) {
                (Ground::Classic(board), State::Classic(state)) => {
                    let keys = survive(board, ways, state, &moment.chance, TICKS)?;
                    Some(keys.first().copied().unwrap_or(Action::None))
                }
                _ => None,
            },
        }
    }

    fn wins(&mut self, moment: &Moment<Rules>) -> Option<Action> {
        match self {
            Self::Course(..) => {
                let plan = self.plan(moment)?;
                plan.actions.first().copied().filter(|_| plan.wins)
            }
            Self::Classic(rules, ways) => match (rules.ground(), &moment.state) {
                (Ground::Classic(board), State::Classic(state)) => {
                    let limits = SearchLimits { nodes: CLASSIC_NODES, deadline: None };
                    let Found { keys, wins, .. } = solve(board, ways, state, &moment.chance, &limits);
                    keys.first().copied().filter(|_| wins)
                }
                _ => None,
            },
        }
    }

    fn plan(&mut self, moment: &Moment<Rules>) -> Option<CoursePlan> {
        let Self::Course(rules, planner) = self else { return None };
        match (rules.ground(), &moment.state) {
            (Ground::Course(map), State::Course(state)) => {
                Some(planner.plan(map, state, COURSE_NODES, &|| false))
            }
            _ => None,
        }
    }
}
