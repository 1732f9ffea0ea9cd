//! Games without their types: a front end holds any of them as [`AnyGame`], opens a level and sits down at a [`Table`].

use std::any::Any;
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;

use crate::analysis::{Analysis, AnalyzeOptions};
use crate::answers::Answers;
use crate::bench::Bench;
use crate::fault::Fault;
use crate::generate::GenerateRequest;
use crate::info::Info;
use crate::kit::{ActionOf, Kit, StateOf};
use crate::replay::End;
use crate::review::{Moment, Played, Review};
use crate::rounds::RoundsKit;
use crate::scene::Scene;
use crate::solve::{Report, SolveOptions, Solved};
use damier_core::agent::{Agent, Clock, Turn};
use damier_core::game::{Facts, Game, Illegal, Seat, Status};
use damier_core::insight::{Insight, Mark};
use damier_core::level::LevelError;
use damier_core::random::{Rng, hash_bytes, mix};

/// A registered game.
pub trait AnyGame: Send + Sync {
    /// What is known before a level is opened.
    fn info(&self) -> &'static Info;
    /// Parses and checks a level under one of the rule sets.
    fn open(&self, text: &str, rules: &str) -> Result<Box<dyn OpenLevel>, LevelError>;
    /// The JSON schema of what agents see.
    fn observation_schema(&self) -> Value;
    /// Splits a file that holds several levels.
    fn split(&self, text: &str) -> Vec<(Option<String>, String)>;
    /// A new level, or why there is none for this request.
    fn generate(&self, request: &GenerateRequest) -> Result<String, String>;
    /// Measures the engine for about `seconds`.
    fn bench(&self, seconds: f64) -> Bench;
    /// The optional capabilities that its levels have.
    fn capabilities(&self) -> Capabilities;
    /// How it is played by rounds; `None` if it is not.
    fn rounds(&self) -> Option<&'static RoundsKit>;
}

/// Optional capabilities of a game's levels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capabilities {
    /// [`OpenLevel::analyze`] answers.
    pub analyze: bool,
    /// [`OpenLevel::divide`] answers.
    pub divide: bool,
    /// [`OpenLevel::answers`] answers.
    pub answers: bool,
}

/// A checked level under a rule set.
pub trait OpenLevel: Send + Sync {
    /// The rule set's name.
    fn rules(&self) -> &str;
    /// What is true of every game on it.
    fn facts(&self) -> Facts;
    /// The level as text in one of the game's formats.
    fn print(&self, format: &str) -> Result<String, LevelError>;
    /// The chance of a game: it depends on the level, the seed and the game's number alone.
    fn chance(&self, seed: u64, game: u64) -> Rng;
    /// A new game with that chance.
    fn table(&self, seed: u64, game: u64) -> Box<dyn Table>;
    /// The built-in agent of this name at a seat.
    fn agent(&self, name: &str, seat: Seat, seed: u64) -> Option<Box<dyn Seated>>;
    /// Plays a sequence of actions and hands out one JSON state per turn.
    fn trace(&self, actions: &str, seed: u64, line: &mut dyn FnMut(Value)) -> Result<(), Illegal>;
    /// Plays a run recorded in a format of the game's own and hands out one JSON state per turn.
    fn trace_recording(&self, recording: &str, line: &mut dyn FnMut(Value)) -> Result<(), Illegal>;
    /// Real-time games: milliseconds per turn in interactive play.
    fn tick_ms(&self) -> Option<u32>;
    /// Looks for a plan that wins, or for the proof that there is none.
    fn solve(&self, options: &SolveOptions, progress: &dyn Fn(&str)) -> Solved;
    /// Can it be won, and how hard is it?
    fn check(&self, options: &SolveOptions, progress: &dyn Fn(&str)) -> Report;
    /// Plays a game again from its actions and looks back at it, within the clock; nothing if the game knows no reviews.
    fn review(
        &self,
        seed: u64,
        actions: &[String],
        clock: &Clock,
        progress: &dyn Fn(&str),
    ) -> Result<Option<Review>, Illegal>;
    /// Analyzes the start position, which must not be over; `None` without this capability. `report` gets snapshots.
    fn analyze(
        &self,
        options: &AnalyzeOptions,
        report: &mut dyn FnMut(&Analysis<String>),
    ) -> Option<Analysis<String>>;
    /// Counts the sequences of exactly `depth` actions by their first action; `None` without this capability.
    fn divide(&self, depth: u32) -> Option<Vec<(String, u64)>>;
    /// Finds all shortest solutions and lists up to `most` of them; `None` without this capability.
    fn answers(&self, options: &SolveOptions, most: usize) -> Option<Answers<String>>;
}

