//! Reports on grading, for people and for other programs.
//!
//! | file | for |
//! | --- | --- |
//! | `index.html` | the teacher: everybody's points |
//! | `NAME/index.html` | one author: every game, with its replay |
//! | `NAME/results.json` | Gradescope |
//! | `results.json`, `results.csv` | programs and spreadsheets |
//! | `junit.xml` | continuous integration |
//!
//! Pages are self-contained: style and drawings are inline, replays are linked by relative paths.

mod author;
pub(crate) mod board;
mod class;
pub(crate) mod data;
pub(crate) mod page;
pub(crate) mod plot;

use std::collections::HashSet;
use std::path::Path;

use anyhow::{Context, Result};

use crate::grade::{Examination, GameMark, Mark};
use crate::store::Store;
use damier_kit::log;

/// Number of lines from the end of the log shown with a verdict.
const LOG_LINES: usize = 20;

/// Writes the report into a folder.
pub fn write(folder: &Path, examination: &Examination, marks: &[Mark], store: &Store) -> Result<()> {
    let folders = folder_names(marks);
    put(&folder.join("index.html"), &class::page_of(&examination.suite, marks, &folders))?;
    put(&folder.join("results.json"), &data::json(&examination.suite, marks)?)?;
    put(&folder.join("results.csv"), &data::csv(marks))?;
    let logs: Vec<String> = marks.iter().map(|mark| relevant_log(mark, store)).collect();
    put(&folder.join("junit.xml"), &data::junit(&examination.suite, marks, &logs))?;
    for ((mark, name), log) in marks.iter().zip(&folders).zip(&logs) {
        let own = folder.join(name);
        std::fs::create_dir_all(own.join("replays")).with_context(|| own.display().to_string())?;
        let replays = write_replays(&own, mark, store)?;
        put(&own.join("index.html"), &author::page_of(examination, mark, log, store, &replays))?;
        put(&own.join("results.json"), &data::gradescope(mark, log)?)?;
    }
    Ok(())
}

/// Writes the replays of a candidate's games and returns the numbers of those written.
fn write_replays(own: &Path, mark: &Mark, store: &Store) -> Result<HashSet<usize>> {
    let mut written = HashSet::new();
    for game in mark.tests.iter().flat_map(|test| &test.games) {
        // A missing or damaged replay must not prevent the report.
        if let Ok(packed) = store.packed_replay(game.number) {
            let path = own.join(replay_path(game));
            std::fs::write(&path, packed).with_context(|| path.display().to_string())?;
            written.insert(game.number);
        }
    }
    Ok(written)
}

/// The end of the log of the first game with the problem that the verdict names, or else with substituted answers.
fn relevant_log(mark: &Mark, store: &Store) -> String {
    let games = || mark.tests.iter().flat_map(|test| &test.games);
    let named = games().find(|game| mark.verdict.first == Some(game.number));
    match named.or_else(|| games().find(|game| !game.substituted.is_none())) {
        Some(game) => log::tail(&log_of(game, store), LOG_LINES).join("\n"),
        None => String::new(),
    }
}

/// The graded agent's log of a game, or why it cannot be read.
fn log_of(game: &GameMark, store: &Store) -> String {
    let replay = match store.replay(game.number) {
        Ok(replay) => replay,
        Err(error) => return unreadable(&error),
    };
    let own = replay.moves.iter().filter(|step| step.seat == game.seat).map(|step| &*step.log);
    own.collect::<String>() + replay.end.as_ref().map_or("", |end| &end.log)
}

/// Message shown in place of an unreadable replay.
fn unreadable(error: &anyhow::Error) -> String {
    format!("its replay cannot be read: {error:#}")
}

pub(crate) fn put(path: &Path, text: &str) -> Result<()> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    }
    std::fs::write(path, text).with_context(|| path.display().to_string())
}

/// Path of a game's replay, relative to the author's page.
fn replay_path(game: &GameMark) -> String {
    format!("replays/{}-{}-{}.jsonl.zst", game.number, file_name(&game.level), game.seed)
}

/// A unique folder name for each candidate, valid on every file system.
fn folder_names(marks: &[Mark]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for mark in marks {
        let name = file_name(&mark.agent);
        let free = |name: &String| !names.iter().any(|taken| taken.eq_ignore_ascii_case(name));
        let numbered = (2..).map(|number| format!("{name}-{number}"));
        let found = std::iter::once(name.clone()).chain(numbered).find(free);
        names.push(found.unwrap_or(name));
    }
    names
}

fn file_name(text: &str) -> String {
    let plain = |c: char| if c.is_alphanumeric() || c == '-' { c } else { '_' };
    let name: String = text.chars().map(plain).take(80).collect();
    if name.is_empty() { "agent".to_owned() } else { name }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use rusqlite::Connection;

    use super::*;
    use crate::grade::{examine, marks};
    use crate::schedule::Shard;
    use crate::store::Results;
    use crate::suite::Suite;
    use crate::tournament::{RunOptions, play};

    const SUITE: &str = "name = 's'\ngame = 'pacman'\n[[tests]]\nname = 't'\nlevels = ['damier/pocket']\nseeds = '1..2'\n\
        turns = 20\npoints = 1\n";

    #[test]
    fn a_damaged_replay_costs_nobody_the_report() {
        let folder = std::env::temp_dir().join(format!("damaged-report-{}", std::process::id()));
        let suite = Suite::parse(Path::new("suite.toml"), SUITE).unwrap();
        let agents = ["random".to_owned(), "baseline".to_owned()];
        let examination = examine(damier_games::GAMES, suite, &agents, Path::new("")).unwrap();
        let path = folder.join("grade.db");
        let plan = &examination.prepared.plan;
        let mut store = Store::for_plan(&path, plan, false).unwrap();
        let mut results = Results::new();
        let options = RunOptions { shard: Shard::WHOLE, at_once: 1, cut_hangs: true };
        let watch = &mut |_, _: &_| ControlFlow::Continue(());
        play(&examination.prepared, &mut results, Some(&mut store), options, watch).unwrap();
        let damage = "UPDATE games SET replay = x'28B52FFD00' WHERE agents LIKE '%random%' AND seed = 1;
            UPDATE games SET replay = NULL WHERE agents LIKE '%random%' AND seed = 2;";
        Connection::open(&path).unwrap().execute_batch(damage).unwrap();
        write(&folder, &examination, &marks(&examination, &results), &store).unwrap();
        let page = |name: &str| std::fs::read_to_string(folder.join(name).join("index.html")).unwrap();
        for said in ["its replay cannot be read: ", ": missing</td>"] {
            assert!(page("random").contains(said), "{said}: {}", page("random"));
        }
        assert!(page("baseline").contains("<svg") && !page("baseline").contains("cannot be read"));
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn folders_have_plain_and_different_names() {
        let mark = |agent: &str| Mark::new(agent, 1.0, None, Vec::new());
        let marks = [mark("../../etc"), mark("Zoë B."), mark("zoë_b_"), mark("")];
        assert_eq!(folder_names(&marks), ["______etc", "Zoë_B_", "zoë_b_-2", "agent"]);
    }
}
