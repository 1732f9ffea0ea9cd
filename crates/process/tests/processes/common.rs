//! Helpers of the tests of agent processes: a short game of one agent, and its result.

use std::path::{Path, PathBuf};

use damier_core::agent::Budget;
use damier_host::contestant::Contestant;
use damier_host::replays;
use damier_host::terms::Terms;
use damier_kit::AnyGame;
use damier_kit::fault::{Fault, FaultCode};
use damier_kit::referee::{self, Decision, Finish, GameLimits};
use damier_kit::replay::{Move, Replay};
use damier_pacman::Pacman;
use damier_process::agents::foreign;
use damier_process::manifest::Manifest;

/// A maze in which the first legal action, which is up, does no harm.
const MAZE: &str = "#######\n#P....#\n#######\n";
pub const TURNS: u32 = 4;

/// The result of a game.
pub struct Played {
    pub finish: Finish,
    pub moves: Vec<Move>,
    pub replay: Replay,
    /// Everything the agent wrote to its log.
    pub log: String,
}

impl Played {
    /// The fault that lost the game.
    pub fn fault(&self) -> &Fault {
        match &self.finish {
            Finish::Fault(0, fault) => fault,
            other => panic!("no fault lost the game, it ended as {other:?}; log:\n{}", self.log),
        }
    }

    pub fn code(&self) -> FaultCode {
        self.fault().code
    }

    /// The pids that the agent reported.
    #[cfg(target_os = "linux")]
    pub fn processes(&self) -> Vec<i32> {
        self.log.lines().filter_map(|line| line.strip_prefix("pid ")?.parse().ok()).collect()
    }
}

/// The folder of the tests' own agents.
pub fn agents() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/agents")
}

/// The manifest of an agent in a folder.
pub fn manifest(text: &str, folder: &Path) -> Manifest {
    Manifest::parse(text, folder).expect("the manifest is well formed")
}

/// An agent process with this `agent.toml`.
pub fn agent(text: &str, folder: &Path) -> Contestant {
    foreign(manifest(text, folder))
}

/// Plays a few turns in the maze.
pub fn play(contestant: &Contestant, terms: &Terms) -> Played {
    play_in(&Pacman, MAZE, contestant, terms)
}

/// Plays a few turns of a game at seat 0; the other seats play at random.
pub fn play_in(game: &dyn AnyGame, level: &str, contestant: &Contestant, terms: &Terms) -> Played {
    play_seats(game, level, &[contestant], terms)
}

/// Plays a few turns of a game between these; seats without an agent play at random.
pub fn play_seats(game: &dyn AnyGame, level: &str, contestants: &[&Contestant], terms: &Terms) -> Played {
    let level = game.open(level, game.info().rules[0].name).expect("the level is well formed");
    let mut table = level.table(1, 0);
    let random = Contestant::built_in("random");
    let sit = |seat| {
        let contestant = contestants.get(seat).copied().unwrap_or(&random);
        contestant.sit(game.info(), level.as_ref(), seat, 1, terms).expect("it can sit down")
    };
    let mut seats: Vec<_> = (0..level.facts().seats.len()).map(sit).collect();
    let mut moves = Vec::new();
    let limits = GameLimits { turns: TURNS, budget: Budget::default() };
    let watch = &mut |decision: Decision<'_>| moves.push(Move::of(decision));
    let finish = referee::play(table.as_mut(), &mut seats, &limits, true, watch);
    let names = vec!["agent".to_owned(); seats.len()];
    let mut replay = replays::begin(game.info(), level.as_ref(), "test", 1, names, TURNS).unwrap();
    replay.moves.clone_from(&moves);
    replay.end = Some(finish.end(table.as_ref(), seats.len(), 0));
    let mut log: String = moves.iter().map(|step| step.log.as_str()).collect();
    log += &seats[0].take_log();
    Played { finish, moves, replay, log }
}

/// Processes with this word in their command.
#[cfg(target_os = "linux")]
pub fn running(word: &str) -> Vec<i32> {
    let named = |command: &[u8]| command.windows(word.len()).any(|part| part == word.as_bytes());
    living(named)
}

/// Processes that are still running a moment later: with this word in their command line, or copies of this test, which are wardens.
#[cfg(target_os = "linux")]
pub fn left_over(word: &str) -> Vec<i32> {
    use std::time::{Duration, Instant};

    let ours = std::fs::read("/proc/self/cmdline").unwrap();
    let limit = Instant::now() + Duration::from_secs(2);
    loop {
        let mut left = running(word);
        left.extend(living(|command| command == ours));
        if left.is_empty() || Instant::now() > limit {
            return left;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Other processes with a matching command line that are not zombies.
#[cfg(target_os = "linux")]
fn living(is_meant: impl Fn(&[u8]) -> bool) -> Vec<i32> {
    let lives = |pid: &i32| {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        // The state follows the name: Z is a zombie.
        stat.rsplit_once(')').is_some_and(|(_, rest)| !rest.trim_start().starts_with('Z'))
    };
    let meant = |pid: &i32| is_meant(&std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default());
    let entries = std::fs::read_dir("/proc").unwrap().flatten();
    let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    pids.filter(|pid| *pid != std::process::id() as i32 && lives(pid) && meant(pid)).collect()
}
