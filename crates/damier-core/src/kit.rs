//! Everything a front end needs of a game besides its rules.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::Serialize;
use serde_json::Value;

use crate::agent::{Agent, Clock};
use crate::cpu;
use crate::game::{Game, Illegal, Seat};
use crate::insight::Mark;
use crate::level::LevelError;
use crate::random::Rng;
use crate::review::{Played, Review};
use crate::scene::{Scene, Sprite};
use crate::stop::{Deadline, Stop};

/// A name with a sentence about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Named {
    /// The name, as typed in a command.
    pub name: &'static str,
    /// What it is.
    pub about: &'static str,
}

/// An agent that comes with the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct AgentInfo {
    /// The name, as typed in a command.
    pub name: &'static str,
    /// How it thinks.
    pub about: &'static str,
    /// The seats it can play.
    pub seats: &'static [Seat],
}

/// Levels shipped together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Pack {
    /// The pack's name: the first half of `pack/name`.
    pub name: &'static str,
    /// What is in it.
    pub about: &'static str,
    /// Each level's name and text.
    pub levels: &'static [(&'static str, &'static str)],
}

/// A key that a person presses to take an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct KeyBinding {
    /// `up`, `down`, `left`, `right`, `space`, `enter` or a single character.
    pub key: &'static str,
    /// The action's name.
    pub action: &'static str,
}

/// A look of the game in the terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Style {
    /// The name, as typed in a command.
    pub name: &'static str,
    /// What it looks like.
    pub about: &'static str,
    /// Keys that choose the piece that the other keys act with, where there is a choice: its name goes before the action.
    pub pieces: &'static [KeyBinding],
    /// The keys of this look.
    pub keys: &'static [KeyBinding],
}

/// What a level editor paints with: a symbol of the level's text and its look.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Brush {
    /// The symbol in the text.
    pub symbol: char,
    /// Its look on the board; its name says what it is.
    pub sprite: Sprite,
    /// Does a level hold no more than one of it?
    pub once: bool,
    /// The rule sets that know it; none means all of them.
    pub rules: &'static [&'static str],
}

impl Brush {
    /// A brush that paints anywhere, under every rule set.
    pub const fn new(symbol: char, sprite: Sprite) -> Self {
        Self { symbol, sprite, once: false, rules: &[] }
    }

    /// The same brush for something that a level holds no more than once.
    pub const fn once(self) -> Self {
        Self { once: true, ..self }
    }

    /// The same brush under some rule sets only.
    pub const fn only(self, rules: &'static [&'static str]) -> Self {
        Self { rules, ..self }
    }
}

/// What front ends know of a game before a level is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Info {
    /// The name, as typed in a command.
    pub name: &'static str,
    /// The name, as shown to people.
    pub title: &'static str,
    /// One sentence.
    pub about: &'static str,
    /// The rule sets, the default one first.
    pub rules: &'static [Named],
    /// The agents that come with it.
    pub agents: &'static [AgentInfo],
    /// The level formats that can be written; the game's own one first. Reading finds out by itself.
    pub formats: &'static [Named],
    /// What an editor paints with, where levels are rows of symbols: in the format `drawn` if there is one, else in the first. The
    /// first brush erases.
    pub brushes: &'static [Brush],
    /// The level packs; the first level of the first one is the default.
    pub packs: &'static [Pack],
    /// The looks in the terminal, the modern one first.
    pub styles: &'static [Style],
    /// Overlays that can be drawn over any state.
    pub overlays: &'static [Named],
    /// For games that go on by themselves when a person plays: milliseconds a turn. Others wait for the player.
    pub tick_ms: Option<u32>,
    /// The action that stands for no key pressed, in games that can go on by themselves.
    pub idle: Option<&'static str>,
    /// The turns after which a headless game ends as `limit`, unless told otherwise.
    pub turn_limit: u32,
}

