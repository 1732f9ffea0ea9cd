//! Processes on Linux: pipes, processor time and memory, and the system calls the kernel asks about.

use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child as Spawned, ExitStatus};
use std::time::{Duration, Instant};

use damier_kit::fault::{Fault, FaultCode};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::{Pid, PidfdFlags, Signal, kill_process_group, pidfd_open, pidfd_send_signal};

use super::{Deadline, EXIT_GRACE, Silence, Stall};
use crate::confine::announce::Announcement;
use crate::confine::cage::{Allowed, Quota};
use crate::confine::calls::{Listener, Operation};
use crate::confine::modes::Writable;
use crate::confine::view;
use crate::process::gauge::{
    cpu_clock, cpu_of_reaped_children, living, members, parent, pids_in_namespace, read_clock, resident,
    threads,
};
use crate::process::order::Order;
use crate::process::output::Output;
use crate::process::scratch::{Scratch, fits_quota};
use crate::process::spawn::{Prepared, prepare, spawn, uses_namespaces};

/// Size of a read, in bytes.
const CHUNK: usize = 16 << 10;
/// Refused system calls after which an agent no longer counts as harmless.
const MAX_REFUSALS: u32 = 8;
/// Busy-waiting time for quick answers: on an idle machine, waking up takes longer than a quick answer.
const BUSY_WAIT: Duration = Duration::from_micros(150);
/// Maximum number of threads of an agent; common language runtimes have a dozen.
const MAX_THREADS: usize = 64;
/// Interval between checks of a process, however busy it is.
const TICK: Duration = Duration::from_millis(10);
/// Interval between checks of the folder in which an agent is built, which may hold many files.
const FOLDER_CHECK_INTERVAL: Duration = Duration::from_millis(500);
/// Time until a new process or thread becomes visible, on an idle machine.
const START: Duration = Duration::from_millis(1);
/// Up to this limit, the referee waits for every start before it judges the next one.
const SMALL_LIMIT: usize = 16;

/// The leader of an agent's process group.
struct Agent {
    pid: i32,
    /// Refers to this process even if its pid is reused.
    handle: Option<OwnedFd>,
}

impl Agent {
    fn new(pid: i32) -> Self {
        let handle = Pid::from_raw(pid).and_then(|pid| pidfd_open(pid, PidfdFlags::empty()).ok());
        Self { pid, handle }
    }

    fn kill(&self) {
        if let Some(handle) = &self.handle {
            // It fails if the process has ended.
            let _ = pidfd_send_signal(handle, Signal::KILL);
        }
    }

    /// Sends a signal to its group, unless it has ended.
    fn signal_group(&self, signal: Signal) {
        let ended = self.handle.as_ref().is_some_and(readable);
        if let Some(pid) = Pid::from_raw(self.pid).filter(|_| !ended) {
            let _ = kill_process_group(pid, signal);
        }
    }
}

/// Event that a wait is for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Until {
    /// Output to read.
    Output,
    /// Output to read, or room to write input.
    Input,
    /// Exit of the process, which may close its output long before.
    Exit,
}

/// Decision about a call that the kernel asks about.
enum Judgement {
    Allow,
    Refuse,
    /// The referee has carried it out.
    Done,
}

/// A running process. Dropping it kills it and everything it has started.
pub struct Child {
    /// The process that was started: the agent itself, or its warden.
    spawned: Spawned,
    /// The agent's own process, the leader of its group.
    agent: Agent,
    /// Its init or its warden, which reaps its orphans.
    keeper: Option<i32>,
    stdin: Option<OwnedFd>,
    stdout: OwnedFd,
    stderr: OwnedFd,
    listener: Option<Listener>,
    clock: Option<libc::clockid_t>,
    memory_mb: u64,
    processes: u32,
    refusals: u32,
    /// Description of the last refused operation.
    refused: Option<&'static str>,
    output: Output,
    /// What it can see, if its view is restricted.
    allowed: Option<Allowed>,
    /// Folders that it may write.
    writable: Vec<Writable>,
    quota: Quota,
    /// The folder in which it is built, and the time of its last check.
    built: Option<(PathBuf, Instant)>,
    /// Time of the last check.
    checked: Instant,
    stall: Stall,
    scratch: Option<Scratch>,
    status: Option<ExitStatus>,
}

