//! The course project's agent. It decides as its author's final program did in recorded games (see the test
//! `original_agreement`).
//!
//! Bonuses by increasing Euclidean distance; A* to each, where cells beside an enemy are closed. The first step to the first
//! bonus that can be reached goes before everything else. Otherwise, if an enemy is dangerous (within nine cells on the same
//! row or ladder), a combat move. Otherwise an approach to the nearest bonus, unless that step ends at an enemy. After the
//! last bonus the exit is the target. It remembers nothing.

mod sight;
mod way;

use std::sync::Arc;

use damier_core::agent::{Agent, Turn};
use damier_core::insight::{Insight, reason};

use crate::action::Action;
use crate::course::State;
use crate::course::map::{Map, Tile};
use crate::observe::Observation;
use crate::rules::{Ground, Rules};
use sight::{STEPS, Sight, Sights};
use way::Search;

/// An enemy on the same row or ladder is dangerous below this distance.
const DANGEROUS_BELOW: u16 = 10;
/// It digs when the enemy is nearer than this.
const DIGS_BELOW: u16 = 4;

/// The agent.
pub struct Original {
    rules: Arc<Rules>,
}

impl Original {
    /// An agent for a course map.
    pub fn new(rules: Arc<Rules>) -> Option<Self> {
        matches!(rules.ground(), Ground::Course(_)).then(|| Self { rules })
    }
}

impl Agent<Rules> for Original {
    fn act(&mut self, turn: &Turn<'_, Rules>, insight: &mut Insight) -> Action {
        let (Ground::Course(map), Observation::Course(view)) = (self.rules.ground(), turn.observation) else {
            return Action::None;
        };
        let action = decide(map, &view.state, insight);
        // The program sometimes digs beside a ladder or the exit, or lets go above a cable: its referee says no.
        if view.state.check(map, action).is_ok() { action } else { Action::None }
    }
}

fn decide(map: &Map, state: &State, insight: &mut Insight) -> Action {
    let sights = Sights::new(map, state);
    let open = sights.with_zones(state);
    if state.bonuses == 0 && sights.at(map.exit()) == Sight::Enemy {
        insight.mark(reason::DANGER, [map.point(map.exit())]);
        insight.say(|| "an enemy stands on the exit: the course's program never answers".to_owned());
        return Action::None;
    }
    let targets = targets(map, state, &sights);
    let mut approach = None;
    let mut approach_occupied = None;
    for &target in &targets {
        let search = Search::new(state.runner, target, &open, &sights);
        if sights.at(target) == Sight::Enemy {
            approach_occupied = Some((target, search.towards(&open)));
        } else if search.found {
            let way = search.way();
            insight.mark(reason::PATH, way.iter().map(|&cell| map.point(cell)));
            insight.mark(reason::GOAL, [map.point(target)]);
            insight.say(|| {
                format!("the way to the nearest bonus that can be reached takes {} steps", way.len())
            });
            return step_to(state.runner, way.first().copied(), &sights);
        } else if approach.is_none() {
            approach = Some((target, search.towards(&open)));
        }
    }
    if approach.is_some()
        && let Some(enemy) = dangerous_enemy(map, state, &sights)
        && let Some(action) = combat(map, state.runner, enemy, &sights)
    {
        insight.mark(reason::DANGER, [map.point(enemy)]);
        insight.say(|| format!("an enemy is near: {}", action.name()));
        return action;
    }
    let Some((target, next)) = approach.or(approach_occupied) else { return Action::None };
    insight.mark(reason::GOAL, [map.point(target)]);
    let step = step_to(state.runner, next, &sights);
    if approach.is_some() && ends_at_enemy(state.runner, step, &open) {
        insight.say(|| "no bonus can be reached, and the step towards one ends at an enemy: wait".to_owned());
        return Action::None;
    }
    insight.say(|| "no bonus can be reached: nearer to one".to_owned());
    step
}

/// The bonuses left by increasing distance, of equal ones the last in reading order first; the exit when there are none.
fn targets(map: &Map, state: &State, sights: &Sights) -> Vec<u16> {
    let left = |cell: &u16| state.bonuses & map.bonus(*cell) != 0 && *cell != state.runner;
    let mut targets: Vec<u16> = map.bonuses().iter().rev().copied().filter(left).collect();
    targets.sort_by_key(|&cell| sights.distance_squared(cell, state.runner));
    if state.bonuses == 0 {
        targets.push(map.exit());
    }
    targets
}