/// What is asked of a solver.
#[derive(Clone, Debug)]
pub struct SolveLimits {
    /// Wall time for one level.
    pub time: Duration,
    /// Threads to use.
    pub threads: usize,
    /// The chance of the game that the plan is for, which a solver may know.
    pub chance: Rng,
    /// Ends it sooner, when nobody waits for the answer any more.
    pub stop: Stop,
}

impl SolveLimits {
    /// When a search that begins now has to end.
    pub fn deadline(&self) -> Deadline {
        Deadline::after(self.time, &self.stop)
    }
}

/// The answer's kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Solvability {
    /// A plan was found, replayed and wins.
    Solved,
    /// Proven: no plan exists.
    Unsolvable,
    /// Neither within the limits.
    Unknown,
}

/// A solver's answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Solution {
    /// The answer's kind.
    pub outcome: Solvability,
    /// The action names of seat 0 that win.
    pub plan: Vec<String>,
    /// Proven: no plan of the kind looked for takes fewer turns. Where the game knows other kinds, the notes name them.
    pub lower_bound: Option<u32>,
    /// States looked at.
    pub states: u64,
    /// What a person should know of it, as sentences.
    pub notes: Vec<String>,
}

impl Solution {
    /// No answer, after so many states.
    pub fn unknown(states: u64) -> Self {
        Self { outcome: Solvability::Unknown, plan: Vec::new(), lower_bound: None, states, notes: Vec::new() }
    }

    /// Is the plan proven to be the shortest of its kind?
    pub fn optimal(&self) -> bool {
        self.outcome == Solvability::Solved && self.lower_bound == Some(self.plan.len() as u32)
    }
}

/// What a checker says of a level that is well formed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// Can it be won?
    pub solvable: Solvability,
    /// The turns of the best win known.
    pub par: Option<u32>,
    /// From 0 (trivial) to 10.
    pub difficulty: Option<f64>,
    /// Facts and warnings, as sentences.
    pub notes: Vec<String>,
    /// Cells that the level's author should look at.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub marks: Vec<Mark>,
}

/// What is asked of a level generator.
#[derive(Clone, Debug)]
pub struct GenerateRequest {
    /// The same seed gives the same level.
    pub seed: u64,
    /// From 0 (easy) to 10 (hard), where the game knows how.
    pub difficulty: Option<f64>,
    /// Columns and rows, where the game lets one choose.
    pub size: Option<(u16, u16)>,
    /// The rule set it is meant for.
    pub rules: &'static str,
}

/// What a benchmark measured.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Measure {
    /// What was counted: `turns`, `nodes`, `clones`.
    pub what: &'static str,
    /// How many.
    pub count: u64,
    /// In how many seconds of processor time.
    pub seconds: f64,
}

impl Measure {
    /// Runs again and again for about so many seconds, at least once, and counts this thread's processor time; a run gets its number and says how many it counted.
    pub fn timed(what: &'static str, seconds: f64, mut run: impl FnMut(u64) -> u64) -> Self {
        // The clock of processor time is slow to read, so time that passes decides when it is enough.
        let (started, used) = (Instant::now(), cpu::of_thread());
        let mut count = 0;
        for number in 0.. {
            count += run(number);
            if started.elapsed().as_secs_f64() >= seconds {
                break;
            }
        }
        Self { what, count, seconds: cpu::of_thread().saturating_sub(used).as_secs_f64() }
    }
}

/// What `damier bench` prints of a game.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Bench {
    /// A number that pins the behaviour of rules and search: it changes only when they do.
    pub signature: u64,
    /// The measurements.
    pub measures: Vec<Measure>,
}