/// A game under way.
pub trait Table: Send {
    /// Who is to move, or how it ended.
    fn status(&self) -> Status;
    /// Turns played so far.
    fn turns(&self) -> u32;
    /// Is the game over, or is the next action one that counts as a turn? Front ends stop only here.
    fn between_turns(&self) -> bool;
    /// The names of the legal actions.
    fn legal(&self) -> Vec<String>;
    /// Takes an action by its name; an illegal one changes nothing.
    fn act(&mut self, name: &str) -> Result<(), Illegal>;
    /// Takes an action as a person or a replay may: a legal one, or one that leaves the game.
    fn act_or_leave(&mut self, name: &str) -> Result<(), Illegal>;
    /// The name of the action taken last.
    fn last_action(&self) -> Option<String>;
    /// The action when no key is pressed, in games that can be played in real time.
    fn idle(&self) -> Option<&'static str>;
    /// The state's hash.
    fn hash(&self) -> u64;
    /// A seat's score.
    fn score(&self, seat: Seat) -> i64;
    /// What a seat may see, as JSON.
    fn observe(&self, seat: Seat) -> Value;
    /// The state as a picture.
    fn draw(&self) -> Scene;
    /// The state as lines of text in another look.
    fn draw_text(&self, style: &str) -> String;
    /// The state in the game's own notation; `None` if it has none.
    fn notation(&self) -> Option<String>;
    /// The marks of an overlay.
    fn overlay(&self, name: &str) -> Vec<Mark>;
    /// An independent copy of the game.
    fn copy(&self) -> Box<dyn Table>;
    /// Itself, for agents that know its type.
    fn as_any_mut(&mut self) -> &mut dyn Any;
}

/// An agent at a table: built in, or a process that speaks the protocol.
pub trait Seated: Send {
    /// Prepares for a game about to begin, so that the first turn does not pay for it. Calling it is optional.
    fn begin(&mut self, table: &dyn Table) -> Result<(), Fault> {
        let _ = table;
        Ok(())
    }

    /// Decides and takes the action of the seat that is to move. A fault loses the game.
    fn play(&mut self, table: &mut dyn Table, clock: &Clock, insight: &mut Insight) -> Result<(), Fault>;

    /// The processor time of the last decision, where it is measured apart from the wall time.
    fn cpu(&self) -> Option<Duration> {
        None
    }

    /// What it wrote to its log since it was asked last.
    fn take_log(&mut self) -> String {
        String::new()
    }

    /// The faults since it was asked last that cost a strike, not the game.
    fn take_warnings(&mut self) -> Vec<Fault> {
        Vec::new()
    }

    /// Tells the seat how the game ended for it, and stops what runs for it. It is called last.
    fn end(&mut self, end: &End) {
        let _ = end;
    }
}

impl<K: Kit> AnyGame for K {
    fn info(&self) -> &'static Info {
        const { &K::INFO }
    }

    fn open(&self, text: &str, rules: &str) -> Result<Box<dyn OpenLevel>, LevelError> {
        let game = Arc::new(K::open(text, rules)?);
        let identity = hash_bytes(K::print(&game, K::INFO.formats[0].name)?.as_bytes());
        Ok(Box::new(Opened::<K> { game, rules: rules.to_owned(), identity }))
    }

    fn observation_schema(&self) -> Value {
        schemars::schema_for!(<K::Game as Game>::Observation).to_value()
    }

    fn split(&self, text: &str) -> Vec<(Option<String>, String)> {
        K::split(text)
    }

    fn generate(&self, request: &GenerateRequest) -> Result<String, String> {
        K::generate(request)
    }

    fn bench(&self, seconds: f64) -> Bench {
        K::bench(seconds)
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities {
            analyze: K::ANALYZE.is_some(),
            divide: K::DIVIDE.is_some(),
            answers: K::ANSWERS.is_some(),
        }
    }

    fn rounds(&self) -> Option<&'static RoundsKit> {
        K::ROUNDS
    }
}

