//! Type-erased games: a front end holds any game as [`AnyGame`], opens a level and plays at a [`Table`].

use std::any::Any;
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;

use crate::analysis::{Analysis, AnalyzeOptions};
use crate::answers::Answers;
use crate::bench::Bench;
use crate::fault::{Fault, Leave};
use crate::generate::GenerateRequest;
use crate::info::Info;
use crate::kit::{ActionOf, Kit, StateOf};
use crate::position::{self, Chooser, Position};
use crate::replay::End;
use crate::review::{Moment, Played, Review};
use crate::rounds::RoundsKit;
use crate::scene::Scene;
use crate::solve::{Report, Solution, SolveOptions, Solved};
use damier_batch::{AnyBatch, BatchError, Options};
use damier_core::agent::{Agent, Clock, Turn};
use damier_core::encode::{Encode, Plane};
use damier_core::game::{Facts, Game, Illegal, Seat, Status};
use damier_core::grid::Size;
use damier_core::insight::{Insight, Mark};
use damier_core::level::LevelError;
use damier_core::random::{Rng, mix};

/// A registered game.
pub trait AnyGame: Send + Sync {
    /// What is known before a level is opened.
    fn info(&self) -> &'static Info;
    /// Parses and checks a level under one of the rule sets.
    fn open(&self, text: &str, rules: &str) -> Result<Box<dyn OpenLevel>, LevelError>;
    /// The JSON schema of observations.
    fn observation_schema(&self) -> Value;
    /// Splits a file that holds several levels.
    fn split(&self, text: &str) -> Vec<(Option<String>, String)>;
    /// The files that a list names; empty if the text is not such a list.
    fn parts(&self, text: &str) -> Vec<String>;
    /// A new level, or why there is none for this request.
    fn generate(&self, request: &GenerateRequest) -> Result<String, String>;
    /// A batch of `count` games on levels under one rule set, for machine learning. The other seats are played by the
    /// built-in agent `opponent`, or at random.
    fn batch(
        &self,
        texts: &[&str],
        rules: &str,
        count: usize,
        opponent: Option<&str>,
        options: Options,
    ) -> Result<Box<dyn AnyBatch>, BatchError>;
    /// Measures the engine for about `seconds`.
    fn bench(&self, seconds: f64) -> Bench;
    /// The optional capabilities that its levels have.
    fn capabilities(&self) -> Capabilities;
    /// Its rounds against the computer, if it has any.
    fn rounds(&self) -> Option<&'static RoundsKit>;
}

/// Optional capabilities of a game's levels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capabilities {
    /// Is [`OpenLevel::analyze`] supported?
    pub analyze: bool,
    /// Is [`OpenLevel::divide`] supported?
    pub divide: bool,
    /// Is [`OpenLevel::answers`] supported?
    pub answers: bool,
}

/// A checked level under a rule set.
pub trait OpenLevel: Send + Sync {
    /// The rule set's name.
    fn rules(&self) -> &str;
    /// Properties of every game on it.
    fn facts(&self) -> Facts;
    /// The level as text in one of the game's formats.
    fn print(&self, format: &str) -> Result<String, LevelError>;
    /// The chance of a game, which depends only on the level, the seed and the game's number.
    fn chance(&self, seed: u64, game: u64) -> Rng;
    /// A new game with that chance.
    fn table(&self, seed: u64, game: u64) -> Box<dyn Table>;
    /// A new game with that chance, with numbered actions.
    fn position(&self, seed: u64, game: u64) -> Box<dyn Position>;
    /// The built-in agent of this name at a seat, choosing numbered actions.
    fn chooser(&self, name: &str, seat: Seat, seed: u64) -> Option<Box<dyn Chooser>>;
    /// The names of the actions by their numbers.
    fn action_names(&self) -> Vec<String>;
    /// The planes of observations.
    fn planes(&self) -> &'static [Plane];
    /// Columns and rows of these observations.
    fn extent(&self) -> Size;
    /// The built-in agent of this name at a seat.
    fn agent(&self, name: &str, seat: Seat, seed: u64) -> Option<Box<dyn Seated>>;
    /// Plays a sequence of actions and passes one JSON state per turn to `line`.
    fn trace(&self, actions: &str, seed: u64, line: &mut dyn FnMut(Value)) -> Result<(), Illegal>;
    /// Plays a run recorded in the game's own recording format and passes one JSON state per turn to `line`. Returns the
    /// first difference between recording and rules, if there is one.
    fn trace_recording(
        &self,
        recording: &str,
        line: &mut dyn FnMut(Value),
    ) -> Result<Option<String>, Illegal>;
    /// Real-time games: milliseconds per turn in interactive play.
    fn tick_ms(&self) -> Option<u32>;
    /// Checks whether it can be won, and how hard it is.
    fn check(&self, options: &SolveOptions, progress: &dyn Fn(&str)) -> Report;
    /// Searches for a winning plan, or a proof that there is none, and rates the level.
    fn certify(&self, options: &SolveOptions, progress: &dyn Fn(&str)) -> (Solved, Report);
    /// Replays a game from its actions and reviews it within the clock's budget; `None` if the game has no reviews.
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
    /// Finds all shortest solutions and lists up to `max` of them; `None` without this capability.
    fn answers(&self, options: &SolveOptions, max: usize) -> Option<Answers<String>>;
}

