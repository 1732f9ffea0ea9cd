//! What came out of grading, for people and for other programs.
//!
//! | file | for |
//! | --- | --- |
//! | `index.html` | the teacher: everybody's points |
//! | `NAME/index.html` | one author: every game, with its replay |
//! | `NAME/results.json` | Gradescope |
//! | `results.json`, `results.csv` | programs and spreadsheets |
//! | `junit.xml` | what shows test results |
//!
//! Pages need nothing else: style and drawings are in them, replays are linked by relative paths.

mod author;
mod board;
mod class;
mod data;
mod page;
mod plot;

use std::path::Path;

use anyhow::{Context, Result};

use crate::grade::{Examination, GameMark, Mark};
use crate::store::Store;

/// Writes the report into a folder.
pub fn write(folder: &Path, examination: &Examination, marks: &[Mark], store: &Store) -> Result<()> {
    let folders = folder_names(marks);
    put(&folder.join("index.html"), &class::page_of(&examination.suite, marks, &folders))?;
    put(&folder.join("results.json"), &data::json(&examination.suite, marks)?)?;
    put(&folder.join("results.csv"), &data::csv(marks))?;
    put(&folder.join("junit.xml"), &data::junit(&examination.suite, marks))?;
    for (mark, name) in marks.iter().zip(&folders) {
        let own = folder.join(name);
        std::fs::create_dir_all(own.join("replays")).with_context(|| own.display().to_string())?;
        for game in mark.tests.iter().flat_map(|test| &test.games) {
            let path = own.join(replay_path(game));
            std::fs::write(&path, store.packed_replay(game.number)?)
                .with_context(|| path.display().to_string())?;
        }
        put(&own.join("index.html"), &author::page_of(examination, mark, store)?)?;
        put(&own.join("results.json"), &data::gradescope(mark)?)?;
    }
    Ok(())
}

fn put(path: &Path, text: &str) -> Result<()> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    }
    std::fs::write(path, text).with_context(|| path.display().to_string())
}

/// Where a game's replay is, seen from its author's page.
fn replay_path(game: &GameMark) -> String {
    format!("replays/{}-{}-{}.jsonl.zst", game.number, file_name(&game.level), game.seed)
}

/// A name for each candidate that every file system takes, all different.
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
    use super::*;

    #[test]
    fn folders_have_plain_and_different_names() {
        let mark = |agent: &str| Mark {
            agent: agent.into(),
            points: 0.0,
            of: 1.0,
            refused: None,
            tests: Vec::new(),
        };
        let marks = [mark("../../etc"), mark("Zoë B."), mark("zoë_b_"), mark("")];
        assert_eq!(folder_names(&marks), ["______etc", "Zoë_B_", "zoë_b_-2", "agent"]);
    }
}
