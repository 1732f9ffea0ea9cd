//! Requests to level generators.

use crate::cancel::Cancel;

/// Description of a level to generate.
#[derive(Clone, Debug, Default)]
pub struct GenerateRequest {
    /// The same seed gives the same level.
    pub seed: u64,
    /// From 0 (easy) to 10 (hard), where the game supports it.
    pub difficulty: Option<f64>,
    /// Columns and rows, where the game supports it.
    pub size: Option<(u16, u16)>,
    /// The rule set that the level is for.
    pub rules: &'static str,
    /// Ends the attempt: generators ask between two proposals.
    pub cancel: Cancel,
}

impl GenerateRequest {
    /// An error if the attempt was cancelled.
    pub fn check_cancelled(&self) -> Result<(), String> {
        if self.cancel.is_cancelled() { Err("cancelled".to_owned()) } else { Ok(()) }
    }
}
