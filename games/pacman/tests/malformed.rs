//! Every malformed level has its own clear error.

use std::collections::HashSet;

use damier_pacman::level::Level;

const EXPECTED: &[(&str, &str)] = &[
    ("empty", "the level is empty: it has no rows"),
    ("unknown_character", "line 2, column 4: `x` is not a part of a maze"),
    ("ragged", "line 3, column 5: this row has 4 characters, the first one has 5"),
    ("no_pacman", "there is no Pacman (`P`)"),
    ("two_pacmen", "line 2, column 4: there is a second Pacman (`P`)"),
    ("no_pellet", "there is no pellet to eat"),
    ("unreachable_pellet", "line 2, column 5: Pacman cannot reach this pellet"),
    ("five_ghosts", "line 2, column 8: there can be at most 4 ghosts"),
    ("same_ghost_twice", "line 2, column 5: there is a second ghost 1"),
    ("ghost_missing", "there are 2 ghosts but no ghost 2: their numbers must be consecutive"),
    (
        "ghosts_zero_and_four",
        "line 2, column 7: there is a ghost 0 and a ghost 4: ghosts are numbered from 1 to 4 or from 0 to 3",
    ),
    ("mixed_ghosts", "line 2, column 4: either all ghosts are `G` or all have a number"),
    ("mixed_walls", "line 2, column 4: the walls of this maze are `%`, this one is `#`"),
    ("too_small", "the maze has 2 columns; it must have 3 to 61"),
    ("too_wide", "the maze has 62 columns; it must have 3 to 61"),
    ("ghost_letter_in_our_format", "line 2, column 4: `G` is not a part of a maze"),
];

#[test]
fn every_malformed_level_has_its_own_error() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/malformed");
    for &(name, expected) in EXPECTED {
        let text = std::fs::read_to_string(format!("{folder}/{name}.txt")).unwrap();
        let error = Level::parse(&text).expect_err(name);
        assert_eq!(error.to_string(), expected, "{name}");
    }
    let files = std::fs::read_dir(folder).unwrap().count();
    let messages: HashSet<&str> = EXPECTED.iter().map(|&(_, message)| message).collect();
    assert_eq!((files, messages.len()), (EXPECTED.len(), EXPECTED.len()), "one file and one error each");
}
