//! Recorded ticks of the original engine: a part of the recordings, chosen for falls, slides, pushes, monsters and one
//! explosion. `examples/conformance.rs` compares whole files.

#[path = "common/recorded.rs"]
mod recorded;

use recorded::{Comparison, Known, compare, compare_episode, episodes, options, transitions};

fn assert_agrees(name: &str, comparison: &Comparison) {
    assert!(comparison.wrong.is_empty(), "{name}: {:?}", comparison.wrong);
}

#[test]
fn recorded_ticks_replay() {
    let ticks = transitions(include_str!("fixtures/transitions.txt"));
    assert!(ticks.len() >= 50, "only {} ticks", ticks.len());
    let mut decided = 0;
    for (number, (action, before, after)) in ticks.iter().enumerate() {
        let comparison = compare(before, *action, after, &Known::default(), options());
        assert_agrees(&format!("tick {}", number + 1), &comparison);
        decided += comparison.decided;
    }
    assert!(decided > 2_000, "only {decided} cells were decided by the view");
}

#[test]
fn recorded_episodes_replay() {
    let mut decided = 0;
    for (number, frames) in episodes(include_str!("fixtures/episodes.jsonl")).iter().enumerate() {
        for (tick, comparison) in compare_episode(frames, options()).iter().enumerate() {
            assert_agrees(&format!("episode {}, tick {}", number + 1, tick + 1), comparison);
            decided += comparison.decided;
        }
    }
    assert!(decided > 5_000, "only {decided} cells were decided by the view");
}

/// The comparison can fail: a rock that stays in the air is not what the rules say.
#[test]
fn a_false_recording_is_found() {
    let view = |rows: &[&str]| recorded::View::new(1, 1, rows);
    let before = view(&["#####", "#_r_#", "#___#", "#P__#", "#####"]);
    let comparison = compare(&before, 0, &before, &Known::default(), options());
    assert_eq!(comparison.wrong.len(), 2, "{comparison:?}");
}
