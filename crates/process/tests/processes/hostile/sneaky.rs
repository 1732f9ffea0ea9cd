//! Ways round a rule that breaks none: memory, files and signals that nobody counts.

use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixDatagram;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use super::{Elsewhere, HIDDEN, Victim, assert_unharmed, hasty, is_private, succeeded, terms};
use crate::common::{Played, agent, agents, left_over, manifest, play, play_seats, running};
use damier_host::terms::{ClockKind, Confinement, Terms};
use damier_kit::fault::FaultCode;
use damier_kit::referee::Finish;
use damier_process::process::build;
use damier_siam::Siam;

fn text_of(mode: &str, argument: &str, processes: u32) -> (String, String) {
    static RUNS: AtomicU32 = AtomicU32::new(0);
    let word = format!("sneak-{}-{}", std::process::id(), RUNS.fetch_add(1, Ordering::Relaxed));
    let text = format!(
        "name = \"sneaky\"\ncommand = \"python3 sneaky.py {mode} '{argument}' {word}\"\nprocesses = {processes}\n"
    );
    (text, word)
}

fn sneak_with(mode: &str, argument: &str, processes: u32, terms: &Terms) -> Played {
    let (text, word) = text_of(mode, argument, processes);
    let played = play(&agent(&text, &agents()), terms);
    assert_eq!(left_over(&word), [0; 0], "processes of `{mode}` are left");
    played
}

fn sneak(mode: &str, argument: &str) -> Played {
    sneak_with(mode, argument, 1, &terms(Confinement::Full))
}

/// It plays on, and nothing that it tried has succeeded.
#[track_caller]
fn assert_in_vain(played: &Played, attempts: usize) {
    assert_unharmed(played);
    assert_eq!(succeeded(played), [""; 0], "{}", played.log);
    let failed = played.log.lines().filter(|line| line.starts_with("failed ")).count();
    assert_eq!(failed, attempts, "{}", played.log);
}

/// Needs the filter or namespaces: whoever plays against it is not disturbed, nor is the referee.
#[cfg(target_arch = "x86_64")]
#[test]
fn an_opponent_keeps_its_limits_and_priorities() {
    let (text, _) = text_of("harm", "", 1);
    let honest = agent("name = \"honest\"\ncommand = \"python3 polite.py json honest\"\n", &agents());
    let seats = [&agent(&text, &agents()), &honest];
    let played = play_seats(&Siam, "...../...../.MMM./...../..... E 0", &seats, &terms(Confinement::Full));
    assert_eq!(played.finish, Finish::Limit, "{}", played.log);
    assert!(played.log.contains("harmed 0\n"), "{}", played.log);
}

/// Needs the capabilities to be given up, and the filter.
#[cfg(target_arch = "x86_64")]
#[test]
fn an_agent_of_root_has_no_powers() {
    assert_in_vain(&sneak("powers", ""), 11);
}

/// Needs the filter's look at the flags of `mmap`, and no `/dev/zero`.
#[test]
fn memory_without_a_process_is_refused() {
    assert_in_vain(&sneak("memory", ""), 2);
}

/// Needs a look at the tables of pages.
#[test]
fn memory_that_describes_memory_counts() {
    let small = Terms { memory_mb: 128, ..terms(Confinement::Full) };
    let played = sneak_with("tables", "", 1, &small);
    assert_eq!(played.code(), FaultCode::Memory, "{}", played.fault());
}

/// Needs the filter's look at the kind of a pair of sockets.
#[test]
fn no_datagram_leaves_through_a_pair_of_sockets() {
    let elsewhere = Elsewhere::new("socket");
    // The path of a socket must be short.
    let path = std::env::temp_dir().join(format!("sneak-{}.socket", std::process::id()));
    let socket = UnixDatagram::bind(&path).unwrap();
    socket.set_nonblocking(true).unwrap();
    assert_in_vain(&sneak("datagram", &path.display().to_string()), 1);
    assert!(socket.recv(&mut [0; 8]).is_err(), "it arrived");
    std::fs::remove_file(path).unwrap();
    drop(elsewhere);
}

/// Needs the filter's look at the commands of `fcntl`.
#[test]
fn the_kernel_sends_no_signal_in_its_place() {
    let mut victim = Victim::new();
    assert_in_vain(&sneak("owner", &victim.0.id().to_string()), 1);
    assert!(victim.0.try_wait().unwrap().is_none(), "the victim lives");
}

