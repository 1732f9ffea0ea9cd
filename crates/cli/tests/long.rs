//! Accidents by the hundred: `./test --long` runs them, since they take many minutes. `DAMIER_LONG_KILLS` sets another number of kills.
#![cfg(target_os = "linux")]

mod common;
#[path = "../../process/tests/processes/hide.rs"]
#[allow(dead_code, reason = "each test uses its part")]
mod hide;

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use common::{damier_in, folder, text_of};

fn kills() -> u64 {
    std::env::var("DAMIER_LONG_KILLS").ok().and_then(|number| number.parse().ok()).unwrap_or(300)
}

/// Pseudorandom delays.
struct Moments(u64);

impl Moments {
    fn next(&mut self, below: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % below
    }
}

const TOURNAMENT: &str = r#"
name = "long"
agents = ["PYTHON", "C", "random", "original"]
[terms]
init_ms = 60000
turn_ms = 20000

[[games]]
game = "siam"
turns = 12
seeds = "1..3"
"#;

const SUITE: &str = r#"
name = "long"
game = "siam"
[terms]
init_ms = 60000
turn_ms = 20000
[[tests]]
name = "play"
against = "random"
seeds = "1..8"
turns = 12
points = 1
"#;

/// A folder with two agents whose processes can be identified.
struct Class {
    folder: PathBuf,
    temporary: PathBuf,
    names: [String; 2],
}

impl Class {
    fn new(name: &str) -> Self {
        let folder = folder(&format!("long-{name}"));
        let temporary = folder.join("tmp");
        std::fs::create_dir_all(&temporary).unwrap();
        let names = ["python", "c"].map(|language| format!("long-{name}-{}-{language}", std::process::id()));
        for (own, language) in names.iter().zip(["python", "c"]) {
            text_of(damier_in(&folder, &["new-agent", "siam", language, own]), 0);
            let manifest = folder.join(own).join("agent.toml");
            let text = std::fs::read_to_string(&manifest).unwrap().replace("my-agent", own);
            // The folder's name is in its command line, which identifies left-over processes.
            let command = if language == "c" {
                ("./agent", format!("./agent {own}"))
            } else {
                ("agent.py", format!("agent.py {own}"))
            };
            assert!(text.contains(command.0), "{text}");
            std::fs::write(
                manifest,
                text.replacen(&format!("{}\"", command.0), &format!("{}\"", command.1), 1),
            )
            .unwrap();
        }
        let tournament =
            TOURNAMENT.replace("PYTHON", &names[0]).replace("\"C\"", &format!("\"{}\"", names[1]));
        std::fs::write(folder.join("long.toml"), tournament).unwrap();
        std::fs::write(folder.join("suite.toml"), SUITE).unwrap();
        Self { folder, temporary, names }
    }

