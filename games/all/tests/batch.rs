//! Batches of every game: an episode depends only on its seed and number.

use damier_batch::{AnyBatch, Autoreset, IllegalAction, Options, Outputs, Reward};
use damier_core::random::{Chance, Rng};
use damier_games::GAMES;
use damier_kit::AnyGame;

const OPTIONS: Options = Options {
    autoreset: Autoreset::SameStep,
    illegal: IllegalAction::Ignore,
    reward: Reward::Score,
    step_limit: 90,
    seat: Some(0),
    size: None,
    threads: 1,
};

/// A batch with its buffers and a deterministic random policy per game.
struct Run {
    batch: Box<dyn AnyBatch>,
    observations: Vec<u8>,
    masks: Vec<u8>,
    rewards: Vec<f32>,
    flags: [Vec<bool>; 3],
    choices: Vec<Rng>,
}

/// The outputs of one game: reward, flags, a hash of its planes and mask, and the key of its state.
type Seen = (f32, [bool; 3], u64, u64);

impl Run {
    fn new(game: &dyn AnyGame, rules: &str, count: usize, options: Options, seed: u64) -> Self {
        let levels: Vec<&str> =
            game.info().packs.iter().flat_map(|pack| pack.levels).map(|&(_, text)| text).collect();
        let levels: Vec<&str> =
            levels.into_iter().filter(|text| game.open(text, rules).is_ok()).take(3).collect();
        let batch = game.batch(&levels, rules, count, None, options).unwrap();
        let observation = batch.planes().len() * batch.size().area();
        let mut run = Self {
            observations: vec![0; count * observation],
            masks: vec![0; count * batch.action_count()],
            rewards: vec![0.0; count],
            flags: [(); 3].map(|()| vec![false; count]),
            choices: (0..count as u64).map(|index| Rng::new(seed + index)).collect(),
            batch,
        };
        let seeds: Vec<Option<u64>> = (0..count as u64).map(|index| Some(seed + index)).collect();
        let (batch, outputs) = run.parts();
        batch.reset(&seeds, None, outputs).unwrap();
        run
    }

    fn parts(&mut self) -> (&mut dyn AnyBatch, Outputs<'_>) {
        let [terminated, truncated, illegal] = &mut self.flags;
        let outputs = Outputs {
            observations: &mut self.observations,
            masks: &mut self.masks,
            rewards: &mut self.rewards,
            terminated,
            truncated,
            illegal,
            final_observations: None,
        };
        (self.batch.as_mut(), outputs)
    }

    /// One random step, now and then with an illegal action.
    fn step(&mut self) {
        let actions = self.batch.action_count() as u32;
        let masks = self.masks.chunks(actions as usize);
        let choose = |(mask, rng): (&[u8], &mut Rng)| {
            let first = rng.below(actions) as usize;
            let legal = (first..first + mask.len()).map(|number| number % mask.len());
            let legal = legal.into_iter().find(|&number| mask[number] == 1).unwrap_or(0);
            if rng.below(20) == 0 { first as i64 } else { legal as i64 }
        };
        let chosen: Vec<i64> = masks.zip(&mut self.choices).map(choose).collect();
        let (batch, outputs) = self.parts();
        batch.step(&chosen, outputs).unwrap();
    }

    fn seen(&self, index: usize) -> Seen {
        let row = |bytes: &[u8]| {
            let length = bytes.len() / self.batch.count();
            damier_core::random::hash_bytes(&bytes[index * length..][..length])
        };
        let flags = [0, 1, 2].map(|flag| self.flags[flag][index]);
        let shown = row(&self.observations) ^ row(&self.masks).rotate_left(1);
        (self.rewards[index], flags, shown, self.batch.key(index))
    }
}

/// Every game under every rule set.
fn cases() -> impl Iterator<Item = (&'static dyn AnyGame, &'static str)> {
    GAMES.iter().flat_map(|game| game.info().rules.iter().map(|rules| (*game, rules.name)))
}

#[test]
fn a_game_does_not_depend_on_the_size_of_its_batch_or_on_threads() {
    for (game, rules) in cases() {
        let mut all = Run::new(game, rules, 200, Options { threads: 2, ..OPTIONS }, 5);
        let mut few = Run::new(game, rules, 3, OPTIONS, 5);
        let mut one = Run::new(game, rules, 1, OPTIONS, 7);
        for step in 0..200 {
            for index in 0..3 {
                assert_eq!(all.seen(index), few.seen(index), "{} {rules}, step {step}", game.info().name);
            }
            assert_eq!(one.seen(0), few.seen(2), "{} {rules}, step {step}", game.info().name);
            all.step();
            few.step();
            one.step();
        }
    }
}

#[test]
fn a_saved_batch_goes_on_as_it_would_have() {
    for (game, rules) in cases() {
        let mut run = Run::new(game, rules, 5, OPTIONS, 1);
        (0..120).for_each(|_| run.step());
        let saved = run.batch.save();
        let choices = run.choices.clone();
        let mut course = Vec::new();
        for _ in 0..60 {
            run.step();
            course.push((0..5).map(|index| run.seen(index)).collect::<Vec<_>>());
        }
        let from_bytes = run.batch.read_saved(&saved.to_bytes()).unwrap();
        for saved in [saved, from_bytes] {
            run.batch.restore(saved.as_ref()).unwrap();
            run.choices.clone_from(&choices);
            let (batch, outputs) = run.parts();
            batch.show(outputs).unwrap();
            for seen in &course {
                run.step();
                let again: Vec<Seen> = (0..5).map(|index| run.seen(index)).collect();
                assert_eq!(&again, seen, "{} {rules}", game.info().name);
            }
        }
    }
}

#[test]
fn wrong_bytes_and_buffers_are_refused() {
    let game = GAMES[0];
    let mut run = Run::new(game, game.info().rules[0].name, 2, OPTIONS, 1);
    run.step();
    let bytes = run.batch.save().to_bytes();
    for end in 0..bytes.len() {
        assert!(run.batch.read_saved(&bytes[..end]).is_err());
    }
    let (batch, outputs) = run.parts();
    assert_eq!(batch.step(&[0], outputs).unwrap_err().to_string(), "1 actions for 2 games");
}
