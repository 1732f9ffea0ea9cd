//! The solver and the planner: plans replay to wins, bounds hold, proofs are right.

use std::sync::Arc;
use std::time::Duration;

use damier_core::agent::{Agent, Budget, Turn};
use damier_core::game::{Game, Status};
use damier_core::grid::Dir;
use damier_core::insight::{Insight, reason};
use damier_core::random::{Chance, Rng, Smallest};
use damier_kit::time::start_clock;
use damier_kit::{GenerateRequest, Solution, Solvability, SolveOptions};
use damier_pacman::agents::planner::{self, Planner};
use damier_pacman::generate::generate;
use damier_pacman::level::Level;
use damier_pacman::rules::{Action, Ending, RuleSet, Rules, State};
use damier_pacman::solve::known::{OriginalGhosts, opening, replay, take_turn};
use damier_pacman::solve::{check, solve};

const ORIGINAL: &str = include_str!("../levels/original.txt");

fn rules(text: &str, set: RuleSet) -> Arc<Rules> {
    Arc::new(Rules::new(Level::parse(text).unwrap(), set))
}

fn limits(seconds: f64) -> SolveOptions {
    SolveOptions { time: Duration::from_secs_f64(seconds), ..SolveOptions::default() }
}

fn solve_within(rules: &Arc<Rules>, seconds: f64) -> Solution<Action> {
    solve(rules, &limits(seconds), &|_| {})
}

/// The state after the plan, played by the rules alone; under `report` against the original ghosts.
fn play(rules: &Rules, plan: &[Action]) -> State {
    let mut state = rules.start();
    let mut plan = plan.iter();
    loop {
        match rules.status(&state) {
            Status::Over(_) => return state,
            Status::ToMove(0) => {
                let Some(&action) = plan.next() else { return state };
                rules.play(&mut state, action, &mut Smallest).unwrap();
            }
            Status::ToMove(_) => {
                let ghost = state.figures.ghost_to_move.unwrap();
                let step = rules.original_step(&state.figures, ghost.into());
                rules.apply(&mut state, step.map_or(Action::Stay, Action::Go), &mut Smallest);
            }
        }
    }
}

#[test]
fn the_original_maze_is_eaten_in_the_fewest_turns_possible() {
    for set in [RuleSet::Course, RuleSet::Report] {
        let rules = rules(ORIGINAL, set);
        let solution = solve_within(&rules, 60.0);
        assert_eq!(solution.outcome, Solvability::Solved);
        assert_eq!((solution.plan.len(), solution.lower_bound), (212, Some(212)));
        assert!(solution.optimal());
        let last = play(&rules, &solution.plan);
        assert_eq!((last.figures.ending, last.figures.pellets_left), (Some(Ending::Won), 0));
        let has_204 = solution.notes.iter().any(|note| note.contains("204"));
        assert_eq!(has_204, set == RuleSet::Course, "pellets can be left under `course` alone");
    }
}

#[test]
fn generated_mazes_are_solved_and_no_plan_beats_its_bound() {
    for seed in 0..4 {
        let request = GenerateRequest {
            seed,
            difficulty: Some(3.0),
            size: Some((13, 13)),
            rules: "course",
            ..GenerateRequest::default()
        };
        let rules = rules(&generate(&request).unwrap(), RuleSet::Course);
        let solution = solve_within(&rules, 1.0);
        assert_eq!(solution.outcome, Solvability::Solved, "maze {seed}");
        assert_eq!(play(&rules, &solution.plan).figures.ending, Some(Ending::Won));
        assert!(solution.plan.len() as u32 >= solution.lower_bound.unwrap());
    }
}

#[test]
fn what_cannot_be_won_is_proven() {
    // The ghost goes to and fro in a corridor where nobody can pass it.
    let doomed = rules("#######\n#P  1.#\n#######\n", RuleSet::Report);
    let solution = solve_within(&doomed, 5.0);
    assert_eq!((solution.outcome, solution.plan.len()), (Solvability::Unsolvable, 0));
    let report = check(&doomed, &limits(5.0), &|_| {});
    assert_eq!((report.solvable, report.par, report.difficulty), (Solvability::Unsolvable, None, None));
}

#[test]
fn without_ghosts_the_plan_is_the_shortest_walk() {
    let solution = solve_within(&rules("######\n#.P..#\n#.##.#\n#....#\n######\n", RuleSet::Course), 5.0);
    assert_eq!((solution.plan.len(), solution.lower_bound), (9, Some(9)));
}

#[test]
fn time_is_kept_and_the_answer_honest() {
    let request = GenerateRequest {
        seed: 1,
        difficulty: None,
        size: Some((41, 41)),
        rules: "course",
        ..GenerateRequest::default()
    };
    let rules = rules(&generate(&request).unwrap(), RuleSet::Course);
    let started = std::time::Instant::now();
    let solution = solve_within(&rules, 0.05);
    assert!(started.elapsed() < Duration::from_secs(5));
    match solution.outcome {
        Solvability::Solved => assert_eq!(play(&rules, &solution.plan).figures.ending, Some(Ending::Won)),
        outcome => assert_eq!((outcome, solution.plan.len()), (Solvability::Unknown, 0)),
    }
}

#[test]
fn a_check_tells_what_the_maze_is_like() {
    let report = check(&rules(ORIGINAL, RuleSet::Course), &limits(40.0), &|_| {});
    assert_eq!((report.solvable, report.par), (Solvability::Solved, Some(212)));
    let difficulty = report.difficulty.unwrap();
    assert!((0.0..=10.0).contains(&difficulty), "{difficulty}");
    let text = report.notes.join("\n");
    assert!(
        text.contains("184 pellets") && text.contains("One tunnel") && text.contains("No dead ends"),
        "{text}"
    );
}

