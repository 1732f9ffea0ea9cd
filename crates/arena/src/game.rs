//! One headless game: from its players to its result and replay.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use anyhow::Result;
use damier_core::game::Status;
use damier_core::random::mix;
use damier_kit::Info;
use damier_kit::fault::{Fault, FaultCode};
use damier_kit::referee::{self, Decision, Finish, GameLimits};
use damier_kit::replay::{Move, Replay};
use damier_kit::table::{OpenLevel, Seated, Table};

use crate::record::{Record, Times};
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
    /// The replay, if it was to be kept.
    pub replay: Option<Replay>,
}

/// Plays a game. It ends with a result whatever agents do; an error is due to the level or the machine.
pub fn play(setting: &Setting<'_>, keep: Keep) -> Result<Played> {
    let &Setting { info, open, level, seed, contestants, terms } = setting;
    let seats = contestants.len();
    let mut game = Recorder {
        keep: keep != Keep::Result,
        moves: Vec::new(),
        took: vec![Vec::new(); seats],
        times: vec![Times::default(); seats],
        strikes: vec![0; seats],
        fingerprint: 0,
    };
    let thoughts = match keep {
        Keep::Result => false,
        Keep::Replay => contestants.iter().any(Contestant::is_foreign),
        Keep::Thoughts => true,
    };
    let mut table = open.table(seed, 0);
    let mut log = String::new();
    let finish = match sit_down(setting) {
        Err((seat, fault)) => Finish::Fault(seat, fault),
        Ok(mut agents) => {
            let finish = play_safely(table.as_mut(), &mut agents, terms, thoughts, &mut game);
            if let Finish::Fault(seat, _) = finish {
                log = agents[seat].take_log();
            }
            finish
        }
    };
    let mut end = finish.end(table.as_ref(), seats, 0);
    end.log = log;
    let record = Record {
        outcomes: (0..seats).map(|seat| finish.outcome(seat)).collect(),
        reason: end.reason.clone(),
        turns: end.turns,
        scores: end.scores.clone(),
        fingerprint: game.fingerprint,
        fault: end.fault.clone(),
        strikes: game.strikes,
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
    Ok(Played { record, took: game.took, replay })
}

fn sit_down(setting: &Setting<'_>) -> Result<Vec<Box<dyn Seated>>, (usize, Fault)> {
    let sit = |(seat, contestant): (usize, &Contestant)| {
        let seated = contestant.sit(setting.info, setting.open, seat, setting.seed, setting.terms);
        seated.map_err(|fault| (seat, fault))
    };
    setting.contestants.iter().enumerate().map(sit).collect()
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
    times: Vec<Times>,
    strikes: Vec<u32>,
    fingerprint: u64,
}

impl Recorder {
    fn add(&mut self, decision: Decision<'_>) {
        self.took[decision.seat].push(decision.took);
        self.times[decision.seat].add(decision.took, decision.cpu);
        self.strikes[decision.seat] += decision.warnings.len() as u32;
        self.fingerprint = mix(self.fingerprint ^ decision.table.hash());
        if self.keep {
            self.moves.push(Move::of(decision));
        }
    }
}

#[cfg(test)]
mod tests {
    use damier_core::agent::Clock;
    use damier_core::game::Outcome;
    use damier_core::insight::Insight;
    use damier_kit::AnyGame;
    use damier_pacman::Pacman;

    use super::*;

    const MAZE: &str = "#######\n#P....#\n#######\n";

    struct Panics;

    impl Seated for Panics {
        fn play(&mut self, _: &mut dyn Table, _: &Clock, _: &mut Insight) -> Result<(), Fault> {
            panic!("no idea");
        }
    }

    #[test]
    fn an_agent_that_panics_loses_its_game() {
        let open = Pacman.open(MAZE, "course").unwrap();
        let mut game = Recorder {
            keep: false,
            moves: vec![],
            took: vec![vec![]],
            times: vec![Times::default()],
            strikes: vec![0],
            fingerprint: 0,
        };
        let mut agents: Vec<Box<dyn Seated>> = vec![Box::new(Panics)];
        let terms = Terms::of_turns(10);
        let finish = play_safely(open.table(1, 0).as_mut(), &mut agents, &terms, false, &mut game);
        assert_eq!(finish, Finish::Fault(0, Fault::new(FaultCode::Crash, "no idea")));
    }

    #[test]
    fn a_contestant_that_does_not_exist_loses_before_the_first_turn() {
        let pacman = Pacman;
        let open = pacman.open(MAZE, "course").unwrap();
        let contestants = [Contestant::BuiltIn("nobody".into())];
        let setting = Setting {
            info: pacman.info(),
            open: open.as_ref(),
            level: "corridor",
            seed: 1,
            contestants: &contestants,
            terms: &Terms::of_turns(10),
        };
        let played = play(&setting, Keep::Replay).unwrap();
        assert_eq!((played.record.outcomes[0], played.record.turns), (Outcome::Loss, 0));
        assert!(played.record.is_at_fault(0), "{}", played.record.reason);
        played.replay.unwrap().verify(&pacman).unwrap();
    }

    #[test]
    fn a_game_is_kept_as_far_as_asked_for() {
        let pacman = Pacman;
        let open = pacman.open(MAZE, "course").unwrap();
        let contestants = [Contestant::BuiltIn("baseline".into())];
        let setting = Setting {
            info: pacman.info(),
            open: open.as_ref(),
            level: "corridor",
            seed: 1,
            contestants: &contestants,
            terms: &Terms::of_turns(10),
        };
        assert!(play(&setting, Keep::Result).unwrap().replay.is_none());
        let thoughts = |keep| {
            let replay = play(&setting, keep).unwrap().replay.unwrap();
            replay.verify(&pacman).unwrap();
            replay.moves.iter().filter(|step| !step.insight.is_empty()).count()
        };
        assert_eq!(thoughts(Keep::Replay), 0);
        assert!(thoughts(Keep::Thoughts) > 0);
    }
}
