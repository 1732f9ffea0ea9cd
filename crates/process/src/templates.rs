//! Templates of agents: one per language, and each game's door for agents with the interface of its original course.
//!
//! A door consists of its manifest and its folder `door`. Other files of its template are an example, to be replaced by a student's project.

use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, anyhow, ensure};
use damier_agents::{PROLOG_DOOR, TEMPLATES};
use damier_kit::Info;

use crate::manifest::{FILE_NAME, Manifest};

/// Name of the agents in templates, replaced by the folder's name.
const PLACEHOLDER: &str = "my-agent";

/// Language name of a game's own door, and the folder that a door has in an agent's folder.
const DOOR: &str = "door";

/// Prefix of lines in a door's answer to `describe` that are settings for the manifest.
const SETTING: &str = "[door] ";

/// A file's path in the agent's folder, and its text.
type File = (&'static str, &'static str);

/// Files of a new agent.
pub struct Template {
    /// The language as typed, or `door`.
    pub language: &'static str,
    /// Is it a game's door? Its manifest names the game already.
    door: bool,
    files: Vec<File>,
}

/// All templates for a game.
pub fn all(game: &Info) -> impl Iterator<Item = Template> + use<> {
    let languages = TEMPLATES.iter().map(|template| Template {
        language: template.language,
        door: false,
        files: template.files.to_vec(),
    });
    let door = (!game.door.is_empty()).then(|| {
        let prolog = game.door.iter().any(|(name, _)| *name == "door/door.pl");
        let shared = if prolog { PROLOG_DOOR } else { &[] };
        Template { language: DOOR, door: true, files: [game.door, shared].concat() }
    });
    languages.chain(door)
}

/// The template of a language for a game.
pub fn find(game: &Info, language: &str) -> Result<Template> {
    all(game).find(|template| template.language == language).ok_or_else(|| {
        let languages: Vec<&str> = all(game).map(|template| template.language).collect();
        if language == DOOR {
            let why = "its course asked for a whole program and defined no interface for agents";
            return anyhow!(
                "there is no door for {}: {why}; the templates are {}",
                game.name,
                languages.join(", ")
            );
        }
        anyhow!(
            "there is no template `{language}` for {}; the templates are {}",
            game.name,
            languages.join(", ")
        )
    })
}

impl Template {
    /// Writes the files to a new folder; the agent gets the folder's name.
    pub fn write(&self, game: &str, folder: &Path) -> Result<()> {
        create_empty(folder)?;
        self.files.iter().try_for_each(|file| self.write_file(*file, game, folder))
    }

    /// Copies an existing project to a new folder and adds the door. Returns what the door finds in the project.
    pub fn adopt(&self, game: &str, project: &Path, folder: &Path) -> Result<Vec<String>> {
        ensure!(self.door, "--from takes a project of the original course: the template must be `door`");
        let named = || project.display().to_string();
        ensure!(project.is_dir(), "{}: there is no such folder", named());
        for taken in [FILE_NAME, DOOR] {
            ensure!(!project.join(taken).exists(), "{}: it has a `{taken}` already", named());
        }
        create_empty(folder)?;
        let (project, target) = (project.canonicalize().with_context(named)?, folder.canonicalize()?);
        copy_folder(&project, &target, &target)?;
        let own = |file: &&File| file.0 == FILE_NAME || file.0.starts_with("door/");
        self.files.iter().filter(own).try_for_each(|file| self.write_file(*file, game, folder))?;
        describe(&folder.join(FILE_NAME))
    }

    fn write_file(&self, (file, text): File, game: &str, folder: &Path) -> Result<()> {
        let name = folder.file_name().map_or(PLACEHOLDER.into(), |name| name.to_string_lossy());
        let name: String =
            name.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '-' }).collect();
        let mut text = text.replace(PLACEHOLDER, &name);
        if file == FILE_NAME && !self.door {
            text = text.replacen('\n', &format!("\ngame = \"{game}\"\n"), 1);
        }
        let path = folder.join(file);
        let named = || path.display().to_string();
        path.parent().map_or(Ok(()), fs::create_dir_all).with_context(named)?;
        fs::write(&path, text).with_context(named)
    }
}

fn create_empty(folder: &Path) -> Result<()> {
    let named = || folder.display().to_string();
    let empty = fs::read_dir(folder).map_or(true, |mut entries| entries.next().is_none());
    ensure!(empty, "{}: the folder is not empty", named());
    fs::create_dir_all(folder).with_context(named)
}

/// Copies a folder's files, without hidden ones and without `except`, which may be inside it.
fn copy_folder(from: &Path, to: &Path, except: &Path) -> Result<()> {
    let named = || from.display().to_string();
    for entry in fs::read_dir(from).with_context(named)? {
        let entry = entry.with_context(named)?;
        let (path, target) = (entry.path(), to.join(entry.file_name()));
        if entry.file_name().to_string_lossy().starts_with('.') || path == except {
            continue;
        }
        if path.is_dir() {
            fs::create_dir_all(&target).with_context(|| target.display().to_string())?;
            copy_folder(&path, &target, except)?;
        } else if path.is_file() {
            fs::copy(&path, &target).with_context(|| path.display().to_string())?;
        }
    }
    Ok(())
}

/// Asks a door what it finds in the project, by running its first program with the extra argument `describe`, which reads the sources
/// without running them. Adds the settings that it finds to the manifest.
fn describe(path: &Path) -> Result<Vec<String>> {
    let manifest = Manifest::read(path)?;
    let words = manifest.build.as_ref().unwrap_or(&manifest.command);
    let output = Command::new(&words[0])
        .args(&words[1..])
        .arg("describe")
        .current_dir(&manifest.folder)
        .stdin(Stdio::null())
        .output()
        .with_context(|| format!("cannot run `{}`, which this door needs", words[0]))?;
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    ensure!(output.status.success(), "the door cannot read the project: {}", err.trim());
    let (settings, found): (Vec<&str>, Vec<&str>) = out.lines().partition(|line| line.starts_with(SETTING));
    let mut text = fs::read_to_string(path)?;
    if !settings.is_empty() {
        text.push_str("\n[door]\n");
    }
    for setting in settings {
        let (key, value) = setting[SETTING.len()..].split_once('=').unwrap_or_default();
        writeln!(text, "{key} = {}", toml::Value::from(value))?;
    }
    fs::write(path, text)?;
    Ok(found.into_iter().map(str::to_owned).collect())
}
