//! Recorded games as JSON lines: a start line, one line per action, an end line.
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

use crate::fault::{Fault, Leave, Substituted};
use crate::referee::{Decision, Finish};
use crate::table::{AnyGame, OpenLevel, Table};
use damier_core::game::{Outcome, Seat, Status};
use damier_core::insight::Insight;

/// Version of the format that this program writes. It also reads all older versions.
pub const FORMAT: u32 = 1;

/// The start line: what a game was played with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Start {
    /// Program and version that played it.
    pub engine: String,
    /// The game's name.
    pub game: String,
    /// The rule set's name.
    pub rules: String,
    /// The level's name.
    pub level: String,
    /// The level itself, in the game's own format.
    pub text: String,
    /// The seed of the game's chance.
    pub seed: u64,
    /// The agents' names by seat.
    pub agents: Vec<String>,
    /// The turn limit.
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
    /// Wall time of the decision, in microseconds.
    pub us: u64,
    /// Processor time of the decision, in microseconds, where it is measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu_us: Option<u64>,
    /// The agent's insight.
    #[serde(default, skip_serializing_if = "Insight::is_empty")]
    pub insight: Insight,
    /// What the agent wrote to its log.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub log: String,
    /// The faults because of which the referee substituted the action.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Fault>,
}

/// The end line: how the game ended, from seat 0's point of view.
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
    /// Logs written after the last move: of the seat that lost by a fault or resigned, if there is one, otherwise of all.
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

/// The fields that every version of the start line has.
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

/// A recorded game. Without an end it is unfinished.
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
    /// The recorded game does not follow the rules.
    #[error("move {0}: {1}")]
    Differs(usize, String),
    /// A problem with the game as a whole.
    #[error("{0}")]
    Whole(String),
}

/// A state's hash, as replays write it.
pub fn hash_text(hash: u64) -> String {
    format!("{hash:016x}")
}

/// The substituted answers of each seat in these moves, and in the end if it was by a fault.
pub fn substituted<'a>(
    seats: usize,
    moves: impl IntoIterator<Item = &'a Move>,
    end: Option<&End>,
) -> Vec<Substituted> {
    let mut all = vec![Substituted::default(); seats];
    for step in moves {
        all[step.seat].add(&step.warnings);
    }
    if let Some((seat, fault)) = end.and_then(|end| end.fault.as_ref()) {
        all[*seat].add_last(fault);
    }
    all
}

impl Move {
    /// The line of a decision.
    pub fn of(decision: Decision<'_>) -> Self {
        Self {
            seat: decision.seat,
            action: decision.table.last_action().unwrap_or_default(),
            hash: hash_text(decision.table.hash()),
            us: decision.took.as_micros() as u64,
            cpu_us: decision.cpu.map(|cpu| cpu.as_micros() as u64),
            insight: finite(decision.insight),
            log: decision.log,
            warnings: decision.warnings,
        }
    }
}

/// Removes scores that are not finite: JSON cannot represent them, and the replay could not be read again.
fn finite(mut insight: Insight) -> Insight {
    insight.scores.retain(|(_, score)| score.is_finite());
    insight
}