/// A running game.
pub trait Table: Send {
    /// Who is to move, or how it ended.
    fn status(&self) -> Status;
    /// Turns played so far.
    fn turns(&self) -> u32;
    /// Is the game over, or does the next action count as a turn? Front ends stop only here.
    fn between_turns(&self) -> bool;
    /// The names of the legal actions.
    fn legal(&self) -> Vec<String>;
    /// Plays an action by its name; an illegal one changes nothing.
    fn act(&mut self, name: &str) -> Result<(), Illegal>;
    /// Plays an action of a human or a replay: a legal one, or one that quits the game.
    fn act_or_quit(&mut self, name: &str) -> Result<(), Illegal>;
    /// The name of the last action.
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
    /// The state as lines of text in another style, with the marks that the style supports.
    fn draw_text(&self, style: &str, marks: &[Mark]) -> String;
    /// The state in the game's own notation; `None` if it has none.
    fn notation(&self) -> Option<String>;
    /// The marks of an overlay.
    fn overlay(&self, name: &str) -> Vec<Mark>;
    /// An independent copy of the game.
    fn copy(&self) -> Box<dyn Table>;
    /// Searches for a winning plan from here, where the game is not over, or a proof that there is none. The plan is for this
    /// game's chance, not for that of the options.
    fn solve(&self, options: &SolveOptions, progress: &dyn Fn(&str)) -> Solved;
    /// Itself, for downcasts.
    fn as_any_mut(&mut self) -> &mut dyn Any;
}

/// An agent at a table: built in, or a process that speaks the protocol.
pub trait Seated: Send {
    /// Prepares for a game about to begin, so that the first turn is not slower. Calling it is optional.
    fn begin(&mut self, table: &dyn Table) -> Result<(), Fault> {
        let _ = table;
        Ok(())
    }

    /// Decides and plays the action of the seat to move. A fault or a resignation loses the game.
    fn play(&mut self, table: &mut dyn Table, clock: &Clock, insight: &mut Insight) -> Result<(), Leave>;

    /// The processor time of the last decision, where it is measured.
    fn cpu(&self) -> Option<Duration> {
        None
    }

    /// What it wrote to its log since the last call.
    fn take_log(&mut self) -> String {
        String::new()
    }

    /// The faults since the last call because of which its action was substituted, without losing the game.
    fn take_warnings(&mut self) -> Vec<Fault> {
        Vec::new()
    }

    /// Notifies the agent of the end of the game, and stops its process. Called last.
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
        let identity = position::identity::<K>(&game)?;
        Ok(Box::new(Opened::<K> { game, rules: rules.to_owned(), identity }))
    }

    fn observation_schema(&self) -> Value {
        schemars::schema_for!(<K::Game as Game>::Observation).to_value()
    }

    fn split(&self, text: &str) -> Vec<(Option<String>, String)> {
        K::split(text)
    }

    fn parts(&self, text: &str) -> Vec<String> {
        K::parts(text)
    }

    fn generate(&self, request: &GenerateRequest) -> Result<String, String> {
        K::generate(request)
    }

    fn batch(
        &self,
        texts: &[&str],
        rules: &str,
        count: usize,
        opponent: Option<&str>,
        options: Options,
    ) -> Result<Box<dyn AnyBatch>, BatchError> {
        position::batch::<K>(texts, rules, count, opponent, options)
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
    /// Hash of the level as its own format prints it, independent of the format it was read from.
    identity: u64,
}

