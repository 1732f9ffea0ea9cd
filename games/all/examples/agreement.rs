//! Asks an agent at every position of recorded games, and reports how often it decides as recorded:
//!
//! ```text
//! cargo run --release -p damier-games --example agreement loderunner original GAMES.jsonl LEVELS/
//! ```
//!
//! A recorded game is a line with `level`, `rules`, `seed` and `actions`. A level is a shipped one by its name, or else a
//! file of the folder. After each decision the recorded action is played, so the decisions are independent.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;

use damier_core::agent::Budget;
use damier_core::insight::Insight;
use damier_games::GAMES;
use damier_kit::AnyGame;
use damier_kit::time::start_clock;
use serde_json::Value;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [game, agent, records, levels] = &arguments[..] else {
        eprintln!("usage: agreement GAME AGENT GAMES.jsonl FOLDER-OF-LEVELS");
        return ExitCode::from(2);
    };
    let game = GAMES.iter().find(|known| known.info().name == game).expect("the game is known");
    let text = std::fs::read_to_string(records).expect("the games can be read");
    let mut totals: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    for line in text.lines() {
        let record: Value = serde_json::from_str(line).expect("a game is a line of JSON");
        let (same, all) = compare(*game, agent, &record, Path::new(levels));
        let total = totals.entry(record["level"].as_str().unwrap_or_default().to_owned()).or_default();
        *total = (total.0 + same, total.1 + all);
    }
    let mut sum = (0, 0);
    for (level, (same, all)) in &totals {
        println!("{level:40} {same:6} of {all:6}  {:7.3} %", 100.0 * *same as f64 / *all as f64);
        sum = (sum.0 + same, sum.1 + all);
    }
    println!("all {:42} of {:6}  {:7.3} %", sum.0, sum.1, 100.0 * sum.0 as f64 / sum.1 as f64);
    ExitCode::SUCCESS
}

fn compare(game: &dyn AnyGame, agent: &str, record: &Value, levels: &Path) -> (usize, usize) {
    let name = record["level"].as_str().expect("a game names its level");
    let packs = game.info().packs.iter();
    let mut shipped = packs.flat_map(|pack| pack.levels.iter().map(move |level| (pack.name, level)));
    let text = match shipped.find(|(pack, level)| format!("{pack}/{}", level.0) == name) {
        Some((_, level)) => level.1.to_owned(),
        None => std::fs::read_to_string(levels.join(name)).expect("the level can be read"),
    };
    let rules = record["rules"].as_str().expect("a game names its rules");
    let seed = record["seed"].as_u64().expect("a game has a seed");
    let level = game.open(&text, rules).expect("the level is well formed");
    let mut table = level.table(seed, 0);
    let mut seat = level.agent(agent, 0, seed).expect("the agent is known");
    let (mut same, mut all) = (0, 0);
    for action in record["actions"].as_array().expect("a game has actions") {
        let recorded = action.as_str().expect("an action is a name");
        let mut copy = table.copy();
        let mut insight = Insight::default();
        seat.play(copy.as_mut(), &start_clock(Budget::default()), &mut insight)
            .expect("a built-in agent has no faults");
        let decided = copy.last_action().unwrap_or_default();
        all += 1;
        if decided == recorded {
            same += 1;
        } else {
            println!("{name}, seed {seed}, decision {all}: {decided} for {recorded}: {}", insight.text);
        }
        table.act(recorded).expect("a recorded action is legal");
    }
    (same, all)
}
