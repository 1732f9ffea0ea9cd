//! The rules of `classic` tick by tick, recordings, the solver and our player.

use std::sync::Arc;
use std::time::Duration;

use damier_core::agent::Budget;
use damier_core::game::{GameOver, Outcome, Status, Verdict};
use damier_core::grid::Size;
use damier_core::insight::{Mark, reason};
use damier_core::random::{Rng, Smallest};
use damier_kit::AnyGame;
use damier_kit::referee::{self, GameLimits};
use damier_kit::time::start_clock;
use damier_kit::{GenerateRequest, Levels, Solvability, Solve, SolveOptions};
use damier_loderunner::LodeRunner;
use damier_loderunner::action::Action::{self, BombLeft, BombRight, Down, Left, None as Wait, Right, Up};
use damier_loderunner::classic::board::{Board, Cell};
use damier_loderunner::classic::{ByChance, Doing, Ending, State, Version};
use damier_loderunner::level::Level;
use damier_loderunner::recording::Recording;
use damier_loderunner::rules::{Ground, RuleSet, Rules};
use damier_loderunner::solve::solve;
use proptest::prelude::*;

static GAME: LodeRunner = LodeRunner;

const THREE_GUARDS: &str = include_str!("../levels/classic/three-guards.txt");

/// A level from its lowest rows; everything above is empty.
fn rules(rows: &[&str]) -> Arc<Rules> {
    let text = "\n".repeat(16 - rows.len()) + &rows.join("\n");
    Arc::new(Rules::new(Level::parse(&text, RuleSet::Classic).unwrap()))
}

fn board(rules: &Rules) -> &Board {
    match rules.ground() {
        Ground::Classic(board) => board,
        Ground::Course(_) => unreachable!("these are classic levels"),
    }
}

/// Holds each key for so many ticks.
fn after(rows: &[&str], keys: &[(Action, usize)]) -> State {
    let rules = rules(rows);
    let board = board(&rules);
    let mut state = State::new(board);
    for &(key, ticks) in keys {
        for _ in 0..ticks {
            state.tick(board, Version::Four, key, &mut ByChance(&mut Smallest));
        }
    }
    state
}

fn at(state: &State) -> (u8, u8, i8, i8) {
    let body = state.runner;
    (body.cell.x, body.cell.y, body.xo, body.yo)
}

const FLOOR: &str = "############################";

#[test]
fn a_cell_is_five_steps_wide() {
    let rows = ["  &", FLOOR];
    assert_eq!(at(&after(&rows, &[(Right, 2)])), (2, 14, 16, 0));
    assert_eq!(at(&after(&rows, &[(Right, 3)])), (3, 14, -16, 0));
    assert_eq!(at(&after(&rows, &[(Right, 5)])), (3, 14, 0, 0));
    assert_eq!(at(&after(&rows, &[(Left, 100)])), (0, 14, 0, 0), "the edge stops at the centre");
}

#[test]
fn ladders_are_climbed_nine_units_a_tick() {
    let rows = ["   H ", "  &H ", FLOOR];
    let state = after(&rows, &[(Right, 5), (Up, 3)]);
    assert_eq!(at(&state), (3, 13, 0, 17), "three steps of nine are beyond the edge at 22");
    // Two rows of ladder, then onto its top: the runner stands above it.
    let state = after(&rows, &[(Right, 5), (Up, 40)]);
    assert_eq!(at(&state), (3, 12, 0, 0));
}

#[test]
fn a_dig_takes_eleven_ticks_and_the_hole_fills_after_a_hundred_and_eighty_seven() {
    let rows = ["  &", FLOOR];
    let brick = Cell { x: 3, y: 15 };
    assert!(after(&rows, &[(BombRight, 1)]).dig.is_some_and(|dig| dig.brick == brick));
    let state = after(&rows, &[(BombRight, 1), (Wait, 10)]);
    assert!(!state.is_open(brick) && state.dig.is_some());
    let state = after(&rows, &[(BombRight, 1), (Wait, 11)]);
    assert!(state.is_open(brick) && state.dig.is_none());
    assert_eq!(state.holes().collect::<Vec<_>>(), [(brick, 186)]);
    assert!(after(&rows, &[(BombRight, 1), (Wait, 11 + 185)]).is_open(brick));
    assert!(!after(&rows, &[(BombRight, 1), (Wait, 11 + 186)]).is_open(brick));
}

