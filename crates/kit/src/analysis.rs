//! Optional capabilities of games with positions to analyze: the best lines of play with proofs, and perft.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use damier_core::game::Game;
use schemars::JsonSchema;
use serde::Serialize;

use crate::cancel::Cancel;

/// Analyzes the position at which a level starts, which must not be over. The callback gets a snapshot whenever the
/// principal variation changes.
pub type Analyzer<G> = fn(
    &Arc<G>,
    &AnalyzeOptions,
    &mut dyn FnMut(&Analysis<<G as Game>::Action>),
) -> Analysis<<G as Game>::Action>;

/// Counts the sequences of exactly this many actions from the start of a level, split by their first action. No count for
/// depth 0.
pub type Divider<G> = fn(&G, u32) -> Vec<(<G as Game>::Action, u64)>;

/// Limits of an analysis. The first one reached ends it.
#[derive(Clone, Debug)]
pub struct AnalyzeOptions {
    /// Wall time for everything: all lines and proofs.
    pub time: Option<Duration>,
    /// Depth in plies; `None` for the deepest search the game has.
    pub depth: Option<u32>,
    /// Threads to use.
    pub threads: usize,
    /// Lines with different first actions.
    pub lines: usize,
    /// Ends the search early.
    pub cancel: Cancel,
}

impl Default for AnalyzeOptions {
    /// One second on one thread, for one line.
    fn default() -> Self {
        Self {
            time: Some(Duration::from_secs(1)),
            depth: None,
            threads: 1,
            lines: 1,
            cancel: Cancel::default(),
        }
    }
}

/// Proven end of a position. As text: `win 5`, `loss 4`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// The side to move wins within this many plies, whatever the opponent does.
    Win(u32),
    /// The side to move loses within this many plies, whatever it does.
    Loss(u32),
}

impl fmt::Display for Proof {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Win(plies) => write!(formatter, "win {plies}"),
            Self::Loss(plies) => write!(formatter, "loss {plies}"),
        }
    }
}

/// A line of play and its score.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnalysisLine<A> {
    /// The score for the side to move.
    pub score: i32,
    /// What the score means, as a sentence.
    pub verdict: String,
    /// The actions of both sides.
    pub actions: Vec<A>,
}

/// The actions with which a side would win at once if it were to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Threats<A> {
    /// The side's letter in the game's notation.
    pub letter: char,
    /// The side's name.
    pub side: &'static str,
    /// The winning actions.
    pub actions: Vec<A>,
}

/// The result of an analysis, or a snapshot of one that is running.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Analysis<A> {
    /// The position in the game's notation.
    pub position: String,
    /// The best lines, best first. There is at least one; it is empty if no action is legal.
    pub lines: Vec<AnalysisLine<A>>,
    /// The last depth that was searched completely, in plies.
    pub depth: u32,
    /// Positions searched.
    pub nodes: u64,
    /// How it ends, if that is proven.
    pub proof: Option<Proof>,
    /// Is it proven that no shorter win exists?
    pub shortest: bool,
    /// Immediate threats of each side.
    pub threats: Vec<Threats<A>>,
    /// Wall time spent.
    pub took: Duration,
}

impl<A> Analysis<A> {
    /// The best action; `None` if none is legal.
    pub fn best(&self) -> Option<&A> {
        self.lines[0].actions.first()
    }

    /// The score of the best line.
    pub fn score(&self) -> i32 {
        self.lines[0].score
    }

    /// What the score of the best line means, as a sentence.
    pub fn verdict(&self) -> &str {
        &self.lines[0].verdict
    }

    /// The same analysis with its actions converted, for example to their names.
    pub fn map<B>(&self, convert: impl Fn(&A) -> B) -> Analysis<B> {
        let all = |actions: &[A]| actions.iter().map(&convert).collect();
        let line = |line: &AnalysisLine<A>| AnalysisLine {
            score: line.score,
            verdict: line.verdict.clone(),
            actions: all(&line.actions),
        };
        let threats = |threats: &Threats<A>| Threats {
            letter: threats.letter,
            side: threats.side,
            actions: all(&threats.actions),
        };
        Analysis {
            position: self.position.clone(),
            lines: self.lines.iter().map(line).collect(),
            depth: self.depth,
            nodes: self.nodes,
            proof: self.proof,
            shortest: self.shortest,
            threats: self.threats.iter().map(threats).collect(),
            took: self.took,
        }
    }
}

impl Analysis<String> {
    /// The analysis as JSON for programs and the page.
    pub fn message(&self) -> AnalysisMessage {
        let line =
            |line: &AnalysisLine<String>| LineMessage { score: line.score, line: line.actions.clone() };
        AnalysisMessage {
            position: self.position.clone(),
            best: self.best().cloned(),
            score: self.score(),
            depth: self.depth,
            nodes: self.nodes,
            line: self.lines[0].actions.clone(),
            proof: self.proof.map(|proof| proof.to_string()),
            shortest: self.proof.map(|_| self.shortest),
            threats: self.threats.iter().map(|side| (side.letter, side.actions.clone())).collect(),
            lines: self.lines.iter().map(line).collect(),
            ms: self.took.as_secs_f64() * 1000.0,
        }
    }
}

/// An analysis as JSON.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct AnalysisMessage {
    /// The position in the game's notation.
    pub position: String,
    /// The best action.
    pub best: Option<String>,
    /// The score for the side to move.
    pub score: i32,
    /// The last depth that was searched completely, in plies.
    pub depth: u32,
    /// Positions searched.
    pub nodes: u64,
    /// The principal variation.
    pub line: Vec<String>,
    /// How it ends, if that is proven: `win 5`, `loss 4`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proof: Option<String>,
    /// Is it proven that no shorter win exists?
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shortest: Option<bool>,
    /// The actions with which each side would win at once, by the side's letter.
    pub threats: BTreeMap<char, Vec<String>>,
    /// All lines, best first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<LineMessage>,
    /// Wall time in milliseconds.
    pub ms: f64,
}

/// A line of play as JSON.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct LineMessage {
    /// The score for the side to move.
    pub score: i32,
    /// The actions of both sides.
    pub line: Vec<String>,
}
