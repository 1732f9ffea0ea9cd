//! The terminal interface in a real terminal: tmux types the keys and reads the screen.

use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

const PATIENCE: Duration = Duration::from_secs(30);

/// A terminal in which `damier` runs; a shell waits behind it.
struct Terminal {
    socket: String,
}

impl Terminal {
    fn start(width: u16, height: u16, command: &str) -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let terminal = Self { socket: format!("damier-{}-{number}", std::process::id()) };
        let (width, height) = (width.to_string(), height.to_string());
        let script = format!(
            "export LC_ALL=C.UTF-8; {} {command}; echo \"left with $?\"; stty -a | grep -o -- '-\\?icanon'; sleep 100",
            env!("CARGO_BIN_EXE_damier")
        );
        terminal.tmux(&["new-session", "-d", "-x", &width, "-y", &height, &script]);
        terminal
    }

    fn tmux(&self, args: &[&str]) -> String {
        let output = Command::new("tmux")
            .args(["-u", "-L", &self.socket, "-f", "/dev/null"])
            .args(args)
            .output()
            .unwrap();
        String::from_utf8(output.stdout).unwrap()
    }

    fn screen(&self) -> String {
        self.tmux(&["capture-pane", "-p"])
    }

    fn press(&self, keys: &[&str]) {
        self.tmux(&[&["send-keys"], keys].concat());
    }

    /// Types a text and then Enter.
    fn type_line(&self, text: &str) {
        self.tmux(&["send-keys", "-l", text]);
        self.press(&["Enter"]);
    }

    /// Waits until the screen fulfils a condition, and returns it.
    #[track_caller]
    fn wait_for(&self, what: &str, wanted: impl Fn(&str) -> bool) -> String {
        let started = Instant::now();
        loop {
            let screen = self.screen();
            if wanted(&screen) {
                return screen;
            }
            assert!(started.elapsed() < PATIENCE, "waited for {what}, but the screen is\n{screen}");
            std::thread::sleep(Duration::from_millis(30));
        }
    }

    #[track_caller]
    fn wait_for_text(&self, text: &str) -> String {
        self.wait_for(text, |screen| screen.contains(text))
    }

    /// Quits, and checks that the shell's terminal is restored.
    #[track_caller]
    fn leave(&self, key: &str) -> String {
        self.press(&[key]);
        let screen = self.wait_for_text("left with 0");
        self.wait_for("line mode", |screen| screen.contains("\nicanon"));
        screen
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        self.tmux(&["kill-server"]);
    }
}

/// The value after a label in the panel.
fn label(screen: &str, name: &str) -> Option<String> {
    let line = screen.lines().find_map(|line| line.split_once(&format!("{name} ")).map(|(_, rest)| rest))?;
    Some(line.trim().to_owned())
}

#[test]
fn a_person_plays_takes_back_and_leaves() {
    let terminal = Terminal::start(100, 30, "play pacman");
    let screen = terminal.wait_for_text("q quit");
    assert!(screen.contains("██████"), "walls are drawn:\n{screen}");
    assert!(screen.contains("hint") && screen.contains("undo"), "keys are on screen:\n{screen}");
    assert_eq!(label(&screen, "score"), Some("0".into()));
    terminal.press(&["Right", "Right"]);
    terminal.wait_for("two pellets", |screen| label(screen, "score") == Some("2".into()));
    terminal.press(&["BSpace"]);
    terminal.wait_for("one taken back", |screen| label(screen, "score") == Some("1".into()));
    terminal.press(&[":"]);
    terminal.wait_for_text("legal: up right down left");
    terminal.type_line("fly");
    terminal.wait_for_text("`fly`");
    terminal.type_line(":right");
    terminal.wait_for("a typed action", |screen| label(screen, "score") == Some("2".into()));
    let screen = terminal.leave("q");
    assert!(screen.contains("not finished, 2 turns, score 2"), "{screen}");
}

