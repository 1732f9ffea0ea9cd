//! A running process: its pipes, its log, its processor time and memory, and what it asks the kernel for.

use std::collections::VecDeque;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child as Spawned, ExitStatus};
use std::time::{Duration, Instant};

use damier_kit::fault::{Fault, FaultCode};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::{Pid, Signal, kill_process_group};

use super::gauge::{cpu_clock, group_of, living, members, read_clock, resident};
use super::spawn::{Order, Scratch, prepare, spawn};
use super::tools::{find, tools};
use crate::confine::calls::{Listener, Request, Wish};

/// What is read at once.
const CHUNK: usize = 16 << 10;
/// The longest line that an answer may be.
const LONGEST_LINE: usize = 64 << 10;
/// What an agent may write to its standard output between two questions.
const MOST_OUTPUT: usize = 1 << 20;
/// What is kept of its log between two questions.
const KEPT_LOG: usize = 64 << 10;
/// What is remembered of its end, for its last words.
const KEPT_TAIL: usize = 1 << 10;
/// What it may write to its log in all.
const MOST_LOG: usize = 16 << 20;
/// Refused calls after which an agent is not taken for a harmless one any more.
const MOST_REFUSALS: u32 = 8;
/// How long a quick answer is awaited without falling asleep: on an idle machine waking up takes longer than such an answer.
const ALERT: Duration = Duration::from_micros(150);
/// How often a silent process is looked at.
const TICK: Duration = Duration::from_millis(10);
/// How long a process that has closed its output is given to end.
const LAST_BREATH: Duration = Duration::from_millis(200);

/// How programs say that they were not allowed to do something: the kernel refuses files without telling us.
const SIGNS_OF_REFUSAL: &[&str] = &["Permission denied", "Operation not permitted", "EACCES", "EPERM"];
/// How programs say that they got no more memory.
const SIGNS_OF_LITTLE_MEMORY: &[&str] =
    &["MemoryError", "out of memory", "Cannot allocate memory", "bad_alloc", "memory allocation of"];

/// When to give up on a process.
#[derive(Clone, Copy, Debug)]
pub struct Deadline {
    /// The time that may pass.
    pub wall: Instant,
    /// The processor time that it may have used in all.
    pub cpu: Option<Duration>,
}

/// Why there is no line.
#[derive(Debug)]
pub enum Silence {
    /// The deadline has passed.
    Late,
    /// The process did something that loses the game.
    Fault(Fault),
}

impl From<Fault> for Silence {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

/// A running process. When it is dropped, it and all its children are gone.
pub struct Child {
    spawned: Spawned,
    stdin: Option<OwnedFd>,
    stdout: OwnedFd,
    stderr: OwnedFd,
    listener: Option<Listener>,
    clock: Option<libc::clockid_t>,
    memory_mb: u64,
    processes: u32,
    refusals: u32,
    /// What was refused last.
    refused: Option<&'static str>,
    incoming: Vec<u8>,
    lines: VecDeque<String>,
    heard: usize,
    log: Vec<u8>,
    log_written: usize,
    /// The end of its log.
    tail: Vec<u8>,
    scratch: Option<Scratch>,
    status: Option<ExitStatus>,
}

impl Child {
    /// Starts a process.
    pub fn start(order: &Order<'_>) -> Result<Self, Fault> {
        let program = find(&tools().path, order.folder, &order.command[0]).ok_or_else(|| {
            Fault::new(FaultCode::Crash, format!("there is no program `{}` to start", order.command[0]))
        })?;
        let cannot = |error: io::Error| {
            Fault::new(FaultCode::Crash, format!("`{}` cannot be started: {error}", order.command.join(" ")))
        };
        let scratch = Scratch::new().map_err(cannot)?;
        let (command, channel) = prepare(order, &program, &scratch.0).map_err(cannot)?;
        let mut spawned = spawn(command).map_err(cannot)?;
        let listener = channel.as_ref().and_then(Listener::receive);
        let stdin = OwnedFd::from(spawned.stdin.take().expect("it is piped"));
        let stdout = OwnedFd::from(spawned.stdout.take().expect("it is piped"));
        let stderr = OwnedFd::from(spawned.stderr.take().expect("it is piped"));
        for end in [&stdin, &stdout, &stderr] {
            do_not_block(end);
        }
        Ok(Self {
            clock: cpu_clock(spawned.id() as i32),
            spawned,
            stdin: Some(stdin),
            stdout,
            stderr,
            listener,
            memory_mb: order.memory_mb,
            processes: order.processes,
            refusals: 0,
            refused: None,
            incoming: Vec::new(),
            lines: VecDeque::new(),
            heard: 0,
            log: Vec::new(),
            log_written: 0,
            tail: Vec::new(),
            scratch: Some(scratch),
            status: None,
        })
    }

