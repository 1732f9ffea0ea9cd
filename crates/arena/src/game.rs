//! One headless game: from its players to its result and replay.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use anyhow::{Result, anyhow, bail};
use damier_core::game::{Seat, Status};
use damier_core::random::mix;
use damier_kit::fault::{Fault, FaultCode, Substituted};
use damier_kit::referee::{self, Decision, Finish, GameLimits};
use damier_kit::replay::{End, Move, Replay};
use damier_kit::table::{OpenLevel, Seated, Table};
use damier_kit::{Info, Tally};

use crate::record::{Record, Times};
use damier_host::Prefix;
use damier_host::contestant::Contestant;
use damier_host::replays;
use damier_host::terms::Terms;

/// A game to play.
pub struct Setting<'a> {
    /// The game.
    pub info: &'static Info,
    /// The level.
    pub open: &'a dyn OpenLevel,
    /// The level's name.
    pub level: &'a str,
    /// Seed of the game's chance and of its agents.
    pub seed: u64,
    /// Players by seat.
    pub contestants: &'a [Contestant],
    /// Terms.
    pub terms: &'a Terms,
    /// Actions that are played before the agents take over.
    pub prefix: &'a Prefix,
}

/// What to keep of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// The result.
    Result,
    /// The replay too, with the insight of agent processes. That of built-in agents can be recomputed and is left out.
    Replay,
    /// The replay with the insight of all agents.
    Thoughts,
}

/// A finished game.
pub struct Played {
    /// The result.
    pub record: Record,
    /// Time of each decision, by seat.
    pub took: Vec<Vec<Duration>>,
    /// Seat 0's count of actions, for each tally of the game.
    pub tallies: Vec<u32>,
    /// The replay, if it was to be kept.
    pub replay: Option<Replay>,
}

/// Games without a result because the machine failed.
#[derive(Debug, Default)]
pub struct Missed {
    games: usize,
    /// The first failure.
    fault: Option<Fault>,
}

impl Missed {
    /// Counts a game without a result. An error other than a failure of the machine ends the whole run.
    pub fn add(&mut self, error: anyhow::Error) -> Result<()> {
        let fault = error.downcast::<Fault>()?;
        self.games += 1;
        self.fault.get_or_insert(fault);
        Ok(())
    }

    /// Is any game missing?
    pub fn any(&self) -> bool {
        self.games > 0
    }

    /// An error that says how many games are missing, why, and what to do about it; `Ok` if none is.
    pub fn check(&self, advice: &str) -> Result<()> {
        let Some(fault) = &self.fault else { return Ok(()) };
        let (games, were) = if self.games == 1 { ("game", "was") } else { ("games", "were") };
        bail!(
            "{} {games} {were} not played, because this machine failed: {}; {advice}",
            self.games,
            fault.detail
        )
    }
}

/// Plays a game. It ends with a result whatever agents do; an error is due to the level or its prefix or, if it is a [`Fault`], to
/// the machine.
pub fn play(setting: &Setting<'_>, keep: Keep) -> Result<Played> {
    let mut game = Recorder::new(setting.contestants.len(), setting.info.tallies, keep);
    let thoughts = match keep {
        Keep::Result => false,
        Keep::Replay => setting.contestants.iter().any(Contestant::is_foreign),
        Keep::Thoughts => true,
    };
    let mut table = setting.open.table(setting.seed, 0);
    let mut log = String::new();
    let finish = match sit_down(setting) {
        Err((seat, fault)) => Finish::Fault(seat, fault),
        Ok(mut agents) => {
            play_prefix(setting, table.as_mut(), &mut agents, &mut game)?;
            let finish = play_safely(table.as_mut(), &mut agents, setting.terms, thoughts, &mut game);
            log = match finish {
                Finish::Fault(seat, _) | Finish::Resigned(seat, _) => agents[seat].take_log(),
                Finish::Over(_) | Finish::Limit => agents.iter_mut().map(|agent| agent.take_log()).collect(),
            };
            finish
        }
    };
    match finish {
        Finish::Fault(_, fault) if fault.is_of_machine() => Err(fault.into()),
        finish => conclude(setting, game, table.as_ref(), &finish, log),
    }
}

