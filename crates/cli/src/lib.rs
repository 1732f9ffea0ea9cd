#![doc = include_str!("../README.md")]

mod args;
mod commands;
mod games;
mod output;
mod terminal;

use std::process::ExitCode;

use clap::Parser;
use damier_host::games::Games;

use crate::args::Arguments;

/// Result of a command, as its exit code reports it; later ones are worse.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Answer {
    /// Success.
    Yes,
    /// A negative answer.
    No,
    /// Some input was bad and has been reported. Bad input that leaves nothing to do is an error instead.
    BadInput,
}

impl Answer {
    /// The combined answer of several parts.
    fn worse_of(self, other: Self) -> Self {
        self.max(other)
    }
}

/// Runs the program with these games: parses the command line, runs the command and returns the exit code (0 success, 1 a
/// negative answer, 2 bad input or a failure of the machine).
pub fn run(games: Games) -> ExitCode {
    games::register(games);
    match commands::run(Arguments::parse()) {
        Ok(Answer::Yes) => ExitCode::SUCCESS,
        Ok(Answer::No) => ExitCode::from(1),
        Ok(Answer::BadInput) => ExitCode::from(2),
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            output::report_error(&error);
            ExitCode::from(2)
        }
    }
}

/// Did the reader of our output (`head`, a pager) exit? That is not an error.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<std::io::Error>())
        .any(|cause| cause.kind() == std::io::ErrorKind::BrokenPipe)
}
