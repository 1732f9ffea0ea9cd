//! Agents in every language, run with their real interpreters and compilers: starts, examples, and the doors for the original courses.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

const GAMES: [&str; 5] = ["pacman", "ricochet", "siam", "loderunner", "delirium"];
const LANGUAGES: [&str; 5] = ["python", "c", "prolog", "rust", "javascript"];

/// A folder that is gone with the test.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("damier-agents-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    /// A copy of an agent of ours, so that nothing is built among the sources.
    fn copy(&self, agent: &str) -> PathBuf {
        self.copy_folder(&Path::new("agents").join(agent), &agent.replace('/', "-"))
    }

    /// A copy of a game's door.
    fn copy_door(&self, game: &str) -> PathBuf {
        self.copy_folder(&Path::new("games").join(game).join("door"), &format!("door-{game}"))
    }

    fn copy_folder(&self, from: &Path, name: &str) -> PathBuf {
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(from);
        let to = self.0.join(name);
        std::fs::create_dir_all(&to).unwrap();
        for entry in std::fs::read_dir(from).unwrap().map(Result::unwrap) {
            std::fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
        }
        to
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn damier(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_damier")).args(args).output().unwrap()
}

/// What the command prints, which must succeed.
fn printed(args: &[&str]) -> String {
    let output = damier(args);
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "damier {}\n{out}{err}", args.join(" "));
    out.into_owned()
}

/// The games that an agent plays, as `damier run --json` tells them.
fn run(agent: &Path, args: &[&str]) -> Vec<Value> {
    let agent = agent.display().to_string();
    let all: Vec<&str> =
        ["run"].into_iter().chain(args.iter().copied()).chain(["--json", "--agent", &agent]).collect();
    printed(&all).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn wins(games: &[Value]) -> usize {
    games.iter().filter(|game| game["outcome"] == "win").count()
}

#[test]
fn every_start_runs_as_it_is_on_every_game() {
    let scratch = Scratch::new("starts");
    for language in LANGUAGES {
        for game in GAMES {
            let folder = scratch.0.join(format!("{language}-{game}"));
            let folder = folder.to_str().unwrap();
            printed(&["new-agent", game, language, folder]);
            let said = printed(&["check-agent", folder, "--decisions", "5"]);
            assert!(said.contains("without a mistake"), "{language} on {game}: {said}");
        }
    }
}

#[test]
fn a_new_agent_overwrites_nothing() {
    let scratch = Scratch::new("nothing");
    let folder = scratch.0.join("mine");
    printed(&["new-agent", "siam", "python", folder.to_str().unwrap()]);
    let again = damier(&["new-agent", "siam", "python", folder.to_str().unwrap()]);
    assert_eq!(again.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&again.stderr).contains("not empty"));
    let unknown = damier(&["new-agent", "pacman", "door", scratch.0.join("x").to_str().unwrap()]);
    assert!(
        String::from_utf8_lossy(&unknown.stderr).contains("there are python, c, prolog, rust, javascript")
    );
}

#[test]
fn the_python_example_eats_more_than_chance() {
    let scratch = Scratch::new("pacman");
    let games = run(&scratch.copy("python/pacman"), &["pacman"]);
    assert!(games[0]["score"].as_i64().unwrap() > 50, "{games:?}");
}

#[test]
fn the_c_example_solves_missions() {
    let scratch = Scratch::new("ricochet");
    let games = run(&scratch.copy("c/ricochet"), &["ricochet", "--level", "missions", "--turns", "20"]);
    assert!(wins(&games) * 10 >= games.len() * 7, "{} of {}: {games:?}", wins(&games), games.len());
}

#[test]
fn the_prolog_example_reaches_the_exit() {
    let scratch = Scratch::new("delirium");
    let games = run(
        &scratch.copy("prolog/delirium"),
        &["delirium", "--level", "damier/first-steps", "--turns", "300"],
    );
    assert_eq!(wins(&games), 1, "{games:?}");
}

#[test]
fn the_rust_example_wins_levels() {
    let scratch = Scratch::new("loderunner");
    let levels = ["--level", "course/first-steps,course/two-towers", "--turns", "400"];
    let games = run(&scratch.copy("rust/loderunner"), &[&["loderunner"][..], &levels].concat());
    assert_eq!(wins(&games), 2, "{games:?}");
}

