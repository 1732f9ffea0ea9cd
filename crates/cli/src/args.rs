//! The command line as typed.

mod certify;
pub mod values;

use std::net::IpAddr;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand};
use clap_complete::Shell;

use damier_arena::schedule::{Format, Shard};
use damier_host::terms::{Confinement, Terms};

use crate::games;
pub use certify::{AtlasArgs, CertifyArgs};
pub use values::{Pace, Seeds};
use values::{
    parse_difficulty, parse_duration, parse_elo_pair, parse_pace, parse_seeds, parse_size, parse_token,
};

/// Five classic grid games with exact rules and strong agents: play, watch, solve and compare.
///
/// Without a command, opens the page in the browser, like `serve`.
#[derive(Debug, Parser)]
#[command(version, max_term_width = 100, arg_required_else_help = false)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Option<Command>,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// List the games with their rule sets and agents.
    #[command(after_help = "Example: damier games --json")]
    Games {
        /// Print one JSON line per game.
        #[arg(long)]
        json: bool,
    },
    /// List a game's levels, or print one.
    #[command(after_help = "Examples:\n  damier levels pacman\n  damier levels pacman original/maze")]
    Levels {
        #[command(flatten)]
        game: GameName,
        /// Print the text of this level.
        level: Option<String>,
        /// Print one JSON line per level.
        #[arg(long)]
        json: bool,
    },
    /// Open the page in the browser: play, watch, edit, solve and compete.
    ///
    /// The server accepts connections from this machine only. With --listen it accepts others too; they need the access token, which is
    /// part of the printed address. Press Ctrl-C to stop.
    #[command(after_help = "Examples:\n  damier serve\n  damier serve --port 8080 --no-open\n  \
        damier serve --listen 0.0.0.0 --data class/")]
    Serve(ServeArgs),
    /// Play in the terminal. Without a game, a menu opens.
    #[command(after_help = "Examples:\n  damier play\n  damier play pacman\n  \
        damier play pacman --style original\n  \
        damier play pacman --rules report --vs team --pace 200ms")]
    Play(PlayArgs),
    /// Watch agents in the terminal, step by step, with their plans and predictions.
    #[command(after_help = "Example: damier watch pacman --agent best --seed 3")]
    Watch(WatchArgs),
    /// Play games without a display and print a table of results.
    #[command(after_help = "Examples:\n  damier run pacman --agent best,baseline --seeds 1..20\n  \
        damier run pacman --rules report --level generated/1..50 --vs original,team\n  \
        damier run siam --agent best:100ms --vs best:10ms --prefix 0-11n,0-55s\n  \
        damier run pacman --agent best --json")]
    Run(RunArgs),
    /// Play a list of actions and print one JSON state per turn.
    #[command(after_help = "Examples:\n  damier trace pacman --actions zzqqssdd\n  \
        damier trace pacman --actions up,left,left --last")]
    Trace {
        #[command(flatten)]
        setting: Setting,
        /// Actions: names separated by commas, or the game's own shorthand.
        #[arg(long, allow_hyphen_values = true, required_unless_present = "recording")]
        actions: Option<String>,
        /// Play a recorded run instead: a file in the game's own recording format.
        #[arg(long, conflicts_with = "actions")]
        recording: Option<PathBuf>,
        /// Print only the final state.
        #[arg(long)]
        last: bool,
    },
    /// Find a winning plan, or prove that there is none.
    #[command(after_help = "Examples:\n  damier solve pacman original/maze --time 60s\n  \
        damier solve siam --prefix 0-11n,0-55s\n  damier solve delirium --prefix game.jsonl.zst@120")]
    Solve {
        #[command(flatten)]
        args: SolveArgs,
        /// Start from the position after these actions: names of all turns separated by commas, or a replay, FILE or FILE@TURN, with
        /// its own level and rules.
        #[arg(long, value_name = "ACTIONS", allow_hyphen_values = true)]
        prefix: Option<String>,
    },
    /// Check whether levels are well formed and can be won, and rate their difficulty.
    #[command(after_help = "Example: damier check pacman my-maze.txt")]
    Check(SolveArgs),
    /// Find out for many levels which can be won, and keep a certificate of each in a store.
    ///
    /// A level is *solved* with a plan, *impossible* with the reason, or *open* with how far the best attempt came. Run the same
    /// command again to continue after an interruption. The exit code is 0 if no level is open, 1 otherwise.
    #[command(
        after_help = "Examples:\n  damier certify delirium --rules boulder caves/*.bd --out certs.db\n  \
        damier certify pacman damier --time 30s --clock cpu --out mazes.db"
    )]
    Certify(CertifyArgs),
    /// Write a report on certified levels: a page with thumbnails and filters, and a table for spreadsheets.
    #[command(after_help = "Example: damier atlas certs.db --out atlas/")]
    Atlas(AtlasArgs),
    /// Generate levels.
    #[command(after_help = "Examples:\n  damier generate pacman --seed 7\n  \
        damier generate pacman --size 31x21 --count 10 --out mazes/")]
    Generate {
        #[command(flatten)]
        game: GameName,
        /// Seed of the first level; the following ones use the next seeds.
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// Number of levels.
        #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=100_000))]
        count: u32,
        /// Difficulty, from 0 (easy) to 10 (hard).
        #[arg(long, value_parser = parse_difficulty)]
        difficulty: Option<f64>,
        /// Columns and rows, such as 19x21.
        #[arg(long, value_parser = parse_size)]
        size: Option<(u16, u16)>,
        /// Rule set of the levels.
        #[arg(long)]
        rules: Option<String>,
        /// Write each level to a file in this folder instead of standard output.
        #[arg(long)]
        out: Option<PathBuf>,
    },
    /// Convert levels to another format.
    #[command(after_help = "Example: damier convert pacman --to berkeley original/maze")]
    Convert {
        #[command(flatten)]
        game: GameName,
        /// Target format; `damier games` lists them.
        #[arg(long)]
        to: String,
        /// Rule set of the levels.
        #[arg(long)]
        rules: Option<String>,
        /// Levels: shipped (`pack/name`), files, or `-` for standard input.
        #[arg(required = true)]
        levels: Vec<String>,
    },
    /// Analyse positions: best lines, proven wins, and the threats of both sides.
    #[command(after_help = "Examples:\n  damier analyze siam --time 5s\n  \
        damier analyze siam '...../..e../.MMM./..N../..... E 4' --lines 3 --json")]
    Analyze(AnalyzeArgs),
    /// Count the move sequences of a given length from a position (perft), to compare move generators.
    #[command(after_help = "Examples:\n  damier perft siam --depth 5\n  \
        damier perft siam --depth 3 --divide --position '...../..e../.MMM./...../..N.. R 2'")]
    Perft(PerftArgs),
    /// Show a replay step by step in the terminal, or as text if the output is not a terminal.
    #[command(after_help = "Example: damier replay game.jsonl.zst")]
    Replay {
        /// Replay file, or a game of a store as STORE.db#NUMBER.
        file: PathBuf,
    },
    /// Review replays: which action lost the game, and what would have been better.
    #[command(after_help = "Example: damier review game.jsonl.zst --time 10s")]
    Review {
        /// Replay files.
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// Time per game, such as 5s or 500ms.
        #[arg(long, default_value = "10s", value_parser = parse_duration)]
        time: Duration,
        /// Print one JSON line per game.
        #[arg(long)]
        json: bool,
    },
    /// Verify replays: recompute every state and compare.
    #[command(after_help = "Example: damier verify replays/*.zst")]
    Verify {
        /// Replay files.
        #[arg(required = true)]
        files: Vec<PathBuf>,
    },
    /// Play a tournament between agents, in one or several games, and store every game.
    #[command(after_help = "Examples:\n  damier tournament spring.toml --out spring.db\n  \
        damier tournament spring.toml --out spring.db --resume\n  \
        damier tournament siam --agent best,sparring,original --seeds 1..10 --out siam.db")]
    Tournament(TournamentArgs),
    /// Compare two agents: is B better than A? They play each other, or the same levels alone.
    #[command(after_help = "Examples:\n  damier match siam original sparring --seeds 1..20\n  \
        damier match pacman baseline best --level generated/1..500 --sprt 0,50")]
    Match(MatchArgs),
    /// Grade agents with a test suite and write a report, for the teacher, the authors and other programs.
    ///
    /// The exit code is 0 if every agent passed every test, 1 otherwise.
    #[command(after_help = "Examples:\n  damier grade loderunner class/*/agent.toml --out report/\n  \
        damier grade my-suite.toml best original --out report/")]
    Grade(GradeArgs),
    /// Merge the stores of a tournament that was split over machines, and print its tables.
    #[command(
        after_help = "Examples:\n  damier merge part1.db part2.db --out all.db\n  damier merge spring.db"
    )]
    Merge {
        /// Store files.
        #[arg(required = true)]
        stores: Vec<PathBuf>,
        /// Write all games to a new store.
        #[arg(long)]
        out: Option<PathBuf>,
        /// Print the tables as one JSON line.
        #[arg(long)]
        json: bool,
    },
    /// Create an agent from a template. It runs as it is and plays the first legal action.
    #[command(after_help = "Examples:\n  damier new-agent pacman python my-pacman\n  \
        damier new-agent loderunner door my-runner\n  damier new-agent siam door my-player --from old-project")]
    NewAgent {
        #[command(flatten)]
        game: GameName,
        /// Language: python, c, prolog, rust or javascript; or `door`, an adapter for agents with the interface of the original course.
        language: String,
        /// Folder to create.
        folder: PathBuf,
        /// Project of the original course: it is copied unchanged, and the door is added.
        #[arg(long, value_name = "PROJECT")]
        from: Option<PathBuf>,
    },
    /// Check that an agent speaks the protocol: plays a short game and explains every mistake.
    #[command(
        after_help = "Examples:\n  damier check-agent my-pacman\n  damier check-agent 'cmd:python3 agent.py' --game siam\n  \
        damier check-agent --confinement"
    )]
    CheckAgent(CheckAgentArgs),
    /// Print the JSON schema of a game's observations.
    #[command(after_help = "Example: damier schema siam")]
    Schema {
        #[command(flatten)]
        game: GameName,
    },
    /// Benchmark games: steps and nodes per second on one core, and a signature that pins their behaviour.
    #[command(after_help = "Example: damier bench pacman --json")]
    Bench {
        /// Game to measure, by default all; or `arena`, for the overhead of agent processes and of the store.
        #[arg(value_parser = games::bench_parser())]
        game: Option<String>,
        /// Seconds per game.
        #[arg(long, default_value_t = 1.0)]
        seconds: f64,
        /// Print one JSON line per game.
        #[arg(long)]
        json: bool,
    },
    /// Print a shell completion script.
    #[command(
        after_help = "Example: damier completions bash > ~/.local/share/bash-completion/completions/damier"
    )]
    Completions {
        /// Shell.
        shell: Shell,
    },
    /// Print the manual page.
    #[command(after_help = "Example: damier man | man -l -")]
    Man,
}

