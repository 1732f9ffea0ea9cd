//! `damier replay` and `damier verify`.

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow};
use damier_core::replay::Replay;

use crate::{Answer, games, terminal};
use damier_arena::replays;

/// Shows a replay: in the terminal, or as text for a pipe.
pub fn show(file: &Path) -> Result<Answer> {
    let replay = replays::read(file)?;
    if std::io::stdout().is_terminal() && std::io::stdin().is_terminal() {
        return terminal::replay(&replay);
    }
    let mut out = std::io::stdout().lock();
    writeln!(out, "{}", as_text(&replay))?;
    Ok(Answer::Yes)
}

fn as_text(replay: &Replay) -> String {
    let start = &replay.start;
    let mut lines = vec![format!(
        "{} ({}) on {}, seed {}, played by {}\n{}",
        start.game,
        start.rules,
        start.level,
        start.seed,
        start.agents.join(" against "),
        start.text.trim_end()
    )];
    for (index, step) in replay.moves.iter().enumerate() {
        lines.push(format!("{:>5} {} {} {}", index + 1, step.seat, step.action, step.insight.text));
    }
    lines.push(match &replay.end {
        Some(end) => format!("{} ({}) after {} turns", end.outcome, end.reason, end.turns),
        None => "broken off".to_owned(),
    });
    lines.join("\n")
}

/// Recomputes each replay.
pub fn verify(files: &[PathBuf]) -> Result<Answer> {
    let mut answer = Answer::Yes;
    for file in files {
        let replay = replays::read(file)?;
        let game = games::find(&replay.start.game).map_err(|error| anyhow!("{}: {error}", file.display()))?;
        let verdict = match replay.verify(game) {
            Ok(()) => format!("ok, {} moves", replay.moves.len()),
            Err(error) => {
                answer = Answer::No;
                format!("differs: {error}")
            }
        };
        writeln!(std::io::stdout().lock(), "{}: {verdict}", file.display())?;
    }
    Ok(answer)
}
