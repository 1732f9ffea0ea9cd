//! What the tests of agent processes share: a short game of one agent, and what became of it.

use std::path::{Path, PathBuf};

use damier_core::agent::Budget;
use damier_host::contestant::Contestant;
use damier_host::terms::Terms;
use damier_kit::AnyGame;
use damier_kit::fault::{Fault, FaultCode};
use damier_kit::referee::{self, Decision, Finish, GameLimits};
use damier_kit::replay::Move;
use damier_pacman::Pacman;
use damier_process::agents::foreign;
use damier_process::manifest::Manifest;

/// A maze in which the first legal action, which is up, does no harm.
const MAZE: &str = "#######\n#P....#\n#######\n";
pub const TURNS: u32 = 4;

/// How a game went.
pub struct Played {
    pub finish: Finish,
    pub moves: Vec<Move>,
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

    /// The numbers of the processes that the agent told of.
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

/// Plays a few turns.
pub fn play(contestant: &Contestant, terms: &Terms) -> Played {
    let game = Pacman;
    let level = game.open(MAZE, "course").expect("the maze is well formed");
    let mut table = level.table(1, 0);
    let mut seats = vec![contestant.sit(game.info(), level.as_ref(), 0, 1, terms).expect("it can sit down")];
    let mut moves = Vec::new();
    let limits = GameLimits { turns: TURNS, budget: Budget::default() };
    let watch = &mut |decision: Decision<'_>| moves.push(Move::of(decision));
    let finish = referee::play(table.as_mut(), &mut seats, &limits, true, watch);
    let mut log: String = moves.iter().map(|step| step.log.as_str()).collect();
    log += &seats[0].take_log();
    Played { finish, moves, log }
}

/// Is there a process of this number that runs, or will it soon be gone?
#[cfg(target_os = "linux")]
pub fn lives(pid: i32) -> bool {
    use std::time::{Duration, Instant};

    let runs = || {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        // The state follows the name: Z is dead, and only its parent has not looked yet.
        stat.rsplit_once(')').is_some_and(|(_, rest)| !rest.trim_start().starts_with('Z'))
    };
    let limit = Instant::now() + Duration::from_secs(2);
    while runs() && Instant::now() < limit {
        std::thread::sleep(Duration::from_millis(5));
    }
    runs()
}