#[derive(Debug, Args)]
pub struct GameName {
    /// Game.
    #[arg(value_parser = games::names_parser())]
    pub game: String,
}

/// Game, level, rule set and seed.
#[derive(Debug, Args)]
pub struct Setting {
    #[command(flatten)]
    pub game: GameName,
    #[command(flatten)]
    pub start: StartArgs,
}

/// Level, rule set and seed.
#[derive(Debug, Args)]
pub struct StartArgs {
    /// Level: shipped (`pack/name`), generated (`generated/SEED`), a file, or `-` for standard input.
    #[arg(long)]
    pub level: Option<String>,
    /// Rule set; by default the game's first one.
    #[arg(long)]
    pub rules: Option<String>,
    /// Seed of the game's chance.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

/// Budget of an agent's decisions. By default each agent searches its own default number of nodes, the same on every machine.
#[derive(Clone, Copy, Debug, Args)]
pub struct BudgetArgs {
    /// Time per decision of an agent, such as 50ms. Results then depend on the machine.
    #[arg(long, value_parser = parse_duration)]
    pub think: Option<Duration>,
    /// Nodes per decision of an agent.
    #[arg(long)]
    pub nodes: Option<u64>,
}

/// Look of the terminal.
#[derive(Debug, Args)]
pub struct Look {
    /// Drawing style: `modern`, or one of the game's own, such as `original`.
    #[arg(long)]
    pub style: Option<String>,
    /// Draw with ASCII characters only.
    #[arg(long)]
    pub ascii: bool,
    /// Save the game as a replay in this file (compressed if it ends in `.zst`).
    #[arg(long)]
    pub save: Option<PathBuf>,
}

#[derive(Debug, Default, Args)]
pub struct ServeArgs {
    /// Port to listen on. Default 7272, or any free port if that is in use; 0 picks a free one.
    #[arg(long)]
    pub port: Option<u16>,
    /// Address to listen on. By default, only this machine can connect.
    #[arg(long, value_name = "ADDRESS")]
    pub listen: Option<IpAddr>,
    /// Access token; generated if one is needed and none is given. Other users of this machine can see it in the process list; to hide
    /// it, use `--token-file` or the environment variable `DAMIER_TOKEN`.
    #[arg(long, value_parser = parse_token)]
    pub token: Option<String>,
    /// File with the access token.
    #[arg(long, value_name = "FILE", conflicts_with = "token")]
    pub token_file: Option<PathBuf>,
    /// Folder for agents, tournaments and reports.
    #[arg(long)]
    pub data: Option<PathBuf>,
    /// Do not open the browser.
    #[arg(long)]
    pub no_open: bool,
}

/// Confinement and memory limit of agent processes.
#[derive(Clone, Copy, Debug, Default, Args)]
pub struct ConfineArgs {
    /// Run agent processes without confinement. Only for trusted agents.
    #[arg(long)]
    pub unconfined: bool,
    /// Memory limit of an agent process, in megabytes. Default 512.
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u64).range(1..))]
    pub memory: Option<u64>,
}

