//! Time, memory and disk that are somebody else's.

use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::{assert_unharmed, hasty, is_private, run, run_with, terms};
use crate::common::{agent, agents, left_over, play, play_in, play_seats, running};
use damier_host::terms::{ClockKind, Confinement, Terms};
use damier_kit::fault::FaultCode;
use damier_kit::referee::Finish;
use damier_pacman::Pacman;
use damier_siam::Siam;

/// Needs the quota of the scratch folder, by the kernel or by the referee.
#[test]
fn the_scratch_folder_has_room_for_so_many_files_and_bytes() {
    for (mode, amount) in [("files", "20000"), ("disk", "300")] {
        let played = run(mode, amount, Confinement::Full);
        let full = played.log.contains("No space left");
        let watched = matches!(&played.finish, Finish::Fault(_, fault)
            if fault.code == FaultCode::Output && fault.detail.contains("scratch folder"));
        assert!(full || watched, "{mode}: {:?}\n{}", played.finish, played.log);
    }
}

/// What lies in a scratch folder in memory counts as memory.
#[test]
fn memory_in_files_is_memory() {
    let small = Terms { memory_mb: 48, ..terms(Confinement::Full) };
    let played = run_with("disk", "60", 1, &small);
    if is_private() {
        assert_eq!(played.code(), FaultCode::Memory, "{}", played.fault());
    } else {
        assert_unharmed(&played);
    }
}

/// Needs the times of children that have ended.
#[test]
fn the_time_of_children_counts() {
    let terms = Terms { processes: 4, ..hasty(ClockKind::Cpu) };
    let played = run_with("children-always", "0.1", 2, &terms);
    assert_eq!(played.code(), FaultCode::Timeout, "{}", played.fault());
}

/// Needs the limit for a whole game: sleeping costs no processor time.
#[test]
fn naps_use_up_the_time_of_a_game() {
    let (turn, game) = (Duration::from_millis(300), Duration::from_secs(2));
    let terms = Terms { turn, game, clock: ClockKind::Cpu, ..Terms::default() };
    let started = Instant::now();
    let played = run_with("nap", "0.9", 1, &terms);
    assert_eq!(played.code(), FaultCode::Timeout, "{}", played.fault());
    assert!(played.fault().detail.contains("of this game"), "{}", played.fault());
    assert!(started.elapsed() < Duration::from_secs(8));
}

/// Needs the start of a stateless agent to be part of its turn.
#[test]
fn a_stateless_agent_does_not_think_while_it_starts() {
    let text = "name = \"slow\"\ncommand = \"python3 hostile.py slow-start 0.6\"\nstateless = true\n";
    let (turn, bank) = (Duration::from_millis(200), Duration::from_millis(100));
    let terms = Terms { turn, bank, strikes: 2, ..Terms::default() };
    let played = play(&agent(text, &agents()), &terms);
    assert_eq!(played.code(), FaultCode::Timeout, "{}", played.fault());
}

/// Needs the clock to run from the first byte of the question.
#[test]
fn a_question_that_is_read_slowly_is_thought_about() {
    let (wall, row) = ("#".repeat(61), ".".repeat(59));
    let maze = format!("{wall}\n#P{}#\n{}{wall}\n", &row[1..], format!("#{row}#\n").repeat(38));
    let text = "name = \"pipe\"\ncommand = \"python3 slow_reader.py 0.4\"\n";
    let terms = Terms { strikes: 1, ..hasty(ClockKind::Wall) };
    let played = play_in(&Pacman, &maze, &agent(text, &agents()), &terms);
    assert_eq!(played.code(), FaultCode::Timeout, "{}", played.fault());
}

/// Needs the stop of whoever is not to move, and one core for each game.
#[test]
fn spinning_threads_take_no_time_from_the_opponent() {
    let spinner = agent("name = \"spin\"\ncommand = \"python3 hostile.py spin 2\"\n", &agents());
    let terms = Terms { turn: Duration::from_secs(20), ..Terms::default() };
    let worker = agent("name = \"worker\"\ncommand = \"python3 polite.py json busy-400ms\"\n", &agents());
    let played = play_seats(&Siam, "...../...../.MMM./...../..... E 0", &[&spinner, &worker], &terms);
    assert_eq!(played.finish, Finish::Limit, "{}", played.log);
    // What it used since its first answer: without the stop that would be most of the other's time.
    let used = played.moves[2].cpu_us.unwrap();
    assert!(used < 200_000, "it used {used} µs while the other was to move for 400 ms");
}

/// Set for a process that plays a game until it is killed.
const VICTIM: &str = "DAMIER_TEST_VICTIM";

/// Needs a namespace or the warden: nothing survives the referee.
#[test]
fn nothing_survives_a_referee_that_is_killed() {
    if let Ok(word) = std::env::var(VICTIM) {
        let text =
            format!("name = \"tracks\"\ncommand = \"python3 hostile.py outlive x {word}\"\nprocesses = 2\n");
        play(&agent(&text, &agents()), &terms(Confinement::Full));
        return;
    }
    let word = format!("victim-{}", std::process::id());
    let mut referee = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "hostile::resources::nothing_survives_a_referee_that_is_killed", "--nocapture"])
        .env(VICTIM, &word)
        .stdout(Stdio::null())
        .process_group(0)
        .spawn()
        .unwrap();
    let limit = Instant::now() + Duration::from_secs(10);
    while running(&word).len() < 2 {
        assert!(Instant::now() < limit, "the agent and its child run");
        std::thread::sleep(Duration::from_millis(10));
    }
    referee.kill().unwrap();
    referee.wait().unwrap();
    assert_eq!(left_over(&word), [0; 0], "processes are left");
}

/// Needs the look at the referee's own clock.
#[test]
fn a_pause_of_the_referee_costs_nobody_a_strike() {
    if let Ok(word) = std::env::var(VICTIM) {
        let text = format!("name = \"nap\"\ncommand = \"python3 hostile.py nap 0.05 {word}\"\n");
        let terms =
            Terms { strikes: 1, bank: Duration::ZERO, turn: Duration::from_millis(900), ..Terms::default() };
        let played = play(&agent(&text, &agents()), &terms);
        assert_unharmed(&played);
        return;
    }
    let word = format!("pause-{}", std::process::id());
    let mut referee = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "hostile::resources::a_pause_of_the_referee_costs_nobody_a_strike", "--nocapture"])
        .env(VICTIM, &word)
        .spawn()
        .unwrap();
    let limit = Instant::now() + Duration::from_secs(10);
    while running(&word).is_empty() && referee.try_wait().unwrap().is_none() {
        assert!(Instant::now() < limit, "the agent runs");
        std::thread::sleep(Duration::from_millis(5));
    }
    let signal = |name: &str| Command::new("kill").args([name, &referee.id().to_string()]).status().unwrap();
    std::thread::sleep(Duration::from_millis(120));
    signal("-STOP");
    std::thread::sleep(Duration::from_millis(1500));
    signal("-CONT");
    assert!(referee.wait().unwrap().success(), "the pause cost a strike");
}
