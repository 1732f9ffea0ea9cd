//! The rules of `course`, rule by rule, and what our agents make of them.

use std::sync::Arc;
use std::time::Duration;

use damier_core::agent::{Budget, Turn};
use damier_core::game::{Game, Illegal, Outcome, Status};
use damier_core::insight::{Insight, Mark, reason};
use damier_core::random::{Chance, Rng, Smallest};
use damier_kit::AnyGame;
use damier_kit::time::start_clock;
use damier_kit::{Kit, Solvability, Solve, SolveOptions};
use damier_loderunner::LodeRunner;
use damier_loderunner::action::Action::{self, BombLeft, BombRight, Down, Left, None as Wait, Right, Up};
use damier_loderunner::course::map::Map;
use damier_loderunner::course::tour::{Tour, UNREACHABLE};
use damier_loderunner::course::{Ending, State};
use damier_loderunner::level::Level;
use damier_loderunner::rules::{self, Ground, RuleSet, Rules};
use proptest::prelude::*;

static GAME: LodeRunner = LodeRunner;

fn rules(text: &str) -> Arc<Rules> {
    Arc::new(Rules::new(Level::parse(text, RuleSet::Course).unwrap()))
}

fn map(rules: &Rules) -> &Map {
    match rules.ground() {
        Ground::Course(map) => map,
        Ground::Classic(_) => unreachable!("these are course maps"),
    }
}

/// Plays actions from the start, with the smallest chance.
fn after(text: &str, actions: &[Action]) -> ((u16, u16), State) {
    let rules = rules(text);
    let map = map(&rules);
    let mut state = State::new(map);
    for &action in actions {
        state.check(map, action).unwrap_or_else(|refusal| panic!("{}: {}", action.name(), refusal.text()));
        state.round(map, action, &mut Smallest);
    }
    (map.point(state.runner), state)
}

const ROOM: &str = "
WWWWWWWWWW
W..R....BW
WFFFL.FFFW
W...L....W
W...LCC..W
W...L....W
W...L..X.W
WFFFFFFFFW
WWWWWWWWWW";

#[test]
fn a_step_over_an_edge_falls_to_the_floor_at_once() {
    assert_eq!(after(ROOM, &[Right, Right]).0, (5, 5), "through the cable, which then holds it");
    let (at, state) = after(ROOM, &[Right, Right, Down]);
    assert_eq!((at, state.ending), ((5, 6), None));
}

#[test]
fn one_hangs_in_the_cell_below_a_cable_and_lets_go_downwards() {
    let hanging = &[Right, Down, Down, Down, Down, Right];
    assert_eq!(after(ROOM, hanging).0, (5, 5));
    let (at, _) = after(ROOM, &[&hanging[..], &[Right]].concat());
    assert_eq!(at, (6, 5));
    assert_eq!(after(ROOM, &[&hanging[..], &[Down]].concat()).0, (5, 6));
}

#[test]
fn illegal_actions_name_the_rule() {
    let rules = rules(ROOM);
    let refusal = |action: Action| match rules.check(&rules.start(), action) {
        Ok(()) => String::new(),
        Err(Illegal(message)) => message,
    };
    assert_eq!(refusal(Up), "up: the runner is not on a ladder");
    assert_eq!(refusal(Down), "down: below is neither a ladder nor a path");
    assert_eq!(refusal(BombRight), "bomb_right: the cell diagonally below is not floor");
    assert_eq!(refusal(BombLeft), "");
}

#[test]
fn a_hole_lasts_ten_rounds_and_is_deadly_to_its_digger() {
    let (_, state) = after(ROOM, &[BombLeft]);
    assert_eq!(state.holes().iter().map(|hole| hole.delay).collect::<Vec<_>>(), [9]);
    let (at, state) = after(ROOM, &[BombLeft, Left]);
    assert_eq!((at, state.ending), ((2, 6), None), "with nothing below it is fallen through");
    let (_, state) = after(ROOM, &[[BombLeft].as_slice(), &[Wait; 9]].concat());
    assert!(state.holes().is_empty());
    let deep = "WWWWWW\nW..R.W\nWFFFFW\nWFFFFW\nW..X.W\nWFFFFW\nWWWWWW";
    assert_eq!(after(deep, &[BombLeft, Left]).1.ending, Some(Ending::InHole));
}

