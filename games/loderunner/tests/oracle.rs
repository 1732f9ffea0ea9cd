//! The engine of `classic` against its oracle: the complete state on every tick.

mod common;

use damier_core::random::{Chance, Rng};
use damier_loderunner::action::Action as Key;
use damier_loderunner::classic::board::{Base, Board, Now};
use damier_loderunner::classic::{Body, ByChance, Doing, Ending, State, Version};
use damier_loderunner::level::Level;
use damier_loderunner::recording::Recording;
use damier_loderunner::rules::{Ground, RuleSet, Rules};
use proptest::prelude::*;

use common::literal::{Action, Draws, Figure, HOLE_PHASES, Literal, RESPAWN_PHASES};

const FLOOR: &str = "############################";

fn rules(text: &str) -> Rules {
    Rules::new(Level::parse(text, RuleSet::Classic).unwrap())
}

fn board(rules: &Rules) -> &Board {
    let Ground::Classic(board) = rules.ground() else { unreachable!("these are classic levels") };
    board
}

fn figure(body: Body) -> Figure {
    let Body { cell, xo, yo } = body;
    Figure { x: cell.x.into(), y: cell.y.into(), xo: xo.into(), yo: yo.into() }
}

fn action(doing: Doing) -> Action {
    match doing {
        Doing::Moving => Action::Moving,
        Doing::Trapped => Action::Trapped,
        Doing::Climbing(hole) => Action::Climbing(hole.x.into(), hole.y.into()),
        Doing::Respawning => Action::Respawning,
        Doing::Away => Action::Away,
    }
}

fn base_character(base: Base) -> char {
    match base {
        Base::Empty => ' ',
        Base::Brick => '#',
        Base::Solid => '@',
        Base::Ladder => 'H',
        Base::Bar => '-',
        Base::Trap => 'X',
        Base::Hidden => 'S',
        Base::Gold => '$',
    }
}

fn now_character(now: Now) -> char {
    match now {
        Now::Empty => ' ',
        Now::Brick => '#',
        Now::Solid => '@',
        Now::Ladder => 'H',
        Now::Bar => '-',
        Now::Trap => 'X',
        Now::Guard => '0',
        Now::Runner => '&',
    }
}

/// Are the engine and the oracle in the same state, in every part?
fn assert_same(board: &Board, state: &State, oracle: &Literal, tick: usize) {
    assert_eq!(figure(state.runner), oracle.runner, "runner, tick {tick}");
    assert_eq!(state.runner_falls(), oracle.runner_falls, "runner falls, tick {tick}");
    let guards: Vec<_> = state
        .guards()
        .iter()
        .map(|guard| (figure(guard.body), action(guard.doing), i32::from(guard.carry)))
        .collect();
    let expected: Vec<_> = oracle.guards.iter().map(|guard| (guard.at, guard.action, guard.carry)).collect();
    assert_eq!(guards, expected, "guards, tick {tick}");
    let dig = state.dig.map(|dig| (dig.brick.x.into(), dig.brick.y.into(), dig.frame.into()));
    assert_eq!(dig, oracle.dig, "dig, tick {tick}");
    assert_eq!(state.turn(), (oracle.turn as u8, oracle.cycle as u8), "turn, tick {tick}");
    assert_eq!(i32::from(state.gold_left()), oracle.gold_left, "gold left, tick {tick}");
    let holes: Vec<_> =
        state.holes().map(|(cell, ticks)| ((cell.x.into(), cell.y.into()), ticks.into())).collect();
    let expected: Vec<_> = oracle.holes.iter().map(|it| (it.of, it.left(&HOLE_PHASES))).collect();
    assert_eq!(holes, expected, "holes, tick {tick}");
    let timers = |timers: Vec<(u8, u8)>| -> Vec<(usize, i32)> {
        timers.into_iter().map(|(id, ticks)| (id.into(), ticks.into())).collect()
    };
    let phases = oracle.trapped_phases();
    let expected: Vec<_> = oracle.trapped.iter().map(|it| (it.of, it.left(&phases))).collect();
    assert_eq!(timers(state.trapped().collect()), expected, "trapped, tick {tick}");
    let expected: Vec<_> = oracle.respawning.iter().map(|it| (it.of, it.left(&RESPAWN_PHASES))).collect();
    assert_eq!(timers(state.respawning().collect()), expected, "respawning, tick {tick}");
    for cell in board.extent().cells() {
        let layers = (base_character(state.base(board, cell)), now_character(state.now(board, cell)));
        let (x, y) = (cell.x.into(), cell.y.into());
        assert_eq!(layers, (oracle.base(x, y), oracle.now(x, y)), "{cell:?}, tick {tick}");
    }
    assert_eq!(state.ending == Some(Ending::Won), oracle.won(), "won, tick {tick}");
    let lost = state.ending.is_some_and(|ending| ending != Ending::Won);
    assert_eq!(lost, oracle.dead, "dead, tick {tick}");
}

