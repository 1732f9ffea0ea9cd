//! Resource use of processes: processor time, memory, threads, child processes.

use std::collections::BTreeSet;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::Duration;

/// The processor-time clock of a process.
pub fn cpu_clock(pid: i32) -> Option<libc::clockid_t> {
    let mut clock = 0;
    // SAFETY: `clock` is a valid place for the answer. rustix does not support the clocks of other processes.
    (unsafe { libc::clock_getcpuclockid(pid, &raw mut clock) } == 0).then_some(clock)
}

/// Reads a processor-time clock; zero if the process is gone.
pub fn read_clock(clock: libc::clockid_t) -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `time` is a valid place for the answer; it stays zero if the process is gone. rustix cannot read such clocks.
    unsafe { libc::clock_gettime(clock, &raw mut time) };
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// Size of address space from which page tables are counted too: they take 1/512 of it.
const LARGE_SPACE: u64 = 8 << 30;

/// The memory use of a process, in bytes; 0 if it is gone.
pub fn resident(pid: i32) -> u64 {
    let statm = std::fs::read_to_string(format!("/proc/{pid}/statm")).unwrap_or_default();
    let mut pages = statm.split(' ').map(|pages| pages.parse().unwrap_or(0));
    let mut bytes = || pages.next().unwrap_or(0) * rustix::param::page_size() as u64;
    let (space, resident) = (bytes(), bytes());
    resident + if space > LARGE_SPACE { page_tables(pid) } else { 0 }
}

/// Size of the page tables of a process, in bytes. Untouched or only read memory uses nothing else.
fn page_tables(pid: i32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let kilobytes = status.lines().find_map(|line| line.strip_prefix("VmPTE:")?.trim().strip_suffix(" kB"));
    kilobytes.and_then(|kilobytes| kilobytes.trim().parse::<u64>().ok()).unwrap_or(0) << 10
}

/// Assumed size of a deleted file that is still mapped, because its real size is unknown.
const MAPPED_AND_DELETED: u64 = 16 << 20;

/// Total size of files in a folder that were deleted and that a process still holds, open or mapped.
pub fn deleted_files(pid: i32, folder: &Path) -> u64 {
    let open = std::fs::read_dir(format!("/proc/{pid}/fd")).into_iter().flatten().flatten();
    let files = open.filter_map(|descriptor| std::fs::metadata(descriptor.path()).ok());
    let open: u64 =
        files.filter(|file| file.is_file() && file.nlink() == 0).map(|file| file.blocks() * 512).sum();
    let maps = std::fs::read_to_string(format!("/proc/{pid}/maps")).unwrap_or_default();
    let folder = folder.to_string_lossy();
    let mapped: BTreeSet<&str> = maps
        .lines()
        .filter(|line| line.ends_with(" (deleted)") && line.contains(&*folder))
        .filter_map(|line| line.split_whitespace().nth(4))
        .collect();
    open + mapped.len() as u64 * MAPPED_AND_DELETED
}

/// The number of threads of a process; 0 if it is gone.
pub fn threads(pid: i32) -> usize {
    std::fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().count()
}

/// The processor time of a process's reaped children.
pub fn cpu_of_reaped_children(pid: i32) -> Duration {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    // After the name in brackets: state, ten numbers, its own time (user, system), that of its children (user, system).
    let fields = stat.rsplit_once(')').map_or("", |(_, rest)| rest).split_whitespace();
    let ticks: u64 = fields.skip(13).take(2).filter_map(|field| field.parse::<u64>().ok()).sum();
    Duration::from_millis(ticks * 1000 / rustix::param::clock_ticks_per_second())
}

/// The parent of a process: the one that started it or adopted it.
pub fn parent(pid: i32) -> Option<i32> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    stat.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse().ok()
}

/// The number of processes of a group that are not zombies.
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

/// The ids of a process and its threads in their own namespace.
pub fn pids_in_namespace(pid: i32) -> impl Iterator<Item = i32> {
    let tasks = std::fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
    tasks.filter_map(|task| {
        let status = std::fs::read_to_string(task.path().join("status")).ok()?;
        let numbers = status.lines().find_map(|line| line.strip_prefix("NSpid:"))?;
        numbers.split_whitespace().last()?.parse().ok()
    })
}

/// The group of a process; `None` if it is gone.
fn group_of(pid: i32) -> Option<i32> {
    // SAFETY: a plain system call without pointers. rustix cannot represent the group of kernel threads, which is 0.
    let group = unsafe { libc::getpgid(pid) };
    (group >= 0).then_some(group)
}
