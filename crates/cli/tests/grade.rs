//! Grading as a teacher calls it.

mod common;

use std::path::{Path, PathBuf};

use common::{damier_in, folder, text_of};
use serde_json::Value;

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

const SUITE: &str = r#"
name = "Short <ways>"
game = "ricochet"

[[tests]]
name = "reach it"
levels = ["missions/01", "missions/02", "missions/03"]
wins = 2
points = 6

[[tests]]
name = "within 20 % of the shortest"
levels = ["missions/01", "missions/02", "missions/03"]
within = 20
reference = "best"
points = 4
partial = true
"#;

/// The course's maps cannot be shipped: the suite uses files of their names in its own folder.
#[test]
fn the_suite_for_a_courses_own_maps_takes_them_by_path() {
    let folder = folder("grade-course-maps");
    let suite = include_str!("../../../suites/loderunner-course.toml");
    std::fs::write(folder.join("loderunner-course.toml"), suite).unwrap();
    let args = ["grade", "loderunner-course.toml", "original", "--out", "report"];
    let refused = damier_in(&folder, &args);
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("level0.map"));
    for number in 0..5 {
        let map = "WWWWWWW\nWR..BXW\nWFFFFFW\nWWWWWWW\n";
        std::fs::write(folder.join(format!("level{number}.map")), map).unwrap();
    }
    let graded = damier_in(&folder, &args);
    let table = String::from_utf8(graded.stdout).unwrap();
    assert!(graded.status.success() && table.contains("100 / 100"), "{table}");
}

#[test]
fn a_class_is_graded_and_one_that_cannot_play_disturbs_nobody() {
    let folder = folder("grade-class");
    std::fs::write(folder.join("suite.toml"), SUITE).unwrap();
    std::fs::create_dir_all(folder.join("class/eve")).unwrap();
    std::fs::write(folder.join("class/eve/agent.toml"), "name = 'eve'\ncommandd = 'x'\n").unwrap();
    std::fs::create_dir_all(folder.join("class/mallory")).unwrap();
    std::fs::write(folder.join("class/mallory/agent.toml"), "name = 'm'\ncommand = 'python3 m.py'\n")
        .unwrap();
    std::fs::write(folder.join("class/mallory/m.py"), "raise SystemExit('<script>')").unwrap();
    let agents = ["best", "random", "class/eve/agent.toml", "class/mallory"];
    let args = [&["grade", "suite.toml", "--out", "report"], &agents[..]].concat();
    let output = damier_in(&folder, &args);
    // Some agents failed.
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    let table = String::from_utf8(output.stdout).unwrap();
    assert!(table.contains("best") && table.contains("10 / 10"), "{table}");

    let report = folder.join("report");
    let results: Value = serde_json::from_str(&read(&report.join("results.json"))).unwrap();
    let agents = results["agents"].as_array().unwrap();
    assert_eq!(agents[0]["points"], 10.0);
    assert_eq!(agents[1]["points"], 0.0);
    assert_eq!(agents[2]["agent"], "eve");
    assert!(agents[2]["refused"].as_str().unwrap().contains("commandd"), "{}", agents[2]["refused"]);
    assert!(agents[2]["refused"].as_str().unwrap().contains("line 2"), "{}", agents[2]["refused"]);
    let crashed = agents[3]["tests"][0]["games"][0]["reason"].as_str().unwrap();
    assert!(crashed.contains("crash") && agents[3]["points"] == 0.0, "{crashed}");
    assert!(!read(&report.join("mallory/index.html")).contains("<script>"), "what agents write is escaped");
    let game = &agents[0]["tests"][1]["games"][0];
    assert_eq!(game["best_known"], game["turns"]);

    let page = read(&report.join("index.html"));
    assert!(page.contains("Short &lt;ways&gt;") && !page.contains("<ways>"), "names are escaped");
    assert!(!page.contains("http://") && !page.contains("https://"), "the page needs nothing from elsewhere");
    let own = read(&report.join("random/index.html"));
    assert!(own.contains("turn limit") && own.contains("<svg"));
    for link in own.split("href=\"").skip(1).map(|rest| rest.split('"').next().unwrap()) {
        assert!(report.join("random").join(link).exists(), "{link}");
    }
    let replay = own.split("href=\"replays/").nth(1).unwrap().split('"').next().unwrap().to_owned();
    let verified = damier_in(&report.join("random/replays"), &["verify", &replay]);
    assert_eq!(verified.status.code(), Some(0));

    let junit = read(&report.join("junit.xml"));
    assert_eq!(junit.matches("<testcase").count(), 8);
    assert_eq!(junit.matches("<failure").count(), 6);
    let gradescope: Value = serde_json::from_str(&read(&report.join("best/results.json"))).unwrap();
    assert_eq!(gradescope["tests"][0]["max_score"], 6.0);
    assert_eq!(gradescope["score"], 10.0);
    assert_eq!(read(&report.join("results.csv")).lines().count(), 9);
    assert_eq!(damier_in(&folder, &["verify", "report/grade.db"]).status.code(), Some(0));
}

