//! Agents that mean harm. Each loses its own game with a fault that says why, and leaves nothing behind.
//!
//! Where it is safe the same agent is run without confinement too: then its attempt succeeds, so the test would see if the confinement were
//! gone.

mod calls;
mod resources;
mod sneaky;

use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use crate::common::{Played, TURNS, agent, agents, left_over, play};
use crate::hide::{LANDLOCK, NAMESPACES, hide};
use damier_host::terms::{ClockKind, Confinement, Terms};
use damier_kit::fault::FaultCode;
use damier_kit::referee::Finish;
use damier_process::confine::{self, Strength};

fn terms(confinement: Confinement) -> Terms {
    Terms { confinement, turn: Duration::from_secs(20), ..Terms::default() }
}

/// Short clocks, for agents that do not answer.
fn hasty(clock: ClockKind) -> Terms {
    let (turn, grace, bank) =
        (Duration::from_millis(60), Duration::from_millis(20), Duration::from_millis(50));
    Terms { turn, grace, bank, clock, ..Terms::default() }
}

fn run_with(mode: &str, argument: &str, processes: u32, terms: &Terms) -> Played {
    static RUNS: AtomicU32 = AtomicU32::new(0);
    let word = format!("run-{}-{}", std::process::id(), RUNS.fetch_add(1, Ordering::Relaxed));
    let manifest = format!(
        "name = \"hostile\"\ncommand = \"python3 hostile.py {mode} '{argument}' {word}\"\nprocesses = {processes}\n"
    );
    let played = play(&agent(&manifest, &agents()), terms);
    assert_eq!(left_over(&word), [0; 0], "processes of `{mode}` are left");
    played
}

fn run(mode: &str, argument: &str, confinement: Confinement) -> Played {
    run_with(mode, argument, 1, &terms(confinement))
}

/// A folder that no agent may look into.
struct Elsewhere(PathBuf);

