//! Tournaments, matches and grading as their users call them: interrupted, resumed, split and merged.

mod common;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use common::{damier_in, folder, refusal_of, text_of};
use serde_json::Value;

#[track_caller]
fn refusal(folder: &Path, args: &[&str]) -> String {
    refusal_of(damier_in(folder, args))
}

const SPRING: &str = r#"
name = "spring"
seeds = "1..3"

[[games]]
game = "siam"
agents = ["original", "random", "sparring"]
turns = 80

[[games]]
game = "pacman"
agents = ["baseline", "random", "best"]
levels = ["damier/pocket", "damier/cellar"]
turns = 200

[[games]]
game = "ricochet"
agents = ["original", "random", "best"]
levels = ["missions/01", "missions/02", "missions/03"]
"#;

fn spring(name: &str) -> PathBuf {
    let folder = folder(name);
    std::fs::write(folder.join("spring.toml"), SPRING).unwrap();
    folder
}

/// The number of games in a store, while another process may be adding some.
fn played(folder: &Path, store: &str) -> u64 {
    let output = damier_in(folder, &["merge", store, "--json"]);
    let tables: Option<Value> = serde_json::from_slice(&output.stdout).ok();
    tables.map_or(0, |tables| tables["played"].as_u64().unwrap())
}

/// Kills a command with SIGKILL once its store has this many games, so that it cannot clean up. Returns whether it was still running.
fn kill_after(folder: &Path, args: &[&str], store: &str, games: u64) -> bool {
    let mut child = Command::new(env!("CARGO_BIN_EXE_damier"))
        .args(args)
        .current_dir(folder)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let started = Instant::now();
    while played(folder, store) < games && started.elapsed() < Duration::from_mins(2) {
        if child.try_wait().unwrap().is_some() {
            break;
        }
    }
    child.kill().unwrap();
    !child.wait().unwrap().success()
}

#[test]
fn a_tournament_killed_again_and_again_ends_with_the_same_table() {
    let folder = spring("killed");
    let undisturbed = text_of(damier_in(&folder, &["tournament", "spring.toml", "--out", "whole.db"]), 0);
    let args = ["tournament", "spring.toml", "--out", "killed.db", "--resume", "--threads", "1"];
    let deaths = [1, 9, 20, 33].map(|games| u32::from(kill_after(&folder, &args, "killed.db", games)));
    assert!(deaths.iter().sum::<u32>() > 0, "it was never killed in time");
    let resumed =
        text_of(damier_in(&folder, &["tournament", "spring.toml", "--out", "killed.db", "--resume"]), 0);
    assert_eq!(resumed, undisturbed);
    let verified = text_of(damier_in(&folder, &["verify", "killed.db", "whole.db"]), 0);
    assert_eq!(verified.matches(": ok, 63 games").count(), 2, "{verified}");
}

/// Copies the template of each language, under its own name.
fn five_languages(folder: &Path) {
    let agents = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../agents");
    for language in ["c", "javascript", "prolog", "python", "rust"] {
        let own = folder.join(language);
        std::fs::create_dir_all(&own).unwrap();
        for file in std::fs::read_dir(agents.join(language).join("start")).unwrap() {
            let file = file.unwrap().path();
            if let Ok(text) = std::fs::read_to_string(&file) {
                let named = text.replace("\"my-agent\"", &format!("\"{language}\""));
                std::fs::write(own.join(file.file_name().unwrap()), named).unwrap();
            }
        }
    }
}

const LANGUAGES: &str = r#"
name = "languages"
agents = ["c", "javascript", "prolog", "python", "rust"]

[[games]]
game = "siam"
turns = 12

[[games]]
game = "ricochet"
levels = ["missions/01", "missions/02"]
turns = 12

[[games]]
game = "pacman"
levels = ["damier/pocket"]
turns = 30
"#;

