//! Who sits where.

use anyhow::{Result, anyhow, bail};
use damier_core::game::Seat;
use damier_core::kit::Info;
use damier_core::table::{OpenLevel, Seated};

/// The agent at a seat that nobody named.
pub const DEFAULT_OPPONENT: &str = "original";

/// The built-in agent of this name at a seat.
pub fn agent(
    info: &Info,
    open: &dyn OpenLevel,
    name: &str,
    seat: Seat,
    seed: u64,
) -> Result<Box<dyn Seated>> {
    open.agent(name, seat, seed).ok_or_else(|| {
        let names: Vec<_> =
            info.agents.iter().filter(|agent| agent.seats.contains(&seat)).map(|agent| agent.name).collect();
        anyhow!(
            "{} has no agent `{name}` for seat {seat} ({}); it has {}",
            info.name,
            open.facts().seats[seat],
            names.join(", ")
        )
    })
}

/// The names of the agents by seat: the first seat's, then the opponent's at all others.
pub fn names(info: &Info, open: &dyn OpenLevel, first: &str, vs: Option<&str>) -> Result<Vec<String>> {
    let seats = open.facts().seats.len();
    if seats == 1 && vs.is_some() {
        bail!("{} has a single seat under the rules `{}`, so --vs does not apply", info.name, open.rules());
    }
    let others = std::iter::repeat_n(vs.unwrap_or(DEFAULT_OPPONENT), seats - 1);
    Ok(std::iter::once(first).chain(others).map(str::to_owned).collect())
}

/// All agents by seat.
pub fn agents(
    info: &Info,
    open: &dyn OpenLevel,
    names: &[String],
    seed: u64,
) -> Result<Vec<Box<dyn Seated>>> {
    names.iter().enumerate().map(|(seat, name)| agent(info, open, name, seat, seed)).collect()
}
