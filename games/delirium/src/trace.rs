//! States as JSON, for conformance tests.

use damier_core::game::{Game, Status};
use serde_json::{Value, json};

use crate::rules::{Rules, State};

/// A state as JSON: the map as rows, and everything that the rows do not show.
pub fn state_json(rules: &Rules, state: &State) -> Value {
    let size = rules.size(state);
    let kinds = rules.kinds(state);
    let rows: Vec<String> =
        kinds.chunks(size.width.into()).map(|row| row.iter().map(|kind| kind.char()).collect()).collect();
    let monsters: Vec<Value> = rules
        .monsters(state)
        .into_iter()
        .map(|monster| {
            let kind = if monster.blue { "blue" } else { "red" };
            json!({
                "kind": kind,
                "at": size.xy(monster.cell),
                "heading": monster.heading.map(damier_core::grid::Dir::arrow_name),
            })
        })
        .collect();
    let (status, reason) = match rules.status(state) {
        Status::ToMove(_) => ("running", None),
        Status::Over(over) => (over.outcome(0).name(), Some(over.reason)),
    };
    json!({
        "tick": state.tick(),
        "map": state.stage(),
        "rows": rows,
        "miner": size.xy(rules.miner(state)),
        "monsters": monsters,
        "gathered": state.gathered(),
        "missing": state.missing(),
        "exit_open": state.is_open(),
        "view": state.view(),
        "status": status,
        "reason": reason,
    })
}