    fn group(&self) -> i32 {
        self.spawned.id() as i32
    }

    /// Writes all of it.
    pub fn write(&mut self, mut bytes: &[u8], deadline: Deadline) -> Result<(), Silence> {
        while !bytes.is_empty() {
            let Some(stdin) = &self.stdin else { return Ok(()) };
            match rustix::io::write(stdin, bytes) {
                Ok(written) => bytes = &bytes[written..],
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => self.wait(deadline, true)?,
                // It does not listen any more. If it has an answer nevertheless, it will be heard.
                Err(_) => self.stdin = None,
            }
        }
        Ok(())
    }

    /// Forgets how much was said so far: a new question is asked.
    pub fn ask(&mut self) {
        self.heard = 0;
    }

    /// The next line that it says.
    pub fn line(&mut self, deadline: Deadline) -> Result<String, Silence> {
        self.stay_alert();
        loop {
            if let Some(line) = self.lines.pop_front() {
                return Ok(line);
            }
            self.wait(deadline, false)?;
        }
    }

    /// Waits a moment for a quick answer without falling asleep, and gives way to whoever else wants to run.
    fn stay_alert(&self) {
        let until = Instant::now() + ALERT;
        while self.lines.is_empty() && !readable(&self.stdout) && Instant::now() < until {
            std::thread::yield_now();
        }
    }

    /// What it has said of a line that has not ended yet.
    pub fn unfinished(&self) -> String {
        String::from_utf8_lossy(&self.incoming).into_owned()
    }

    /// Waits until something happens, and takes it in.
    fn wait(&mut self, deadline: Deadline, to_write: bool) -> Result<(), Silence> {
        let now = Instant::now();
        if now >= deadline.wall {
            return Err(Silence::Late);
        }
        let patience = (deadline.wall - now).min(TICK);
        let Some([stderr, stdout, listener]) = self.poll(patience, to_write) else {
            return self.look(deadline);
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
        } else if stdout.contains(PollFlags::HUP) {
            return Err(self.last_breath().into());
        }
        let log_closed = stderr.contains(PollFlags::HUP) && !stderr.contains(PollFlags::IN);
        if log_closed && stdout.is_empty() && listener.is_empty() {
            // A closed log would end every wait at once.
            std::thread::sleep(Duration::from_millis(1));
            return self.look(deadline);
        }
        Ok(())
    }

    /// Waits for something to read, or to write if there is: what happened on its log, its output and its listener. `None`
    /// if nothing did.
    fn poll(&self, patience: Duration, to_write: bool) -> Option<[PollFlags; 3]> {
        let mut polled =
            vec![PollFd::new(&self.stderr, PollFlags::IN), PollFd::new(&self.stdout, PollFlags::IN)];
        polled.extend(self.listener.as_ref().map(|listener| PollFd::new(listener, PollFlags::IN)));
        let stdin = self.stdin.as_ref().filter(|_| to_write);
        polled.extend(stdin.map(|stdin| PollFd::new(stdin, PollFlags::OUT)));
        let timeout = Timespec::try_from(patience).ok()?;
        poll(&mut polled, Some(&timeout)).ok().filter(|&ready| ready > 0)?;
        let listener = if self.listener.is_some() { polled[2].revents() } else { PollFlags::empty() };
        Some([polled[0].revents(), polled[1].revents(), listener])
    }

