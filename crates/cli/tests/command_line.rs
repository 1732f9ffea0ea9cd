//! The commands as their users call them: the real program, its output and its exit code.

mod common;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use common::{folder, refusal_of, text_of};
use serde_json::Value;

const SMALL_MAZE: &str = "#########\n#P.....o#\n#.#.#.#.#\n#......1#\n#########\n";

fn damier(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_damier")).args(args).stdin(Stdio::null()).output().unwrap()
}

fn damier_reading(input: &str, args: &[&str]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_damier"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

fn succeeds(args: &[&str]) -> String {
    text_of(damier(args), 0)
}

fn json_lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn games_and_levels_are_listed_for_people_and_programs() {
    assert!(succeeds(&["games"]).contains("Pacman (pacman)"));
    let games = json_lines(&succeeds(&["games", "--json"]));
    assert_eq!(games[0]["game"], "pacman");
    for (game, level) in [
        ("pacman", "original/maze"),
        ("ricochet", "missions/01"),
        ("siam", "start/duel"),
        ("loderunner", "classic/first-gold"),
        ("delirium", "damier/overhang"),
    ] {
        assert!(succeeds(&["levels", game]).contains(level), "{game}");
    }
    assert!(succeeds(&["levels", "pacman", "original/maze"]).contains("#o.#.....P.....#.o#"));
    let levels = json_lines(&succeeds(&["levels", "pacman", "--json"]));
    assert_eq!(levels[0]["level"], "original/maze");
}

#[test]
fn without_a_command_the_page_is_served_until_it_is_interrupted() {
    let mut server = Command::new(env!("CARGO_BIN_EXE_damier"))
        .env("XDG_DATA_HOME", env!("CARGO_TARGET_TMPDIR"))
        .env_remove("DISPLAY")
        .env_remove("WAYLAND_DISPLAY")
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut url = String::new();
    BufReader::new(server.stdout.take().unwrap()).read_line(&mut url).unwrap();
    let address =
        url.trim().strip_prefix("http://").and_then(|url| url.strip_suffix('/')).unwrap().to_owned();
    let mut connection = TcpStream::connect(&address).unwrap();
    write!(connection, "GET /api/version HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    connection.read_to_string(&mut answer).unwrap();
    assert!(answer.contains("\"name\":\"damier\""), "{answer}");
    let interrupt = Command::new("kill").args(["-INT", &server.id().to_string()]).status().unwrap();
    assert!(interrupt.success() && server.wait().unwrap().success());
}

#[test]
fn the_access_token_may_come_from_a_file_or_the_environment() {
    let folder = folder("token");
    let file = folder.join("token.txt");
    let serve = |by: &dyn Fn(&mut Command)| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_damier"));
        command.args(["serve", "--no-open", "--port", "0", "--data"]).arg(&folder);
        by(command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()));
        let mut server = command.spawn().unwrap();
        let mut url = String::new();
        BufReader::new(server.stdout.take().unwrap()).read_line(&mut url).unwrap();
        // It has ended already if it refused the token.
        let _ = server.kill();
        let errors = server.wait_with_output().unwrap().stderr;
        (url, String::from_utf8(errors).unwrap())
    };
    let from_file = |command: &mut Command| {
        command.arg("--token-file").arg(&file);
    };
    std::fs::write(&file, "from-a-file\n").unwrap();
    assert!(serve(&from_file).0.contains("from-a-file"));
    let from_environment = |command: &mut Command| {
        command.env("DAMIER_TOKEN", "from-the-environment");
    };
    assert!(serve(&from_environment).0.contains("from-the-environment"));
    std::fs::write(&file, "no\n").unwrap();
    let (url, errors) = serve(&from_file);
    assert!(url.is_empty() && errors.contains("token.txt: a token consists of"), "{errors}");
}

#[test]
fn every_command_has_help_with_an_example() {
    let overview = succeeds(&["--help"]);
    for command in [
        "games",
        "levels",
        "serve",
        "play",
        "watch",
        "run",
        "trace",
        "solve",
        "check",
        "certify",
        "atlas",
        "generate",
        "convert",
        "replay",
        "verify",
        "bench",
        "completions",
        "man",
    ] {
        assert!(overview.contains(command), "{command}");
        let help = succeeds(&[command, "--help"]);
        assert!(help.contains("Example"), "{command}: {help}");
    }
}

