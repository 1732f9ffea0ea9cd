//! Processes on systems other than Linux: threads read and write the pipes. Nothing is confined, and neither processor time nor
//! memory is measured.

use std::io::{self, Read, Write};
use std::process::{Child as Spawned, ExitStatus};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::time::{Duration, Instant};

use damier_kit::fault::{Fault, FaultCode};
use damier_kit::time;

use super::{Deadline, EXIT_GRACE, Silence};
use crate::process::group::Group;
use crate::process::order::Order;
use crate::process::output::Output;
use crate::process::scratch::Scratch;

/// Size of a read, in bytes.
const CHUNK: usize = 16 << 10;
/// Capacity of the event queue; a process that writes faster blocks.
const QUEUE: usize = 64;

/// Event from the threads that serve a process.
enum Event {
    /// Bytes of standard output.
    Output(Vec<u8>),
    /// Standard output is closed.
    Closed,
    /// Bytes of standard error.
    Log(Vec<u8>),
    /// A message was written, or the process no longer reads.
    Written,
}

/// A running process. Dropping it kills it and everything it has started.
pub struct Child {
    spawned: Spawned,
    group: Group,
    input: Option<Sender<Vec<u8>>>,
    /// Number of messages passed to the writer and not yet written.
    unwritten: usize,
    events: Receiver<Event>,
    output: Output,
    closed: bool,
    status: Option<ExitStatus>,
    scratch: Scratch,
}

impl Child {
    /// Starts a process.
    pub fn start(order: &Order<'_>) -> Result<Self, Fault> {
        let program = order.program()?;
        let cannot = |error: io::Error| order.not_started(&error);
        Scratch::remove_leftovers_once();
        let scratch = Scratch::new()?;
        let mut command = order.to_command(&program, &scratch.path);
        Group::prepare(&mut command);
        let mut spawned = command.spawn().map_err(cannot)?;
        let group = Group::of(&spawned).map_err(cannot)?;
        let (sender, events) = sync_channel(QUEUE);
        let stdin = spawned.stdin.take().expect("it is piped");
        let stdout = spawned.stdout.take().expect("it is piped");
        let stderr = spawned.stderr.take().expect("it is piped");
        let input = write_in_thread(stdin, sender.clone()).map_err(cannot)?;
        read_in_thread(stdout, sender.clone(), Event::Output, Some(Event::Closed)).map_err(cannot)?;
        read_in_thread(stderr, sender, Event::Log, None).map_err(cannot)?;
        Ok(Self {
            spawned,
            group,
            input: Some(input),
            unwritten: 0,
            events,
            output: Output::default(),
            closed: false,
            status: None,
            scratch,
        })
    }

    /// Writes a message to its standard input.
    pub fn write(&mut self, bytes: &[u8], deadline: Deadline) -> Result<(), Silence> {
        let Some(input) = &self.input else { return Ok(()) };
        if input.send(bytes.to_vec()).is_ok() {
            self.unwritten += 1;
        }
        // A process that has closed its output may still have answered: its lines are read first.
        while self.unwritten > 0 && !self.closed {
            self.receive(deadline)?;
        }
        Ok(())
    }

    /// Restarts the count of output bytes for a new question.
    pub fn begin_question(&mut self) {
        self.output.begin_question();
    }

    /// How long the referee itself was stalled: not measured here.
    #[cfg_attr(target_os = "linux", expect(dead_code, reason = "only other systems run this"))]
    #[expect(clippy::unused_self, reason = "it is measured on Linux")]
    pub fn stalled(&mut self) -> Duration {
        Duration::ZERO
    }

    /// The next line of its standard output.
    pub fn line(&mut self, deadline: Deadline) -> Result<String, Silence> {
        loop {
            if let Some(line) = self.output.next_line() {
                return Ok(line);
            }
            if self.closed {
                return Err(self.fault_at_exit().into());
            }
            self.receive(deadline)?;
        }
    }

    /// The start of a line whose end has not come yet.
    pub fn unfinished(&self) -> String {
        self.output.unfinished()
    }

    /// What it wrote to its log and its trace since the last call.
    pub fn take_log(&mut self) -> String {
        // Text logged before an answer may arrive after it, through the other thread. A fault will show at the next question.
        while let Ok(event) = self.events.try_recv() {
            let _ = self.handle(event);
        }
        self.output.take_log() + &self.scratch.take_trace()
    }

