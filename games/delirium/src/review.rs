//! Reviews of lost games: the last moment from which the miner could live on, and the last one from which the level could
//! still be won.

use damier_core::agent::Clock;
use damier_core::game::{Game, Status, Verdict};
use damier_core::random::Rng;
use damier_kit::review::{Moment, Played, Remark, Review, kind, last_where};

use crate::board::{Board, Word};
use crate::rules::{Action, Rules, State, pictured};
use crate::solve::plan::Planner;
use crate::solve::portfolio;
use crate::solve::reach::{Luck, Position, survives};
use crate::solve::table::Table;

/// Ticks after which a miner counts as alive.
const ALIVE: u32 = 24;

/// Positions that the search for a win looks at from one moment.
const WIN_STATES: u64 = 150_000;

/// Reviews a lost game, within the clock; `None` if it was not lost.
pub fn review(
    rules: &Rules,
    played: &Played<Rules>,
    clock: &Clock,
    progress: &dyn Fn(&str),
) -> Option<Review> {
    let Status::Over(outcome) = rules.status(&played.end) else { return None };
    if outcome.verdict != Verdict::Lost {
        return None;
    }
    let mut remarks = Vec::new();
    let fatal = played.moments.iter().rposition(|moment| can_live(rules, &moment.state, &moment.chance))?;
    progress("the fatal action is found; looking for the last moment with a win");
    let saving = saving_actions(rules, &played.moments[fatal]);
    if let Some(win) = last_win(rules, &played.moments[..=fatal], clock) {
        remarks.push(win);
    }
    let moment = &played.moments[fatal];
    remarks.push(remark(rules, fatal, moment, kind::LIFE_LOST, |action| {
        format!("after {action} there was no line left that survives {ALIVE} ticks: {}", outcome.reason)
    }));
    if let Some(last) = remarks.last_mut() {
        last.instead.clone_from(&saving);
    }
    let text = match saving.first() {
        Some(instead) => {
            format!("{}: decision {} lost the life; {instead} would have saved it", outcome.reason, fatal + 1)
        }
        None => format!("{}: decision {} lost the life", outcome.reason, fatal + 1),
    };
    Some(Review { text, remarks })
}

fn remark(
    rules: &Rules,
    index: usize,
    moment: &Moment<Rules>,
    kind: &'static str,
    text: impl Fn(&str) -> String,
) -> Remark {
    let action = rules.action_name(moment.action);
    let text = text(&action);
    Remark { number: index + 1, seat: moment.seat, action, kind: kind.into(), text, instead: Vec::new() }
}

/// Is there a line that survives, with the chance that was to come?
fn can_live(rules: &Rules, state: &State, chance: &Rng) -> bool {
    let (luck, mut doomed) = (Luck::new(chance.clone()), Table::new());
    pictured!(rules, state, board => survives(rules, &board, &luck, ALIVE, &mut doomed))
}

/// The actions after which the miner could live on.
fn saving_actions(rules: &Rules, moment: &Moment<Rules>) -> Vec<String> {
    let saves = |action: &Action| {
        let (mut state, mut chance) = (moment.state.clone(), moment.chance.clone());
        rules.apply_out_of_line(&mut state, *action, &mut chance);
        can_live(rules, &state, &chance)
    };
    Action::ALL.into_iter().filter(saves).map(|action| rules.action_name(action)).collect()
}

/// The last moment from which a win is found.
fn last_win(rules: &Rules, moments: &[Moment<Rules>], clock: &Clock) -> Option<Remark> {
    let (index, line) = last_where(moments, clock, |moment| winning_line(rules, moment, clock))?;
    let mut remark = remark(rules, index, &moments[index], kind::WIN_LOST, |_| {
        format!("the last moment from which a win was found, in {} actions", line.len())
    });
    remark.instead.extend(line.into_iter().take(1));
    (remark.instead.first() != Some(&remark.action)).then_some(remark)
}

fn winning_line(rules: &Rules, moment: &Moment<Rules>, clock: &Clock) -> Option<Vec<String>> {
    let actions = pictured!(rules, &moment.state, board => seek(rules, board, &moment.chance, clock))?;
    Some(actions.into_iter().map(|number| Action::ALL[usize::from(number)].name().to_owned()).collect())
}

fn seek<W: Word, const H: usize, const M: usize>(
    rules: &Rules,
    board: Board<W, H, M>,
    chance: &Rng,
    clock: &Clock,
) -> Option<Vec<u8>> {
    let start = Position { board, luck: Luck::new(chance.clone()) };
    let mut stop = |states| states >= clock.nodes(WIN_STATES).min(WIN_STATES) || clock.expired();
    let sought = portfolio(rules, &start, &mut Planner::new(), &mut (0..), 0, &mut stop);
    sought.plan.wins.then_some(sought.plan.actions)
}
