//! What `damier bench` measures: random play in a cave with rocks and monsters, copies of a state, and a signature.

use std::hint::black_box;

use damier_core::game::{Game, Status};
use damier_core::grid::Dir;
use damier_core::random::{Rng, mix};
use damier_kit::{Bench, Measure};

use crate::level::Level;
use crate::rules::{Action, RuleSet, Rules, State};

/// A cave of 40 by 24 with 83 rocks and five monsters.
const CAVE: &str = include_str!("../levels/damier/works.txt");

/// A cave of 40 by 22 with 88 rocks, five monsters, magic walls, amoeba, slime and growing walls.
const NEW_CAVE: &str = include_str!("bench/cave.txt");

/// The games whose last states make the signature.
const SIGNATURE_GAMES: u64 = 500;

/// The ticks after which a game that goes on is left.
const LONGEST_GAME: u64 = 1_000;

/// Measures for about `seconds`.
pub fn bench(seconds: f64) -> Bench {
    let play = |cave, set| Rules::new(Level::parse(cave)?, set);
    let course = play(CAVE, RuleSet::Course).expect("the shipped cave is well formed");
    let boulder = play(NEW_CAVE, RuleSet::Boulder).expect("the shipped cave is well formed");
    Bench {
        signature: mix(signature(&course)) ^ signature(&boulder),
        measures: vec![
            Measure::timed("ticks", seconds * 0.5, |seed| random_game(&course, seed).0),
            Measure::timed("boulder ticks", seconds * 0.2, |seed| random_game(&boulder, seed).0),
            Measure::timed("clones", seconds * 0.1, |_| clones(&course.start())),
            Measure::timed("boulder clones", seconds * 0.1, |_| clones(&boulder.start())),
            Measure::timed("hashes", seconds * 0.1, |_| hashes(&course)),
        ],
    }
}

/// A number that depends on the last states of many random games.
fn signature(rules: &Rules) -> u64 {
    (0..SIGNATURE_GAMES).fold(0, |signature, seed| {
        let (ticks, hash) = random_game(rules, seed);
        mix(signature ^ hash).wrapping_add(ticks)
    })
}

/// Goes in random directions, a few steps each, to the end: the ticks, and the last state's hash.
fn random_game(rules: &Rules, seed: u64) -> (u64, u64) {
    let mut rng = Rng::new(seed);
    let mut state = rules.start();
    let mut ticks = 0;
    // Two bits a direction, which is kept for up to four steps: a word lasts 16 decisions.
    let (mut word, mut left) = (0, 0);
    while matches!(rules.status(&state), Status::ToMove(_)) && ticks < LONGEST_GAME {
        if left == 0 {
            (word, left) = (rng.next_u64(), 16);
        }
        let action = Action::Go(Dir::from_index(word as u8));
        for _ in 0..=(word >> 2 & 3) {
            rules.apply(&mut state, action, &mut rng);
            ticks += 1;
        }
        (word, left) = (word >> 4, left - 1);
    }
    (ticks, rules.hash(&state))
}

fn clones(start: &State) -> u64 {
    const COUNT: u64 = 1_000;
    let mut state = start.clone();
    for _ in 0..COUNT {
        state = black_box(&state).clone();
    }
    black_box(state);
    COUNT
}

fn hashes(rules: &Rules) -> u64 {
    const COUNT: u64 = 1_000;
    let state = rules.start();
    for _ in 0..COUNT {
        black_box(rules.hash(black_box(&state)));
    }
    COUNT
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_course_plays_as_it_always_did() {
        let course = Rules::new(Level::parse(CAVE).unwrap(), RuleSet::Course).unwrap();
        assert_eq!(signature(&course), COURSE);
    }

    /// The signature of the course's rules alone.
    const COURSE: u64 = 3_625_790_364_615_160_508;
}
