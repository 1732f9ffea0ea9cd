//! Fuzz targets: the laws of the conformance suite on generated levels and choices, and all readers of external files and messages.

use std::path::Path;

use damier_arena::{Suite, TournamentFile};
use damier_host::replays;
use damier_kit::conformance::{Case, check_actions, check_names, level_round_trips, walk_by};
use damier_kit::{AnyGame, Kit, Replay};
use damier_process::config::parse_toml;
use damier_process::{Answer, Manifest, Wire};

/// A text is rejected with an error, or parsed as a level that survives a round trip through every format that supports it.
pub fn levels_round_trip<K: Kit>(text: &str) {
    cases::<K>(text).for_each(|case| level_round_trips(&case));
}

/// The bytes are the text of a level (up to a zero byte), then choices of actions. In every position `check` accepts the legal
/// actions and rejects those that were legal earlier in this game but are not now, and names parse back to their actions.
pub fn games_obey_the_rules<K: Kit>(data: &[u8], default_level: &str) {
    let cut = data.iter().position(|&byte| byte == 0).unwrap_or(0);
    let (text, choices) = data.split_at(cut);
    let text = str::from_utf8(text).unwrap_or_default();
    let text = if text.is_empty() { default_level } else { text };
    cases::<K>(text).for_each(|case| play(&case, choices));
}

fn cases<K: Kit>(text: &str) -> impl Iterator<Item = Case<K>> {
    K::INFO.rules.iter().filter_map(move |rules| Case::open(rules.name, "fuzzed", text))
}

fn play<K: Kit>(case: &Case<K>, choices: &[u8]) {
    let mut known = Vec::new();
    let mut next = choices.iter().map(|&choice| usize::from(choice));
    walk_by(
        case,
        choices.len() as u64,
        choices.len(),
        |legal, _| legal[next.next().unwrap_or(0) % legal.len()],
        |position| {
            check_names(position);
            check_actions(position, &known);
            let new: Vec<_> = position.legal.iter().filter(|action| !known.contains(*action)).copied().collect();
            known.extend(new);
        },
    );
}

/// A file is rejected with an error, or parsed as a replay that survives a round trip. Verifying it always terminates.
pub fn replays_round_trip(data: &[u8]) {
    let Ok(replay) = replays::unpack_within("fuzzed", data, LARGEST_REPLAY) else { return };
    let text = replay.to_json_lines();
    let again = Replay::parse(&text).expect("what was written can be read");
    assert_eq!(again.to_json_lines(), text);
    let games: [&dyn AnyGame; 2] = [&damier_pacman::Pacman, &damier_siam::Siam];
    if let Some(game) = games.iter().find(|game| game.info().name == replay.start.game) {
        let _ = replay.verify(*game);
    }
}

/// The maximum unpacked size: larger inputs only take longer.
const LARGEST_REPLAY: u64 = 1 << 20;

/// A line is rejected with a message, or is an answer whose numbers fit in a replay.
pub fn answers_are_finite(wire: Wire, line: &str) {
    if let Ok(Answer::Info(insight)) = wire.read(line) {
        assert!(insight.scores.iter().all(|(_, score)| score.is_finite()));
    }
}

/// A text is rejected with a one-line error, or is a manifest whose commands are not empty.
pub fn manifests_have_commands(text: &str) {
    match Manifest::parse(text, Path::new("/agents/fuzzed")) {
        Ok(manifest) => assert!(!manifest.command.is_empty() && manifest.processes >= 1),
        Err(error) => assert!(!format!("{error:#}").contains('\n')),
    }
}

/// A text is rejected with an error that names the file, or is a suite with points.
pub fn suites_have_points(text: &str) {
    match Suite::parse(Path::new("fuzzed.toml"), text) {
        Ok(suite) => assert!(suite.points() >= 0.0),
        Err(error) => assert!(format!("{error:#}").starts_with("fuzzed.toml")),
    }
}

/// A text is rejected with an error that names the file, or is a tournament.
pub fn tournaments_are_named(text: &str) {
    if let Err(error) = parse_toml::<TournamentFile>(Path::new("fuzzed.toml"), text) {
        assert!(format!("{error:#}").starts_with("fuzzed.toml"));
    }
}
