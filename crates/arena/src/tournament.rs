//! Plays a tournament: the games of its schedule that have no result yet.

use std::ops::ControlFlow;

use anyhow::{Result, ensure};

use crate::game::{self, Keep, Played, Setting};
use crate::plan::Prepared;
use crate::schedule::{Fixture, Format, Shard};
use crate::standings;
use crate::store::{Finished, Results, Store};
use crate::workers::in_parallel;
use damier_host::contestant::Contestant;
use damier_host::replays;

/// Options of a run that do not change the results.
#[derive(Clone, Copy, Debug)]
pub struct Manner {
    /// Part that this machine plays.
    pub shard: Shard,
    /// Games at once, at most the number of cores.
    pub at_once: usize,
}

/// Progress of a tournament.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// Finished games of this machine's part.
    pub done: usize,
    /// Games of this machine's part scheduled so far: a knockout's next round depends on the last one.
    pub total: usize,
}

/// Plays all games missing from `results` and adds them to it and to the store. `watch` may stop it after any game.
pub fn play(
    prepared: &Prepared,
    results: &mut Results,
    mut store: Option<&mut Store>,
    manner: Manner,
    watch: &mut dyn FnMut(Progress, &Results) -> ControlFlow<()>,
) -> Result<()> {
    ensure!(
        manner.shard == Shard::WHOLE || prepared.plan.format != Format::Knockout,
        "a knockout cannot be split over machines: each round depends on all games of the round before"
    );
    for contestant in &prepared.contestants {
        // An agent whose build fails loses every game; each result says why.
        let _ = contestant.prepare(&prepared.plan.terms);
    }
    let keep = if store.is_some() { Keep::Replay } else { Keep::Result };
    loop {
        let games: Vec<Fixture> = standings::schedule_of(&prepared.plan, results)
            .fixtures
            .into_iter()
            .filter(|fixture| manner.shard.holds(fixture.number))
            .collect();
        let total = games.len();
        let missing: Vec<Fixture> =
            games.into_iter().filter(|fixture| !results.contains_key(&fixture.number)).collect();
        if missing.is_empty() {
            return Ok(());
        }
        let mut done = total - missing.len();
        let mut broken_off = false;
        in_parallel(
            missing.into_iter(),
            manner.at_once,
            |fixture| play_one(prepared, fixture, keep),
            |ready| {
                let finished = ready.into_iter().collect::<Result<Vec<Finished>>>()?;
                if let Some(store) = store.as_deref_mut() {
                    store.add(&prepared.plan, &finished)?;
                }
                done += finished.len();
                results.extend(finished.into_iter().map(|game| (game.fixture.number, game.record)));
                let go_on = watch(Progress { done, total }, results);
                broken_off = go_on.is_break();
                Ok(go_on)
            },
        )?;
        if broken_off {
            return Ok(());
        }
    }
}

/// Plays one game of the schedule.
pub(crate) fn play_one(prepared: &Prepared, fixture: Fixture, keep: Keep) -> Result<Finished> {
    let event = &prepared.events[fixture.event];
    let contestants: Vec<Contestant> =
        fixture.seats.iter().map(|&agent| prepared.contestants[agent].clone()).collect();
    let setting = Setting {
        info: event.info,
        open: event.levels[fixture.level].as_ref(),
        level: &prepared.plan.events[fixture.event].levels[fixture.level].name,
        seed: fixture.seed,
        contestants: &contestants,
        terms: &event.terms,
    };
    let Played { record, replay, .. } = game::play(&setting, keep)?;
    let replay = replay.as_ref().map(replays::pack).transpose()?;
    Ok(Finished { fixture, record, replay })
}