impl Elsewhere {
    fn new(name: &str) -> Self {
        let top = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let folder = top.join(format!("elsewhere-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    fn file(&self) -> String {
        self.0.join("file.txt").display().to_string()
    }
}

impl Drop for Elsewhere {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn assert_unharmed(played: &Played) {
    assert_eq!(played.finish, Finish::Limit, "{}", played.log);
    assert_eq!(played.moves.len(), TURNS as usize);
}

/// Do agents have namespaces of their own here?
fn is_private() -> bool {
    matches!(confine::report(), confine::Report::Linux { namespaces: true, .. })
}

/// Set for the processes in which [`hidden`] runs the tests of this file.
const HIDDEN: &str = "DAMIER_TEST_HIDDEN";

#[test]
fn the_kernel_enforces_everything_here() {
    let report = confine::report();
    let expected = if std::env::var_os(HIDDEN).is_some() { Strength::Reduced } else { Strength::Full };
    assert_eq!(
        report.strength(),
        expected,
        "the other tests need this kernel to enforce everything:\n{report}"
    );
}

/// Runs all tests of this file on a kernel that seems not to have some system calls.
fn hidden(layer: &str, calls: &[libc::c_long]) {
    if std::env::var_os(HIDDEN).is_some() {
        return;
    }
    let mut tests = Command::new(std::env::current_exe().unwrap());
    // The layer's name also tells the processes of one such run from those of another.
    tests.args(["hostile::", "--test-threads", "1", "--skip", layer]).env(HIDDEN, layer);
    hide(&mut tests, calls);
    let output = tests.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && text.contains(" 0 failed"), "{text}");
}

#[test]
fn all_of_it_holds_without_namespaces() {
    hidden("without_namespaces", NAMESPACES);
}

#[test]
fn all_of_it_holds_without_landlock() {
    hidden("without_landlock", LANDLOCK);
}

/// Needs the filter for system calls.
#[test]
fn a_fork_bomb_starts_nothing() {
    let played = run("fork", "", Confinement::Full);
    assert_eq!(played.code(), FaultCode::Forbidden);
    assert!(played.fault().detail.contains("tried to start another process"), "{}", played.fault());
    assert_eq!(played.processes().len(), 1, "only the agent itself:\n{}", played.log);
    let free = run("fork", "", Confinement::Off);
    assert!(free.log.contains("started 200"), "without confinement it explodes:\n{}", free.log);
}

/// Needs the filter for system calls, which asks the referee.
#[test]
fn an_agent_that_may_have_processes_has_no_more_than_it_may() {
    let played = run_with("fork", "", 4, &terms(Confinement::Full));
    assert_eq!(played.code(), FaultCode::Forbidden);
    assert!(played.fault().detail.contains("more processes than it may have"), "{}", played.fault());
    assert_eq!(played.processes().len(), 4, "itself and three others:\n{}", played.log);
}

/// Needs the filter for system calls, which keeps children in the process group: without it the child would be a session of its own.
#[test]
fn children_do_not_outlive_the_game() {
    let played = run_with("child", "", 2, &terms(Confinement::Full));
    assert_unharmed(&played);
    assert_eq!(played.processes().len(), 2, "it had a child:\n{}", played.log);
}

/// Needs the referee's look at memory while it waits, and the resource limit behind it.
#[test]
fn a_memory_hog_loses() {
    let small = Terms { memory_mb: 128, ..terms(Confinement::Full) };
    let played = run_with("memory", "400", 1, &small);
    assert_eq!(played.code(), FaultCode::Memory);
    assert!(played.fault().detail.contains("it may use 128"), "{}", played.fault());
    let large = Terms { memory_mb: 1024, ..terms(Confinement::Full) };
    assert_unharmed(&run_with("memory", "400", 1, &large));
}

/// Needs the cap on standard output.
#[test]
fn endless_output_loses() {
    let played = run("output", "", Confinement::Full);
    assert_eq!(played.code(), FaultCode::Output);
    assert!(played.fault().detail.contains("in one turn"), "{}", played.fault());
}

/// Needs the cap on standard error.
#[test]
fn an_endless_log_loses() {
    let played = run("log", "", Confinement::Full);
    assert_eq!(played.code(), FaultCode::Output);
    assert!(played.fault().detail.contains("log"), "{}", played.fault());
    assert!(played.log.len() < 1 << 18, "{} bytes of the log are kept", played.log.len());
}

/// Needs the clock.
#[test]
fn endless_silence_loses() {
    let started = Instant::now();
    let played = run_with("silence", "", 1, &hasty(ClockKind::Wall));
    assert_eq!(played.code(), FaultCode::Timeout);
    assert!(played.fault().detail.contains("within 60 ms"), "{}", played.fault());
    assert!(started.elapsed() < Duration::from_secs(10));
}

/// Needs the clock of processor time, and the limit on time that passes beside it.
#[test]
fn both_busy_and_sleeping_agents_run_out_of_processor_time() {
    for mode in ["busy", "silence"] {
        let started = Instant::now();
        let played = run_with(mode, "", 1, &hasty(ClockKind::Cpu));
        assert_eq!(played.code(), FaultCode::Timeout, "{mode}");
        assert!(started.elapsed() < Duration::from_secs(15), "{mode} held us up");
    }
}

/// Needs the comparison of turn numbers.
#[test]
fn answers_to_the_wrong_turn_lose() {
    let played = run("future", "", Confinement::Full);
    assert_eq!(played.code(), FaultCode::Protocol);
    assert_eq!(played.fault().detail, "it answered turn 4, but was asked for turn 3");
    assert_eq!(played.moves.iter().map(|step| step.warnings.len()).collect::<Vec<_>>(), [1, 1]);
}

/// Needs Landlock.
#[test]
fn other_peoples_files_cannot_be_read() {
    let elsewhere = Elsewhere::new("read");
    std::fs::write(elsewhere.file(), "a secret").unwrap();
    let played = run("read", &elsewhere.file(), Confinement::Full);
    assert_eq!(played.code(), FaultCode::Forbidden, "{}", played.fault());
    assert!(played.fault().detail.contains(&elsewhere.file()), "{}", played.fault());
    assert!(!played.log.contains("a secret"));
    let free = run("read", &elsewhere.file(), Confinement::Off);
    assert!(free.log.contains("read a secret"), "without confinement it reads:\n{}", free.log);
}

/// Needs Landlock.
#[test]
fn nothing_is_written_outside_its_scratch_folder() {
    let elsewhere = Elsewhere::new("write");
    for path in [elsewhere.file(), agents().join("graffiti.txt").display().to_string()] {
        let played = run("write", &path, Confinement::Full);
        assert_eq!(played.code(), FaultCode::Forbidden, "{path}: {}", played.fault());
        assert!(!PathBuf::from(path).exists());
    }
    assert_unharmed(&run("write", &elsewhere.file(), Confinement::Off));
    assert!(PathBuf::from(elsewhere.file()).exists(), "without confinement it writes");
}

#[test]
fn the_scratch_folder_can_be_written_and_is_gone_afterwards() {
    let played = run("scratch", "", Confinement::Full);
    assert_unharmed(&played);
    let path = played.log.lines().find_map(|line| line.strip_prefix("wrote ")).expect("it wrote");
    assert!(!PathBuf::from(path).exists(), "{path} is left");
    assert_eq!(scratch_folders(), 0, "its folder is left");
}

/// Needs the filter for system calls or Landlock's network rules; the filter says why.
#[test]
fn sockets_cannot_be_opened() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let port = listener.local_addr().unwrap().port().to_string();
    let played = run("socket", &port, Confinement::Full);
    assert_eq!(played.code(), FaultCode::Forbidden);
    assert!(played.fault().detail.contains("tried to open a network connection"), "{}", played.fault());
    assert!(listener.accept().is_err(), "nobody came");
    assert_unharmed(&run("socket", &port, Confinement::Off));
    assert!(listener.accept().is_ok(), "without confinement it connects");
}

/// A process of ours that an agent might kill.
struct Victim(Child);

impl Victim {
    fn new() -> Self {
        Self(Command::new("sleep").arg("60").spawn().unwrap())
    }
}

impl Drop for Victim {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Needs the filter for system calls or Landlock's scope of signals; the filter says why.
#[test]
fn other_processes_cannot_be_killed() {
    let mut victim = Victim::new();
    let pid = victim.0.id().to_string();
    let played = run("kill", &pid, Confinement::Full);
    assert_eq!(played.code(), FaultCode::Forbidden);
    assert!(played.fault().detail.contains("not its own"), "{}", played.fault());
    assert!(victim.0.try_wait().unwrap().is_none(), "the victim lives");
    assert_unharmed(&run("kill", &pid, Confinement::Off));
    assert!(victim.0.wait().unwrap().code().is_none(), "without confinement it kills");
}

/// Needs the filter for system calls: `SIGUSR1` would end this test.
#[test]
fn its_parent_cannot_be_killed() {
    let played = run("parent", "", Confinement::Full);
    assert_eq!(played.code(), FaultCode::Forbidden);
    assert!(played.fault().detail.contains("tried to send a signal"), "{}", played.fault());
}

fn succeeded(played: &Played) -> Vec<&str> {
    played.log.lines().filter_map(|line| line.strip_prefix("succeeded ")).collect()
}

/// Needs the filter for system calls: neither limits nor priorities of others are an agent's business.
#[test]
fn limits_and_priorities_of_others_cannot_be_changed() {
    let victim = Victim::new();
    let pid = victim.0.id().to_string();
    let played = run("others", &pid, Confinement::Full);
    assert_unharmed(&played);
    assert_eq!(succeeded(&played), [""; 0], "{}", played.log);
    let free = run("others", &pid, Confinement::Off);
    assert_eq!(succeeded(&free), ["limit_another", "slow_another_down", "pin_another"], "{}", free.log);
}

/// Needs the list of allowed system calls.
#[cfg(target_arch = "x86_64")]
#[test]
fn hidden_memory_namespaces_devices_and_dates_are_refused() {
    let played = run_with("calls", "", 4, &terms(Confinement::Full));
    assert_unharmed(&played);
    assert_eq!(succeeded(&played), [""; 0], "{}", played.log);
    assert_eq!(played.log.lines().filter(|line| line.starts_with("failed ")).count(), 6, "{}", played.log);
}

/// Needs the referee, which changes modes in the agent's place.
#[test]
fn modes_of_other_peoples_files_stay_as_they_are() {
    let elsewhere = Elsewhere::new("mode");
    std::fs::write(elsewhere.file(), "").unwrap();
    let mode = || std::fs::metadata(elsewhere.file()).unwrap().permissions().mode() & 0o7777;
    let before = mode();
    let played = run("mode", &elsewhere.file(), Confinement::Full);
    assert_unharmed(&played);
    assert_eq!((mode(), succeeded(&played)), (before, vec![]), "{}", played.log);
    assert!(
        played.log.contains("own mode 0o755"),
        "its own files change, but never run as it:\n{}",
        played.log
    );
    run("mode", &elsewhere.file(), Confinement::Off);
    assert_eq!(mode(), 0, "without confinement they do");
}

/// Needs a look at memory every moment, whatever the agent says meanwhile.
#[test]
fn memory_is_seen_however_much_the_agent_talks() {
    let small = Terms { memory_mb: 64, ..terms(Confinement::Full) };
    let played = run_with("drip", "500", 1, &small);
    assert_eq!(played.code(), FaultCode::Memory, "{}", played.fault());
    let detail = &played.fault().detail;
    let used: u64 = detail.split(' ').find_map(|word| word.parse().ok()).expect("it is named");
    assert!(used < 400, "noticed late: {detail}");
}

/// Needs the filter for system calls, which asks the referee about threads too.
#[test]
fn threads_are_counted() {
    let played = run("threads", "200", Confinement::Full);
    let started =
        played.log.lines().find_map(|line| line.strip_prefix("started ")?.split(' ').next()?.parse().ok());
    assert!(started.is_some_and(|started: u32| started < 80), "{}", played.log);
}

/// Needs a removal that follows nothing downwards and asks no mode.
#[test]
fn deep_and_closed_folders_are_removed() {
    let before = scratch_folders();
    assert_unharmed(&run("dig", "1500", Confinement::Full));
    assert_eq!(scratch_folders(), before, "nothing is left");
}

/// Scratch folders of this process.
fn scratch_folders() -> usize {
    let prefix = format!("damier-{}-", std::process::id());
    let entries = std::fs::read_dir(std::env::temp_dir()).unwrap().flatten();
    entries.filter(|entry| entry.file_name().to_string_lossy().starts_with(&prefix)).count()
}

/// Needs the cap on insight: a replay of many turns must stay readable.
#[test]
fn endless_thoughts_are_cut_short() {
    let played = run("aloud", "15", Confinement::Full);
    assert_unharmed(&played);
    let kept: usize = played.moves.iter().map(|step| step.insight.marks.len()).sum();
    assert!((1..5000).contains(&kept), "{kept} marks are kept");
    assert!(played.log.contains("the rest is dropped"), "{}", played.log);
}

/// Needs the kill after the farewell.
#[test]
fn an_agent_that_ignores_the_end_is_gone_nevertheless() {
    let started = Instant::now();
    let played = run("immortal", "", Confinement::Full);
    assert_unharmed(&played);
    assert_eq!(played.processes().len(), 1);
    assert!(started.elapsed() < Duration::from_secs(5));
}

#[test]
fn a_crash_says_its_last_words() {
    let played = run("crash", "", Confinement::Full);
    assert_eq!(played.code(), FaultCode::Crash);
    assert!(played.fault().detail.contains("RuntimeError: the map has no exit"), "{}", played.fault());
    assert!(played.log.contains("hostile.py"), "the log has the traceback:\n{}", played.log);
}