#[test]
fn the_javascript_example_beats_chance() {
    let scratch = Scratch::new("siam");
    let games = run(&scratch.copy("javascript/siam"), &["siam", "--vs", "random", "--seeds", "1..6"]);
    assert!(wins(&games) >= 5, "{games:?}");
}

/// A miner of the course that counts its calls in a global variable, digs its way right and prints what it should not.
const MINER: &str = r"
:- module(decision, [init/1, move/12]).
init(_) :- nb_setval(calls, 0).
move(L, LP, _, _, Pos, _, 0, _, _, 0, 0, Action) :-
    length(L, N), length(LP, N), nth0(Pos, L, 22),
    nb_getval(calls, Calls), Next is Calls + 1, nb_setval(calls, Next),
    write('call '), write(Next), nl,
    Action = 1.
";

#[test]
fn the_door_for_delirium_keeps_global_variables() {
    let scratch = Scratch::new("door-delirium");
    let folder = scratch.copy_door("delirium");
    std::fs::write(folder.join("decision.pl"), MINER).unwrap();
    let replays = scratch.0.join("replays");
    let games = run(&folder, &["delirium", "--turns", "5", "--replays", replays.to_str().unwrap()]);
    assert_eq!((&games[0]["outcome"], &games[0]["turns"]), (&"limit".into(), &5.into()), "{games:?}");
    let log = log_of(&replays);
    assert!(log.contains("call 1") && log.contains("call 5"), "what it writes is its log: {log}");
}

/// The log of the only replay in a folder, and the actions in it.
fn log_of(folder: &Path) -> String {
    let file = std::fs::read_dir(folder).unwrap().next().unwrap().unwrap().path();
    let text = zstd::decode_all(&std::fs::read(file).unwrap()[..]).unwrap();
    String::from_utf8(text).unwrap()
}

/// A player of the course: it uses the engine's constants and lists, keeps a static counter and prints to standard output.
const RUNNER: &str = r#"
#include <stdbool.h>
#include <stdio.h>
#include "lode_runner.h"
extern const char BOMB, BONUS, CABLE, ENEMY, EXIT, FLOOR, LADDER, PATH, RUNNER, WALL;
extern const int BOMB_TTL;
extern bool DEBUG;
const char *students = "Ada Lovelace";
void print_action(action a) { printf("%d", a); }
action lode_runner(levelinfo level, character_list characterl, bonus_list bonusl, bomb_list bombl) {
    static int round = 0;
    int bonuses = 0;
    for (; bonusl; bonusl = bonusl->next) bonuses++;
    printf("round %d: %c at %d,%d of %dx%d, %d bonuses, exit %c, holes %d\n", ++round, characterl->c.item, characterl->c.x,
           characterl->c.y, level.xsize, level.ysize, bonuses, level.map[level.yexit][level.xexit], bombl != NULL);
    return NONE;
}
"#;

#[test]
fn the_door_for_lode_runner_loads_a_shared_library() {
    let scratch = Scratch::new("door-loderunner");
    let folder = scratch.copy_door("loderunner");
    std::fs::write(folder.join("player.c"), RUNNER).unwrap();
    let replays = scratch.0.join("replays");
    let games = run(&folder, &["loderunner", "--turns", "3", "--replays", replays.to_str().unwrap()]);
    assert_eq!(games[0]["turns"], 3, "{games:?}");
    let log = log_of(&replays);
    assert!(log.contains("round 3: R at ") && log.contains("exit X, holes 0"), "{log}");
}

#[test]
fn a_player_that_crashes_in_the_door_loses_its_own_game() {
    let scratch = Scratch::new("door-crash");
    let folder = scratch.copy_door("loderunner");
    let crash = RUNNER.replace("return NONE;", "return *(volatile action *)0;");
    std::fs::write(folder.join("player.c"), crash).unwrap();
    let games = run(&folder, &["loderunner", "--turns", "3"]);
    assert!(games[0]["reason"].as_str().unwrap().contains("segmentation fault"), "{games:?}");
}

/// A solver of the course that knows the answer to one mission: it checks its question and builds the way as the course's term.
const SOLVER: &str = r"
:- dynamic asked/1.
jeu_1robot(XB,YB,_,_,_,_,_,_,rbtBleu,XC,YC,Chemin,2) :-
    \+ asked(_), assertz(asked(yes)), format('blue ~w,~w to ~w,~w~n', [XB,YB,XC,YC]),
    Chemin = (4,13'|'4,15'|'14,15).
