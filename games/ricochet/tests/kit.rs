//! The game as front ends reach it.

use std::time::Duration;

use damier_core::agent::Budget;
use damier_core::game::{Outcome, Status};
use damier_kit::referee::{self, Finish, GameLimits};
use damier_kit::scene::{Colour, Sprite};
use damier_kit::{AnyGame, GenerateRequest, RoundCommand, RoundPhase, RoundSide, Solvability, SolveOptions};
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
        let solution = level.table(1, 0).solve(&limits(), &|_| {}).solution;
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
    let answer = level.table(1, 0).solve(&limits(), &|_| {}).details;
    assert_eq!(answer["id"], "05");
    assert_eq!(answer["moves"], 4);
    assert_eq!(answer["solution"].as_array().unwrap().len(), 4);
    assert!(answer["positions"].as_u64().unwrap() > 0);
}

#[test]
fn an_unsolvable_mission_is_proven_so() {
    let walled = "+---+---+---+---+\n| R     | r     |\n+---+---+---+---+\n";
    let level = GAME.open(walled, "standard").unwrap();
    let solution = level.table(1, 0).solve(&limits(), &|_| {}).solution;
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
        let request = GenerateRequest {
            seed: 9,
            difficulty: Some(difficulty),
            size: None,
            rules: "standard",
            ..GenerateRequest::default()
        };
        let text = GAME.generate(&request).unwrap();
        assert_eq!(text, GAME.generate(&request).unwrap());
        assert_eq!(
            GAME.open(&text, "standard").unwrap().table(1, 0).solve(&limits(), &|_| {}).solution.plan.len(),
            moves
        );
    }
    let odd = GenerateRequest {
        seed: 1,
        difficulty: None,
        size: Some((40, 3)),
        rules: "standard",
        ..GenerateRequest::default()
    };
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
    assert_eq!(table.draw_text("drawn", &[]).lines().count(), 33);
}

/// One number pins the behaviour of rules, generator and search: a change that moves it says so.
#[test]
fn the_signature_is_frozen() {
    assert_eq!(GAME.bench(0.0).signature, SIGNATURE);
}
const SIGNATURE: u64 = 14_126_490_423_091_586_535;

#[test]
fn an_unknown_rule_set_is_refused_with_the_list() {
    let error = GAME.open(MISSIONS[0].1, "chess").err().unwrap();
    assert_eq!(error.to_string(), "`chess` is not a rule set: standard, ricochet");
}

#[test]
fn rounds_obey_commands_and_tell_what_to_draw() {
    let kit = GAME.rounds().unwrap();
    assert_eq!(kit.strengths, ["beginner", "amateur", "expert", "perfect"]);
    let error = kit.strength(Some("godlike")).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the computer has no strength `godlike`; it has beginner, amateur, expert, perfect"
    );
    let mut rounds = (kit.begin)(3, kit.strength(Some("perfect")).unwrap(), Duration::ZERO);
    let view = rounds.view(Duration::ZERO);
    assert_eq!((view.round, view.rounds, view.phase), (1, 17, RoundPhase::Looking));
    assert_eq!(view.pieces, ["red", "green", "blue", "yellow"]);
    let is_target = |tile: &Sprite| tile.name.ends_with("target") && !tile.faint;
    let target = view.scene.tiles.iter().position(is_target).unwrap();
    assert_eq!(view.mission.target, ((target % 16) as u16, (target / 16) as u16));
    let mut moves = 0;
    while !rounds.view(Duration::ZERO).solved {
        rounds.command(&RoundCommand::Hint { length: false }, Duration::ZERO);
        let message = rounds.view(Duration::ZERO).message;
        let action = message.trim_start_matches("Hint: ").trim_end_matches('.').to_owned();
        rounds.command(&RoundCommand::Move { action }, Duration::ZERO);
        moves += 1;
    }
    rounds.command(&RoundCommand::Announce { moves: None }, Duration::ZERO);
    let view = rounds.view(Duration::from_secs(20));
    assert_eq!(
        (view.phase, view.clock_ms, view.announced.you),
        (RoundPhase::Clock, Some(40_000), Some(moves))
    );
    rounds.command(&RoundCommand::StopClock, Duration::from_secs(20));
    rounds.command(&RoundCommand::Show, Duration::from_secs(20));
    let view = rounds.view(Duration::from_secs(20));
    assert_eq!((view.phase, view.by, view.score.you), (RoundPhase::Won, Some(RoundSide::You), 1));
}