    /// Looks at a process that is silent: time, memory, and whether it still lives.
    fn look(&mut self, deadline: Deadline) -> Result<(), Silence> {
        if deadline.cpu.is_some_and(|limit| self.cpu() > limit) {
            return Err(Silence::Late);
        }
        self.check_memory()?;
        if let Ok(Some(status)) = self.spawned.try_wait() {
            self.status = Some(status);
            self.read_lines()?;
            if self.lines.is_empty() {
                return Err(self.last_breath().into());
            }
        }
        Ok(())
    }

    fn read_lines(&mut self) -> Result<(), Fault> {
        let mut buffer = [0; CHUNK];
        let read = read(&self.stdout, &mut buffer);
        self.heard += read;
        for &byte in &buffer[..read] {
            if byte != b'\n' {
                self.incoming.push(byte);
                continue;
            }
            let line = String::from_utf8_lossy(&self.incoming);
            self.lines.push_back(line.trim_end_matches('\r').to_owned());
            self.incoming.clear();
        }
        if self.incoming.len() > LONGEST_LINE {
            let detail = format!("it wrote a line of more than {LONGEST_LINE} bytes");
            return Err(Fault::new(FaultCode::Output, detail));
        }
        if self.heard > MOST_OUTPUT {
            let detail = format!("it wrote more than {MOST_OUTPUT} bytes in one turn");
            return Err(Fault::new(FaultCode::Output, detail));
        }
        Ok(())
    }

    fn read_log(&mut self) -> Result<(), Fault> {
        let mut buffer = [0; CHUNK];
        let read = read(&self.stderr, &mut buffer);
        self.log_written += read;
        let room = KEPT_LOG.saturating_sub(self.log.len());
        self.log.extend_from_slice(&buffer[..read.min(room)]);
        self.tail.extend_from_slice(&buffer[..read]);
        self.tail.drain(..self.tail.len().saturating_sub(KEPT_TAIL));
        if self.log_written > MOST_LOG {
            let detail = format!("it wrote more than {MOST_LOG} bytes to its log (standard error)");
            return Err(Fault::new(FaultCode::Output, detail));
        }
        Ok(())
    }

    /// What it wrote to its log since the last time.
    pub fn take_log(&mut self) -> String {
        let log = String::from_utf8_lossy(&self.log).into_owned();
        self.log.clear();
        log
    }

    /// Answers a call that the kernel asks about.
    fn answer_request(&mut self) -> Result<(), Fault> {
        let Some(listener) = self.listener.take() else { return Ok(()) };
        let Some(request) = listener.next() else {
            self.listener = Some(listener);
            return Ok(());
        };
        let judged = self.judge(request);
        match &judged {
            Ok(true) => listener.allow(request),
            Ok(false) | Err(_) => listener.refuse(request),
        }
        self.listener = Some(listener);
        judged.map(|_| ())
    }

    /// May the call happen? What nobody does by accident loses the game at once, the rest after several times.
    fn judge(&mut self, request: Request) -> Result<bool, Fault> {
        let refused = match request.wish {
            Wish::Signal(0) => return Ok(true),
            Wish::Signal(target) => {
                let group = if target < 0 { target.checked_neg() } else { group_of(target) };
                if group == Some(self.group()) {
                    return Ok(true);
                }
                let detail = format!("it tried to send a signal to a process that is not its own ({target})");
                return Err(Fault::new(FaultCode::Forbidden, detail));
            }
            Wish::Process if (members(self.group()).len() as u32) < self.processes => return Ok(true),
            Wish::Process if self.processes > 1 => "tried to start more processes than it may have",
            Wish::Process => "tried to start another process",
            Wish::Socket => "tried to open a network connection",
        };
        self.refused = Some(refused);
        self.refusals += 1;
        self.log.extend_from_slice(format!("[damier] it {refused}, which was refused\n").as_bytes());
        if self.refusals > MOST_REFUSALS {
            let detail = format!("it {refused}, again and again");
            return Err(Fault::new(FaultCode::Forbidden, detail));
        }
        Ok(false)
    }

    /// What was refused last, if anything was.
    pub fn refused(&self) -> Option<&'static str> {
        self.refused
    }

