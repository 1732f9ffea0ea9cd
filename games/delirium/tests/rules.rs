//! The rule book as pictures: a map, what the miner does, and the map after each tick.

use damier_core::game::{Game, Status};
use damier_core::random::{Largest, Smallest};
use damier_delirium::Kind;
use damier_delirium::draw::plain_text;
use damier_delirium::level::Level;
use damier_delirium::rules::{Action, RuleSet, Rules, State};

fn course(map: &str) -> Rules {
    Rules::new(Level::parse(map).unwrap(), RuleSet::Course).unwrap()
}

fn play(rules: &Rules, actions: &str) -> State {
    let mut state = rules.start();
    for name in actions.split(' ').filter(|name| !name.is_empty()) {
        let action = rules.parse_action(&state, name).unwrap();
        rules.check(&state, action).unwrap();
        rules.apply(&mut state, action, &mut Smallest);
    }
    state
}

#[track_caller]
fn assert_after(map: &str, actions: &str, expected: &str) {
    let rules = course(map);
    assert_eq!(plain_text(&rules, &play(&rules, actions)), expected, "after {actions}");
}

fn ending(rules: &Rules, state: &State) -> Option<&'static str> {
    match rules.status(state) {
        Status::ToMove(_) => None,
        Status::Over(outcome) => Some(outcome.reason),
    }
}

#[test]
fn a_game_is_lost_when_its_time_is_up() {
    let rules = course("; time-limit: 3\n######\n#P__X#\n######\n");
    assert_eq!(ending(&rules, &play(&rules, "right right")), None);
    assert_eq!(rules.observe(&play(&rules, "right right"), 0).time_left, Some(1));
    assert_eq!(ending(&rules, &play(&rules, "right right right")), Some("exit reached"));
    let late = play(&rules, "right stay right");
    assert_eq!(ending(&rules, &late), Some("time is up"));
    assert!(rules.check(&late, Action::Stay).is_err());
    let sequence = course("; time-limit: 2\n####\n#PX#\n####\n; next\n#####\n#P_X#\n#####\n");
    assert_eq!(ending(&sequence, &play(&sequence, "right right")), Some("time is up"), "over all maps");
    assert!(
        Rules::new(Level::parse("; time-limit: 0\n####\n#PX#\n####\n").unwrap(), RuleSet::Course).is_err()
    );
}

#[test]
fn a_rock_falls_one_tick_after_its_support_left() {
    let map = "######\n#_r__#\n#_P_X#\n#____#\n######\n";
    assert_after(map, "right", "######\n#_r__#\n#__PX#\n#____#\n######\n");
    assert_after(map, "right stay", "######\n#____#\n#_rPX#\n#____#\n######\n");
}

#[test]
fn a_stack_opens_gaps() {
    let map = "######\n#r##X#\n#r##_#\n#.P__#\n#____#\n######\n";
    assert_after(map, "left right stay", "######\n#r##X#\n#_##_#\n#rP__#\n#____#\n######\n");
}

#[test]
fn a_miner_who_steps_under_a_falling_rock_stops_it() {
    let map = "#####\n#r_X#\n#___#\n#_P_#\n#___#\n#####\n";
    let rules = course(map);
    let state = play(&rules, "stay left stay");
    assert_eq!(plain_text(&rules, &state), "#####\n#__X#\n#r__#\n#P__#\n#___#\n#####\n");
    assert_eq!(ending(&rules, &state), None, "a resting rock does not kill");
}

#[test]
fn what_falls_onto_a_miner_crushes_it() {
    let rules = course("#####\n#r_X#\n#___#\n#___#\n#P__#\n#####\n");
    assert_eq!(ending(&rules, &play(&rules, "stay")), None);
    assert_eq!(ending(&rules, &play(&rules, "stay stay")), Some("crushed"));
}

#[test]
fn a_slide_goes_either_way_by_chance() {
    let rules = course("#####\n#_r_#\n#_r_#\n#P_X#\n#####\n");
    let mut left = rules.start();
    rules.apply(&mut left, Action::Stay, &mut Smallest);
    let mut right = rules.start();
    rules.apply(&mut right, Action::Stay, &mut Largest);
    // The lower rock falls; the upper one lay on it when the tick began.
    assert_eq!(plain_text(&rules, &left), "#####\n#r__#\n#___#\n#PrX#\n#####\n");
    assert_eq!(plain_text(&rules, &right), "#####\n#__r#\n#___#\n#PrX#\n#####\n");
}

#[test]
fn a_chain_of_rocks_is_pushed_left_right_and_up() {
    assert_after("########\n#Prr__X#\n########\n", "right", "########\n#_Prr_X#\n########\n");
    assert_after("########\n#Prr._X#\n########\n", "right", "########\n#Prr._X#\n########\n");
    assert_after("####\n#_X#\n#r##\n#r##\n#P##\n####\n", "up", "####\n#rX#\n#r##\n#P##\n#_##\n####\n");
}

#[test]
fn digging_takes_grass_and_leaves_the_miner() {
    assert_after("#####\n#P.X#\n#####\n", "dig-right", "#####\n#P_X#\n#####\n");
    assert_after("#####\n#PdX#\n#####\n", "dig-right", "#####\n#PdX#\n#####\n");
}

#[test]
fn the_exit_opens_with_the_last_diamond_needed() {
    let rules = course("; need: 1\n######\n#PdX_#\n######\n");
    assert_eq!(ending(&rules, &play(&rules, "right")), None);
    let state = play(&rules, "right right");
    assert_eq!(ending(&rules, &state), Some("exit reached"));
    assert_eq!(rules.score(&state, 0), 1);
}

