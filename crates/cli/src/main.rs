//! `damier`: play, watch, solve and measure five classic grid games.

mod args;
mod commands;
mod games;
mod terminal;

use std::process::ExitCode;

use clap::Parser;

use crate::args::Arguments;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// A program that answers with its exit code: success, a negative answer, or bad input.
enum Answer {
    Yes,
    No,
}

fn main() -> ExitCode {
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