#[test]
fn completions_and_manual_name_every_command() {
    for shell in ["bash", "zsh", "fish"] {
        assert!(succeeds(&["completions", shell]).contains("generate"));
    }
    let manual = succeeds(&["man"]);
    assert!(manual.contains("damier SOLVE") && manual.contains("\\-\\-seeds"));
}

#[test]
fn a_trace_has_the_documented_states() {
    let states = json_lines(&succeeds(&["trace", "pacman", "--rules", "course", "--actions", "d"]));
    let phases: Vec<_> = states
        .iter()
        .map(|state| (&state["turn"], &state["phase"]))
        .map(|(turn, phase)| format!("{turn} {}", phase.as_str().unwrap()))
        .collect();
    assert_eq!(phases, ["0 init", "1 ghosts", "1 pacman", "2 ghosts"]);
    assert_eq!(states[2]["pacman"], serde_json::json!([10, 15]));
    assert_eq!(states[3]["ghosts"][0], serde_json::json!([7, 7, 3]));
    let last = json_lines(&succeeds(&["trace", "pacman", "--actions", "d", "--last"]));
    assert_eq!(last, states[3..]);
}

#[test]
fn a_plan_of_the_solver_replays_to_a_win() {
    let output = damier_reading(SMALL_MAZE, &["solve", "pacman", "-", "--json", "--time", "20s"]);
    let answer = &json_lines(&text_of(output, 0))[0];
    assert_eq!(answer["outcome"], "solved");
    let plan: Vec<&str> =
        answer["plan"].as_array().unwrap().iter().map(|step| step.as_str().unwrap()).collect();
    assert_eq!(answer["turns"], plan.len());
    assert!(answer["lower_bound"].as_u64().unwrap() <= plan.len() as u64);
    let trace = ["trace", "pacman", "--level", "-", "--last", "--actions", &plan.join(",")];
    let end = &json_lines(&text_of(damier_reading(SMALL_MAZE, &trace), 0))[0];
    assert_eq!(end["status"], "won");
}

/// Three rows in which red needs a helper, in the drawn format.
const RED_NEEDS_BLUE: &str = "+---+---+---+\n| R         |\n+   +   +   +\n|         B |\n+   +   +   +\n|     r     |\n+---+---+---+\n";

#[test]
fn a_mission_is_solved_in_every_format_it_can_be_written_in() {
    let course = succeeds(&["convert", "ricochet", "--to", "course", "missions/03"]);
    assert!(
        text_of(damier_reading(&course, &["solve", "ricochet", "-"]), 0)
            .contains("solved in 3 turns, proven")
    );
    for format in ["json", "drawn"] {
        let output = damier_reading(RED_NEEDS_BLUE, &["convert", "ricochet", "--to", format, "-"]);
        let level = text_of(output, 0);
        let output = damier_reading(&level, &["solve", "ricochet", "-", "--json"]);
        let answer = &json_lines(&text_of(output, 0))[0];
        assert_eq!((&answer["moves"], &answer["lower_bound"]), (&3.into(), &3.into()), "{format}");
        let solution: Vec<&str> =
            answer["solution"].as_array().unwrap().iter().map(|step| step.as_str().unwrap()).collect();
        let trace = ["trace", "ricochet", "--level", "-", "--last", "--actions", &solution.join(",")];
        let end = &json_lines(&text_of(damier_reading(&level, &trace), 0))[0];
        assert_eq!(end["solved"], true, "{format}");
    }
    let without_blue = RED_NEEDS_BLUE.replace('B', " ");
    let output = damier_reading(&without_blue, &["solve", "ricochet", "-"]);
    assert!(text_of(output, 1).contains("proven unsolvable"));
    let two_in_one = RED_NEEDS_BLUE.replace('r', " ");
    let message = refusal_of(damier_reading(&two_in_one, &["check", "ricochet", "-"]));
    assert!(message.contains("target"), "{message}");
}

