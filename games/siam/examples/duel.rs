//! Solves the game with one animal each: `cargo run --release -p damier-siam --example duel -- [MOUNTAINS] [total]`.

use std::time::Instant;

use damier_siam::board::Board;
use damier_siam::duel::{Duel, Value};
use damier_siam::line::Reading;
use damier_siam::proof::{ProofLimits, Prover, Verdict};
use damier_siam::rules::RuleSet;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let mountains = args.first().map_or(3, |count| count.parse().expect("a number of mountains"));
    let total = args.get(1).is_some_and(|reading| reading == "total");
    let (reading, set) =
        if total { (Reading::Total, RuleSet::CourseTotal) } else { (Reading::Running, RuleSet::Course) };
    let started = Instant::now();
    let duel = Duel::solve(mountains, reading, &mut |plies, decided| {
        println!(
            "{plies:>3} plies: {decided:>8} positions up to symmetry, {:.1} s",
            started.elapsed().as_secs_f64()
        );
    });
    println!("{:#?}", duel.census());
    if let Some(value) = duel.value(&Board::start(1)) {
        println!("the start position: {value:?}");
    }
    if let Some(board) = duel.longest() {
        let limits = ProofLimits { nodes: 20_000_000, ..ProofLimits::default() };
        let verdict = Prover::new(set.moves()).prove(&board, &limits);
        let agrees = match (duel.value(&board), &verdict) {
            (Some(Value::Win(plies)), Verdict::Wins(win)) => win.plies == plies,
            (Some(Value::Loss(plies)), Verdict::Loses(other)) => *other == plies,
            _ => false,
        };
        println!(
            "longest: {board} {:?}; the prover {}",
            duel.value(&board),
            if agrees { "agrees" } else { "is not done" }
        );
    }
}