/// Agents in five languages on three games, killed halfway: the same table, no fault, and every replay follows from the rules.
#[test]
fn agents_in_five_languages_survive_a_kill_of_their_tournament() {
    let folder = folder("tournament-languages");
    five_languages(&folder);
    std::fs::write(folder.join("languages.toml"), LANGUAGES).unwrap();
    let whole = ["tournament", "languages.toml", "--out", "whole.db", "--json"];
    let undisturbed = text_of(damier_in(&folder, &whole), 0);
    let tables: Value = serde_json::from_str(&undisturbed).unwrap();
    for row in tables["events"].as_array().unwrap().iter().flat_map(|event| event["rows"].as_array().unwrap())
    {
        assert_eq!(row["faults"], 0, "{row}");
    }
    kill_after(&folder, &["tournament", "languages.toml", "--out", "killed.db"], "killed.db", 17);
    let done = played(&folder, "killed.db");
    assert!((17..35).contains(&done), "{done} of 35 games were played");
    let resumed = ["tournament", "languages.toml", "--out", "killed.db", "--resume", "--json"];
    assert_eq!(text_of(damier_in(&folder, &resumed), 0), undisturbed);
    let verified = text_of(damier_in(&folder, &["verify", "killed.db", "whole.db"]), 0);
    assert_eq!(verified.matches(": ok, 35 games").count(), 2, "{verified}");
}

#[test]
fn parts_played_apart_make_the_same_table() {
    let folder = spring("parts");
    let whole = text_of(damier_in(&folder, &["tournament", "spring.toml", "--out", "whole.db"]), 0);
    for part in ["1", "2", "3"] {
        let (shard, out) = (format!("{part}/3"), format!("part{part}.db"));
        text_of(damier_in(&folder, &["tournament", "spring.toml", "--out", &out, "--shard", &shard]), 0);
    }
    let parts = ["part1.db", "part2.db", "part3.db"];
    let joined = text_of(damier_in(&folder, &[&["merge", "--out", "all.db"], &parts[..]].concat()), 0);
    assert_eq!(joined, whole);
    assert_eq!(text_of(damier_in(&folder, &["merge", "all.db"]), 0), whole);
    assert!(text_of(damier_in(&folder, &["verify", "all.db"]), 0).contains("ok, 63 games"));
    assert!(played(&folder, "part1.db") < 63);
    let shown = text_of(damier_in(&folder, &["replay", "all.db#5"]), 0);
    assert!(shown.contains("played by"), "{shown}");
}

#[test]
fn bad_tournaments_get_one_clear_message() {
    let folder = spring("bad");
    let file = |name: &str, text: &str| std::fs::write(folder.join(name), text).unwrap();
    let refused = |name: &str| refusal(&folder, &["tournament", name, "--out", "x.db"]);
    assert!(refused("nothing.toml").contains("neither a tournament file nor a game"));
    file("typo.toml", "agents = []\n[[games]]\ngaem = 'siam'\n");
    assert!(refused("typo.toml").contains("typo.toml:3: unknown field `gaem`"));
    file("who.toml", "agents = ['best', 'nobody']\n[[games]]\ngame = 'siam'\n");
    assert!(refused("who.toml").contains("no agent `nobody`"));
    file("one.toml", "agents = ['best']\n[[games]]\ngame = 'siam'\n");
    assert!(refused("one.toml").contains("1 agents for 2 seats"));
    file("twice.toml", "agents = ['best', 'best']\n[[games]]\ngame = 'siam'\n");
    assert!(refused("twice.toml").contains("listed twice"));
    file("seat.toml", "agents = ['baseline', 'team']\n[[games]]\ngame = 'pacman'\nrules = 'report'\n");
    assert!(refused("seat.toml").contains("no agent"));
    assert!(!folder.join("x.db").exists(), "a tournament that cannot be played leaves no store");
    let knockout = ["tournament", "spring.toml", "--format", "knockout", "--shard", "1/2", "--out", "k.db"];
    assert!(refusal(&folder, &knockout).contains("cannot be split"));
    text_of(damier_in(&folder, &["tournament", "ricochet", "--agent", "best,original", "--out", "r.db"]), 0);
    assert!(refusal(&folder, &["tournament", "spring.toml", "--out", "r.db"]).contains("--resume"));
    assert!(
        refusal(&folder, &["tournament", "spring.toml", "--out", "r.db", "--resume"])
            .contains("another tournament")
    );
    assert!(refusal(&folder, &["merge", "spring.toml"]).contains("not a Damier store"));
    assert!(refusal(&folder, &["replay", "r.db#99"]).contains("no game 99"));
    assert!(refusal(&folder, &["replay", "r.db"]).contains("r.db#NUMBER"));
}

