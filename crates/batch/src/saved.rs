//! Snapshots of a batch: in memory as states, in bytes as the actions that led to them.

use damier_core::encode::Encode;
use damier_core::random::Rng;

use crate::batch::BatchError;
use crate::env::{Env, Shared};

/// First bytes of a saved batch; the last of them is the format version.
const MAGIC: [u8; 4] = *b"dmb\x01";

/// Snapshot of all games of a batch.
pub struct Saved<G: Encode> {
    games: Vec<SavedGame<G>>,
}

struct SavedGame<G: Encode> {
    seed: u64,
    episode: u64,
    stage: u32,
    state: G::State,
    chance: Rng,
    steps: u32,
    ended: bool,
    log: Vec<u16>,
}

impl<G: Encode> Saved<G> {
    pub(crate) fn of(envs: &[Env<G>]) -> Self {
        let game = |env: &Env<G>| SavedGame {
            seed: env.seed,
            episode: env.episode,
            stage: env.stage,
            state: env.state.clone(),
            chance: env.chance.clone(),
            steps: env.steps,
            ended: env.ended,
            log: env.log.clone(),
        };
        Self { games: envs.iter().map(game).collect() }
    }

    pub(crate) fn restore(&self, shared: &Shared<G>, envs: &mut [Env<G>]) -> Result<(), BatchError> {
        if self.games.len() != envs.len() {
            return Err(BatchError(format!(
                "{} games were saved, the batch has {}",
                self.games.len(),
                envs.len()
            )));
        }
        for (env, saved) in envs.iter_mut().zip(&self.games) {
            (env.seed, env.episode) = (saved.seed, saved.episode);
            // Makes the opponents of the episode.
            env.begin(shared);
            env.stage = saved.stage;
            env.state.clone_from(&saved.state);
            env.chance.clone_from(&saved.chance);
            (env.steps, env.ended) = (saved.steps, saved.ended);
            env.log.clone_from(&saved.log);
        }
        Ok(())
    }

    /// The batch as bytes, for files and other processes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend((self.games.len() as u32).to_le_bytes());
        for game in &self.games {
            bytes.extend(game.seed.to_le_bytes());
            bytes.extend(game.episode.to_le_bytes());
            bytes.extend(game.steps.to_le_bytes());
            bytes.push(u8::from(game.ended));
            bytes.extend((game.log.len() as u32).to_le_bytes());
            bytes.extend(game.log.iter().flat_map(|number| number.to_le_bytes()));
        }
        bytes
    }

    pub(crate) fn from_bytes(shared: &Shared<G>, bytes: &[u8]) -> Result<Self, BatchError> {
        let mut reader = Reader(bytes);
        if reader.take()? != MAGIC {
            return Err(BatchError("not a saved batch".to_owned()));
        }
        let count = u32::from_le_bytes(reader.take()?);
        let games = (0..count).map(|_| SavedGame::read(shared, &mut reader)).collect::<Result<_, _>>()?;
        if reader.0.is_empty() {
            Ok(Self { games })
        } else {
            Err(BatchError("the saved batch is corrupt: bytes follow the last game".to_owned()))
        }
    }
}

impl<G: Encode> SavedGame<G> {
    /// Replays the game from its log, which includes the opponents' actions.
    fn read(shared: &Shared<G>, reader: &mut Reader<'_>) -> Result<Self, BatchError> {
        let (seed, episode) = (u64::from_le_bytes(reader.take()?), u64::from_le_bytes(reader.take()?));
        let steps = u32::from_le_bytes(reader.take()?);
        let ended = reader.take::<1>()? != [0];
        let length = u32::from_le_bytes(reader.take()?);
        let mut env = Env::new(shared);
        (env.seed, env.episode) = (seed, episode);
        env.begin(shared);
        let game = &shared.stages[env.stage as usize].stage.game;
        let mut scratch = vec![0; shared.actions];
        for index in 0..length {
            let number = u16::from_le_bytes(reader.take()?);
            let action = Some(usize::from(number)).filter(|&number| number < shared.actions);
            let action = action.map(|number| game.numbered(number));
            let Some(action) = action.filter(|&action| game.allows(&env.state, action)) else {
                return Err(BatchError(format!(
                    "action {number} at index {index} of a saved game is illegal: it was saved on other levels"
                )));
            };
            env.replay(shared, action, &mut scratch);
            env.log.push(number);
        }
        let Env { stage, state, chance, log, .. } = env;
        Ok(Self { seed, episode, stage, state, chance, steps, ended, log })
    }
}

struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N], BatchError> {
        let (first, rest) = self
            .0
            .split_first_chunk()
            .ok_or_else(|| BatchError("the saved batch is truncated".to_owned()))?;
        self.0 = rest;
        Ok(*first)
    }
}
