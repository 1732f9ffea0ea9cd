//! Agents installed in the data folder.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use damier_core::game::Seat;
use damier_host::contestant::Contestant;
use damier_host::seats;
use damier_kit::Info;
use damier_kit::table::OpenLevel;
use damier_process::agents::foreign;
use damier_process::manifest::{FILE_NAME, Manifest};
use damier_process::templates;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::body::Body;
use crate::error::{Answer, ApiError};
use crate::games;
use crate::server::Shared;

/// Maximum number of agents installed through the page; more can be copied into the folder by hand.
const MAX_INSTALLED: usize = 200;

/// The folder of installed agents: one folder each, with an `agent.toml`.
pub struct Agents {
    folder: PathBuf,
    /// Cache of built-in agents known to play a game, rule set and seat: for some, finding out takes long.
    known: Mutex<BTreeSet<(&'static str, String, String, Seat)>>,
}

/// An agent installed in the data folder.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "InstalledAgent")]
pub struct Installed {
    /// Its folder's name, by which requests name it.
    pub name: String,
    /// Where it comes from, as a sentence.
    pub about: String,
    /// The only game it plays; `null` if it plays any.
    pub game: Option<String>,
    /// What is wrong with its `agent.toml`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

impl Agents {
    /// The agents of a data folder.
    pub fn new(data: &Path) -> Self {
        Self { folder: data.join("agents"), known: Mutex::default() }
    }

    /// Their folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// All installed agents by name.
    pub fn installed(&self) -> Vec<Installed> {
        let entries = std::fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let mut names: Vec<String> = entries
            .filter(|entry| entry.path().join(FILE_NAME).is_file())
            .filter_map(|entry| entry.file_name().into_string().ok())
            .filter(|name| is_plain(name))
            .collect();
        names.sort();
        names.into_iter().map(|name| self.describe(name)).collect()
    }

    fn describe(&self, name: String) -> Installed {
        match self.manifest(&name) {
            Ok(manifest) => {
                let games = manifest.game.as_deref().map_or("any game".to_owned(), str::to_owned);
                let about = format!("your own agent for {games}: {}", manifest.command.join(" "));
                Installed { name, about, game: manifest.game, problem: None }
            }
            Err(error) => {
                let about = "your own agent".to_owned();
                Installed { name, about, game: None, problem: Some(format!("{error:#}")) }
            }
        }
    }

    /// The agents that can play a game.
    pub fn playing(&self, game: &str) -> Vec<Installed> {
        let plays = |agent: &Installed| {
            agent.problem.is_none() && agent.game.as_deref().is_none_or(|own| own == game)
        };
        self.installed().into_iter().filter(plays).collect()
    }

    fn manifest(&self, name: &str) -> anyhow::Result<Manifest> {
        Manifest::read(&self.folder.join(name).join(FILE_NAME))
            .map_err(|error| anyhow::anyhow!("{}", error.root_cause()))
    }

    /// Checks that an agent can take this seat under these rules.
    pub fn check(
        &self,
        agent: &Contestant,
        info: &'static Info,
        open: &dyn OpenLevel,
        seat: Seat,
    ) -> Answer<()> {
        let key = (info.name, open.rules().to_owned(), agent.name().to_owned(), seat);
        let known = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if matches!(agent, Contestant::BuiltIn(_)) && known().contains(&key) {
            return Ok(());
        }
        seats::check(agent, info, open, seat)?;
        known().insert(key);
        Ok(())
    }

    /// The agent of this name: built into the game or installed, never a command or a path.
    pub fn find(&self, info: &Info, name: &str) -> Answer<Contestant> {
        if info.agents.iter().any(|agent| agent.name == name) {
            return Ok(Contestant::built_in(name));
        }
        if is_plain(name) && self.folder.join(name).join(FILE_NAME).is_file() {
            return Ok(foreign(self.manifest(name)?));
        }
        let names: Vec<&str> = info.agents.iter().map(|agent| agent.name).collect();
        Err(ApiError::bad(format!("{} has no agent of this name; it has {}", info.name, names.join(", "))))
    }
}

/// Is it a plain name, safe as the name of a file or folder?
pub fn is_plain(name: &str) -> bool {
    let letters = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
    letters && !name.is_empty() && name.len() <= 60
}

/// A template for new agents.
#[derive(Serialize, JsonSchema)]
struct AgentTemplate {
    /// The language, or `door` for the door of the original course.
    language: &'static str,
    /// The games it is for.
    games: Vec<&'static str>,
}

/// The agents of the data folder, and the templates for new ones.
#[derive(Serialize, JsonSchema)]
pub struct AgentList {
    installed: Vec<Installed>,
    templates: Vec<AgentTemplate>,
    /// The agents' folder.
    folder: String,
}

/// A new agent.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NewAgent {
    /// One of the templates.
    language: String,
    /// The game it will play.
    game: String,
    /// Its name: letters, digits, hyphens and underscores.
    name: String,
}

/// The agents of the data folder, and the templates for new ones.
pub async fn list(State(shared): State<Shared>) -> Answer<Json<AgentList>> {
    let again = shared.clone();
    shared
        .run_blocking(move || {
            let mut templates_found: Vec<AgentTemplate> = Vec::new();
            for game in again.games.iter().map(|game| game.info()) {
                for templates::Template { language, .. } in templates::all(game) {
                    match templates_found.iter_mut().find(|known| known.language == language) {
                        Some(known) => known.games.push(game.name),
                        None => templates_found.push(AgentTemplate { language, games: vec![game.name] }),
                    }
                }
            }
            let folder = again.agents.folder.display().to_string();
            Ok(Json(AgentList { installed: again.agents.installed(), templates: templates_found, folder }))
        })
        .await
}

/// Creates an agent in the data folder from a template.
pub async fn create(State(shared): State<Shared>, Body(request): Body<NewAgent>) -> Answer<Json<Installed>> {
    let again = shared.clone();
    shared.run_blocking(move || install(&again, request).map(Json)).await
}

fn install(shared: &Shared, request: NewAgent) -> Answer<Installed> {
    let NewAgent { language, game, name } = request;
    let game = games::find(shared, &game)?.info();
    if !is_plain(&name) {
        return Err(ApiError::bad(
            "an agent's name must have 1 to 60 letters, digits, hyphens or underscores",
        ));
    }
    let built_in = shared.games.iter().flat_map(|game| game.info().agents).any(|agent| agent.name == name);
    let folder = shared.agents.folder.join(&name);
    if built_in || folder.exists() {
        return Err(ApiError::new(StatusCode::CONFLICT, "an agent of this name already exists"));
    }
    if shared.agents.installed().len() >= MAX_INSTALLED {
        return Err(ApiError::bad(format!("at most {MAX_INSTALLED} agents can be installed")));
    }
    let template = templates::find(game, &language)?;
    template.write(game.name, &folder).map_err(|_| ApiError::internal("cannot write to the data folder"))?;
    Ok(shared.agents.describe(name))
}