    fn command(&self, args: &[&str], namespaces: bool) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_damier"));
        command.args(args).current_dir(&self.folder).env("TMPDIR", &self.temporary);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        if !namespaces {
            hide::hide(&mut command, hide::NAMESPACES);
        }
        command
    }

    fn text(&self, args: &[&str], code: i32) -> String {
        text_of(damier_in(&self.folder, args), code)
    }

    /// Waits until no process of the agents is left.
    fn assert_nothing_runs(&self) {
        let limit = Instant::now() + Duration::from_secs(20);
        loop {
            let left: Vec<String> = self.names.iter().flat_map(|name| commands_with(name)).collect();
            if left.is_empty() {
                return;
            }
            assert!(Instant::now() < limit, "still there: {left:?}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

/// Running processes with this word in their command line, including the program's own wardens.
fn commands_with(word: &str) -> Vec<String> {
    let entries = std::fs::read_dir("/proc").unwrap().flatten();
    let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let running = |pid: &u32| {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        stat.rsplit_once(')').is_some_and(|(_, rest)| !rest.trim_start().starts_with('Z'))
    };
    let command = |pid: u32| {
        String::from_utf8_lossy(&std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default())
            .into_owned()
    };
    pids.filter(|&pid| pid != std::process::id() && running(&pid))
        .map(command)
        .filter(|command| command.contains(word))
        .collect()
}

/// Kills a command repeatedly and resumes it each time. `finished` checks and removes its results whenever it completes.
fn kill_again_and_again(class: &Class, args: &[&str], finished: &dyn Fn()) {
    let (mut killed, mut moments) = (0, Moments(args.len() as u64));
    while killed < kills() {
        let mut referee = class.command(args, killed % 3 > 0).spawn().unwrap();
        let life = Duration::from_millis(50 + moments.next(2500));
        if ended_within(&mut referee, life) {
            finished();
            continue;
        }
        referee.kill().unwrap();
        referee.wait().unwrap();
        killed += 1;
        class.assert_nothing_runs();
    }
    let code = class.command(args, true).status().unwrap().code();
    assert!(matches!(code, Some(0 | 1)), "{code:?}");
    finished();
    // Leftovers of killed referees are removed by later ones once they are a few seconds old.
    std::thread::sleep(Duration::from_secs(12));
    class.command(&["run", "siam", "--agent", &class.names[0], "--turns", "2"], true).status().unwrap();
    let left: Vec<_> =
        std::fs::read_dir(&class.temporary).unwrap().flatten().map(|entry| entry.path()).collect();
    assert!(left.is_empty(), "{left:?}");
}

fn ended_within(child: &mut Child, time: Duration) -> bool {
    let limit = Instant::now() + time;
    while Instant::now() < limit {
        if child.try_wait().unwrap().is_some() {
            return true;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    false
}

fn remove_store(folder: &Path, name: &str) {
    for end in ["", "-wal", "-shm"] {
        let _ = std::fs::remove_file(folder.join(format!("{name}{end}")));
    }
}

#[test]
#[ignore = "takes many minutes: ./test --long"]
fn tournaments_survive_hundreds_of_kills() {
    let class = Class::new("tournament");
    let undisturbed = class.text(&["tournament", "long.toml", "--out", "whole.db"], 0);
    let args = ["tournament", "long.toml", "--out", "killed.db", "--resume"];
    kill_again_and_again(&class, &args, &|| {
        assert_eq!(class.text(&["merge", "killed.db"], 0), class.text(&["merge", "whole.db"], 0));
        assert_eq!(class.text(&args, 0), undisturbed);
        class.text(&["verify", "killed.db"], 0);
        remove_store(&class.folder, "killed.db");
    });
}

#[test]
#[ignore = "takes many minutes: ./test --long"]
fn gradings_survive_hundreds_of_kills() {
    let class = Class::new("grade");
    let args = |out| ["grade", "suite.toml", &class.names[0], &class.names[1], "--out", out, "--resume"];
    let code = class.command(&args("whole"), true).status().unwrap().code().unwrap();
    let points = |out: &str| {
        let text = std::fs::read_to_string(class.folder.join(out).join("results.csv")).unwrap();
        // Times differ.
        text.lines().map(|line| line.split(',').take(4).collect::<Vec<_>>().join(",")).collect::<Vec<_>>()
    };
    let undisturbed = points("whole");
    kill_again_and_again(&class, &args("killed"), &|| {
        class.text(&args("killed"), code);
        assert_eq!(points("killed"), undisturbed);
        class.text(&["verify", "killed/grade.db"], 0);
        std::fs::remove_dir_all(class.folder.join("killed")).unwrap();
    });
}

/// The referee is stopped at random moments, for longer than a turn may take.
#[test]
#[ignore = "takes many minutes: ./test --long"]
fn a_referee_that_stands_still_costs_nobody_anything() {
    let class = Class::new("stop");
    let plan = std::fs::read_to_string(class.folder.join("long.toml")).unwrap();
    std::fs::write(class.folder.join("long.toml"), plan.replace("turn_ms = 20000", "turn_ms = 900")).unwrap();
    let undisturbed = class.text(&["tournament", "long.toml", "--out", "whole.db"], 0);
    let mut moments = Moments(7);
    let args = ["tournament", "long.toml", "--out", "stopped.db", "--resume"];
    let mut referee = class.command(&args, true).spawn().unwrap();
    let signal = |name: &str, pid: u32| Command::new("kill").args([name, &pid.to_string()]).status().unwrap();
    let mut stops = 0;
    while !ended_within(&mut referee, Duration::from_millis(200 + moments.next(400))) && stops < 40 {
        signal("-STOP", referee.id());
        std::thread::sleep(Duration::from_millis(1500));
        signal("-CONT", referee.id());
        stops += 1;
    }
    assert!(referee.wait().unwrap().success() && stops > 0);
    assert_eq!(class.text(&args, 0), undisturbed);
}

/// Runs a command with a tiny disk at `full`, in a mount namespace of its own.
fn on_a_tiny_disk(class: &Class, kilobytes: u32, temporary: &str, args: &str) -> std::process::Output {
    let full = class.folder.join("full");
    std::fs::create_dir_all(&full).unwrap();
    let script = format!(
        "mount -t tmpfs -o size={kilobytes}k tiny full && TMPDIR={temporary} {} {args}; code=$?; cp full/* . 2>/dev/null; exit $code",
        env!("CARGO_BIN_EXE_damier")
    );
    let mut command = Command::new("unshare");
    command.args(["-Urm", "sh", "-c", &script]).current_dir(&class.folder);
    hide::hide(&mut command, &[libc::SYS_mount_setattr]);
    command.output().unwrap()
}

#[test]
#[ignore = "takes many minutes: ./test --long"]
fn full_disks_are_nobodys_fault() {
    let class = Class::new("full");
    let undisturbed = class.text(&["tournament", "long.toml", "--out", "whole.db"], 0);
    let output = on_a_tiny_disk(&class, 8, "full", "tournament long.toml --out games.db");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(2) && errors.contains("this machine failed"), "{errors}");
    let resumed = ["tournament", "long.toml", "--out", "games.db", "--resume"];
    assert_eq!(class.text(&resumed, 0), undisturbed);
    remove_store(&class.folder, "games.db");
    // Enough for the beginning of a store, not for all of it.
    let output = on_a_tiny_disk(&class, 96, "tmp", "tournament long.toml --out full/games.db");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(2) && errors.contains("disk is full"), "{errors}");
    assert_eq!(class.text(&resumed, 0), undisturbed);
}
