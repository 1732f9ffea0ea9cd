#![doc = include_str!("../README.md")]

mod args;
mod commands;
mod games;
mod terminal;

use std::process::ExitCode;

use clap::Parser;
use damier_host::games::Games;

use crate::args::Arguments;

/// What the exit code says: success, or a negative answer. Bad input is an error.
enum Answer {
    Yes,
    No,
}

/// Runs the program with these games: reads the command line, does what it asks for, and returns the exit code (0 success,
/// 1 a negative answer, 2 bad input).
pub fn run(games: Games) -> ExitCode {
    games::register(games);
    match commands::run(Arguments::parse()) {
        Ok(Answer::Yes) => ExitCode::SUCCESS,
        Ok(Answer::No) => ExitCode::from(1),
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("damier: {error:#}");
            ExitCode::from(2)
        }
    }
}

/// Did the reader of our output (`head`, a pager) leave? Then there is nothing left to say.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<std::io::Error>())
        .any(|cause| cause.kind() == std::io::ErrorKind::BrokenPipe)
}
