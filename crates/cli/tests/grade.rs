//! Grading as a teacher calls it.

mod common;

use std::path::Path;

use common::{damier_in, folder};
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
    // Not everybody passed.
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
    assert!(String::from_utf8_lossy(&unknown.stderr).contains("neither a suite's file nor one of"));
}
