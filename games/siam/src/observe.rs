//! Observations: nothing is hidden.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Serialize, Serializer};

use crate::board::Side;
use crate::rules::State;

/// A position as agents receive it.
///
/// Its JSON: `{"position":"…/… E 0","side":"E","ply":0,"hand":{"E":5,"R":5},"repeated":1}`, where `repeated` tells how
/// often the position has occurred.
#[derive(Clone, Debug)]
pub struct Observation {
    /// The whole state: nothing is hidden.
    pub state: State,
}

impl Observation {
    /// The observation of a state.
    pub fn new(state: &State) -> Self {
        Self { state: state.clone() }
    }
}

/// The JSON form of an observation.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Observation")]
struct Sent {
    /// The rows from the north, the side to move and the plies played: `...../...../.MMM./...../..... E 0`.
    position: String,
    /// The side to move: `E` elephants, `R` rhinoceroses.
    side: char,
    /// The plies played.
    ply: u32,
    /// The animals in hand.
    hand: Hand,
    /// How often the position has occurred.
    repeated: u32,
}

#[derive(Serialize, JsonSchema)]
struct Hand {
    /// Elephants.
    #[serde(rename = "E")]
    elephants: u8,
    /// Rhinoceroses.
    #[serde(rename = "R")]
    rhinos: u8,
}

impl Serialize for Observation {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let board = &self.state.board;
        let hand = Hand { elephants: board.hand(Side::Elephants), rhinos: board.hand(Side::Rhinos) };
        Sent {
            position: board.to_string(),
            side: board.side().letter(),
            ply: board.ply().into(),
            hand,
            repeated: self.state.occurrences() as u32,
        }
        .serialize(serializer)
    }
}

impl JsonSchema for Observation {
    fn schema_name() -> Cow<'static, str> {
        Sent::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        Sent::json_schema(generator)
    }
}
