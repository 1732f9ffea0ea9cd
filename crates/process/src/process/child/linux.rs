//! Processes on Linux: pipes, processor time and memory, and the system calls the kernel asks about.

use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child as Spawned, ExitStatus};
use std::time::{Duration, Instant};

use damier_kit::fault::{Fault, FaultCode};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::{Pid, Signal, kill_process_group};

use super::{Deadline, LAST_BREATH, Silence};
use crate::confine::calls::{Listener, Request, Wish};
use crate::process::gauge::{cpu_clock, group_of, living, members, read_clock, resident};
use crate::process::order::{Order, Scratch};
use crate::process::output::Output;
use crate::process::spawn::{prepare, spawn};

/// Bytes read at once.
const CHUNK: usize = 16 << 10;
/// Refused system calls after which an agent no longer counts as harmless.
const MAX_REFUSALS: u32 = 8;
/// Busy-waiting time for quick answers: on an idle machine waking up takes longer than such an answer.
const ALERT: Duration = Duration::from_micros(150);
/// How often a silent process is checked.
const TICK: Duration = Duration::from_millis(10);

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
    output: Output,
    scratch: Option<Scratch>,
    status: Option<ExitStatus>,
}

impl Child {
    /// Starts a process.
    pub fn start(order: &Order<'_>) -> Result<Self, Fault> {
        let program = order.program()?;
        let cannot = |error: io::Error| order.not_started(&error);
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
            output: Output::default(),
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
        self.output.ask();
    }

    /// The next line that it says.
    pub fn line(&mut self, deadline: Deadline) -> Result<String, Silence> {
        self.stay_alert();
        loop {
            if let Some(line) = self.output.next_line() {
                return Ok(line);
            }
            self.wait(deadline, false)?;
        }
    }

    /// Waits a moment for a quick answer without falling asleep, and gives way to whoever else wants to run.
    fn stay_alert(&self) {
        let until = Instant::now() + ALERT;
        while !self.output.has_line() && !readable(&self.stdout) && Instant::now() < until {
            std::thread::yield_now();
        }
    }

    /// What it has said of a line that has not ended yet.
    pub fn unfinished(&self) -> String {
        self.output.unfinished()
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
        if deadline.cpu.is_some_and(|limit| self.cpu() > Some(limit)) {
            return Err(Silence::Late);
        }
        self.check_memory()?;
        if let Ok(Some(status)) = self.spawned.try_wait() {
            self.status = Some(status);
            self.read_lines()?;
            if !self.output.has_line() {
                return Err(self.last_breath().into());
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

    /// What it wrote to its log since the last time.
    pub fn take_log(&mut self) -> String {
        self.output.take_log()
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
        self.output.remark(&format!("it {refused}, which was refused"));
        if self.refusals > MAX_REFUSALS {
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
    pub fn cpu(&self) -> Option<Duration> {
        if self.processes > 1 {
            return Some(members(self.group()).into_iter().filter_map(cpu_clock).map(read_clock).sum());
        }
        self.clock.map(read_clock)
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
        self.output.fault_of_end(ending, self.refused)
    }

    /// Gives it a moment to end by itself.
    pub fn leave(&mut self, patience: Duration) {
        self.stdin = None;
        let deadline = Deadline { wall: Instant::now() + patience, cpu: None };
        while self.status.is_none() && self.wait(deadline, false).is_ok() {
            self.output.drop_lines();
        }
    }

    /// Waits for its end; its exit, if it ended in time.
    pub fn exit(&mut self, deadline: Deadline) -> Result<ExitStatus, Silence> {
        loop {
            if let Some(status) = self.status {
                return Ok(status);
            }
            match self.wait(deadline, false) {
                Ok(()) => self.output.drop_lines(),
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
