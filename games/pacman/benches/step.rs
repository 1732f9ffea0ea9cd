//! A turn with four original ghosts, a copy of a state, a team's moves, and the tables of a maze.

use criterion::{Criterion, criterion_group, criterion_main};
use damier_core::game::Game;
use damier_core::grid::Dir;
use damier_core::random::{Rng, Smallest};
use damier_pacman::agents::teams::Team;
use damier_pacman::level::Level;
use damier_pacman::maze::Maze;
use damier_pacman::pursuit::Pursuit;
use damier_pacman::rules::{Action, RuleSet, Rules};
use damier_pacman::solve::known::KnownGhosts;
use std::hint::black_box;

fn rules(set: RuleSet) -> Rules {
    Rules::new(Level::parse(damier_pacman::ORIGINAL_MAZE).expect("the shipped maze"), set)
}

fn step(criterion: &mut Criterion) {
    let rules = rules(RuleSet::Course);
    let (mut state, mut rng) = (rules.start(), Rng::new(1));
    criterion.bench_function("turn", |bencher| {
        bencher.iter(|| {
            rules.apply(&mut state, Action::Go(Dir::from_index(rng.next_u64() as u8)), &mut Smallest);
            if state.figures.ending.is_some() {
                state = rules.start();
            }
        });
    });
    criterion.bench_function("clone", |bencher| bencher.iter(|| *black_box(&state)));
    criterion.bench_function("hash", |bencher| bencher.iter(|| rules.hash(black_box(&state))));
}

fn teams(criterion: &mut Criterion) {
    let rules = rules(RuleSet::Report);
    let state = rules.start();
    for team in Team::PUBLISHED {
        criterion.bench_function(&format!("team {}", team.name()), |bencher| {
            bencher.iter(|| {
                let mut state = *black_box(&state);
                team.play(&rules, &mut state.figures, &state.pellets);
                state
            });
        });
    }
}

fn tables(criterion: &mut Criterion) {
    let maze = Maze::new(Level::parse(damier_pacman::ORIGINAL_MAZE).expect("the shipped maze"));
    let mut group = criterion.benchmark_group("tables");
    group.sample_size(10);
    group.bench_function("maze", |bencher| bencher.iter(|| Maze::new(maze.level().clone())));
    group.bench_function("pursuit", |bencher| bencher.iter(|| Pursuit::of(&maze)));
    group.finish();
}

criterion_group!(benches, step, teams, tables);
criterion_main!(benches);
