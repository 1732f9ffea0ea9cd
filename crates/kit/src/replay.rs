//! Games kept as JSON lines: a start line, one line per action, an end line.
//!
//! ```json
//! {"t":"start","format":1,"engine":"damier 0.1.0","game":"pacman","rules":"course","level":"original/maze","text":"…","seed":1,…}
//! {"t":"move","seat":0,"action":"left","hash":"9f3c…","us":41,"insight":{"text":"…"}}
//! {"t":"end","outcome":"win","reason":"every pellet eaten","turns":212,"scores":[184]}
//! ```
//!
//! A replay holds the level's text and the seed, so [`Replay::verify`] recomputes every state and compares the hashes. Its
//! start line carries the version of the [format](FORMAT); a replay without one has version 0 and still opens.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::fault::Fault;
use crate::referee::Decision;
use crate::table::{AnyGame, Table};
use damier_core::game::{Outcome, Seat, Status};
use damier_core::insight::Insight;

/// The version of the format that this program writes. It reads this one and all older ones.
pub const FORMAT: u32 = 1;

/// What a game was played with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Start {
    /// Program and version that played it.
    pub engine: String,
    /// The game's name.
    pub game: String,
    /// The rule set's name.
    pub rules: String,
    /// What the level was called.
    pub level: String,
    /// The level itself, in the game's own format.
    pub text: String,
    /// The seed of the game's chance.
    pub seed: u64,
    /// The agents' names by seat.
    pub agents: Vec<String>,
    /// The limit of turns.
    pub turn_limit: u32,
}

/// One action.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Move {
    /// Who acted.
    pub seat: Seat,
    /// The action's name.
    pub action: String,
    /// The hash of the state after it, in hexadecimal.
    pub hash: String,
    /// How long the decision took, in microseconds.
    pub us: u64,
    /// The processor time it took, in microseconds, where that is measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu_us: Option<u64>,
    /// What the agent showed.
    #[serde(default, skip_serializing_if = "Insight::is_empty")]
    pub insight: Insight,
    /// What the agent wrote to its log.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub log: String,
    /// The faults that cost the agent a strike: the action is then not its own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Fault>,
}

/// How it ended, as seat 0 sees it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct End {
    /// The outcome.
    pub outcome: Outcome,
    /// Why, in a few words.
    pub reason: String,
    /// Turns played.
    pub turns: u32,
    /// The scores by seat.
    pub scores: Vec<i64>,
    /// Whose fault ended the game, and what it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<(Seat, Fault)>,
    /// What the seat that lost by a fault wrote to its log after its last move.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub log: String,
}

