//! Level formats: round trips, and a clear error for every flaw.

use damier_core::random::Rng;
use damier_kit::Levels;
use damier_ricochet::Ricochet;
use damier_ricochet::generate::{MissionRequest, random_mission};
use damier_ricochet::level::{Level, course, drawn, json};
use damier_ricochet::missions::MISSIONS;
use damier_ricochet::robot::Robot;
use proptest::prelude::{ProptestConfig, any, prop_assert, prop_assert_eq, proptest};

fn error(text: &str) -> String {
    Level::parse(text).unwrap_err().to_string()
}

const TWO: &str =
    r#"{"size":2,"walls":[9,3,12,6],"robots":{"red":[0,0]},"target_robot":"red","target":[1,1]}"#;

#[test]
fn json_errors_name_the_place_and_the_rule() {
    assert!(Level::parse(TWO).is_ok());
    let with = |from: &str, to: &str| error(&TWO.replace(from, to));
    assert_eq!(
        with("[9,3,12,6]", "[11,3,12,6]"),
        "line 1, column 20: the walls disagree: [0, 0] has a wall to the east, but its neighbour [1, 0] has none to the west"
    );
    assert_eq!(
        with("[9,3,12,6]", "[9,3,12]"),
        "line 1, column 20: `walls` has 3 numbers, a board of 2 by 2 has 4 cells"
    );
    assert_eq!(
        with("[9,3,12,6]", "[9,3,12,16]"),
        "line 1, column 27: the walls of [1, 1] are 16: a mask of four sides is at most 15"
    );
    assert!(with("[0,0]", "[2,0]").ends_with("the red robot at [2, 0] is outside the board"));
    assert!(
        with("\"red\":[0,0]", "\"red\":[0,0],\"blue\":[0,0]")
            .ends_with("the blue robot stands on the red robot")
    );
    assert!(with("\"target_robot\":\"red\"", "\"target_robot\":\"blue\"").contains("not on the board"));
    assert!(with("{\"red\":[0,0]}", "{}").contains("no robot"));
    assert!(with("\"size\":2", "\"size\":33").contains("each side must be from 1 to 32"));
    assert!(with("[1,1]}", "[1,7]}").contains("the target [1, 7] is outside the board"));
    assert!(with("\"size\":2,", "").starts_with("line 1, column"));
    assert!(error("{\"size\":2,\n\"walls\":[9,3,12,6,\n}").starts_with("line 3, column 1: "));
    assert!(error("{").starts_with("line 1"));
}

#[test]
fn closed_cells_hold_nothing() {
    let closed = TWO.replace("[9,3,12,6]", "[15,11,13,6]");
    assert!(
        error(&closed).ends_with("the red robot stands in a closed cell, which nothing can enter or leave")
    );
    let target =
        r#"{"size":4,"walls":[9,1,1,3, 8,9,3,2, 8,12,6,2, 12,4,4,6],"robots":{"red":[0,0]},"target":[1,1]}"#;
    let open_centre = target.replace("8,9,3,2, 8,12,6,2", "8,0,0,2, 8,0,0,2");
    assert!(error(target).contains("the walls disagree"));
    let walled =
        target.replace("9,1,1,3, 8,9,3,2, 8,12,6,2, 12,4,4,6", "9,5,5,3, 10,9,3,10, 10,12,6,10, 12,5,5,6");
    assert!(error(&walled).ends_with("the target is in a closed cell, which nothing can enter or leave"));
    assert!(Level::parse(&open_centre).is_ok());
}

#[test]
fn drawing_errors_name_line_and_column() {
    let board = "+---+---+\n| R   r |\n+   +   +\n|       |\n+---+---+\n";
    assert!(Level::parse(board).is_ok());
    let with = |from: &str, to: &str| error(&board.replace(from, to));
    assert_eq!(with("R   r", "R   R"), "line 2, column 7: the red robot is drawn twice");
    assert!(with("R   r", "R    ").contains("there is no target"));
    assert_eq!(with("R   r", "*   r"), "line 2, column 7: a second target: a mission has one");
    assert!(with("R   r", "R   q").starts_with("line 2, column 7: `q` is nothing that a cell holds"));
    assert!(
        with("R   r", "    r").contains("not on the board") || with("R   r", "    r").contains("no robot")
    );
    assert!(with("+   +   +", "+ - +   +").starts_with("line 3, column 2: ` - ` is neither a wall"));
    assert!(with("+   +   +", "+   x   +").starts_with("line 3, column 5: `x` stands where a corner"));
    assert!(with("|       |", "|       |  |").starts_with("line 4, column 10: this row is longer"));
    assert!(with("|       |", "|   x   |").starts_with("line 4, column 5: `x` stands between two cells"));
    assert!(
        with("+---+---+\n|", "----\n|").starts_with("line 1, column 1: the first row must be the top wall")
    );
    assert!(error("").contains("empty"));
}

