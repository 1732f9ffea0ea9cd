//! Templates and examples of agents in every language, run with their real interpreters and compilers.

mod common;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use common::{damier, printed};
use serde_json::Value;

const GAMES: [&str; 5] = ["pacman", "ricochet", "siam", "loderunner", "delirium"];
const LANGUAGES: [&str; 5] = ["python", "c", "prolog", "rust", "javascript"];

/// A folder that is removed after the test.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("damier-agents-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    /// A copy of an agent of ours, so that nothing is built among the sources.
    fn copy(&self, agent: &str) -> PathBuf {
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../agents").join(agent);
        let to = self.0.join(agent.replace('/', "-"));
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

/// The games that an agent plays, from `damier run --json`.
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
        String::from_utf8_lossy(&unknown.stderr)
            .contains("the templates are python, c, prolog, rust, javascript")
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

/// The log of the only replay in a folder, and the actions in it.
fn log_of(folder: &Path) -> String {
    let file = std::fs::read_dir(folder).unwrap().next().unwrap().unwrap().path();
    let text = zstd::decode_all(&std::fs::read(file).unwrap()[..]).unwrap();
    String::from_utf8(text).unwrap()
}

/// Checks a value against a schema, with the keywords that our schemas use; an error names the mismatch.
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

/// An agent that records its observations.
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

/// Sleeps in its first turn, and writes its pid to a file.
const SLEEPER: &str = r#"
import json, os, sys, time
for line in sys.stdin:
    message = json.loads(line)
    if message["t"] == "hello": print('{"t":"hello","proto":1,"name":"sleeper"}', flush=True)
    elif message["t"] == "start": print('{"t":"ready"}', flush=True)
    elif message["t"] == "turn": time.sleep(30)
"#;

/// The processes whose command line contains this.
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