#[derive(Serialize, Deserialize)]
#[serde(tag = "t", rename_all = "lowercase")]
enum Line<'a> {
    Start {
        #[serde(default, skip_serializing_if = "is_zero")]
        format: u32,
        #[serde(flatten)]
        start: Cow<'a, Start>,
    },
    Move(Cow<'a, Move>),
    End(Cow<'a, End>),
}

/// What every version of the start line has in common.
#[derive(Deserialize)]
#[serde(default)]
struct Version {
    format: u32,
    engine: String,
}

impl Default for Version {
    fn default() -> Self {
        Self { format: 0, engine: "a newer version".to_owned() }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes every field by reference")]
fn is_zero(format: &u32) -> bool {
    *format == 0
}

/// A whole game. Without an end it was broken off.
#[derive(Clone, Debug, PartialEq)]
pub struct Replay {
    /// The version of the format it was written in.
    pub format: u32,
    /// What it was played with.
    pub start: Start,
    /// The actions in order.
    pub moves: Vec<Move>,
    /// How it ended.
    pub end: Option<End>,
}

/// Why a replay cannot be read or does not agree with the rules.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ReplayError {
    /// A line is not what it should be.
    #[error("line {0}: {1}")]
    Malformed(usize, String),
    /// The recorded game does not follow from the rules.
    #[error("move {0}: {1}")]
    Differs(usize, String),
    /// Anything about the game as a whole.
    #[error("{0}")]
    Whole(String),
}

/// A state's hash as it stands in a replay.
pub fn hash_text(hash: u64) -> String {
    format!("{hash:016x}")
}

impl Move {
    /// The line of a decision that was taken.
    pub fn of(decision: Decision<'_>) -> Self {
        Self {
            seat: decision.seat,
            action: decision.table.last_action().unwrap_or_default(),
            hash: hash_text(decision.table.hash()),
            us: decision.took.as_micros() as u64,
            cpu_us: decision.cpu.map(|cpu| cpu.as_micros() as u64),
            insight: decision.insight,
            log: decision.log,
            warnings: decision.warnings,
        }
    }
}

impl Replay {
    /// A game about to begin.
    pub fn new(start: Start) -> Self {
        Self { format: FORMAT, start, moves: Vec::new(), end: None }
    }

    /// The replay as JSON lines.
    pub fn to_json_lines(&self) -> String {
        let start = Line::Start { format: self.format, start: Cow::Borrowed(&self.start) };
        let moves = self.moves.iter().map(|step| Line::Move(Cow::Borrowed(step)));
        let end = self.end.iter().map(|end| Line::End(Cow::Borrowed(end)));
        let mut text = Vec::new();
        for line in std::iter::once(start).chain(moves).chain(end) {
            serde_json::to_writer(&mut text, &line).expect("a replay is plain data");
            text.push(b'\n');
        }
        String::from_utf8(text).expect("JSON is text")
    }

    /// Reads JSON lines.
    pub fn parse(text: &str) -> Result<Self, ReplayError> {
        let mut replay: Option<Self> = None;
        for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let malformed = |message: String| ReplayError::Malformed(index + 1, message);
            if replay.is_none() {
                check_format(line).map_err(malformed)?;
            }
            let line: Line<'_> = serde_json::from_str(line).map_err(|error| malformed(error.to_string()))?;
            match (line, &mut replay) {
                (Line::Start { format, start }, None) => {
                    replay = Some(Self { format, ..Self::new(start.into_owned()) });
                }
                (Line::Start { .. }, Some(_)) => return Err(malformed("a second start line".into())),
                (_, None) => return Err(malformed("the first line must be the start line".into())),
                (_, Some(Self { end: Some(_), .. })) => {
                    return Err(malformed("a line after the end line".into()));
                }
                (Line::Move(action), Some(replay)) => replay.moves.push(action.into_owned()),
                (Line::End(end), Some(replay)) => replay.end = Some(end.into_owned()),
            }
        }
        replay.ok_or_else(|| ReplayError::Whole("the replay is empty".into()))
    }

    /// The table before the first move.
    pub fn table(&self, game: &dyn AnyGame) -> Result<Box<dyn Table>, ReplayError> {
        if game.info().rules.iter().all(|rules| rules.name != self.start.rules) {
            return Err(ReplayError::Whole(format!("there is no rule set `{}`", self.start.rules)));
        }
        let level = game
            .open(&self.start.text, &self.start.rules)
            .map_err(|error| ReplayError::Whole(format!("its level: {error}")))?;
        Ok(level.table(self.start.seed, 0))
    }

    /// Plays the game again and compares every state's hash, and the end.
    pub fn verify(&self, game: &dyn AnyGame) -> Result<(), ReplayError> {
        let mut table = self.table(game)?;
        for (index, step) in self.moves.iter().enumerate() {
            verify_move(table.as_mut(), step).map_err(|message| ReplayError::Differs(index + 1, message))?;
        }
        self.end.as_ref().map_or(Ok(()), |end| verify_end(table.as_ref(), end, self.start.turn_limit))
    }
}

/// Is the start line of a format that this program reads? A line that says nothing of it is judged by the parser.
fn check_format(line: &str) -> Result<(), String> {
    let Version { format, engine } = serde_json::from_str(line).unwrap_or_default();
    if format <= FORMAT {
        return Ok(());
    }
    Err(format!(
        "the replay has format {format}, but this program reads formats up to {FORMAT}; open it with {engine}"
    ))
}

fn verify_move(table: &mut dyn Table, step: &Move) -> Result<(), String> {
    match table.status() {
        Status::Over(over) => return Err(format!("the game was already over: {}", over.reason)),
        Status::ToMove(seat) if seat != step.seat => {
            return Err(format!("seat {} acted, but seat {seat} was to move", step.seat));
        }
        Status::ToMove(_) => table.act_or_leave(&step.action).map_err(|illegal| illegal.to_string())?,
    }
    let hash = hash_text(table.hash());
    if hash == step.hash {
        Ok(())
    } else {
        Err(format!("`{}` leads to the state {hash}, the replay says {}", step.action, step.hash))
    }
}

fn verify_end(table: &dyn Table, end: &End, turn_limit: u32) -> Result<(), ReplayError> {
    let (outcome, reason) = match table.status() {
        Status::Over(over) => (over.outcome(0), over.reason),
        // A game may also end by a fault or because the player left: then the rules have no say in it.
        Status::ToMove(_) if table.turns() < turn_limit => return Ok(()),
        Status::ToMove(_) => (Outcome::Limit, "turn limit"),
    };
    let scores: Vec<i64> = (0..end.scores.len()).map(|seat| table.score(seat)).collect();
    if (outcome, reason, table.turns(), &scores) == (end.outcome, &*end.reason, end.turns, &end.scores) {
        return Ok(());
    }
    Err(ReplayError::Whole(format!(
        "the game ends as {outcome} ({reason}) after {} turns with scores {scores:?}, the replay says {} ({}) after {} with {:?}",
        table.turns(),
        end.outcome,
        end.reason,
        end.turns,
        end.scores
    )))
}
