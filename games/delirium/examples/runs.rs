//! Plays recorded runs of the Boulder Dash community's reference engine and names those that differ.
//!
//! `cargo run --release -p damier-delirium --example runs RUNS.jsonl`

use damier_delirium::recording::Recording;

fn main() {
    let (mut runs, mut frames, mut same) = (0, 0, 0);
    for path in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&path).expect("the file can be read");
        for (number, line) in text.lines().enumerate() {
            runs += 1;
            match Recording::parse(line) {
                Err(error) => println!("{path}, line {}: {error}", number + 1),
                Ok(recording) => {
                    frames += recording.frames();
                    match recording.play(|_, _| {}) {
                        Ok(()) => same += 1,
                        Err(difference) => println!("{path}, line {}: {difference}", number + 1),
                    }
                }
            }
        }
    }
    println!("{same} of {runs} runs play as recorded, {frames} frames in all");
}
