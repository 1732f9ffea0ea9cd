//! Configuration files in TOML: agents, tournaments, suites.

use std::path::Path;

use anyhow::{Result, anyhow};
use serde::Deserialize;

/// Parses TOML; errors name file and line, on one line.
pub fn parse_toml<T: for<'de> Deserialize<'de>>(path: &Path, text: &str) -> Result<T> {
    toml::from_str(text).map_err(|error| anyhow!("{}:{}", path.display(), toml_mistake(text, &error)))
}

/// Line and message of an error, without the excerpt that `toml` draws.
pub fn toml_mistake(text: &str, error: &toml::de::Error) -> String {
    let start = error.span().map_or(0, |span| span.start.min(text.len()));
    let line = text[..start].matches('\n').count() + 1;
    format!("{line}: {}", error.message().replace('\n', " "))
}
