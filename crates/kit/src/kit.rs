//! What a game offers beyond its rules, as small traits that its crate implements for a marker type.
//!
//! [`Kit`] joins them. Front ends never see these types: they hold a game as [`AnyGame`](crate::table::AnyGame), which every
//! [`Kit`] implements.

use std::sync::Arc;

use damier_core::agent::{Agent, Clock};
use damier_core::encode::Encode;
use damier_core::game::{Game, Illegal, Seat};
use damier_core::insight::Mark;
use damier_core::level::LevelError;
use damier_core::random::Rng;
use serde_json::Value;

use crate::analysis::{Analyzer, Divider};
use crate::answers::AnswerFinder;
use crate::bench::Bench;
use crate::generate::GenerateRequest;
use crate::info::Info;
use crate::review::{Played, Review};
use crate::rounds::RoundsKit;
use crate::scene::Scene;
use crate::solve::{Report, Solution, SolveOptions};

/// A game's action.
pub type ActionOf<K> = <<K as Levels>::Game as Game>::Action;
/// A game's state.
pub type StateOf<K> = <<K as Levels>::Game as Game>::State;

/// The game's description, rules and level formats.
pub trait Levels: Send + Sync + Sized + 'static {
    /// The rules.
    type Game: Encode;

    /// What is known before a level is opened.
    const INFO: Info;

    /// Parses and checks a level, in any format that the game reads, under one of `INFO.rules`.
    fn open(text: &str, rules: &str) -> Result<Self::Game, LevelError>;

    /// Prints the level in one of `INFO.formats`; the error says why this format cannot represent it.
    fn print(game: &Self::Game, format: &str) -> Result<String, LevelError>;

    /// Splits a file that holds several levels: each level's name, if it has one, and text.
    fn split(text: &str) -> Vec<(Option<String>, String)> {
        vec![(None, text.to_owned())]
    }

    /// The files that a list names, whose concatenated texts are the level. Empty if the text is not such a list.
    fn parts(_text: &str) -> Vec<String> {
        Vec::new()
    }
}

/// Pictures of a state.
pub trait Draw: Levels {
    /// Ids of the pieces of the start state, for games whose state does not identify pieces. The game decides what the ids are
    /// attached to (squares, list entries).
    fn piece_ids(game: &Self::Game, state: &StateOf<Self>) -> Vec<u32> {
        let _ = (game, state);
        Vec::new()
    }

    /// Updates the ids after an action, so that every piece keeps its own.
    fn follow_pieces(
        game: &Self::Game,
        ids: &mut Vec<u32>,
        before: &StateOf<Self>,
        action: ActionOf<Self>,
        after: &StateOf<Self>,
    ) {
        let _ = (game, ids, before, action, after);
    }

    /// Draws the state. `ids` come from [`piece_ids`](Self::piece_ids), updated by [`follow_pieces`](Self::follow_pieces).
    fn draw(game: &Self::Game, state: &StateOf<Self>, ids: &[u32]) -> Scene;

    /// Draws the state as lines of text, in one of `INFO.styles` after the first, with the marks that the style supports.
    fn draw_text(game: &Self::Game, state: &StateOf<Self>, style: &str, marks: &[Mark]) -> String {
        let _ = (game, state, style, marks);
        String::new()
    }

    /// The state in the game's own notation, as its level format writes it; `None` if it has none.
    fn notation(game: &Self::Game, state: &StateOf<Self>) -> Option<String> {
        let _ = (game, state);
        None
    }

    /// Computes the marks of one of `INFO.overlays`.
    fn overlay(game: &Self::Game, state: &StateOf<Self>, name: &str) -> Vec<Mark> {
        let _ = (game, state, name);
        Vec::new()
    }
}

/// Solving a level and judging it.
pub trait Solve: Levels {
    /// Searches for a winning plan from `start`, where the game is not over, or a proof that there is none. The plan is for the
    /// seat to move, or for seat 0 if the actions of the seat to move do not count as turns. `progress` gets a short sentence
    /// from time to time.
    fn solve(
        game: &Arc<Self::Game>,
        start: &StateOf<Self>,
        limits: &SolveOptions,
        progress: &dyn Fn(&str),
    ) -> Solution<ActionOf<Self>>;

