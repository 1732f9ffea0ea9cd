//! Batches: many games stepped together.

use std::fmt;
use std::sync::Arc;

use damier_core::encode::{Encode, Plane};
use damier_core::grid::Size;
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::env::{Env, Opponents, Prepared, Shared, Slot, Stage};
use crate::options::Options;
use crate::saved::Saved;

/// Games per unit of work of a thread.
const CHUNK: usize = 64;

/// Why a call on a batch was refused, as a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BatchError(pub String);

impl fmt::Display for BatchError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for BatchError {}

/// Buffers that a batch writes to: one entry, or one row of bytes, per game. Pass the same buffers in every call, because
/// observations are updated in place.
pub struct Outputs<'a> {
    /// The planes of every game.
    pub observations: &'a mut [u8],
    /// The legal actions of every game, one byte each.
    pub masks: &'a mut [u8],
    /// The reward of the step.
    pub rewards: &'a mut [f32],
    /// Did the rules end the episode?
    pub terminated: &'a mut [bool],
    /// Did the step limit end it?
    pub truncated: &'a mut [bool],
    /// Was the action illegal?
    pub illegal: &'a mut [bool],
    /// The last planes of episodes that ended, under [`Autoreset::SameStep`](crate::Autoreset); rows of other games are
    /// left as they are.
    pub final_observations: Option<&'a mut [u8]>,
}

/// A batch of games under one rule set.
pub struct Batch<G: Encode> {
    shared: Arc<Shared<G>>,
    envs: Vec<Env<G>>,
    pool: Option<ThreadPool>,
}

impl<G: Encode> Batch<G> {
    /// `count` games on levels that share a rule set; each episode is played on a random one of them. Reset the batch
    /// before the first step. The other seats are played by `opponents`, or at random if there are none.
    pub fn new(
        stages: Vec<Stage<G>>,
        count: usize,
        opponents: Option<Opponents<G>>,
        options: Options,
    ) -> Result<Self, BatchError> {
        let size = canvas_size(&stages, &options)?;
        let first = &stages[0].game;
        if let Some(seat) = options.seat.filter(|&seat| seat >= first.facts().seats.len()) {
            return Err(BatchError(format!(
                "there is no seat {seat}; the seats are {}",
                first.facts().seats.join(", ")
            )));
        }
        let actions = first.action_count();
        let stages = stages.into_iter().map(|stage| Prepared::new(stage, &options, size)).collect();
        let shared = Arc::new(Shared { stages, options, size, actions, opponents });
        let envs = (0..count).map(|_| Env::new(&shared)).collect();
        // Threads pay off only if each gets enough work.
        let threads = options.threads.min(count / CHUNK);
        let pool = (threads > 1)
            .then(|| ThreadPoolBuilder::new().num_threads(threads).build())
            .transpose()
            .map_err(|error| BatchError(format!("cannot start threads: {error}")))?;
        Ok(Self { shared, envs, pool })
    }

    /// The number of games.
    pub fn len(&self) -> usize {
        self.envs.len()
    }

    /// Is the batch without games?
    pub fn is_empty(&self) -> bool {
        self.envs.is_empty()
    }

    /// The number of actions.
    pub fn action_count(&self) -> usize {
        self.shared.actions
    }

    /// The planes of an observation.
    pub fn planes(&self) -> &'static [Plane] {
        self.shared.stages[0].stage.game.planes()
    }

    /// Columns and rows of an observation.
    pub fn size(&self) -> Size {
        self.shared.size
    }

    /// The size of an observation, in bytes.
    pub fn observation_len(&self) -> usize {
        self.planes().len() * self.size().area()
    }

    /// Index of the level that a game is played on.
    pub fn level(&self, index: usize) -> usize {
        self.envs[index].stage as usize
    }

    /// The state of a game.
    pub fn state(&self, index: usize) -> &G::State {
        &self.envs[index].state
    }

    /// The hash of a game's state.
    pub fn key(&self, index: usize) -> u64 {
        let env = &self.envs[index];
        self.shared.stages[env.stage as usize].stage.game.hash(&env.state)
    }

    /// Starts new episodes: the first one of a new seed, or the next one of the game's current seed. `chosen` selects the
    /// games, by default all. `seeds` is empty or has one entry per game.
    pub fn reset(
        &mut self,
        seeds: &[Option<u64>],
        chosen: Option<&[bool]>,
        outputs: Outputs<'_>,
    ) -> Result<(), BatchError> {
        let count = self.len();
        let fits = |len: usize| len == count;
        if !seeds.is_empty() && !fits(seeds.len()) || !chosen.is_none_or(|chosen| fits(chosen.len())) {
            return Err(BatchError(format!(
                "a batch of {count} games needs {count} seeds and a mask of {count}"
            )));
        }
        self.for_each(outputs, |shared, index, env, slot| {
            if chosen.is_some_and(|chosen| !chosen[index]) {
                return;
            }
            match seeds.get(index).copied().flatten() {
                Some(seed) => (env.seed, env.episode) = (seed, 0),
                None => env.episode += 1,
            }
            env.reset(shared, slot);
        })
    }

    /// Steps every game once.
    pub fn step(&mut self, actions: &[i64], outputs: Outputs<'_>) -> Result<(), BatchError> {
        if actions.len() != self.len() {
            return Err(BatchError(format!("{} actions for {} games", actions.len(), self.len())));
        }
        self.for_each(outputs, |shared, index, env, slot| env.step(shared, actions[index], slot))
    }

    /// Writes the observations and masks of all games, without a step.
    pub fn show(&mut self, outputs: Outputs<'_>) -> Result<(), BatchError> {
        self.for_each(outputs, |shared, _, env, slot| env.show(shared, slot))
    }

    /// Snapshot of the whole batch.
    pub fn save(&self) -> Saved<G> {
        Saved::of(&self.envs)
    }

    /// Restores a snapshot of a batch with the same levels and options. Opponents start without memory of earlier turns.
    /// Call [`show`](Self::show) afterwards.
    pub fn restore(&mut self, saved: &Saved<G>) -> Result<(), BatchError> {
        saved.restore(&self.shared, &mut self.envs)
    }

    /// Reads a snapshot from bytes. Every game is replayed, so corrupt bytes are detected.
    pub fn read_saved(&self, bytes: &[u8]) -> Result<Saved<G>, BatchError> {
        Saved::from_bytes(&self.shared, bytes)
    }

    fn for_each(
        &mut self,
        outputs: Outputs<'_>,
        work: impl Fn(&Shared<G>, usize, &mut Env<G>, &mut Slot<'_>) + Sync,
    ) -> Result<(), BatchError> {
        let lengths = (self.observation_len(), self.action_count());
        let count = self.len();
        outputs.check(count, lengths)?;
        let (shared, envs) = (&*self.shared, &mut self.envs[..]);
        let Some(pool) = &self.pool else {
            run(shared, 0, envs, outputs, lengths, &work);
            return Ok(());
        };
        pool.install(|| {
            let chunks: Vec<_> = outputs.chunks(lengths).zip(envs.chunks_mut(CHUNK)).enumerate().collect();
            chunks.into_par_iter().for_each(|(index, (outputs, envs))| {
                run(shared, index * CHUNK, envs, outputs, lengths, &work);
            });
        });
        Ok(())
    }
}