fn step_to(from: u16, next: Option<u16>, sights: &Sights) -> Action {
    STEPS.into_iter().find(|&step| Some(sights.after(from, step)) == next).unwrap_or(Action::None)
}

/// Is there an enemy, or a cell beside one, where the runner comes to stand? Cables do not stop this fall.
fn ends_at_enemy(runner: u16, step: Action, open: &Sights) -> bool {
    if !matches!(step, Action::Down | Action::Left | Action::Right) {
        return false;
    }
    let mut cell = open.after(runner, step);
    while matches!(open.at(cell), Sight::Tile(Tile::Path | Tile::Cable)) {
        cell = open.below(cell);
    }
    open.at(cell) == Sight::Enemy
}

/// The nearest enemy on the runner's row, or in its column with nothing but a ladder between; those in holes do not count.
fn dangerous_enemy(map: &Map, state: &State, sights: &Sights) -> Option<u16> {
    let (x, y) = map.point(state.runner);
    let dangerous = |cell: &u16| {
        let (ex, ey) = map.point(*cell);
        let ladder_between =
            || (ey.min(y) + 1..ey.max(y)).all(|row| map.tile(row * map.width() + x) == Tile::Ladder);
        let in_line = ey == y || (ex == x && ladder_between());
        in_line && ex.abs_diff(x) + ey.abs_diff(y) < DANGEROUS_BELOW && sights.at(*cell) != Sight::Trapped
    };
    let enemies = state.enemy_cells().iter().copied().filter(dangerous);
    enemies.min_by_key(|&cell| sights.distance_squared(cell, state.runner))
}

/// What to do about a dangerous enemy, if anything.
fn combat(map: &Map, runner: u16, enemy: u16, sights: &Sights) -> Option<Action> {
    let ((x, y), (ex, ey)) = (map.point(runner), map.point(enemy));
    if y == ey {
        fight_on_row(runner, x.abs_diff(ex), ex < x, sights)
    } else {
        flee_on_ladder(runner, ey < y, sights)
    }
}

/// On a cable it lets go. Elsewhere it digs between itself and the enemy, and waits beside the hole; next to a ladder and on one,
/// and where it cannot dig, it goes away.
fn fight_on_row(runner: u16, distance: u16, enemy_is_left: bool, sights: &Sights) -> Option<Action> {
    let (beside, away, dig) = if enemy_is_left {
        (runner - 1, Action::Right, Action::BombLeft)
    } else {
        (runner + 1, Action::Left, Action::BombRight)
    };
    let ladder = Sight::Tile(Tile::Ladder);
    let flees = walks(runner, away, sights).then_some(away);
    if flees.is_some()
        && (sights.at(beside) == ladder || sights.at(runner) == ladder || sights.at(beside) == Sight::Enemy)
    {
        return flees;
    }
    let below = sights.at(sights.below(runner));
    if sights.at(sights.above(runner)) == Sight::Tile(Tile::Cable) && below == Sight::Tile(Tile::Path) {
        return Some(Action::Down);
    }
    if distance >= DIGS_BELOW {
        return None;
    }
    let free =
        sights.at(sights.above(beside)) != Sight::Tile(Tile::Cable) && sights.at(beside) != Sight::Enemy;
    match sights.at(sights.below(beside)) {
        Sight::Hole if free => Some(Action::None),
        Sight::Tile(Tile::Floor) if free => Some(dig),
        _ => flees,
    }
}

/// It climbs away from the enemy; at either end of the ladder it does nothing special.
fn flee_on_ladder(runner: u16, enemy_is_above: bool, sights: &Sights) -> Option<Action> {
    let at_an_end = sights.at(runner) == Sight::Tile(Tile::Path)
        || sights.at(sights.below(runner)) == Sight::Tile(Tile::Floor);
    let away = if enemy_is_above { Action::Down } else { Action::Up };
    (!at_an_end && sights.allows(runner, away, sights)).then_some(away)
}

/// Can it walk there without a fall?
fn walks(runner: u16, step: Action, sights: &Sights) -> bool {
    let below = sights.at(sights.below(sights.after(runner, step)));
    sights.allows(runner, step, sights) && !matches!(below, Sight::Hole | Sight::Tile(Tile::Path))
}
