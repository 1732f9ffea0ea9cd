//! What an agent may see: everything.

use std::sync::Arc;

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use crate::level::{Level, json};
use crate::rules::State;

/// A position as agents get it. Its JSON is the JSON format of levels, with the robots where they are now and the
/// number of `moves` made.
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
        map.end()
    }
}