#[test]
fn a_runner_in_a_hole_is_buried_when_it_fills() {
    let rows = ["  &", FLOOR];
    let state = after(&rows, &[(BombRight, 1), (Wait, 11), (Right, 30), (Wait, 200)]);
    assert_eq!(state.ending, Some(Ending::Buried));
}

#[test]
fn the_last_gold_shows_the_hidden_ladder_and_the_top_wins() {
    let mut rows = vec!["   S"; 14];
    rows.extend([" &$S", FLOOR]);
    let state = after(&rows, &[(Right, 6)]);
    assert_eq!((state.gold_left(), state.shows_hidden()), (0, true));
    let state = after(&rows, &[(Right, 10), (Up, 80)]);
    assert_eq!(state.ending, Some(Ending::Won));
}

#[test]
fn a_guard_walks_to_the_runner_falls_into_a_hole_and_climbs_out() {
    let rows = [" &        0", FLOOR];
    let caught = after(&rows, &[(Wait, 400)]);
    assert_eq!(caught.ending, Some(Ending::Caught));
    let trapped = after(&rows, &[(BombRight, 1), (Wait, 90)]);
    assert_eq!(trapped.guards()[0].doing, Doing::Trapped, "{trapped:?}");
    let out = after(&rows, &[(BombRight, 1), (Wait, 100), (Left, 40), (Wait, 60)]);
    assert_ne!(out.guards()[0].doing, Doing::Trapped);
}

#[test]
fn guards_take_gold_and_drop_it_when_their_count_is_down() {
    let rows =
        [" &              H", "                H$ 0", "################H####", "                H", FLOOR];
    let rules = rules(&rows);
    let board = board(&rules);
    let mut state = State::new(board);
    let mut carried = false;
    for _ in 0..400 {
        state.tick(board, Version::Four, Wait, &mut ByChance(&mut Smallest));
        carried |= state.guards()[0].carry == 12;
        assert_eq!(state.gold_left(), 1, "gold that a guard carries is not the runner's");
    }
    assert!(carried, "the smallest chance is twelve");
}

