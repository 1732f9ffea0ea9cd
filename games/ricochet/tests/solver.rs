//! The solver against proven figures and against an exhaustive search.

mod oracle;

use std::time::{Duration, Instant};

use damier_core::game::Game;
use damier_core::grid::Size;
use damier_core::random::{Chance, Rng};
use damier_ricochet::board::{Board, Diagonal, Slope};
use damier_ricochet::generate::{MissionRequest, random_mission};
use damier_ricochet::level::Level;
use damier_ricochet::robot::Robot;
use damier_ricochet::rules::{Action, Rules, State};
use damier_ricochet::solve::{SearchLimits, SearchOutcome, solve, solve_all};
use oracle::Found;

/// Plays a plan by the rules; does it end the mission, and not before its last move?
fn wins(game: &Rules, plan: &[Action]) -> bool {
    let mut state = game.start();
    for &action in plan {
        if game.is_solved(&state) || game.check(&state, action).is_err() {
            return false;
        }
        game.make_move(&mut state, action);
    }
    game.is_solved(&state)
}

#[test]
fn proven_positions_are_solved_in_their_minimum() {
    for line in include_str!("fixtures/positions.jsonl").lines() {
        let expected = serde_json::from_str::<serde_json::Value>(line).unwrap()["optimal"].as_u64().unwrap();
        let game = Rules::new(Level::parse(line).unwrap());
        let answer = solve(&game, &game.start(), &SearchLimits::default(), &mut |_| {});
        let plan = answer.plan.unwrap();
        assert_eq!(
            (answer.outcome, plan.len() as u64),
            (SearchOutcome::Solved, expected),
            "{:?}",
            game.level().id()
        );
        assert!(wins(&game, &plan));
    }
}

/// A random mission on a small board, with any of the options.
fn small_mission(rng: &mut Rng) -> Level {
    let sides = [4, 5, 6, 7, 8, 10, 16, 17];
    let side = |rng: &mut Rng| *rng.choose(&sides).unwrap();
    let size = Size::new(side(rng), side(rng));
    let robots = 1 + rng.below(if size.area() < 100 { 5 } else { 3 }) as usize;
    let must_ricochet = rng.below(4) == 0;
    let level =
        random_mission(rng, &MissionRequest { size, robots, must_ricochet, ..MissionRequest::default() });
    if rng.below(3) > 0 {
        return level;
    }
    let board = with_diagonals(rng, level.board());
    Level::new(board, level.robots().collect(), level.target(), level.target_robot())
        .unwrap()
        .with_must_ricochet(level.must_ricochet())
}

fn with_diagonals(rng: &mut Rng, board: &Board) -> Board {
    let mut board = board.clone();
    for _ in 0..=rng.below(5) {
        let cell = damier_core::grid::Cell(rng.below(board.size().area() as u32) as u16);
        let slope = if rng.below(2) == 0 { Slope::Rising } else { Slope::Falling };
        let colour = Robot::ALL.get(rng.below(7) as usize).copied();
        board.put_diagonal(cell, Diagonal { slope, colour });
    }
    board
}

#[test]
fn an_exhaustive_search_agrees() {
    let mut rng = Rng::new(7);
    let (mut solved, mut unsolvable) = (0, 0);
    while solved < 500 {
        let level = small_mission(&mut rng);
        let found = oracle::search(&level, 8, 30_000);
        let game = Rules::new(level.clone());
        let limits = SearchLimits { moves: Some(8), ..SearchLimits::default() };
        let (answer, solutions) = solve_all(&game, &game.start(), &limits, 20);
        match found {
            Found::Solved(moves, ways) => {
                solved += 1;
                let solutions = solutions.unwrap_or_else(|| panic!("{moves} moves: {level:?}"));
                assert_eq!((answer.lower_bound, solutions.count), (moves, ways), "{level:?}");
                assert_eq!(solutions.listed.len() as u64, ways.min(20));
                for plan in solutions.listed.iter().chain([&solutions.simplest]).chain(&answer.plan) {
                    assert!(plan.len() == moves as usize && wins(&game, plan), "{plan:?} {level:?}");
                }
            }
            Found::Unsolvable => {
                unsolvable += 1;
                assert!(answer.plan.is_none(), "{level:?}");
                let whole = solve(&game, &game.start(), &SearchLimits::default(), &mut |_| {});
                assert_eq!(whole.outcome, SearchOutcome::Unsolvable, "{level:?}");
            }
            Found::TooMuch => {}
        }
    }
    assert!(unsolvable > 0, "unsolvable missions were among them");
}

