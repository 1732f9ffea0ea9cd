//! `damier trace`: one JSON state per turn.

use std::io::{BufWriter, Write};
use std::path::Path;

use anyhow::{Context, Result, anyhow};
use serde_json::Value;

use crate::Answer;
use crate::args::Setting;
use crate::games;
use damier_host::levels;

/// Source of the actions.
pub enum Run<'a> {
    /// Actions as typed.
    Actions(&'a str),
    /// A file with a run in the game's own format.
    Recording(&'a Path),
}

/// Plays a run and prints the states.
pub fn trace(setting: &Setting, run: &Run, last: bool) -> Result<Answer> {
    let game = games::find(&setting.game.game)?;
    let rules = games::rule_set(game.info(), setting.start.rules.as_deref())?;
    let level = levels::find_one(game, setting.start.level.as_deref(), rules)?;
    let open = levels::open(game, &level, rules)?;
    let mut out = BufWriter::new(std::io::stdout().lock());
    let mut written = Ok(());
    let mut final_state = None;
    let mut line = |state: Value| {
        if last {
            final_state = Some(state);
        } else if written.is_ok() {
            written = writeln!(out, "{state}");
        }
    };
    let played = match run {
        Run::Actions(actions) => open.trace(actions, setting.start.seed, &mut line).map(|()| None),
        Run::Recording(file) => {
            let text = std::fs::read_to_string(file).with_context(|| file.display().to_string())?;
            open.trace_recording(&text, &mut line)
        }
    };
    written?;
    if let Some(state) = final_state {
        writeln!(out, "{state}")?;
    }
    out.flush()?;
    match played.map_err(|illegal| anyhow!("{illegal}"))? {
        None => Ok(Answer::Yes),
        Some(difference) => {
            eprintln!("{difference}");
            Ok(Answer::No)
        }
    }
}