";

#[test]
fn the_door_for_rasende_roboter_plays_the_way_that_was_found() {
    let scratch = Scratch::new("door-ricochet");
    let folder = scratch.copy_door("ricochet");
    std::fs::write(folder.join("player.pl"), SOLVER).unwrap();
    let games = run(&folder, &["ricochet", "--level", "missions/01"]);
    assert_eq!((&games[0]["outcome"], &games[0]["turns"]), (&"win".into(), &2.into()), "{games:?}");
}

/// A player of the course that answers triples in the course's letters: west is o.
const PLAYER: &str = r"
meilleur_coup([E, _, M, e], (0, 55, o)) :- length(E, 5), memberchk((0,0), E), length(M, 3), \+ memberchk((55, _), E), !.
meilleur_coup([E, _, _, e], [55, 55, n]) :- memberchk((55, o), E), !.
meilleur_coup([E, _, _, e], coup(55, 0, n)) :- memberchk((55, n), E).
";

#[test]
fn the_door_for_siam_takes_triples() {
    let scratch = Scratch::new("door-siam");
    let folder = scratch.copy_door("siam");
    std::fs::write(folder.join("player.pl"), PLAYER).unwrap();
    let manifest = std::fs::read_to_string(folder.join("agent.toml")).unwrap();
    std::fs::write(folder.join("agent.toml"), manifest.replace("meilleur_coup w", "meilleur_coup o"))
        .unwrap();
    let replays = scratch.0.join("replays");
    let vs = ["--vs", "original", "--rules", "course", "--turns", "6"];
    run(&folder, &[&["siam", "--replays", replays.to_str().unwrap()][..], &vs].concat());
    let log = log_of(&replays);
    for action in ["\"action\":\"0-55w\"", "\"action\":\"55-55n\"", "\"action\":\"55-0\""] {
        assert!(log.contains(action), "{action} in {log}");
    }
}

#[test]
fn every_door_runs_as_it_is() {
    let scratch = Scratch::new("doors");
    for game in ["delirium", "loderunner", "ricochet", "siam"] {
        let folder = scratch.0.join(game);
        printed(&["new-agent", game, "door", folder.to_str().unwrap()]);
        let said = printed(&["check-agent", folder.to_str().unwrap(), "--decisions", "4"]);
        assert!(said.contains("without a mistake"), "{game}: {said}");
    }
}

