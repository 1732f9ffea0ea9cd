//! Measures what starting an agent costs, confined by all layers, by some and not at all:
//!
//! ```sh
//! cargo run --release -p damier-process --example start_cost
//! ```
//!
//! A start ends with the agent's `ready`. The agent is a small C program, so that little of the time is its own. Besides the median, it
//! prints the fastest decile and the processor time of a start and an end, which depend less on how busy the machine is.

#[cfg(target_os = "linux")]
#[path = "../tests/processes/hide.rs"]
mod hide;

#[cfg(not(target_os = "linux"))]
fn main() {
    println!("agents are confined on Linux only");
}

#[cfg(target_os = "linux")]
fn main() {
    linux::main();
}

#[cfg(target_os = "linux")]
mod linux {
    use std::path::Path;
    use std::process::Command;
    use std::time::{Duration, Instant};

    use damier_host::terms::{Confinement, Terms};
    use damier_kit::AnyGame;
    use damier_pacman::Pacman;
    use damier_process::{Manifest, agents::foreign, confine};

    use crate::hide::{LANDLOCK, NAMESPACES, hide};

    const STARTS: usize = 300;
    const HIDDEN: &str = "DAMIER_HIDDEN";

    pub fn main() {
        let folder = std::env::temp_dir().join(format!("start-cost-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a temporary folder");
        let measured = if let Ok(folder) = std::env::var(HIDDEN) {
            measure(Path::new(&folder), &[Confinement::Full])
        } else {
            build(&folder);
            let rows = measure(&folder, &[Confinement::Off, Confinement::Full]);
            print("unconfined", rows[0]);
            print(&layers(), rows[1]);
            for calls in [LANDLOCK, NAMESPACES] {
                let mut other = Command::new(std::env::current_exe().expect("this program"));
                hide(other.env(HIDDEN, &folder), calls);
                assert!(other.status().expect("it runs").success());
            }
            Vec::new()
        };
        if let [confined] = measured[..] {
            print(&layers(), confined);
        }
        let _ = std::fs::remove_dir_all(folder);
    }

    /// The time of a start, and the mean processor time of a start and an end.
    #[derive(Clone, Copy)]
    struct Cost {
        median: Duration,
        quickest_tenth: Duration,
        cpu: Duration,
    }

    fn print(name: &str, Cost { median, quickest_tenth, cpu }: Cost) {
        println!("{name:<32} {median:>8.2?}   quickest tenth {quickest_tenth:>8.2?}   processor {cpu:>8.2?}");
    }

    /// Processor time of this process and of all children it has waited for.
    fn processor_time() -> Duration {
        let of = |who| {
            // SAFETY: a structure of plain numbers, which the call fills.
            unsafe {
                let mut usage: libc::rusage = std::mem::zeroed();
                libc::getrusage(who, &raw mut usage);
                [usage.ru_utime, usage.ru_stime]
            }
        };
        let times = [of(libc::RUSAGE_SELF), of(libc::RUSAGE_CHILDREN)].concat();
        times.iter().map(|time| Duration::new(time.tv_sec as u64, time.tv_usec as u32 * 1000)).sum()
    }

    fn layers() -> String {
        confine::report().layers().0.join(", ")
    }

    fn build(folder: &Path) {
        let program = "#include <stdio.h>\n#include <string.h>\nint main(void) {\n  static char line[1 << 16];\n\
            while (fgets(line, sizeof line, stdin)) {\n    if (!strncmp(line, \"hello\", 5)) puts(\"hello 1 c\");\n\
            if (!strncmp(line, \"start\", 5)) puts(\"ready\");\n    if (!strncmp(line, \"quit\", 4)) return 0;\n\
            fflush(stdout);\n  }\n}\n";
        std::fs::write(folder.join("agent.c"), program).expect("the folder is ours");
        let built = Command::new("cc").args(["-O1", "-o", "agent", "agent.c"]).current_dir(folder).status();
        assert!(built.is_ok_and(|status| status.success()), "a C compiler is needed");
    }

    /// The cost of a start under each confinement, measured in alternation.
    fn measure(folder: &Path, confinements: &[Confinement]) -> Vec<Cost> {
        let level = Pacman.open("#####\n#P..#\n#####\n", "course").expect("it is well formed");
        let text = "name = \"c\"\ncommand = \"./agent\"\nwire = \"text\"\n";
        let contestant = foreign(Manifest::parse(text, folder).expect("it is well formed"));
        let mut measured = vec![(Vec::new(), Duration::ZERO); confinements.len()];
        for _ in 0..STARTS {
            for ((times, cpu), &confinement) in measured.iter_mut().zip(confinements) {
                let terms = Terms { confinement, ..Terms::default() };
                // The kernel cleans up after the previous agent, which is not part of this start.
                std::thread::sleep(Duration::from_millis(20));
                let (started, before) = (Instant::now(), processor_time());
                let mut seat = contestant.sit(Pacman.info(), level.as_ref(), 0, 1, &terms).expect("it can");
                seat.begin(level.table(1, 0).as_ref()).expect("it starts");
                times.push(started.elapsed());
                drop(seat);
                *cpu += processor_time().saturating_sub(before);
            }
        }
        let cost = |(times, cpu): &mut (Vec<Duration>, Duration)| Cost {
            median: *times.select_nth_unstable(STARTS / 2).1,
            quickest_tenth: *times.select_nth_unstable(STARTS / 10).1,
            cpu: *cpu / STARTS as u32,
        };
        measured.iter_mut().map(cost).collect()
    }
}
