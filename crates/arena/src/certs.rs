//! Certificates: what is known of a level, found once and kept.
//!
//! Every level gets one of three: *solved* with a plan that was replayed, *impossible* with the reason, or *open* with how far the
//! best attempt came. Each level is searched on one thread, so what is found depends on the time it gets and on nothing else.

mod store;

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::time::Duration;

use anyhow::Result;
use damier_core::game::{Outcome, Status};
use damier_host::levels::{self, NamedLevel};
use damier_host::measure::milliseconds;
use damier_host::solving::verify_plan;
use damier_kit::cancel::TimeSource;
use damier_kit::table::{AnyGame, OpenLevel};
use damier_kit::time::cpu;
use damier_kit::{Solvability, SolveOptions};
use serde::{Deserialize, Serialize};

pub use store::{CertStore, Entry};

use crate::schedule::Shard;
use crate::workers::in_parallel;

/// What is known of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Finding {
    /// There is a plan that wins.
    Solved,
    /// Proven: no plan wins.
    Impossible,
    /// Neither within the time.
    Open,
}

impl Finding {
    /// All of them, the best known first.
    pub const ALL: [Self; 3] = [Self::Solved, Self::Impossible, Self::Open];

    /// Its name, as in the store and in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Solved => "solved",
            Self::Impossible => "impossible",
            Self::Open => "open",
        }
    }

    /// The finding of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|finding| finding.name() == name)
    }
}

/// How often a plan wins if chance falls otherwise than the solver knew.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Luck {
    /// Games that the plan won, action by action as it is.
    pub won: u32,
    /// Games played, each with another seed.
    pub games: u32,
}

/// Games that measure the [`Luck`] of a plan.
const LUCK_GAMES: u32 = 100;

impl Luck {
    /// The interval that holds the probability of a win with 95 % confidence (Wilson's).
    pub fn interval(self) -> (f64, f64) {
        const Z: f64 = 1.96;
        let (won, games) = (f64::from(self.won), f64::from(self.games.max(1)));
        let share = won / games;
        let middle = share + Z * Z / (2.0 * games);
        let spread = Z * (share * (1.0 - share) / games + Z * Z / (4.0 * games * games)).sqrt();
        let scale = 1.0 + Z * Z / games;
        (((middle - spread) / scale).max(0.0), ((middle + spread) / scale).min(1.0))
    }

    /// Plays a plan with other seeds than the one that it was made for. Nothing if the level has no chance or other players.
    fn measure(open: &dyn OpenLevel, seed: u64, plan: &[String]) -> Option<Self> {
        let facts = open.facts();
        let measured = facts.chance && facts.seats.len() == 1;
        let wins = |game: &u64| {
            let mut table = open.table(seed, *game);
            let acted = plan.iter().all(|action| table.act(action).is_ok());
            acted && matches!(table.status(), Status::Over(over) if over.outcome(0) == Outcome::Win)
        };
        measured.then(|| {
            let won = (1..=u64::from(LUCK_GAMES)).filter(wins).count() as u32;
            Self { won, games: LUCK_GAMES }
        })
    }
}

/// What was found out about one level.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Certificate {
    /// Solved, impossible or open.
    pub finding: Finding,
    /// The actions of seat 0 that win the game of the seed.
    pub plan: Vec<String>,
    /// The turns of the best win known.
    pub par: Option<u32>,
    /// From 0 (trivial) to 10.
    pub difficulty: Option<f64>,
    /// What a win needs, and what the level's author should know, as sentences.
    pub needs: Vec<String>,
    /// Impossible: why, as a sentence. Open: how far the best attempt came.
    pub reason: String,
    /// How often the same plan wins with other chance; nothing without a plan or without chance.
    pub luck: Option<Luck>,
    /// States searched.
    pub states: u64,
    /// The time limit, in milliseconds.
    pub limit_ms: u64,
    /// Processor time of the search, in milliseconds.
    pub cpu_ms: f64,
}

/// How levels are certified.
#[derive(Clone, Copy)]
pub struct Terms {
    /// The game.
    pub game: &'static dyn AnyGame,
    /// The rule set.
    pub rules: &'static str,
    /// The seed of the chance that plans are made for.
    pub seed: u64,
    /// Time for each level.
    pub time: Duration,
    /// What that time is measured with. Levels are searched side by side in one process, so it is never that of the process.
    pub source: TimeSource,
}

