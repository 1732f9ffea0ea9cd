//! `damier`: play, watch, solve and measure classic grid games.

use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    damier::run(damier_games::GAMES)
}
