//! Pictures: every look fits its columns, and the original's display is as it was.

mod common;

use common::original;
use damier_core::game::Game;
use damier_core::insight::reason;
use damier_core::random::Smallest;
use damier_kit::{Draw, Levels};
use damier_pacman::Pacman;
use damier_pacman::level::Level;
use damier_pacman::rules::{Action, RuleSet, Rules, State};

fn small(keys: &str) -> (Rules, State) {
    let drawing = "#######\n#Po.. #\n#.###2#\n#...o1#\n#######\n";
    let rules = Rules::new(Level::parse(drawing).unwrap(), RuleSet::Course);
    let mut state = rules.start();
    for key in keys.chars() {
        rules.apply(&mut state, Action::of_key(key), &mut Smallest);
    }
    (rules, state)
}

/// One terminal column each: ASCII, or one of these.
fn is_narrow(char: char) -> bool {
    char.is_ascii() || "█·●▟▙✗".contains(char)
}

#[test]
fn every_sprite_has_two_columns() {
    for keys in ["", "d", "dddddddd", "ssssssssss", "qqqqqqqqqqqqqq"] {
        let (rules, state) = small(keys);
        let scene = Pacman::draw(&rules, &state, &[]);
        for sprite in scene.tiles.iter().chain(scene.pieces.iter().map(|piece| &piece.sprite)) {
            assert_eq!(sprite.unicode.chars().count(), 2, "{sprite:?}");
            assert!(sprite.unicode.chars().all(is_narrow), "{sprite:?}");
            assert!(sprite.ascii.len() == 2 && sprite.ascii.is_ascii(), "{sprite:?}");
        }
    }
}

#[test]
fn labels_tell_turn_score_pellets_and_potion() {
    let (rules, state) = small("d");
    let labels = Pacman::draw(&rules, &state, &[]).labels;
    let expected = [("turn", "2"), ("score", "1"), ("pellets left", "7"), ("potion", "30")];
    assert_eq!(labels, expected.map(|(name, value)| (name, value.to_owned())));
}

#[test]
fn the_display_of_the_original() {
    let (rules, state) = small("");
    let expected = "\
#####################
### <  O  .  .  % ###
### . #########   ###
### .  .  .  $    ###
#####################
";
    assert_eq!(Pacman::draw_text(&rules, &state, "original", &[]), expected);
    let debug = "\
#####################
### <  O  .  .  % ###
### . #########   ###
### L  .  .  $  L ###
#####################
";
    let marks = Pacman::overlay(&rules, &state, "debug");
    assert_eq!(Pacman::draw_text(&rules, &state, "original", &marks), debug);
    let maze = Rules::new(Level::parse(Pacman::INFO.packs[0].levels[0].1).unwrap(), RuleSet::Course);
    let state = maze.start();
    let text = Pacman::draw_text(&maze, &state, "original", &Pacman::overlay(&maze, &state, "debug"));
    assert!(text.contains(" + ") && text.contains(" L "), "{text}");
    let (rules, state) = small("d");
    let text = Pacman::draw_text(&rules, &state, "original", &[]);
    assert!(text.contains('1') && text.contains('2') && !text.contains(['$', '%']), "fleeing: {text}");
}

#[test]
fn a_dead_pacman_rests_in_peace() {
    let rules = Rules::new(Level::parse("#####\n#P.1#\n#. .#\n#####\n").unwrap(), RuleSet::Course);
    let mut state = rules.start();
    rules.apply(&mut state, Action::Wait, &mut Smallest);
    assert!(Pacman::draw_text(&rules, &state, "original", &[]).contains("RIP"));
}

#[test]
fn the_debug_view_shows_targets_corners_and_crossroads() {
    let rules = original(RuleSet::Course);
    let state = rules.start();
    let marks = Pacman::overlay(&rules, &state, "debug");
    let count = |why: &str| marks.iter().filter(|mark| mark.why == why).count();
    assert_eq!(count(reason::CROSSROAD), 26 + 8, "cells with three or four ways");
    assert_eq!(count(reason::TARGET), 4);
    assert!(marks.iter().filter(|mark| mark.why == reason::TARGET).all(|mark| mark.at == (9, 15)));
    assert!(count(reason::CORNER) > 0);
}
