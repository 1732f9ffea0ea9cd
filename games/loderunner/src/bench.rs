//! What `damier bench` measures: random play under both rule sets, copies of a state, and a signature.

use std::hint::black_box;

use damier_core::game::{Game, Status};
use damier_core::random::{Chance, Rng, mix};
use damier_kit::{Bench, Measure};

use crate::action::Action;
use crate::classic::board::Board;
use crate::classic::{self, ByChance, Version};
use crate::course;
use crate::course::map::Map;
use crate::level::Level;
use crate::rules::{Ground, RuleSet, Rules};

/// The games of each rule set whose last states make the signature.
const SIGNATURE_GAMES: u64 = 500;
/// Rounds or ticks of one game, at most.
const LONGEST: u64 = 2_000;

/// Games of the course between two looks at the clock: one game takes hardly longer than a look.
const GAMES_A_RUN: u64 = 20;

const COURSE: &str = include_str!("../levels/course/three-hunters.txt");
const CLASSIC: &str = include_str!("../levels/classic/three-guards.txt");

/// Measures for about `seconds`.
pub fn bench(seconds: f64) -> Bench {
    let course = Rules::new(Level::parse(COURSE, RuleSet::Course).expect("the shipped level is well formed"));
    let classic =
        Rules::new(Level::parse(CLASSIC, RuleSet::Classic).expect("the shipped level is well formed"));
    let (Ground::Course(map), Ground::Classic(board)) = (course.ground(), classic.ground()) else {
        unreachable!("each level has its own ground")
    };
    let walks = walks();
    Bench {
        signature: signature(&course) ^ signature(&classic).rotate_left(1),
        measures: vec![
            Measure::timed("rounds", seconds * 0.4, |seed| {
                let mut rng = Rng::new(seed);
                (0..GAMES_A_RUN).map(|_| random_rounds(map, &walks, &mut rng)).sum()
            }),
            Measure::timed("ticks", seconds * 0.4, |seed| random_ticks(board, &mut Rng::new(seed))),
            Measure::timed("clones", seconds * 0.2, |_| clones(&classic)),
        ],
    }
}

fn signature(rules: &Rules) -> u64 {
    (0..SIGNATURE_GAMES).fold(0, |signature, seed| {
        let mut rng = Rng::new(seed);
        let mut state = rules.start();
        let mut legal = Vec::new();
        let mut turns = 0;
        while matches!(rules.status(&state), Status::ToMove(_)) && turns < LONGEST {
            rules.legal(&state, &mut legal);
            let action = *rng.choose(&legal).expect("whoever is to move can move");
            rules.apply(&mut state, action, &mut rng);
            turns += 1;
        }
        mix(signature ^ rules.hash(&state)).wrapping_add(turns)
    })
}

/// For each set of legal walks, one of them for each value of four bits of chance: a random walk is a matter of one look, so that the
/// rules are measured and not the choice.
type Walks = [[Action; 16]; 32];

fn walks() -> Walks {
    std::array::from_fn(|legal| {
        let legal: Vec<Action> =
            Action::ALL.into_iter().filter(|action| legal >> action.code() & 1 == 1).collect();
        std::array::from_fn(|chance| legal.get(chance * legal.len() / 16).copied().unwrap_or(Action::None))
    })
}

/// Random walks that never dig: they live long enough to meet the enemies.
fn random_rounds(map: &Map, walks: &Walks, rng: &mut Rng) -> u64 {
    let mut state = course::State::new(map);
    let mut rounds = 0;
    // Four bits of chance an action: a word lasts for sixteen.
    let (mut word, mut bits) = (0, 0);
    while state.ending.is_none() && rounds < LONGEST {
        if bits == 0 {
            (word, bits) = (rng.next_u64(), 64);
        }
        let action = walks[usize::from(map.walks(state.runner))][(word & 15) as usize];
        (word, bits) = (word >> 4, bits - 4);
        state.round(map, action, rng);
        rounds += 1;
    }
    black_box(state);
    rounds
}

/// Random keys, each held for eight ticks.
fn random_ticks(board: &Board, rng: &mut Rng) -> u64 {
    let mut state = classic::State::new(board);
    let mut ticks = 0;
    while state.ending.is_none() && ticks < LONGEST {
        let key = Action::ALL[rng.below(7) as usize];
        for _ in 0..8 {
            if state.ending.is_none() {
                state.tick(board, Version::Four, key, &mut ByChance(rng));
                ticks += 1;
            }
        }
    }
    black_box(state);
    ticks
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