    /// The processor time of all its processes so far.
    pub fn cpu(&self) -> Duration {
        if self.processes > 1 {
            return members(self.group()).into_iter().filter_map(cpu_clock).map(read_clock).sum();
        }
        self.clock.map(read_clock).unwrap_or_default()
    }

    /// Is it within its memory?
    pub fn check_memory(&self) -> Result<(), Fault> {
        let used = if self.processes > 1 {
            members(self.group()).into_iter().map(resident).sum()
        } else {
            resident(self.group())
        };
        if used <= self.memory_mb << 20 {
            return Ok(());
        }
        let detail = format!("it uses {} MB of memory; it may use {}", used >> 20, self.memory_mb);
        Err(Fault::new(FaultCode::Memory, detail))
    }

    /// It has closed its output or ended: waits for its end and says what happened.
    fn last_breath(&mut self) -> Fault {
        let limit = Instant::now() + LAST_BREATH;
        while self.status.is_none() && Instant::now() < limit {
            self.status = self.spawned.try_wait().ok().flatten();
            if self.status.is_none() {
                std::thread::sleep(Duration::from_millis(1));
            }
        }
        // What it said last tells most about why.
        while self.read_log().is_ok() && readable(&self.stderr) {}
        let ending = match self.status {
            None => "it closed its standard output".to_owned(),
            Some(status) => describe(status),
        };
        let words = self.last_words();
        let says = |signs: &[&str]| signs.iter().any(|sign| words.contains(sign));
        let (code, mut detail) = match self.refused {
            Some(refused) => {
                (FaultCode::Forbidden, format!("it {refused}, which was refused; then {ending}"))
            }
            None if says(SIGNS_OF_REFUSAL) => (FaultCode::Forbidden, ending),
            None if says(SIGNS_OF_LITTLE_MEMORY) => (FaultCode::Memory, ending),
            None => (FaultCode::Crash, ending),
        };
        if !words.is_empty() {
            detail = format!("{detail}; its last words: {words}");
        }
        Fault::new(code, detail)
    }

    /// The last line of its log that says something.
    fn last_words(&self) -> String {
        let tail = String::from_utf8_lossy(&self.tail);
        let words = tail.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default();
        words.trim().chars().take(200).collect()
    }

    /// Gives it a moment to end by itself.
    pub fn leave(&mut self, patience: Duration) {
        self.stdin = None;
        let deadline = Deadline { wall: Instant::now() + patience, cpu: None };
        while self.status.is_none() && self.wait(deadline, false).is_ok() {
            self.lines.clear();
        }
    }

    /// Waits for its end; its exit, if it ended in time.
    pub fn exit(&mut self, deadline: Deadline) -> Result<ExitStatus, Silence> {
        loop {
            if let Some(status) = self.status {
                return Ok(status);
            }
            match self.wait(deadline, false) {
                Ok(()) => self.lines.clear(),
                Err(Silence::Fault(_)) if self.status.is_some() => {}
                Err(silence) => return Err(silence),
            }
        }
    }

    fn kill(&mut self) {
        // The group is that of our child, whose number is not given away until it was waited for. It may be gone already.
        let _ = kill_process_group(Pid::from_child(&self.spawned), Signal::KILL);
        // Its children are not ours to wait for, but they are dying: they hold the scratch folder until they have.
        let limit = Instant::now() + LAST_BREATH;
        while self.processes > 1 && living(self.group()) > 0 {
            if Instant::now() >= limit {
                break;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        if self.status.is_none() {
            let _ = self.spawned.wait();
        }
        self.scratch = None;
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        self.kill();
    }
}

fn do_not_block(descriptor: &OwnedFd) {
    // A pipe that is open does not refuse this.
    let _ = rustix::io::ioctl_fionbio(descriptor, true);
}

/// How many bytes came; none if there are none now, or never again.
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
        (None, Some(libc::SIGABRT)) => "it gave up by itself (abort)".to_owned(),
        (None, Some(libc::SIGFPE)) => "it divided by zero or the like (arithmetic error)".to_owned(),
        (None, Some(libc::SIGXFSZ)) => "it wrote a file that is too large".to_owned(),
        (None, signal) => format!("it was ended by signal {}", signal.unwrap_or_default()),
    }
}