/// Plays a whole game as an agent, seeing observations alone.
fn play_planner(rules: &Arc<Rules>, start: &State, budget: Budget, insight: &mut Insight) -> State {
    let mut agent = Planner::new(Arc::clone(rules), Box::new(OriginalGhosts));
    let mut state = *start;
    let mut legal = Vec::new();
    while let Status::ToMove(seat) = rules.status(&state) {
        let observation = rules.observe(&state, seat);
        rules.legal(&state, &mut legal);
        let clock = start_clock(budget);
        let turn = Turn {
            seat,
            number: state.figures.turn,
            observation: &observation,
            legal: &legal,
            clock: &clock,
        };
        let action = agent.act(&turn, insight);
        assert!(legal.contains(&action));
        rules.apply(&mut state, action, &mut Smallest);
    }
    state
}

#[test]
fn the_planner_wins_from_the_start_every_time_in_the_same_way() {
    let rules = rules(ORIGINAL, RuleSet::Course);
    let play = || play_planner(&rules, &rules.start(), Budget::default(), &mut Insight::unwanted());
    let last = play();
    assert_eq!(last.figures.ending, Some(Ending::Won));
    assert!(last.figures.turn <= 220, "{} turns", last.figures.turn);
    assert_eq!(play(), last);
}

#[test]
fn the_planner_wins_with_a_small_budget() {
    let rules = rules(ORIGINAL, RuleSet::Course);
    let budget = Budget { time: None, nodes: Some(30_000) };
    let last = play_planner(&rules, &rules.start(), budget, &mut Insight::unwanted());
    assert_eq!(last.figures.ending, Some(Ending::Won));
}

#[test]
fn the_planner_wins_from_random_openings() {
    let rules = rules(ORIGINAL, RuleSet::Course);
    let mut won = 0;
    for seed in 0..8 {
        let mut rng = Rng::new(seed);
        let mut state = opening(&rules, &OriginalGhosts, &rules.start());
        for _ in 0..5 + rng.below(20) {
            let mut next = state;
            take_turn(&rules, &OriginalGhosts, &mut next, Dir::ALL[rng.below(4) as usize]);
            if next.figures.ending.is_none() {
                state = next;
            }
        }
        let clock = start_clock(Budget { time: None, nodes: Some(200_000) });
        let plan = planner::plan(&rules, &OriginalGhosts, &state, &clock);
        let steps: Vec<Dir> = plan.steps.into();
        let last = replay(&rules, &OriginalGhosts, &state, &steps).pop().unwrap();
        assert_eq!(plan.wins, last.figures.ending == Some(Ending::Won));
        won += u32::from(plan.wins || plan.lost);
    }
    assert_eq!(won, 8);
}

#[test]
fn the_planner_answers_in_time() {
    let rules = rules(ORIGINAL, RuleSet::Course);
    let state = rules.start();
    let clock = start_clock(Budget { time: Some(Duration::from_millis(40)), nodes: None });
    let plan = planner::plan(&rules, &OriginalGhosts, &state, &clock);
    assert!(!plan.steps.is_empty());
    // Ample room for a busy machine; without a limit the plan takes far longer in this profile.
    assert!(clock.elapsed() < Duration::from_millis(400), "{:?}", clock.elapsed());
}

#[test]
fn the_planner_moves_even_without_any_budget() {
    let rules = rules(ORIGINAL, RuleSet::Course);
    let mut agent = Planner::new(Arc::clone(&rules), Box::new(OriginalGhosts));
    for budget in [Budget { time: None, nodes: Some(0) }, Budget { time: Some(Duration::ZERO), nodes: None }]
    {
        let state = rules.start();
        let dir = agent.decide(&state, &start_clock(budget));
        let mut next = state;
        take_turn(&rules, &OriginalGhosts, &mut next, dir);
        assert_eq!(next.figures.ending, None);
    }
}

#[test]
fn the_planner_shows_what_it_foresees() {
    let rules = rules(ORIGINAL, RuleSet::Course);
    let mut agent = Planner::new(Arc::clone(&rules), Box::new(OriginalGhosts));
    let state = rules.start();
    let (observation, mut legal) = (rules.observe(&state, 0), Vec::new());
    rules.legal(&state, &mut legal);
    let clock = start_clock(Budget { time: None, nodes: Some(60_000) });
    let turn = Turn { seat: 0, number: 1, observation: &observation, legal: &legal, clock: &clock };
    let mut insight = Insight::default();
    let action = agent.act(&turn, &mut insight);
    let marked = |why: &str| insight.marks.iter().filter(|mark| mark.why == why).count();
    assert_eq!(marked(reason::PATH), 30);
    assert!(marked(reason::PREDICTED) >= 4 && marked(reason::DANGER) > 0);
    assert_eq!(insight.scores.len(), 4);
    assert_eq!(insight.scores[0].0, rules.action_name(action));
    assert!(insight.text.contains("184 pellets"), "{}", insight.text);

    // The path is where Pacman really goes.
    let mut next = state;
    rules.apply(&mut next, action, &mut Smallest);
    let first = insight.marks.iter().find(|mark| mark.why == reason::PATH).unwrap();
    assert_eq!(first.at, rules.maze().point(next.figures.pacman));
}