    /// Does nothing: agents that are not to move are suspended on Linux only.
    #[expect(clippy::unused_self, reason = "the interface is that of Linux")]
    pub fn pause(&self) {}

    /// Does nothing: it was not suspended.
    #[expect(clippy::unused_self, reason = "the interface is that of Linux")]
    pub fn resume(&self) {}

    /// The last refused operation: `None` without confinement.
    #[expect(clippy::unused_self, reason = "the interface is that of Linux")]
    pub fn refused(&self) -> Option<&'static str> {
        None
    }

    /// Its processor time: not measured.
    #[expect(clippy::unused_self, reason = "the interface is that of Linux")]
    pub fn cpu(&self) -> Option<Duration> {
        None
    }

    /// Checks its memory limit: not measured.
    #[expect(clippy::unused_self, clippy::unnecessary_wraps, reason = "the interface is that of Linux")]
    pub fn check_memory(&self) -> Result<(), Fault> {
        Ok(())
    }

    /// Closes its input and gives it time to exit by itself.
    pub fn leave(&mut self, timeout: Duration) {
        self.input = None;
        let deadline = Deadline { wall: Instant::now() + timeout, cpu: None };
        while !self.closed && self.receive(deadline).is_ok() {
            self.output.drop_lines();
        }
    }

    /// Waits for its exit until the deadline. Its output may be closed long before.
    pub fn exit(&mut self, deadline: Deadline) -> Result<ExitStatus, Silence> {
        while !self.closed {
            self.receive(deadline)?;
            self.output.drop_lines();
        }
        loop {
            let fault = self.fault_at_exit();
            match self.status {
                Some(status) => return Ok(status),
                None if fault.code == FaultCode::Output => return Err(fault.into()),
                None if Instant::now() >= deadline.wall => return Err(Silence::Late),
                None => {}
            }
        }
    }

    /// Waits for the next event and handles it.
    fn receive(&mut self, deadline: Deadline) -> Result<(), Silence> {
        let left = deadline.wall.saturating_duration_since(Instant::now());
        match self.events.recv_timeout(left) {
            Err(RecvTimeoutError::Timeout) => Err(Silence::Late),
            Err(RecvTimeoutError::Disconnected) => {
                self.closed = true;
                Ok(())
            }
            Ok(event) => Ok(self.handle(event)?),
        }
    }

    fn handle(&mut self, event: Event) -> Result<(), Fault> {
        match event {
            Event::Output(bytes) => self.output.hear(&bytes)?,
            Event::Log(bytes) => self.output.hear_log(&bytes)?,
            Event::Closed => self.closed = true,
            Event::Written => self.unwritten -= 1,
        }
        Ok(())
    }

    /// The fault of a process that has closed its output or ended; waits briefly for its exit.
    fn fault_at_exit(&mut self) -> Fault {
        let limit = Instant::now() + EXIT_GRACE;
        self.input = None;
        // The end of its log is the best explanation.
        while let Ok(event) = self.events.recv_timeout(limit.saturating_duration_since(Instant::now())) {
            if let Err(fault) = self.handle(event) {
                return fault;
            }
        }
        while self.status.is_none() {
            self.status = self.spawned.try_wait().ok().flatten();
            if Instant::now() >= limit {
                break;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        let ending = match self.status.map(|status| status.code()) {
            None => "it closed its standard output".to_owned(),
            Some(Some(0)) => "it ended before the game was over".to_owned(),
            Some(Some(code)) => format!("it ended with exit code {code}"),
            Some(None) => "it was ended by a signal".to_owned(),
        };
        self.output.fault_of_end(ending, None, |_| true)
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        self.group.kill();
        // It may have left its group, and must be reaped.
        let _ = self.spawned.kill();
        let _ = self.spawned.wait();
    }
}

/// Starts a thread that reports everything from a pipe, until it is closed or the receiver is dropped.
fn read_in_thread(
    mut pipe: impl Read + Send + 'static,
    events: SyncSender<Event>,
    event: fn(Vec<u8>) -> Event,
    end: Option<Event>,
) -> io::Result<()> {
    time::spawn("agent-reader", None, move || {
        let mut buffer = vec![0; CHUNK];
        loop {
            match pipe.read(&mut buffer) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Ok(0) | Err(_) => break,
                Ok(read) => {
                    if events.send(event(buffer[..read].to_vec())).is_err() {
                        return;
                    }
                }
            }
        }
        if let Some(end) = end {
            // The receiver is gone if the process was dropped meanwhile.
            let _ = events.send(end);
        }
    })
}

