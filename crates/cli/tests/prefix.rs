//! `--prefix`: games and searches that begin in the middle, and budgets of built-in agents.

mod common;

use common::{damier, folder, printed, refusal_of};
use serde_json::Value;

fn lines(args: &[&str]) -> Vec<Value> {
    printed(args).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Solves the level, then again after the first turns of the plan. Both plans together must win.
fn solves_on(game: &str, level: &[&str], skipped: usize) {
    let solve = |more: &[&str]| {
        let fixed = ["--time", "2s", "--json"];
        lines(&[&["solve", game], level, &fixed, more].concat()).remove(0)
    };
    let plan = |answer: &Value| -> Vec<String> {
        assert_eq!(answer["outcome"], "solved", "{answer}");
        answer["plan"].as_array().unwrap().iter().map(|name| name.as_str().unwrap().to_owned()).collect()
    };
    let whole = plan(&solve(&[]));
    let prefix = whole[..skipped].join(",");
    let rest = plan(&solve(&["--prefix", &prefix]));
    assert!(rest.len() <= whole.len() - skipped + 2, "{game}: {} then {}", whole.len(), rest.len());
}

#[test]
fn every_game_is_solved_from_the_middle() {
    solves_on("pacman", &["damier/pocket"], 10);
    solves_on("ricochet", &[], 1);
    solves_on("delirium", &[], 4);
    solves_on("loderunner", &[], 5);
    solves_on("loderunner", &["--rules", "classic"], 30);
}

#[test]
fn siam_is_solved_for_the_side_to_move() {
    let folder = folder("prefix-siam");
    let file = folder.join("win.txt");
    std::fs::write(&file, "....E/EW..w/.MMs./..wME/S.s.. R 35\n").unwrap();
    let file = file.to_str().unwrap();
    let args = ["solve", "siam", file, "--rules", "official", "--time", "5s", "--json"];
    let first = lines(&args)[0]["plan"][0].as_str().unwrap().to_owned();
    // After the winning move, the other side is to move and has lost.
    let output = damier(&[&args[..], &["--prefix", &first]].concat());
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answer["outcome"], "unsolvable", "{answer}");
}

#[test]
fn games_begin_after_the_prefix_and_their_replays_hold_it() {
    let folder = folder("prefix-run");
    let replays = folder.to_str().unwrap();
    let openings = [
        ("pacman", "left,left,up"),
        ("ricochet", "red east"),
        ("siam", "0-11n,0-55s"),
        ("delirium", "stay,stay"),
        ("loderunner", "none,none"),
    ];
    for (game, prefix) in openings {
        let args =
            ["run", game, "--agent", "random", "--prefix", prefix, "--turns", "9", "--replays", replays];
        printed(&args);
    }
    let files: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(files.len(), openings.len());
    for file in &files {
        let file = file.to_str().unwrap();
        printed(&["verify", file]);
        let text = printed(&["replay", file]);
        let (_, prefix) = openings.iter().find(|(game, _)| text.starts_with(game)).unwrap();
        let played: Vec<&str> =
            text.lines().filter_map(|line| line.trim_start().strip_prefix("1 ")).collect();
        assert!(played[0].contains(prefix.split(',').next().unwrap()), "{played:?}");
    }
}

#[test]
fn a_replays_moment_is_a_beginning() {
    let folder = folder("prefix-replay");
    let replays = folder.to_str().unwrap();
    printed(&["run", "loderunner", "--agent", "best", "--seeds", "7", "--replays", replays]);
    let file = std::fs::read_dir(&folder).unwrap().next().unwrap().unwrap().path();
    let file = file.to_str().unwrap();
    let won = lines(&["run", "loderunner", "--prefix", &format!("{file}@20"), "--json"]).remove(0);
    assert_eq!((&won["seed"], &won["outcome"]), (&7.into(), &"win".into()));
    let solved = lines(&["solve", "loderunner", "--prefix", &format!("{file}@20"), "--time", "2s", "--json"]);
    assert_eq!(solved[0]["outcome"], "solved");

    let refused = |prefix: &str, more: &[&str]| {
        refusal_of(damier(&[&["run", "loderunner", "--prefix", prefix], more].concat()))
    };
    assert!(refused(file, &[]).contains("the game is over after the prefix"));
    assert!(refused(&format!("{file}@9999"), &[]).contains("turns, not 9999"));
    assert!(refused(&format!("{file}@20"), &["--rules", "course"]).contains("leave --rules out"));
    assert!(refused("none,fly", &[]).contains("action 2 of the prefix"));
    assert!(refused("none,,none", &[]).contains("empty action"));
}

#[test]
fn built_in_agents_may_have_budgets_of_their_own() {
    let line =
        &lines(&["run", "siam", "--agent", "best:2000n", "--vs", "best:1n", "--turns", "4", "--json"])[0];
    assert_eq!((&line["agent"], &line["vs"]), (&"best:2000n".into(), &"best:1n".into()));
    let table = printed(&["match", "siam", "best:1n", "best:3000n", "--turns", "60"]);
    assert!(table.contains("best:3000n"), "{table}");
    let refused = refusal_of(damier(&["run", "siam", "--agent", "best:fast"]));
    assert!(refused.contains("no agent `best:fast`"), "{refused}");
}