/// Needs the filter: two agents could tell each other something by locks.
#[test]
fn files_cannot_be_locked_or_watched() {
    assert_in_vain(&sneak("locks", ""), 4);
}

/// Needs the filter or a read-only view: an older Landlock lets files be emptied.
#[test]
fn files_that_may_only_be_read_are_not_emptied() {
    let elsewhere = Elsewhere::new("empty");
    std::fs::write(elsewhere.file(), "precious").unwrap();
    assert_in_vain(&sneak("empty", &elsewhere.file()), 4);
    assert_eq!(std::fs::read_to_string(elsewhere.file()).unwrap(), "precious");
    assert!(std::fs::metadata(agents().join("sneaky.py")).unwrap().len() > 0);
}

/// Needs the filter's look at the requests of `ioctl`.
#[test]
fn its_own_files_get_no_flags() {
    assert_in_vain(&sneak("flags", ""), 1);
}

/// Needs the quota by the kernel, or a look at the files that a process holds.
#[test]
fn deleted_files_take_room_until_they_are_closed() {
    for mode in ["deleted", "mapped"] {
        let played = sneak(mode, "");
        let full = played.log.contains("No space left") || played.log.contains("Bus error");
        let watched = matches!(&played.finish, Finish::Fault(_, fault) if fault.code == FaultCode::Output);
        assert!(full || watched, "{mode}: {:?}\n{}", played.finish, played.log);
    }
}

/// Needs the limit of waiting signals, which all processes of a user share.
#[cfg(target_arch = "x86_64")]
#[test]
fn timers_are_limited() {
    let played = sneak("timers", "");
    assert_unharmed(&played);
    let made =
        played.log.lines().find_map(|line| line.strip_prefix("made ")?.split(' ').next()?.parse().ok());
    assert!(made.is_some_and(|made: u32| made <= 256), "{}", played.log);
}

/// Needs the filter's list of settings.
#[test]
fn it_cannot_hide_from_the_referee() {
    assert_in_vain(&sneak("hide", ""), 3);
}

/// Needs init or the warden, which adopt what has lost its parent.
#[test]
fn grandchildren_end_with_the_agent() {
    let played = sneak_with("grandchild", "", 4, &terms(Confinement::Full));
    assert_eq!(played.code(), FaultCode::Crash, "{}", played.fault());
    assert!(played.fault().detail.contains("exit code 3"), "{}", played.fault());
}

/// Needs a view of the agent's own processes alone, or Landlock. Programs that find their libraries beside them need the first.
#[test]
fn it_sees_itself_and_no_other_process() {
    let played = sneak("processes", "");
    assert_in_vain(&played, 5);
    assert!(played.log.contains("exe /"), "{}", played.log);
}

/// Needs the times of those that init or the warden has waited for.
#[test]
fn the_time_of_orphans_counts() {
    let terms = Terms { processes: 4, strikes: 1, ..hasty(ClockKind::Cpu) };
    let played = sneak_with("orphans", "0.1", 4, &terms);
    assert_eq!(played.code(), FaultCode::Timeout, "{}", played.fault());
}

/// Needs the cap on lines also for those that have ended.
#[test]
fn a_line_that_is_a_little_too_long_loses() {
    let played = sneak("line", "70000");
    assert_eq!(played.code(), FaultCode::Output, "{}", played.fault());
}

/// Needs the clock: nobody waits for an agent that has stopped itself.
#[test]
fn an_agent_that_stops_itself_loses() {
    let terms = Terms { strikes: 1, ..hasty(ClockKind::Wall) };
    let played = sneak_with("stop", "", 1, &terms);
    assert_eq!(played.code(), FaultCode::Timeout, "{}", played.fault());
}

