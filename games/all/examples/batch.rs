//! Benchmark of batches of games: `cargo run --release -p damier-games --example batch [SECONDS] [GAMES] [THREADS]`.
//!
//! Random legal actions in 1,024 games of each kind, with observations and masks; steps per second of processor time, and
//! per second of wall time for several threads. Then the engine alone, as `damier bench` measures it.

use std::time::Instant;

use damier_batch::{AnyBatch, Autoreset, IllegalAction, Options, Outputs, Reward};
use damier_core::random::{Chance, Rng};
use damier_games::GAMES;
use damier_kit::time::cpu;
use damier_kit::{GenerateRequest, Measure};

/// The measured games: game, rule set, and whether the batch plays all seats. The level is the first one of the
/// game; Delirium's is a cave of 40x24.
const CASES: [(&str, &str, bool); 7] = [
    ("pacman", "course", false),
    ("pacman", "report", false),
    ("loderunner", "course", false),
    ("loderunner", "classic", false),
    ("delirium", "course", false),
    ("siam", "official", true),
    ("ricochet", "standard", false),
];

struct Buffers {
    observations: Vec<u8>,
    masks: Vec<u8>,
    rewards: Vec<f32>,
    flags: [Vec<bool>; 3],
}

impl Buffers {
    fn new(batch: &dyn AnyBatch) -> Self {
        let count = batch.count();
        let observation = batch.planes().len() * batch.size().area();
        Self {
            observations: vec![0; count * observation],
            masks: vec![0; count * batch.action_count()],
            rewards: vec![0.0; count],
            flags: [(); 3].map(|()| vec![false; count]),
        }
    }

    fn outputs(&mut self) -> Outputs<'_> {
        let [terminated, truncated, illegal] = &mut self.flags;
        Outputs {
            observations: &mut self.observations,
            masks: &mut self.masks,
            rewards: &mut self.rewards,
            terminated,
            truncated,
            illegal,
            final_observations: None,
        }
    }
}

/// A random legal action for every game.
fn choose(masks: &[u8], actions: &mut [i64], rng: &mut Rng) {
    let count = masks.len() / actions.len();
    for (mask, action) in masks.chunks_exact(count).zip(actions) {
        let legal: u32 = mask.iter().map(|&byte| u32::from(byte)).sum();
        let mut skip = rng.below(legal.max(1));
        *action = 0;
        for (number, &byte) in mask.iter().enumerate().filter(|&(_, &byte)| byte != 0) {
            if skip == 0 {
                *action = number as i64;
                break;
            }
            skip -= u32::from(byte);
        }
    }
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let number = |index: usize, usual: f64| args.get(index).map_or(usual, |text| text.parse().unwrap());
    let (seconds, count, threads) = (number(0, 2.0), number(1, 1024.0) as usize, number(2, 1.0) as usize);
    println!("{count} games, {threads} thread(s), actions chosen outside of the time measured");
    for (name, rules, all_seats) in CASES {
        let game = GAMES.iter().find(|game| game.info().name == name).unwrap();
        let mut levels = game.info().packs.iter().flat_map(|pack| pack.levels);
        let (_, first) = levels.find(|(_, text)| game.open(text, rules).is_ok()).unwrap();
        let request = GenerateRequest {
            seed: 1,
            difficulty: None,
            size: Some((40, 24)),
            rules,
            ..GenerateRequest::default()
        };
        let text = if name == "delirium" { &game.generate(&request).unwrap() } else { *first };
        let options = Options {
            autoreset: Autoreset::SameStep,
            illegal: IllegalAction::Ignore,
            reward: Reward::Score,
            step_limit: game.info().turn_limit,
            seat: if all_seats { None } else { Some(0) },
            size: None,
            threads,
        };
        let mut batch = game.batch(&[text], rules, count, None, options).unwrap();
        let mut buffers = Buffers::new(batch.as_ref());
        let seeds: Vec<Option<u64>> = (0..count as u64).map(Some).collect();
        batch.reset(&seeds, None, buffers.outputs()).unwrap();
        let (mut actions, mut rng) = (vec![0; count], Rng::new(1));
        let (mut steps, mut wall, mut spent) = (0, 0.0, 0.0);
        while wall < seconds {
            choose(&buffers.masks, &mut actions, &mut rng);
            let (started, cpu_before) = (Instant::now(), cpu::of_process());
            batch.step(&actions, buffers.outputs()).unwrap();
            wall += started.elapsed().as_secs_f64();
            spent += cpu::of_process().saturating_sub(cpu_before).as_secs_f64();
            steps += count;
        }
        let size = batch.size();
        let shape = format!("{}x{}x{}", batch.planes().len(), size.height, size.width);
        println!(
            "{name:<11} {rules:<9} {shape:>9}, {:>3} actions: {:>6.2} M steps a CPU-second, {:>6.2} M a second",
            batch.action_count(),
            steps as f64 / spent / 1e6,
            steps as f64 / wall / 1e6,
        );
    }
    for game in GAMES {
        let bench = game.bench(seconds);
        println!("{} signature {:016x}", game.info().name, bench.signature);
        for Measure { what, count, seconds } in bench.measures {
            println!("{:<11} {what}: {:.2} M a CPU-second", game.info().name, count as f64 / seconds / 1e6);
        }
    }
}