#[test]
fn a_hint_comes_with_its_reasons() {
    let terminal = Terminal::start(100, 30, "play pacman");
    terminal.wait_for_text("original/maze");
    terminal.press(&["h"]);
    let screen = terminal.wait_for_text("hint: ");
    assert!(screen.contains("path"), "the legend explains the marks:\n{screen}");
    terminal.press(&["?"]);
    terminal.wait_for_text("any key closes");
    terminal.press(&["x"]);
    terminal.wait_for("the help to close", |screen| !screen.contains("any key closes"));
    terminal.press(&["o"]);
    terminal.wait_for_text("overlay debug");
    terminal.leave("Escape");
}

#[test]
fn the_original_look_has_the_original_keys() {
    let terminal = Terminal::start(100, 30, "play pacman --style original");
    let screen = terminal.wait_for_text("#########");
    assert!(!screen.contains('█'), "{screen}");
    terminal.press(&["d", "d", "d"]);
    terminal.wait_for("three pellets", |screen| label(screen, "score") == Some("3".into()));
    terminal.press(&["a"]);
    terminal.wait_for_text("LOST");
    terminal.leave("Escape");
}

#[test]
fn plain_ascii_is_enough() {
    let terminal = Terminal::start(100, 30, "watch pacman --agent baseline --ascii");
    let screen = terminal.wait_for_text("original/maze");
    let board: String =
        screen.lines().take(21).map(|line| line.chars().take(38).collect::<String>()).collect();
    assert!(board.contains("####") && board.is_ascii(), "{screen}");
    terminal.leave("q");
}

#[test]
fn watching_stops_steps_and_goes_back() {
    let terminal = Terminal::start(100, 30, "watch pacman --agent baseline");
    terminal.wait_for("some turns", |screen| {
        label(screen, "score").and_then(|score| score.parse().ok()).is_some_and(|score: u32| score >= 3)
    });
    terminal.press(&["Space"]);
    let paused = terminal.wait_for_text("paused");
    let score: u32 = label(&paused, "score").unwrap().parse().unwrap();
    terminal.press(&["Home"]);
    terminal.wait_for("the start", |screen| label(screen, "score") == Some("0".into()));
    terminal.press(&["Right"]);
    terminal.wait_for("one step", |screen| label(screen, "score") == Some("1".into()));
    terminal.press(&["Left"]);
    terminal.wait_for("one step back", |screen| label(screen, "score") == Some("0".into()));
    terminal.press(&["End"]);
    terminal.wait_for("the end", |screen| {
        label(screen, "score").and_then(|score| score.parse().ok()).is_some_and(|end: u32| end >= score)
    });
    terminal.leave("q");
}

#[test]
fn a_small_screen_keeps_pacman_in_view_and_a_large_one_shows_all() {
    let terminal = Terminal::start(50, 12, "play pacman --ascii");
    let small = terminal.wait_for("Pacman on the board", |screen| screen.contains("(<"));
    assert!(
        !small.lines().any(|line| line.starts_with("##############")),
        "rows far from him are cut:\n{small}"
    );
    terminal.tmux(&["resize-window", "-x", "120", "-y", "40"]);
    terminal.wait_for("the whole board", |screen| {
        screen.lines().filter(|line| line.starts_with("##############")).count() >= 2
    });
    terminal.leave("q");
}

#[test]
fn the_game_goes_on_by_itself_if_asked_to() {
    let terminal = Terminal::start(100, 30, "play pacman --pace 40ms");
    terminal.wait_for_text("paused");
    terminal.press(&["Right"]);
    terminal.wait_for("five cells run by one key", |screen| {
        label(screen, "score").and_then(|score| score.parse().ok()).is_some_and(|score: u32| score >= 5)
    });
    terminal.leave("q");
}