/// An agent whose argument says what is wrong with it.
const TROUBLED: &str = r#"
import json, sys
trouble = sys.argv[1]
for line in sys.stdin:
    message = json.loads(line)
    if message["t"] == "hello":
        print(json.dumps({"t": "hello", "proto": 1, "name": "x"}), flush=True)
    elif message["t"] == "start":
        print(json.dumps({"t": "ready"}), flush=True)
    elif message["t"] == "turn":
        n = message["n"]
        if trouble == "crash":
            raise RuntimeError("no such list")
        while trouble == "hang":
            pass
        if trouble == "none":
            print("Warning: player.pl:1:\nERROR: Unknown procedure move/12", file=sys.stderr, flush=True)
            print(json.dumps({"t": "fault", "n": n, "detail": "Unknown procedure move/12"}), flush=True)
        else:
            print(json.dumps({"t": "act", "n": n, "a": "left"}), flush=True)
"#;

/// In this corridor a Pacman that does nothing keeps moving and wins.
const CORRIDOR: &str = "#######\n#P....#\n#######\n";

const CORRIDOR_SUITE: &str = r#"
name = "corridor"
game = "pacman"
rules = "course"

[terms]
turn_ms = 200
bank_ms = 3000

[[tests]]
name = "run"
levels = ["corridor.txt"]
seeds = "1..6"
turns = 20
points = 10
partial = true
"#;

/// Grades a class with every kind of failure; returns the folder of the report.
fn troubled_class(name: &str) -> PathBuf {
    let folder = folder(name);
    std::fs::write(folder.join("suite.toml"), CORRIDOR_SUITE).unwrap();
    std::fs::write(folder.join("corridor.txt"), CORRIDOR).unwrap();
    for trouble in ["crash", "hang", "none", "left", "build"] {
        let own = folder.join(trouble);
        std::fs::create_dir_all(&own).unwrap();
        std::fs::write(own.join("agent.py"), TROUBLED).unwrap();
        std::fs::write(own.join("build.py"), "raise SystemExit('error: no semicolon')").unwrap();
        let build = if trouble == "build" { "build = 'python3 build.py'\n" } else { "" };
        let manifest = format!("name = '{trouble}'\n{build}command = 'python3 agent.py {trouble}'\n");
        std::fs::write(own.join("agent.toml"), manifest).unwrap();
    }
    folder
}

