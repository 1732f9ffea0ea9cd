//! Agents to begin with: a start in every language, and the doors for agents that the original courses ask for.

use std::path::Path;

use anyhow::{Context, Result, anyhow, ensure};

use crate::manifest::FILE_NAME;

/// The name that templates have, until they get their own.
const PLACEHOLDER: &str = "my-agent";

/// Files to begin with.
pub struct Template {
    /// The language as typed, or `door`.
    pub language: &'static str,
    /// The only game it is for; any if there is none.
    pub game: Option<&'static str>,
    /// The files' names and texts.
    files: &'static [(&'static str, &'static str)],
}

/// The files of a folder of `agents/`.
macro_rules! files {
    ($folder:literal: $($name:literal),+) => {
        &[$(($name, include_str!(concat!("../../../agents/", $folder, "/", $name)))),+]
    };
}

/// All templates.
pub const TEMPLATES: &[Template] = &[
    Template { language: "python", game: None, files: files!("python/start": "agent.toml", "agent.py") },
    Template { language: "c", game: None, files: files!("c/start": "agent.toml", "agent.c") },
    Template { language: "prolog", game: None, files: files!("prolog/start": "agent.toml", "agent.pl") },
    Template { language: "rust", game: None, files: files!("rust/start": "agent.toml", "agent.rs") },
    Template {
        language: "javascript",
        game: None,
        files: files!("javascript/start": "agent.toml", "agent.js"),
    },
    Template {
        language: "door",
        game: Some("delirium"),
        files: files!("doors/delirium": "agent.toml", "door.pl", "decision.pl"),
    },
    Template {
        language: "door",
        game: Some("loderunner"),
        files: files!("doors/loderunner": "agent.toml", "build.sh", "door.c", "lode_runner.h", "player.c"),
    },
    Template {
        language: "door",
        game: Some("ricochet"),
        files: files!("doors/ricochet": "agent.toml", "door.pl", "player.pl"),
    },
    Template {
        language: "door",
        game: Some("siam"),
        files: files!("doors/siam": "agent.toml", "door.pl", "player.pl"),
    },
];

/// The template of a language for a game.
pub fn find(game: &str, language: &str) -> Result<&'static Template> {
    let fits = |template: &&Template| template.game.is_none_or(|own| own == game);
    TEMPLATES.iter().filter(fits).find(|template| template.language == language).ok_or_else(|| {
        let languages: Vec<&str> = TEMPLATES.iter().filter(fits).map(|template| template.language).collect();
        anyhow!("there is no template `{language}` for {game}; there are {}", languages.join(", "))
    })
}

impl Template {
    /// Writes the files to a new folder, for this game and with the folder's name.
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
            if *file == FILE_NAME && self.game.is_none() {
                text = text.replacen('\n', &format!("\ngame = \"{game}\"\n"), 1);
            }
            let path = folder.join(file);
            std::fs::write(&path, text).with_context(|| path.display().to_string())?;
        }
        Ok(())
    }
}