/// A game with all that surrounds it. A game's crate implements this for a marker type and hands
/// [`Registered`](crate::table::Registered) of it to the front ends.
pub trait Kit: Send + Sync + Sized + 'static {
    /// The rules.
    type Game: Game;

    /// What is known before a level is opened.
    const INFO: Info;

    /// Parses and checks a level, in any format that the game reads, under one of `INFO.rules`.
    fn open(text: &str, rules: &str) -> Result<Self::Game, LevelError>;

    /// The level as text in one of `INFO.formats`, or why this format cannot hold it.
    fn print(game: &Self::Game, format: &str) -> Result<String, LevelError>;

    /// Splits a file that holds several levels: each level's name, if it has one, and text.
    fn split(text: &str) -> Vec<(Option<String>, String)> {
        vec![(None, text.to_owned())]
    }

    /// The built-in agent of this name for a seat.
    fn agent(game: &Arc<Self::Game>, name: &str, seat: Seat, seed: u64)
    -> Option<Box<dyn Agent<Self::Game>>>;

    /// The state as a picture.
    fn draw(game: &Self::Game, state: &<Self::Game as Game>::State) -> Scene;

    /// The state in one of the looks of `INFO.styles` after the first, as lines of text.
    fn draw_text(game: &Self::Game, state: &<Self::Game as Game>::State, style: &str) -> String {
        let _ = (game, state, style);
        String::new()
    }

    /// The marks of one of `INFO.overlays`.
    fn overlay(game: &Self::Game, state: &<Self::Game as Game>::State, name: &str) -> Vec<Mark> {
        let _ = (game, state, name);
        Vec::new()
    }

    /// The state as JSON for conformance tests.
    fn state_json(game: &Self::Game, state: &<Self::Game as Game>::State) -> Value;

    /// Plays a sequence of actions and hands out one JSON state per turn. The sequence is comma-separated action names,
    /// unless the game knows a shorter spelling.
    fn trace(
        game: &Self::Game,
        actions: &str,
        chance: &mut Rng,
        line: &mut dyn FnMut(Value),
    ) -> Result<(), Illegal> {
        let mut state = game.start();
        line(Self::state_json(game, &state));
        for name in actions.split(',').map(str::trim).filter(|name| !name.is_empty()) {
            let action = game.parse_action(&state, name)?;
            game.check(&state, action)?;
            game.apply(&mut state, action, chance);
            line(Self::state_json(game, &state));
        }
        Ok(())
    }

    /// Plays a run recorded in a format of the game's own and hands out one JSON state per turn. By default there is none.
    fn trace_recording(
        game: &Self::Game,
        recording: &str,
        line: &mut dyn FnMut(Value),
    ) -> Result<(), Illegal> {
        let _ = (game, recording, line);
        Err(Illegal(format!("{} knows no recordings", Self::INFO.name)))
    }

    /// For games that go on by themselves when a person plays: milliseconds a turn, on this level.
    fn tick_ms(game: &Self::Game) -> Option<u32> {
        let _ = game;
        Self::INFO.tick_ms
    }

    /// The action that stands for no key pressed, after the last action: where keys stay down, the same again.
    fn idle_after(game: &Self::Game, last: Option<<Self::Game as Game>::Action>) -> Option<&'static str> {
        let _ = (game, last);
        Self::INFO.idle
    }

    /// Looks for a plan of seat 0 that wins, or for the proof that there is none. `progress` gets a short sentence now
    /// and then.
    fn solve(game: &Arc<Self::Game>, limits: &SolveLimits, progress: &dyn Fn(&str)) -> Solution;

    /// A solver's answer for programs, beyond the fields that all games share.
    fn solution_json(game: &Self::Game, solution: &Solution) -> serde_json::Map<String, Value> {
        let _ = (game, solution);
        serde_json::Map::new()
    }

    /// Can it be won, and how hard is it?
    fn check(game: &Arc<Self::Game>, limits: &SolveLimits, progress: &dyn Fn(&str)) -> Report;

    /// Looks back at a game that was played, within the clock; nothing if the game knows no reviews or has nothing to say.
    fn review(
        game: &Arc<Self::Game>,
        played: &Played<Self::Game>,
        clock: &Clock,
        progress: &dyn Fn(&str),
    ) -> Option<Review> {
        let _ = (game, played, clock, progress);
        None
    }

    /// A new level as text in the game's own format, or why there is none for this request.
    fn generate(request: &GenerateRequest) -> Result<String, String>;

    /// Measures the engine for about `seconds`.
    fn bench(seconds: f64) -> Bench;
}
