//! A Pacman that moves at random.

use damier_core::agent::{Agent, Turn};
use damier_core::grid::Dir;
use damier_core::insight::Insight;
use damier_core::random::{Chance, Rng};

use crate::rules::{Action, Rules};

/// Goes in a random direction. It never waits: waiting only repeats the current direction.
#[derive(Clone, Debug)]
pub struct RandomWalk(Rng);

impl RandomWalk {
    /// An agent whose choices depend on `seed` alone.
    pub fn new(seed: u64) -> Self {
        Self(Rng::new(seed))
    }
}

impl Agent<Rules> for RandomWalk {
    fn act(&mut self, _: &Turn<'_, Rules>, insight: &mut Insight) -> Action {
        insight.say(|| "random choice among 4 directions".to_owned());
        Action::Go(Dir::from_index(self.0.below(4) as u8))
    }
}
