//! `damier review`.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Result, anyhow};
use damier_core::agent::Budget;
use damier_kit::replay::Replay;
use damier_kit::review::Review;
use damier_kit::time::start_clock;
use serde_json::json;

use super::spinner;
use crate::output::screen;
use crate::{Answer, games};
use damier_arena::store::read_replay;

/// Reviews each game.
pub fn review(files: &[PathBuf], time: Duration, json: bool) -> Result<Answer> {
    for file in files {
        let replay = read_replay(file)?;
        let review = review_of(&replay, time).map_err(|error| anyhow!("{}: {error}", file.display()))?;
        let text = if json {
            json!({"replay": file, "game": replay.start.game, "level": replay.start.level,
                "review": review.as_ref().map(|review| &review.text),
                "remarks": review.as_ref().map_or(&[][..], |review| &review.remarks)})
            .to_string()
        } else {
            as_text(file, review.as_ref())
        };
        if json { writeln!(std::io::stdout(), "{text}")? } else { writeln!(screen(), "{text}")? }
    }
    Ok(Answer::Yes)
}

fn review_of(replay: &Replay, time: Duration) -> Result<Option<Review>> {
    let game = games::find(&replay.start.game)?;
    replay.verify(game)?;
    let open = game.open(&replay.start.text, &replay.start.rules)?;
    let actions: Vec<String> = replay.moves.iter().map(|step| step.action.clone()).collect();
    let clock = start_clock(Budget { time: Some(time), nodes: None });
    let bar = spinner(&replay.start.level);
    let review =
        open.review(replay.start.seed, &actions, &clock, &|message| bar.set_message(message.to_owned()))?;
    bar.finish_and_clear();
    Ok(review)
}

fn as_text(file: &Path, review: Option<&Review>) -> String {
    let Some(review) = review else { return format!("{}: no remarks", file.display()) };
    let mut lines = vec![format!("{}: {}", file.display(), review.text)];
    for remark in &review.remarks {
        let instead = if remark.instead.is_empty() {
            String::new()
        } else {
            format!(" (better: {})", remark.instead.join(", "))
        };
        lines.push(format!(
            "{:>5} {} {}: {}{instead}",
            remark.number, remark.action, remark.kind, remark.text
        ));
    }
    lines.join("\n")
}
