//! Counts and speed of the move generator: `cargo run --release -p damier-siam --example perft [DEPTH]`.

use std::time::Instant;

use damier_siam::board::{ANIMALS, Board};
use damier_siam::perft::perft;
use damier_siam::rules::RuleSet;

fn main() {
    let depth = std::env::args().nth(1).and_then(|depth| depth.parse().ok()).unwrap_or(5);
    for set in RuleSet::ALL {
        for depth in 1..=depth {
            let started = Instant::now();
            let nodes = perft(&set.moves(), &Board::start(ANIMALS), depth);
            let seconds = started.elapsed().as_secs_f64();
            let millions = nodes as f64 / seconds / 1e6;
            println!("{:<15} {depth} {nodes:>13} {seconds:>7.3} s {millions:>7.0} M/s", set.name());
        }
    }
}
