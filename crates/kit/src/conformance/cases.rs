//! The levels that laws are tested on, and random play on them.

use std::fmt;
use std::sync::Arc;

use damier_core::game::{Game, Status};
use damier_core::random::{Chance, Rng};

use crate::generate::GenerateRequest;
use crate::kit::{ActionOf, Kit, StateOf};

/// Number of shipped levels that laws are tested on, per rule set.
const SHIPPED_LEVELS: usize = 6;

/// Number of random games on each level, and of actions in each.
const WALKS: u64 = 3;
pub(super) const ACTIONS: usize = 150;

/// A level opened under one rule set.
pub struct Case<K: Kit> {
    /// The rule set.
    pub rules: &'static str,
    /// The level's name.
    pub level: String,
    /// The level's text.
    pub text: String,
    /// The rules on the level.
    pub game: Arc<K::Game>,
}

impl<K: Kit> fmt::Display for Case<K> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}, rules {}, level {}", K::INFO.name, self.rules, self.level)
    }
}

impl<K: Kit> Case<K> {
    /// Opens a level; `None` if it does not open under this rule set.
    pub fn open(rules: &'static str, level: impl Into<String>, text: &str) -> Option<Self> {
        let game = Arc::new(K::open(text, rules).ok()?);
        Some(Self { rules, level: level.into(), text: text.to_owned(), game })
    }

    /// Generates a level and opens it.
    pub(super) fn generated(request: &GenerateRequest) -> Self {
        let name = K::INFO.name;
        let text = K::generate(request).unwrap_or_else(|error| panic!("{name}: {request:?} fails: {error}"));
        let level = format!("generated with seed {}, difficulty {:?}", request.seed, request.difficulty);
        Self::open(request.rules, level, &text)
            .unwrap_or_else(|| panic!("{name}: {request:?} gives a level that does not open:\n{text}"))
    }

    /// A generated level that is quick to make.
    pub(super) fn easy(rules: &'static str) -> Self {
        Self::generated(&GenerateRequest {
            seed: 1,
            difficulty: Some(0.0),
            size: None,
            rules,
            ..GenerateRequest::default()
        })
    }

    /// Shipped levels of a rule set, spread over all packs.
    pub(super) fn shipped(rules: &'static str, count: usize) -> Vec<Self> {
        let levels = K::INFO.packs.iter().flat_map(|pack| {
            pack.levels.iter().map(move |(name, text)| (format!("{}/{name}", pack.name), *text))
        });
        let mut cases: Vec<Self> = levels.filter_map(|(name, text)| Self::open(rules, name, text)).collect();
        assert!(!cases.is_empty(), "{}: no shipped level opens under the rules {rules}", K::INFO.name);
        let stride = cases.len().div_ceil(count);
        let mut index = 0;
        cases.retain(|_| {
            index += 1;
            (index - 1) % stride == 0
        });
        cases
    }

    /// Some shipped levels of every rule set.
    pub(super) fn all_shipped() -> impl Iterator<Item = Self> {
        K::INFO.rules.iter().flat_map(|rules| Self::shipped(rules.name, SHIPPED_LEVELS))
    }

    /// Some shipped levels and a generated one of every rule set.
    pub(super) fn all() -> impl Iterator<Item = Self> {
        Self::all_shipped().chain(K::INFO.rules.iter().map(|rules| Self::easy(rules.name)))
    }

    /// Plays random games and visits every position, the last one too.
    pub(super) fn walk(&self, mut visit: impl FnMut(&Position<'_, K>)) {
        for seed in 1..=WALKS {
            self.walk_once(seed, ACTIONS, &mut visit);
        }
    }

    /// Plays one random game. Actions tend to repeat, so that games with small steps get somewhere.
    pub(super) fn walk_once(&self, seed: u64, actions: usize, visit: impl FnMut(&Position<'_, K>)) {
        let mut choice = Rng::new(!seed);
        let choose = |legal: &[ActionOf<K>], last: Option<ActionOf<K>>| {
            let again = last.filter(|last| choice.below(2) == 0 && legal.contains(last));
            again.unwrap_or_else(|| legal[choice.below(legal.len() as u32) as usize])
        };
        walk_by(self, seed, actions, choose, visit);
    }
}

/// A position of a random game, with everything that a failure message needs.
pub struct Position<'a, K: Kit> {
    /// The level.
    pub case: &'a Case<K>,
    /// The seed of the game's chance.
    pub seed: u64,
    /// The actions played so far.
    pub played: &'a [ActionOf<K>],
    /// The state after them.
    pub state: &'a StateOf<K>,
    /// The legal actions; empty when the game is over.
    pub legal: &'a [ActionOf<K>],
    /// The source of future chance.
    pub chance: &'a Rng,
}

impl<K: Kit> Position<'_, K> {
    /// The state after an action.
    pub(super) fn after(&self, action: ActionOf<K>) -> StateOf<K> {
        let mut state = self.state.clone();
        self.case.game.apply(&mut state, action, &mut self.chance.clone());
        state
    }
}

impl<K: Kit> fmt::Display for Position<'_, K> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<String> =
            self.played.iter().map(|&action| self.case.game.action_name(action)).collect();
        write!(formatter, "{}, seed {}, actions `{}`", self.case, self.seed, names.join(","))
    }
}

/// Plays one game and visits every position. `choose` gets the legal actions and the last action.
pub fn walk_by<K: Kit>(
    case: &Case<K>,
    seed: u64,
    actions: usize,
    mut choose: impl FnMut(&[ActionOf<K>], Option<ActionOf<K>>) -> ActionOf<K>,
    mut visit: impl FnMut(&Position<'_, K>),
) {
    let game = &case.game;
    let mut chance = Rng::new(seed);
    let mut state = game.start();
    let (mut legal, mut played) = (Vec::new(), Vec::new());
    loop {
        game.legal(&state, &mut legal);
        let position =
            Position { case, seed, played: &played, state: &state, legal: &legal, chance: &chance };
        let over = matches!(game.status(&state), Status::Over(_));
        assert_eq!(legal.is_empty(), over, "{position}: there are legal actions until the game is over");
        visit(&position);
        if over || played.len() == actions {
            return;
        }
        let action = choose(&legal, played.last().copied());
        game.apply(&mut state, action, &mut chance);
        played.push(action);
    }
}
