//! `damier replay` and `damier verify`.

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow};
use damier_kit::replay::{Replay, ReplayError};

use super::progress_bar;
use crate::{Answer, games, terminal};
use damier_arena::store::Store;
use damier_arena::store::read_replay;

/// Shows a replay: in the terminal, or as text for a pipe.
pub fn show(file: &Path) -> Result<Answer> {
    let replay = read_replay(file)?;
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

/// Recomputes each replay, and all games of each store.
pub fn verify(files: &[PathBuf]) -> Result<Answer> {
    let mut answer = Answer::Yes;
    for file in files {
        let verified =
            if Store::is_store(file) { verify_store(file) } else { verify_replay(&read_replay(file)?) };
        let verified = verified.map_err(|error| anyhow!("{}: {error}", file.display()))?;
        let verdict = verified.unwrap_or_else(|differs| {
            answer = Answer::No;
            format!("differs: {differs}")
        });
        writeln!(std::io::stdout().lock(), "{}: {verdict}", file.display())?;
    }
    Ok(answer)
}

/// How a replay was recomputed, or in what it differs.
type Verified = Result<String, ReplayError>;

fn verify_replay(replay: &Replay) -> Result<Verified> {
    let verified = replay.verify(games::find(&replay.start.game)?);
    Ok(verified.map(|()| format!("ok, {} moves", replay.moves.len())))
}

/// Does every replay of a store follow from the rules, and end as the store says?
fn verify_store(file: &Path) -> Result<Verified> {
    let store = Store::open(file)?;
    let results = store.results()?;
    let numbers = store.replayed()?;
    let bar = progress_bar(numbers.len() as u64);
    let mut moves = 0;
    for &number in &numbers {
        let replay = store.replay(number)?;
        let end = replay.end.as_ref().map(|end| (end.outcome, end.turns, &end.scores));
        let record = &results[&number];
        if end != Some((record.outcomes[0], record.turns, &record.scores)) {
            let differs = format!("game {number}: the replay ends otherwise than the store says");
            return Ok(Err(ReplayError::Whole(differs)));
        }
        if let Err(differs) = verify_replay(&replay)? {
            return Ok(Err(ReplayError::Whole(format!("game {number}: {differs}"))));
        }
        moves += replay.moves.len();
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(Ok(format!("ok, {} games, {moves} moves", numbers.len())))
}
