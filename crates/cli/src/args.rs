//! The command line as typed.

mod values;

use std::net::IpAddr;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand};
use clap_complete::Shell;

use damier_arena::schedule::{Format, Shard};

use crate::games;
pub use values::{Pace, Seeds};
use values::{
    parse_difficulty, parse_duration, parse_elo_pair, parse_pace, parse_seeds, parse_size, parse_token,
};

/// Five classic grid games: exact rules, strong agents, one place to play, watch, solve and measure them.
///
/// Without a command, the page opens in the browser, as by `serve`.
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
        /// One JSON line per game.
        #[arg(long)]
        json: bool,
    },
    /// List a game's level packs, or print a level.
    #[command(after_help = "Examples:\n  damier levels pacman\n  damier levels pacman original/maze")]
    Levels {
        #[command(flatten)]
        game: GameName,
        /// Print this level's text.
        level: Option<String>,
        /// One JSON line per level.
        #[arg(long)]
        json: bool,
    },
    /// Open the page in the browser: play, watch, edit, solve and compete.
    ///
    /// The server answers this machine alone, unless --listen says otherwise; then a token is needed, which is part of the address that
    /// it prints. Ctrl-C ends it.
    #[command(after_help = "Examples:\n  damier serve\n  damier serve --port 8080 --no-open\n  \
        damier serve --listen 0.0.0.0 --data class/")]
    Serve(ServeArgs),
    /// Play in the terminal; without a game, choose one in a menu.
    #[command(after_help = "Examples:\n  damier play\n  damier play pacman\n  \
        damier play pacman --style original\n  \
        damier play pacman --rules report --vs team --pace 200ms")]
    Play(PlayArgs),
    /// Watch agents in the terminal: their paths, dangers and predictions, forwards and backwards.
    #[command(after_help = "Example: damier watch pacman --agent best --seed 3")]
    Watch(WatchArgs),
    /// Play games without showing them and print a table of the results.
    #[command(after_help = "Examples:\n  damier run pacman --agent best,baseline --seeds 1..20\n  \
        damier run pacman --rules report --level generated/1..50 --vs original,team\n  \
        damier run pacman --agent best --json")]
    Run(RunArgs),
    /// Play a sequence of actions and print one JSON state per turn.
    #[command(after_help = "Examples:\n  damier trace pacman --actions zzqqssdd\n  \
        damier trace pacman --actions up,left,left --last")]
    Trace {
        #[command(flatten)]
        setting: Setting,
        /// The actions: names separated by commas, or the game's own short spelling.
        #[arg(long, allow_hyphen_values = true, required_unless_present = "recording")]
        actions: Option<String>,
        /// Play a run recorded in the game's own format instead: a file with one run.
        #[arg(long, conflicts_with = "actions")]
        recording: Option<PathBuf>,
        /// Print only the final state.
        #[arg(long)]
        last: bool,
    },
    /// Find a plan that wins, or prove that there is none.
    #[command(after_help = "Example: damier solve pacman original/maze --time 60s")]
    Solve(SolveArgs),
    /// Say whether levels are well formed, can be won, and how hard they are.
    #[command(after_help = "Example: damier check pacman my-maze.txt")]
    Check(SolveArgs),
    /// Make new levels.
    #[command(after_help = "Examples:\n  damier generate pacman --seed 7\n  \
        damier generate pacman --size 31x21 --count 10 --out mazes/")]
    Generate {
        #[command(flatten)]
        game: GameName,
        /// The seed of the first level; the next ones follow it.
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// How many levels.
        #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=100_000))]
        count: u32,
        /// From 0 (easy) to 10 (hard).
        #[arg(long, value_parser = parse_difficulty)]
        difficulty: Option<f64>,
        /// Columns and rows, such as 19x21.
        #[arg(long, value_parser = parse_size)]
        size: Option<(u16, u16)>,
        /// The rule set the levels are meant for.
        #[arg(long)]
        rules: Option<String>,
        /// Write each level to a file in this folder instead of standard output.
        #[arg(long)]
        out: Option<PathBuf>,
    },
    /// Write levels in another format.
    #[command(after_help = "Example: damier convert pacman --to berkeley original/maze")]
    Convert {
        #[command(flatten)]
        game: GameName,
        /// The format to write; `damier games` lists them.
        #[arg(long)]
        to: String,
        /// The rule set that the levels are made for.
        #[arg(long)]
        rules: Option<String>,
        /// Levels: shipped (`pack/name`), files, or `-` for standard input.
        #[arg(required = true)]
        levels: Vec<String>,
    },
    /// Analyse positions of SIAM: the best lines, forced wins with their proof, and what both sides threaten.
    #[command(after_help = "Examples:\n  damier analyze siam --time 5s\n  \
        damier analyze siam '...../..e../.MMM./..N../..... E 4' --lines 3 --json")]
    Analyze(AnalyzeArgs),
    /// Count the sequences of moves from a position of SIAM: the figures that move generators are compared by.
    #[command(after_help = "Examples:\n  damier perft siam --depth 5\n  \
        damier perft siam --depth 3 --divide --position '...../..e../.MMM./...../..N.. R 2'")]
    Perft(PerftArgs),
    /// Show a replay in the terminal, step by step; as text if the output is not a terminal.
    #[command(after_help = "Example: damier replay game.jsonl.zst")]
    Replay {
        /// The replay.
        file: PathBuf,
    },
    /// Look back at games that were played: which action lost them, and what would have been better.
    #[command(after_help = "Example: damier review game.jsonl.zst --time 10s")]
    Review {
        /// The replays.
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// The time for each game, such as 5s or 500ms.
        #[arg(long, default_value = "10s", value_parser = parse_duration)]
        time: Duration,
        /// One JSON line per game.
        #[arg(long)]
        json: bool,
    },
    /// Recompute replays and compare every state.
    #[command(after_help = "Example: damier verify replays/*.zst")]
    Verify {
        /// The replays.
        #[arg(required = true)]
        files: Vec<PathBuf>,
    },
    /// Play a tournament between agents, on one game or several, and keep every game.
    #[command(after_help = "Examples:\n  damier tournament spring.toml --out spring.db\n  \
        damier tournament spring.toml --out spring.db --resume\n  \
        damier tournament siam --agent best,sparring,original --seeds 1..10 --out siam.db")]
    Tournament(TournamentArgs),
    /// Play two agents against each other, or alone on the same levels: is the second one better?
    #[command(after_help = "Examples:\n  damier match siam original sparring --seeds 1..20\n  \
        damier match pacman baseline best --level generated/1..500 --sprt 0,50")]
    Match(MatchArgs),
    /// Grade agents by a suite of tests, and write a report for the teacher, the authors and other programs.
    ///
    /// The exit code is 0 if every agent passed every test, 1 if not.
    #[command(after_help = "Examples:\n  damier grade loderunner class/*/agent.toml --out report/\n  \
        damier grade my-suite.toml best original --out report/")]
    Grade(GradeArgs),
    /// Join the stores of one tournament that was split over machines, and print its table.
    #[command(
        after_help = "Examples:\n  damier merge part1.db part2.db --out all.db\n  damier merge spring.db"
    )]
    Merge {
        /// The stores.
        #[arg(required = true)]
        stores: Vec<PathBuf>,
        /// Write all games to this new store.
        #[arg(long)]
        out: Option<PathBuf>,
        /// The tables as one JSON line.
        #[arg(long)]
        json: bool,
    },
    /// Write an agent to begin with: it runs as it is, and plays the first legal action.
    #[command(after_help = "Examples:\n  damier new-agent pacman python my-pacman\n  \
        damier new-agent loderunner door my-runner")]
    NewAgent {
        #[command(flatten)]
        game: GameName,
        /// The language: python, c, prolog, rust or javascript; or `door`, for agents that the original courses ask for.
        language: String,
        /// The folder to make.
        folder: PathBuf,
    },
    /// Play a short game with an agent and name every mistake that it makes in talking to the referee.
    #[command(
        after_help = "Examples:\n  damier check-agent my-pacman\n  damier check-agent 'cmd:python3 agent.py' --game siam\n  \
        damier check-agent --confinement"
    )]
    CheckAgent(CheckAgentArgs),
    /// Print the JSON schema of what agents see of a game.
    #[command(after_help = "Example: damier schema siam")]
    Schema {
        #[command(flatten)]
        game: GameName,
    },
    /// Measure steps and nodes per second of processor time on one core, and print a signature that pins the behaviour.
    #[command(after_help = "Example: damier bench pacman --json")]
    Bench {
        /// The game, all of them if none is named; or `arena`: what a turn of an agent process costs.
        #[arg(value_parser = games::bench_parser())]
        game: Option<String>,
        /// How long to measure each game, in seconds.
        #[arg(long, default_value_t = 1.0)]
        seconds: f64,
        /// One JSON line per game.
        #[arg(long)]
        json: bool,
    },
    /// Print a completion script for a shell.
    #[command(
        after_help = "Example: damier completions bash > ~/.local/share/bash-completion/completions/damier"
    )]
    Completions {
        /// The shell.
        shell: Shell,
    },
    /// Print the manual page.
    #[command(after_help = "Example: damier man | man -l -")]
    Man,
}

