//! Overhead of agent processes per turn, and of the store per game.

use std::ops::ControlFlow;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Result, anyhow, bail};
use damier_core::agent::Budget;
use damier_core::game::Status;
use damier_kit::Info;
use damier_kit::fault::{Fault, Leave};
use damier_kit::referee;
use damier_kit::table::OpenLevel;
use damier_kit::time::cores;

use crate::game::Keep;
use crate::plan::{EventFile, TournamentFile, prepare};
use crate::schedule::Shard;
use crate::standings;
use crate::store::{Results, Store};
use crate::tournament::{self, RunOptions};
use crate::workers::in_parallel;
use damier_host::games::Games;
use damier_host::levels;
use damier_host::measure::percentile;
use damier_host::terms::Terms;
use damier_process::agents;
use damier_process::templates;

/// Time per turn of an agent that answers at once.
#[derive(Clone, Copy, Debug)]
pub struct Overhead {
    /// Number of turns.
    pub turns: usize,
    /// Median.
    pub median: Duration,
    /// 99th percentile.
    pub p99: Duration,
}

/// Builds the start template of a language in a folder and plays `turns` turns with it, in the first single-player game.
pub fn overhead(games: Games, language: &str, turns: usize, folder: &Path) -> Result<Overhead> {
    let (game, open) = first_level(games, 1)?;
    let folder = folder.join(language);
    templates::find(game, language)?.write(game.name, &folder)?;
    let agent = agents::find(&folder.display().to_string())?;
    let named = |leave: Leave| anyhow!("{language}: {leave}");
    let fault = |fault: Fault| named(fault.into());
    let mut seated = agent.sit(game, open.as_ref(), 0, 1, &Terms::default()).map_err(fault)?;
    let mut table = open.table(1, 0);
    seated.begin(table.as_ref()).map_err(fault)?;
    let mut took = Vec::with_capacity(turns);
    for _ in 0..turns {
        if matches!(table.status(), Status::Over(_)) {
            table = open.table(1, 0);
        }
        let decision = referee::decide(seated.as_mut(), table.as_mut(), 0, Budget::default(), false);
        took.push(decision.map_err(named)?.took);
    }
    took.sort_unstable();
    Ok(Overhead { turns, median: percentile(&took, 50), p99: percentile(&took, 99) })
}

/// The default level of the first game with `seats` seats.
fn first_level(games: Games, seats: usize) -> Result<(&'static Info, Box<dyn OpenLevel>)> {
    for game in games {
        let info = game.info();
        let rules = info.rules[0].name;
        let open = levels::open(*game, &levels::find_one(*game, None, rules)?, rules)?;
        if open.facts().seats.len() == seats {
            return Ok((info, open));
        }
    }
    bail!("no game has a level with {seats} seats")
}

/// Throughput of games between built-in agents.
#[derive(Clone, Copy, Debug)]
pub struct Throughput {
    /// Number of games per measurement.
    pub games: usize,
    /// Seconds for the games alone.
    pub bare: f64,
    /// Seconds as a tournament without a store.
    pub unstored: f64,
    /// Seconds as a tournament with every replay in a store.
    pub stored: f64,
}

/// Plays `count` short games three times: bare, as a tournament, and as a tournament with a store in `folder`.
pub fn throughput(games: Games, count: usize, folder: &Path) -> Result<Throughput> {
    let file = TournamentFile {
        agents: ["random", "original"].map(str::to_owned).to_vec(),
        seeds: Some(format!("1..{}", count / 2)),
        games: vec![EventFile {
            game: first_level(games, 2)?.0.name.to_owned(),
            turns: Some(40),
            ..EventFile::default()
        }],
        ..TournamentFile::default()
    };
    let prepared = prepare(games, &file, folder)?;
    let options = RunOptions { shard: Shard::WHOLE, at_once: cores(), cut_hangs: false };
    let watch = &mut |_: tournament::Progress, _: &Results| ControlFlow::Continue(());
    let started = Instant::now();
    let fixtures = standings::schedule_of(&prepared.plan, &Results::new()).fixtures;
    let count = fixtures.len();
    let played = in_parallel(
        fixtures.into_iter(),
        options.at_once,
        |fixture| tournament::play_one(&prepared, fixture, Keep::Result, None),
        |_| Ok(ControlFlow::Continue(())),
    );
    played?;
    let bare = started.elapsed().as_secs_f64();
    let started = Instant::now();
    tournament::play(&prepared, &mut Results::new(), None, options, watch)?;
    let unstored = started.elapsed().as_secs_f64();
    let started = Instant::now();
    let mut store = Store::for_plan(&folder.join("throughput.db"), &prepared.plan, false)?;
    tournament::play(&prepared, &mut Results::new(), Some(&mut store), options, watch)?;
    let stored = started.elapsed().as_secs_f64();
    Ok(Throughput { games: count, bare, unstored, stored })
}