#[test]
fn a_board_of_panels_shows_its_targets_and_the_mission() {
    let scene = GAME.open(MISSIONS[0].1, "standard").unwrap().table(1, 0).draw();
    let look = |(x, y): (u16, u16)| {
        let tile = scene.tiles[scene.size.cell(x, y).index()];
        (tile.name, tile.colour, tile.faint)
    };
    let mission = (13, 1);
    let targets = [
        ((5, 3), "circle target", Colour::Red),
        ((3, 4), "triangle target", Colour::Blue),
        ((1, 6), "square target", Colour::Yellow),
        ((3, 1), "plus target", Colour::Green),
        ((9, 3), "plus target", Colour::Red),
        (mission, "square target", Colour::Blue),
        ((12, 6), "triangle target", Colour::Green),
        ((11, 2), "circle target", Colour::Yellow),
        ((9, 5), "spiral target", Colour::Purple),
        ((9, 13), "plus target", Colour::Yellow),
        ((14, 11), "triangle target", Colour::Red),
        ((10, 9), "circle target", Colour::Blue),
        ((12, 12), "square target", Colour::Green),
        ((4, 11), "circle target", Colour::Green),
        ((3, 14), "plus target", Colour::Blue),
        ((2, 10), "triangle target", Colour::Yellow),
        ((1, 13), "square target", Colour::Red),
    ];
    for (at, name, colour) in targets {
        assert_eq!(look(at), (name, colour, at != mission), "{at:?}");
    }
    assert_eq!(scene.tiles.iter().filter(|tile| tile.name.ends_with("target")).count(), targets.len());
    for at in [(7, 7), (8, 7), (7, 8), (8, 8)] {
        assert_eq!(look(at), ("square mission", Colour::Blue, false), "{at:?}");
    }
}

#[test]
fn every_shipped_mission_has_the_symbol_of_its_target() {
    for (name, text) in MISSIONS {
        let scene = GAME.open(text, "standard").unwrap().table(1, 0).draw();
        let bold = scene.tiles.iter().filter(|tile| tile.name.ends_with(" target") && !tile.faint);
        assert_eq!(bold.count(), 1, "{name}");
    }
}

#[test]
fn other_boards_show_their_own_target_only() {
    let scene = GAME
        .open("+---+---+\n| R     |\n+   +   +\n|     r |\n+---+---+\n", "standard")
        .unwrap()
        .table(1, 0)
        .draw();
    let names: Vec<&str> = scene.tiles.iter().map(|tile| tile.name).collect();
    assert_eq!(names, ["floor", "floor", "floor", "target"]);
}

#[test]
fn all_answers_come_with_reach_and_corridors() {
    let level = GAME.open(MISSIONS[4].1, "standard").unwrap();
    let answers = level.answers(&limits(), 3).unwrap();
    assert_eq!((answers.outcome, answers.moves), (Solvability::Solved, Some(4)));
    assert!(answers.solutions.len() <= 3 && answers.solutions.len() as u64 <= answers.count.unwrap());
    for plan in answers.solutions.iter().chain(&answers.simplest) {
        let mut table = level.table(1, 0);
        for action in plan {
            table.act(action).unwrap();
        }
        assert!(matches!(table.status(), Status::Over(over) if over.outcome(0) == Outcome::Win));
    }
    assert_eq!(answers.reach.keys().collect::<Vec<_>>(), ["blue", "green", "red", "yellow"]);
    assert!(!answers.corridors.is_empty());
}
