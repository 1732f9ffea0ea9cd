//! Playing of a tournament: all games of its schedule that have no result yet.

use std::ops::ControlFlow;

use anyhow::{Result, ensure};

use crate::game::{self, Keep, Missed, Played, Setting};
use crate::hangs::Hangs;
use crate::plan::Prepared;
use crate::schedule::{Fixture, Format, Shard};
use crate::standings;
use crate::store::{Finished, Results, Store};
use crate::workers::in_parallel;
use damier_host::Prefix;
use damier_host::contestant::Contestant;
use damier_host::replays;

/// Options of a run.
#[derive(Clone, Copy, Debug)]
pub struct RunOptions {
    /// Part of the tournament that this machine plays.
    pub shard: Shard,
    /// Maximum number of concurrent games, limited by the number of cores.
    pub at_once: usize,
    /// Cut short the games of agents that [hang](crate::hangs), as in grading?
    pub cut_hangs: bool,
}

/// Progress of a tournament.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// Finished games of this machine's part.
    pub done: usize,
    /// Games of this machine's part scheduled so far: a knockout's next round depends on the last one.
    pub total: usize,
}

/// Plays all games missing from `results` and adds them to it and to the store. `watch` may stop it after any game. A game in which the
/// machine fails gets no result and can be played later.
pub fn play(
    prepared: &Prepared,
    results: &mut Results,
    mut store: Option<&mut Store>,
    options: RunOptions,
    watch: &mut dyn FnMut(Progress, &Results) -> ControlFlow<()>,
) -> Result<Missed> {
    ensure!(
        options.shard == Shard::WHOLE || prepared.plan.format != Format::Knockout,
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
            .filter(|fixture| options.shard.holds(fixture.number))
            .collect();
        let total = games.len();
        let missing: Vec<Fixture> =
            games.iter().filter(|fixture| !results.contains_key(&fixture.number)).cloned().collect();
        if missing.is_empty() {
            return Ok(Missed::default());
        }
        let (mut missed, mut stopped) = (Missed::default(), false);
        let mut done = total - missing.len();
        let agents = prepared.contestants.len();
        let hangs = options.cut_hangs.then(|| Hangs::new(agents, &games, results));
        in_parallel(
            missing.into_iter(),
            options.at_once,
            |fixture| play_one(prepared, fixture, keep, hangs.as_ref()),
            |ready| {
                let mut finished = Vec::new();
                for game in ready {
                    match game {
                        Ok(game) => finished.push(game),
                        Err(error) => missed.add(error)?,
                    }
                }
                if let Some(store) = store.as_deref_mut() {
                    store.add(&prepared.plan, &finished)?;
                }
                done += finished.len();
                results.extend(finished.into_iter().map(|game| (game.fixture.number, game.record)));
                let flow = watch(Progress { done, total }, results);
                stopped = flow.is_break();
                Ok(flow)
            },
        )?;
        if let Some(store) = store.as_deref() {
            store.sync()?;
        }
        // A knockout's next round cannot be known before all games of this one are played.
        if stopped || missed.any() {
            return Ok(missed);
        }
    }
}

/// Plays one game of the schedule, or forfeits it if an agent keeps hanging.
pub(crate) fn play_one(
    prepared: &Prepared,
    fixture: Fixture,
    keep: Keep,
    hangs: Option<&Hangs>,
) -> Result<Finished> {
    let event = &prepared.events[fixture.event];
    let contestants: Vec<Contestant> =
        fixture.seats.iter().map(|&agent| prepared.contestants[agent].clone()).collect();
    let (mut terms, mut lost) = (event.terms.clone(), None);
    for (seat, &agent) in fixture.seats.iter().enumerate() {
        match hangs.map(|hangs| hangs.terms(agent, &terms)) {
            Some(Ok(left)) => terms = left,
            Some(Err(fault)) => lost = Some((seat, fault)),
            None => {}
        }
    }
    let setting = Setting {
        info: event.info,
        open: event.levels[fixture.level].as_ref(),
        level: &prepared.plan.events[fixture.event].levels[fixture.level].name,
        seed: fixture.seed,
        contestants: &contestants,
        terms: &terms,
        prefix: &Prefix::default(),
    };
    let Played { record, replay, .. } = match lost {
        Some((seat, fault)) => game::forfeit(&setting, seat, fault, keep)?,
        None => game::play(&setting, keep)?,
    };
    if let Some(hangs) = hangs {
        hangs.note(&fixture, &record);
    }
    let replay = replay.as_ref().map(replays::pack).transpose()?;
    Ok(Finished { fixture, record, replay })
}