#[test]
fn a_recording_plays_its_keys_and_its_chance() {
    let text =
        r#"{"level":0,"ai":4,"ticks":60,"goldDrop":[],"bornPos":[],"keys":[[0,"R"],[10,"x"],[40,"L"]]}"#;
    let recording = Recording::parse(text).unwrap();
    let rules = rules(&["  &", FLOOR]);
    let mut cells = Vec::new();
    let end = recording.play(board(&rules), |tick, state| {
        if [0, 10, 22, 60].contains(&tick) {
            cells.push((tick, state.runner.cell.x, state.holes().count()));
        }
    });
    assert_eq!(cells, [(0, 2, 0), (10, 4, 0), (22, 4, 1), (60, 0, 1)]);
    assert_eq!(end.unwrap().ending, None);
    let error = Recording::parse(r#"{"ai":4,"ticks":1,"keys":[[3,"Q"]]}"#).unwrap_err();
    assert_eq!(error, "at tick 3: `Q` is not a key: L R U D, z and x dig, . stops");
    assert!(Recording::parse(r#"{"ai":2,"ticks":1,"keys":[]}"#).is_err());
}

#[test]
fn the_trace_of_a_recording_has_every_tick() {
    let level = GAME.open(THREE_GUARDS, "classic").unwrap();
    let text = r#"{"ai":4,"ticks":20,"keys":[[0,"R"]]}"#;
    let mut states = Vec::new();
    level.trace_recording(text, &mut |state| states.push(state)).unwrap();
    assert_eq!(states.len(), 21);
    assert_eq!(states[20]["tick"], 20);
    assert!(level.trace_recording("{}", &mut |_| {}).is_err());
}

fn limits(seconds: u64, chance: Rng) -> SolveOptions {
    SolveOptions { time: Duration::from_secs(seconds), chance, ..SolveOptions::default() }
}

#[test]
fn the_solver_wins_on_the_table_and_our_player_without_knowing_the_chance() {
    let level = GAME.open(THREE_GUARDS, "classic").unwrap();
    let solution = level.table(1, 0).solve(&limits(60, Rng::new(1)), &|_| {}).solution;
    assert_eq!(solution.outcome, Solvability::Solved);
    let mut table = level.table(1, 0);
    solution.plan.iter().for_each(|key| table.act(key).unwrap());
    assert_eq!(table.status(), level_won());
    let mut seats = [level.agent("best", 0, 5).unwrap()];
    let limits = GameLimits { turns: 8_000, budget: Budget { time: None, nodes: Some(300_000) } };
    let finish = referee::play(level.table(5, 0).as_mut(), &mut seats, &limits, true, &mut |_| {});
    assert_eq!(finish.outcome(0), Outcome::Win);
}

fn level_won() -> Status {
    Status::Over(GameOver { verdict: Verdict::Won(0), reason: "top reached with all gold" })
}

#[test]
fn gold_behind_solid_walls_is_proven_out_of_reach() {
    let under_a_way_out = |rows: [&'static str; 3]| [vec!["S"; 13], rows.to_vec()].concat();
    let open = rules(&under_a_way_out(["S     ", "S &$  ", FLOOR]));
    assert_eq!(solve(&open, &limits(5, Rng::new(1)), &|_| {}).outcome, Solvability::Solved);
    let rules = rules(&under_a_way_out(["S  @@@", "S &@$@", FLOOR]));
    let solution = solve(&rules, &limits(5, Rng::new(1)), &|_| {});
    assert_eq!(solution.outcome, Solvability::Unsolvable);
    let report = LodeRunner::check(&rules, &limits(5, Rng::new(1)), &|_| {});
    assert_eq!(report.marks, [Mark::new((4, 14), reason::UNREACHABLE)]);
    // No guard gets there either.
    let guarded = self::rules(&under_a_way_out(["S  @@@  0", "S &@$@   ", FLOOR]));
    let solution = solve(&guarded, &limits(1, Rng::new(1)), &|_| {});
    assert_eq!(solution.outcome, Solvability::Unsolvable);
    // Here one stands beside it and brings it, so there is no proof.
    let brought = self::rules(&under_a_way_out(["S     $0", "S &   @@", FLOOR]));
    let solution = solve(&brought, &limits(1, Rng::new(1)), &|_| {});
    assert_ne!(solution.outcome, Solvability::Unsolvable);
}

#[test]
fn levels_are_read_and_written_in_other_alphabets() {
    let rules = <LodeRunner as Levels>::open(THREE_GUARDS, "classic").unwrap();
    let foreign = LodeRunner::print(&rules, "kgoldrunner").unwrap();
    assert!(foreign.contains('M') && !foreign.contains('#'));
    let again = <LodeRunner as Levels>::open(&foreign, "classic").unwrap();
    assert_eq!(LodeRunner::print(&again, "kgoldrunner").unwrap(), foreign);
    assert!(
        LodeRunner::print(&rules, "vglc").unwrap_err().message.contains("no traps and no hidden ladders")
    );
    let error = |text: &str| GAME.open(text, "classic").err().unwrap().to_string();
    assert!(error("WWWW\nWRXW\nWWWW").contains("course maps need --rules course"));
    let long = THREE_GUARDS.replace("######H#############S#####H#", "######H#############S#####H#?");
    assert_eq!(
        error(&long),
        "line 4, column 29: `?` is not a part of a classic level: space # @ H - X S $ 0 &"
    );
}

#[test]
fn generated_levels_are_certified_and_repeatable() {
    for rules in ["course", "classic"] {
        let request = GenerateRequest {
            seed: 11,
            difficulty: Some(3.0),
            size: None,
            rules,
            ..GenerateRequest::default()
        };
        let text = GAME.generate(&request).unwrap();
        assert_eq!(GAME.generate(&request).unwrap(), text);
        assert!(<LodeRunner as Levels>::open(&text, rules).is_ok());
    }
    let sized = |size| GenerateRequest {
        seed: 1,
        difficulty: Some(1.0),
        size: Some(size),
        rules: "classic",
        ..GenerateRequest::default()
    };
    let text = GAME.generate(&sized((40, 20))).unwrap();
    assert_eq!(<LodeRunner as Levels>::open(&text, "classic").unwrap().size(), Size::new(40, 20));
    let error = GAME.generate(&sized((40, 40))).unwrap_err();
    assert_eq!(error, "a map has 28 to 64 columns and 16 to 32 rows");
}

#[test]
fn levels_are_as_large_as_they_are_drawn() {
    let open = |text: &str| <LodeRunner as Levels>::open(text, "classic");
    let drawn = |columns: usize, rows: usize, alphabet: [&str; 3]| {
        let [nothing, brick, runner] = alphabet;
        let row = nothing.repeat(columns);
        let mut rows = vec![row.clone(); rows];
        *rows.last_mut().unwrap() = brick.repeat(columns);
        let above = rows.len() - 2;
        rows[above].replace_range(..1, runner);
        rows.join("\n") + "\n"
    };
    let alphabets =
        [("damier", [" ", "#", "&"]), ("kgoldrunner", [" ", "M", "R"]), ("vglc", [".", "b", "M"])];
    for (format, alphabet) in alphabets {
        for (columns, rows) in [(28, 16), (28, 20), (32, 22), (64, 32)] {
            let text = drawn(columns, rows, alphabet);
            let rules = open(&text).unwrap();
            assert_eq!(rules.size(), Size::new(columns as u16, rows as u16), "{format}");
            assert_eq!(LodeRunner::print(&rules, format).unwrap(), text);
        }
    }
    let floor = "#".repeat(28);
    let short = "&\n".to_owned() + &"\n".repeat(14) + &floor;
    assert_eq!(open(&format!("\n{short}\n\n")).unwrap().size(), Size::new(28, 16));
    assert_eq!(open(&format!("{short}\n{floor}\n\n")).unwrap().size(), Size::new(28, 17));
    let error = |text: &str| open(text).err().unwrap().to_string();
    let damier = alphabets[0].1;
    assert_eq!(error(&drawn(28, 15, damier)), "a classic level has 16 to 32 rows, this one has 15");
    assert_eq!(error(&drawn(28, 33, damier)), "a classic level has 16 to 32 rows, this one has 33");
    assert_eq!(error(&drawn(65, 16, damier)), "line 1, column 65: this row is longer than 64 cells");
}

#[test]
fn a_large_level_is_solved_and_played() {
    // The runner starts at the left and the gold and the way out are at the far right, below and above.
    let mut rows = vec![" ".repeat(63) + "S"; 32];
    rows[31] = "#".repeat(64);
    rows[30] = "&".to_owned() + &" ".repeat(59) + "$  S";
    let rules = Arc::new(Rules::new(Level::parse(&rows.join("\n"), RuleSet::Classic).unwrap()));
    let solution = solve(&rules, &limits(5, Rng::new(1)), &|_| {});
    assert_eq!(solution.outcome, Solvability::Solved);
    assert!(solution.plan.len() >= 450, "{} ticks", solution.plan.len());
}

#[test]
fn a_review_of_standing_still_says_when_it_was_too_late() {
    let level = GAME.open(THREE_GUARDS, "classic").unwrap();
    let mut table = level.table(1, 0);
    let mut actions = Vec::new();
    while matches!(table.status(), Status::ToMove(_)) && actions.len() < 2_000 {
        table.act("none").unwrap();
        actions.push("none".to_owned());
    }
    let clock = start_clock(Budget { time: Some(Duration::from_secs(20)), nodes: None });
    let review = level.review(1, &actions, &clock, &|_| {}).unwrap().unwrap();
    assert!(review.text.starts_with("caught by a guard: decision "), "{review:?}");
    let life = review.remarks.iter().find(|remark| remark.kind == "life lost").unwrap();
    assert!(life.number < actions.len() && life.instead != ["none"], "{review:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Gold is never made, offsets stay within a cell, and no input panics.
    #[test]
    fn random_keys_keep_the_laws(seed: u64) {
        let rules = Rules::new(Level::parse(THREE_GUARDS, RuleSet::Classic).unwrap());
        let board = board(&rules);
        let mut rng = Rng::new(seed);
        let mut state = State::new(board);
        let keys = [Wait, Up, Down, Left, Right, BombLeft, BombRight];
        for turn in 0..3_000 {
            if state.ending.is_some() {
                break;
            }
            let before = state.gold_left();
            let key = keys[(damier_core::random::mix(seed ^ (turn / 9)) % 7) as usize];
            state.tick(board, Version::Four, key, &mut ByChance(&mut rng));
            prop_assert!(state.gold_left() <= before);
            for body in state.guards().iter().map(|guard| guard.body).chain([state.runner]) {
                prop_assert!((-20..=20).contains(&body.xo) && (-22..=22).contains(&body.yo));
            }
        }
    }
}