/// Needs the referee to wait until a process that it allowed is there to be counted.
#[test]
fn processes_are_counted_however_many_threads_start_them() {
    let folder = Elsewhere::new("race");
    std::fs::copy(agents().join("racers.c"), folder.0.join("racers.c")).unwrap();
    let word = format!("race-{}", std::process::id());
    let built = Command::new("cc")
        .args(["-O1", "-pthread", "-o", &word, "racers.c"])
        .current_dir(&folder.0)
        .status()
        .unwrap();
    assert!(built.success());
    let most = std::thread::scope(|scope| {
        let text = format!("name = \"racers\"\ncommand = \"./{word}\"\nwire = \"text\"\nprocesses = 4\n");
        let (path, word) = (&folder.0, &word);
        let game = scope.spawn(move || play(&agent(&text, path), &terms(Confinement::Full)));
        let mut most = 0;
        while !game.is_finished() {
            most = most.max(running(&format!("./{word}")).len());
        }
        let played = game.join().unwrap();
        assert_eq!(played.code(), FaultCode::Forbidden, "{}", played.fault());
        most
    });
    assert!(most <= 8, "there were {most} processes");
    assert_eq!(left_over(&format!("./{word}")), [0; 0]);
}

/// Needs a program to be looked for by its path without any right to what lies there.
#[test]
fn a_program_by_a_path_opens_no_folder() {
    let home = Elsewhere::new("home");
    let (mine, bin) = (home.0.join("mine"), home.0.join("bin"));
    for folder in [&mine, &bin, &home.0.join("lib")] {
        std::fs::create_dir_all(folder).unwrap();
    }
    std::fs::write(home.0.join("lib/key"), "a secret").unwrap();
    let script = format!("#!/bin/sh\nwhile read line; do cat {}; done\n", home.0.join("lib/key").display());
    std::fs::write(bin.join("tool"), script).unwrap();
    std::fs::set_permissions(bin.join("tool"), PermissionsExt::from_mode(0o755)).unwrap();
    let text = "name = \"path\"\ncommand = \"../bin/tool\"\nprocesses = 4\n";
    let played = play(&agent(text, &mine), &terms(Confinement::Full));
    let said = format!("{} {}", played.fault(), played.log);
    assert!(!said.contains("a secret"), "{said}");
}

/// Needs links to lead nowhere: somebody else's program is not played under one's own name.
#[test]
fn a_link_to_another_agents_program_is_not_followed() {
    let class = Elsewhere::new("links");
    let (bob, eve) = (class.0.join("bob"), class.0.join("eve"));
    for folder in [&bob, &eve] {
        std::fs::create_dir_all(folder).unwrap();
    }
    std::fs::copy(agents().join("polite.py"), bob.join("polite.py")).unwrap();
    std::os::unix::fs::symlink("../bob/polite.py", eve.join("polite.py")).unwrap();
    let text = "name = \"eve\"\ncommand = \"python3 polite.py json honest\"\n";
    assert_unharmed(&play(&agent(text, &bob), &terms(Confinement::Full)));
    let played = play(&agent(text, &eve), &terms(Confinement::Full));
    assert!(matches!(played.code(), FaultCode::Crash | FaultCode::Forbidden), "{}", played.fault());
}

/// Needs the quota of the folder in which an agent is built.
#[test]
fn a_build_fills_no_disk() {
    if std::env::var_os(HIDDEN).is_some() {
        return;
    }
    let class = Elsewhere::new("fill");
    let script = "for i in range(200000):\n    open(str(i), 'w').close()\n";
    std::fs::write(class.0.join("build.py"), script).unwrap();
    let text = "name = \"fill\"\nbuild = \"python3 build.py\"\ncommand = \"./made\"\n";
    let started = Instant::now();
    let fault = build(&manifest(text, &class.0), Confinement::Full).unwrap_err();
    assert!(fault.detail.contains("files to its own folder"), "{fault}");
    assert!(started.elapsed() < Duration::from_mins(1));
}

/// Needs names that nobody can guess, and folders that nobody else may look into.
#[test]
fn scratch_folders_on_disk_belong_to_their_agent_alone() {
    let played = super::run("scratch", "", Confinement::Off);
    let wrote = played.log.lines().find_map(|line| line.strip_prefix("wrote ")).expect("it wrote");
    let name = Path::new(wrote).parent().and_then(Path::file_name).unwrap().to_string_lossy().into_owned();
    let random = name.strip_prefix(&format!("damier-{}-", std::process::id()));
    assert!(random.is_some_and(|random| random.len() == 16), "{name}");
    assert!(played.log.contains("folder mode 0o700"), "{}", played.log);
    assert!(is_private() || std::env::var_os(HIDDEN).is_some());
}