    /// Adds the game's own fields to a solver's answer in JSON.
    fn solution_json(
        game: &Self::Game,
        solution: &Solution<ActionOf<Self>>,
    ) -> serde_json::Map<String, Value> {
        let _ = (game, solution);
        serde_json::Map::new()
    }

    /// Judges a level: can it be won, and how hard is it?
    fn check(game: &Arc<Self::Game>, limits: &SolveOptions, progress: &dyn Fn(&str)) -> Report;

    /// Solves a level and judges it, within the limits in all. A game whose report comes out of the search for the plan
    /// overrides it, so that there is one search instead of two with half the time each.
    fn certify(
        game: &Arc<Self::Game>,
        limits: &SolveOptions,
        progress: &dyn Fn(&str),
    ) -> (Solution<ActionOf<Self>>, Report) {
        let half = SolveOptions { time: limits.time / 2, ..limits.clone() };
        (Self::solve(game, &game.start(), &half, progress), Self::check(game, &half, progress))
    }
}

/// Generating levels.
pub trait Generate: Levels {
    /// Generates a level as text in the game's own format; the error says why there is none for this request.
    fn generate(request: &GenerateRequest) -> Result<String, String>;
}

/// States as JSON, for conformance tests.
pub trait Trace: Levels {
    /// The state as JSON.
    fn state_json(game: &Self::Game, state: &StateOf<Self>) -> Value;

    /// Plays a sequence of actions and passes one JSON state per turn to `line`. The sequence is comma-separated action
    /// names, unless the game has a shorter notation.
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
            game.play(&mut state, action, chance)?;
            line(Self::state_json(game, &state));
        }
        Ok(())
    }

    /// Plays a run recorded in the game's own recording format and passes one JSON state per turn to `line`. Stops at the
    /// first difference between recording and rules, and returns it as a sentence. By default there are no recordings.
    fn trace_recording(
        game: &Self::Game,
        recording: &str,
        line: &mut dyn FnMut(Value),
    ) -> Result<Option<String>, Illegal> {
        let _ = (game, recording, line);
        Err(Illegal(format!("{} has no recordings", Self::INFO.name)))
    }
}

/// Reviews a finished game within the clock's budget; `None` if there is nothing to say.
pub type Reviewer<G> = fn(&Arc<G>, &Played<G>, &Clock, &dyn Fn(&str)) -> Option<Review>;

/// Everything a front end needs from a game. What only some games can do is an optional capability.
pub trait Kit: Draw + Generate + Solve + Trace {
    /// Optional: reviews games, to find which action lost one, and what would have been better.
    const REVIEW: Option<Reviewer<Self::Game>> = None;

    /// Optional: analyzes positions.
    const ANALYZE: Option<Analyzer<Self::Game>> = None;

    /// Optional: counts action sequences (perft), to compare move generators.
    const DIVIDE: Option<Divider<Self::Game>> = None;

    /// Optional: finds all shortest solutions of a level.
    const ANSWERS: Option<AnswerFinder<Self::Game>> = None;

    /// Optional: rounds against the computer.
    const ROUNDS: Option<&'static RoundsKit> = None;

    /// The built-in agent of this name for a seat.
    fn agent(game: &Arc<Self::Game>, name: &str, seat: Seat, seed: u64)
    -> Option<Box<dyn Agent<Self::Game>>>;

    /// Real-time games: milliseconds per turn in interactive play, on this level.
    fn tick_ms(game: &Self::Game) -> Option<u32> {
        let _ = game;
        Self::INFO.tick_ms
    }

    /// The action when no key is pressed, given the last action: the same again in games where keys stay down.
    fn idle_after(game: &Self::Game, last: Option<ActionOf<Self>>) -> Option<&'static str> {
        let _ = (game, last);
        Self::INFO.idle
    }

    /// Measures the engine for about `seconds`.
    fn bench(seconds: f64) -> Bench;
}
