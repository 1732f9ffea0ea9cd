//! The course project's agent, as its authors describe it.
//!
//! Bonuses by increasing Euclidean distance; A* with a binary heap to each, where cells next to an enemy are obstacles; if one can
//! be reached, the first step of the way, before everything else. Otherwise, if an enemy is dangerous (near on the same
//! row or ladder), a combat move; otherwise an approach to the nearest bonus as far as it is safe. After the last bonus
//! the exit is the target. It remembers nothing.

use std::sync::Arc;

use damier_core::agent::{Agent, Turn};
use damier_core::insight::{Insight, reason};
use damier_search::astar::AStar;

use crate::action::Action;
use crate::course::State;
use crate::course::map::{Map, Tile};
use crate::observe::Observation;
use crate::rules::{Ground, Rules};

/// An enemy on the same row or ladder is dangerous up to this distance.
const DANGEROUS: u16 = 6;
/// It digs when the enemy is nearer than this.
const DIGS_BELOW: u16 = 4;

const STEPS: [Action; 4] = [Action::Up, Action::Down, Action::Left, Action::Right];

/// The agent.
pub struct Original {
    rules: Arc<Rules>,
    search: AStar<u16>,
}

impl Original {
    /// An agent for a course map.
    pub fn new(rules: Arc<Rules>) -> Option<Self> {
        matches!(rules.ground(), Ground::Course(_)).then(|| Self { rules, search: AStar::new() })
    }
}

impl Agent<Rules> for Original {
    fn act(&mut self, turn: &Turn<'_, Rules>, insight: &mut Insight) -> Action {
        let rules = Arc::clone(&self.rules);
        let (Ground::Course(map), Observation::Course(view)) = (rules.ground(), turn.observation) else {
            return Action::None;
        };
        let state = &view.state;
        let targets = targets(map, state);
        for &target in &targets {
            if let Some(way) = self.way(map, state, target, &|cell| is_near_enemy(map, state, cell)) {
                insight.mark(reason::PATH, way.iter().map(|&cell| map.point(cell)));
                insight.mark(reason::GOAL, [map.point(target)]);
                insight.say(|| {
                    format!("the way to the nearest bonus that can be reached takes {} steps", way.len() - 1)
                });
                return step_towards(map, state, way[1]);
            }
        }
        if let Some(enemy) = dangerous_enemy(map, state) {
            insight.mark(reason::DANGER, [map.point(enemy)]);
            let action = combat(map, state, enemy);
            insight.say(|| format!("an enemy is near: {}", action.name()));
            return action;
        }
        let approach = targets.first().and_then(|&target| self.approach(map, state, target));
        insight.say(|| "no bonus can be reached: nearer to one, as far as it is safe".to_owned());
        approach.unwrap_or(Action::None)
    }
}

impl Original {
    /// A way over cells that are not avoided, start and target included; nothing if the runner is there already.
    fn way(
        &mut self,
        map: &Map,
        state: &State,
        target: u16,
        avoid: &dyn Fn(u16) -> bool,
    ) -> Option<Vec<u16>> {
        // A fall is one step, however deep: only columns count.
        let estimate = |cell: u16| u32::from(map.point(cell).0.abs_diff(map.point(target).0));
        let successors = |cell: u16, out: &mut Vec<(u16, u32)>| {
            let next = STEPS.iter().filter_map(|&action| after(map, state, cell, action));
            out.extend(next.filter(|&to| !avoid(to)).map(|to| (to, 1)));
        };
        let way = self.search.search(state.runner, |cell| cell == target, estimate, successors)?;
        (way.nodes.len() > 1).then_some(way.nodes)
    }

    /// The first step of a way that ignores the enemies, if that step itself is safe.
    fn approach(&mut self, map: &Map, state: &State, target: u16) -> Option<Action> {
        let way = self.way(map, state, target, &|_| false)?;
        (!is_near_enemy(map, state, way[1])).then(|| step_towards(map, state, way[1]))
    }
}

/// The bonuses left by increasing Euclidean distance; the exit when there are none.
fn targets(map: &Map, state: &State) -> Vec<u16> {
    let mut left: Vec<u16> =
        map.bonuses().iter().copied().filter(|&cell| state.bonuses & map.bonus(cell) != 0).collect();
    left.sort_by_key(|&cell| {
        let ((x, y), (rx, ry)) = (map.point(cell), map.point(state.runner));
        u32::from(x.abs_diff(rx)).pow(2) + u32::from(y.abs_diff(ry)).pow(2)
    });
    if left.is_empty() {
        left.push(map.exit());
    }
    left
}

/// Where a step leads as if no enemy moved; nothing if it is illegal or deadly.
fn after(map: &Map, state: &State, cell: u16, action: Action) -> Option<u16> {
    let mut state = *state;
    state.runner = cell;
    state.check(map, action).ok()?;
    state.move_runner(map, action);
    state.ending.is_none().then_some(state.runner)
}

fn step_towards(map: &Map, state: &State, next: u16) -> Action {
    let step = STEPS.into_iter().find(|&action| after(map, state, state.runner, action) == Some(next));
    step.unwrap_or(Action::None)
}

fn is_near_enemy(map: &Map, state: &State, cell: u16) -> bool {
    state.enemies().iter().any(|enemy| distance(map, enemy.cell, cell) <= 1)
}

fn distance(map: &Map, one: u16, other: u16) -> u16 {
    let ((x, y), (ox, oy)) = (map.point(one), map.point(other));
    x.abs_diff(ox) + y.abs_diff(oy)
}

/// The nearest enemy on the runner's row, or above or below it on the same ladder; those in holes do not count.
fn dangerous_enemy(map: &Map, state: &State) -> Option<u16> {
    let (x, y) = map.point(state.runner);
    let dangerous = |cell: &u16| {
        let (ex, ey) = map.point(*cell);
        let same_ladder =
            ex == x && (map.tile(state.runner) == Tile::Ladder || map.tile(*cell) == Tile::Ladder);
        let in_hole = state.holes().iter().any(|hole| hole.cell == *cell);
        (ey == y || same_ladder) && !in_hole && distance(map, *cell, state.runner) <= DANGEROUS
    };
    let enemies = state.enemies().iter().map(|enemy| enemy.cell).filter(dangerous);
    enemies.min_by_key(|&cell| distance(map, cell, state.runner))
}

/// What to do about a dangerous enemy.
fn combat(map: &Map, state: &State, enemy: u16) -> Action {
    let ((x, y), (ex, ey)) = (map.point(state.runner), map.point(enemy));
    let can = |action: Action| after(map, state, state.runner, action).is_some();
    if map.hangs(state.runner) && can(Action::Down) {
        return Action::Down;
    }
    if x == ex {
        let aside = [Action::Left, Action::Right].into_iter().find(|&action| can(action));
        let along = if ey < y { Action::Down } else { Action::Up };
        return aside.or_else(|| can(along).then_some(along)).unwrap_or(Action::None);
    }
    let (towards, dig, away) = if ex < x {
        (state.runner - 1, Action::BombLeft, Action::Right)
    } else {
        (state.runner + 1, Action::BombRight, Action::Left)
    };
    let dug = state.holes().iter().any(|hole| hole.cell == map.below(towards));
    if dug {
        Action::None
    } else if x.abs_diff(ex) < DIGS_BELOW && state.check(map, dig).is_ok() {
        dig
    } else if can(away) {
        away
    } else {
        Action::None
    }
}