/// The smallest size that holds all levels, or the size chosen in the options.
fn canvas_size<G: Encode>(stages: &[Stage<G>], options: &Options) -> Result<Size, BatchError> {
    let extents = || stages.iter().map(|stage| stage.game.extent());
    let width = extents().map(|extent| extent.width).max();
    let height = extents().map(|extent| extent.height).max();
    let (Some(width), Some(height)) = (width, height) else {
        return Err(BatchError("a batch needs a level".to_owned()));
    };
    let size = options.size.unwrap_or(Size::new(width, height));
    if size.width < width || size.height < height {
        return Err(BatchError(format!(
            "observations of {}x{} are too small: a level has {width}x{height} cells",
            size.width, size.height
        )));
    }
    Ok(size)
}

/// Works on a slice of games, one after the other.
fn run<G: Encode>(
    shared: &Shared<G>,
    first: usize,
    envs: &mut [Env<G>],
    outputs: Outputs<'_>,
    (planes, actions): (usize, usize),
    work: &(impl Fn(&Shared<G>, usize, &mut Env<G>, &mut Slot<'_>) + Sync),
) {
    let mut last = outputs.final_observations.map(|last| last.chunks_exact_mut(planes));
    let slots = outputs
        .observations
        .chunks_exact_mut(planes)
        .zip(outputs.masks.chunks_exact_mut(actions))
        .zip(outputs.rewards)
        .zip(outputs.terminated.iter_mut().zip(outputs.truncated))
        .zip(outputs.illegal);
    for ((index, env), ((((planes, mask), reward), (terminated, truncated)), illegal)) in
        envs.iter_mut().enumerate().zip(slots)
    {
        let final_planes = last.as_mut().and_then(Iterator::next);
        let mut slot = Slot { planes, mask, reward, terminated, truncated, illegal, final_planes };
        work(shared, first + index, env, &mut slot);
    }
}

impl<'a> Outputs<'a> {
    fn check(&self, count: usize, (planes, actions): (usize, usize)) -> Result<(), BatchError> {
        let last = self.final_observations.as_ref().map_or(count * planes, |last| last.len());
        let fits = self.observations.len() == count * planes
            && last == count * planes
            && self.masks.len() == count * actions
            && [self.rewards.len(), self.terminated.len(), self.truncated.len(), self.illegal.len()]
                == [count; 4];
        if fits {
            Ok(())
        } else {
            Err(BatchError(format!("the buffers do not fit a batch of {count} games")))
        }
    }

    /// The buffers of [`CHUNK`] games each.
    fn chunks(self, (planes, actions): (usize, usize)) -> impl Iterator<Item = Outputs<'a>> {
        let mut last = self.final_observations.map(|last| last.chunks_mut(CHUNK * planes));
        self.observations
            .chunks_mut(CHUNK * planes)
            .zip(self.masks.chunks_mut(CHUNK * actions))
            .zip(self.rewards.chunks_mut(CHUNK))
            .zip(self.terminated.chunks_mut(CHUNK).zip(self.truncated.chunks_mut(CHUNK)))
            .zip(self.illegal.chunks_mut(CHUNK))
            .map(move |((((observations, masks), rewards), (terminated, truncated)), illegal)| Outputs {
                observations,
                masks,
                rewards,
                terminated,
                truncated,
                illegal,
                final_observations: last.as_mut().and_then(Iterator::next),
            })
    }
}
