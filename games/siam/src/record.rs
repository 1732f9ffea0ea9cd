//! Games as text, with marks for mistakes.
//!
//! ```text
//! ; rules: official
//! 1. 0-12n 0-54s
//! 2. 12-22n 0-35w
//! ```
//!
//! A game that does not begin with the start position has a line `; position: …/… E 0`. Marks are stored apart from the
//! moves: `?` for a mistake and `??` for a blunder, with the better move.

use std::fmt::Write;

use damier_core::game::{Game, Illegal};
use damier_core::level::{LevelError, LevelText};
use damier_core::random::Smallest;

use crate::action::Move;
use crate::engine::{DEFAULT_MEMORY, Engine, Question, Score, SearchLimits, Thought};
use crate::evaluate::UNIT;
use crate::level::Level;
use crate::rules::{Ending, RuleSet, Rules, State};

/// A game: its first position and its moves.
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
    /// Parses a game and checks its moves.
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
            RuleSet::parse(name).ok_or_else(|| LevelError::whole(format!("there is no rule set `{name}`")))
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

    /// Marks the mistakes, searching this many nodes per move.
    pub fn mark(&self, nodes: u64) -> Vec<Mark> {
        let rules = Rules::new(self.level.clone(), self.set);
        let mut state = rules.start();
        let mut engine = Engine::new(DEFAULT_MEMORY);
        let mut marks = Vec::new();
        for (index, &action) in self.moves.iter().enumerate() {
            let mut after = state.clone();
            rules.apply(&mut after, action, &mut Smallest);
            marks.extend(judge(&mut engine, &rules, index, action, [&state, &after], nodes));
            state = after;
        }
        marks
    }
}

/// Compares a move with the engine's choice, and marks it if it is a mistake.
pub fn judge(
    engine: &mut Engine,
    rules: &Rules,
    index: usize,
    action: Move,
    [before, after]: [&State; 2],
    nodes: u64,
) -> Option<Mark> {
    let thought = think(engine, rules, before, nodes);
    let better = thought.best().filter(|&better| better != action)?;
    let side = before.board.side();
    let score = match after.ending {
        Some(Ending::Won(winner)) => Score(if winner == side { DECIDED } else { -DECIDED }),
        Some(_) => Score(0),
        None => Score(-think(engine, rules, after, nodes).score.0),
    };
    let mark = Mark { index, action, better, before: thought.score, after: score };
    (mark.loss() >= MISTAKE).then_some(mark)
}

fn think(engine: &mut Engine, rules: &Rules, state: &State, nodes: u64) -> Thought {
    let past = state.past();
    let question = Question { past: &past, ..Question::new(rules.moves(), &state.board) };
    engine.answer(question, &SearchLimits::nodes(nodes))
}

/// Scores are capped at this when moves are compared: a slower win is not a mistake.
const DECIDED: i32 = 6 * UNIT;
const MISTAKE: i32 = 3 * UNIT / 2;
const BLUNDER: i32 = 3 * UNIT;

/// A mistake in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    /// The index of the move, from 0.
    pub index: usize,
    /// The move.
    pub action: Move,
    /// The engine's choice.
    pub better: Move,
    /// The score before the move, for the side that made it.
    pub before: Score,
    /// The score after it.
    pub after: Score,
}

impl Mark {
    fn loss(&self) -> i32 {
        self.before.0.clamp(-DECIDED, DECIDED) - self.after.0.clamp(-DECIDED, DECIDED)
    }

    /// Whether it is a blunder rather than a mistake.
    pub fn is_blunder(&self) -> bool {
        self.loss() >= BLUNDER
    }

    /// `?` for a mistake, `??` for a blunder.
    pub fn sign(&self) -> &'static str {
        if self.is_blunder() { "??" } else { "?" }
    }
}

fn play(rules: &Rules, state: &mut State, word: &str) -> Result<Move, Illegal> {
    let action = Move::parse(word)?;
    rules.check(state, action)?;
    rules.apply(state, action, &mut Smallest);
    Ok(action)
}

/// The words of a line with their starting columns, from 1.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split_whitespace().map(|word| {
        let offset = word.as_ptr() as usize - text.as_ptr() as usize;
        (text[..offset].chars().count() + 1, word)
    })
}
