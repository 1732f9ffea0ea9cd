//! Who sits where.

use anyhow::{Result, anyhow, bail, ensure};
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
    check_name(info, open, name, seat)?;
    open.agent(name, seat, seed).ok_or_else(|| anyhow!("the agent `{name}` does not play by these rules"))
}

fn check_name(info: &Info, open: &dyn OpenLevel, name: &str, seat: Seat) -> Result<()> {
    let playing: Vec<&str> =
        info.agents.iter().filter(|agent| agent.seats.contains(&seat)).map(|agent| agent.name).collect();
    ensure!(
        playing.contains(&name),
        "{} has no agent `{name}` for seat {seat} ({}); it has {}",
        info.name,
        open.facts().seats[seat],
        playing.join(", ")
    );
    Ok(())
}

/// The names of the agents by seat: the first seat's, then the opponent's at all others. A name that does not exist is an
/// error here, before the first game.
pub fn names(info: &Info, open: &dyn OpenLevel, first: &str, vs: Option<&str>) -> Result<Vec<String>> {
    let seats = open.facts().seats.len();
    if seats == 1 && vs.is_some() {
        bail!("{} has a single seat under the rules `{}`, so --vs does not apply", info.name, open.rules());
    }
    let others = std::iter::repeat_n(vs.unwrap_or(DEFAULT_OPPONENT), seats - 1);
    let names: Vec<String> = std::iter::once(first).chain(others).map(str::to_owned).collect();
    names.iter().enumerate().try_for_each(|(seat, name)| check_name(info, open, name, seat))?;
    Ok(names)
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
