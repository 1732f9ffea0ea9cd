//! The commands, one file each.

mod agents;
mod analyze;
mod bench;
mod bench_arena;
mod convert;
mod generate;
mod grade;
mod list;
mod manual;
mod perft;
mod replay;
mod review;
mod run;
mod serve;
mod solve;
mod tournament;
mod trace;

use std::time::Duration;

use anyhow::Result;
use comfy_table::{CellAlignment, Table, TableStyle, presets};
use damier_kit::time::cores;
use indicatif::{ProgressBar, ProgressStyle};

use crate::Answer;
use crate::args::{Arguments, Command, ServeArgs};
use crate::{games, terminal};

/// Does what the command line asks for.
pub fn run(arguments: Arguments) -> Result<Answer> {
    match arguments.command {
        None => serve::serve(ServeArgs::default()),
        Some(Command::Games { json }) => list::games(json),
        Some(Command::Levels { game, level, json }) => list::levels(&game.game, level.as_deref(), json),
        Some(Command::Serve(args)) => serve::serve(args),
        Some(Command::Play(args)) => terminal::play(&args),
        Some(Command::Watch(args)) => terminal::watch(args),
        Some(Command::Run(args)) => run::run(&args),
        Some(Command::Trace { setting, actions, recording, last }) => {
            let actions = actions.unwrap_or_default();
            let run = recording.as_deref().map_or(trace::Run::Actions(&actions), trace::Run::Recording);
            trace::trace(&setting, &run, last)
        }
        Some(Command::Solve(args)) => solve::solve(&args),
        Some(Command::Check(args)) => solve::check(&args),
        Some(Command::Generate { game, seed, count, difficulty, size, rules, out }) => {
            let request = generate::Request { seed, count, difficulty, size, rules: rules.as_deref() };
            generate::generate(&game.game, &request, out.as_deref())
        }
        Some(Command::Convert { game, to, rules, levels }) => {
            convert::convert(&game.game, &to, rules.as_deref(), &levels)
        }
        Some(Command::Analyze(args)) => analyze::run(&args),
        Some(Command::Perft(args)) => perft::run(&args),
        Some(Command::Replay { file }) => replay::show(&file),
        Some(Command::Review { files, time, json }) => review::review(&files, time, json),
        Some(Command::Verify { files }) => replay::verify(&files),
        Some(Command::Tournament(args)) => tournament::tournament(&args),
        Some(Command::Match(args)) => tournament::match_(&args),
        Some(Command::Grade(args)) => grade::grade(&args),
        Some(Command::Merge { stores, out, json }) => tournament::merge(&stores, out.as_deref(), json),
        Some(Command::NewAgent { game, language, folder }) => {
            agents::new_agent(&game.game, &language, &folder)
        }
        Some(Command::CheckAgent(args)) => agents::check_agent(&args),
        Some(Command::Schema { game }) => agents::schema(&game.game),
        Some(Command::Bench { game: Some(name), json, .. }) if name == games::ARENA => {
            bench_arena::bench_arena(json)
        }
        Some(Command::Bench { game, seconds, json }) => bench::bench(game.as_deref(), seconds, json),
        Some(Command::Completions { shell }) => manual::completions(shell),
        Some(Command::Man) => manual::man(),
    }
}

/// A progress bar on standard error, if that is a terminal.
fn progress_bar(length: u64) -> ProgressBar {
    let bar = ProgressBar::new(length);
    let style = "{bar:30} {pos}/{len} {elapsed} (left {eta}) {msg}";
    bar.set_style(ProgressStyle::with_template(style).expect("the template is well formed"));
    bar
}

/// A spinner on standard error, if that is a terminal, for work of unknown length.
fn spinner(name: &str) -> ProgressBar {
    let bar = ProgressBar::new_spinner().with_prefix(name.to_owned());
    let style = "{spinner} {prefix} {elapsed} {msg}";
    bar.set_style(ProgressStyle::with_template(style).expect("the template is well formed"));
    // Its thread would only cost time where nobody looks.
    if !bar.is_hidden() {
        bar.enable_steady_tick(Duration::from_millis(100));
    }
    bar
}

/// A table with a line above, below and under its header. Columns from `first_number` on are numbers.
fn ruled_table(header: &[&str], first_number: usize) -> Table {
    let style =
        TableStyle { row_separator: TableStyle::new().row_separator, ..presets::UTF8_HORIZONTAL_ONLY };
    let mut table = Table::new();
    table.load_style(style).set_header(header);
    for column in table.column_iter_mut().skip(first_number) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

/// A number with a comma between thousands.
fn with_commas(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::with_commas;

    #[test]
    fn thousands_are_separated() {
        assert_eq!(with_commas(7), "7");
        assert_eq!(with_commas(123_456), "123,456");
        assert_eq!(with_commas(1_234_567), "1,234,567");
    }
}
