//! Arguments of `damier certify` and `damier atlas`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use damier_arena::schedule::Shard;

use super::values::parse_duration;
use super::{ClockArg, GameName};

#[derive(Debug, Args)]
pub struct CertifyArgs {
    #[command(flatten)]
    pub game: GameName,
    /// Levels: shipped (`pack/name`, or `pack` for all of it), generated (`generated/FIRST..LAST`), files, or `-`.
    #[arg(required = true)]
    pub levels: Vec<String>,
    /// Store file: certificates are added to it as they are found. Levels that it knows are left out, open ones unless they now
    /// get more time.
    #[arg(long)]
    pub out: PathBuf,
    /// Rule set; by default the game's first one.
    #[arg(long)]
    pub rules: Option<String>,
    /// Seed of the game's chance, known to the solver.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Time per level, such as 10s or 500ms.
    #[arg(long, default_value = "10s", value_parser = parse_duration)]
    pub time: Duration,
    /// Measure the time in wall time, or in processor time of the level's thread.
    #[arg(long, value_enum, default_value_t = ClockArg::Wall)]
    pub clock: ClockArg,
    /// Levels searched at once, a thread each; by default and at most the number of cores.
    #[arg(long)]
    pub threads: Option<usize>,
    /// Certify only part K of N, given as K/N; `damier atlas` takes the stores of all parts.
    #[arg(long)]
    pub shard: Option<Shard>,
    /// Print one JSON line per level that was searched.
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct AtlasArgs {
    /// Stores of certificates.
    #[arg(required = true)]
    pub stores: Vec<PathBuf>,
    /// Folder for the report.
    #[arg(long)]
    pub out: PathBuf,
}
