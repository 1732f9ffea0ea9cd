//! Depth, nodes and speed of the engine: `cargo run --release -p damier-siam --example think -- [POSITION] [DEPTH]`.

use std::time::Instant;

use damier_siam::board::Board;
use damier_siam::engine::{DEFAULT_MEMORY, Engine, Question, SearchLimits};
use damier_siam::rules::RuleSet;

fn main() {
    let mut args = std::env::args().skip(1);
    let position = args.next().unwrap_or_else(|| "...../...../.MMM./...../..... E 0".into());
    let depth = args.next().and_then(|depth| depth.parse().ok()).unwrap_or(10);
    let board = Board::parse(&position).expect("a position");
    let rules = RuleSet::Official.moves();
    let mut engine = Engine::new(DEFAULT_MEMORY);
    let started = Instant::now();
    let question = Question::new(&rules, &board);
    engine.think(question, &SearchLimits::depth(depth), &mut |thought| {
        let seconds = started.elapsed().as_secs_f64();
        let speed = thought.nodes as f64 / seconds / 1e6;
        println!(
            "depth {:>2} score {:>6} nodes {:>10} {seconds:>7.3} s {speed:>5.1} M/s {:?}",
            thought.depth, thought.score.0, thought.nodes, thought.line
        );
    });
}