#[test]
fn a_run_gives_one_line_per_game_and_the_same_one_again() {
    let args = ["run", "pacman", "--agent", "random,baseline", "--seeds", "1..3", "--turns", "300", "--json"];
    let played = || {
        let mut lines = json_lines(&succeeds(&args));
        for line in &mut lines {
            let object = line.as_object_mut().unwrap();
            for key in ["ms_total", "ms_max"] {
                assert!(object.remove(key).unwrap().is_f64(), "{key}");
            }
        }
        lines.sort_by_key(ToString::to_string);
        lines
    };
    let first = played();
    assert_eq!(first.len(), 6);
    for key in ["game", "rules", "level", "agent", "seed", "outcome", "reason", "turns", "score"] {
        assert!(first[0].get(key).is_some(), "{key}");
    }
    assert_eq!(first, played());
}

#[test]
fn a_run_prints_a_table_with_totals() {
    let table = succeeds(&[
        "run",
        "pacman",
        "--rules",
        "report",
        "--level",
        "generated/1..2",
        "--agent",
        "random",
        "--vs",
        "original,random",
        "--turns",
        "100",
    ]);
    assert!(table.contains("generated/2") && table.contains("all 2 levels"), "{table}");
    assert!(table.contains("won %"), "{table}");
}

#[test]
fn replays_verify_until_they_are_touched() {
    let folder = folder("replays_verify");
    let path = folder.to_str().unwrap();
    succeeds(&["run", "pacman", "--agent", "random", "--seeds", "1..2", "--turns", "50", "--replays", path]);
    let mut files: Vec<String> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path().to_str().unwrap().to_owned())
        .collect();
    files.sort();
    assert_eq!(files.len(), 2);
    assert_eq!(succeeds(&["verify", &files[0], &files[1]]).matches(": ok").count(), 2);
    let shown = succeeds(&["replay", &files[0]]);
    assert!(shown.contains("played by random"), "{shown}");

    let text = zstd::decode_all(&std::fs::read(&files[0]).unwrap()[..]).unwrap();
    let touched = String::from_utf8(text).unwrap().replacen("\"action\":\"left\"", "\"action\":\"up\"", 1);
    let touched_file = folder.join("touched.jsonl");
    std::fs::write(&touched_file, touched).unwrap();
    let verdict = text_of(damier(&["verify", touched_file.to_str().unwrap()]), 1);
    assert!(verdict.contains("differs: move"), "{verdict}");
}

/// The lines of a replay of a game that was won, as plain text.
fn won_game(folder: &Path) -> Vec<String> {
    let path = folder.to_str().unwrap();
    let args = ["run", "pacman", "--level", "damier/pocket", "--agent", "best", "--replays", path];
    assert!(succeeds(&args).contains("100.0"));
    let file = std::fs::read_dir(folder).unwrap().next().unwrap().unwrap().path();
    let text = zstd::decode_all(&std::fs::read(&file).unwrap()[..]).unwrap();
    String::from_utf8(text).unwrap().lines().map(str::to_owned).collect()
}

#[test]
fn an_end_that_the_rules_do_not_give_is_refused() {
    let folder = folder("verify_ends");
    let lines = won_game(&folder);
    let (end, moves) = (lines.len() - 1, lines.len() - 2);
    let verdict = |lines: &[String], exit_code| {
        let file = folder.join("changed.jsonl");
        std::fs::write(&file, lines.join("\n")).unwrap();
        text_of(damier(&["verify", file.to_str().unwrap()]), exit_code)
    };
    let changed = |line: usize, from: &str, to: &str| {
        let mut lines = lines.clone();
        assert!(lines[line].contains(from), "{}", lines[line]);
        lines[line] = lines[line].replacen(from, to, 1);
        verdict(&lines, 1)
    };
    assert!(verdict(&lines, 0).ends_with(&format!("ok, {moves} moves\n")));
    let cut = verdict(&lines[..end], 1);
    assert!(cut.contains(&format!("stops after {moves} moves")), "{cut}");
    let forged = verdict(&[&lines[..9], &lines[end..]].concat(), 1);
    assert!(forged.contains("where the game was not over"), "{forged}");
    for (line, from, to, said) in [
        (end, "\"scores\":[", "\"scores\":[1", "the replay says"),
        (end, "\"win\"", "\"loss\"", "the replay says loss"),
        (end, "\"reason\":\"", "\"reason\":\"it gave up: ", "the replay says win (it gave up"),
        (end, "]}", "],\"fault\":[0,{\"code\":\"crash\",\"detail\":\"x\"}]}", "by a fault of seat 0"),
        (0, "\"agents\":[", "\"agents\":[\"x\",", "2 agents are named, but the game has 1 seats"),
        (0, "\"turn_limit\":", "\"turn_limit\":0,\"x\":", "its turn limit is 0"),
    ] {
        let verdict = changed(line, from, to);
        assert!(verdict.contains("differs: ") && verdict.contains(said), "{said}: {verdict}");
    }
}

