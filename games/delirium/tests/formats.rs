//! Levels in all formats: what they say, that they give back what they took, and how bad ones are refused.

use damier_core::game::Game;
use damier_delirium::Delirium;
use damier_delirium::kind::Kind;
use damier_delirium::level::Level;
use damier_kit::{Draw, Levels};

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
    let printed = Level::parse(&caves[0].1).unwrap().print("damier").unwrap();
    assert!(printed.starts_with("; name: one\n; need: 1\n; time: 99\n; edges: open\n"), "{printed}");
    assert!(printed.ends_with("######\n#I.dX#\n#rVwB#\n######\n"), "{printed}");
    let printed = Level::parse(&caves[1].1).unwrap().print("damier").unwrap();
    assert!(printed.ends_with("######\n#IddX#\n#____#\n######\n"), "{printed}");
    assert_eq!(
        error(&caves[0].1.replace("Wrqw", "Wrq?")),
        "line 11, column 4: the element `?` is not supported"
    );
    assert_eq!(
        error(&caves[1].1.replace("DIAMOND", "GHOST")),
        "line 10: the element `GHOST` is not supported"
    );
    assert_eq!(
        error(&caves[1].1.replace("DIAMOND", "SLIME")),
        "the course's engine has no SLIME: play it with --rules boulder"
    );
}

#[test]
fn objects_of_other_levels_are_left_out() {
    let cave = "[cave]\nSize=8 4\nDiamondsRequired=1\n[objects]\nFillRect=1 1 6 2 DIRT\nPoint=1 1 INBOX\n[Level=2,3]\n\
                Point=2 1 WALL\n[/Level]\n[Level=1]\nPoint=3 1 DIAMOND\n[/Level]\nPoint=6 2 OUTBOX\n\
                Add=0 1 DIAMOND BOULDER\nRaster=1 2 2 1 1 1 SLIME\n[/objects]\n[/cave]\n";
    let rows = |text: &str| {
        let printed = Level::parse(text).unwrap().print("damier").unwrap();
        printed.lines().filter(|line| !line.starts_with(';')).collect::<Vec<_>>().join("\n")
    };
    assert_eq!(rows(cave), "########\n#I.d...#\n#ssr..X#\n########");
    assert!(rows(&format!("; level: 2\n{cave}")).contains("#Iw....#"));
}

#[test]
fn caves_are_filled_by_the_generator_of_the_c64() {
    let cave = "[cave]\nSize=12 5\nRandSeed=10\nRandomFill=SPACE 60 BOULDER 50 DIAMOND 9\n[objects]\nPoint=1 1 INBOX\n[/objects]\n[/cave]\n";
    let printed = Level::parse(cave).unwrap().print("damier").unwrap();
    let rows: Vec<&str> = printed.lines().filter(|line| !line.starts_with(';')).collect();
    assert_eq!(rows, ["############", "#I....._..d#", "#_.....r.r.#", "#...._....r#", "############"]);
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
fn maps_that_cannot_be_won_are_read_with_a_warning() {
    let warning = |text: &str| Level::parse(text).unwrap().first().warning();
    assert_eq!(warning("####\n#P_#\n####\n"), Some("no exit: this map cannot be won"));
    assert_eq!(warning("; need: 1\n####\n#PX#\n####\n"), Some("too few diamonds: this map cannot be won"));
    assert_eq!(warning("; need: 1\n#####\n#PXB#\n#####\n"), None, "a blue monster makes diamonds");
    assert_eq!(warning("; need: 1\n#####\n#PdX#\n#####\n"), None);
    let rules = <Delirium as Levels>::open("####\n#P_#\n####\n", "course").unwrap();
    let start = rules.start();
    let labels = Delirium::draw(&rules, &start, &Delirium::piece_ids(&rules, &start)).labels;
    assert!(labels.contains(&("warning", "no exit: this map cannot be won".to_owned())), "{labels:?}");
}

#[test]
fn spellings_that_the_environment_tolerates_are_walls() {
    let text = "<Map><Data>\n\"Avatar1, Stw, SlW1, S1W1, Exit\"\n</Data></Map>\n";
    let drawn = Level::parse(text).unwrap().print("damier").unwrap();
    assert!(drawn.ends_with("#######\n#Pw##X#\n#######\n"), "{drawn}");
    let printed = Level::parse(&drawn).unwrap().print("xml").unwrap();
    assert!(printed.contains("\"Avatar1,StW1,SlW1,SlW1,Exit\""), "{printed}");
}

#[test]
fn several_maps_of_the_environment_are_a_sequence() {
    let map = |name: &str| format!("<Map Name=\"{name}\"><Data>\n\"Avatar1, Exit\"\n</Data></Map>\n");
    let level = Level::parse(&(map("one") + &map("two"))).unwrap();
    assert_eq!(level.maps().len(), 2);
    assert_eq!(level.maps()[1].header("name"), Some("two"));
    let wrong = map("one") + "<Map><Data>\n\"Avatar1, Wat\"\n</Data></Map>\n";
    let error = Level::parse(&wrong).unwrap_err();
    assert_eq!((error.line, error.column), (5, 11), "{}", error.message);
    let list = "<Scenarii NbrLevels=\"1\">\n <Scenario Name=\"a.xml\" />\n <Scenario Name=\"b.xml\"/>\n</Scenarii>\n";
    assert_eq!(<Delirium as Levels>::parts(list), ["a.xml", "b.xml"]);
    let older = "<Maps MapsPerLevel=\"2\">\n<List>\n<Map Name=\"a.xml\" />\n<Map Name=\"b.xml\"/>\n</List>\n<Load Name=\"b.xml\" />\n</Maps>\n";
    assert_eq!(<Delirium as Levels>::parts(older), ["a.xml", "b.xml"]);
    assert!(<Delirium as Levels>::parts(&wrong).is_empty());
}

#[test]
fn bad_levels_are_refused_with_a_sentence() {
    let cases = [
        ("", "the level is empty: it has no rows"),
        ("####\n#_X#\n####\n", "there is no miner (`P`)"),
        ("#####\n#PPX#\n#####\n", "line 2, column 3: there is a second miner (`P`)"),
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
