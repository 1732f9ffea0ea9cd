//! Plays recorded classic runs and says which do not end on their exact tick:
//!
//! ```text
//! cargo run --release -p damier-loderunner --example recordings replays.jsonl levels/
//! ```
//!
//! The levels are files `001.txt`, `002.txt` and so on, by the number that a recording names.

use std::path::Path;
use std::process::ExitCode;

use damier_loderunner::classic::Ending;
use damier_loderunner::level::Level;
use damier_loderunner::recording::Recording;
use damier_loderunner::rules::{Ground, RuleSet, Rules};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [recordings, levels] = &arguments[..] else {
        eprintln!("usage: recordings RECORDINGS.jsonl FOLDER-OF-LEVELS");
        return ExitCode::from(2);
    };
    let text = std::fs::read_to_string(recordings).expect("the recordings can be read");
    let (mut exact, mut all) = (0, 0);
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let recording = Recording::parse(line).expect("the recording is well formed");
        all += 1;
        match finish(&recording, Path::new(levels)) {
            Ok(()) => exact += 1,
            Err(message) => println!("level {}: {message}", recording.level),
        }
    }
    println!("{exact} of {all} end on their exact tick");
    ExitCode::from(u8::from(exact != all))
}

fn finish(recording: &Recording, levels: &Path) -> Result<(), String> {
    let file = levels.join(format!("{:03}.txt", recording.level));
    let text = std::fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
    let level = Level::parse(&text, RuleSet::Classic).map_err(|error| error.to_string())?;
    let rules = Rules::new(level);
    let Ground::Classic(board) = rules.ground() else { return Err("not a classic level".to_owned()) };
    let mut last = 0;
    let end = recording.play(board, |tick, _| last = tick)?;
    match end.ending {
        Some(Ending::Won) if last == recording.ticks => Ok(()),
        ending => Err(format!("{ending:?} on tick {last}, recorded {}", recording.ticks)),
    }
}
