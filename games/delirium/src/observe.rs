//! What an agent may see of a state.

use std::ops::Range;

use damier_core::grid::Cell;
use schemars::JsonSchema;
use serde::Serialize;

use crate::rules::{Rules, State};

/// What the miner sees, in the terms of the course environment: its `move/12` gets exactly these.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct Observation {
    /// The codes of the cells in view, row by row.
    pub cells: Vec<u8>,
    /// The miner's column on the map.
    pub x: u16,
    /// The miner's row on the map.
    pub y: u16,
    /// The column of the view's left edge on the map.
    pub left: u16,
    /// The row of the view's top edge on the map.
    pub top: u16,
    /// The miner's place in `cells`.
    pub pos: usize,
    /// The cells of a row in view.
    pub size: u16,
    /// Is the exit open?
    pub can_goto_exit: bool,
    /// Diamonds still needed.
    pub missing: u16,
    /// Diamonds gathered on this map.
    pub gathered: u16,
    /// The miner's energy, which the course environment tells and these rules do not use: the level's header `energy`.
    pub energy: u32,
    /// Energy gathered, likewise: the level's header `gathered-energy`.
    pub gathered_energy: u32,
    /// The most energy that the miner can have, likewise: the level's header `max-energy`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_energy: Option<u32>,
    /// Ticks until the time limit, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_left: Option<u32>,
    /// Ticks played.
    pub tick: u32,
    /// Half the size of the view; `(0, 0)` is the whole map.
    pub view: (u8, u8),
}

impl Observation {
    /// What the miner sees of a state.
    pub fn of(rules: &Rules, state: &State) -> Self {
        let size = rules.size(state);
        let (x, y) = size.xy(rules.miner(state));
        let (columns, rows) = in_view(rules, state);
        let in_view = rows.clone().flat_map(|y| columns.clone().map(move |x| (x, y)));
        let code = |(x, y): (u16, u16)| rules.kind(state, Cell(y * size.width + x)).code();
        let header = |key| rules.map(state).header(key).and_then(|value| value.parse().ok()).unwrap_or(0);
        let width = columns.end - columns.start;
        Self {
            cells: in_view.map(code).collect(),
            x,
            y,
            left: columns.start,
            top: rows.start,
            pos: usize::from(y - rows.start) * usize::from(width) + usize::from(x - columns.start),
            size: width,
            can_goto_exit: state.is_open(),
            missing: state.missing(),
            gathered: state.gathered(),
            energy: header("energy"),
            gathered_energy: header("gathered-energy"),
            max_energy: rules.map(state).header("max-energy").and_then(|value| value.parse().ok()),
            time_left: rules.options().time_limit.map(|limit| limit.get().saturating_sub(state.tick())),
            tick: state.tick(),
            view: state.view(),
        }
    }
}

/// The columns and rows that the miner sees.
pub(crate) fn in_view(rules: &Rules, state: &State) -> (Range<u16>, Range<u16>) {
    let size = rules.size(state);
    let (x, y) = size.xy(rules.miner(state));
    let span = |at: u16, half: u8, side: u16| match half {
        0 => 0..side,
        half => at.saturating_sub(half.into())..side.min(at + u16::from(half) + 1),
    };
    (span(x, state.view().0, size.width), span(y, state.view().1, size.height))
}