impl Child {
    /// Starts a process.
    pub fn start(order: &Order<'_>) -> Result<Self, Fault> {
        let program = order.program()?;
        let cannot = |error: io::Error| order.not_started(&error);
        Scratch::remove_leftovers_once();
        let folder = if uses_namespaces(order) { None } else { Some(Scratch::new()?) };
        let seen = folder.as_ref().map_or_else(view::scratch, |folder| folder.path.clone());
        let Prepared { command, confined } = prepare(order, &program, &seen).map_err(cannot)?;
        let mut spawned = spawn(command).map_err(cannot)?;
        let (allowed, channel) = confined.unzip();
        let announced = channel.as_ref().map(Announcement::receive).unwrap_or_default();
        if channel.is_some() && !announced.is_complete() {
            // The announcement was lost because no descriptor was left to receive it.
            let _ = (spawned.kill(), spawned.wait());
            return Err(cannot(io::Error::from_raw_os_error(libc::EMFILE)));
        }
        let agent = Agent::new(announced.pid.unwrap_or(spawned.id() as i32));
        let scratch = folder.or_else(|| announced.scratch.map(Scratch::private));
        let stdin = OwnedFd::from(spawned.stdin.take().expect("it is piped"));
        let stdout = OwnedFd::from(spawned.stdout.take().expect("it is piped"));
        let stderr = OwnedFd::from(spawned.stderr.take().expect("it is piped"));
        for end in [&stdin, &stdout, &stderr] {
            set_nonblocking(end);
        }
        Ok(Self {
            clock: cpu_clock(agent.pid),
            keeper: announced.pid.and_then(parent),
            spawned,
            agent,
            stdin: Some(stdin),
            stdout,
            stderr,
            listener: announced.listener,
            memory_mb: order.memory_mb,
            processes: order.processes,
            refusals: 0,
            refused: None,
            output: Output::default(),
            allowed: allowed.filter(|_| uses_namespaces(order)),
            writable: writable(order, &seen, scratch.as_ref()),
            quota: order.quota(),
            built: order.writes_folder.then(|| (order.real_folder(), Instant::now())),
            checked: Instant::now(),
            stall: Stall::none(),
            scratch,
            status: None,
        })
    }

    fn group(&self) -> i32 {
        self.agent.pid
    }

    /// Is the agent a child of a warden?
    fn has_warden(&self) -> bool {
        self.agent.pid != self.spawned.id() as i32
    }

    /// Writes a message to its standard input.
    pub fn write(&mut self, mut bytes: &[u8], deadline: Deadline) -> Result<(), Silence> {
        while !bytes.is_empty() {
            let Some(stdin) = &self.stdin else { return Ok(()) };
            match rustix::io::write(stdin, bytes) {
                Ok(written) => bytes = &bytes[written..],
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => self.wait(deadline, Until::Input)?,
                // It has closed its input. If it still answers, the answer is read.
                Err(_) => self.stdin = None,
            }
        }
        Ok(())
    }

    /// Restarts the count of output bytes and stalls for a new question.
    pub fn begin_question(&mut self) {
        self.output.begin_question();
        self.stall = Stall::none();
    }

    /// How long the referee itself was stalled since the last question.
    pub fn stalled(&mut self) -> Duration {
        self.stall.notice(Instant::now());
        self.stall.time
    }

    /// The next line of its standard output.
    pub fn line(&mut self, deadline: Deadline) -> Result<String, Silence> {
        self.busy_wait();
        loop {
            if let Some(line) = self.output.next_line() {
                return Ok(line);
            }
            self.wait(deadline, Until::Output)?;
        }
    }

