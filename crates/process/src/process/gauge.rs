//! What processes use: processor time, memory, each other.

use std::time::Duration;

/// The clock of the processor time of a process.
pub fn cpu_clock(pid: i32) -> Option<libc::clockid_t> {
    let mut clock = 0;
    // SAFETY: `clock` is a valid place for the answer. rustix does not know the clocks of other processes.
    (unsafe { libc::clock_getcpuclockid(pid, &raw mut clock) } == 0).then_some(clock)
}

/// What it shows; nothing if the process is gone.
pub fn read_clock(clock: libc::clockid_t) -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `time` is a valid place for the answer; it stays zero if the process is gone. rustix reads no such clock.
    unsafe { libc::clock_gettime(clock, &raw mut time) };
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// The bytes of memory that a process uses; none if it is gone.
pub fn resident(pid: i32) -> u64 {
    let statm = std::fs::read_to_string(format!("/proc/{pid}/statm")).unwrap_or_default();
    let pages: u64 = statm.split(' ').nth(1).and_then(|pages| pages.parse().ok()).unwrap_or(0);
    pages * rustix::param::page_size() as u64
}

/// How many processes of a group are not merely waiting to be forgotten.
pub fn living(group: i32) -> usize {
    let dead = |pid: &i32| {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        stat.rsplit_once(')').is_none_or(|(_, rest)| rest.trim_start().starts_with('Z'))
    };
    members(group).iter().filter(|pid| !dead(pid)).count()
}

/// The processes of a group.
pub fn members(group: i32) -> Vec<i32> {
    let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    processes
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .filter(|&pid| group_of(pid) == Some(group))
        .collect()
}

/// The group of a process; `None` if it is gone.
pub fn group_of(pid: i32) -> Option<i32> {
    // SAFETY: a plain question without pointers. rustix has no answer for kernel threads, whose group is 0.
    let group = unsafe { libc::getpgid(pid) };
    (group >= 0).then_some(group)
}