#[test]
fn a_person_can_play_the_ghosts() {
    let terminal = Terminal::start(100, 30, "play pacman --rules report --seat ghosts --vs baseline");
    terminal.wait_for_text("ghosts: you");
    terminal.press(&["Up"]);
    terminal.wait_for_text("ghosts up");
    terminal.press(&["BSpace"]);
    terminal.wait_for("the ghost's move to be taken back", |screen| !screen.contains("ghosts up"));
    terminal.leave("q");
}

#[test]
fn rounds_against_the_computer_have_announcements_hints_and_a_winner() {
    let terminal = Terminal::start(110, 38, "play ricochet --seed 4 --vs beginner");
    terminal.wait_for_text("1 of 17");
    terminal.press(&["l"]);
    let screen = terminal.wait_for_text("From here it takes");
    let moves: usize = label(&screen, "takes").unwrap().split(' ').next().unwrap().parse().unwrap();
    for _ in 0..moves {
        terminal.press(&["h"]);
        let screen = terminal.wait_for_text("Hint: ");
        let hint = label(&screen, "Hint:").unwrap();
        let (robot, dir) = hint.trim_end_matches('.').split_once(' ').unwrap();
        let arrow = match dir {
            "north" => "Up",
            "east" => "Right",
            "south" => "Down",
            _ => "Left",
        };
        terminal.press(&[&robot[..1], arrow, "l"]);
        terminal.wait_for("the hint to be followed", |screen| !screen.contains("Hint: "));
    }
    terminal.press(&["Enter"]);
    terminal.wait_for_text("You announce");
    terminal.press(&["Space"]);
    terminal.wait_for_text("Show a solution");
    terminal.press(&["Enter"]);
    let screen = terminal.wait_for_text("You win this target");
    assert_eq!(label(&screen, "you"), Some("1".into()));
    assert!(screen.contains("Your moves"), "{screen}");
    terminal.press(&["Enter"]);
    let screen = terminal.wait_for_text("2 of 17");
    assert!(!screen.contains("Your moves"), "{screen}");
    let screen = terminal.leave("q");
    assert!(screen.contains("you 1, computer 0"), "{screen}");
}

#[test]
fn a_letter_chooses_the_robot_that_the_arrows_move() {
    let terminal = Terminal::start(110, 38, "play ricochet --level missions/07");
    terminal.wait_for_text("now red");
    terminal.press(&["y"]);
    terminal.wait_for_text("now yellow");
    terminal.press(&["Left", "Down", "r", "Down", "Left", "Up"]);
    terminal.wait_for_text("WON: target reached");
    terminal.leave("q");
}

/// The number after a label in the panel.
fn number(screen: &str, name: &str) -> Option<u32> {
    label(screen, name)?.parse().ok()
}

#[test]
fn a_lode_runner_of_1983_runs_while_its_key_is_held_and_digs_once() {
    let terminal = Terminal::start(100, 30, "play loderunner --rules classic --level classic/first-gold");
    let screen = terminal.wait_for_text("paused");
    assert_eq!(number(&screen, "gold left"), Some(9), "{screen}");
    terminal.press(&["Right"]);
    terminal.wait_for("gold eight cells away, by one key", |screen| {
        number(screen, "gold left").is_some_and(|left| left < 9)
    });
    terminal.press(&["z"]);
    terminal.wait_for_text("░░");
    terminal.wait_for("the key to be let go after the dig", |screen| screen.contains("runner none"));
    terminal.press(&["p"]);
    terminal.wait_for_text("paused");
    terminal.leave("q");
}

#[test]
fn a_lode_runner_of_the_course_waits_for_every_action() {
    let terminal = Terminal::start(100, 30, "play loderunner");
    let screen = terminal.wait_for_text("course/first-steps");
    assert!(screen.contains("╠╣") && screen.contains("▒▒"), "ladders and floors are drawn:\n{screen}");
    assert_eq!(number(&screen, "bonuses left"), Some(4));
    terminal.press(&["Right", "Right", "Right", "Right"]);
    terminal.wait_for("a bonus", |screen| number(screen, "bonuses left") == Some(3));
    terminal.press(&["BSpace"]);
    terminal.wait_for("it to be laid back", |screen| number(screen, "bonuses left") == Some(4));
    terminal.press(&["Up"]);
    terminal.wait_for_text("the runner is not on a ladder");
    let screen = terminal.leave("q");
    assert!(screen.contains("not finished, 3 turns, score 0"), "{screen}");
}