#[test]
fn the_exit_counts_only_when_every_bonus_is_taken() {
    let text = "WWWWWWW\nWXRB..W\nWFFFFFW\nWWWWWWW";
    assert_eq!(after(text, &[Left]).1.ending, None);
    assert_eq!(after(text, &[Right, Left, Left]).1.ending, Some(Ending::Won));
}

#[test]
fn the_first_cell_downwards_keeps_its_bonus() {
    let text = "WWWWW\nWC..W\nWR..W\nWB..W\nWB.XW\nWFFFW\nWWWWW";
    let (at, state) = after(text, &[Down]);
    assert_eq!((at, state.bonuses), ((1, 4), 1), "it passes the first bonus and takes the second");
}

#[test]
fn enemies_move_in_odd_rounds_and_show_the_runners_action_in_even_ones() {
    let text = "WWWWWWWWWW\nWR......EW\nWFFFFFFFFW\nW...X....W\nWFFFFFFFFW\nWWWWWWWWWW";
    let (_, first) = after(text, &[Wait]);
    assert_eq!((first.enemy_cells()[0] % 10, first.enemies().next().unwrap().seen), (7, Left.code()));
    let (_, second) = after(text, &[Wait, Right]);
    assert_eq!((second.enemy_cells()[0] % 10, second.enemies().next().unwrap().seen), (7, Right.code()));
    let (_, third) = after(text, &[Wait, Right, Wait]);
    assert_eq!(third.enemy_cells()[0] % 10, 6);
}

#[test]
fn an_enemy_falls_into_a_hole_and_comes_back_elsewhere() {
    let text = "WWWWWWWWWW\nW..R..E..W\nWFFFFFFFFW\nWFFFFFFFFW\nW...X....W\nWFFFFFFFFW\nWWWWWWWWWW";
    let (_, state) = after(text, &[BombRight, Wait, Wait]);
    assert_eq!(state.enemy_cells()[0], 2 * 10 + 4, "it is in the hole");
    let (_, state) = after(text, &[[BombRight].as_slice(), &[Wait; 9]].concat());
    assert_eq!(state.enemy_cells()[0], 10 + 1, "the smallest chance takes the first free cell");
    assert!(state.holes().is_empty());
}

#[test]
fn enemies_prefer_up_then_down_then_left_and_know_nothing_of_ledges() {
    let text = "WWWWWWWW\nW..E...W\nWFFLFF.W\nW..L...W\nWR.L.X.W\nWFFFFFFW\nWWWWWWWW";
    let rules = rules(text);
    let map = map(&rules);
    let at = |x: u16, y: u16| y * map.width() + x;
    assert_eq!(map.ways_to(at(1, 4)).from(at(3, 1)), Down);
    assert_eq!(map.ways_to(at(5, 4)).from(at(5, 1)), Left, "the ladder, not the ledge");
    assert_eq!(map.ways_to(at(1, 1)).from(at(3, 3)), Up);
}

#[test]
fn the_phase_can_be_told_from_the_last_actions() {
    let text = "WWWWWWWWWW\nWR......EW\nWFFFFFFFFW\nW...X....W\nWFFFFFFFFW\nWWWWWWWWWW";
    for rounds in 0..6 {
        let (_, state) = after(text, &vec![Wait; rounds]);
        assert_eq!(
            state.shown().with_phase_guessed().enemies_move,
            state.enemies_move,
            "after {rounds} rounds"
        );
    }
}