#[test]
fn what_is_no_replay_is_refused_at_once_and_the_others_are_verified() {
    let folder = folder("verify_bombs");
    let lines = won_game(&folder);
    let bomb = |name: &str, line: &[u8], times: usize| {
        let path = folder.join(name);
        let mut file = zstd::Encoder::new(std::fs::File::create(&path).unwrap(), 1).unwrap();
        file.write_all(lines[0].as_bytes()).unwrap();
        let block = line.repeat(1 + (1 << 20) / line.len());
        (0..times).for_each(|_| file.write_all(&block).unwrap());
        file.finish().unwrap();
        path.to_str().unwrap().to_owned()
    };
    let spaces = bomb("spaces.zst", b" ", 2000);
    let marks = bomb("marks.zst", format!("\n{}", lines[1]).as_bytes(), 200);
    let step = "\n{\"t\":\"move\",\"seat\":0,\"action\":\"left\",\"hash\":\"0\",\"us\":0}";
    let moves = bomb("moves.zst", step.as_bytes(), 200);
    let whole = folder.join("whole.jsonl");
    std::fs::write(&whole, lines.join("\n")).unwrap();
    let args = ["verify", "/dev/zero", &spaces, &marks, &moves, whole.to_str().unwrap()];
    let script = "ulimit -v 600000; exec \"$0\" \"$@\"";
    let limited = Command::new("sh").args(["-c", script, env!("CARGO_BIN_EXE_damier")]).args(args).output();
    let limited = limited.unwrap();
    let errors = String::from_utf8_lossy(&limited.stderr).into_owned();
    assert_eq!(limited.status.code(), Some(2), "{errors}");
    assert!(errors.contains("/dev/zero: this is not a replay"), "{errors}");
    assert_eq!(errors.matches(".zst: the replay is too large").count(), 2, "{errors}");
    assert!(errors.contains("at most 200000 moves"), "{errors}");
    assert!(String::from_utf8_lossy(&limited.stdout).contains("whole.jsonl: ok"));
}

#[test]
fn a_changed_bit_of_a_compressed_replay_is_noticed() {
    let folder = folder("verify_bits");
    won_game(&folder);
    let file = std::fs::read_dir(&folder).unwrap().next().unwrap().unwrap().path();
    let bytes = std::fs::read(&file).unwrap();
    let paths: Vec<String> = (0..60)
        .map(|flip| {
            let mut changed = bytes.clone();
            changed[flip * bytes.len() / 60] ^= 1 << (flip % 8);
            let path = folder.join(format!("{flip}.zst"));
            std::fs::write(&path, changed).unwrap();
            path.to_str().unwrap().to_owned()
        })
        .collect();
    let args: Vec<&str> = std::iter::once("verify").chain(paths.iter().map(String::as_str)).collect();
    let verdicts = String::from_utf8(damier(&args).stdout).unwrap();
    assert!(!verdicts.contains(": ok"), "{verdicts}");
}

