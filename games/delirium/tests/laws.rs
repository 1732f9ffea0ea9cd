//! Laws that hold for every map: the fast engine plays as the literal one, and the hash that is kept is the hash.

mod common;
#[path = "common/levels.rs"]
mod levels;

use common::{World, assert_same, boulder, course};
use damier_core::game::{Game, Status};
use damier_core::random::{Chance, Rng};
use damier_delirium::rules::{Action, RuleSet, Rules};
use levels::random_level;

/// Plays random actions on random maps and compares every state with the oracle.
fn plays_as_the_oracle(seed: u64, games: u32, largest: (u32, u32), set: RuleSet) -> u32 {
    let mut rng = Rng::new(seed);
    let mut ticks = 0;
    for game in 0..games {
        let level = random_level(&mut rng, largest);
        let mut world = World::new(&level, set == RuleSet::Boulder);
        let rules = Rules::new(level, set).unwrap();
        let mut state = rules.start();
        let (mut ours, mut theirs) = (Rng::new(u64::from(game)), Rng::new(u64::from(game)));
        for turn in 0..200 {
            let action = Action::ALL[rng.below(9) as usize];
            let before = rules.kinds(&state);
            rules.apply(&mut state, action, &mut ours);
            match set {
                RuleSet::Course => course::tick(&mut world, *rules.options(), action, &mut theirs),
                RuleSet::Boulder => boulder::tick(&mut world, *rules.options(), action, &mut theirs),
            }
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
    assert!(plays_as_the_oracle(1, 1_500, (12, 12), RuleSet::Course) > 20_000);
}

#[test]
fn maps_of_the_usual_size_play_as_the_oracle() {
    assert!(plays_as_the_oracle(2, 60, (40, 24), RuleSet::Course) > 1_000);
}

#[test]
fn large_maps_play_as_the_oracle() {
    assert!(plays_as_the_oracle(3, 15, (90, 60), RuleSet::Course) > 200);
}

#[test]
fn boulder_dash_plays_as_the_oracle() {
    assert!(plays_as_the_oracle(4, 1_500, (12, 12), RuleSet::Boulder) > 20_000);
    assert!(plays_as_the_oracle(5, 60, (40, 24), RuleSet::Boulder) > 1_000);
    assert!(plays_as_the_oracle(6, 15, (90, 60), RuleSet::Boulder) > 200);
}
