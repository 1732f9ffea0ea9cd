//! The architecture of the workspace: front ends do not depend on any game.

use std::path::{Path, PathBuf};

/// The repository's folder.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The files below a folder that are neither tests nor examples nor documentation.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        let name = entry.file_name().unwrap().to_string_lossy().into_owned();
        if entry.is_dir() {
            if !["tests", "examples", "node_modules"].contains(&&*name) {
                sources(&entry, found);
            }
        } else if entry.extension().is_none_or(|end| end != "md") {
            found.push(entry);
        }
    }
}

/// The lines of a file that are code: no comments, no tests, no example commands of a help text.
fn code(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let tests = |line: &str| line.starts_with("#[cfg(test)]") || line.starts_with("[dev-dependencies]");
    let lines = text.lines().enumerate().take_while(move |(_, line)| !tests(line));
    lines.filter(|(_, line)| {
        let comment = ["//", "*", "/*", "# "].iter().any(|start| line.trim_start().starts_with(start));
        !comment && !line.contains("damier ")
    })
}

#[test]
fn no_front_end_names_a_game() {
    let mut files = Vec::new();
    sources(&root().join("crates"), &mut files);
    assert!(files.len() > 100, "the sources were not found");
    let names: Vec<&str> = damier_games::GAMES.iter().map(|game| game.info().name).collect();
    let mut mentions = Vec::new();
    for file in files {
        let Ok(text) = std::fs::read_to_string(&file) else { continue };
        for (index, line) in code(&text) {
            if names.iter().any(|name| line.to_lowercase().contains(name)) {
                mentions.push(format!("{}:{}: {}", file.display(), index + 1, line.trim()));
            }
        }
    }
    assert!(mentions.is_empty(), "games named outside of their folders:\n{}", mentions.join("\n"));
}
