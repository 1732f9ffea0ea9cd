//! How far the runner is from everything on a map without enemies, and the shortest tour over the bonuses that are left.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::State;
use super::map::Map;
use crate::action::Action;

/// Further than anything.
pub const UNREACHABLE: u16 = u16::MAX / 4;
/// So many bonuses are ordered exactly; beyond it the nearest comes first.
const MOST_ORDERED: usize = 12;

/// Distances and tours on one map.
#[derive(Debug)]
pub struct Tour {
    /// For each bonus, then the exit: the rounds from every cell until it is taken or reached.
    distances: Vec<Vec<u16>>,
    /// For each set of bonuses and each bonus: the rounds from there over all of the set to the exit.
    tours: Vec<u16>,
    bonuses: usize,
}

impl Tour {
    /// Measures a map.
    pub fn new(map: &Map) -> Self {
        let moves = all_moves(map);
        let bonuses = map.bonuses().len();
        let mut distances: Vec<Vec<u16>> = (0..bonuses)
            .map(|bonus| {
                let collect = moves.iter().filter(|it| it.collected >> bonus & 1 == 1);
                distances_to(map, &moves, collect.map(|it| (it.from, it.rounds)).collect())
            })
            .collect();
        distances.push(distances_to(map, &moves, vec![(map.exit(), 0)]));
        let tours = if bonuses <= MOST_ORDERED { all_tours(map, &distances) } else { Vec::new() };
        Self { distances, tours, bonuses }
    }

    /// The rounds from a cell over all bonuses left to the exit, without enemies.
    #[inline]
    pub fn left(&self, runner: u16, bonuses: u128) -> u16 {
        let cell = usize::from(runner);
        if bonuses == 0 {
            return self.distances[self.bonuses][cell];
        }
        if self.tours.is_empty() {
            return self.nearest_first(cell, bonuses);
        }
        let set = bonuses as usize;
        let mut best = UNREACHABLE;
        let mut rest = set;
        while rest != 0 {
            let bonus = rest.trailing_zeros() as usize;
            let then = self.tours[(set & !(1 << bonus)) * self.bonuses + bonus];
            best = best.min(self.distances[bonus][cell].saturating_add(then));
            rest &= rest - 1;
        }
        best
    }

    /// The cells of the bonuses, and of the exit, that the runner can never reach from its start.
    pub fn out_of_reach(&self, map: &Map) -> impl Iterator<Item = u16> {
        let goals = map.bonuses().iter().copied().chain([map.exit()]);
        let far = |distances: &Vec<u16>| distances[usize::from(map.runner())] >= UNREACHABLE;
        goals.zip(&self.distances).filter(move |(_, distances)| far(distances)).map(|(goal, _)| goal)
    }

    fn nearest_first(&self, cell: usize, bonuses: u128) -> u16 {
        let left = (0..self.bonuses).filter(|bonus| bonuses >> bonus & 1 == 1);
        let nearest = left.clone().map(|bonus| self.distances[bonus][cell]).min().unwrap_or(0);
        let spread = left.map(|bonus| self.distances[bonus][cell]).max().unwrap_or(0);
        nearest.saturating_add(spread / 2).saturating_add(6 * bonuses.count_ones() as u16).min(UNREACHABLE)
    }
}

/// One action, or a hole and a step through it.
struct Move {
    from: u16,
    to: u16,
    rounds: u16,
    /// The bonuses on its way, if they still lie there.
    collected: u128,
}

/// Everything that the runner can do alone on the map.
fn all_moves(map: &Map) -> Vec<Move> {
    let cells = map.width() * map.height();
    let mut moves = Vec::new();
    for from in (0..cells).filter(|&cell| !map.is_closed(cell)) {
        let here = State::alone(map, from);
        for action in [Action::Up, Action::Down, Action::Left, Action::Right] {
            moves.extend(after(map, here, action, from, 1));
        }
        for (dig, step) in [(Action::BombLeft, Action::Left), (Action::BombRight, Action::Right)] {
            if here.check(map, dig).is_ok() {
                let mut dug = here;
                dug.move_runner(map, dig);
                moves.extend(after(map, dug, step, from, 2));
            }
        }
    }
    moves
}

fn after(map: &Map, mut state: State, action: Action, from: u16, rounds: u16) -> Option<Move> {
    state.check(map, action).ok()?;
    let before = state.bonuses;
    state.move_runner(map, action);
    let alive = state.ending.is_none() && !map.is_closed(state.runner);
    alive.then_some(Move { from, to: state.runner, rounds, collected: before & !state.bonuses })
}

/// The rounds from every cell until one of the cells given, with what is left from there.
fn distances_to(map: &Map, moves: &[Move], ends: Vec<(u16, u16)>) -> Vec<u16> {
    let cells = usize::from(map.width() * map.height());
    let mut back: Vec<Vec<(u16, u16)>> = vec![Vec::new(); cells];
    for it in moves {
        back[usize::from(it.to)].push((it.from, it.rounds));
    }
    let mut distances = vec![UNREACHABLE; cells];
    let mut queue = BinaryHeap::new();
    for (cell, rounds) in ends {
        if rounds < distances[usize::from(cell)] {
            distances[usize::from(cell)] = rounds;
            queue.push((Reverse(rounds), cell));
        }
    }
    while let Some((Reverse(distance), cell)) = queue.pop() {
        if distance > distances[usize::from(cell)] {
            continue;
        }
        for &(from, rounds) in &back[usize::from(cell)] {
            let further = distance + rounds;
            if further < distances[usize::from(from)] {
                distances[usize::from(from)] = further;
                queue.push((Reverse(further), from));
            }
        }
    }
    distances
}

/// Where the runner is after taking a bonus in passing.
fn landing(map: &Map, bonus: u16) -> u16 {
    let mut state = State::alone(map, bonus);
    state.land(map);
    state.runner
}

fn all_tours(map: &Map, distances: &[Vec<u16>]) -> Vec<u16> {
    let bonuses = map.bonuses();
    let count = bonuses.len();
    let mut tours = vec![UNREACHABLE; (1 << count) * count];
    for set in 0..1usize << count {
        for (at, &cell) in bonuses.iter().enumerate().filter(|&(at, _)| set >> at & 1 == 0) {
            let cell = landing(map, cell);
            let next = (0..count).filter(|next| set >> next & 1 == 1);
            let shortest = next
                .map(|next| {
                    distances[next][usize::from(cell)]
                        .saturating_add(tours[(set & !(1 << next)) * count + next])
                })
                .min();
            tours[set * count + at] =
                shortest.unwrap_or(distances[count][usize::from(cell)]).min(UNREACHABLE);
        }
    }
    tours
}