/// A solver's answer with its actions by name.
fn named<K: Kit>(game: &K::Game, solution: Solution<ActionOf<K>>) -> Solved {
    let details = K::solution_json(game, &solution);
    Solved { solution: solution.map(|action| game.action_name(action)), details }
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

    fn position(&self, seed: u64, game: u64) -> Box<dyn Position> {
        let chance = self.chance(seed, game);
        Box::new(position::TypedPosition::<K> {
            game: Arc::clone(&self.game),
            state: self.game.start(),
            chance,
            turns: 0,
        })
    }

    fn chooser(&self, name: &str, seat: Seat, seed: u64) -> Option<Box<dyn Chooser>> {
        let agent = K::agent(&self.game, name, seat, agent_seed(seed, seat))?;
        Some(Box::new(position::AgentChooser::<K> { agent, legal: Vec::new() }))
    }

    fn action_names(&self) -> Vec<String> {
        let name = |number| self.game.action_name(self.game.numbered(number));
        (0..self.game.action_count()).map(name).collect()
    }

    fn planes(&self) -> &'static [Plane] {
        self.game.planes()
    }

    fn extent(&self) -> Size {
        self.game.extent()
    }

    fn agent(&self, name: &str, seat: Seat, seed: u64) -> Option<Box<dyn Seated>> {
        let agent = K::agent(&self.game, name, seat, agent_seed(seed, seat))?;
        Some(Box::new(BuiltIn::<K> { agent }))
    }

    fn trace(&self, actions: &str, seed: u64, line: &mut dyn FnMut(Value)) -> Result<(), Illegal> {
        K::trace(&self.game, actions, &mut self.chance(seed, 0), line)
    }

    fn trace_recording(
        &self,
        recording: &str,
        line: &mut dyn FnMut(Value),
    ) -> Result<Option<String>, Illegal> {
        K::trace_recording(&self.game, recording, line)
    }

    fn tick_ms(&self) -> Option<u32> {
        K::tick_ms(&self.game)
    }

    fn check(&self, options: &SolveOptions, progress: &dyn Fn(&str)) -> Report {
        K::check(&self.game, options, progress)
    }

    fn certify(&self, options: &SolveOptions, progress: &dyn Fn(&str)) -> (Solved, Report) {
        let (solution, report) = K::certify(&self.game, options, progress);
        (named::<K>(&self.game, solution), report)
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

    fn answers(&self, options: &SolveOptions, max: usize) -> Option<Answers<String>> {
        let answers = K::ANSWERS?(&self.game, options, max);
        Some(answers.map(|action| self.game.action_name(action)))
    }
}

/// The seed of an agent, different for each seat.
fn agent_seed(seed: u64, seat: Seat) -> u64 {
    mix(seed ^ mix(seat as u64 + 1))
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
    /// The ids of the pieces, for drawing.
    piece_ids: Vec<u32>,
    /// Scratch space for an agent's turn, kept to avoid allocations.
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

    fn act_or_quit(&mut self, name: &str) -> Result<(), Illegal> {
        let action = self.game.parse_action(&self.state, name)?;
        if !self.game.quits(&self.state, action) {
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

    fn draw_text(&self, style: &str, marks: &[Mark]) -> String {
        K::draw_text(&self.game, &self.state, style, marks)
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

    fn solve(&self, options: &SolveOptions, progress: &dyn Fn(&str)) -> Solved {
        let options = SolveOptions { chance: self.chance.clone(), ..options.clone() };
        named::<K>(&self.game, K::solve(&self.game, &self.state, &options, progress))
    }

    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }
}

struct BuiltIn<K: Kit> {
    agent: Box<dyn Agent<K::Game>>,
}

impl<K: Kit> Seated for BuiltIn<K> {
    fn play(&mut self, table: &mut dyn Table, clock: &Clock, insight: &mut Insight) -> Result<(), Leave> {
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
