//! The commands, one file each.

mod agents;
mod analyze;
mod bench;
mod bench_arena;
mod certify;
mod convert;
mod generate;
mod grade;
mod list;
mod manual;
mod opening;
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
use comfy_table::{CellAlignment, ColumnConstraint, Table, TableStyle, Width, presets};
use damier_host::contestant::Contestant;
use damier_host::terms::Terms;
use damier_kit::time::cores;
use damier_process::agents::confinement_warning;
use indicatif::{ProgressBar, ProgressStyle};

use crate::Answer;
use crate::args::{Arguments, Command, ServeArgs};
use crate::{games, terminal};

/// Warns if foreign agents are about to run without full confinement.
pub fn warn_of_weak_confinement<'a>(contestants: impl IntoIterator<Item = &'a Contestant>, terms: &Terms) {
    if contestants.into_iter().any(Contestant::is_foreign)
        && let Some(warning) = confinement_warning(terms.confinement)
    {
        eprintln!("damier: {warning}");
    }
}

/// Runs the command.
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
        Some(Command::Solve { args, prefix }) => solve::solve(&args, prefix.as_deref()),
        Some(Command::Check(args)) => solve::check(&args),
        Some(Command::Certify(args)) => certify::certify(&args),
        Some(Command::Atlas(args)) => certify::atlas(&args),
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
        Some(Command::NewAgent { game, language, folder, from }) => {
            agents::new_agent(&game.game, &language, &folder, from.as_deref())
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
    // A hidden spinner needs no thread.
    if !bar.is_hidden() {
        bar.enable_steady_tick(Duration::from_millis(100));
    }
    bar
}

/// A table with lines above, below and under its header. Columns from `first_number` on are right-aligned.
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

/// Wraps the text of the last column: an agent's last log line would make the table too wide to read.
fn wrap_last_column(table: &mut Table) {
    if let Some(column) = table.column_iter_mut().last() {
        column.set_cell_alignment(CellAlignment::Left);
        column.set_constraint(ColumnConstraint::UpperBoundary(Width::Fixed(62)));
    }
}

/// Maximum length of a level's name in a table, in characters.
const LONGEST_NAME: usize = 32;

/// Shortens names for a table. A long path is reduced to its file name if that is unique, otherwise to its start and end.
fn short_names(names: &[&str]) -> Vec<String> {
    let file_name = |name: &str| name.rsplit(['/', '\\']).next().unwrap_or(name).to_owned();
    let short = |name: &&str| {
        let own = file_name(name);
        let unique = names.iter().all(|other| other == name || file_name(other) != own);
        let chosen = if name.chars().count() <= LONGEST_NAME || !unique { (*name).to_owned() } else { own };
        let length = chosen.chars().count();
        if length <= LONGEST_NAME {
            return chosen;
        }
        let (start, end) = (LONGEST_NAME / 3, LONGEST_NAME - LONGEST_NAME / 3 - 1);
        let head: String = chosen.chars().take(start).collect();
        let tail: String = chosen.chars().skip(length - end).collect();
        format!("{head}…{tail}")
    };
    names.iter().map(short).collect()
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
    use super::{short_names, with_commas};

    #[test]
    fn long_paths_are_shortened_and_stay_different() {
        let deep = "/home/somebody/courses/autumn/levels";
        let [a, b, other] = ["one/map.txt", "two/map.txt", "cave.txt"].map(|name| format!("{deep}/{name}"));
        let short = short_names(&[&a, &b, &other, "original/maze"]);
        assert_eq!(short[2..], ["cave.txt", "original/maze"]);
        assert!(short[0].ends_with("one/map.txt") && short[1].ends_with("two/map.txt"), "{short:?}");
        assert!(short.iter().all(|name| name.chars().count() <= super::LONGEST_NAME), "{short:?}");
    }

    #[test]
    fn thousands_are_separated() {
        assert_eq!(with_commas(7), "7");
        assert_eq!(with_commas(123_456), "123,456");
        assert_eq!(with_commas(1_234_567), "1,234,567");
    }
}
