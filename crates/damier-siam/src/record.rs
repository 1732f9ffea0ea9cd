//! Games as text: written, read, and marked where a move gave something away.
//!
//! ```text
//! ; rules: official
//! 1. 0-12n 0-54s
//! 2. 12-22n 0-35w
//! ```
//!
//! A game that does not begin with the start position has a line `; position: …/… E 0`. Marks are kept apart from the
//! moves: `?` for a mistake and `??` for a blunder, with what was better.

use std::fmt::Write;

use damier_core::game::{Game, Illegal};
use damier_core::level::{LevelError, LevelText};
use damier_core::random::Smallest;

use crate::action::Move;
use crate::board::Side;
use crate::engine::{Engine, Limits, Question, Score, USUAL_MEMORY};
use crate::evaluate::UNIT;
use crate::level::Level;
use crate::rules::{Ending, RuleSet, Rules, State};

/// A game: where it began and what was played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The rule set.
    pub set: RuleSet,
    /// The first position.
    pub level: Level,
    /// The moves, all legal.
    pub moves: Vec<Move>,
}

impl Record {
    /// Reads a game and plays it through.
    ///
    /// ```
    /// use damier_siam::record::Record;
    /// let record = Record::parse("1. 0-12n 0-54s 2. 12-22n").unwrap();
    /// assert_eq!(record.moves.len(), 3);
    /// assert_eq!(Record::parse(&record.print()).unwrap(), record);
    /// let error = Record::parse("1. 0-12n 0-33s").unwrap_err();
    /// assert_eq!(error.to_string(),
    ///     "line 1, column 10: 33 is not on the border: an animal enters on a border square");
    /// ```
    pub fn parse(text: &str) -> Result<Self, LevelError> {
        let parts = LevelText::parse(text)?;
        let set = parts.header("rules").map_or(Ok(RuleSet::Official), |name| {
            RuleSet::named(name).ok_or_else(|| LevelError::whole(format!("there is no rule set `{name}`")))
        })?;
        let level = parts.header("position").map_or_else(|| Ok(Level::start()), Level::parse)?;
        let rules = Rules::new(level.clone(), set);
        let mut state = rules.start();
        let mut moves = Vec::new();
        for row in &parts.rows {
            for (column, word) in words(row.text) {
                if word.trim_end_matches('.').chars().all(|character| character.is_ascii_digit()) {
                    continue;
                }
                let action = play(&rules, &mut state, word.trim_end_matches(['?', '!']))
                    .map_err(|illegal| LevelError::at(row.line, column, illegal.to_string()))?;
                moves.push(action);
            }
        }
        Ok(Self { set, level, moves })
    }

    /// The game as text.
    pub fn print(&self) -> String {
        self.write(&[])
    }

    /// The game as text, with marks.
    pub fn write(&self, marks: &[Mark]) -> String {
        let mut text = format!("; rules: {}\n", self.set.name());
        if self.level != Level::start() {
            let _ = writeln!(text, "; position: {}", self.level.board);
        }
        for (number, pair) in self.moves.chunks(2).enumerate() {
            let _ = write!(text, "{}.", number + 1);
            for (index, action) in pair.iter().enumerate() {
                let mark = marks.iter().find(|mark| mark.index == 2 * number + index);
                let _ = write!(text, " {action}{}", mark.map_or("", |mark| mark.sign()));
            }
            text.push('\n');
        }
        text
    }

    /// Looks at every move with so many positions each, and marks those that gave something away.
    pub fn mark(&self, nodes: u64) -> Vec<Mark> {
        let rules = Rules::new(self.level.clone(), self.set);
        let mut state = rules.start();
        let mut engine = Engine::new(USUAL_MEMORY);
        let mut marks = Vec::new();
        for (index, &action) in self.moves.iter().enumerate() {
            let question = Question { past: state.past(), ..Question::new(rules.moves(), &state.board) };
            let thought = engine.answer(question, &Limits::nodes(nodes));
            let side = state.board.side();
            rules.apply(&mut state, action, &mut Smallest);
            let score = worth_after(&mut engine, &rules, &state, side, nodes);
            if let Some(better) = thought.best().filter(|&better| better != action)
                && loss(thought.score, score) >= MISTAKE
            {
                marks.push(Mark { index, action, better, before: thought.score, after: score });
            }
        }
        marks
    }
}

/// A win is not worth more than this when moves are compared: to win a little later is no mistake.
const DECIDED: i32 = 6 * UNIT;
const MISTAKE: i32 = 3 * UNIT / 2;
const BLUNDER: i32 = 3 * UNIT;

fn loss(before: Score, after: Score) -> i32 {
    before.0.clamp(-DECIDED, DECIDED) - after.0.clamp(-DECIDED, DECIDED)
}

/// What the position after a move is worth to the side that made it.
fn worth_after(engine: &mut Engine, rules: &Rules, state: &State, side: Side, nodes: u64) -> Score {
    match state.ending {
        Some(Ending::Won(winner)) => Score(if winner == side { DECIDED } else { -DECIDED }),
        Some(_) => Score(0),
        None => {
            let question = Question { past: state.past(), ..Question::new(rules.moves(), &state.board) };
            Score(-engine.answer(question, &Limits::nodes(nodes)).score.0)
        }
    }
}

/// A move that gave something away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    /// Which move of the game, from 0.
    pub index: usize,
    /// The move.
    pub action: Move,
    /// What the engine would have played.
    pub better: Move,
    /// The worth of the position before the move, to who made it.
    pub before: Score,
    /// The worth after it.
    pub after: Score,
}

impl Mark {
    /// `?` for a mistake, `??` for a blunder.
    pub fn sign(&self) -> &'static str {
        if loss(self.before, self.after) >= BLUNDER { "??" } else { "?" }
    }
}

fn play(rules: &Rules, state: &mut State, word: &str) -> Result<Move, Illegal> {
    let action = Move::parse(word)?;
    rules.check(state, action)?;
    rules.apply(state, action, &mut Smallest);
    Ok(action)
}

/// The words of a line with the columns in which they begin, from 1.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split_whitespace().map(|word| {
        let offset = word.as_ptr() as usize - text.as_ptr() as usize;
        (text[..offset].chars().count() + 1, word)
    })
}
