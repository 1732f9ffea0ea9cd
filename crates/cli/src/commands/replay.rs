//! `damier replay` and `damier verify`.

use std::collections::HashMap;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use damier_arena::plan::Plan;
use damier_arena::schedule::Fixture;
use damier_arena::standings::schedule_of;
use damier_arena::store::{Store, read_replay};
use damier_kit::replay::Replay;

use super::progress_bar;
use crate::output::{report_error, screen};
use crate::{Answer, games, terminal};

/// Shows a replay: in the terminal, or as text for a pipe.
pub fn show(file: &Path) -> Result<Answer> {
    let replay = read_replay(file)?;
    if std::io::stdout().is_terminal() && std::io::stdin().is_terminal() {
        return terminal::replay(&replay);
    }
    writeln!(screen(), "{}", as_text(&replay))?;
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
        lines.extend(step.warnings.iter().map(|fault| format!("      ! {fault}")));
        lines.extend(log_lines(&step.log));
    }
    lines.push(match &replay.end {
        Some(end) => format!("{} ({}) after {} turns", end.outcome, end.reason, end.turns),
        None => "unfinished".to_owned(),
    });
    lines.extend(replay.end.iter().flat_map(|end| log_lines(&end.log)));
    for (name, substituted) in start.agents.iter().zip(replay.substituted()) {
        lines.extend(substituted.sentence().map(|sentence| format!("{name}: {sentence}")));
    }
    lines.join("\n")
}

/// An agent's log below its decision.
fn log_lines(log: &str) -> impl Iterator<Item = String> {
    log.lines().map(|line| format!("      | {line}"))
}

/// Verifies each replay, and all games of each store. Reports files that cannot be read, and continues with the others.
pub fn verify(files: &[PathBuf]) -> Result<Answer> {
    let mut answer = Answer::Yes;
    for file in files {
        let verified = if Store::is_store(file) {
            verify_store(file)
        } else {
            read_replay(file).and_then(|replay| verify_replay(&replay).context(file.display().to_string()))
        };
        match verified {
            Ok(verified) => {
                answer = answer.worse_of(if verified.is_ok() { Answer::Yes } else { Answer::No });
                let verdict = verified.unwrap_or_else(|wrong| wrong);
                writeln!(screen(), "{}: {verdict}", file.display())?;
            }
            Err(error) => answer = report_error(&error),
        }
    }
    Ok(answer)
}

/// Summary of a verified replay, or what is wrong with it.
type Verified = Result<String, String>;

fn verify_replay(replay: &Replay) -> Result<Verified> {
    let moves = replay.moves.len();
    Ok(match replay.verify(games::find(&replay.start.game)?) {
        Err(differs) => Err(format!("differs: {differs}")),
        Ok(()) if replay.end.is_none() => {
            Err(format!("unfinished: it stops after {moves} moves, without an end"))
        }
        Ok(()) => Ok(format!("ok, {moves} moves")),
    })
}

/// Verifies that every replay of a store follows the rules and belongs to its game.
fn verify_store(file: &Path) -> Result<Verified> {
    let store = Store::open(file)?;
    let (plan, results) = (store.plan()?, store.results()?);
    let numbers = store.replayed()?;
    let fixtures: HashMap<usize, Fixture> =
        schedule_of(&plan, &results).fixtures.into_iter().map(|game| (game.number, game)).collect();
    let bar = progress_bar(numbers.len() as u64);
    let mut moves = 0;
    for &number in &numbers {
        let wrong = |what: String| Ok(Err(format!("game {number}: {what}")));
        let replay = match store.replay(number) {
            Ok(replay) => replay,
            Err(error) => return wrong(format!("{error:#}")),
        };
        let planned = fixtures.get(&number).is_some_and(|game| is_planned(&plan, game, &replay));
        if !planned {
            return wrong("the replay is of another game than the store claims".to_owned());
        }
        let end = replay.end.as_ref().map(|end| (end.outcome, end.turns, &end.scores));
        let record = &results[&number];
        if end != Some((record.outcomes[0], record.turns, &record.scores)) {
            return wrong("the replay ends differently than the store claims".to_owned());
        }
        if let Err(differs) = verify_replay(&replay)? {
            return wrong(differs);
        }
        moves += replay.moves.len();
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(Ok(format!("ok, {} games, {moves} moves", numbers.len())))
}

/// Does the replay have the level, seed and turn limit that the plan sets for the game?
fn is_planned(plan: &Plan, game: &Fixture, replay: &Replay) -> bool {
    let (event, start) = (&plan.events[game.event], &replay.start);
    let level = &event.levels[game.level].name;
    (&start.game, &start.rules, &start.level, start.seed, start.turn_limit)
        == (&event.game, &event.rules, level, game.seed, event.turns)
}
