//! Templates of agents: one per language, and each game's door for agents with the interface of its original course.

use std::path::Path;

use anyhow::{Context, Result, anyhow, ensure};
use damier_agents::STARTS;
use damier_kit::Info;

use crate::manifest::FILE_NAME;

/// Name of the agents in templates, replaced by the folder's name.
const PLACEHOLDER: &str = "my-agent";

/// Language name of a game's own door.
const DOOR: &str = "door";

/// Files of a new agent.
pub struct Template {
    /// The language as typed, or `door`.
    pub language: &'static str,
    /// Is it a game's door? Its manifest names the game already.
    door: bool,
    /// The files' names and texts.
    files: &'static [(&'static str, &'static str)],
}

/// All templates for a game.
pub fn all(game: &Info) -> impl Iterator<Item = Template> + use<> {
    let starts =
        STARTS.iter().map(|start| Template { language: start.language, door: false, files: start.files });
    let door = (!game.door.is_empty()).then_some(Template { language: DOOR, door: true, files: game.door });
    starts.chain(door)
}

/// The template of a language for a game.
pub fn find(game: &Info, language: &str) -> Result<Template> {
    all(game).find(|template| template.language == language).ok_or_else(|| {
        let languages: Vec<&str> = all(game).map(|template| template.language).collect();
        anyhow!("there is no template `{language}` for {}; there are {}", game.name, languages.join(", "))
    })
}

impl Template {
    /// Writes the files to a new folder; the agent gets the folder's name.
    pub fn write(&self, game: &str, folder: &Path) -> Result<()> {
        let named = || folder.display().to_string();
        let empty = std::fs::read_dir(folder).map_or(true, |mut entries| entries.next().is_none());
        ensure!(empty, "{}: this folder is not empty", named());
        std::fs::create_dir_all(folder).with_context(named)?;
        let name = folder.file_name().map_or(PLACEHOLDER.into(), |name| name.to_string_lossy());
        let name: String =
            name.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '-' }).collect();
        for (file, text) in self.files {
            let mut text = text.replace(PLACEHOLDER, &name);
            if *file == FILE_NAME && !self.door {
                text = text.replacen('\n', &format!("\ngame = \"{game}\"\n"), 1);
            }
            let path = folder.join(file);
            std::fs::write(&path, text).with_context(|| path.display().to_string())?;
        }
        Ok(())
    }
}