/// The same answer whatever the number of threads.
#[test]
fn two_threads_find_the_same() {
    let line = include_str!("fixtures/positions.jsonl").lines().last().unwrap();
    let game = Rules::new(Level::parse(line).unwrap());
    let with = |threads| {
        solve(&game, &game.start(), &SearchLimits { threads, ..SearchLimits::default() }, &mut |_| {})
    };
    let (one, two) = (with(1), with(2));
    assert_eq!((one.outcome, one.plan, one.positions), (two.outcome, two.plan, two.positions));
}

#[test]
fn a_search_that_is_stopped_says_what_it_knows() {
    let line = include_str!("fixtures/positions.jsonl").lines().last().unwrap();
    let game = Rules::new(Level::parse(line).unwrap());
    let whole = solve(&game, &game.start(), &SearchLimits::default(), &mut |_| {});
    let limits = SearchLimits { positions: Some(2_000), ..SearchLimits::default() };
    let stopped = solve(&game, &game.start(), &limits, &mut |_| {});
    assert_eq!(stopped.outcome, SearchOutcome::OutOfTime);
    assert!(stopped.lower_bound <= whole.lower_bound);
    let plan = stopped.plan.expect("some solution is found in a hurry");
    assert!(plan.len() as u32 >= whole.lower_bound && wins(&game, &plan));
    let limits = SearchLimits { memory: 100_000, ..SearchLimits::default() };
    assert_eq!(solve(&game, &game.start(), &limits, &mut |_| {}).outcome, SearchOutcome::OutOfMemory);
}

/// From any state of a shortest solution the rest is a shortest solution.
#[test]
fn what_if_from_the_middle() {
    let line = include_str!("fixtures/positions.jsonl").lines().next().unwrap();
    let game = Rules::new(Level::parse(line).unwrap());
    let mut state: State = game.start();
    let plan = solve(&game, &state, &SearchLimits::default(), &mut |_| {}).plan.unwrap();
    for (made, &action) in plan.iter().enumerate() {
        let rest = solve(&game, &state, &SearchLimits::default(), &mut |_| {}).lower_bound as usize;
        assert_eq!(rest, plan.len() - made);
        game.make_move(&mut state, action);
    }
}

/// A board of 32 by 32 without inner walls, its target in the middle: it keeps the solver busy for long.
fn open_field() -> Rules {
    Rules::new(Level::parse(include_str!("fixtures/open-field.json")).unwrap())
}

/// Asserts that a search stops in time in one of six runs: a busy machine may delay a thread by more.
fn assert_prompt(what: &str, run: impl FnMut() -> Duration) {
    let late = std::iter::repeat_with(run).take(6).find(|late| *late <= Duration::from_millis(50));
    assert!(late.is_some(), "{what}: too late six times");
}

#[test]
fn two_threads_and_lists_of_solutions_obey_the_deadline() {
    let game = open_field();
    let time = Duration::from_secs(1);
    let limits = SearchLimits { time: Some(time), threads: 2, ..SearchLimits::default() };
    assert_prompt("solve", || {
        let started = Instant::now();
        let answer = solve(&game, &game.start(), &limits, &mut |_| {});
        assert_eq!(answer.outcome, SearchOutcome::OutOfTime);
        started.elapsed().saturating_sub(time)
    });
    assert_prompt("solve all", || {
        let started = Instant::now();
        let (answer, solutions) = solve_all(&game, &game.start(), &limits, 100);
        assert_eq!((answer.outcome, solutions), (SearchOutcome::OutOfTime, None));
        started.elapsed().saturating_sub(time)
    });
}

/// The many shortest solutions of a large board take longer to count than to find.
#[test]
fn counting_solutions_obeys_the_deadline() {
    let mut rng = Rng::new(11);
    let request = MissionRequest { size: Size::new(24, 24), robots: 5, ..MissionRequest::default() };
    for ms in [5, 20, 60] {
        for _ in 0..10 {
            let game = Rules::new(random_mission(&mut rng, &request));
            let time = Duration::from_millis(ms);
            let limits = SearchLimits { time: Some(time), ..SearchLimits::default() };
            assert_prompt("count", || {
                let started = Instant::now();
                solve_all(&game, &game.start(), &limits, 500);
                started.elapsed().saturating_sub(time)
            });
        }
    }
}
