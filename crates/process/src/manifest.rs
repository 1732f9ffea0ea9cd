//! Agents of other people: what their `agent.toml` says.
//!
//! ```toml
//! name = "my-astar"
//! game = "loderunner"                      # left out: any game
//! build = "gcc -O2 -o agent agent.c"       # left out: nothing to build
//! command = "./agent"
//! wire = "text"                            # json (the default), text or term
//! stateless = true                         # a new process every turn: it cannot remember anything
//! processes = 4                            # itself and three that it starts; 1 if left out
//! ```
//!
//! Commands are words, with quotes around those that hold spaces; no shell reads them. They run in the folder of the file.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use anyhow::{Context, Result, anyhow, bail, ensure};
use damier_kit::fault::Fault;
use serde::Deserialize;

use crate::config::toml_mistake;
use crate::protocol::Wire;

/// The name of the file in an agent's folder.
pub const FILE_NAME: &str = "agent.toml";

/// How to run an agent.
#[derive(Debug)]
pub struct Manifest {
    /// Its name.
    pub name: String,
    /// The only game it plays; any if there is none.
    pub game: Option<String>,
    /// The words of the command that builds it, if it has to be built.
    pub build: Option<Vec<String>>,
    /// The words of its command.
    pub command: Vec<String>,
    /// How messages are written.
    pub wire: Wire,
    /// Is the process started anew every turn?
    pub stateless: bool,
    /// How many processes it needs at once, itself included.
    pub processes: u32,
    /// Its own folder: it runs there and may read it.
    pub folder: PathBuf,
    /// How building it went, once that was tried.
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
        let absolute = path.canonicalize().with_context(named)?;
        let folder = absolute.parent().ok_or_else(|| anyhow!("{}: it lies in no folder", named()))?;
        Self::parse(&text, folder).with_context(named)
    }

    /// What the text of an `agent.toml` in this folder says.
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

    /// An agent that is only a command, run in the current folder, with JSON messages.
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

/// The words of a command: separated by spaces, unless single or double quotes keep them together.
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
