//! Wins from random openings: `cargo run --release -p damier-pacman --example openings [COUNT] [SECONDS] [MAZE]`.
//!
//! Each opening is the original maze after 5 to 60 random moves that Pacman survived. The planner gets SECONDS for its plan.

use std::sync::Arc;
use std::time::{Duration, Instant};

use damier_core::agent::Budget;
use damier_core::game::Game;
use damier_core::grid::Dir;
use damier_core::random::{Chance, Rng};
use damier_kit::time::start_clock;
use damier_pacman::agents::planner;
use damier_pacman::level::Level;
use damier_pacman::rules::{Ending, RuleSet, Rules, State};
use damier_pacman::solve::known::{OriginalGhosts, opening, replay, take_turn};

const ORIGINAL: &str = include_str!("../levels/original.txt");

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let count: u64 = arguments.next().map_or(Ok(200), |text| text.parse())?;
    let seconds: f64 = arguments.next().map_or(Ok(2.0), |text| text.parse())?;
    let text = arguments.next().map_or(Ok(ORIGINAL.to_owned()), std::fs::read_to_string)?;
    let rules = Arc::new(Rules::new(Level::parse(&text)?, RuleSet::Course));
    let budget = Budget { time: Some(Duration::from_secs_f64(seconds)), nodes: None };

    let (mut wins, mut lost, mut turns, mut times) = (0, 0, 0, Vec::new());
    for seed in 0..count {
        let state = random_opening(&rules, seed);
        let started = Instant::now();
        let plan = planner::plan(&rules, &OriginalGhosts, &state, &start_clock(budget));
        times.push(started.elapsed().as_secs_f64());
        lost += u32::from(plan.lost);
        let steps: Vec<Dir> = plan.steps.into();
        let last = replay(&rules, &OriginalGhosts, &state, &steps).pop();
        if last.is_some_and(|last| last.figures.ending == Some(Ending::Won)) {
            wins += 1;
            turns += steps.len();
        } else if !plan.lost {
            println!("opening {seed}: no win found");
        }
    }
    times.sort_by(f64::total_cmp);
    let (median, longest) = (times[times.len() / 2], times[times.len() - 1]);
    let mean = turns as f64 / f64::from(wins.max(1));
    println!("{wins} of {count} openings won, {mean:.1} more turns on average; {lost} proven to be lost");
    println!("search time: median {median:.2} s, longest {longest:.2} s");
    Ok(())
}

/// The state after 5 to 60 random moves; moves are drawn again from the start until Pacman survives them all.
fn random_opening(rules: &Rules, seed: u64) -> State {
    let mut rng = Rng::new(seed);
    let moves = 5 + rng.below(56);
    loop {
        let mut state = opening(rules, &OriginalGhosts, &rules.start());
        for _ in 0..moves {
            take_turn(rules, &OriginalGhosts, &mut state, Dir::ALL[rng.below(4) as usize]);
            if state.figures.ending.is_some() {
                break;
            }
        }
        if state.figures.ending.is_none() {
            return state;
        }
    }
}
