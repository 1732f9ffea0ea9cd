#![doc = include_str!("../README.md")]
#![expect(clippy::needless_pass_by_value, reason = "Python passes arguments by value")]

mod agent;
mod batch;
mod convert;
mod game;
mod replay;
mod search;
mod state;
mod svg;

use pyo3::prelude::*;

/// The engine of the package `damier`.
#[pymodule(gil_used = false)]
mod _engine {
    #[pymodule_export]
    use crate::agent::Agent;
    #[pymodule_export]
    use crate::batch::{Batch, SavedBatch, Single};
    #[pymodule_export]
    use crate::convert::{DamierError, IllegalActionError, LevelError};
    #[pymodule_export]
    use crate::game::{Game, describe_games, levels};
    #[pymodule_export]
    use crate::replay::Replay;
    #[pymodule_export]
    use crate::search::generate;
    #[pymodule_export]
    use crate::state::{State, restore_state};
}