const KEYS: &str = ".UDLRzx";

/// Plays random keys, each held for a while, on engine and oracle.
fn play_at_random(text: &str, version: Version, seed: u64, ticks: usize) {
    let rules = rules(text);
    let board = board(&rules);
    let mut state = State::new(board);
    let mut oracle = Literal::new(text, if version == Version::Three { 3 } else { 4 });
    let (mut keys, mut chance, mut same_chance) = (Rng::new(!seed), Rng::new(seed), Rng::new(seed));
    assert_same(board, &state, &oracle, 0);
    let (mut code, mut held) = (0, 0);
    for tick in 1..=ticks {
        if state.ending.is_some() {
            return;
        }
        if held == 0 {
            (code, held) = (keys.below(7) as usize, 1 + keys.below(20));
        }
        held -= 1;
        let none = || Vec::new().into_iter();
        let mut draws = Draws { carries: none(), cells: Vec::new().into_iter(), chance: &mut same_chance };
        let looked = state.tick(board, version, Key::ALL[code], &mut ByChance(&mut chance));
        assert_eq!(looked, oracle.tick(KEYS.as_bytes()[code].into(), &mut draws), "tick {tick}");
        assert_same(board, &state, &oracle, tick);
    }
}

/// A recording on engine and oracle; the oracle's states.
fn play_recording(text: &str, recording: &str) -> Vec<Literal> {
    let recording = Recording::parse(recording).unwrap();
    let rules = rules(text);
    let board = board(&rules);
    let mut states = Vec::new();
    recording.play(board, |_, state| states.push(*state)).unwrap();
    let cells: Vec<(i32, i32)> = match recording.born_pos.split_first() {
        Some((2, pairs)) => pairs.chunks(2).map(|pair| (pair[0].into(), pair[1].into())).collect(),
        Some((_, columns)) => columns.iter().map(|&x| (x.into(), 1)).collect(),
        None => Vec::new(),
    };
    let carries: Vec<i32> = recording.gold_drop.iter().map(|&carry| carry.into()).collect();
    let mut unused = Rng::new(0);
    let mut draws = Draws { carries: carries.into_iter(), cells: cells.into_iter(), chance: &mut unused };
    let mut oracle = Literal::new(text, recording.ai);
    let mut played = vec![oracle.clone()];
    let (mut key, mut next) = ('.', 0);
    for (tick, state) in states.iter().enumerate() {
        assert_same(board, state, &oracle, tick);
        if let Some((_, pressed)) = recording.keys.get(next).filter(|(at, _)| *at as usize == tick) {
            (key, next) = (pressed.chars().next().unwrap(), next + 1);
        }
        if oracle.tick(key, &mut draws) && "zx".contains(key) {
            key = '.';
        }
        played.push(oracle.clone());
    }
    played.pop();
    played
}

/// A level of single cells on rows that are empty otherwise, above a floor.
fn drawn(cells: &[(usize, usize, &str)]) -> String {
    let mut rows = vec![vec![' '; 28]; 15];
    for &(x, y, run) in cells {
        for (offset, character) in run.chars().enumerate() {
            rows[y][x + offset] = character;
        }
    }
    let mut text: String =
        rows.into_iter().map(|row| row.into_iter().chain(['\n']).collect::<String>()).collect();
    text.push_str(FLOOR);
    text
}