#[test]
fn distances_know_holes_falls_and_bonuses_in_the_air() {
    let text = "WWWWWWW\nWR....W\nWFFFFFW\nW.....W\nW.B...W\nW....XW\nWFFFFFW\nWWWWWWW";
    let rules = rules(text);
    let map = map(&rules);
    // Dig, step, fall past the bonus to the floor, three steps to the exit.
    assert_eq!(Tour::new(map).left(map.runner(), map.all_bonuses()), 2 + 3);
    let walled = "WWWWWWW\nWR.W.BW\nWFFWFFW\nWX.W..W\nWFFWFFW\nWWWWWWW";
    let rules = self::rules(walled);
    let map = self::map(&rules);
    assert!(Tour::new(map).left(map.runner(), map.all_bonuses()) >= UNREACHABLE);
}

fn play(rules: &Arc<Rules>, name: &str, seed: u64) -> (Outcome, u32, Insight) {
    let mut agent = LodeRunner::agent(rules, name, 0, seed).unwrap();
    let mut chance = Rng::new(seed);
    let mut state = rules.start();
    let mut legal = Vec::new();
    let mut first = Insight::default();
    for number in 1..500 {
        if let Status::Over(outcome) = rules.status(&state) {
            return (outcome.outcome(0), number - 1, first);
        }
        rules.legal(&state, &mut legal);
        let clock = start_clock(Budget::default());
        let observation = rules.observe(&state, 0);
        let turn = Turn { seat: 0, number, observation: &observation, legal: &legal, clock: &clock };
        let mut insight = Insight::default();
        let action = agent.act(&turn, &mut insight);
        if number == 1 {
            first = insight;
        }
        rules.apply(&mut state, action, &mut chance);
    }
    (Outcome::Limit, 500, first)
}

#[test]
fn our_agent_wins_where_the_original_is_caught() {
    let rules = rules(include_str!("../levels/hard/seven-gates.txt"));
    let ours: Vec<_> = (0..4).map(|seed| play(&rules, "best", seed)).collect();
    assert!(ours.iter().all(|(outcome, ..)| *outcome == Outcome::Win), "{ours:?}");
    let original = (0..4).filter(|&seed| play(&rules, "original", seed).0 == Outcome::Win).count();
    assert!(original < 4);
    let (_, _, insight) = &ours[0];
    assert!(insight.text.contains(" rounds"));
    assert!(insight.marks.iter().any(|mark| mark.why == reason::PATH));
}

#[test]
fn the_original_goes_straight_for_the_bonus_and_digs_when_chased() {
    let rules = rules(include_str!("../levels/course/first-steps.txt"));
    assert_eq!(play(&rules, "original", 1).0, Outcome::Win);
    let chased = self::rules("WWWWWWWWWWW\nWR....E.BXW\nWFFFFFFFFFW\nWFFFFFFFFFW\nWWWWWWWWWWW");
    let observation = chased.observe(&chased.start(), 0);
    let mut agent = LodeRunner::agent(&chased, "original", 0, 1).unwrap();
    let clock = start_clock(Budget::default());
    let turn = Turn {
        seat: 0,
        number: 1,
        observation: &observation,
        legal: &[Wait, Right, BombRight],
        clock: &clock,
    };
    // Five cells away it still approaches.
    assert_eq!(agent.act(&turn, &mut Insight::unwanted()), Right);
    let near = self::rules("WWWWWWWWWW\nWR..E..BXW\nWFFFFFFFFW\nWFFFFFFFFW\nWWWWWWWWWW");
    let observation = near.observe(&near.start(), 0);
    let turn = Turn { observation: &observation, ..turn };
    let mut agent = LodeRunner::agent(&near, "original", 0, 1).unwrap();
    assert_eq!(agent.act(&turn, &mut Insight::unwanted()), BombRight);
}

#[test]
fn levels_are_refused_with_line_and_column() {
    let error = |text: &str| GAME.open(text, "course").err().unwrap().to_string();
    assert_eq!(error("WWWW\nWR.W\nWWWW"), "there is no exit (X)");
    assert_eq!(error("WWWW\nWRXW\nWWW"), "line 3, column 4: this row has 3 characters, the first one has 4");
    assert_eq!(
        error("WWWW\nWRX.\nWWWW"),
        "line 2, column 4: `.` stands in the frame: a course map is framed by W"
    );
    assert_eq!(error("WWWWW\nWRXRW\nWWWWW"), "line 2, column 4: a second runner");
    assert_eq!(error(""), "the level is empty: it has no rows");
}

