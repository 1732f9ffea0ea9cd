//! Laws that hold for every map: the fast engine plays as the literal one, and the hash that is kept is the hash.

#[path = "common/caves.rs"]
mod caves;
mod common;
#[path = "common/levels.rs"]
mod levels;

use caves::random_cave;
use common::{World, assert_same, boulder, course};
use damier_core::game::{Game, Status};
use damier_core::random::{Chance, Rng};
use damier_delirium::rules::{Action, RuleSet, Rules};
use levels::random_level;

/// Plays random actions on random maps and compares every state with the oracle.
fn plays_as_the_oracle(seed: u64, games: u32, largest: (u32, u32)) -> u32 {
    let mut rng = Rng::new(seed);
    let mut ticks = 0;
    for game in 0..games {
        let level = random_level(&mut rng, largest);
        let mut world = World::new(&level);
        let rules = Rules::new(level, RuleSet::Course).unwrap();
        let mut state = rules.start();
        let (mut ours, mut theirs) = (Rng::new(u64::from(game)), Rng::new(u64::from(game)));
        for turn in 0..200 {
            let action = Action::ALL[rng.below(9) as usize];
            let before = rules.kinds(&state);
            rules.apply(&mut state, action, &mut ours);
            course::tick(&mut world, *rules.options(), action, &mut theirs);
            let what = || {
                let width = rules.size(&state).width.into();
                let drawn: Vec<String> =
                    before.chunks(width).map(|row| row.iter().map(|kind| kind.char()).collect()).collect();
                format!("seed {seed}, game {game}, turn {turn}, {}\n{}\n", action.name(), drawn.join("\n"))
            };
            assert_same(&rules, &state, &world, &what());
            assert_eq!(rules.hash(&state), rules.hash_from_scratch(&state), "{}", what());
            ticks += 1;
            if matches!(rules.status(&state), Status::Over(_)) {
                break;
            }
        }
    }
    ticks
}

#[test]
fn small_maps_play_as_the_oracle() {
    assert!(plays_as_the_oracle(1, 1_500, (12, 12)) > 20_000);
}

#[test]
fn maps_of_the_usual_size_play_as_the_oracle() {
    assert!(plays_as_the_oracle(2, 60, (40, 24)) > 1_000);
}

#[test]
fn large_maps_play_as_the_oracle() {
    assert!(plays_as_the_oracle(3, 15, (90, 60)) > 200);
}

/// The same for Boulder Dash.
fn plays_as_the_boulder_oracle(seed: u64, games: u32, largest: (u32, u32)) -> u32 {
    let mut rng = Rng::new(seed);
    let mut frames = 0;
    for game in 0..games {
        let level = random_cave(&mut rng, largest);
        let text = level.print("damier").unwrap();
        let mut den = boulder::Den::new(&level);
        let rules = Rules::new(level, RuleSet::Boulder).unwrap();
        let mut state = rules.start();
        let (mut ours, mut theirs) = (Rng::new(u64::from(game)), Rng::new(u64::from(game)));
        for turn in 0..200 {
            let action = Action::ALL[rng.below(9) as usize];
            let before = rules.kinds(&state);
            rules.apply(&mut state, action, &mut ours);
            den.frame(action, &mut theirs);
            let what = || {
                let width = rules.size(&state).width.into();
                let drawn: Vec<String> = before
                    .chunks(width)
                    .map(|row| row.iter().map(|kind| kind.exact_char()).collect())
                    .collect();
                let drawn = drawn.join("\n");
                format!(
                    "seed {seed}, game {game}, turn {turn}, {}\n{text}\nbefore:\n{drawn}\n",
                    action.name()
                )
            };
            boulder::assert_same(&rules, &state, &den, &what());
            assert_eq!(rules.hash(&state), rules.hash_from_scratch(&state), "{}", what());
            frames += 1;
            if matches!(rules.status(&state), Status::Over(_)) {
                break;
            }
        }
    }
    frames
}

#[test]
fn boulder_dash_plays_as_the_oracle() {
    assert!(plays_as_the_boulder_oracle(4, 4_000, (12, 12)) > 20_000);
    assert!(plays_as_the_boulder_oracle(5, 150, (40, 24)) > 1_000);
    assert!(plays_as_the_boulder_oracle(6, 20, (90, 60)) > 200);
}