impl ConfineArgs {
    /// The terms with these options instead of their own.
    pub fn apply(self, mut terms: Terms) -> Terms {
        if self.unconfined {
            terms.confinement = Confinement::Off;
        }
        terms.memory_mb = self.memory.unwrap_or(terms.memory_mb);
        terms
    }
}

#[derive(Debug, Args)]
pub struct PlayArgs {
    /// Game; without one, a menu opens.
    #[arg(value_parser = games::names_parser())]
    pub game: Option<String>,
    #[command(flatten)]
    pub start: StartArgs,
    /// Agent at the other seats.
    #[arg(long)]
    pub vs: Option<String>,
    /// Your seat: its number or name, or `all` to play every seat.
    #[arg(long, default_value = "0")]
    pub seat: String,
    /// Real-time play: one turn per this time, such as 200ms; `off` makes the game wait for you.
    #[arg(long, value_parser = parse_pace)]
    pub pace: Option<Pace>,
    #[command(flatten)]
    pub look: Look,
    #[command(flatten)]
    pub budget: BudgetArgs,
}

#[derive(Debug, Args)]
pub struct WatchArgs {
    #[command(flatten)]
    pub setting: Setting,
    /// Agent at the first seat.
    #[arg(long, default_value = "best")]
    pub agent: String,
    /// Agent at the other seats.
    #[arg(long)]
    pub vs: Option<String>,
    #[command(flatten)]
    pub look: Look,
    #[command(flatten)]
    pub confine: ConfineArgs,
    #[command(flatten)]
    pub budget: BudgetArgs,
}

