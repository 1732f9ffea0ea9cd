//! `damier convert`: levels in another format.

use std::io::Write;

use anyhow::{Result, anyhow, bail};

use crate::Answer;
use crate::games;
use crate::output::report_error;
use damier_host::levels;

/// Prints each level in the format. Reports levels that cannot be read or written, and continues with the others.
pub fn convert(game: &str, format: &str, rules: Option<&str>, names: &[String]) -> Result<Answer> {
    let game = games::find(game)?;
    let info = game.info();
    if info.formats.iter().all(|known| known.name != format) {
        let names: Vec<_> = info.formats.iter().map(|format| format.name).collect();
        bail!("{} has no format `{format}`; it has {}", info.name, names.join(", "));
    }
    let rules = games::rule_set(info, rules)?;
    let mut out = std::io::stdout().lock();
    let mut answer = Answer::Yes;
    for level in levels::find_each(game, names, rules) {
        let printed = level.and_then(|level| {
            let open = levels::open(game, &level, rules)?;
            open.print(format).map_err(|error| anyhow!("{}: {error}", level.name))
        });
        match printed {
            Ok(text) => write!(out, "{text}")?,
            Err(error) => answer = report_error(&error),
        }
    }
    Ok(answer)
}