#[test]
fn a_standing_runner_is_touched_too() {
    for solid in ["", "@"] {
        let text = drawn(&[(0, 13, "$"), (5, 14, "0"), (10, 14, "&"), (11, 14, solid)]);
        let key = if solid.is_empty() { "." } else { "R" };
        let run = format!(r#"{{"ai":4,"ticks":60,"keys":[[0,"{key}"]]}}"#);
        let states = play_recording(&text, &run);
        assert_eq!(states.len(), 45);
        assert!(states[44].dead && !states[43].dead);
    }
}

#[test]
fn a_guard_above_the_brick_opens_it_early() {
    let text = drawn(&[(12, 10, "0"), (11, 14, "&"), (25, 14, "$")]);
    let states = play_recording(&text, r#"{"ai":4,"ticks":60,"keys":[[0,"."],[29,"x"]]}"#);
    for (tick, yo) in [(36, -14), (37, -5)] {
        assert_eq!(states[tick].guards[0].at, Figure { x: 12, y: 14, xo: 0, yo });
        assert_eq!((states[tick].now(12, 15), states[tick].base(12, 15)), (' ', '#'));
    }
    assert_eq!((states[38].dig, states[38].now(12, 15)), (None, '#'));
}

#[test]
fn choosing_to_stand_ends_climbing_and_a_respawn_takes_its_recorded_cell() {
    let text = drawn(&[
        (5, 11, "@"),
        (15, 11, "@"),
        (7, 11, "0"),
        (10, 11, "&"),
        (5, 12, "###########"),
        (25, 14, "$"),
    ]);
    for row in [1, 3] {
        let run =
            format!(r#"{{"ai":4,"ticks":210,"bornPos":[2,20,{row}],"keys":[[0,"z"],[13,"x"],[26,"R"]]}}"#);
        let states = play_recording(&text, &run);
        let guard = |tick: usize| states[tick].guards[0];
        let at = |tick: usize| (guard(tick).at.x, guard(tick).at.y, guard(tick).at.yo);
        assert_eq!((at(97), guard(97).action), ((9, 11, 17), Action::Climbing(9, 12)));
        assert_eq!(guard(99).action, Action::Moving);
        assert_eq!(at(101), (9, 12, -18));
        assert_eq!(guard(105).action, Action::Trapped);
        assert_ne!(guard(104).action, Action::Trapped);
        assert_eq!(guard(171).action, Action::Climbing(9, 12));
        assert_eq!(guard(179).action, Action::Moving);
        assert_eq!(guard(185).action, Action::Trapped);
        assert_eq!((at(198), guard(198).action), ((20, row, 0), Action::Respawning));
        assert_eq!(guard(206).action, Action::Moving);
        assert_eq!(guard(205).action, Action::Respawning);
    }
}

#[test]
fn a_level_without_gold_shows_its_ladders_at_once() {
    let text = "  S\n".repeat(14) + " &S\n" + FLOOR;
    let states = play_recording(&text, r#"{"ai":4,"ticks":200,"keys":[[0,"R"],[5,"U"]]}"#);
    assert_eq!(states[0].now(2, 5), 'H');
    assert!(states.last().unwrap().won());
}

#[test]
fn two_keys_for_one_tick_are_refused() {
    let error = Recording::parse(r#"{"ai":4,"ticks":9,"keys":[[3,"L"],[3,"R"]]}"#).unwrap_err();
    assert_eq!(error, "at tick 3: `R` does not come after the key of tick 3");
}

#[test]
fn guards_come_back_on_the_board_only() {
    let recording = Recording::parse(r#"{"ai":4,"ticks":9,"bornPos":[2,4,16],"keys":[]}"#).unwrap();
    let play = |text: &str| recording.play(board(&rules(text)), |_, _| {}).map(|_| ());
    let text = drawn(&[(3, 14, "&")]);
    assert_eq!(play(&text).unwrap_err(), "bornPos: (4, 16) is not on the board");
    assert_eq!(play(&format!("{text}\n{FLOOR}")), Ok(()));
}

/// Sizes of boards: of 1983, of other collections, around the ends of words, and the largest.
const SIZES: [(usize, usize); 6] = [(28, 16), (28, 20), (32, 22), (33, 16), (63, 31), (64, 32)];

/// Any level of a size: storeys, ladders and bars drawn at random, with everything in them.
fn any_level(size: (usize, usize)) -> impl Strategy<Value = String> {
    let (columns, rows) = size;
    let part = prop::sample::select("        ######HHH---@XS$$".chars().collect::<Vec<_>>());
    let parts = prop::collection::vec(part, columns * rows);
    let bodies = prop::collection::vec(0..columns * rows, 8);
    (parts, bodies, 1..8usize).prop_map(move |(mut parts, bodies, guards)| {
        for &cell in &bodies[1..=guards] {
            parts[cell] = '0';
        }
        parts[bodies[0]] = '&';
        let rows: Vec<String> = parts.chunks(columns).map(|row| row.iter().collect()).collect();
        rows.join("\n")
    })
}

fn level_of_any_size() -> impl Strategy<Value = String> {
    prop::sample::select(&SIZES[..]).prop_flat_map(any_level)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    #[test]
    fn random_games_agree_on_any_level(text in any_level(SIZES[0]), seed: u64, old: bool) {
        play_at_random(&text, if old { Version::Three } else { Version::Four }, seed, 600);
    }

    #[test]
    fn random_games_agree_on_boards_of_other_sizes(text in level_of_any_size(), seed: u64) {
        play_at_random(&text, Version::Four, seed, 400);
    }

    #[test]
    fn random_games_agree_on_shipped_levels(seed: u64, index in 0..4usize) {
        let levels = [
            include_str!("../levels/classic/three-guards.txt"),
            include_str!("../levels/classic/five-to-one.txt"),
            include_str!("../levels/classic/trapdoors.txt"),
            include_str!("../levels/classic/high-wire.txt"),
        ];
        play_at_random(levels[index], Version::Four, seed, 1_500);
    }
}
