//! `damier generate`: new levels.

use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result, anyhow};
use damier_kit::GenerateRequest;

use crate::Answer;
use crate::games;

/// Options of `damier generate`.
pub struct Request<'a> {
    pub seed: u64,
    pub count: u32,
    pub difficulty: Option<f64>,
    pub size: Option<(u16, u16)>,
    pub rules: Option<&'a str>,
}

/// Prints new levels, or writes each to a file `NAME-SEED.txt` of the folder.
pub fn generate(game: &str, request: &Request, folder: Option<&Path>) -> Result<Answer> {
    let game = games::find(game)?;
    let rules = games::rule_set(game.info(), request.rules)?;
    if let Some(folder) = folder {
        std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    }
    let mut out = std::io::stdout().lock();
    for index in 0..u64::from(request.count) {
        let seed = request.seed.wrapping_add(index);
        let text = game
            .generate(&GenerateRequest {
                seed,
                difficulty: request.difficulty,
                size: request.size,
                rules,
                ..GenerateRequest::default()
            })
            .map_err(|message| anyhow!("{message}"))?;
        if let Some(folder) = folder {
            let path = folder.join(format!("{}-{seed}.txt", game.info().name));
            std::fs::write(&path, text).with_context(|| path.display().to_string())?;
        } else {
            // An empty line separates drawn levels; levels of one line are JSON lines.
            let separator = if index == 0 || text.trim_end().lines().count() == 1 { "" } else { "\n" };
            write!(out, "{separator}{text}")?;
        }
    }
    Ok(Answer::Yes)
}