/// Progress of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Levels done, those of earlier runs included.
    pub done: usize,
    /// Levels asked for.
    pub total: usize,
}

/// Certifies what the store does not know yet of these levels: those without a certificate, and open ones that were given
/// less time. `watch` gets each level as it is done, and may end the run after any. Returns the numbers of the levels in the
/// store, each once.
pub fn certify(
    terms: &Terms,
    levels: &[NamedLevel],
    store: &mut CertStore,
    shard: Shard,
    at_once: usize,
    watch: &mut dyn FnMut(Progress, &Entry) -> ControlFlow<()>,
) -> Result<Vec<usize>> {
    let numbers = store.enlist(terms, levels)?;
    let mut wanted: Vec<usize> = numbers.into_iter().filter(|&number| shard.holds(number)).collect();
    // A level that is named twice is searched once.
    let mut met = HashSet::new();
    wanted.retain(|number| met.insert(*number));
    let limit_ms = terms.time.as_millis() as u64;
    let missing: Vec<Entry> = wanted
        .iter()
        .map(|&number| store.entry(number))
        .filter(|entry| entry.as_ref().map_or(true, |entry| entry.is_worth_trying(limit_ms)))
        .collect::<Result<_>>()?;
    let total = wanted.len();
    let mut done = total - missing.len();
    in_parallel(
        missing.into_iter(),
        at_once,
        |entry| {
            let certificate = examine(terms, &entry.level)?;
            Ok(Entry { certificate: Some(certificate), ..entry })
        },
        |ready| {
            let ready = ready.into_iter().collect::<Result<Vec<Entry>>>()?;
            store.add(&ready)?;
            for entry in &ready {
                done += 1;
                if watch(Progress { done, total }, entry).is_break() {
                    return Ok(ControlFlow::Break(()));
                }
            }
            Ok(ControlFlow::Continue(()))
        },
    )?;
    Ok(wanted)
}

/// Searches one level. The plan is replayed before it is believed.
fn examine(terms: &Terms, level: &NamedLevel) -> Result<Certificate> {
    let open = levels::open(terms.game, level, terms.rules)?;
    let options = SolveOptions {
        time: terms.time,
        source: terms.source,
        threads: 1,
        chance: open.chance(terms.seed, 0),
        ..SolveOptions::default()
    };
    let begun = cpu::of_thread();
    let (solved, report) = open.certify(&options, &|_| {});
    let spent = cpu::of_thread().saturating_sub(begun);
    let solution = solved.solution;
    let finding = match solution.outcome {
        Solvability::Solved => Finding::Solved,
        Solvability::Unsolvable => Finding::Impossible,
        Solvability::Unknown => Finding::Open,
    };
    let mut luck = None;
    if finding == Finding::Solved {
        verify_plan(open.as_ref(), open.table(terms.seed, 0).as_ref(), terms.seed, &solution.plan)?;
        luck = Luck::measure(open.as_ref(), terms.seed, &solution.plan);
    }
    let needs = report.notes.into_iter().filter(|note| !solution.notes.contains(note)).collect();
    Ok(Certificate {
        finding,
        plan: solution.plan,
        par: report.par,
        difficulty: report.difficulty,
        needs,
        reason: solution.notes.join("; "),
        luck,
        states: solution.states,
        limit_ms: terms.time.as_millis() as u64,
        cpu_ms: milliseconds(spent),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_is_wilsons() {
        let (low, high) = Luck { won: 100, games: 100 }.interval();
        assert!((low - 0.963).abs() < 1e-3 && high > 0.999, "{low} {high}");
        let (low, high) = Luck { won: 50, games: 100 }.interval();
        assert!((low - 0.404).abs() < 1e-3 && (high - 0.596).abs() < 1e-3, "{low} {high}");
    }

    #[test]
    fn findings_are_known_by_their_names() {
        for finding in Finding::ALL {
            assert_eq!(Finding::named(finding.name()), Some(finding));
        }
        assert_eq!(Finding::named("perhaps"), None);
    }
}