/// A game that is not played: a seat loses it by this fault.
pub fn forfeit(setting: &Setting<'_>, seat: Seat, fault: Fault, keep: Keep) -> Result<Played> {
    let game = Recorder::new(setting.contestants.len(), setting.info.tallies, keep);
    let table = setting.open.table(setting.seed, 0);
    conclude(setting, game, table.as_ref(), &Finish::Fault(seat, fault), String::new())
}

/// The result and the replay of a game that has ended.
fn conclude(
    setting: &Setting<'_>,
    mut game: Recorder,
    table: &dyn Table,
    finish: &Finish,
    log: String,
) -> Result<Played> {
    let &Setting { info, open, level, seed, contestants, terms, .. } = setting;
    let seats = contestants.len();
    let end = End { log, ..finish.end(table, seats, 0) };
    if let Finish::Fault(seat, fault) = finish {
        game.substituted[*seat].add_last(fault);
    }
    let record = Record {
        outcomes: (0..seats).map(|seat| finish.outcome(seat)).collect(),
        reason: end.reason.clone(),
        turns: end.turns,
        scores: end.scores.clone(),
        fingerprint: game.fingerprint,
        fault: end.fault.clone(),
        substituted: game.substituted,
        times: game.times,
    };
    let replay = if game.keep {
        let names = contestants.iter().map(|contestant| contestant.name().to_owned()).collect();
        let mut replay = replays::begin(info, open, level, seed, names, terms.turns)?;
        replay.moves = game.moves;
        replay.end = Some(end);
        Some(replay)
    } else {
        None
    };
    Ok(Played { record, took: game.took, tallies: game.counts, replay })
}

fn sit_down(setting: &Setting<'_>) -> Result<Vec<Box<dyn Seated>>, (usize, Fault)> {
    let sit = |(seat, contestant): (usize, &Contestant)| {
        let seated = contestant.sit(setting.info, setting.open, seat, setting.seed, setting.terms);
        seated.map_err(|fault| (seat, fault))
    };
    setting.contestants.iter().enumerate().map(sit).collect()
}

/// Brings the game to the position in which it begins. Agents only decide for seats whose actions are no turns.
fn play_prefix(
    setting: &Setting<'_>,
    table: &mut dyn Table,
    agents: &mut [Box<dyn Seated>],
    game: &mut Recorder,
) -> Result<()> {
    let mut others = |table: &mut dyn Table, seat: Seat| -> Result<()> {
        let decided = referee::decide(agents[seat].as_mut(), table, seat, setting.terms.budget, false);
        decided
            .map(|_| ())
            .map_err(|leave| anyhow!("{} in the prefix: {leave}", setting.contestants[seat].name()))
    };
    let mut played = |table: &dyn Table, seat: Seat| game.record(Decision::given(table, seat));
    setting.prefix.play(table, &mut others, &mut played)
}

/// Plays the game; a built-in agent that panics loses, like a process that crashes.
fn play_safely(
    table: &mut dyn Table,
    agents: &mut [Box<dyn Seated>],
    terms: &Terms,
    thoughts: bool,
    game: &mut Recorder,
) -> Finish {
    let limits = GameLimits { turns: terms.turns, budget: terms.budget };
    let played = catch_unwind(AssertUnwindSafe(|| {
        referee::play(table, agents, &limits, thoughts, &mut |decision| game.add(decision))
    }));
    played.unwrap_or_else(|panic| {
        let said = panic.downcast_ref::<String>().map(String::as_str);
        let said = said.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("it panicked");
        let seat = match table.status() {
            Status::ToMove(seat) => seat,
            Status::Over(_) => 0,
        };
        let finish = Finish::Fault(seat, Fault::new(FaultCode::Crash, said));
        let seats = agents.len();
        for (seat, agent) in agents.iter_mut().enumerate() {
            agent.end(&finish.end(table, seats, seat));
        }
        finish
    })
}

