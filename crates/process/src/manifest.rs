//! The manifest of an agent: its `agent.toml`.
//!
//! ```toml
//! name = "my-astar"
//! game = "loderunner"                      # default: any game
//! build = "gcc -O2 -o agent agent.c"       # default: nothing to build
//! command = "./agent"
//! wire = "text"                            # json (the default), text or term
//! stateless = true                         # a new process every turn, without memory of earlier ones
//! processes = 4                            # maximum number of processes, itself included; default 1
//! ```
//!
//! Commands are split into words at spaces, except inside quotes; no shell reads them. They run in the folder of the file.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use anyhow::{Context, Result, anyhow, bail, ensure};
use damier_kit::fault::Fault;
use serde::Deserialize;

use crate::config::toml_mistake;
use crate::protocol::Wire;

/// Name of the manifest in an agent's folder.
pub const FILE_NAME: &str = "agent.toml";

/// How to run an agent.
#[derive(Debug)]
pub struct Manifest {
    /// Its name.
    pub name: String,
    /// The only game it plays; `None` if it plays all.
    pub game: Option<String>,
    /// Words of the build command, if it has to be built.
    pub build: Option<Vec<String>>,
    /// Words of its command.
    pub command: Vec<String>,
    /// Format of its messages.
    pub wire: Wire,
    /// Is the process restarted every turn?
    pub stateless: bool,
    /// Maximum number of processes it needs at once, itself included.
    pub processes: u32,
    /// Its own folder: working folder, readable.
    pub folder: PathBuf,
    /// Result of the build, once it was tried.
    pub(crate) built: OnceLock<Result<(), Fault>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Text {
    name: String,
    game: Option<String>,
    build: Option<String>,
    command: String,
    #[serde(default)]
    wire: Wire,
    #[serde(default)]
    stateless: bool,
    #[serde(default = "one")]
    processes: u32,
}

fn one() -> u32 {
    1
}

impl Manifest {
    /// Reads an `agent.toml`.
    pub fn read(path: &Path) -> Result<Self> {
        let named = || path.display().to_string();
        let text = std::fs::read_to_string(path).with_context(named)?;
        // Resolved on Windows, a path has a form that many programs do not take.
        let absolute = if cfg!(windows) { std::path::absolute(path) } else { path.canonicalize() };
        let absolute = absolute.with_context(named)?;
        let folder = absolute.parent().ok_or_else(|| anyhow!("{}: it lies in no folder", named()))?;
        Self::parse(&text, folder).with_context(named)
    }

    /// Parses the text of an `agent.toml` in this folder.
    pub fn parse(text: &str, folder: &Path) -> Result<Self> {
        let Text { name, game, build, command, wire, stateless, processes } =
            toml::from_str(text).map_err(|error| anyhow!("line {}", toml_mistake(text, &error)))?;
        ensure!(!name.trim().is_empty(), "`name` is empty");
        ensure!(processes >= 1, "`processes` counts the agent itself: it is at least 1");
        let build = build.as_deref().map(words).transpose().context("`build`")?;
        let command = words(&command).context("`command`")?;
        let folder = folder.to_owned();
        Ok(Self { name, game, build, command, wire, stateless, processes, folder, built: OnceLock::new() })
    }

    /// Manifest of a bare command: it runs in the current folder, with JSON messages.
    pub fn of_command(command: &str) -> Result<Self> {
        Ok(Self {
            name: format!("cmd:{command}"),
            game: None,
            build: None,
            command: words(command)?,
            wire: Wire::Json,
            stateless: false,
            processes: 1,
            folder: std::env::current_dir().context("the current folder")?,
            built: OnceLock::new(),
        })
    }
}

/// Splits a command into words at spaces, except inside single or double quotes.
fn words(command: &str) -> Result<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for character in command.chars() {
        match quote {
            Some(open) if character == open => quote = None,
            None if character == '"' || character == '\'' => {
                quote = Some(character);
                word.get_or_insert_default();
            }
            None if character.is_whitespace() => words.extend(word.take()),
            Some(_) | None => word.get_or_insert_default().push(character),
        }
    }
    if let Some(open) = quote {
        bail!("`{command}`: a {open} is not closed");
    }
    words.extend(word);
    ensure!(!words.is_empty(), "the command is empty");
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_keep_words_together() {
        assert_eq!(words("python3  a.py").unwrap(), ["python3", "a.py"]);
        assert_eq!(words("a 'b c' \"d 'e\" ''").unwrap(), ["a", "b c", "d 'e", ""]);
        assert_eq!(words("a 'b").unwrap_err().to_string(), "`a 'b`: a ' is not closed");
        assert_eq!(words("  ").unwrap_err().to_string(), "the command is empty");
    }

    #[test]
    fn a_manifest_is_read_with_its_defaults() {
        let manifest = Manifest::parse("name = \"a\"\ncommand = \"./a -x\"", Path::new("/agents/a")).unwrap();
        assert_eq!((manifest.wire, manifest.stateless, manifest.processes), (Wire::Json, false, 1));
        assert_eq!(manifest.command, ["./a", "-x"]);
    }

    #[test]
    fn mistakes_in_a_manifest_are_named() {
        let error = |text: &str| {
            format!("{:#}", Manifest::parse(text, Path::new("/agents/a")).map(|_| ()).unwrap_err())
        };
        assert!(error("name = \"a\"").contains("missing field `command`"), "{}", error("name = \"a\""));
        assert!(error("name = \"a\"\ncommand = \"b\"\nwires = \"text\"").contains("unknown field `wires`"));
        assert!(error("name = \"a\"\ncommand = \"b\"\nwire = \"xml\"").contains("unknown variant `xml`"));
        assert!(error("name = \" \"\ncommand = \"b\"").contains("`name` is empty"));
        assert!(error("name = \"a\"\ncommand = \"'b\"").contains("is not closed"));
        assert!(error("name = \"a\"\ncommand = \"b\"\nprocesses = 0").contains("at least 1"));
    }
}