#[test]
fn a_review_finds_the_step_into_the_enemys_arms() {
    let text = "WWWWWWWWWWWW\nWR...E...BXW\nWFFFFFFFFFFW\nWFFFFFFFFFFW\nWWWWWWWWWWWW";
    let level = GAME.open(text, "course").unwrap();
    let actions: Vec<String> = ["right", "right", "right"].map(str::to_owned).to_vec();
    let clock = start_clock(Budget::default());
    let review = level.review(1, &actions, &clock, &|_| {}).unwrap().unwrap();
    assert!(review.text.starts_with("caught by an enemy"), "{review:?}");
    let life = review.remarks.iter().find(|remark| remark.kind == "life lost").unwrap();
    assert!(life.number <= 3 && life.instead != [life.action.clone()], "{review:?}");
}

/// A random map of storeys, as the generator proposes them, with anything in it.
fn any_map() -> impl Strategy<Value = String> {
    (6u16..20, 5u16..12).prop_flat_map(|(width, height)| {
        let inside = usize::from((width - 2) * (height - 2));
        let part = prop::sample::select(vec!['.', '.', '.', 'F', 'F', 'L', 'C', 'B', 'E', 'W']);
        prop::collection::vec(part, inside).prop_map(move |mut parts| {
            parts[0] = 'R';
            let last = parts.len() - 1;
            parts[last] = 'X';
            let mut enemies = 0;
            for part in &mut parts {
                enemies += usize::from(*part == 'E');
                if *part == 'E' && enemies > 6 {
                    *part = '.';
                }
            }
            let wall = "W".repeat(width.into());
            let rows: Vec<String> = parts
                .chunks(usize::from(width - 2))
                .map(|row| format!("W{}W", row.iter().collect::<String>()))
                .collect();
            format!("{wall}\n{}\n{wall}\n", rows.join("\n"))
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Bonuses only vanish, at most ten holes are open, and the hash follows equality.
    #[test]
    fn random_games_keep_the_laws(text in any_map(), seed: u64) {
        let rules = rules(&text);
        let map = map(&rules);
        let mut rng = Rng::new(seed);
        let mut state = State::new(map);
        let mut legal = Vec::new();
        for _ in 0..300 {
            rules.legal(&rules::State::Course(state), &mut legal);
            let Some(&action) = rng.choose(&legal) else { break };
            let before = state;
            state.round(map, action, &mut rng);
            prop_assert_eq!(state.bonuses & !before.bonuses, 0);
            prop_assert!(state.holes().len() <= 10);
            prop_assert_eq!(state == before, state.hash() == before.hash());
        }
    }

    /// What a text says is what is printed.
    #[test]
    fn maps_survive_their_text(text in any_map()) {
        let level = Level::parse(&text, RuleSet::Course).unwrap();
        prop_assert_eq!(level.print("damier").unwrap(), text);
    }
}

#[test]
fn chance_draws_only_when_a_hole_closes_over_an_enemy() {
    struct Never;
    impl Chance for Never {
        fn below(&mut self, _: u32) -> u32 {
            panic!("nothing is left to chance here")
        }
    }
    let rules = rules(include_str!("../levels/course/three-hunters.txt"));
    let mut state = rules.start();
    for _ in 0..200 {
        if matches!(rules.status(&state), Status::ToMove(_)) {
            rules.apply(&mut state, Wait, &mut Never);
        }
    }
}

#[test]
fn a_bonus_that_is_walled_in_is_marked() {
    let rules = rules("WWWWWWW\nWR.XWBW\nWFFFFFW\nWWWWWWW");
    let (time, chance) = (Duration::from_secs(5), Rng::new(1));
    let limits = SolveOptions { time, chance, ..SolveOptions::default() };
    let report = LodeRunner::check(&rules, &limits, &|_| {});
    assert_eq!(report.solvable, Solvability::Unsolvable);
    assert_eq!(report.marks, [Mark::new((5, 1), reason::UNREACHABLE)]);
}