impl Replay {
    /// The replay of a game about to begin.
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
        let mut parser = Parser::default();
        text.lines().try_for_each(|line| parser.add(line))?;
        parser.finish()
    }

    /// The substituted answers of each seat.
    pub fn substituted(&self) -> Vec<Substituted> {
        substituted(self.start.agents.len(), &self.moves, self.end.as_ref())
    }

    /// The table before the first move.
    pub fn table(&self, game: &dyn AnyGame) -> Result<Box<dyn Table>, ReplayError> {
        Ok(self.open(game)?.table(self.start.seed, 0))
    }

    fn open(&self, game: &dyn AnyGame) -> Result<Box<dyn OpenLevel>, ReplayError> {
        if game.info().rules.iter().all(|rules| rules.name != self.start.rules) {
            return Err(ReplayError::Whole(format!("there is no rule set `{}`", self.start.rules)));
        }
        game.open(&self.start.text, &self.start.rules)
            .map_err(|error| ReplayError::Whole(format!("its level: {error}")))
    }

    /// Replays the game and compares the hash of every state, and the end if there is one.
    pub fn verify(&self, game: &dyn AnyGame) -> Result<(), ReplayError> {
        let open = self.open(game)?;
        self.verify_start(open.facts().seats.len()).map_err(ReplayError::Whole)?;
        let mut table = open.table(self.start.seed, 0);
        for (index, step) in self.moves.iter().enumerate() {
            verify_move(table.as_mut(), step).map_err(|message| ReplayError::Differs(index + 1, message))?;
        }
        match &self.end {
            Some(end) => self.verify_end(table.as_ref(), end).map_err(ReplayError::Whole),
            None => Ok(()),
        }
    }

    fn verify_start(&self, seats: usize) -> Result<(), String> {
        let Start { agents, turn_limit, .. } = &self.start;
        if agents.len() != seats {
            return Err(format!("{} agents are named, but the game has {seats} seats", agents.len()));
        }
        if *turn_limit == 0 {
            return Err("its turn limit is 0".to_owned());
        }
        Ok(())
    }

    /// Checks that the end follows from the rules, the turn limit, a fault or a resignation.
    fn verify_end(&self, table: &dyn Table, end: &End) -> Result<(), String> {
        let finish = self.finish(table, end)?;
        let found = finish.end(table, self.start.agents.len(), 0);
        let described = |end: &End| {
            let End { outcome, reason, turns, scores, fault, .. } = end;
            let fault =
                fault.as_ref().map_or(String::new(), |(seat, _)| format!(" by a fault of seat {seat}"));
            format!("{outcome} ({reason}) after {turns} turns with scores {scores:?}{fault}")
        };
        let log = String::new();
        if found == (End { log, ..end.clone() }) {
            return Ok(());
        }
        Err(format!("the game ends as {}, the replay says {}", described(&found), described(end)))
    }

    /// How the game ended: by the rules, or as the end line says if that is possible here.
    fn finish(&self, table: &dyn Table, end: &End) -> Result<Finish, String> {
        let to_move = match table.status() {
            Status::Over(over) => return Ok(Finish::Over(over)),
            Status::ToMove(seat) => seat,
        };
        if let Some((seat, fault)) = &end.fault {
            // Before the first move any agent may fail to start; later only the one to move can be at fault.
            if *seat != to_move && !self.moves.is_empty() {
                return Err(format!("it ends by a fault of seat {seat}, but seat {to_move} was to move"));
            }
            return Ok(Finish::Fault(*seat, fault.clone()));
        }
        if let Some(reason) = Leave::resignation(&end.reason) {
            return Ok(Finish::Resigned(to_move, reason.to_owned()));
        }
        if table.turns() >= self.start.turn_limit {
            return Ok(Finish::Limit);
        }
        Err(format!(
            "it ends as {} ({}) after {} turns, where the game was not over",
            end.outcome, end.reason, end.turns
        ))
    }
}

/// Maximum number of moves in a replay. More are a mistake or an attack.
const MAX_MOVES: usize = 200_000;

/// Line-by-line parser of a replay, which refuses a huge one before it fills the memory.
#[derive(Default)]
pub struct Parser {
    replay: Option<Replay>,
    lines: usize,
}

impl Parser {
    /// Adds the next line; empty ones are skipped.
    pub fn add(&mut self, line: &str) -> Result<(), ReplayError> {
        self.lines += 1;
        if line.trim().is_empty() {
            return Ok(());
        }
        self.take(line).map_err(|message| ReplayError::Malformed(self.lines, message))
    }

    fn take(&mut self, line: &str) -> Result<(), String> {
        if self.replay.is_none() {
            check_format(line)?;
        }
        let line: Line<'_> = serde_json::from_str(line).map_err(|error| error.to_string())?;
        match (line, &mut self.replay) {
            (Line::Start { format, start }, None) => {
                self.replay = Some(Replay { format, ..Replay::new(start.into_owned()) });
            }
            (Line::Start { .. }, Some(_)) => return Err("a second start line".into()),
            (_, None) => return Err("the first line must be the start line".into()),
            (_, Some(Replay { end: Some(_), .. })) => return Err("a line after the end line".into()),
            (Line::Move(step), Some(replay)) => {
                check_seat(step.seat, replay)?;
                if replay.moves.len() == MAX_MOVES {
                    return Err(format!("a replay has at most {MAX_MOVES} moves"));
                }
                replay.moves.push(step.into_owned());
            }
            (Line::End(end), Some(replay)) => {
                end.fault.iter().try_for_each(|(seat, _)| check_seat(*seat, replay))?;
                replay.end = Some(end.into_owned());
            }
        }
        Ok(())
    }

    /// The replay, after its last line.
    pub fn finish(self) -> Result<Replay, ReplayError> {
        self.replay.ok_or_else(|| ReplayError::Whole("the replay is empty".into()))
    }
}

fn check_seat(seat: Seat, replay: &Replay) -> Result<(), String> {
    let agents = replay.start.agents.len();
    if seat < agents { Ok(()) } else { Err(format!("seat {seat}, but {agents} agents are named")) }
}

/// Checks that this program reads the format of a start line. A line without a format is left to the parser.
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
        Status::ToMove(_) => table.act_or_quit(&step.action).map_err(|illegal| illegal.to_string())?,
    }
    let hash = hash_text(table.hash());
    if hash == step.hash {
        Ok(())
    } else {
        Err(format!("`{}` leads to the state {hash}, the replay says {}", step.action, step.hash))
    }
}