    /// Waits briefly for a quick answer without sleeping, yielding to other threads.
    fn busy_wait(&self) {
        let until = Instant::now() + BUSY_WAIT;
        while !self.output.has_line() && !readable(&self.stdout) && Instant::now() < until {
            std::thread::yield_now();
        }
    }

    /// The start of a line whose end has not come yet.
    pub fn unfinished(&self) -> String {
        self.output.unfinished()
    }

    /// Waits for the next event and handles it.
    fn wait(&mut self, deadline: Deadline, until: Until) -> Result<(), Silence> {
        let now = Instant::now();
        self.stall.notice(now);
        let wall = deadline.wall + self.stall.time;
        if now >= wall {
            return Err(Silence::Late);
        }
        if now.duration_since(self.checked) >= TICK {
            self.check(deadline)?;
        }
        let timeout = (wall - now).min(TICK);
        let Some([stderr, stdout, listener]) = self.poll(timeout, until == Until::Input) else {
            return self.check(deadline);
        };
        if stderr.contains(PollFlags::IN) {
            self.read_log()?;
        }
        if listener.contains(PollFlags::IN) {
            self.answer_request()?;
        } else if listener.intersects(PollFlags::HUP | PollFlags::ERR) {
            self.listener = None;
        }
        if stdout.contains(PollFlags::IN) {
            self.read_lines()?;
        } else if stdout.contains(PollFlags::HUP) && until != Until::Exit {
            return Err(self.fault_at_exit().into());
        }
        let closed = |pipe: PollFlags| pipe.contains(PollFlags::HUP) && !pipe.contains(PollFlags::IN);
        if listener.is_empty() && (closed(stdout) || closed(stderr) && stdout.is_empty()) {
            // Polling a closed pipe returns at once.
            std::thread::sleep(Duration::from_millis(1));
            return self.check(deadline);
        }
        Ok(())
    }

    /// Polls its log, its output and its listener, and its input if there is something to write. `None` if nothing happened
    /// before the timeout.
    fn poll(&self, timeout: Duration, to_write: bool) -> Option<[PollFlags; 3]> {
        let mut polled =
            vec![PollFd::new(&self.stderr, PollFlags::IN), PollFd::new(&self.stdout, PollFlags::IN)];
        polled.extend(self.listener.as_ref().map(|listener| PollFd::new(listener, PollFlags::IN)));
        let stdin = self.stdin.as_ref().filter(|_| to_write);
        polled.extend(stdin.map(|stdin| PollFd::new(stdin, PollFlags::OUT)));
        let timeout = Timespec::try_from(timeout).ok()?;
        poll(&mut polled, Some(&timeout)).ok().filter(|&ready| ready > 0)?;
        let listener = if self.listener.is_some() { polled[2].revents() } else { PollFlags::empty() };
        Some([polled[0].revents(), polled[1].revents(), listener])
    }

    /// Checks time, memory, disk use, and whether it is still running.
    fn check(&mut self, deadline: Deadline) -> Result<(), Silence> {
        self.checked = Instant::now();
        if deadline.cpu.is_some_and(|limit| self.cpu() > Some(limit)) {
            return Err(Silence::Late);
        }
        self.check_memory()?;
        self.check_numbers()?;
        self.check_disk()?;
        if let Ok(Some(status)) = self.spawned.try_wait() {
            self.status = Some(status);
            self.read_lines()?;
            if !self.output.has_line() {
                return Err(self.fault_at_exit().into());
            }
        }
        Ok(())
    }

    fn read_lines(&mut self) -> Result<(), Fault> {
        let mut buffer = [0; CHUNK];
        let read = read(&self.stdout, &mut buffer);
        self.output.hear(&buffer[..read])
    }

    fn read_log(&mut self) -> Result<(), Fault> {
        let mut buffer = [0; CHUNK];
        let read = read(&self.stderr, &mut buffer);
        self.output.hear_log(&buffer[..read])
    }

    /// What it wrote to its log and its trace since the last call.
    pub fn take_log(&mut self) -> String {
        self.output.take_log() + &self.scratch.as_mut().map(Scratch::take_trace).unwrap_or_default()
    }