#[test]
fn levels_can_be_generated_converted_and_checked() {
    let folder = folder("levels_generated");
    let path = folder.to_str().unwrap();
    succeeds(&["generate", "pacman", "--seed", "5", "--count", "2", "--size", "15x15", "--out", path]);
    let level = folder.join("pacman-6.txt");
    let level = level.to_str().unwrap();
    let own = succeeds(&["convert", "pacman", "--to", "damier", level]);
    let berkeley = succeeds(&["convert", "pacman", "--to", "berkeley", level]);
    let back = damier_reading(&berkeley, &["convert", "pacman", "--to", "damier", "-"]);
    let rows = |text: &str| {
        text.lines().filter(|line| !line.starts_with(';')).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(rows(&text_of(back, 0)), rows(&own));
    let report = damier(&["check", "pacman", level, "--json", "--time", "5s"]);
    let report = &json_lines(&String::from_utf8(report.stdout).unwrap())[0];
    assert_eq!(report["well_formed"], true);
}

#[test]
fn levels_of_one_line_are_generated_as_lines() {
    let lines = succeeds(&["generate", "ricochet", "--count", "3"]);
    assert_eq!(json_lines(&lines).len(), 3);
    assert!(lines.lines().all(|line| !line.is_empty()), "{lines}");
}

#[test]
fn a_level_that_cannot_be_read_is_left_out_of_a_run() {
    let folder = folder("run_left_out");
    let good = folder.join("a-folder-with-a-rather-long-name/corridor.txt");
    std::fs::create_dir_all(good.parent().unwrap()).unwrap();
    std::fs::write(&good, "#######\n#P....#\n#######\n").unwrap();
    let bad = folder.join("bad.txt");
    std::fs::write(&bad, "#######\n#?....#\n#######\n").unwrap();
    let (good, bad) = (good.to_str().unwrap(), bad.to_str().unwrap());
    let output = damier(&["run", "pacman", "--level", bad, "nowhere/at-all", good, "--agent", "baseline"]);
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        errors.contains("skipped") && errors.contains("bad.txt:2:2") && errors.contains("at-all"),
        "{errors}"
    );
    let table = text_of(output, 1);
    assert!(
        table.contains("corridor.txt") && table.lines().all(|line| line.chars().count() < 160),
        "{table}"
    );
    refusal_of(damier(&["run", "pacman", "--level", bad, "nowhere/at-all"]));
}

#[test]
fn bad_input_gets_one_clear_message() {
    let malformed = folder("bad_input").join("maze.txt");
    std::fs::write(&malformed, "#####\n#P?.#\n#####\n").unwrap();
    let malformed = malformed.to_str().unwrap();
    let message = refusal_of(damier(&["check", "pacman", malformed]));
    assert!(message.contains("maze.txt:2:3: "), "{message}");

    let both = damier(&["check", "pacman", malformed, "damier/pocket"]);
    assert!(text_of(both, 2).contains("damier/pocket: well formed"), "the level after a bad one is checked");

    let message = refusal_of(damier(&["solve", "pacman", "no/such"]));
    assert!(message.contains("`no/such` is neither a file nor a level"), "{message}");
    let message = refusal_of(damier(&["run", "pacman", "--agent", "nobody"]));
    assert!(message.contains("no agent `nobody`") && message.contains("baseline"), "{message}");
    let message = refusal_of(damier(&["run", "pacman", "--rules", "house"]));
    assert!(message.contains("no rule set `house`"), "{message}");
    let message = refusal_of(damier(&["run", "pacman", "--vs", "team"]));
    assert!(message.contains("single seat"), "{message}");
    let message = refusal_of(damier(&["convert", "pacman", "--to", "pdf", "original/maze"]));
    assert!(message.contains("no format `pdf`"), "{message}");
    let message = refusal_of(damier(&["verify", malformed]));
    assert!(message.contains("maze.txt: this is not a replay"), "{message}");
    let message = refusal_of(damier(&["play", "pacman"]));
    assert!(message.contains("terminal"), "{message}");
    let message = refusal_of(damier(&["generate", "pacman", "--size", "3x3"]));
    assert!(message.contains("11"), "{message}");
    assert_eq!(damier(&["play", "chess"]).status.code(), Some(2));
    assert_eq!(damier(&["run", "pacman", "--seeds", "9..1"]).status.code(), Some(2));
}

/// A plan in the format of `trace --actions`.
fn joined(plan: &Value) -> String {
    plan.as_array().unwrap().iter().map(|step| step.as_str().unwrap()).collect::<Vec<_>>().join(",")
}

#[test]
fn lode_runner_is_won_by_both_rule_sets_and_every_game_is_a_line() {
    for (rules, level, reason) in [
        ("course", "course/rope-bridge", "exit reached"),
        ("classic", "classic/first-gold", "top reached with all gold"),
    ] {
        let run = ["run", "loderunner", "--rules", rules, "--level", level, "--json"];
        let games = json_lines(&succeeds(&run));
        assert_eq!(games.len(), 1);
        let line = &games[0];
        assert_eq!(
            (&line["game"], &line["rules"], &line["level"]),
            (&"loderunner".into(), &rules.into(), &level.into())
        );
        assert_eq!((&line["outcome"], &line["reason"]), (&"win".into(), &reason.into()), "{line}");
        let gold = succeeds(&["levels", "loderunner", level]).matches(['B', '$']).count();
        assert_eq!(line["score"], gold, "{line}");
    }
}

