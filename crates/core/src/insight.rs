//! Insight into an agent's decision, as data that front ends draw and replays keep.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Column and row of a cell, from the top left.
pub type Point = (u16, u16);

/// A name, usually known at compile time, otherwise read from outside the program.
pub type Name = Cow<'static, str>;

/// Reasons for marking a cell that front ends have a colour for. Other reasons get a neutral colour.
pub mod reason {
    /// On the agent's planned path.
    pub const PATH: &str = "path";
    /// The end of the path.
    pub const GOAL: &str = "goal";
    /// Deadly, now or soon.
    pub const DANGER: &str = "danger";
    /// Where an opponent is expected.
    pub const PREDICTED: &str = "predicted";
    /// Treated as a wall though it is none.
    pub const VIRTUAL_WALL: &str = "virtual wall";
    /// A straight line of cells that matters.
    pub const CORRIDOR: &str = "corridor";
    /// Where an opponent aims.
    pub const TARGET: &str = "target";
    /// Cannot be reached, and neither can the item here.
    pub const UNREACHABLE: &str = "unreachable";
    /// A bend in the path.
    pub const CORNER: &str = "corner";
    /// A cell where more than two paths meet.
    pub const CROSSROAD: &str = "crossroad";
}

/// A marked cell.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct Mark {
    /// The cell.
    pub at: Point,
    /// Why it is marked: one of [`reason`], or a word of the agent's choice.
    pub why: Name,
    /// A few characters to write on the cell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
}

impl Mark {
    /// A cell marked for a reason, with nothing written on it.
    pub fn new(at: Point, why: impl Into<Name>) -> Self {
        Self { at, why: why.into(), label: None }
    }
}

/// Explanation of one decision by its agent.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Insight {
    /// One sentence.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// Marked cells; a later mark is drawn over an earlier one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub marks: Vec<Mark>,
    /// Candidate actions with their scores, best first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub scores: Vec<(String, f64)>,
    /// Search counters: nodes, depth.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub counters: Vec<(Name, u64)>,
    #[serde(skip)]
    unwanted: bool,
}

impl Insight {
    /// Insight that nobody reads: whatever is added is dropped without being computed.
    pub fn unwanted() -> Self {
        Self { unwanted: true, ..Self::default() }
    }

    /// Is insight wanted? An agent asks before it computes something only to show it.
    pub fn wanted(&self) -> bool {
        !self.unwanted
    }

    /// Is there nothing to show?
    pub fn is_empty(&self) -> bool {
        self.text.is_empty() && self.marks.is_empty() && self.scores.is_empty() && self.counters.is_empty()
    }

    /// Sets the sentence.
    pub fn say(&mut self, text: impl FnOnce() -> String) {
        if self.wanted() {
            self.text = text();
        }
    }

    /// Marks cells for one reason.
    pub fn mark(&mut self, why: &'static str, cells: impl IntoIterator<Item = Point>) {
        if self.wanted() {
            self.marks.extend(cells.into_iter().map(|at| Mark::new(at, why)));
        }
    }

    /// Marks one cell and writes a few characters on it.
    pub fn label(&mut self, why: &'static str, at: Point, label: impl FnOnce() -> String) {
        if self.wanted() {
            self.marks.push(Mark { at, why: why.into(), label: Some(label()) });
        }
    }

    /// Adds a candidate action with its score.
    pub fn score(&mut self, action: impl FnOnce() -> String, score: f64) {
        if self.wanted() {
            self.scores.push((action(), score));
        }
    }

    /// Adds a counter.
    pub fn count(&mut self, name: &'static str, value: u64) {
        if self.wanted() {
            self.counters.push((name.into(), value));
        }
    }
}