#[test]
fn the_courses_query_is_read_on_the_standard_board_and_on_a_drawn_one() {
    let query = "jeu_1robot(5,2,14,10,3,3,9,16,rbtVert,15,7,Chemin,NbCoups)";
    let level = Level::parse(query).unwrap();
    let size = level.board().size();
    assert_eq!(course::point(size, level.target()), (15, 7));
    assert_eq!(level.target_robot().map(Robot::name), Some("green"));
    let printed = course::print(&level).unwrap();
    assert!(printed.trim_end().ends_with(query));
    assert_eq!(Level::parse(&printed).unwrap(), level);
    let wrong = |from: &str, to: &str| error(&query.replace(from, to));
    assert_eq!(
        wrong("rbtVert", "rbtNoir"),
        "line 1, column 31: `rbtNoir` is no robot: rbtBleu, rbtVert, rbtRouge or rbtJaune"
    );
    assert_eq!(wrong("(5,2", "(0,2"), "line 1, column 12: (0, 2) is outside the board");
    assert_eq!(wrong("(5,2", "(a,2"), "line 1, column 12: `a` is not a coordinate");
    assert_eq!(wrong("14,10", "5,2"), "line 1, column 12: the blue robot stands on the green robot");
    assert!(wrong(",Chemin", "").contains("12 arguments"));
    let way = course::parse_answer(size, "14,10|4,10|4,1").unwrap();
    assert_eq!(course::answer(size, &way), "14,10|4,10|4,1");
    assert_eq!(course::parse_answer(size, "17,1"), None);
}

#[test]
fn shipped_missions_open_and_lines_are_split() {
    for (name, text) in MISSIONS {
        let level = Level::parse(text).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(level.id(), Some(*name));
    }
    let two = format!(
        "{}\n\n{}\n",
        TWO.replace('{', "{\"id\":\"a\",").replacen("{\"id\":\"a\",\"red\"", "{\"red\"", 1),
        TWO
    );
    let split = Ricochet::split(&two);
    assert_eq!(split.len(), 2);
    assert_eq!(split[0].0.as_deref(), Some("a"));
    assert_eq!(split[1], (None, TWO.to_owned()));
    assert_eq!(Ricochet::split(MISSIONS[0].1).len(), 1);
    assert_eq!(Ricochet::split(&TWO.replace(',', ",\n")).len(), 1, "one object over many lines");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn formats_round_trip(seed: u64, robots in 1usize..=5, side in 0usize..4) {
        let size = [(16, 16), (5, 9), (32, 32), (4, 4)][side];
        let request = MissionRequest { size: damier_core::grid::Size::new(size.0, size.1), robots, ..MissionRequest::default() };
        let level = random_mission(&mut Rng::new(seed), &request).with_id(Some("it".into()));
        prop_assert_eq!(&Level::parse(&json::print(&level)).unwrap(), &level);
        prop_assert_eq!(&Level::parse(&drawn::print(&level).unwrap()).unwrap(), &level);
    }

    #[test]
    fn no_text_makes_a_reader_panic(text in "[-+| RGBYrgby*/\\\\;:\n]{0,200}", cut in any::<prop::sample::Index>(), letter in any::<char>()) {
        let _ = Level::parse(&text);
        for valid in [TWO, MISSIONS[4].1, "jeu_1robot(5,2,14,10,3,3,9,16,rbtVert,15,7,Chemin,NbCoups)"] {
            let letters: Vec<char> = valid.chars().collect();
            let at = cut.index(letters.len());
            let mut changed: String = letters[..at].iter().collect();
            changed.push(letter);
            changed.extend(&letters[at + 1..]);
            let _ = Level::parse(&changed);
            let _ = Level::parse(&letters[..at].iter().collect::<String>());
            prop_assert!(!Ricochet::split(&changed).is_empty());
        }
    }
}
use proptest::prelude::prop;
