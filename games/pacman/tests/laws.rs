//! Laws that hold on every maze: parsing, hashing, observing, the ghosts, replays.

mod common;
#[path = "common/literal.rs"]
mod literal;

use common::{original, random_maze, random_rules};
use damier_core::game::{Game, Status};
use damier_core::grid::Dir;
use damier_core::insight::Insight;
use damier_core::random::{Chance, Rng, Smallest};
use damier_kit::AnyGame;
use damier_kit::referee::Finish;
use damier_kit::replay::{Move, Replay, ReplayError, Start, hash_text};
use damier_pacman::Pacman;
use damier_pacman::agents::teams::Team;
use damier_pacman::level::Level;
use damier_pacman::observe::Observation;
use damier_pacman::rules::{Action, Ending, RuleSet, Rules, State};
use damier_pacman::solve::known::KnownGhosts;
use literal::Literal;
use proptest::prelude::*;

/// Plays random actions and shows every state before an action.
fn play(rules: &Rules, seed: u64, actions: usize, mut see: impl FnMut(&State)) -> State {
    let mut rng = Rng::new(seed);
    let mut state = rules.start();
    let mut legal = Vec::new();
    for _ in 0..actions {
        see(&state);
        rules.legal(&state, &mut legal);
        let Some(&action) = rng.choose(&legal) else { break };
        rules.apply(&mut state, action, &mut Smallest);
    }
    state
}

/// Are the engine and the oracle in the same state?
fn assert_same(rules: &Rules, state: &State, oracle: &Literal, text: &str) {
    let maze = rules.maze();
    let at = |spot| {
        let (x, y) = maze.point(spot);
        (i32::from(x), i32::from(y))
    };
    let figures = &state.figures;
    let ghosts: Vec<_> = figures.ghosts[..maze.ghosts().len()]
        .iter()
        .map(|ghost| (at(ghost.spot), ghost.dir.index()))
        .collect();
    assert_eq!(ghosts, oracle.ghosts, "\n{text}");
    assert_eq!((at(figures.pacman), figures.dir.index()), (oracle.pacman, oracle.dir), "\n{text}");
    assert_eq!((figures.clock, figures.score), (oracle.clock, oracle.score), "\n{text}");
    let ended = figures.ending.map(|ending| format!("{ending:?}").to_lowercase());
    assert_eq!(ended.as_deref(), oracle.ended, "\n{text}");
    for (index, &pellet) in oracle.pellet.iter().enumerate() {
        let point = (index as u16 % oracle.width as u16, index as u16 / oracle.width as u16);
        assert_eq!(
            maze.spot_at(point).is_some_and(|spot| state.has_pellet(spot)),
            pellet,
            "{point:?}\n{text}"
        );
    }
}

/// Plays random keys on both.
fn compare_with_oracle(text: &str, seed: u64, keys: usize) {
    let Ok(level) = Level::parse(text) else { return };
    // Blank rows around a drawing are no part of it.
    let text = &level.print("damier").unwrap();
    let rules = Rules::new(level, RuleSet::Course);
    let (mut state, mut oracle, mut rng) = (rules.set_up(), Literal::new(text), Rng::new(seed));
    for _ in 0..keys {
        rules.begin_turn(&mut state.figures);
        rules.original_ghost_phase(&mut state.figures);
        oracle.ghost_phase();
        assert_same(&rules, &state, &oracle, text);
        if oracle.ended.is_some() {
            return;
        }
        let key = b"zdsqzdsqzdsqzdsqzdsqx"[rng.below(21) as usize] as char;
        rules.pacman_phase(&mut state.figures, &mut state.pellets, Action::of_key(key));
        oracle.pacman_phase(key);
        assert_same(&rules, &state, &oracle, text);
        if oracle.ended.is_some() {
            return;
        }
    }
}

