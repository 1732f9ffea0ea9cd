//! Laws about level formats and generators.

use std::time::Duration;

use damier_core::game::Game;

use super::Profile;
use super::cases::Case;
use crate::generate::GenerateRequest;
use crate::info::Brush;
use crate::kit::Kit;
use crate::solve::{Solvability, SolveOptions};

/// Time for the check of one generated level.
const CHECK_TIME: Duration = Duration::from_millis(800);

/// Every shipped level opens under at least one rule set, and every rule set has levels.
pub fn shipped_levels_open<K: Kit>(_: &Profile<K>) {
    for pack in K::INFO.packs {
        for (name, text) in pack.levels {
            let opens = K::INFO.rules.iter().any(|rules| K::open(text, rules.name).is_ok());
            assert!(opens, "{}: {}/{name} opens under no rule set", K::INFO.name, pack.name);
        }
    }
    for rules in K::INFO.rules {
        assert!(!Case::<K>::shipped(rules.name, 1).is_empty());
    }
    let text = K::INFO.packs[0].levels[0].1;
    assert!(K::open(text, "no such rules").is_err(), "{}: opens a level under unknown rules", K::INFO.name);
}

/// A level round-trips through every format that can represent it.
pub fn formats_round_trip<K: Kit>(_: &Profile<K>) {
    for case in Case::<K>::all() {
        level_round_trips(&case);
    }
}

/// The game's own format can represent the level; read and printed again, every format gives the same text and the same start.
pub fn level_round_trips<K: Kit>(case: &Case<K>) {
    let own = K::INFO.formats[0].name;
    if let Err(error) = K::print(&case.game, own) {
        panic!("{case}: the game's own format cannot represent it: {error}");
    }
    for format in K::INFO.formats {
        let Ok(printed) = K::print(&case.game, format.name) else { continue };
        let again = K::open(&printed, case.rules).unwrap_or_else(|error| {
            panic!("{case}: printed as {} it does not open: {error}\n{printed}", format.name)
        });
        let twice = K::print(&again, format.name);
        assert_eq!(twice.as_ref(), Ok(&printed), "{case}: {} does not print what it read", format.name);
        let (before, after) = (case.game.hash(&case.game.start()), again.hash(&again.start()));
        assert_eq!(after, before, "{case}: through {} the game starts differently", format.name);
    }
}

/// An editor can paint every shipped level: each symbol of its board has a brush, if the game has brushes.
pub fn shipped_levels_can_be_painted<K: Kit>(_: &Profile<K>) {
    let info = K::INFO;
    if info.brushes.is_empty() {
        return;
    }
    let drawn = info.formats.iter().find(|format| format.name == "drawn").unwrap_or(&info.formats[0]);
    for rules in info.rules {
        let fits = |brush: &&Brush| brush.rules.is_empty() || brush.rules.contains(&rules.name);
        let brushes: Vec<char> = info.brushes.iter().filter(fits).map(|brush| brush.symbol).collect();
        for case in Case::<K>::shipped(rules.name, usize::MAX) {
            let Ok(text) = K::print(&case.game, drawn.name) else { continue };
            let missing = board_rows(&text).flat_map(str::chars).find(|symbol| !brushes.contains(symbol));
            assert_eq!(missing, None, "{case}: no brush paints this symbol\n{text}");
        }
    }
}

/// The rows of a drawn level, without headers and the lines after the board.
fn board_rows(text: &str) -> impl Iterator<Item = &str> {
    let rows = text.lines().filter(|line| !line.starts_with(';'));
    let width = rows.clone().map(str::len).max().unwrap_or(0);
    rows.filter(move |line| line.len() == width)
}

/// Generated levels open, are not proven unsolvable, and depend only on their request.
pub fn generators_give_checked_levels<K: Kit>(_: &Profile<K>) {
    for rules in K::INFO.rules {
        let request = GenerateRequest {
            seed: 3,
            difficulty: Some(0.0),
            size: None,
            rules: rules.name,
            ..GenerateRequest::default()
        };
        let (first, second) = (Case::<K>::easy(rules.name), Case::<K>::generated(&request));
        assert_may_be_won(&first);
        assert_may_be_won(&second);
        assert_ne!(first.text, second.text, "{second}: another seed gives the same level");
        let again = Case::<K>::generated(&request);
        assert_eq!(again.text, second.text, "{again}: a second level of the same seed");
    }
}

fn assert_may_be_won<K: Kit>(case: &Case<K>) {
    let options = SolveOptions { time: CHECK_TIME, ..SolveOptions::default() };
    let report = K::check(&case.game, &options, &|_| {});
    assert_ne!(report.solvable, Solvability::Unsolvable, "{case}: it cannot be won\n{}", case.text);
}