#[test]
fn a_monster_walks_by_its_left_hand() {
    let map = "######\n#____#\n#_w__#\n#R___#\n####X#\n#P####\n######\n";
    assert_after(map, "stay", "######\n#____#\n#Rw__#\n#____#\n####X#\n#P####\n######\n");
    assert_after(map, "stay stay stay", "######\n#_R__#\n#_w__#\n#____#\n####X#\n#P####\n######\n");
}

#[test]
fn a_blue_monster_moves_in_every_second_tick() {
    let map = "######\n#___B#\n####X#\n#P####\n######\n";
    assert_after(map, "stay", "######\n#___B#\n####X#\n#P####\n######\n");
    assert_after(map, "stay stay", "######\n#__B_#\n####X#\n#P####\n######\n");
}

#[test]
fn in_the_edition_of_2008_blue_monsters_move_in_every_tick() {
    let map = "######\n#___B#\n####X#\n#P####\n######\n";
    assert_after(&format!("; edition: 2008\n{map}"), "stay", "######\n#__B_#\n####X#\n#P####\n######\n");
    assert_after(&format!("; edition: 2013\n{map}"), "stay", map);
    assert_after(&format!("; edition: 2008\n; blue-pace: 2\n{map}"), "stay", map);
    assert!(Rules::new(Level::parse(&format!("; edition: 1999\n{map}")).unwrap(), RuleSet::Course).is_err());
}

#[test]
fn a_monster_beside_the_miner_kills() {
    let rules = course("#######\n#P__R_#\n####X##\n#######\n");
    let state = play(&rules, "right");
    assert_eq!(ending(&rules, &state), None);
    assert_eq!(ending(&rules, &play(&rules, "right right")), Some("caught by a monster"));
}

#[test]
fn a_crushed_blue_monster_becomes_nine_diamonds() {
    let map = "; need: 5\n#######\n#__r__#\n#ww_ww#\n##wBw##\n##www##\n#P###X#\n#######\n";
    assert_after(map, "stay", "#######\n#_____#\n#w***w#\n##***##\n##***##\n#P###X#\n#######\n");
    assert_after(map, "stay stay", "#######\n#_____#\n#wdddw#\n##ddd##\n##ddd##\n#P###X#\n#######\n");
}

#[test]
fn an_explosion_spares_the_border_and_ends_after_two_ticks() {
    let map = "######\n##r_##\n##__##\n#R___#\n##w###\n#P##X#\n######\n";
    let burning = "######\n##__##\n##**##\n#***_#\n##*###\n#P##X#\n######\n";
    assert_after(map, "stay", burning);
    assert_after(map, "stay stay", burning);
    assert_after(map, "stay stay stay", "######\n##__##\n##__##\n#____#\n##_###\n#P##X#\n######\n");
}

#[test]
fn maps_follow_each_other_in_a_sequence() {
    let rules = course("; need: 0\n####\n#PX#\n####\n; next\n; need: 0\n#####\n#P_X#\n#####\n");
    let state = play(&rules, "right");
    assert_eq!((state.stage(), ending(&rules, &state)), (1, None));
    assert_eq!(plain_text(&rules, &state), "#####\n#P_X#\n#####\n");
    assert_eq!(ending(&rules, &play(&rules, "right right right")), Some("exit reached"));
}

#[test]
fn a_view_shows_a_rectangle_and_look_widens_it() {
    let rules = course("; view: 1x1\n#######\n#..d..#\n#.P.rX#\n#.....#\n#######\n");
    let seen = rules.observe(&rules.start(), 0);
    assert_eq!((seen.left, seen.top, seen.size, seen.pos), (1, 1, 3, 4));
    assert_eq!(seen.cells, [1, 1, 2, 1, 22, 1, 1, 1, 1]);
    let state = play(&rules, "look");
    assert_eq!((state.tick(), state.view()), (0, (2, 2)));
    assert_eq!(rules.observe(&state, 0).size, 5);
    let whole = course("#####\n#P_X#\n#####\n");
    assert!(whole.check(&whole.start(), Action::Look).is_err(), "there is no more to see");
}

#[test]
fn a_small_state_is_less_than_one_and_a_half_kilobytes() {
    assert!(size_of::<State>() < 1_500);
}

/// A cave of 40 columns, all border but for a column of cells.
fn shaft(column: usize, cells: &str) -> Rules {
    let row = |cell: char| {
        let mut row = ['#'; 40];
        row[column] = cell;
        String::from_iter(row)
    };
    let border = "#".repeat(40);
    let rows: Vec<String> = cells.chars().map(row).collect();
    let map = format!("; need: 1\n{border}\n{}\n{border}\n", rows.join("\n"));
    Rules::new(Level::parse(&map).unwrap(), RuleSet::Boulder).unwrap()
}

#[test]
fn what_happens_far_ahead_of_the_scan_happens_in_the_same_frame() {
    for column in 1..39 {
        let exit = shaft(column, "Pd............X");
        let state = play(&exit, "down");
        assert!(exit.kinds(&state).contains(&Kind::OpenExit), "column {column}");
        let wall = shaft(column, "P.v..........dX");
        let state = play(&wall, "dig-down");
        let grown = wall.kinds(&state).into_iter().filter(|&kind| kind == Kind::GrowingUp).count();
        assert_eq!(grown, 2, "column {column}");
    }
}