#[test]
fn a_knockout_has_one_winner() {
    let folder = folder("tournament-knockout");
    let args = ["tournament", "siam", "--agent", "random,original,sparring,level1,level2"];
    let more = ["--format", "knockout", "--turns", "60", "--out", "k.db", "--json"];
    let tables: Value =
        serde_json::from_str(&text_of(damier_in(&folder, &[&args[..], &more].concat()), 0)).unwrap();
    let meetings = tables["events"][0]["meetings"].as_array().unwrap();
    assert_eq!(meetings.len(), 4);
    let champion = &tables["events"][0]["rows"][0]["agent"];
    assert_eq!(&meetings[3]["winner"], champion);
    assert_eq!(tables["played"], tables["scheduled"]);
}

#[test]
fn a_match_stops_when_it_is_clear_and_says_the_same_every_time() {
    let folder = folder("tournament-match");
    let args = ["match", "ricochet", "random", "best", "--level", "missions", "--seeds", "1..20"];
    let sprt = [&args[..], &["--sprt", "0,50", "--json"]].concat();
    let first: Value = serde_json::from_str(&text_of(damier_in(&folder, &sprt), 0)).unwrap();
    assert_eq!(first["sprt"]["verdict"], "yes");
    let pairs = first["pairs"].as_u64().unwrap();
    assert!(pairs < 400, "it should have stopped early: {pairs}");
    let single: Value =
        serde_json::from_str(&text_of(damier_in(&folder, &[&sprt[..], &["--threads", "1"]].concat()), 0))
            .unwrap();
    assert_eq!(first, single);
    // With the sides swapped the answer is no, which is exit code 1.
    let back =
        ["match", "ricochet", "best", "random", "--level", "missions", "--seeds", "1..20", "--sprt", "0,50"];
    assert!(text_of(damier_in(&folder, &back), 1).contains("is random better than best? no"));
    // Without a test all games are played and there is no verdict.
    let plain = ["match", "ricochet", "random", "best", "--level", "missions/01", "missions/02"];
    assert!(text_of(damier_in(&folder, &plain), 0).contains("best against random: Elo +"));
    assert!(refusal(&folder, &[&args[..], &["--sprt", "9,1"]].concat()).contains("elo0 must be below elo1"));
}

#[test]
fn the_same_games_again_are_no_evidence() {
    let folder = folder("tournament-repeats");
    let args = ["match", "ricochet", "random", "best", "--level", "missions/01", "--json"];
    // Random agents play a different game each time.
    let chance: Value = serde_json::from_str(&text_of(damier_in(&folder, &args), 0)).unwrap();
    assert_eq!(chance["repeated"], 0);
    let args = ["match", "ricochet", "original", "best", "--level", "missions", "--seeds", "1..30"];
    let test = [&args[..], &["--sprt", "0,10", "--json"]].concat();
    let sure: Value = serde_json::from_str(&text_of(damier_in(&folder, &test), 1)).unwrap();
    // Twenty missions are deterministic: thirty seeds give no more information than one.
    assert_eq!((&sure["pairs"], &sure["repeated"]), (&600.into(), &580.into()), "{sure}");
    assert_eq!(sure["sprt"]["verdict"], "undecided");
}
