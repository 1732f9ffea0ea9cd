//! Solver and checker: a plan that wins with the game's chance known, or the proof that there is none.

mod archive;
pub(crate) mod beam;
pub(crate) mod bound;
pub mod classic;
mod escape;
mod shorten;
pub mod tours;
pub mod ways;

use std::sync::Arc;

use damier_core::agent::{Agent, Budget, Turn};
use damier_core::game::{Game, Outcome, Status};
use damier_core::insight::{Insight, Mark, Point, reason};
use damier_core::random::Rng;
use damier_kit::cancel::Deadline;
use damier_kit::time::start_clock;
use damier_kit::{Report, Solution, Solvability, SolveOptions};

use crate::action::Action;
use crate::agents::original::Original;
use crate::agents::planner::Planner;
use crate::classic::State;
use crate::classic::board::Board;
use crate::course;
use crate::course::map::Map;
use crate::course::tour::{Tour, UNREACHABLE};
use crate::rules::{self, Ground, Rules};
use classic::Found;
use ways::Ways;

/// No plan under `course` is longer, in rounds.
const MOST_ROUNDS: usize = 2_000;
/// Rounds that the planner looks at for each decision, the first time; each time around it looks at four times as many.
const FIRST_NODES: u64 = 20_000;
/// Games of the course's agent that rate a level.
const RATING_GAMES: u64 = 20;
/// The part of a checker's time that its solver may use; the rest is for rating the level.
const SOLVER_SHARE: f64 = 0.8;

/// Looks for a plan that wins.
pub fn solve(rules: &Arc<Rules>, limits: &SolveOptions, progress: &dyn Fn(&str)) -> Solution<Action> {
    solve_from(rules, &rules.start(), limits, progress)
}

/// As [`solve`], from any state.
pub(crate) fn solve_from(
    rules: &Arc<Rules>,
    start: &rules::State,
    limits: &SolveOptions,
    progress: &dyn Fn(&str),
) -> Solution<Action> {
    let deadline = limits.deadline();
    match (rules.ground(), start) {
        (Ground::Course(map), rules::State::Course(start)) => {
            solve_course(map, start, &limits.chance, &deadline, progress)
        }
        (Ground::Classic(board), rules::State::Classic(start)) => {
            solve_classic(board, start, &limits.chance, deadline)
        }
        _ => unreachable!("a state belongs to its rules"),
    }
}

fn unsolvable(note: &str) -> Solution<Action> {
    Solution { outcome: Solvability::Unsolvable, notes: vec![note.to_owned()], ..Solution::unknown(0) }
}

fn solved(plan: Vec<Action>, states: u64) -> Solution<Action> {
    Solution { outcome: Solvability::Solved, plan, ..Solution::unknown(states) }
}

/// Plays the game with our agent's planner, which looks at ever more rounds, and keeps the shortest win.
fn solve_course(
    map: &Map,
    start: &course::State,
    chance: &Rng,
    deadline: &Deadline,
    progress: &dyn Fn(&str),
) -> Solution<Action> {
    let alone = Tour::new(map).left(start.runner, start.bonuses);
    // Later on, the runner may stand in a hole, where no way begins.
    if alone >= UNREACHABLE && *start == course::State::new(map) {
        return unsolvable("a bonus or the exit is out of reach even without enemies");
    }
    let mut planner = Planner::new(map);
    let mut best: Option<Vec<Action>> = None;
    let mut states = 0;
    let mut nodes = FIRST_NODES;
    for _ in 0..4 {
        progress(&format!("{states} rounds looked at"));
        let played = play(map, start, &mut planner, chance, nodes, deadline, &mut states);
        if let Some(actions) = played
            && best.as_ref().is_none_or(|best| actions.len() < best.len())
        {
            best = Some(actions);
        }
        nodes *= 4;
        if deadline.passed() || best.as_ref().is_some_and(|best| best.len() <= usize::from(alone)) {
            break;
        }
    }
    best.map_or_else(|| Solution::unknown(states), |actions| solved(actions, states))
}

/// One game; its actions if it is won in time.
fn play(
    map: &Map,
    start: &course::State,
    planner: &mut Planner,
    chance: &Rng,
    nodes: u64,
    deadline: &Deadline,
    states: &mut u64,
) -> Option<Vec<Action>> {
    let mut chance = chance.clone();
    let mut state = *start;
    let mut actions = Vec::new();
    while state.ending.is_none() && actions.len() < MOST_ROUNDS && !deadline.passed() {
        let plan = planner.plan(map, &state, nodes, &|| deadline.passed());
        *states += plan.nodes;
        // What is planned without the return of an enemy is sure; everything else is looked at again.
        let sure = plan.actions.len().min(plan.sure).max(1);
        for &action in plan.actions.iter().take(sure) {
            state.round(map, action, &mut chance);
            actions.push(action);
        }
        if plan.actions.is_empty() {
            return None;
        }
    }
    (state.ending == Some(course::Ending::Won)).then_some(actions)
}