#[derive(Debug, Args)]
pub struct RunArgs {
    #[command(flatten)]
    pub game: GameName,
    /// Levels: shipped (`pack/name`, or `pack` for all of it), generated (`generated/SEED` or `generated/FIRST..LAST`), files, or `-`.
    #[arg(long, num_args = 1.., value_delimiter = ',')]
    pub level: Vec<String>,
    /// Agents at the first seat; each plays all games. A built-in agent may have its own budget: best:100ms, best:400000n.
    #[arg(long, num_args = 1.., value_delimiter = ',', default_value = "best")]
    pub agent: Vec<String>,
    /// Agents at the other seats; each meets every agent of the first seat.
    #[arg(long, num_args = 1.., value_delimiter = ',')]
    pub vs: Vec<String>,
    /// Rule set; by default the game's first one.
    #[arg(long)]
    pub rules: Option<String>,
    /// Seeds, such as 7, 1..200 (both included) or 1,5,9; by default 1, or that of the replay. Each level is played once per seed.
    #[arg(long, value_parser = parse_seeds)]
    pub seeds: Option<Seeds>,
    /// Start from the position after these actions: names of all turns separated by commas, or a replay, FILE or FILE@TURN, with its
    /// own level and rules.
    #[arg(long, value_name = "ACTIONS", allow_hyphen_values = true)]
    pub prefix: Option<String>,
    /// Turn limit: a game then ends undecided.
    #[arg(long)]
    pub turns: Option<u32>,
    /// Number of games played in parallel; by default and at most the number of cores.
    #[arg(long)]
    pub threads: Option<usize>,
    #[command(flatten)]
    pub confine: ConfineArgs,
    #[command(flatten)]
    pub budget: BudgetArgs,
    /// Save every game as a compressed replay in this folder.
    #[arg(long)]
    pub replays: Option<PathBuf>,
    /// Print one JSON line per game instead of the table.
    #[arg(long)]
    pub json: bool,
}