#[test]
fn every_report_tells_what_is_wrong_with_an_agent() {
    let folder = troubled_class("grade-troubled");
    let args = ["grade", "suite.toml", "--out", "report", "crash", "hang", "none", "left", "build"];
    let table = text_of(damier_in(&folder, &args), 1);
    let report = folder.join("report");
    let (index, csv, junit) = (
        read(&report.join("index.html")),
        read(&report.join("results.csv")),
        read(&report.join("junit.xml")),
    );
    let results: Value = serde_json::from_str(&read(&report.join("results.json"))).unwrap();
    let kinds = ["crashes", "hangs", "not-yours", "plays-badly", "does-not-build"];
    let phrases = ["crashes", "hangs", "answers were not yours", "plays badly", "does not build"];
    for ((kind, phrase), mark) in kinds.iter().zip(phrases).zip(results["agents"].as_array().unwrap()) {
        assert_eq!((&mark["verdict"]["kind"], &mark["points"]), (&(*kind).into(), &0.0.into()), "{mark}");
        assert!(table.contains(phrase), "{phrase} in {table}");
        assert!(index.contains(&format!("\"failed\">{phrase}<")), "{phrase} in {index}");
        assert!(junit.contains(&format!("<failure type=\"{kind}\" message=\"{phrase}")), "{junit}");
        let agent = mark["agent"].as_str().unwrap();
        let line = csv.lines().find(|line| line.starts_with(agent)).unwrap();
        assert!(line.contains(&format!(",{phrase},")), "{line}");
        let gradescope: Value =
            serde_json::from_str(&read(&report.join(agent).join("results.json"))).unwrap();
        assert!(gradescope["output"].as_str().unwrap().contains(phrase), "{gradescope}");
    }
    said_in_every_report(&folder, &table);
    // A build error is shown once, and counted with crashes.
    assert_eq!(read(&report.join("build/index.html")).matches("no semicolon").count(), 1);
    let faults = |agent: &str| csv.lines().find(|line| line.starts_with(agent)).unwrap().split(',').nth(8);
    assert_eq!((faults("crash"), faults("build"), faults("left")), (Some("6"), Some("6"), Some("0")));
    // Games after the second one that hung are not played.
    let games = results["agents"][1]["tests"][0]["games"].as_array().unwrap();
    let hung: Vec<&str> = games.iter().map(|game| game["reason"].as_str().unwrap()).collect();
    let not_played = hung.iter().filter(|reason| reason.contains("not played, because it hung")).count();
    assert!(hung.iter().all(|reason| reason.starts_with("timeout: ")) && not_played >= 3, "{hung:?}");
    assert_eq!(damier_in(&folder, &["verify", "report/grade.db"]).status.code(), Some(0));
}

/// No game without an answer counts as won although the idle Pacman reaches the end, and the log's end says why.
fn said_in_every_report(folder: &Path, table: &str) {
    let report = |name: &str| read(&folder.join("report").join(name));
    let long = ["junit.xml", "none/index.html", "none/results.json"].map(report);
    let short = ["index.html", "results.csv"].map(report);
    for text in long.iter().chain(&short).map(String::as_str).chain([table]) {
        assert!(text.contains("24 of 24 answers were not yours: Unknown procedure move/12"), "{text}");
    }
    for text in &long {
        assert!(text.contains("ERROR: Unknown procedure move/12"), "{text}");
    }
}

#[test]
fn grading_goes_on_where_it_was_broken_off() {
    let folder = folder("grade-resume");
    std::fs::write(folder.join("suite.toml"), SUITE).unwrap();
    let args = ["grade", "suite.toml", "best", "--out", "report"];
    assert_eq!(damier_in(&folder, &args).status.code(), Some(0));
    assert_eq!(damier_in(&folder, &args).status.code(), Some(2));
    let again = damier_in(&folder, &[&args[..], &["--resume", "--json"]].concat());
    assert_eq!(again.status.code(), Some(0));
    let line: Value = serde_json::from_slice(&again.stdout).unwrap();
    assert_eq!(line["points"], 10.0);
}

#[test]
fn the_suites_that_come_along_are_well_formed_and_tell_agents_apart() {
    let folder = folder("grade-shipped");
    for suite in ["pacman", "ricochet", "siam", "loderunner", "delirium"] {
        let output = damier_in(&folder, &["grade", suite, "random", "--out", suite, "--json"]);
        assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
        let line: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(line["of"], 100.0, "{suite}");
        assert!(line["points"].as_f64().unwrap() < 50.0, "{line}");
    }
}

#[test]
fn bad_suites_get_one_clear_message() {
    let folder = folder("grade-bad");
    let refused = |name: &str, text: &str| {
        std::fs::write(folder.join(name), text).unwrap();
        let output = damier_in(&folder, &["grade", name, "best", "--out", "report"]);
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{errors}");
        assert_eq!(errors.lines().count(), 1, "{errors}");
        errors
    };
    assert!(
        refused("a.toml", "name = 'x'\ngame = 'chess'\n[[tests]]\nname = 't'\npoints = 1\n")
            .contains("no game `chess`")
    );
    let two = "name = 'x'\ngame = 'siam'\n[[tests]]\nname = 't'\npoints = 1\n";
    assert!(refused("b.toml", two).contains("needs an opponent"));
    assert!(
        refused("c.toml", &two.replace("siam", "ricochet").replace("points = 1", "points = 'many'"))
            .contains("c.toml:5")
    );
    let unknown = damier_in(&folder, &["grade", "nothing", "best", "--out", "report"]);
    assert!(String::from_utf8_lossy(&unknown.stderr).contains("neither a suite file nor a game"));
}