/// Puts the figures anywhere, as no game may have brought them, and compares one ghost phase.
fn compare_anywhere(text: &str, seed: u64) {
    let Ok(level) = Level::parse(text) else { return };
    // Blank rows around a drawing are no part of it.
    let text = &level.print("damier").unwrap();
    let rules = Rules::new(level, RuleSet::Course);
    let mut rng = Rng::new(seed);
    let mut oracle = Literal::new(text);
    let mut floor: Vec<usize> = (0..oracle.wall.len()).filter(|&cell| !oracle.wall[cell]).collect();
    rng.shuffle(&mut floor);
    let at = |cell: usize| (cell as i32 % oracle.width, cell as i32 / oracle.width);
    let cells: Vec<_> = floor.iter().map(|&cell| at(cell)).collect();
    oracle.pacman = cells[rng.below(cells.len() as u32) as usize];
    oracle.clock = (rng.below(2) == 0).then_some(30);
    for (ghost, &cell) in oracle.ghosts.iter_mut().zip(&cells) {
        *ghost = (cell, rng.below(4) as usize);
    }
    let mut seen = rules.observe(&rules.set_up(), 0);
    let point = |(x, y): literal::At| (x as u16, y as u16);
    seen.pacman = point(oracle.pacman);
    seen.clock = oracle.clock;
    for (ghost, &(cell, dir)) in seen.ghosts.iter_mut().zip(&oracle.ghosts) {
        (ghost.at, ghost.dir) = (point(cell), Dir::from_index(dir as u8));
    }
    let mut state = seen.state(rules.maze()).unwrap();
    rules.original_ghost_phase(&mut state.figures);
    oracle.ghost_phase();
    assert_same(&rules, &state, &oracle, text);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn parsing_never_panics(text in "[#%.oPG0-5 ;:x\n]{0,80}") {
        let _ = Level::parse(&text);
    }

    #[test]
    fn printing_and_parsing_give_the_same_level(seed: u64) {
        if let Ok(level) = Level::parse(&random_maze(seed)) {
            for format in ["damier", "berkeley"] {
                let text = level.print(format).unwrap();
                let again = Level::parse(&text).unwrap();
                if text.contains(['#', '%']) || format == "damier" {
                    prop_assert_eq!(&again, &level, "{}", text);
                }
            }
        }
    }

    #[test]
    fn the_engine_is_the_rules_to_the_letter(seed: u64) {
        compare_with_oracle(&random_maze(seed), seed, 60);
    }

    #[test]
    fn the_engine_is_the_rules_from_anywhere(seed: u64) {
        for round in 0..10 {
            compare_anywhere(&random_maze(seed), seed ^ round);
        }
    }

    #[test]
    fn the_hash_is_the_hash_from_scratch_and_observing_loses_nothing(seed: u64, report: bool) {
        let set = if report { RuleSet::Report } else { RuleSet::Course };
        if let Some(rules) = random_rules(seed, set) {
            let last = play(&rules, seed, 60, |state| {
                let json = serde_json::to_string(&rules.observe(state, 0)).unwrap();
                let seen: Observation = serde_json::from_str(&json).unwrap();
                let again = seen.state(rules.maze()).unwrap();
                assert_eq!(&again, state);
                assert_eq!(rules.hash(&again), rules.hash(state));
            });
            let again = rules.observe(&last, 1).state(rules.maze()).unwrap();
            prop_assert_eq!(rules.hash(&again), rules.hash(&last));
            prop_assert_eq!(again, last);
        }
    }

    #[test]
    fn ghosts_never_share_a_cell(seed: u64, report: bool) {
        let set = if report { RuleSet::Report } else { RuleSet::Course };
        if let Some(rules) = random_rules(seed, set) {
            play(&rules, seed, 100, |state| {
                let ghosts = &state.figures.ghosts[..rules.maze().ghosts().len()];
                for (index, ghost) in ghosts.iter().enumerate() {
                    assert!(ghosts[..index].iter().all(|other| other.spot != ghost.spot), "{ghosts:?}");
                }
            });
        }
    }

    #[test]
    fn legal_actions_are_those_that_the_check_accepts(seed: u64) {
        if let Some(rules) = random_rules(seed, RuleSet::Report) {
            let actions = Action::ALL;
            let mut legal = Vec::new();
            play(&rules, seed, 60, |state| {
                rules.legal(state, &mut legal);
                for action in actions {
                    match rules.check(state, action) {
                        Ok(()) => assert!(legal.contains(&action)),
                        Err(illegal) => {
                            assert!(!legal.contains(&action));
                            assert!(illegal.0.starts_with(action.name()) || illegal.0.contains("over"), "{illegal}");
                        }
                    }
                }
            });
        }
    }

    /// The original ghosts move alike as a part of the rules and as the agent of a seat, one action each.
    #[test]
    fn the_original_ghosts_can_be_told_as_actions(seed: u64) {
        if let Some(rules) = random_rules(seed, RuleSet::Report) {
            let mut legal = Vec::new();
            play(&rules, seed, 100, |state| {
                let (mut as_rules, mut as_seat) = (*state, *state);
                if state.figures.ghost_to_move.is_none() || state.figures.ending.is_some() {
                    return;
                }
                rules.original_ghost_phase(&mut as_rules.figures);
                while let Some(ghost) = as_seat.figures.ghost_to_move {
                    let step = Team::Original.step(&rules, &as_seat.figures, &as_seat.pellets, ghost.into());
                    let action = step.map_or(Action::Stay, Action::Go);
                    rules.legal(&as_seat, &mut legal);
                    assert!(legal.contains(&action));
                    rules.apply(&mut as_seat, action, &mut Smallest);
                }
                assert_eq!(as_rules, as_seat);
            });
        }
    }

    #[test]
    fn teams_play_by_the_rules(seed: u64) {
        if let Some(rules) = random_rules(seed, RuleSet::Report) {
            for team in Team::PUBLISHED {
                play(&rules, seed, 30, |state| {
                    if let Some(ghost) = state.figures.ghost_to_move {
                        let step = team.step(&rules, &state.figures, &state.pellets, ghost.into());
                        rules.check(state, step.map_or(Action::Stay, Action::Go)).unwrap();
                        let mut after = *state;
                        team.play(&rules, &mut after.figures, &state.pellets);
                        assert!(after.figures.ghost_to_move.is_none());
                    }
                });
            }
        }
    }
}

