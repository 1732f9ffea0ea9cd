//! Assignment of agents to seats.

use anyhow::{Result, anyhow, bail};
use damier_core::game::Seat;
use damier_kit::Info;
use damier_kit::table::{OpenLevel, Seated};

use crate::contestant::Contestant;
use crate::terms::Terms;

/// Default agent of the seats for which none is named.
pub const DEFAULT_OPPONENT: &str = damier_kit::plan::OPPONENT;

/// Puts a contestant on a seat.
pub fn sit(
    info: &'static Info,
    open: &dyn OpenLevel,
    contestant: &Contestant,
    seat: Seat,
    seed: u64,
    terms: &Terms,
) -> Result<Box<dyn Seated>> {
    contestant.check(info, open, seat)?;
    let sitting = contestant.sit(info, open, seat, seed, terms);
    sitting.map_err(|fault| anyhow!("{}: {}", contestant.name(), fault.detail))
}

/// Assigns the first contestant to seat 0 and the opponent to all others. Fails if one of them cannot play here.
pub fn contestants(
    info: &Info,
    open: &dyn OpenLevel,
    first: &Contestant,
    vs: Option<&Contestant>,
) -> Result<Vec<Contestant>> {
    let seats = open.facts().seats.len();
    if seats == 1 && vs.is_some() {
        bail!("{} has a single seat under the rules `{}`, so --vs does not apply", info.name, open.rules());
    }
    let vs = vs.cloned().unwrap_or_else(|| Contestant::built_in(DEFAULT_OPPONENT));
    let contestants: Vec<Contestant> =
        std::iter::once(first.clone()).chain(std::iter::repeat_n(vs, seats - 1)).collect();
    contestants.iter().enumerate().try_for_each(|(seat, contestant)| check(contestant, info, open, seat))?;
    Ok(contestants)
}

/// Checks that a contestant can take this seat under these rules, before the first game.
pub fn check(contestant: &Contestant, info: &Info, open: &dyn OpenLevel, seat: Seat) -> Result<()> {
    contestant.check(info, open, seat)?;
    match contestant {
        Contestant::BuiltIn(built_in) if open.agent(built_in.agent(), seat, 0).is_none() => {
            bail!(
                "the agent `{}` does not play by these rules ({}, {})",
                built_in.agent(),
                info.name,
                open.rules()
            )
        }
        _ => Ok(()),
    }
}
