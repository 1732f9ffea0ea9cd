//! The benchmark of `damier bench`: random play against the original ghosts, copies of a state, and a signature.

use std::hint::black_box;

use damier_core::game::{Game, Status};
use damier_core::grid::Dir;
use damier_core::random::{Rng, mix};
use damier_kit::{Bench, Measure};

use crate::level::Level;
use crate::rules::{Action, RuleSet, Rules};

/// The number of games in the signature.
const SIGNATURE_GAMES: u64 = 2_000;

/// Measures for about `seconds`, on the maze of the course.
pub fn bench(seconds: f64) -> Bench {
    let level = Level::parse(crate::ORIGINAL_MAZE).expect("the shipped maze is well formed");
    let rules = Rules::new(level, RuleSet::Course);
    Bench {
        signature: signature(&rules),
        measures: vec![
            Measure::timed("turns", seconds * 0.8, |seed| random_game(&rules, &mut Rng::new(seed)).0),
            Measure::timed("clones", seconds * 0.2, |_| clones(&rules)),
        ],
    }
}

/// A hash of many random games that changes if any state of them does.
fn signature(rules: &Rules) -> u64 {
    (0..SIGNATURE_GAMES).fold(0, |signature, seed| {
        let (turns, hash) = random_game(rules, &mut Rng::new(seed));
        mix(signature ^ hash).wrapping_add(turns)
    })
}

/// Plays a game with random directions; returns the number of turns and the hash of the last state.
fn random_game(rules: &Rules, rng: &mut Rng) -> (u64, u64) {
    let mut state = rules.start();
    let mut turns = 0;
    // A turn takes two random bits, so a word lasts for 32 turns.
    let (mut word, mut bits) = (0, 0);
    while matches!(rules.status(&state), Status::ToMove(_)) {
        if bits == 0 {
            (word, bits) = (rng.next_u64(), 32);
        }
        rules.apply(&mut state, Action::Go(Dir::from_index(word as u8)), rng);
        (word, bits) = (word >> 2, bits - 1);
        turns += 1;
    }
    (turns, rules.hash(&state))
}

fn clones(rules: &Rules) -> u64 {
    const COUNT: u64 = 1_000;
    let mut state = rules.start();
    for _ in 0..COUNT {
        state = *black_box(&state);
    }
    black_box(state);
    COUNT
}