#[test]
fn the_engine_is_the_rules_on_the_maze_of_the_course() {
    let text = damier_pacman::ORIGINAL_MAZE.split_once('\n').unwrap().1; // Without its name.
    for seed in 0..200 {
        compare_with_oracle(text, seed, 300);
        for round in 0..50 {
            compare_anywhere(text, seed * 50 + round);
        }
    }
}

/// Every single change of what matters changes the hash, and no two of them give the same one.
#[test]
fn states_that_differ_in_one_thing_have_different_hashes() {
    let rules = original(RuleSet::Report);
    let start = rules.start();
    let mut hashes = vec![rules.hash(&start)];
    let mut note = |change: &dyn Fn(&mut State)| {
        let mut state = start;
        change(&mut state);
        if state != start {
            hashes.push(rules.hash(&state));
        }
    };
    for spot in 0..rules.maze().floor() as u16 {
        note(&|state| state.figures.pacman = spot);
        for ghost in 0..4 {
            note(&|state| state.figures.ghosts[ghost].spot = spot);
        }
    }
    for dir in Dir::ALL {
        note(&|state| state.figures.dir = dir);
        for ghost in 0..4 {
            note(&|state| state.figures.ghosts[ghost].dir = dir);
        }
    }
    for clock in 0..=30 {
        note(&|state| state.figures.clock = Some(clock));
    }
    for ghost in 1..4 {
        note(&|state| state.figures.ghost_to_move = Some(ghost));
    }
    for ending in [Ending::Dead, Ending::Quit, Ending::Won] {
        note(&|state| state.figures.ending = Some(ending));
    }
    let count = hashes.len();
    assert!(count > 900);
    hashes.sort_unstable();
    hashes.dedup();
    assert_eq!(hashes.len(), count);
}

