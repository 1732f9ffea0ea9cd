//! All shortest solutions of a mission, with reachable cells, corridors and difficulty, for front ends.

use damier_core::game::Game;
use damier_kit::{Answers, Corridor, Solvability, SolveOptions};

use crate::difficulty;
use crate::reach;
use crate::rules::{Action, Rules};
use crate::solve::{SearchLimits, SearchOutcome, solve_all};

/// The memory limit of the search in bytes: a server runs several at a time.
const MEMORY: usize = 200 << 20;

/// Finds all shortest solutions and lists up to `most` of them.
pub fn answers(game: &Rules, options: &SolveOptions, most: usize) -> Answers<Action> {
    let state = game.start();
    let limits = SearchLimits { memory: MEMORY, ..SearchLimits::from(options) };
    let (answer, solutions) = solve_all(game, &state, &limits, most);
    let size = game.level().board().size();
    let reach = state.present().map(|robot| {
        let distances = size.cells().zip(reach::distances(game, &state, robot));
        let reached = distances.filter_map(|(cell, moves)| {
            let (x, y) = size.xy(cell);
            Some((x, y, moves?))
        });
        (robot.name().to_owned(), reached.collect())
    });
    let corridors = reach::corridors(game, &state).into_iter().map(|corridor| Corridor {
        dir: corridor.dir,
        cells: corridor.cells.iter().map(|&cell| size.xy(cell)).collect(),
        missing: corridor.missing.map(|cell| size.xy(cell)),
    });
    Answers {
        outcome: match answer.outcome {
            SearchOutcome::Solved => Solvability::Solved,
            SearchOutcome::Unsolvable => Solvability::Unsolvable,
            SearchOutcome::TooLong | SearchOutcome::OutOfTime | SearchOutcome::OutOfMemory => {
                Solvability::Unknown
            }
        },
        moves: answer.plan.as_ref().map(Vec::len),
        plan: answer.plan.clone(),
        lower_bound: answer.lower_bound,
        count: solutions.as_ref().map(|found| found.count),
        difficulty: solutions.as_ref().map(|found| difficulty::rating(&answer, found)),
        simplest: solutions.as_ref().map(|found| found.simplest.clone()),
        solutions: solutions.map(|found| found.listed).unwrap_or_default(),
        reach: reach.collect(),
        corridors: corridors.collect(),
        positions: answer.positions,
    }
}
