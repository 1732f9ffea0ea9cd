//! The game as front ends reach it.

use std::time::Duration;

use damier_core::agent::Budget;
use damier_core::game::{Outcome, Status};
use damier_kit::referee::{self, Finish, GameLimits};
use damier_kit::{AnyGame, GenerateRequest, Solvability, SolveOptions};
use damier_ricochet::Ricochet;
use damier_ricochet::missions::MISSIONS;

const GAME: Ricochet = Ricochet;

fn limits() -> SolveOptions {
    SolveOptions { time: Duration::from_mins(1), ..SolveOptions::default() }
}

#[test]
fn the_solvers_plan_wins_on_the_table_and_so_does_the_best_agent() {
    for (name, text) in &MISSIONS[..12] {
        let level = GAME.open(text, "standard").unwrap();
        let solution = level.solve(&limits(), &|_| {}).solution;
        assert!(solution.optimal(), "{name}");
        let mut table = level.table(1, 0);
        for action in &solution.plan {
            table.act(action).unwrap();
        }
        assert!(matches!(table.status(), Status::Over(over) if over.outcome(0) == Outcome::Win));
        let mut table = level.table(1, 0);
        let mut seats = vec![level.agent("best", 0, 1).unwrap()];
        let limits = GameLimits { turns: 50, budget: Budget::default() };
        let mut sentences = Vec::new();
        let mut watch = |decision: referee::Decision<'_>| sentences.push(decision.insight.text);
        let finish = referee::play(table.as_mut(), &mut seats, &limits, true, &mut watch);
        assert_eq!(finish.outcome(0), Outcome::Win);
        assert_eq!(table.turns() as usize, solution.plan.len());
        assert!(sentences[0].contains("proven shortest"), "{}", sentences[0]);
    }
}

#[test]
fn the_json_answer_has_the_fields_of_the_contract() {
    let level = GAME.open(MISSIONS[4].1, "standard").unwrap();
    let answer = level.solve(&limits(), &|_| {}).details;
    assert_eq!(answer["id"], "05");
    assert_eq!(answer["moves"], 4);
    assert_eq!(answer["solution"].as_array().unwrap().len(), 4);
    assert!(answer["positions"].as_u64().unwrap() > 0);
}

#[test]
fn an_unsolvable_mission_is_proven_so() {
    let walled = "+---+---+---+---+\n| R     | r     |\n+---+---+---+---+\n";
    let level = GAME.open(walled, "standard").unwrap();
    let solution = level.solve(&limits(), &|_| {}).solution;
    assert_eq!(solution.outcome, Solvability::Unsolvable);
    assert!(solution.notes[0].contains("proven"));
    assert_eq!(level.check(&limits(), &|_| {}).solvable, Solvability::Unsolvable);
}

#[test]
fn a_trace_replays_the_short_and_the_long_names() {
    let level = GAME.open("+---+---+---+\n| R       r |\n+---+---+---+\n", "standard").unwrap();
    let trace = |actions: &str| {
        let mut lines = Vec::new();
        level.trace(actions, 0, &mut |line| lines.push(line)).map(|()| lines)
    };
    let lines = trace("red east").unwrap();
    assert_eq!(lines[1]["robots"]["red"], serde_json::json!([2, 0]));
    assert_eq!(lines[1]["solved"], true);
    assert_eq!(trace("RE").unwrap(), lines);
    assert!(trace("red north").unwrap_err().to_string().contains("a wall is in the way"));
    assert!(trace("blue north").unwrap_err().to_string().contains("not on this board"));
    assert!(trace("red up").is_err());
    assert!(trace("RE,RW").unwrap_err().to_string().contains("the mission is over"));
}

#[test]
fn the_original_agent_finds_lone_ways_only() {
    let finish = |text: &str| {
        let level = GAME.open(text, "standard").unwrap();
        let mut table = level.table(1, 0);
        let mut seats = vec![level.agent("original", 0, 1).unwrap()];
        referee::play(
            table.as_mut(),
            &mut seats,
            &GameLimits { turns: 20, budget: Budget::default() },
            false,
            &mut |_| {},
        )
    };
    assert_eq!(finish(MISSIONS[1].1).outcome(0), Outcome::Win);
    assert_eq!(finish(MISSIONS[4].1), Finish::Limit, "this one needs a helper");
}

#[test]
fn generated_missions_have_the_length_asked_for() {
    for (difficulty, moves) in [(0.0, 2), (3.0, 6), (5.0, 9)] {
        let request =
            GenerateRequest { seed: 9, difficulty: Some(difficulty), size: None, rules: "standard" };
        let text = GAME.generate(&request).unwrap();
        assert_eq!(text, GAME.generate(&request).unwrap());
        assert_eq!(GAME.open(&text, "standard").unwrap().solve(&limits(), &|_| {}).solution.plan.len(), moves);
    }
    let odd = GenerateRequest { seed: 1, difficulty: None, size: Some((40, 3)), rules: "standard" };
    assert!(GAME.generate(&odd).is_err());
}

#[test]
fn the_check_says_how_hard_it_is() {
    let report = |index: usize| GAME.open(MISSIONS[index].1, "standard").unwrap().check(&limits(), &|_| {});
    let (easy, hard) = (report(0), report(15));
    assert_eq!((easy.par, hard.par), (Some(2), Some(10)));
    assert!(easy.difficulty < hard.difficulty);
    assert!(hard.notes.iter().any(|note| note.contains("different shortest solutions")));
}

#[test]
fn drawings_show_walls_once_and_overlays_mark_cells() {
    let table = GAME.open(MISSIONS[0].1, "standard").unwrap().table(0, 0);
    let scene = table.draw();
    assert_eq!(scene.tiles.len(), 256);
    assert_eq!(scene.pieces.len(), 4);
    let mut walls = scene.walls.clone();
    walls.sort_by_key(|&((x, y), dir)| (x, y, dir));
    walls.dedup();
    assert_eq!(walls.len(), scene.walls.len());
    assert!(!table.overlay("corridors").is_empty());
    assert!(!table.overlay("reach").is_empty());
    assert_eq!(table.draw_text("drawn").lines().count(), 33);
}

/// One number pins the behaviour of rules, generator and search: a change that moves it says so.
#[test]
fn the_signature_is_frozen() {
    assert_eq!(GAME.bench(0.0).signature, SIGNATURE);
}
const SIGNATURE: u64 = 14_126_490_423_091_586_535;
