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
//!
//! [door]                                   # settings of a door, passed to `build` and `command` as arguments `key=value`
//! file = "player.pl"
//! ```
//!
//! Commands are split into words at spaces, except inside quotes; no shell reads them. They run in the folder of the file.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

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
    /// The only game it plays; `None` if it plays any.
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
    /// Cached result of the build; failures of the machine are not cached.
    pub(crate) built: Mutex<Option<Result<(), Fault>>>,
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
    #[serde(default)]
    door: BTreeMap<String, String>,
}

fn one() -> u32 {
    1
}

impl Manifest {
    /// Reads an `agent.toml`.
    pub fn read(path: &Path) -> Result<Self> {
        let named = || path.display().to_string();
        let text = read_short_file(path).with_context(named)?;
        // On Windows, a canonical path has a form that many programs do not accept.
        let absolute = if cfg!(windows) { std::path::absolute(path) } else { path.canonicalize() };
        let absolute = absolute.with_context(named)?;
        let folder = absolute.parent().ok_or_else(|| anyhow!("{}: it is not in a folder", named()))?;
        Self::parse(&text, folder).with_context(named)
    }

    /// Parses the text of an `agent.toml` in this folder.
    pub fn parse(text: &str, folder: &Path) -> Result<Self> {
        let Text { name, game, build, command, wire, stateless, processes, door } =
            toml::from_str(text).map_err(|error| anyhow!("line {}", toml_mistake(text, &error)))?;
        ensure!(!name.trim().is_empty(), "`name` is empty");
        ensure!(processes >= 1, "`processes` counts the agent itself: it is at least 1");
        let settings: Vec<String> = door.iter().map(|(key, value)| format!("{key}={value}")).collect();
        let with_settings = |command: &str| words(command).map(|words| [words, settings.clone()].concat());
        let build = build.as_deref().map(with_settings).transpose().context("`build`")?;
        let command = with_settings(&command).context("`command`")?;
        let folder = folder.to_owned();
        Ok(Self { name, game, build, command, wire, stateless, processes, folder, built: Mutex::default() })
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
            built: Mutex::default(),
        })
    }
}

/// Maximum size of a manifest, in bytes.
const MAX_SIZE: u64 = 64 << 10;

/// Reads an untrusted file. Links are refused: one could lead to another agent's file.
fn read_short_file(path: &Path) -> Result<String> {
    let metadata = path.symlink_metadata()?;
    ensure!(metadata.is_file(), "it must be a regular file, not a link or a folder");
    let mut text = String::new();
    File::open(path)?.take(MAX_SIZE + 1).read_to_string(&mut text)?;
    ensure!(text.len() as u64 <= MAX_SIZE, "it is larger than {} KB", MAX_SIZE >> 10);
    Ok(text)
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
    fn settings_of_a_door_are_words_of_its_commands() {
        let text = "name = \"a\"\nbuild = \"make\"\ncommand = \"./a\"\n[door]\nwest = \"o\"\ncall = \"f(Board, 'x')\"";
        let manifest = Manifest::parse(text, Path::new("/agents/a")).unwrap();
        assert_eq!(manifest.command, ["./a", "call=f(Board, 'x')", "west=o"]);
        assert_eq!(manifest.build.unwrap(), ["make", "call=f(Board, 'x')", "west=o"]);
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

    #[cfg(unix)]
    #[test]
    fn links_and_huge_files_are_no_manifests() {
        let folder = std::env::temp_dir().join(format!("manifest-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let (real, link, huge) =
            (folder.join("real.toml"), folder.join("link.toml"), folder.join("huge.toml"));
        std::fs::write(&real, "name = 'x'\ncommand = 'x'\n").unwrap();
        std::os::unix::fs::symlink(&real, &link).unwrap();
        std::fs::write(&huge, "#".repeat(MAX_SIZE as usize + 1)).unwrap();
        let refusal = |path: &Path| format!("{:#}", Manifest::read(path).unwrap_err());
        assert!(Manifest::read(&real).is_ok());
        assert!(refusal(&link).contains("not a link"), "{}", refusal(&link));
        assert!(refusal(&huge).contains("larger than 64 KB"), "{}", refusal(&huge));
        std::fs::remove_dir_all(folder).unwrap();
    }
}
