//! Recorded runs of the Boulder Dash community's reference engine: with amoeba, with magic walls, with slime.

use damier_delirium::Delirium;
use damier_delirium::recording::Recording;
use damier_kit::AnyGame;

const RUNS: &str = include_str!("fixtures/boulder-runs.jsonl");

#[test]
fn recorded_runs_play_cell_by_cell() {
    for (number, line) in RUNS.lines().enumerate() {
        let recording = Recording::parse(line).unwrap();
        let mut states = 0;
        assert_eq!(recording.play(|_, _| states += 1), Ok(()), "run {number}");
        assert_eq!(states, recording.frames() + 1, "run {number}");
    }
}

#[test]
fn a_frame_that_differs_is_named_with_its_cells() {
    let line = RUNS.lines().last().unwrap();
    let mut run: serde_json::Value = serde_json::from_str(line).unwrap();
    run["ticks"][20][5].as_array_mut().unwrap().extend([0.into(), 46.into()]);
    let level = Delirium.open("#####\n#PdX#\n#####\n", "boulder").unwrap();
    let difference = level.trace_recording(&run.to_string(), &mut |_| {}).unwrap();
    assert_eq!(difference.as_deref(), Some("frame 21: column 0, row 0 holds STEELWALL, recorded DIAMOND"));
    assert!(level.trace_recording("{}", &mut |_| {}).is_err());
}