#[derive(Debug, Args)]
pub struct GameName {
    /// The game.
    #[arg(value_parser = games::names_parser())]
    pub game: String,
}

/// Which game, on which level, by which rules, with which chance.
#[derive(Debug, Args)]
pub struct Setting {
    #[command(flatten)]
    pub game: GameName,
    #[command(flatten)]
    pub ground: Ground,
}

/// On which level, by which rules, with which chance.
#[derive(Debug, Args)]
pub struct Ground {
    /// A shipped level (`pack/name`), a generated one (`generated/SEED`), a file, or `-` for standard input.
    #[arg(long)]
    pub level: Option<String>,
    /// The rule set.
    #[arg(long)]
    pub rules: Option<String>,
    /// The seed of the game's chance.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

/// What a decision of an agent may cost. Without a limit each agent spends its own usual number of nodes, the same on
/// every machine.
#[derive(Clone, Copy, Debug, Args)]
pub struct Thinking {
    /// Time for each decision of an agent, such as 50ms; results then depend on the machine.
    #[arg(long, value_parser = parse_duration)]
    pub think: Option<Duration>,
    /// Nodes for each decision of an agent.
    #[arg(long)]
    pub nodes: Option<u64>,
}

/// How the terminal looks.
#[derive(Debug, Args)]
pub struct Look {
    /// The look: `modern`, or one that the game adds, such as `original`.
    #[arg(long)]
    pub style: Option<String>,
    /// Draw with ASCII characters only.
    #[arg(long)]
    pub ascii: bool,
    /// Keep the game as a replay in this file (`.zst` compresses it).
    #[arg(long)]
    pub save: Option<PathBuf>,
}

#[derive(Debug, Default, Args)]
pub struct ServeArgs {
    /// The port; 0 takes a free one, and so does the usual one if it is taken.
    #[arg(long)]
    pub port: Option<u16>,
    /// The address to listen on; this machine alone if not given.
    #[arg(long, value_name = "ADDRESS")]
    pub listen: Option<IpAddr>,
    /// What everybody must know who opens the page; made up if one is needed and none is given.
    #[arg(long, value_parser = parse_token)]
    pub token: Option<String>,
    /// The folder for agents, tournaments and reports.
    #[arg(long)]
    pub data: Option<PathBuf>,
    /// Do not open the browser.
    #[arg(long)]
    pub no_open: bool,
}

#[derive(Debug, Args)]
pub struct PlayArgs {
    /// The game; without one a menu opens.
    #[arg(value_parser = games::names_parser())]
    pub game: Option<String>,
    #[command(flatten)]
    pub ground: Ground,
    /// The agent at the other seats.
    #[arg(long)]
    pub vs: Option<String>,
    /// The seat you take: its number or its name, or `all` to play every seat.
    #[arg(long, default_value = "0")]
    pub seat: String,
    /// Let the game go on by itself, one turn in this time, such as 200ms; `off` makes it wait for you.
    #[arg(long, value_parser = parse_pace)]
    pub pace: Option<Pace>,
    #[command(flatten)]
    pub look: Look,
    #[command(flatten)]
    pub thinking: Thinking,
}

#[derive(Debug, Args)]
pub struct WatchArgs {
    #[command(flatten)]
    pub setting: Setting,
    /// The agent at the first seat.
    #[arg(long, default_value = "best")]
    pub agent: String,
    /// The agent at the other seats.
    #[arg(long)]
    pub vs: Option<String>,
    #[command(flatten)]
    pub look: Look,
    #[command(flatten)]
    pub thinking: Thinking,
}

#[derive(Debug, Args)]
pub struct RunArgs {
    #[command(flatten)]
    pub game: GameName,
    /// Levels: shipped (`pack/name`, or `pack` for all of it), `generated/SEED` or `generated/FIRST..LAST`, files, `-`.
    #[arg(long, num_args = 1.., value_delimiter = ',')]
    pub level: Vec<String>,
    /// The agents at the first seat, each in turn.
    #[arg(long, num_args = 1.., value_delimiter = ',', default_value = "best")]
    pub agent: Vec<String>,
    /// The agents at the other seats, each in turn.
    #[arg(long, num_args = 1.., value_delimiter = ',')]
    pub vs: Vec<String>,
    /// The rule set.
    #[arg(long)]
    pub rules: Option<String>,
    /// Seeds: 7, 1..200 (both included) or 1,5,9. Each level is played once with each.
    #[arg(long, default_value = "1", value_parser = parse_seeds)]
    pub seeds: Seeds,
    /// End a game undecided after so many turns.
    #[arg(long)]
    pub turns: Option<u32>,
    /// Games at once; the number of cores if not given, and never more.
    #[arg(long)]
    pub threads: Option<usize>,
    #[command(flatten)]
    pub thinking: Thinking,
    /// Keep every game as a compressed replay in this folder.
    #[arg(long)]
    pub replays: Option<PathBuf>,
    /// One JSON line per game instead of the table.
    #[arg(long)]
    pub json: bool,
}

/// What a tournament on one game, or a match, is played with.
#[derive(Debug, Args)]
pub struct Contest {
    /// Levels: shipped (`pack/name`, or `pack` for all of it), `generated/SEED` or `generated/FIRST..LAST`, files, `-`.
    #[arg(long, num_args = 1.., value_delimiter = ',')]
    pub level: Vec<String>,
    /// The rule set.
    #[arg(long)]
    pub rules: Option<String>,
    /// Seeds: 7, 1..200 (both included) or 1,5,9; 1 if not given. Each level is played with each, on both sides.
    #[arg(long)]
    pub seeds: Option<String>,
    /// End a game undecided after so many turns.
    #[arg(long)]
    pub turns: Option<u32>,
    /// Do not confine agent processes: for agents that you trust like your own programs.
    #[arg(long)]
    pub unconfined: bool,
    #[command(flatten)]
    pub thinking: Thinking,
}

impl Contest {
    /// Is nothing asked for?
    pub fn is_plain(&self) -> bool {
        let Thinking { think, nodes } = self.thinking;
        self.level.is_empty()
            && !self.unconfined
            && (&self.rules, &self.seeds, self.turns, think, nodes) == (&None, &None, None, None, None)
    }
}

#[derive(Debug, Args)]
pub struct TournamentArgs {
    /// The tournament's file, or a game; then the options say the rest.
    pub tournament: String,
    /// The agents: built-in names, `agent.toml` files or folders with one.
    #[arg(long = "agent", num_args = 1.., value_delimiter = ',')]
    pub contest_agents: Vec<String>,
    /// Who meets whom: `round-robin`, `gauntlet` (the first agent meets every other) or `knockout`.
    #[arg(long)]
    pub format: Option<Format>,
    #[command(flatten)]
    pub contest: Contest,
    /// The store: every game goes there as it ends.
    #[arg(long)]
    pub out: PathBuf,
    /// Go on with a tournament that was broken off.
    #[arg(long)]
    pub resume: bool,
    /// Play only part K of N, as K/N: `damier merge` joins the stores of all parts.
    #[arg(long)]
    pub shard: Option<Shard>,
    /// Games at once; the number of cores if not given, and never more.
    #[arg(long)]
    pub threads: Option<usize>,
    /// The tables as one JSON line.
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct GradeArgs {
    /// The suite: a file, or one that comes with the program, which is called like its game.
    pub suite: String,
    /// Who is graded: `agent.toml` files, folders with one, or built-in agents.
    #[arg(required = true)]
    pub agents: Vec<String>,
    /// The folder for the report and the store of all games.
    #[arg(long)]
    pub out: PathBuf,
    /// Go on with grading that was broken off.
    #[arg(long)]
    pub resume: bool,
    /// Do not confine agent processes: for agents that you trust like your own programs.
    #[arg(long)]
    pub unconfined: bool,
    /// Games at once; the number of cores if not given, and never more.
    #[arg(long)]
    pub threads: Option<usize>,
    /// One JSON line per agent.
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct MatchArgs {
    #[command(flatten)]
    pub game: GameName,
    /// The agent that is there: a built-in name, an `agent.toml`, a folder with one, or `cmd:COMMAND`.
    pub a: String,
    /// The agent that may be better.
    pub b: String,
    #[command(flatten)]
    pub contest: Contest,
    /// Stop as soon as it is clear whether B is stronger by at most ELO0 or at least ELO1, given as ELO0,ELO1.
    #[arg(long, value_parser = parse_elo_pair, allow_hyphen_values = true)]
    pub sprt: Option<(f64, f64)>,
    /// The chance to call B better if it is not.
    #[arg(long, default_value_t = 0.05)]
    pub alpha: f64,
    /// The chance to call B not better if it is.
    #[arg(long, default_value_t = 0.05)]
    pub beta: f64,
    /// Keep every game in this store.
    #[arg(long)]
    pub out: Option<PathBuf>,
    /// Go on with a match that was broken off.
    #[arg(long)]
    pub resume: bool,
    /// Games at once; the number of cores if not given, and never more.
    #[arg(long)]
    pub threads: Option<usize>,
    /// One JSON line.
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct CheckAgentArgs {
    /// The agent: an `agent.toml`, a folder with one, or `cmd:COMMAND`.
    #[arg(required_unless_present = "confinement")]
    pub agent: Option<String>,
    /// The game, if the agent does not name it.
    #[arg(long, value_parser = games::names_parser())]
    pub game: Option<String>,
    /// The level; the game's first one if none is given.
    #[arg(long)]
    pub level: Option<String>,
    /// The rule set.
    #[arg(long)]
    pub rules: Option<String>,
    /// The decisions to ask for, at each seat.
    #[arg(long, default_value_t = 20)]
    pub decisions: u32,
    /// The time for a decision, such as 100ms.
    #[arg(long, default_value = "1s", value_parser = parse_duration)]
    pub time: Duration,
    /// Do not confine the agent: for agents that you trust like your own programs.
    #[arg(long)]
    pub unconfined: bool,
    /// Only say what this machine's kernel enforces on agents.
    #[arg(long)]
    pub confinement: bool,
    /// One JSON line per mistake.
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct SolveArgs {
    #[command(flatten)]
    pub game: GameName,
    /// Levels: shipped (`pack/name`), generated (`generated/SEED`), files, or `-`; the game's first level if none is given.
    pub levels: Vec<String>,
    /// The rule set.
    #[arg(long)]
    pub rules: Option<String>,
    /// The seed of the game's chance, which the solver knows.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// The time for each level, such as 5s or 500ms.
    #[arg(long, default_value = "60s", value_parser = parse_duration)]
    pub time: Duration,
    /// Threads for each level; the number of cores if not given.
    #[arg(long)]
    pub threads: Option<usize>,
    /// One JSON line per level.
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct PerftArgs {
    /// The game.
    #[arg(value_parser = games::perft_parser())]
    pub game: String,
    /// The number of plies.
    #[arg(long, value_parser = clap::value_parser!(u32).range(0..=12))]
    pub depth: u32,
    /// The rule set.
    #[arg(long)]
    pub rules: Option<String>,
    /// The position to begin with; the start of the game if none is given.
    #[arg(long)]
    pub position: Option<String>,
    /// Print the count for each first move too.
    #[arg(long)]
    pub divide: bool,
    /// One JSON line.
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct AnalyzeArgs {
    /// The game.
    #[arg(value_parser = games::analyze_parser())]
    pub game: String,
    /// Positions, or files with one position a line; the start of the game if none is given.
    pub positions: Vec<String>,
    /// The rule set.
    #[arg(long)]
    pub rules: Option<String>,
    /// The time for each position, such as 5s; one second if neither time nor depth is given.
    #[arg(long, value_parser = parse_duration)]
    pub time: Option<Duration>,
    /// The depth, in plies.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=60))]
    pub depth: Option<u32>,
    /// Threads; the number of cores if not given.
    #[arg(long)]
    pub threads: Option<usize>,
    /// How many lines with different first moves.
    #[arg(long, default_value_t = 1)]
    pub lines: usize,
    /// One JSON line per position.
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
