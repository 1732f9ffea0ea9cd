//! Compares files of recorded ticks of the original engine with our rules.
//!
//! ```text
//! cargo run --release -p damier-delirium --example conformance transitions.txt episodes.jsonl
//! ```

#[path = "../tests/common/recorded.rs"]
mod recorded;

use recorded::{Comparison, Known, compare, compare_episode, episodes, leaves, options, transitions};

fn main() {
    let mut wrong = 0;
    for path in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
        let named: Vec<(String, Comparison)> = if text.trim_start().starts_with('{') {
            let episodes = episodes(&text).into_iter().enumerate();
            episodes
                .flat_map(|(number, frames)| {
                    let ticks = compare_episode(&frames, options()).into_iter().enumerate();
                    ticks.map(move |(tick, it)| (format!("episode {}, tick {}", number + 1, tick + 1), it))
                })
                .collect()
        } else {
            let ticks = transitions(&text).into_iter().enumerate();
            let known = Known::default();
            ticks
                .filter(|(_, (action, before, _))| !leaves(before, *action))
                .map(|(number, (action, before, after))| {
                    (format!("tick {}", number + 1), compare(&before, action, &after, &known, options()))
                })
                .collect()
        };
        wrong += report(&path, &named);
    }
    std::process::exit(i32::from(wrong > 0));
}

fn report(path: &str, named: &[(String, Comparison)]) -> usize {
    let sum = |count: fn(&Comparison) -> usize| named.iter().map(|(_, it)| count(it)).sum::<usize>();
    let exact = named.iter().filter(|(_, it)| it.wrong.is_empty()).count();
    println!(
        "{path}: {exact} of {} ticks agree; {} cells decided, {} undecided by the view, {} wrong",
        named.len(),
        sum(|it| it.decided),
        sum(|it| it.undecided),
        sum(|it| it.wrong.len())
    );
    for (name, comparison) in named {
        for ((x, y), recorded, possible) in &comparison.wrong {
            println!("  {name}: at {x},{y} the recording has {recorded}, the rules allow {possible}");
        }
    }
    named.len() - exact
}