/// Starts a thread that writes messages to a pipe and reports each; the pipe is closed when the sender is dropped.
fn write_in_thread(
    mut pipe: impl Write + Send + 'static,
    events: SyncSender<Event>,
) -> io::Result<Sender<Vec<u8>>> {
    let (sender, messages) = channel::<Vec<u8>>();
    time::spawn("agent-writer", None, move || {
        for message in messages {
            // A process that no longer reads may still answer what it has read.
            let _ = pipe.write_all(&message).and_then(|()| pipe.flush());
            if events.send(Event::Written).is_err() {
                return;
            }
        }
    })?;
    Ok(sender)
}

#[cfg(all(test, unix))]
mod tests {
    use damier_host::terms::Confinement;
    use damier_kit::fault::FaultCode;

    use super::*;

    fn start(script: &str) -> Child {
        let command = ["sh", "-c", script].map(str::to_owned);
        let order = Order {
            command: &command,
            folder: &std::env::temp_dir(),
            writes_folder: false,
            memory_mb: 512,
            processes: 16,
            confinement: Confinement::Off,
        };
        Child::start(&order).expect("there is a shell")
    }

    fn within(milliseconds: u64) -> Deadline {
        Deadline { wall: Instant::now() + Duration::from_millis(milliseconds), cpu: None }
    }

    fn fault<T>(result: Result<T, Silence>) -> Fault {
        match result {
            Err(Silence::Fault(fault)) => fault,
            Err(Silence::Late) => panic!("it was late instead"),
            Ok(_) => panic!("nothing was wrong"),
        }
    }

    #[test]
    fn a_process_answers_logs_and_ends() {
        let mut child = start("echo begun >&2; while read -r line; do echo \"<$line>\"; done");
        child.pause();
        child.resume();
        for word in ["one", "two"] {
            child.write(format!("{word}\n").as_bytes(), within(5000)).unwrap();
            assert_eq!(child.line(within(5000)).unwrap(), format!("<{word}>"));
        }
        child.begin_question();
        assert_eq!((child.unfinished().as_str(), child.refused(), child.cpu()), ("", None, None));
        child.check_memory().unwrap();
        child.leave(Duration::from_secs(5));
        assert!(child.exit(within(5000)).unwrap().success());
        assert_eq!(child.take_log(), "begun\n");
    }

    #[test]
    fn a_silent_process_is_late_whether_it_is_asked_or_told() {
        let mut child = start("sleep 60");
        let started = Instant::now();
        assert!(matches!(child.line(within(50)), Err(Silence::Late)));
        let more_than_a_pipe_holds = vec![b'x'; 4 << 20];
        assert!(matches!(child.write(&more_than_a_pipe_holds, within(50)), Err(Silence::Late)));
        drop(child);
        assert!(started.elapsed() < Duration::from_secs(10));
    }

    #[test]
    fn an_answer_before_the_end_is_heard_and_the_end_explained() {
        let mut child = start("echo act; echo 'no such cell' >&2; exit 3");
        assert_eq!(child.line(within(5000)).unwrap(), "act");
        let fault = fault(child.line(within(5000)));
        assert_eq!(fault.code, FaultCode::Crash);
        assert_eq!(fault.detail, "it ended with exit code 3; its last log line: no such cell");
    }

    #[test]
    fn a_flood_is_cut_off() {
        let mut child = start("head -c 100000 /dev/zero | tr '\\0' x; sleep 60");
        assert_eq!(fault(child.line(within(5000))).code, FaultCode::Output);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn its_children_are_killed_with_it() {
        let mut child = start("sleep 60 & echo $!; wait");
        let pid = child.line(within(5000)).unwrap();
        let lives = || {
            let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
            !stat.is_empty() && !stat.contains(") Z")
        };
        assert!(lives());
        drop(child);
        let limit = Instant::now() + Duration::from_secs(5);
        while lives() && Instant::now() < limit {
            std::thread::sleep(Duration::from_millis(5));
        }
        assert!(!lives(), "{pid} still runs");
    }
}
