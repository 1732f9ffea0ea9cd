//! Makes the shipped puzzles: `cargo run --release -p damier-siam --example puzzles -- FOLDER`.
//!
//! Four of each length from 3 to 11 plies, proven, with one winning first move, in the order of their ratings.

use damier_siam::generate::puzzle;
use damier_siam::level::Level;
use damier_siam::rules::RuleSet;

const LENGTHS: [u32; 5] = [3, 5, 7, 9, 11];
const OF_EACH: u64 = 4;

fn main() {
    let folder = std::env::args().nth(1).expect("the folder to write to");
    let rules = RuleSet::Official.moves();
    let mut puzzles = Vec::new();
    for plies in LENGTHS {
        for seed in 1..=OF_EACH {
            let puzzle =
                puzzle(&rules, 100 * u64::from(plies) + seed, Some(plies)).expect("a puzzle of this length");
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