#[test]
fn who_watches_a_lode_runner_sees_its_plan_and_the_hunters_next_steps() {
    let terminal = Terminal::start(110, 30, "watch loderunner --level course/three-hunters");
    terminal.wait_for("a plan", |screen| screen.contains("out in ") && screen.contains("path"));
    terminal.press(&["o"]);
    terminal.wait_for_text("overlay predicted");
    terminal.press(&["Space"]);
    terminal.wait_for_text("paused");
    terminal.press(&["Home"]);
    terminal.wait_for("the start", |screen| number(screen, "bonuses left") == Some(7));
    terminal.leave("q");
}

#[test]
fn the_menu_leads_to_a_game_and_back() {
    let terminal = Terminal::start(100, 30, "play");
    terminal.wait_for_text("Enter play");
    terminal.press(&["w"]);
    terminal.wait_for_text("pacman: best");
    terminal.press(&["q"]);
    terminal.wait_for_text("Enter play");
    terminal.press(&["r", "v", "Enter"]);
    terminal.wait_for_text("pacman: you");
    terminal.press(&["q"]);
    terminal.wait_for_text("Enter play");
    terminal.leave("q");
}

#[test]
fn a_saved_game_is_shown_again() {
    let file = format!("{}/saved-game.jsonl.zst", env!("CARGO_TARGET_TMPDIR"));
    let _ = std::fs::remove_file(&file);
    let terminal = Terminal::start(100, 30, &format!("play pacman --save {file}"));
    terminal.wait_for_text("original/maze");
    terminal.press(&["Right", "Right", "Right"]);
    terminal.wait_for("three pellets", |screen| label(screen, "score") == Some("3".into()));
    terminal.leave("q");
    let terminal = Terminal::start(100, 30, &format!("replay {file}"));
    terminal.wait_for_text("pacman: human");
    terminal.wait_for("the end of the replay", |screen| label(screen, "score") == Some("3".into()));
    terminal.leave("q");
    let verdict = Command::new(env!("CARGO_BIN_EXE_damier")).args(["verify", &file]).output().unwrap();
    assert_eq!(verdict.status.code(), Some(1), "a game that was left has no end");
    let verdict = String::from_utf8(verdict.stdout).unwrap();
    assert!(verdict.ends_with("unfinished: it stops after 3 moves, without an end\n"), "{verdict}");
}

/// Reports that it has no answer, and why.
const SPEECHLESS: &str = r#"
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    answers = {
        "hello": {"t": "hello", "proto": 1, "name": "x"},
        "start": {"t": "ready"},
        "turn": {"t": "fault", "n": message.get("n"), "detail": "no move/12"},
    }
    if message["t"] == "turn":
        print("ERROR: player.pl", file=sys.stderr, flush=True)
    if message["t"] in answers:
        print(json.dumps(answers[message["t"]]), flush=True)
"#;

#[test]
fn the_log_and_answers_that_are_not_the_agents_own_are_shown() {
    let folder = std::env::temp_dir().join(format!("damier-terminal-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("agent.py"), SPEECHLESS).unwrap();
    std::fs::write(folder.join("agent.toml"), "name = 'x'\ncommand = 'python3 agent.py'\n").unwrap();
    let command = format!("watch pacman --memory 256 --agent {}", folder.display());
    let terminal = Terminal::start(120, 40, &command);
    let screen = terminal.wait_for_text("answers were not yours: no move/12");
    assert!(screen.contains("no-answer: no move/12") && screen.contains("│ ERROR: player.pl"), "{screen}");
    terminal.leave("q");
    std::fs::remove_dir_all(folder).unwrap();
}
