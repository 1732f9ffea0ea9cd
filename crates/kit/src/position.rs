//! Type-erased game states with numbered actions, for searches and machine learning outside this program.

use std::any::Any;
use std::sync::Arc;

use damier_core::agent::{Agent, Budget, Clock, Turn};
use damier_core::encode::{Canvas, Encode};
use damier_core::game::{Game, Illegal, Seat, Status};
use damier_core::insight::Insight;
use damier_core::random::{Rng, hash_bytes};
use serde_json::Value;

use damier_batch::{AnyBatch, Batch, BatchError, Opponents, Options, Stage};

use crate::kit::{ActionOf, Kit, StateOf};
use crate::scene::Scene;
use crate::time::start_clock;

/// A game state with numbered actions. Unlike a [`Table`](crate::Table) it stores nothing for front ends, so copies are cheap.
pub trait Position: Send + Sync {
    /// Who is to move, or how it ended.
    fn status(&self) -> Status;
    /// Turns played so far.
    fn turns(&self) -> u32;
    /// The numbers of the legal actions, in the order in which the game lists them.
    fn legal(&self) -> Vec<usize>;
    /// One byte per action: 1 if it is legal.
    fn mask(&self, mask: &mut [u8]);
    /// The number of the action of this name; an error if it can never be legal.
    fn number(&self, name: &str) -> Result<usize, Illegal>;
    /// Plays an action by its number. An illegal one changes nothing; the error names the rule it breaks.
    fn act(&mut self, number: usize) -> Result<(), Illegal>;
    /// The state's hash.
    fn key(&self) -> u64;
    /// A seat's score.
    fn score(&self, seat: Seat) -> i64;
    /// Writes what a seat may see as planes.
    fn write(&self, seat: Seat, canvas: &mut Canvas<'_>);
    /// What a seat may see, as JSON.
    fn observe(&self, seat: Seat) -> Value;
    /// The whole state as JSON, as `trace` prints it.
    fn json(&self) -> Value;
    /// The state as a picture.
    fn draw(&self) -> Scene;
    /// The state in the game's own notation; `None` if it has none.
    fn notation(&self) -> Option<String>;
    /// Replaces the source of future chance.
    fn set_chance(&mut self, chance: Rng);
    /// An independent copy.
    fn copy(&self) -> Box<dyn Position>;
    /// Is this the same state? Future chance does not matter.
    fn equals(&self, other: &dyn Position) -> bool;
    /// Itself, for comparisons.
    fn as_any(&self) -> &dyn Any;
}

/// A built-in agent that chooses actions by number.
pub trait Chooser: Send {
    /// Chooses a legal action in a position of the level it was made for, in which its seat is to move.
    fn choose(
        &mut self,
        position: &dyn Position,
        clock: &Clock,
        insight: &mut Insight,
    ) -> Result<usize, Illegal>;
}

/// An agent of a known game.
pub(crate) struct AgentChooser<K: Kit> {
    pub agent: Box<dyn Agent<K::Game>>,
    pub legal: Vec<ActionOf<K>>,
}

impl<K: Kit> Chooser for AgentChooser<K> {
    fn choose(
        &mut self,
        position: &dyn Position,
        clock: &Clock,
        insight: &mut Insight,
    ) -> Result<usize, Illegal> {
        let at: &TypedPosition<K> = position.as_any().downcast_ref().ok_or_else(|| {
            Illegal(format!("this agent plays {}, not the game of this state", K::INFO.title))
        })?;
        let Status::ToMove(seat) = at.status() else { return Err(Illegal("the game is over".into())) };
        at.game.legal(&at.state, &mut self.legal);
        let observation = at.game.observe(&at.state, seat);
        let turn = Turn { seat, number: at.turns + 1, observation: &observation, legal: &self.legal, clock };
        let action = self.agent.act(&turn, insight);
        at.game.number(action).ok_or_else(|| Illegal("the agent chose an action without a number".into()))
    }
}

/// A state of a known game with its chance.
pub(crate) struct TypedPosition<K: Kit> {
    pub game: Arc<K::Game>,
    pub state: StateOf<K>,
    pub chance: Rng,
    pub turns: u32,
}

impl<K: Kit> Position for TypedPosition<K> {
    fn status(&self) -> Status {
        self.game.status(&self.state)
    }

    fn turns(&self) -> u32 {
        self.turns
    }

    fn legal(&self) -> Vec<usize> {
        let mut actions = Vec::new();
        self.game.legal(&self.state, &mut actions);
        actions.into_iter().filter_map(|action| self.game.number(action)).collect()
    }

    fn mask(&self, mask: &mut [u8]) {
        self.game.mask(&self.state, mask);
    }