#[test]
fn plans_past_guards_hold_for_the_seed_they_were_made_for() {
    for (rules, level) in [("course", "course/three-hunters"), ("classic", "classic/three-guards")] {
        let given = ["loderunner", "--rules", rules, "--seed", "3"];
        let solve = [&["solve"], &given[..], &[level, "--json", "--time", "60s"]].concat();
        let answer = &json_lines(&succeeds(&solve))[0];
        assert_eq!((&answer["outcome"], &answer["seed"]), (&"solved".into(), &3.into()));
        assert_eq!(answer["turns"], answer["plan"].as_array().unwrap().len());
        let plan = joined(&answer["plan"]);
        let trace = [&["trace"], &given[..], &["--level", level, "--last", "--actions", &plan]].concat();
        assert_eq!(json_lines(&succeeds(&trace))[0]["ending"], "won", "{level}");
    }
}

#[test]
fn a_recorded_run_is_traced_tick_by_tick() {
    let file = folder("recorded_run").join("run.json");
    let run =
        r#"{"level":1,"ai":4,"ticks":60,"goldDrop":[],"bornPos":[],"keys":[[0,"R"],[10,"x"],[40,"L"]]}"#;
    std::fs::write(&file, run).unwrap();
    let file = file.to_str().unwrap();
    let trace =
        ["trace", "loderunner", "--rules", "classic", "--level", "classic/first-gold", "--recording", file];
    let states = json_lines(&succeeds(&trace));
    assert_eq!(states.len(), 61);
    assert_eq!(states[10]["runner"], serde_json::json!([4, 14]));
    assert_eq!((&states[60]["tick"], &states[60]["runner"]), (&60.into(), &serde_json::json!([0, 14])));
    assert_eq!(states[60]["holes"][0][0], 5, "dug to the right");
    let message = refusal_of(damier(&["trace", "loderunner", "--recording", file]));
    assert!(message.contains("--rules classic"), "{message}");
    std::fs::write(file, run.replace("\"x\"", "\"k\"")).unwrap();
    let message = refusal_of(damier(&trace));
    assert!(message.contains("at tick 10: `k` is not a key"), "{message}");
}

#[test]
fn the_reason_of_a_lost_game_is_found_in_its_replay() {
    let folder = folder("lost_game");
    let path = folder.to_str().unwrap();
    let run = [
        "run",
        "loderunner",
        "--level",
        "hard/seven-gates",
        "--agent",
        "original",
        "--json",
        "--replays",
        path,
    ];
    let game = &json_lines(&succeeds(&run))[0];
    assert_eq!(game["outcome"], "loss");
    let replay = std::fs::read_dir(&folder).unwrap().next().unwrap().unwrap().path();
    let review = &json_lines(&succeeds(&["review", replay.to_str().unwrap(), "--json", "--time", "20s"]))[0];
    assert!(review["review"].as_str().unwrap().starts_with("caught by an enemy: decision "), "{review}");
    let remarks = review["remarks"].as_array().unwrap();
    let life = remarks.iter().find(|remark| remark["kind"] == "life lost").unwrap();
    assert!(life["number"].as_u64() <= game["turns"].as_u64(), "{life}");
    assert_ne!(life["instead"][0], life["action"], "something else would have been better");
}

#[test]
fn lode_runner_levels_can_be_generated_and_checked() {
    for rules in ["course", "classic"] {
        let level =
            succeeds(&["generate", "loderunner", "--rules", rules, "--seed", "4", "--difficulty", "2"]);
        let check = ["check", "loderunner", "--rules", rules, "-", "--json", "--time", "20s"];
        let report = &json_lines(&text_of(damier_reading(&level, &check), 0))[0];
        assert_eq!(report["well_formed"], true);
        assert!(report["par"].as_u64().unwrap() > 20, "{report}");
    }
    let walled_in = "WWWWWWWW\nWR.XWWBW\nWFFFFFFW\nWWWWWWWW\n";
    let output = damier_reading(walled_in, &["solve", "loderunner", "-"]);
    assert!(text_of(output, 1).contains("proven unsolvable"));
}

