//! A slide, the tables of a board, and shortest solutions from easy to hard.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use damier_core::game::Game;
use damier_ricochet::level::Level;
use damier_ricochet::rules::{Action, Rules};
use damier_ricochet::solve::{SearchLimits, solve};

const POSITIONS: &str = include_str!("../tests/fixtures/positions.jsonl");

fn solutions(criterion: &mut Criterion) {
    for line in POSITIONS.lines() {
        let game = Rules::new(Level::parse(line).expect("a fixture is well formed"));
        let name = game.level().id().unwrap_or("position").to_owned();
        criterion.bench_function(&name, |bencher| {
            bencher.iter(|| solve(&game, &game.start(), &SearchLimits::default(), &mut |_| {}));
        });
    }
}

fn slides(criterion: &mut Criterion) {
    let level =
        Level::parse(POSITIONS.lines().next().expect("there is a position")).expect("it is well formed");
    let game = Rules::new(level.clone());
    let state = game.start();
    let action = Action::parse("red south").expect("a move");
    criterion.bench_function("slide", |bencher| bencher.iter(|| game.slide(black_box(&state), action)));
    criterion.bench_function("tables of a board", |bencher| bencher.iter(|| Rules::new(level.clone())));
}

criterion_group!(benches, slides, solutions);
criterion_main!(benches);
