//! What an agent may see: everything.

use serde::{Serialize, Serializer, ser::SerializeStruct};

use crate::board::Side;
use crate::rules::State;

/// A position as agents get it.
///
/// Its JSON: `{"position":"…/… E 0","side":"E","ply":0,"hand":{"E":5,"R":5},"repeated":1}`, where `repeated` tells how
/// often the position has occurred.
#[derive(Clone, Debug)]
pub struct Observation {
    /// The whole state: nothing is hidden.
    pub state: State,
}

impl Observation {
    /// What there is to see of a state.
    pub fn new(state: &State) -> Self {
        Self { state: state.clone() }
    }
}

#[derive(Serialize)]
struct Hand {
    #[serde(rename = "E")]
    elephants: u8,
    #[serde(rename = "R")]
    rhinos: u8,
}

impl Serialize for Observation {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let board = &self.state.board;
        let hand = Hand { elephants: board.hand(Side::Elephants), rhinos: board.hand(Side::Rhinos) };
        let mut map = serializer.serialize_struct("Observation", 5)?;
        map.serialize_field("position", &board.to_string())?;
        map.serialize_field("side", &board.side().letter())?;
        map.serialize_field("ply", &board.ply())?;
        map.serialize_field("hand", &hand)?;
        map.serialize_field("repeated", &self.state.occurrences())?;
        map.end()
    }
}
