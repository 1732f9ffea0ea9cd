//! Observations: nothing is hidden.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use crate::level::{Level, json};
use crate::quadrants;
use crate::rules::State;

/// A position as agents receive it. Its JSON is the JSON format of levels, with the current positions of the robots, the
/// number of `moves` made, and the `panels` of the board.
#[derive(Clone, Debug)]
pub struct Observation {
    /// The level, which does not change.
    pub level: Arc<Level>,
    /// The robots.
    pub state: State,
}

impl Serialize for Observation {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let robots = self.state.present().map(|robot| (robot, self.state.robots[robot.index()]));
        let mut map = serializer.serialize_map(None)?;
        for (key, value) in json::fields(&self.level, robots) {
            map.serialize_entry(key, &value)?;
        }
        map.serialize_entry("moves", &self.state.moves)?;
        if let Some(layout) = quadrants::recognize(self.level.board()) {
            map.serialize_entry("panels", &layout.map(|(plate, side)| plate + 4 * side))?;
            let target = self.level.target();
            let printed = quadrants::assemble(&layout).targets.into_iter().find(|it| it.cell == target);
            map.serialize_entry("symbol", &printed.map(|target| target.symbol as u8))?;
        }
        map.end()
    }
}

/// The JSON form of an observation, for the schema.
#[derive(JsonSchema)]
#[schemars(rename = "Observation")]
#[expect(dead_code, reason = "it describes what `fields` writes")]
struct Sent {
    /// The level's name, if it has one.
    #[serde(default)]
    id: Option<String>,
    /// The side of a square board, or columns and rows.
    size: Side,
    /// A bit mask for every cell, row by row from the top: north 1, east 2, south 4, west 8.
    walls: Vec<u8>,
    /// Column and row of each robot, from the top left.
    robots: BTreeMap<String, (u16, u16)>,
    /// The robot that must stop on the target; null if any may.
    target_robot: Option<String>,
    /// Column and row of the target.
    target: (u16, u16),
    /// Whether the active robot must turn before it reaches the target.
    #[serde(default)]
    ricochet: bool,
    /// Diagonals, which turn robots of other colours.
    #[serde(default)]
    diagonals: Vec<SentDiagonal>,
    /// If the level names them: the upper sides of the course's panels (north-west, north-east, south-west, south-east).
    #[serde(default)]
    sides: Option<[u8; 4]>,
    /// If the level names it: the course's number of the target.
    #[serde(default)]
    number: Option<u8>,
    /// The number of moves made so far.
    moves: u32,
    /// If the board is assembled from our quadrants: their numbers, clockwise from the north-west. The other side of each is 4 more.
    #[serde(default)]
    panels: Option<[u8; 4]>,
    /// On such a board, the symbol of the target: triangle 0, square 1, circle 2, plus 3, that of any robot 4.
    #[serde(default)]
    symbol: Option<u8>,
}

/// A side.
#[derive(JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "it describes what `fields` writes")]
enum Side {
    /// Of a square.
    Square(u16),
    /// Columns and rows.
    Both(u16, u16),
}

/// A diagonal.
#[derive(JsonSchema)]
#[schemars(rename = "Diagonal")]
#[expect(dead_code, reason = "it describes what `fields` writes")]
struct SentDiagonal {
    /// Column and row.
    at: (u16, u16),
    /// `/` or `\\`.
    slope: char,
    /// The colour of the robots that pass.
    colour: Option<String>,
}

impl JsonSchema for Observation {
    fn schema_name() -> Cow<'static, str> {
        Sent::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        Sent::json_schema(generator)
    }
}
