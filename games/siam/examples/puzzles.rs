//! Makes the shipped puzzles: `cargo run --release -p damier-siam --example puzzles -- FOLDER`.
//!
//! Proven wins of 3 to 11 plies with one winning first move, in the order of their ratings. Long ones are rare: it takes
//! minutes. The games they are found in are played by the engine, so a stronger engine finds others.

use damier_kit::Cancel;
use damier_siam::generate::puzzle;
use damier_siam::level::Level;
use damier_siam::rules::RuleSet;

/// Plies and how many puzzles of them.
const LENGTHS: [(u32, u64); 5] = [(3, 4), (5, 5), (7, 4), (9, 4), (11, 3)];

fn main() {
    let folder = std::env::args().nth(1).expect("the folder to write to");
    let rules = RuleSet::Official.moves();
    let mut puzzles = Vec::new();
    for (plies, count) in LENGTHS {
        for seed in 1..=count {
            let puzzle = puzzle(&rules, 100 * u64::from(plies) + seed, Some(plies), &Cancel::default())
                .expect("a puzzle of this length");
            eprintln!("{plies} plies, rating {:.1}: {}", puzzle.rating, puzzle.board);
            puzzles.push(puzzle);
        }
    }
    puzzles.sort_by(|one, other| one.rating.total_cmp(&other.rating));
    for (number, puzzle) in (1..).zip(&puzzles) {
        let level = Level { title: Some(format!("Puzzle {number}")), ..puzzle.level() };
        let text = level.print("damier").expect("a puzzle has a text");
        std::fs::write(format!("{folder}/{number:02}.txt"), text).expect("the folder can be written to");
    }
}