    /// Answers a call that the kernel asks about.
    fn answer_request(&mut self) -> Result<(), Fault> {
        let Some(listener) = self.listener.take() else { return Ok(()) };
        let Some(request) = listener.next() else {
            self.listener = Some(listener);
            return Ok(());
        };
        let before = self.count(&request.operation);
        let judged = self.judge(&request.operation);
        match &judged {
            Ok(Judgement::Allow) => {
                listener.allow(&request);
                if let Some(before) =
                    before.filter(|&before| self.is_close_to_limit(&request.operation, before))
                {
                    self.wait_for_one_more(&request.operation, before);
                }
            }
            Ok(Judgement::Done) => listener.report_done(&request),
            Ok(Judgement::Refuse) | Err(_) => listener.refuse(&request),
        }
        self.listener = Some(listener);
        judged.map(|_| ())
    }

    /// Decides about a call. An operation that cannot be an accident loses the game at once, others after several refusals.
    fn judge(&mut self, operation: &Operation) -> Result<Judgement, Fault> {
        let refused = match operation {
            Operation::Signal(0) => return Ok(Judgement::Allow),
            &Operation::Signal(target) if self.owns(target) => return Ok(Judgement::Allow),
            &Operation::Signal(target) => {
                let detail = format!("it tried to send a signal to a process that is not its own ({target})");
                return Err(Fault::new(FaultCode::Forbidden, detail));
            }
            Operation::Mode(change) => {
                let made = change.as_ref().is_some_and(|change| change.make(&self.writable).is_ok());
                return Ok(if made { Judgement::Done } else { Judgement::Refuse });
            }
            Operation::Thread if self.threads() < MAX_THREADS => return Ok(Judgement::Allow),
            Operation::Thread => "tried to start more threads than it may have",
            Operation::Process if self.pids().count() < self.processes as usize => {
                return Ok(Judgement::Allow);
            }
            Operation::Process if self.processes > 1 => "tried to start more processes than it may have",
            Operation::Process => "tried to start another process",
            Operation::Socket => "tried to open a network connection",
        };
        self.refused = Some(refused);
        self.refusals += 1;
        self.output.remark(&format!("it {refused}, which was refused"));
        if self.refusals > MAX_REFUSALS {
            let detail = format!("it {refused}, again and again");
            return Err(Fault::new(FaultCode::Forbidden, detail));
        }
        Ok(Judgement::Refuse)
    }

    /// Does this pid, or negated process group, belong to the agent? It is a number of the agent's namespace.
    fn owns(&self, target: i32) -> bool {
        let number = target.checked_abs();
        self.pids().any(|pid| pids_in_namespace(pid).any(|n| Some(n) == number))
    }

    /// The pids of its processes.
    fn pids(&self) -> impl Iterator<Item = i32> + use<> {
        let all = if self.processes > 1 { members(self.group()) } else { vec![self.group()] };
        all.into_iter()
    }

    /// The number of threads of all its processes.
    fn threads(&self) -> usize {
        self.pids().map(threads).sum()
    }

    /// Current number of processes or threads, if the operation starts one more.
    fn count(&self, operation: &Operation) -> Option<usize> {
        match operation {
            Operation::Process => Some(self.pids().count()),
            Operation::Thread => Some(self.threads()),
            Operation::Mode(_) | Operation::Socket | Operation::Signal(_) => None,
        }
    }

    /// Could starts that are not visible yet exceed the limit? Far from the limit the referee does not wait, because a signal could
    /// interrupt the next start meanwhile, which programs take for a failure.
    fn is_close_to_limit(&self, operation: &Operation, count: usize) -> bool {
        let limit = if *operation == Operation::Thread { MAX_THREADS } else { self.processes as usize };
        limit <= SMALL_LIMIT || 2 * count >= limit
    }