#[test]
fn the_same_seed_gives_the_same_game() {
    for set in [RuleSet::Course, RuleSet::Report] {
        let rules = original(set);
        assert_eq!(play(&rules, 5, 200, |_| ()), play(&rules, 5, 200, |_| ()));
    }
}

fn recorded(rules: &str) -> Replay {
    let game = Pacman;
    let level = game.open(damier_pacman::ORIGINAL_MAZE, rules).unwrap();
    let mut table = level.table(1, 0);
    let mut replay = Replay::new(Start {
        engine: "test".into(),
        game: "pacman".into(),
        rules: rules.into(),
        level: "original/maze".into(),
        text: level.print("damier").unwrap(),
        seed: 1,
        agents: level.facts().seats.iter().map(ToString::to_string).collect(),
        turn_limit: 1000,
    });
    let mut rng = Rng::new(3);
    while let Status::ToMove(seat) = table.status() {
        let action = rng.choose(&table.legal()).unwrap().clone();
        table.act(&action).unwrap();
        let hash = hash_text(table.hash());
        let (insight, log, warnings) = (Insight::default(), String::new(), Vec::new());
        replay.moves.push(Move { seat, action, hash, us: 0, cpu_us: None, insight, log, warnings });
    }
    let Status::Over(outcome) = table.status() else { unreachable!() };
    let seats = level.facts().seats.len();
    replay.end = Some(Finish::Over(outcome).end(table.as_ref(), seats, 0));
    replay
}

#[test]
fn replays_verify_and_changed_ones_do_not() {
    let game = Pacman;
    for rules in ["course", "report"] {
        let mut replay = recorded(rules);
        assert_eq!(Replay::parse(&replay.to_json_lines()).unwrap().verify(&game), Ok(()));
        let middle = replay.moves.len() / 2;
        replay.moves[middle].hash = hash_text(0);
        assert!(matches!(replay.verify(&game), Err(ReplayError::Differs(at, _)) if at == middle + 1));
    }
}

/// The original look's key `a` leaves the game; old replays hold it as a move.
#[test]
fn a_person_may_leave_and_an_agent_may_not() {
    let level = Pacman.open(damier_pacman::ORIGINAL_MAZE, "course").unwrap();
    let mut table = level.table(1, 0);
    assert_eq!(table.legal(), ["up", "right", "down", "left", "wait"]);
    assert_eq!(table.act("quit").unwrap_err().to_string(), "quit: only a person can leave the game");
    assert_eq!(table.turns(), 0);
    table.act_or_quit("quit").unwrap();
    let Status::Over(over) = table.status() else { panic!("he has left") };
    assert_eq!(
        (over.reason, table.turns(), table.last_action().as_deref()),
        ("left the game", 1, Some("quit"))
    );
    assert!(table.act_or_quit("quit").is_err(), "the game is over");
    let mut replay = recorded("course");
    let hash = hash_text(table.hash());
    let (insight, log, warnings) = (Insight::default(), String::new(), Vec::new());
    replay.moves =
        vec![Move { seat: 0, action: "quit".into(), hash, us: 0, cpu_us: None, insight, log, warnings }];
    replay.end = Some(Finish::Over(over).end(table.as_ref(), 1, 0));
    assert_eq!(Replay::parse(&replay.to_json_lines()).unwrap().verify(&Pacman), Ok(()));
}

#[test]
fn unknown_names_are_refused_with_a_sentence() {
    let rules = original(RuleSet::Course);
    let error = rules.parse_action(&rules.start(), "jump").unwrap_err();
    assert!(error.to_string().starts_with("`jump` is not an action"), "{error}");
    let error = rules.check(&rules.start(), Action::Stay).unwrap_err();
    assert!(error.to_string().contains("only a ghost can stay"), "{error}");
    assert!(Pacman.open(damier_pacman::ORIGINAL_MAZE, "chess").is_err());
}