struct Opened<K: Kit> {
    game: Arc<K::Game>,
    rules: String,
    /// A hash of the level as its own format prints it: what the level's file looked like does not matter.
    identity: u64,
}

impl<K: Kit> OpenLevel for Opened<K> {
    fn rules(&self) -> &str {
        &self.rules
    }

    fn facts(&self) -> Facts {
        self.game.facts()
    }

    fn print(&self, format: &str) -> Result<String, LevelError> {
        K::print(&self.game, format)
    }

    fn chance(&self, seed: u64, game: u64) -> Rng {
        Rng::for_game(self.identity, seed, game)
    }

    fn table(&self, seed: u64, game: u64) -> Box<dyn Table> {
        let state = self.game.start();
        Box::new(Running::<K> {
            game: Arc::clone(&self.game),
            piece_ids: K::piece_ids(&self.game, &state),
            state,
            chance: self.chance(seed, game),
            turns: 0,
            last: None,
            legal: Vec::new(),
        })
    }

    fn agent(&self, name: &str, seat: Seat, seed: u64) -> Option<Box<dyn Seated>> {
        let agent = K::agent(&self.game, name, seat, mix(seed ^ mix(seat as u64 + 1)))?;
        Some(Box::new(BuiltIn::<K> { agent }))
    }

    fn trace(&self, actions: &str, seed: u64, line: &mut dyn FnMut(Value)) -> Result<(), Illegal> {
        K::trace(&self.game, actions, &mut self.chance(seed, 0), line)
    }

    fn trace_recording(&self, recording: &str, line: &mut dyn FnMut(Value)) -> Result<(), Illegal> {
        K::trace_recording(&self.game, recording, line)
    }

    fn tick_ms(&self) -> Option<u32> {
        K::tick_ms(&self.game)
    }

    fn solve(&self, options: &SolveOptions, progress: &dyn Fn(&str)) -> Solved {
        let solution = K::solve(&self.game, options, progress);
        let details = K::solution_json(&self.game, &solution);
        Solved { solution: solution.map(|action| self.game.action_name(action)), details }
    }

    fn check(&self, options: &SolveOptions, progress: &dyn Fn(&str)) -> Report {
        K::check(&self.game, options, progress)
    }

    fn review(
        &self,
        seed: u64,
        actions: &[String],
        clock: &Clock,
        progress: &dyn Fn(&str),
    ) -> Result<Option<Review>, Illegal> {
        let Some(review) = K::REVIEW else { return Ok(None) };
        let played = play_again(self.game.as_ref(), actions, self.chance(seed, 0))?;
        Ok(review(&self.game, &played, clock, progress))
    }

    fn analyze(
        &self,
        options: &AnalyzeOptions,
        report: &mut dyn FnMut(&Analysis<String>),
    ) -> Option<Analysis<String>> {
        let name = |action: &ActionOf<K>| self.game.action_name(*action);
        let analysis = K::ANALYZE?(&self.game, options, &mut |partial| report(&partial.map(name)));
        Some(analysis.map(name))
    }

    fn divide(&self, depth: u32) -> Option<Vec<(String, u64)>> {
        let counts = K::DIVIDE?(&self.game, depth);
        Some(counts.into_iter().map(|(action, count)| (self.game.action_name(action), count)).collect())
    }

    fn answers(&self, options: &SolveOptions, most: usize) -> Option<Answers<String>> {
        let answers = K::ANSWERS?(&self.game, options, most);
        Some(answers.map(|action| self.game.action_name(action)))
    }
}

fn play_again<G: Game>(game: &G, actions: &[String], mut chance: Rng) -> Result<Played<G>, Illegal> {
    let mut state = game.start();
    let mut moments = Vec::with_capacity(actions.len());
    for name in actions {
        let Status::ToMove(seat) = game.status(&state) else {
            return Err(Illegal("the game is over".into()));
        };
        let action = game.parse_action(&state, name)?;
        game.check(&state, action)?;
        moments.push(Moment { state: state.clone(), chance: chance.clone(), seat, action });
        game.apply(&mut state, action, &mut chance);
    }
    Ok(Played { moments, end: state })
}