    /// Waits briefly until the new process or thread is visible, so that the next request counts it.
    fn wait_for_one_more(&self, operation: &Operation, before: usize) {
        let limit = Instant::now() + START;
        while self.count(operation) == Some(before) && Instant::now() < limit {
            std::thread::yield_now();
        }
    }

    /// Checks that it has not bypassed the limits on processes and threads by starting many at once.
    fn check_numbers(&self) -> Result<(), Fault> {
        let what = if self.pids().count() > 2 * self.processes as usize {
            "processes"
        } else if self.threads() > 2 * MAX_THREADS {
            "threads"
        } else {
            return Ok(());
        };
        Err(Fault::new(FaultCode::Forbidden, format!("it has more {what} than it may have")))
    }

    /// Suspends it until it is to move again, so that its opponent has the processor for itself.
    pub fn pause(&self) {
        self.agent.signal_group(Signal::STOP);
    }

    /// Resumes it.
    pub fn resume(&self) {
        self.agent.signal_group(Signal::CONT);
    }

    /// The last refused operation, if any.
    pub fn refused(&self) -> Option<&'static str> {
        self.refused
    }

    /// The processor time of all its processes so far.
    pub fn cpu(&self) -> Option<Duration> {
        if self.processes > 1 {
            let used = |pid| cpu_clock(pid).map_or(Duration::ZERO, read_clock) + cpu_of_reaped_children(pid);
            // Orphans were reaped by the process that adopted them.
            let of_orphans = self.keeper.map_or(Duration::ZERO, cpu_of_reaped_children);
            return Some(self.pids().map(used).sum::<Duration>() + of_orphans);
        }
        self.clock.map(read_clock)
    }

    /// Checks its memory limit.
    pub fn check_memory(&self) -> Result<(), Fault> {
        let used = self.pids().map(resident).sum::<u64>() + self.scratch.as_ref().map_or(0, Scratch::memory);
        if used <= self.memory_mb << 20 {
            return Ok(());
        }
        let detail = format!("it uses {} MB of memory; it may use {}", used >> 20, self.memory_mb);
        Err(Fault::new(FaultCode::Memory, detail))
    }

    /// Checks the quota of its scratch folder and of the folder in which it is built.
    fn check_disk(&mut self) -> Result<(), Fault> {
        let Quota { megabytes, files } = self.quota;
        let too_much = |place| {
            let detail = format!("it wrote more than {megabytes} MB or {files} files to its {place} folder");
            Err(Fault::new(FaultCode::Output, detail))
        };
        if self.scratch.as_ref().is_some_and(|scratch| !scratch.fits_quota(self.quota, self.pids())) {
            return too_much("scratch");
        }
        let Some((folder, checked)) = &mut self.built else { return Ok(()) };
        if checked.elapsed() < FOLDER_CHECK_INTERVAL {
            return Ok(());
        }
        *checked = Instant::now();
        if fits_quota(folder, self.quota) { Ok(()) } else { too_much("own") }
    }

    /// The fault of a process that has closed its output or ended; waits briefly for its exit.
    fn fault_at_exit(&mut self) -> Fault {
        let limit = Instant::now() + EXIT_GRACE;
        while self.status.is_none() && Instant::now() < limit {
            self.status = self.spawned.try_wait().ok().flatten();
            if self.status.is_none() {
                std::thread::sleep(Duration::from_millis(1));
            }
        }
        // The end of its log is the best explanation.
        while self.read_log().is_ok() && readable(&self.stderr) {}
        let ending = match self.status {
            None => "it closed its standard output".to_owned(),
            Some(status) => describe(status),
        };
        if self.status.and_then(|status| status.signal()) == Some(libc::SIGSYS) {
            return Fault::new(FaultCode::Forbidden, ending);
        }
        let sees = |path: &Path| self.allowed.as_ref().is_none_or(|allowed| view::shows(allowed, path));
        self.output.fault_of_end(ending, self.refused, sees)
    }

    /// Closes its input and gives it time to exit by itself.
    pub fn leave(&mut self, timeout: Duration) {
        self.stdin = None;
        let deadline = Deadline { wall: Instant::now() + timeout, cpu: None };
        while self.status.is_none() && self.wait(deadline, Until::Output).is_ok() {
            self.output.drop_lines();
        }
    }

    /// Waits for its exit until the deadline.
    pub fn exit(&mut self, deadline: Deadline) -> Result<ExitStatus, Silence> {
        loop {
            if let Some(status) = self.status {
                return Ok(status);
            }
            match self.wait(deadline, Until::Exit) {
                Ok(()) => self.output.drop_lines(),
                Err(Silence::Fault(_)) if self.status.is_some() => {}
                Err(silence) => return Err(silence),
            }
        }
    }

    fn kill(&mut self) {
        if self.has_warden() {
            // Everything that it has started ends with it, the warden last.
            self.agent.kill();
            self.wait_for_end(|child| child.status.is_some());
        }
        // The group is our child's, whose pid is not reused until it is reaped. It may be gone already.
        let _ = kill_process_group(Pid::from_child(&self.spawned), Signal::KILL);
        if !self.has_warden() && self.processes > 1 {
            // Its children are not ours to reap, but they are dying, and use the scratch folder until then.
            self.wait_for_end(|child| living(child.group()) == 0);
        }
        if self.status.is_none() {
            let _ = self.spawned.wait();
        }
        self.scratch = None;
    }

    /// Waits briefly until `ended` holds.
    fn wait_for_end(&mut self, ended: impl Fn(&Self) -> bool) {
        let limit = Instant::now() + EXIT_GRACE;
        while Instant::now() < limit {
            if self.status.is_none() && self.has_warden() {
                self.status = self.spawned.try_wait().ok().flatten();
            }
            if ended(self) {
                return;
            }
            std::thread::sleep(Duration::from_micros(200));
        }
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        self.kill();
    }
}

