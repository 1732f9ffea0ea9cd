#![doc = include_str!("../README.md")]

use damier_kit::AnyGame;

/// All games, in the order in which front ends list them.
pub static GAMES: &[&dyn AnyGame] = &[
    &damier_pacman::Pacman,
    &damier_ricochet::Ricochet,
    &damier_siam::Siam,
    &damier_loderunner::LodeRunner,
    &damier_delirium::Delirium,
];
