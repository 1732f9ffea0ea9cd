//! `damier trace`: one JSON state per turn.

use std::io::{BufWriter, Write};

use anyhow::{Result, anyhow};
use serde_json::Value;

use crate::Answer;
use crate::args::Setting;
use crate::games;
use crate::levels;

/// Plays the actions and prints the states.
pub fn trace(setting: &Setting, actions: &str, last: bool) -> Result<Answer> {
    let game = games::find(&setting.game.game)?;
    let rules = games::rule_set(game.info(), setting.rules.as_deref())?;
    let level = levels::find_one(game, setting.level.as_deref(), rules)?;
    let open = levels::open(game, &level, rules)?;
    let mut out = BufWriter::new(std::io::stdout().lock());
    let mut written = Ok(());
    let mut final_state = None;
    let played = open.trace(actions, setting.seed, &mut |state: Value| {
        if last {
            final_state = Some(state);
        } else if written.is_ok() {
            written = writeln!(out, "{state}");
        }
    });
    written?;
    if let Some(state) = final_state {
        writeln!(out, "{state}")?;
    }
    out.flush()?;
    played.map_err(|illegal| anyhow!("{illegal}"))?;
    Ok(Answer::Yes)
}