/// The folders that a process may write: their paths for the process and for the referee.
fn writable(order: &Order<'_>, seen: &Path, scratch: Option<&Scratch>) -> Vec<Writable> {
    let folder = order.writes_folder.then(|| order.real_folder());
    let folder = folder.map(|path| Writable { seen: path.clone(), path });
    let scratch = scratch.map(|scratch| Writable { seen: seen.to_owned(), path: scratch.path.clone() });
    folder.into_iter().chain(scratch).collect()
}

fn set_nonblocking(descriptor: &OwnedFd) {
    // This cannot fail on an open pipe.
    let _ = rustix::io::ioctl_fionbio(descriptor, true);
}

/// The number of bytes read; 0 if there are none, now or ever.
fn read(descriptor: &OwnedFd, buffer: &mut [u8]) -> usize {
    rustix::io::read(descriptor, buffer).unwrap_or(0)
}

fn readable(descriptor: &OwnedFd) -> bool {
    let mut polled = [PollFd::new(descriptor, PollFlags::IN)];
    poll(&mut polled, Some(&Timespec::default())).is_ok() && polled[0].revents().contains(PollFlags::IN)
}

fn describe(status: ExitStatus) -> String {
    match (status.code(), status.signal()) {
        (Some(0), _) => "it ended before the game was over".to_owned(),
        (Some(code), _) => format!("it ended with exit code {code}"),
        (None, Some(libc::SIGSEGV)) => {
            "it accessed memory that is not its own (segmentation fault)".to_owned()
        }
        (None, Some(libc::SIGABRT)) => "it aborted (SIGABRT)".to_owned(),
        (None, Some(libc::SIGFPE)) => "it made an arithmetic error such as a division by zero".to_owned(),
        (None, Some(libc::SIGSYS)) => "it made a system call of another architecture".to_owned(),
        (None, Some(libc::SIGXFSZ)) => "it wrote a file that is too large".to_owned(),
        (None, Some(libc::SIGKILL)) => {
            "it was killed from outside (signal 9), perhaps because this machine ran out of memory".to_owned()
        }
        (None, signal) => format!("it was ended by signal {}", signal.unwrap_or_default()),
    }
}
