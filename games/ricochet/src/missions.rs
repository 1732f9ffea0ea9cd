//! The shipped missions, from easy to hard.

/// Each mission's name and text.
pub const MISSIONS: &[(&str, &str)] = &[
    ("01", include_str!("../levels/01.txt")),
    ("02", include_str!("../levels/02.txt")),
    ("03", include_str!("../levels/03.txt")),
    ("04", include_str!("../levels/04.txt")),
    ("05", include_str!("../levels/05.txt")),
    ("06", include_str!("../levels/06.txt")),
    ("07", include_str!("../levels/07.txt")),
    ("08", include_str!("../levels/08.txt")),
    ("09", include_str!("../levels/09.txt")),
    ("10", include_str!("../levels/10.txt")),
    ("11", include_str!("../levels/11.txt")),
    ("12", include_str!("../levels/12.txt")),
    ("13", include_str!("../levels/13.txt")),
    ("14", include_str!("../levels/14.txt")),
    ("15", include_str!("../levels/15.txt")),
    ("16", include_str!("../levels/16.txt")),
    ("17", include_str!("../levels/17.txt")),
    ("18", include_str!("../levels/18.txt")),
    ("19", include_str!("../levels/19.txt")),
    ("20", include_str!("../levels/20.txt")),
];