/// Options of a match, or of a tournament in one game.
#[derive(Debug, Args)]
pub struct Contest {
    /// Levels: shipped (`pack/name`, or `pack` for all of it), generated (`generated/SEED` or `generated/FIRST..LAST`), files, or `-`.
    #[arg(long, num_args = 1.., value_delimiter = ',')]
    pub level: Vec<String>,
    /// Rule set; by default the game's first one.
    #[arg(long)]
    pub rules: Option<String>,
    /// Seeds, such as 7, 1..200 (both included) or 1,5,9; by default 1. Each level is played once per seed and side.
    #[arg(long)]
    pub seeds: Option<String>,
    /// Turn limit: a game then ends undecided.
    #[arg(long)]
    pub turns: Option<u32>,
    #[command(flatten)]
    pub confine: ConfineArgs,
    #[command(flatten)]
    pub budget: BudgetArgs,
}

impl Contest {
    /// Are all options unset that a tournament file sets?
    pub fn has_no_options(&self) -> bool {
        let BudgetArgs { think, nodes } = self.budget;
        self.level.is_empty()
            && (&self.rules, &self.seeds, self.turns, think, nodes) == (&None, &None, None, None, None)
    }
}

#[derive(Debug, Args)]
pub struct TournamentArgs {
    /// Tournament file; or the name of a game, with agents and levels given as options.
    pub tournament: String,
    /// Agents: built-in names, also with a budget such as best:100ms or best:400000n, `agent.toml` files, or folders with one.
    #[arg(long = "agent", num_args = 1.., value_delimiter = ',')]
    pub contest_agents: Vec<String>,
    /// Format: `round-robin`, `gauntlet` (the first agent meets every other) or `knockout`.
    #[arg(long)]
    pub format: Option<Format>,
    #[command(flatten)]
    pub contest: Contest,
    /// Store file: every finished game is saved there.
    #[arg(long)]
    pub out: PathBuf,
    /// Resume an interrupted tournament.
    #[arg(long)]
    pub resume: bool,
    /// Play only part K of N, given as K/N; `damier merge` joins the stores of all parts.
    #[arg(long)]
    pub shard: Option<Shard>,
    /// Number of games played in parallel; by default and at most the number of cores.
    #[arg(long)]
    pub threads: Option<usize>,
    /// Print the tables as one JSON line.
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct GradeArgs {
    /// Suite: a file, or the name of a game, for the suite that comes with it.
    pub suite: String,
    /// Agents to grade: `agent.toml` files, folders with one, or built-in agents.
    #[arg(required = true)]
    pub agents: Vec<String>,
    /// Folder for the report and the store of all games.
    #[arg(long)]
    pub out: PathBuf,
    /// Resume interrupted grading.
    #[arg(long)]
    pub resume: bool,
    #[command(flatten)]
    pub confine: ConfineArgs,
    /// Number of games played in parallel; by default and at most the number of cores.
    #[arg(long)]
    pub threads: Option<usize>,
    /// Print one JSON line per agent.
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct MatchArgs {
    #[command(flatten)]
    pub game: GameName,
    /// Baseline agent: a built-in name, also with a budget such as best:100ms or best:400000n, an `agent.toml`, a folder with one, or
    /// `cmd:COMMAND`.
    pub a: String,
    /// Agent to compare with the baseline.
    pub b: String,
    #[command(flatten)]
    pub contest: Contest,
    /// Sequential probability ratio test, given as ELO0,ELO1: stop as soon as B is shown to be stronger by at most ELO0 or at least ELO1.
    #[arg(long, value_parser = parse_elo_pair, allow_hyphen_values = true)]
    pub sprt: Option<(f64, f64)>,
    /// False-positive rate: probability of accepting B when it is not better.
    #[arg(long, default_value_t = 0.05)]
    pub alpha: f64,
    /// False-negative rate: probability of rejecting B when it is better.
    #[arg(long, default_value_t = 0.05)]
    pub beta: f64,
    /// Store file: every game is saved there.
    #[arg(long)]
    pub out: Option<PathBuf>,
    /// Resume an interrupted match.
    #[arg(long)]
    pub resume: bool,
    /// Number of games played in parallel; by default and at most the number of cores.
    #[arg(long)]
    pub threads: Option<usize>,
    /// Print one JSON line.
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct CheckAgentArgs {
    /// Agent: an `agent.toml`, a folder with one, or `cmd:COMMAND`.
    #[arg(required_unless_present = "confinement")]
    pub agent: Option<String>,
    /// Game, if the agent's manifest does not name it.
    #[arg(long, value_parser = games::names_parser())]
    pub game: Option<String>,
    /// Level; by default the game's first one.
    #[arg(long)]
    pub level: Option<String>,
    /// Rule set; by default the game's first one.
    #[arg(long)]
    pub rules: Option<String>,
    /// Decisions per seat.
    #[arg(long, default_value_t = 20)]
    pub decisions: u32,
    /// Time per decision, such as 100ms.
    #[arg(long, default_value = "1s", value_parser = parse_duration)]
    pub time: Duration,
    #[command(flatten)]
    pub confine: ConfineArgs,
    /// Only report how this machine confines agents.
    #[arg(long)]
    pub confinement: bool,
    /// Print one JSON line per mistake.
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct SolveArgs {
    #[command(flatten)]
    pub game: GameName,
    /// Levels: shipped (`pack/name`), generated (`generated/SEED`), files, or `-`; by default the game's first one.
    pub levels: Vec<String>,
    /// Rule set; by default the game's first one.
    #[arg(long)]
    pub rules: Option<String>,
    /// Seed of the game's chance, known to the solver; by default 1, or that of the replay.
    #[arg(long)]
    pub seed: Option<u64>,
    /// Time per level, such as 5s or 500ms.
    #[arg(long, default_value = "60s", value_parser = parse_duration)]
    pub time: Duration,
    /// Measure the time in wall time, or in processor time of all threads.
    #[arg(long, value_enum, default_value_t = ClockArg::Wall)]
    pub clock: ClockArg,
    /// Threads per level; by default the number of cores.
    #[arg(long)]
    pub threads: Option<usize>,
    /// Print one JSON line per level.
    #[arg(long)]
    pub json: bool,
}

/// Clock that measures the time of a solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum ClockArg {
    /// Wall time.
    Wall,
    /// Processor time of all threads: comparable on a busy machine.
    Cpu,
}

#[derive(Debug, Args)]
pub struct PerftArgs {
    /// Game.
    #[arg(value_parser = games::perft_parser())]
    pub game: String,
    /// Depth, in plies.
    #[arg(long, value_parser = clap::value_parser!(u32).range(0..=12))]
    pub depth: u32,
    /// Rule set; by default the game's first one.
    #[arg(long)]
    pub rules: Option<String>,
    /// Position; by default the start of the game.
    #[arg(long)]
    pub position: Option<String>,
    /// Also print the count of each first move.
    #[arg(long)]
    pub divide: bool,
    /// Print one JSON line.
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct AnalyzeArgs {
    /// Game.
    #[arg(value_parser = games::analyze_parser())]
    pub game: String,
    /// Positions, or files with one position per line; by default the start of the game.
    pub positions: Vec<String>,
    /// Rule set; by default the game's first one.
    #[arg(long)]
    pub rules: Option<String>,
    /// Time per position, such as 5s; by default one second, unless a depth is given.
    #[arg(long, value_parser = parse_duration)]
    pub time: Option<Duration>,
    /// Maximum depth, in plies.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=60))]
    pub depth: Option<u32>,
    /// Threads; by default the number of cores.
    #[arg(long)]
    pub threads: Option<usize>,
    /// Number of lines, each with a different first move.
    #[arg(long, default_value_t = 1)]
    pub lines: usize,
    /// Print one JSON line per position.
    #[arg(long)]
    pub json: bool,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_definitions_are_consistent() {
        Arguments::command().debug_assert();
    }
}