/// Records a game while it is played.
struct Recorder {
    keep: bool,
    moves: Vec<Move>,
    took: Vec<Vec<Duration>>,
    tallies: &'static [Tally],
    counts: Vec<u32>,
    times: Vec<Times>,
    substituted: Vec<Substituted>,
    fingerprint: u64,
}

impl Recorder {
    fn new(seats: usize, tallies: &'static [Tally], keep: Keep) -> Self {
        Self {
            keep: keep != Keep::Result,
            moves: Vec::new(),
            took: vec![Vec::new(); seats],
            tallies,
            counts: vec![0; tallies.len()],
            times: vec![Times::default(); seats],
            substituted: vec![Substituted::default(); seats],
            fingerprint: 0,
        }
    }

    fn add(&mut self, decision: Decision<'_>) {
        self.took[decision.seat].push(decision.took);
        self.times[decision.seat].add(decision.took, decision.cpu);
        self.substituted[decision.seat].add(&decision.warnings);
        self.count(&decision);
        self.record(decision);
    }

    fn record(&mut self, decision: Decision<'_>) {
        self.fingerprint = mix(self.fingerprint ^ decision.table.hash());
        if self.keep {
            self.moves.push(Move::of(decision));
        }
    }

    fn count(&mut self, decision: &Decision<'_>) {
        if self.tallies.is_empty() || decision.seat != 0 {
            return;
        }
        let Some(action) = decision.table.last_action() else { return };
        for (count, tally) in self.counts.iter_mut().zip(self.tallies) {
            *count += u32::from(tally.actions.contains(&&*action));
        }
    }
}

#[cfg(test)]
mod tests {
    use damier_core::agent::Clock;
    use damier_core::game::Outcome;
    use damier_core::insight::Insight;
    use damier_kit::AnyGame;
    use damier_kit::fault::Leave;
    use damier_pacman::Pacman;

    use super::*;

    const MAZE: &str = "#######\n#P....#\n#######\n";

    struct Panics;

    impl Seated for Panics {
        fn play(&mut self, _: &mut dyn Table, _: &Clock, _: &mut Insight) -> Result<(), Leave> {
            panic!("no idea");
        }
    }

    #[test]
    fn an_agent_that_panics_loses_its_game() {
        let open = Pacman.open(MAZE, "course").unwrap();
        let mut game = Recorder::new(1, &[], Keep::Result);
        let mut agents: Vec<Box<dyn Seated>> = vec![Box::new(Panics)];
        let terms = Terms::of_turns(10);
        let finish = play_safely(open.table(1, 0).as_mut(), &mut agents, &terms, false, &mut game);
        assert_eq!(finish, Finish::Fault(0, Fault::new(FaultCode::Crash, "no idea")));
    }

    /// Plays ten turns in a corridor with a built-in agent.
    fn play_corridor(agent: &str, keep: Keep) -> Played {
        let open = Pacman.open(MAZE, "course").unwrap();
        let setting = Setting {
            info: Pacman.info(),
            open: open.as_ref(),
            level: "corridor",
            seed: 1,
            contestants: &[Contestant::built_in(agent)],
            terms: &Terms::of_turns(10),
            prefix: &Prefix::default(),
        };
        play(&setting, keep).unwrap()
    }

    #[test]
    fn a_contestant_that_does_not_exist_loses_before_the_first_turn() {
        let played = play_corridor("nobody", Keep::Replay);
        assert_eq!((played.record.outcomes[0], played.record.turns), (Outcome::Loss, 0));
        assert!(played.record.is_at_fault(0), "{}", played.record.reason);
        played.replay.unwrap().verify(&Pacman).unwrap();
    }

    #[test]
    fn a_game_is_kept_as_far_as_asked_for() {
        assert!(play_corridor("baseline", Keep::Result).replay.is_none());
        let thoughts = |keep| {
            let replay = play_corridor("baseline", keep).replay.unwrap();
            replay.verify(&Pacman).unwrap();
            replay.moves.iter().filter(|step| !step.insight.is_empty()).count()
        };
        assert_eq!(thoughts(Keep::Replay), 0);
        assert!(thoughts(Keep::Thoughts) > 0);
    }
}