#[test]
fn classic_levels_survive_a_foreign_alphabet() {
    let convert = ["convert", "loderunner", "--rules", "classic", "--to"];
    let own = succeeds(&[&convert[..], &["damier", "classic/trapdoors"]].concat());
    let foreign = succeeds(&[&convert[..], &["kgoldrunner", "classic/trapdoors"]].concat());
    assert!(foreign.contains("MMMMHMMMMMMFFMMMMMMMMMHMMMMM"), "traps are F there:\n{foreign}");
    let back = text_of(damier_reading(&foreign, &[&convert[..], &["damier", "-"]].concat()), 0);
    assert_eq!(own, format!("; name: Trapdoors\n{back}"), "all but the name comes back");
    let message = refusal_of(damier(&[&convert[..], &["vglc", "classic/trapdoors"]].concat()));
    assert!(message.contains("no traps and no hidden ladders"), "{message}");
}

#[test]
fn what_lode_runner_refuses_it_explains() {
    let message = refusal_of(damier_reading("WWWWW\nWR.YW\nWFFFW\nWWWWW\n", &["check", "loderunner", "-"]));
    assert!(message.contains("-:2:4: `Y` is not a part of a course map"), "{message}");
    let message = refusal_of(damier_reading("WWWWW\nWR..W\nWFFFW\nWWWWW\n", &["check", "loderunner", "-"]));
    assert!(message.contains("there is no exit (X)"), "{message}");
    let message = refusal_of(damier(&["check", "loderunner", "--rules", "classic", "course/first-steps"]));
    assert!(message.contains("course maps need --rules course"), "{message}");
    let message = refusal_of(damier(&["check", "loderunner", "classic/first-gold"]));
    assert!(message.contains("--rules classic"), "{message}");
    let message = refusal_of(damier(&["trace", "loderunner", "--actions", "up"]));
    assert!(message.contains("up: the runner is not on a ladder"), "{message}");
    let message = refusal_of(damier(&["run", "loderunner", "--rules", "classic", "--agent", "original"]));
    assert!(message.contains("`original` does not play by these rules"), "{message}");
    let message = refusal_of(damier(&["convert", "loderunner", "--to", "vglc", "course/first-steps"]));
    assert!(message.contains("`vglc` is a format of classic levels"), "{message}");
    let message = refusal_of(damier(&["generate", "loderunner", "--size", "5x5"]));
    assert!(message.contains("12 to 128 columns"), "{message}");
}

#[test]
fn a_reader_that_leaves_early_is_no_error() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_damier"))
        .args(["trace", "pacman", "--actions", &"dq".repeat(20_000)])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr), (Some(0), Vec::new()));
}

#[test]
fn a_list_of_maps_is_one_level() {
    let folder = std::env::temp_dir().join(format!("scenarii-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let map = "<Map><Data>\n\"Avatar1, Exit\"\n</Data></Map>\n";
    std::fs::write(folder.join("a.xml"), map).unwrap();
    let list = |second: &str| {
        format!("<Scenarii>\n <Scenario Name=\"a.xml\" />\n <Scenario Name=\"{second}\" />\n</Scenarii>\n")
    };
    let path = folder.join("Scenarii.xml");
    let solve = || damier(&["solve", "delirium", path.to_str().unwrap()]);
    std::fs::write(&path, list("a.xml")).unwrap();
    let solved = solve();
    assert!(solved.status.success(), "{}", String::from_utf8_lossy(&solved.stderr));
    for wrong in ["missing.xml", "../a.xml"] {
        std::fs::write(&path, list(wrong)).unwrap();
        let refused = String::from_utf8(solve().stderr).unwrap();
        assert!(refused.contains(wrong) && refused.contains("Scenarii.xml"), "{refused}");
    }
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn tables_count_the_actions_that_a_game_tallies() {
    let run = ["run", "loderunner", "--agent", "original", "--seeds", "1..2"];
    let table = String::from_utf8(damier(&run).stdout).unwrap();
    assert!(table.contains("bombs"), "{table}");
    let lines = String::from_utf8(damier(&[&run[..], &["--json"]].concat()).stdout).unwrap();
    assert!(lines.lines().all(|line| line.contains("\"bombs\":")), "{lines}");
}
