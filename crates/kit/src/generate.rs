//! What a level generator is asked for.

/// What kind of level is wanted.
#[derive(Clone, Debug)]
pub struct GenerateRequest {
    /// The same seed gives the same level.
    pub seed: u64,
    /// From 0 (easy) to 10 (hard), where the game supports it.
    pub difficulty: Option<f64>,
    /// Columns and rows, where the game supports it.
    pub size: Option<(u16, u16)>,
    /// The rule set that the level is for.
    pub rules: &'static str,
}