fn solve_classic(board: &Board, start: &State, chance: &Rng, deadline: Deadline) -> Solution<Action> {
    match search_classic(board, start, chance, deadline) {
        None => impossible(),
        Some((found, bound)) => classic_solution(found, bound),
    }
}

fn impossible() -> Solution<Action> {
    unsolvable("some gold, or the top, is out of reach, and no guard can bring the gold")
}

/// Searches, unless it is proven that the level cannot be won; what was found, and the ticks that every plan takes. Both proofs
/// are about the start of the level.
fn search_classic(
    board: &Board,
    start: &State,
    chance: &Rng,
    deadline: Deadline,
) -> Option<(Found, Option<u32>)> {
    let ways = Ways::new(board);
    let bound = if *start == State::new(board) { Some(bound::least_ticks(board, &ways)?) } else { None };
    let limits = classic::SearchLimits { nodes: u64::MAX, deadline: Some(deadline) };
    Some((classic::solve_short(board, &ways, start, chance, &limits), bound))
}

fn classic_solution(found: Found, lower_bound: Option<u32>) -> Solution<Action> {
    if found.wins {
        return Solution { lower_bound, ..solved(found.keys, found.nodes) };
    }
    let note = format!("{} beams left at least {} pieces of gold", found.beams, found.gold_left);
    Solution { lower_bound, notes: vec![note], ..Solution::unknown(found.nodes) }
}

/// Can it be won, and how hard is it?
pub fn check(rules: &Arc<Rules>, limits: &SolveOptions, progress: &dyn Fn(&str)) -> Report {
    let deadline = limits.deadline();
    let (solution, difficulty, note) = match rules.ground() {
        Ground::Course(map) => {
            let (start, deadline) = (course::State::new(map), deadline.earlier(SOLVER_SHARE));
            let solution = solve_course(map, &start, &limits.chance, &deadline, progress);
            let is_solved = solution.outcome == Solvability::Solved;
            let (difficulty, note) = if is_solved { rate_course(rules, &deadline) } else { (None, None) };
            (solution, difficulty, note)
        }
        Ground::Classic(board) => match search_classic(board, &State::new(board), &limits.chance, deadline) {
            None => (impossible(), None, None),
            Some((found, bound)) => {
                let difficulty = found.wins.then(|| classic_difficulty(&found));
                let note = bound.map(|bound| format!("every plan takes at least {bound} ticks"));
                (classic_solution(found, bound), difficulty, note)
            }
        },
    };
    let par = (solution.outcome == Solvability::Solved).then_some(solution.plan.len() as u32);
    let notes = solution.notes.into_iter().chain(note).collect();
    let unreachable = |at| Mark::new(at, reason::UNREACHABLE);
    let marks = out_of_reach(rules).into_iter().map(unreachable).collect();
    Report { solvable: solution.outcome, par, difficulty, notes, marks }
}

/// How often the course's agent loses, of ten, and a note about it.
fn rate_course(rules: &Arc<Rules>, deadline: &Deadline) -> (Option<f64>, Option<String>) {
    let wins: Vec<bool> = (0..RATING_GAMES).map_while(|seed| original_wins(rules, seed, deadline)).collect();
    let (won, games) = (wins.iter().filter(|&&won| won).count(), wins.len());
    let note = format!("the course's agent wins {won} of {games} games");
    ((games > 0).then(|| 10.0 * (1.0 - won as f64 / games as f64)), Some(note))
}

/// Every doubling of what was looked at before the first win is half a degree, every thousand ticks of the plan one.
fn classic_difficulty(found: &Found) -> f64 {
    let looked = 0.5 * (found.first.max(1) as f64 / 5_000.0).log2();
    (looked + found.keys.len() as f64 / 1_000.0).clamp(0.0, 10.0)
}

/// The bonuses and the exit, or the gold, that cannot be reached even without enemies.
fn out_of_reach(rules: &Rules) -> Vec<Point> {
    match rules.ground() {
        Ground::Course(map) => Tour::new(map).out_of_reach(map).map(|cell| map.point(cell)).collect(),
        Ground::Classic(board) => {
            let gold = Ways::new(board).out_of_reach(&State::new(board));
            gold.into_iter().map(|cell| (cell.x.into(), cell.y.into())).collect()
        }
    }
}

/// Does the course's agent win a game? `None` if the deadline passes meanwhile.
fn original_wins(rules: &Arc<Rules>, seed: u64, deadline: &Deadline) -> Option<bool> {
    let mut agent = Original::new(Arc::clone(rules))?;
    let mut chance = Rng::new(seed);
    let mut state = rules.start();
    let mut legal = Vec::new();
    for number in 1..1_000 {
        match rules.status(&state) {
            Status::Over(over) => return Some(over.outcome(0) == Outcome::Win),
            Status::ToMove(_) if deadline.passed() => return None,
            Status::ToMove(_) => {}
        }
        rules.legal(&state, &mut legal);
        let clock = start_clock(Budget::default());
        let turn =
            Turn { seat: 0, number, observation: &rules.observe(&state, 0), legal: &legal, clock: &clock };
        let action = agent.act(&turn, &mut Insight::unwanted());
        rules.apply(&mut state, action, &mut chance);
    }
    Some(false)
}
