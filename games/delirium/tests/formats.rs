//! Levels in all formats: what they say, that they give back what they took, and how bad ones are refused.

use damier_core::game::Game;
use damier_delirium::Delirium;
use damier_delirium::kind::Kind;
use damier_delirium::level::Level;
use damier_kit::Levels;

const DRAWN: &str =
    "; name: all parts\n; need: 2\n; time: 90\n##########\n#P._drwXR#\n#B.......#\n##########\n";

fn error(text: &str) -> String {
    match Delirium::open(text, "course") {
        Ok(_) => panic!("accepted\n{text}"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn every_format_gives_the_level_back() {
    let game = Delirium::open(DRAWN, "boulder").unwrap();
    for format in Delirium::INFO.formats {
        let printed = Delirium::print(&game, format.name).unwrap();
        let again =
            Delirium::open(&printed, "boulder").unwrap_or_else(|error| panic!("{error} in\n{printed}"));
        assert_eq!(
            again.hash(&again.start()),
            game.hash(&game.start()),
            "through {}\n{printed}",
            format.name
        );
        assert_eq!(again.level().first().cells(), game.level().first().cells(), "through {}", format.name);
        assert_eq!(Delirium::print(&again, format.name).unwrap(), printed, "through {}", format.name);
    }
}

#[test]
fn codes_are_read_with_and_without_lines() {
    let lines = "; need: 1\n4,4,4,4\n4,22,21,5\n4,2,25,4\n4,4,4,4\n";
    let flat = "; need: 1\n; width: 4\n[4,4,4,4,4,22,21,5,4,2,25,4,4,4,4,4]\n";
    assert_eq!(Level::parse(lines).unwrap(), Level::parse(flat).unwrap());
    assert_eq!(
        error("4,4,4\n4,26,4\n4,4,4\n"),
        "line 2, column 3: code 26 is the green monster, which is not supported"
    );
}

#[test]
fn maps_of_the_environment_get_their_border() {
    let text = "<Map Name=\"small\" Width=\"3\" Height=\"2\">\n <Data>\n  \" , ., Stone\"\n  \"Diam, M2, Exit\"\n </Data>\n \
                <Parameters GameDifficulty=\"Easy\">\n  <Gravity Direction=\"Down\" />\n  <Gateways>\n   \"1,1\"\n  </Gateways>\n  \
                <Goals Time=\"20\">\n   <Goal Gather=\"1\" Item=\"Diam\" Points=\"2\" />\n  </Goals>\n </Parameters>\n</Map>\n";
    let level = Level::parse(text).unwrap();
    assert_eq!(
        level.print("damier").unwrap(),
        "; name: small\n; need: 1\n; time: 20\n#####\n#P.r#\n#dRX#\n#####\n"
    );
    let amoeba = text.replace("Stone", "Amoeba");
    assert_eq!(error(&amoeba), "line 3, column 10: the element `Amoeba` is not supported");
    assert!(error(&text.replace("Down", "Up")).contains("gravity"));
}

#[test]
fn caves_are_read_as_maps_and_as_objects() {
    let map = "[BDCFF]\nVersion=0.32\n[game]\n[cave]\nName=one\nDiamondsRequired=1 2\nCaveTime=99\n[map]\nWWWWWW\nWP.dXW\nWrqwcW\nWWWWWW\n[/map]\n[/cave]\n\
               [cave]\nName=two\nSize=6 4\nDiamondsRequired=1\n[objects]\nPoint=1 1 INBOX\nLine=2 1 3 1 DIAMOND\nPoint=4 1 OUTBOX\n\
               FillRect=1 2 4 2 SPACE\n[/objects]\n[/cave]\n[/game]\n[/BDCFF]\n";
    let caves = Delirium::split(map);
    assert_eq!(caves.iter().map(|(name, _)| name.as_deref()).collect::<Vec<_>>(), [Some("one"), Some("two")]);
    assert_eq!(
        Level::parse(&caves[0].1).unwrap().print("damier").unwrap(),
        "; name: one\n; need: 1\n; time: 99\n; headings: 2 2 down\n######\n#P.dX#\n#rRwB#\n######\n"
    );
    assert_eq!(
        Level::parse(&caves[1].1).unwrap().print("damier").unwrap(),
        "; name: two\n; need: 1\n######\n#PddX#\n#____#\n######\n"
    );
    assert_eq!(
        error(&caves[0].1.replace("Wrqw", "Wrqa")),
        "line 11, column 4: the element `a` is not supported"
    );
    assert_eq!(
        error(&caves[1].1.replace("DIAMOND", "SLIME")),
        "line 10: the element `SLIME` is not supported"
    );
}

#[test]
fn json_lines_are_levels_of_their_own() {
    let lines = "{\"name\":\"one\",\"need\":1,\"rows\":[\"#####\",\"#PdX#\",\"#####\"]}\n{\"name\":\"two\",\"need\":0,\"rows\":[\"####\",\"#PX#\",\"####\"]}\n";
    let levels = Delirium::split(lines);
    assert_eq!(levels.len(), 2);
    assert_eq!(levels[1].0.as_deref(), Some("two"));
    let level = Level::parse(&levels[0].1).unwrap();
    assert_eq!((level.first().need(), level.first().header("name")), (1, Some("one")));
    assert_eq!(
        error("{\"rows\":[\"####\",\"#P?#\",\"####\"]}"),
        "row 2, column 3: `?` is not a part of a map"
    );
}

#[test]
fn bad_levels_are_refused_with_a_sentence() {
    let cases = [
        ("", "the level is empty: it has no rows"),
        ("####\n#_X#\n####\n", "there is no miner (`P`)"),
        ("#####\n#PPX#\n#####\n", "line 2, column 3: there is a second miner (`P`)"),
        ("####\n#P_#\n####\n", "there is no exit (`X`)"),
        ("####\n#PX#\n###\n", "line 3, column 4: this row has 3 characters, the first one has 4"),
        ("PX\nXX\nXX\n", "the map has 2 columns, it can have 3 to 128"),
        ("; need: many\n####\n#PX#\n####\n", "`need: many`: expected a number from 0 to 65535"),
        ("; slide: up\n####\n#PX#\n####\n", "`slide: up`: expected random, left or right"),
        ("; view: 5x20\n####\n#PX#\n####\n", "`view: 5x20`: expected two numbers up to 15 as in 5x3"),
        ("; blast: 9\n####\n#PX#\n####\n", "`blast: 9`: expected a number from 1 to 7"),
        (
            "; headings: 1 1 north\n####\n#PX#\n####\n",
            "`headings: 1 1 north`: expected column, row and up, right, down or left, as in 3 4 up",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(error(text), expected, "for\n{text}");
    }
}

#[test]
fn maps_of_128_by_128_must_be_closed() {
    let row = |edge: char, inner: char| format!("{edge}{}{edge}\n", inner.to_string().repeat(126));
    let map = |edge: char| {
        let mut text = row('#', '#');
        for _ in 0..126 {
            text += &row(edge, '.');
        }
        (text + &row('#', '#')).replacen("..", "PX", 1)
    };
    let game = Delirium::open(&map('#'), "course").unwrap();
    let mut state = game.start();
    game.apply(&mut state, damier_delirium::rules::Action::Stay, &mut damier_core::random::Smallest);
    assert_eq!(game.kind(&state, damier_core::grid::Cell(129)), Kind::Miner);
    assert!(error(&map('.')).contains("must have border"));
}