struct Running<K: Kit> {
    game: Arc<K::Game>,
    state: StateOf<K>,
    chance: Rng,
    turns: u32,
    last: Option<ActionOf<K>>,
    /// The pieces' numbers, for drawing.
    piece_ids: Vec<u32>,
    /// Scratch for an agent's turn, kept so that a turn allocates nothing here.
    legal: Vec<ActionOf<K>>,
}

impl<K: Kit> Running<K> {
    fn seat_to_move(&self) -> Result<Seat, Illegal> {
        match self.status() {
            Status::ToMove(seat) => Ok(seat),
            Status::Over(_) => Err(Illegal("the game is over".into())),
        }
    }

    fn play(&mut self, action: ActionOf<K>) -> Result<(), Illegal> {
        let seat = self.seat_to_move()?;
        self.game.check(&self.state, action)?;
        self.take(seat, action);
        Ok(())
    }

    fn take(&mut self, seat: Seat, action: ActionOf<K>) {
        let before = self.state.clone();
        self.game.apply(&mut self.state, action, &mut self.chance);
        K::follow_pieces(&self.game, &mut self.piece_ids, &before, action, &self.state);
        self.turns += u32::from(self.game.counts_as_turn(seat));
        self.last = Some(action);
    }
}

impl<K: Kit> Table for Running<K> {
    fn status(&self) -> Status {
        self.game.status(&self.state)
    }

    fn turns(&self) -> u32 {
        self.turns
    }

    fn between_turns(&self) -> bool {
        match self.status() {
            Status::Over(_) => true,
            Status::ToMove(seat) => self.game.counts_as_turn(seat),
        }
    }

    fn legal(&self) -> Vec<String> {
        let mut actions = Vec::new();
        self.game.legal(&self.state, &mut actions);
        actions.into_iter().map(|action| self.game.action_name(action)).collect()
    }

    fn act(&mut self, name: &str) -> Result<(), Illegal> {
        let action = self.game.parse_action(&self.state, name)?;
        self.play(action)
    }

    fn act_or_leave(&mut self, name: &str) -> Result<(), Illegal> {
        let action = self.game.parse_action(&self.state, name)?;
        if !self.game.leaves(&self.state, action) {
            return self.play(action);
        }
        let seat = self.seat_to_move()?;
        self.take(seat, action);
        Ok(())
    }

    fn last_action(&self) -> Option<String> {
        self.last.map(|action| self.game.action_name(action))
    }

    fn idle(&self) -> Option<&'static str> {
        K::idle_after(&self.game, self.last)
    }

    fn hash(&self) -> u64 {
        self.game.hash(&self.state)
    }

    fn score(&self, seat: Seat) -> i64 {
        self.game.score(&self.state, seat)
    }

    fn observe(&self, seat: Seat) -> Value {
        serde_json::to_value(self.game.observe(&self.state, seat)).expect("an observation is plain data")
    }

    fn draw(&self) -> Scene {
        K::draw(&self.game, &self.state, &self.piece_ids)
    }

    fn draw_text(&self, style: &str) -> String {
        K::draw_text(&self.game, &self.state, style)
    }

    fn notation(&self) -> Option<String> {
        K::notation(&self.game, &self.state)
    }

    fn overlay(&self, name: &str) -> Vec<Mark> {
        K::overlay(&self.game, &self.state, name)
    }

    fn copy(&self) -> Box<dyn Table> {
        Box::new(Self {
            game: Arc::clone(&self.game),
            state: self.state.clone(),
            chance: self.chance.clone(),
            turns: self.turns,
            last: self.last,
            piece_ids: self.piece_ids.clone(),
            legal: Vec::new(),
        })
    }

    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }
}

struct BuiltIn<K: Kit> {
    agent: Box<dyn Agent<K::Game>>,
}

impl<K: Kit> Seated for BuiltIn<K> {
    fn play(&mut self, table: &mut dyn Table, clock: &Clock, insight: &mut Insight) -> Result<(), Fault> {
        let running =
            table.as_any_mut().downcast_mut::<Running<K>>().expect("an agent sits at a table of its game");
        let seat = running.seat_to_move()?;
        let mut legal = std::mem::take(&mut running.legal);
        running.game.legal(&running.state, &mut legal);
        let observation = running.game.observe(&running.state, seat);
        let turn = Turn { seat, number: running.turns + 1, observation: &observation, legal: &legal, clock };
        let action = self.agent.act(&turn, insight);
        running.legal = legal;
        Ok(running.play(action)?)
    }
}
