//! Prefixes of plans to start again from: for every set of gold that was ever reached, the quickest way there.
//!
//! A beam forgets what it prunes. Starting again from sets that look promising and were tried seldom finds orders of gold that
//! no single beam keeps.

use damier_core::random::{Chance, Rng};
use rustc_hash::FxHashMap;

use super::beam::Candidate;
use crate::action::Action;
use crate::classic::State;

/// Steps by which an entry looks longer each time a search from it found nothing new.
const TRIED: u32 = 12;
/// Steps of noise in the choice.
const NOISE: u32 = 16;

/// A way to a set of gold.
#[derive(Clone)]
pub(crate) struct Prefix {
    pub state: State,
    pub chance: Rng,
    pub keys: Vec<Action>,
    /// What is left from here, in steps.
    left: u32,
    tried: u32,
}

/// The quickest ways to sets of gold.
#[derive(Default)]
pub(crate) struct Archive {
    numbers: FxHashMap<u64, usize>,
    prefixes: Vec<Prefix>,
}

impl Archive {
    /// Keeps a state if its set of gold is new or was reached later before. `keys` tells the keys that lead there.
    pub(super) fn offer(
        &mut self,
        candidate: &Candidate,
        ticks: u32,
        left: u32,
        keys: impl FnOnce() -> Vec<Action>,
    ) {
        let key = candidate.state.gold_hash();
        let number = self.numbers.get(&key).copied();
        let later = |prefix: &Prefix| ticks + 5 * left < prefix.keys.len() as u32 + 5 * prefix.left;
        if number.is_some_and(|number| !later(&self.prefixes[number])) {
            return;
        }
        let (state, chance) = (candidate.state, candidate.chance.clone());
        let prefix = Prefix { state, chance, keys: keys(), left, tried: 0 };
        if let Some(number) = number {
            let tried = self.prefixes[number].tried;
            self.prefixes[number] = Prefix { tried, ..prefix };
        } else {
            self.numbers.insert(key, self.prefixes.len());
            self.prefixes.push(prefix);
        }
    }

    /// A prefix that looks promising and was tried seldom; it counts as tried.
    pub(super) fn choose(&mut self, draw: &mut Rng) -> Option<Prefix> {
        let look = |prefix: &Prefix, noise: u32| prefix.left + TRIED * prefix.tried + noise;
        let number =
            (0..self.prefixes.len()).min_by_key(|&number| look(&self.prefixes[number], draw.below(NOISE)))?;
        self.prefixes[number].tried += 1;
        Some(self.prefixes[number].clone())
    }
}