/// Does a value fit a schema, as far as our schemas go? What does not is named.
fn misfit(root: &Value, schema: &Value, value: &Value, at: &str) -> Option<String> {
    if let Some(reference) = schema["$ref"].as_str() {
        return misfit(root, &root["$defs"][reference.trim_start_matches("#/$defs/")], value, at);
    }
    if let Some(choices) = schema["anyOf"].as_array().or(schema["oneOf"].as_array()) {
        let none = choices.iter().all(|choice| misfit(root, choice, value, at).is_some());
        return none.then(|| format!("{at}: {value} is none of {choices:?}"));
    }
    let kinds: Vec<&str> = match &schema["type"] {
        Value::String(kind) => vec![kind],
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    if !kinds.is_empty() && !kinds.contains(&kind) {
        return Some(format!("{at}: {value} is not of {kinds:?}"));
    }
    if let (Some(allowed), Value::String(_)) = (schema["enum"].as_array(), value) {
        return (!allowed.contains(value)).then(|| format!("{at}: {value} is none of {allowed:?}"));
    }
    match value {
        Value::Array(values) => values.iter().enumerate().find_map(|(index, value)| {
            let element = schema["prefixItems"].get(index).unwrap_or(&schema["items"]);
            if element.is_boolean() { None } else { misfit(root, element, value, &format!("{at}[{index}]")) }
        }),
        Value::Object(map) => {
            let missing = schema["required"].as_array().and_then(|required| {
                required.iter().filter_map(Value::as_str).find(|key| !map.contains_key(*key))
            });
            if let Some(key) = missing {
                return Some(format!("{at}: {key} is missing"));
            }
            map.iter().find_map(|(key, value)| {
                let property = schema["properties"].get(key).or(schema.get("additionalProperties"));
                match property {
                    None => Some(format!("{at}: {key} is not in the schema")),
                    Some(property) => misfit(root, property, value, &format!("{at}.{key}")),
                }
            })
        }
        _ => None,
    }
}

/// An agent that writes down what it sees.
const WITNESS: &str = r#"
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["t"] == "hello": print('{"t":"hello","proto":1,"name":"witness"}', flush=True)
    elif message["t"] == "start": print('{"t":"ready"}', flush=True)
    elif message["t"] == "turn":
        print("SEEN", json.dumps(message["obs"]), file=sys.stderr, flush=True)
        print(json.dumps({"t": "act", "n": message["n"], "a": message["legal"][-1]}), flush=True)
"#;

#[test]
fn what_agents_see_fits_the_schema() {
    let scratch = Scratch::new("schema");
    std::fs::write(scratch.0.join("witness.py"), WITNESS).unwrap();
    std::fs::write(scratch.0.join("agent.toml"), "name = \"witness\"\ncommand = \"python3 witness.py\"\n")
        .unwrap();
    for (game, rules) in [
        ("pacman", "course"),
        ("ricochet", "standard"),
        ("siam", "official"),
        ("delirium", "course"),
        ("loderunner", "course"),
        ("loderunner", "classic"),
    ] {
        let schema: Value = serde_json::from_str(&printed(&["schema", game])).unwrap();
        let replays = scratch.0.join(format!("{game}-{rules}"));
        run(&scratch.0, &[game, "--rules", rules, "--turns", "4", "--replays", replays.to_str().unwrap()]);
        let mut seen = 0;
        for line in log_of(&replays).lines().map(|line| serde_json::from_str::<Value>(line).unwrap()) {
            let log = line["log"].as_str().unwrap_or_default();
            for observation in log.lines().filter_map(|line| line.strip_prefix("SEEN ")) {
                let observation = serde_json::from_str(observation).unwrap();
                assert_eq!(misfit(&schema, &schema, &observation, game), None);
                seen += 1;
            }
        }
        assert!(seen > 0, "{game} was seen");
        let other: Value = serde_json::from_str("{\"no\":\"game\"}").unwrap();
        assert!(misfit(&schema, &schema, &other, game).is_some(), "the schema of {game} refuses something");
    }
}

/// Sleeps in its first turn, and says its number in a file that it may write.
const SLEEPER: &str = r#"
import json, os, sys, time
for line in sys.stdin:
    message = json.loads(line)
    if message["t"] == "hello": print('{"t":"hello","proto":1,"name":"sleeper"}', flush=True)
    elif message["t"] == "start": print('{"t":"ready"}', flush=True)
    elif message["t"] == "turn": time.sleep(30)
"#;

/// The processes whose command line holds this.
fn processes_with(text: &str) -> Vec<String> {
    let all =
        std::fs::read_dir("/proc").unwrap().filter_map(Result::ok).map(|entry| entry.path().join("cmdline"));
    let command = |path: PathBuf| {
        std::fs::read(path).ok().map(|bytes| String::from_utf8_lossy(&bytes).replace('\0', " "))
    };
    all.filter_map(command).filter(|command| command.contains(text) && !command.contains("damier")).collect()
}

fn wait_until(what: &str, done: impl Fn() -> bool) {
    let limit = Instant::now() + Duration::from_secs(20);
    while !done() {
        assert!(Instant::now() < limit, "{what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_killed_referee_leaves_no_agent_behind() {
    let scratch = Scratch::new("killed");
    let script = format!("sleeper-{}.py", std::process::id());
    std::fs::write(scratch.0.join(&script), SLEEPER).unwrap();
    let manifest = format!("name = \"sleeper\"\ncommand = \"python3 {script}\"\n");
    std::fs::write(scratch.0.join("agent.toml"), manifest).unwrap();
    let mut referee = Command::new(env!("CARGO_BIN_EXE_damier"))
        .args(["run", "pacman", "--agent", scratch.0.to_str().unwrap(), "--think", "60s"])
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    wait_until("the agent has started", || !processes_with(&script).is_empty());
    referee.kill().unwrap();
    referee.wait().unwrap();
    wait_until("the agent is gone", || processes_with(&script).is_empty());
}
