//! Feeds the laws of the conformance suite with levels and choices that nobody wrote.

use damier_kit::Kit;
use damier_kit::conformance::{Case, check_actions, check_names, level_round_trips, walk_by};

/// A text is refused with an error, or read as a level that every format that can hold it gives back.
pub fn levels_round_trip<K: Kit>(text: &str) {
    cases::<K>(text).for_each(|case| level_round_trips(&case));
}

/// The bytes choose a level's text (up to a zero byte) and then actions. In every position `check` accepts the legal actions and
/// refuses those that were legal before in this game but are not now, and names lead back to their actions.
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
