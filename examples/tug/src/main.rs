//! The `damier` program with a sixth game.

use std::process::ExitCode;

use damier_kit::AnyGame;
use damier_tug::Tug;

fn main() -> ExitCode {
    let games: Vec<&dyn AnyGame> =
        damier_games::GAMES.iter().copied().chain([&Tug as &dyn AnyGame]).collect();
    damier::run(games.leak())
}
