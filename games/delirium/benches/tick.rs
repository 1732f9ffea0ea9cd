//! Ticks of a miner who runs through a cave with rocks and monsters, and copies of its state.

use criterion::{Criterion, criterion_group, criterion_main};
use damier_core::game::Game;
use damier_core::random::{Chance, Rng};
use damier_delirium::Delirium;
use damier_delirium::rules::Action;
use damier_kit::Levels;

const CAVE: &str = include_str!("../levels/damier/works.txt");

fn ticks(criterion: &mut Criterion) {
    for set in ["course", "boulder"] {
        let rules = Delirium::open(CAVE, set).expect("the shipped cave is well formed");
        let mut rng = Rng::new(7);
        let mut state = rules.start();
        criterion.bench_function(&format!("{set} tick"), |bencher| {
            bencher.iter(|| {
                let action = Action::ALL[rng.below(5) as usize];
                rules.apply(&mut state, action, &mut rng);
                if state.ending().is_some() {
                    state = rules.start();
                }
            });
        });
    }
}

fn clones(criterion: &mut Criterion) {
    let rules = Delirium::open(CAVE, "course").expect("the shipped cave is well formed");
    let state = rules.start();
    criterion.bench_function("clone", |bencher| bencher.iter(|| state.clone()));
    criterion.bench_function("hash", |bencher| bencher.iter(|| rules.hash(&state)));
}

criterion_group!(benches, ticks, clones);
criterion_main!(benches);