    fn number(&self, name: &str) -> Result<usize, Illegal> {
        let action = self.game.parse_action(&self.state, name)?;
        self.game.number(action).ok_or_else(|| match self.game.check(&self.state, action) {
            Err(illegal) => illegal,
            Ok(()) => Illegal(format!("`{name}` has no number")),
        })
    }

    fn act(&mut self, number: usize) -> Result<(), Illegal> {
        if number >= self.game.action_count() {
            let last = self.game.action_count() - 1;
            return Err(Illegal(format!("there is no action {number}: they are numbered from 0 to {last}")));
        }
        let action = self.game.numbered(number);
        if !self.game.allows(&self.state, action) {
            self.game.check(&self.state, action)?;
        }
        if let Status::ToMove(seat) = self.game.status(&self.state) {
            self.turns += u32::from(self.game.counts_as_turn(seat));
        }
        self.game.apply(&mut self.state, action, &mut self.chance);
        Ok(())
    }

    fn key(&self) -> u64 {
        self.game.hash(&self.state)
    }

    fn score(&self, seat: Seat) -> i64 {
        self.game.score(&self.state, seat)
    }

    fn write(&self, seat: Seat, canvas: &mut Canvas<'_>) {
        self.game.write(&self.state, seat, canvas);
    }

    fn observe(&self, seat: Seat) -> Value {
        serde_json::to_value(self.game.observe(&self.state, seat)).unwrap_or_default()
    }

    fn json(&self) -> Value {
        K::state_json(&self.game, &self.state)
    }

    fn draw(&self) -> Scene {
        K::draw(&self.game, &self.state, &K::piece_ids(&self.game, &self.state))
    }

    fn notation(&self) -> Option<String> {
        K::notation(&self.game, &self.state)
    }

    fn set_chance(&mut self, chance: Rng) {
        self.chance = chance;
    }

    fn copy(&self) -> Box<dyn Position> {
        Box::new(Self {
            game: Arc::clone(&self.game),
            state: self.state.clone(),
            chance: self.chance.clone(),
            turns: self.turns,
        })
    }

    fn equals(&self, other: &dyn Position) -> bool {
        other.as_any().downcast_ref::<Self>().is_some_and(|other| self.state == other.state)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// Opens levels under a rule set as a batch of `count` games. The other seats are played by the built-in agent `opponent`,
/// or at random if there is none.
pub(crate) fn batch<K: Kit>(
    texts: &[&str],
    rules: &str,
    count: usize,
    opponent: Option<&str>,
    options: Options,
) -> Result<Box<dyn AnyBatch>, BatchError> {
    let mut stages = Vec::with_capacity(texts.len());
    for text in texts {
        let game = K::open(text, rules).map_err(|error| BatchError(error.to_string()))?;
        let identity = identity::<K>(&game).map_err(|error| BatchError(error.to_string()))?;
        stages.push(Stage { game: Arc::new(game), identity });
    }
    let opponents = match (opponent.filter(|&name| name != RANDOM), stages.first()) {
        (Some(name), Some(stage)) => Some(opponents::<K>(&stage.game, name, options.seat)?),
        _ => None,
    };
    Ok(Box::new(Batch::new(stages, count, opponents, options)?))
}

/// The random agent, which a batch implements itself.
const RANDOM: &str = "random";

/// Hash of the level as its own format prints it, independent of the format it was read from.
pub(crate) fn identity<K: Kit>(game: &K::Game) -> Result<u64, damier_core::LevelError> {
    Ok(hash_bytes(K::print(game, K::INFO.formats[0].name)?.as_bytes()))
}

fn opponents<K: Kit>(
    game: &Arc<K::Game>,
    name: &str,
    own: Option<Seat>,
) -> Result<Opponents<K::Game>, BatchError> {
    let mut others = (0..game.facts().seats.len()).filter(|&seat| Some(seat) != own);
    if let Some(seat) = others.find(|&seat| K::agent(game, name, seat, 0).is_none()) {
        let names = K::INFO.agents.iter().filter(|agent| agent.seats.contains(&seat));
        let names: Vec<&str> = names.map(|agent| agent.name).collect();
        let seat = game.facts().seats[seat];
        return Err(BatchError(format!(
            "no agent `{name}` plays {seat} here; the agents are {}",
            names.join(", ")
        )));
    }
    let name = name.to_owned();
    Ok(Box::new(move |game, seat, seed| {
        let mut agent =
            K::agent(game, &name, seat, seed).unwrap_or_else(|| Box::new(damier_core::Random::new(seed)));
        let game = Arc::clone(game);
        let mut legal: Vec<ActionOf<K>> = Vec::new();
        Box::new(move |state, seat, number| {
            game.legal(state, &mut legal);
            let observation = game.observe(state, seat);
            let clock = start_clock(Budget::default());
            let turn = Turn { seat, number, observation: &observation, legal: &legal, clock: &clock };
            agent.act(&turn, &mut Insight::unwanted())
        })
    }))
}
