//! The conversation with an agent process during a game: clocks, strikes, faults.

pub(crate) mod child;
#[cfg(target_os = "linux")]
mod gauge;
#[cfg(any(test, not(target_os = "linux")))]
mod group;
pub(crate) mod order;
mod output;
#[cfg(target_os = "linux")]
mod spawn;
mod tools;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use damier_core::agent::Clock;
use damier_core::game::Seat;
use damier_core::insight::Insight;
use damier_kit::Info;
use damier_kit::fault::{Fault, FaultCode};
use damier_kit::replay::End;
use damier_kit::table::{OpenLevel, Seated, Table};

use crate::manifest::Manifest;
use crate::protocol::{Answer, Message, PROTO, add_insight};
use child::{Child, Deadline, Silence};
use damier_host::ENGINE;
use damier_host::terms::{ClockKind, Confinement, Terms};
use order::Order;

/// Time an agent has to end by itself after `quit`.
const FAREWELL: Duration = Duration::from_millis(250);
/// Time limit of a build.
const BUILD_TIME: Duration = Duration::from_mins(2);
const BUILD_MEMORY_MB: u64 = 4096;
const BUILD_PROCESSES: u32 = 64;
/// Wall time limit under a processor clock: this many times the processor time, and a little more.
const PATIENCE: u32 = 5;
const MORE_PATIENCE: Duration = Duration::from_secs(1);

/// An agent process at a seat. The process starts when the game [begins](Seated::begin), at the latest at its first turn, and is killed
/// when this is dropped.
pub struct ProcessAgent {
    manifest: Arc<Manifest>,
    terms: Terms,
    game: &'static Info,
    rules: String,
    level: String,
    seat: Seat,
    seats: usize,
    id: String,
    child: Option<Child>,
    /// Number of decisions so far.
    n: u32,
    bank: Duration,
    strikes: u32,
    /// Turns that cost a strike and whose late answer may still come.
    given_up: Vec<u32>,
    cpu: Option<Duration>,
    /// Processor time of this process when it was last read.
    counted_cpu: Duration,
    log: String,
    warnings: Vec<Fault>,
    line: Vec<u8>,
}

/// Result of a question.
enum Decided {
    Action(String),
    /// A fault that costs a strike.
    Strike(Fault),
}

impl ProcessAgent {
    /// An agent process for a game on this level; it is not started yet.
    pub fn new(
        manifest: Arc<Manifest>,
        game: &'static Info,
        open: &dyn OpenLevel,
        seat: Seat,
        terms: &Terms,
    ) -> Result<Self, Fault> {
        static GAMES: AtomicU64 = AtomicU64::new(0);
        let number = GAMES.fetch_add(1, Ordering::Relaxed);
        let level = open.print(game.formats[0].name);
        Ok(Self {
            manifest,
            game,
            rules: open.rules().to_owned(),
            level: level.map_err(|error| Fault::new(FaultCode::Build, error.to_string()))?,
            seat,
            seats: open.facts().seats.len(),
            id: format!("{:x}-{number:x}", std::process::id()),
            child: None,
            n: 0,
            bank: terms.bank,
            strikes: 0,
            given_up: Vec::new(),
            cpu: None,
            counted_cpu: Duration::ZERO,
            log: String::new(),
            warnings: Vec::new(),
            line: Vec::new(),
            terms: terms.clone(),
        })
    }

    /// Starts the process and exchanges `hello`, `start` and `ready`.
    fn start(&mut self) -> Result<(), Fault> {
        let mut child = Child::start(&Order {
            command: &self.manifest.command,
            folder: &self.manifest.folder,
            writes_folder: false,
            memory_mb: self.terms.memory_mb,
            processes: self.manifest.processes.min(self.terms.processes.max(1)),
            confinement: self.terms.confinement,
        })?;
        let introduced = self.introduce(&mut child);
        self.log += &child.take_log();
        self.counted_cpu = child.cpu().unwrap_or_default();
        if introduced.is_ok() {
            self.child = Some(child);
        }
        introduced
    }

    fn introduce(&mut self, child: &mut Child) -> Result<(), Fault> {
        let deadline = self.deadline(child, self.terms.init);
        let late = |silence, waited_for| match silence {
            Silence::Fault(fault) => fault,
            Silence::Late => {
                let within = self.terms.init.as_millis();
                Fault::new(FaultCode::Timeout, format!("no `{waited_for}` within {within} ms of its start"))
            }
        };
        let hello = Message::Hello { engine: ENGINE, game: self.game.name, rules: &self.rules };
        let answer =
            self.exchange(child, &hello, deadline, "hello").map_err(|silence| late(silence, "hello"))?;
        if let Answer::Hello { proto, .. } = answer
            && proto != PROTO
        {
            let detail = format!("it speaks version {proto} of the protocol; this is version {PROTO}");
            return Err(Fault::new(FaultCode::Protocol, detail));
        }
        let level: Vec<&str> = self.level.lines().collect();
        let (id, player, players) = (&*self.id, self.seat, self.seats);
        let start = Message::Start { id, player, players, terms: &self.terms, level: &level };
        self.exchange(child, &start, deadline, "ready").map_err(|silence| late(silence, "ready"))?;
        Ok(())
    }

    /// Sends a message and waits for the answer of this kind.
    fn exchange(
        &self,
        child: &mut Child,
        message: &Message<'_>,
        deadline: Deadline,
        wanted: &str,
    ) -> Result<Answer, Silence> {
        let mut line = Vec::new();
        self.manifest.wire.write(message, &mut line);
        child.ask();
        child.write(&line, deadline)?;
        loop {
            let line = child.line(deadline)?;
            let answer = self.manifest.wire.read(&line).map_err(|wrong| malformed(&wrong, &line))?;
            if answer.name() == wanted {
                return Ok(answer);
            }
            if !matches!(answer, Answer::Info(_)) {
                let detail = format!("`{}` where `{wanted}` was expected", answer.name());
                return Err(Fault::new(FaultCode::Protocol, detail).into());
            }
        }
    }

    fn deadline(&self, child: &Child, time: Duration) -> Deadline {
        let now = Instant::now();
        match self.terms.clock {
            ClockKind::Wall => Deadline { wall: now + time, cpu: None },
            ClockKind::Cpu => Deadline {
                wall: now + time * PATIENCE + MORE_PATIENCE,
                cpu: child.cpu().map(|used| used + time),
            },
        }
    }

    /// Asks for a decision. An error loses the game.
    fn ask(
        &mut self,
        child: &mut Child,
        table: &dyn Table,
        legal: &[String],
        insight: &mut Insight,
    ) -> Result<Decided, Fault> {
        self.line.clear();
        let observation = table.observe(self.seat);
        let bank_ms = self.bank.as_millis() as u64;
        let turn = Message::Turn { n: self.n, bank_ms, legal, observation: &observation };
        self.manifest.wire.write(&turn, &mut self.line);
        let allowed = self.terms.turn + self.terms.grace + self.bank;
        child.ask();
        let decided = match child.write(&self.line, self.deadline(child, allowed)) {
            Ok(()) => {
                let started = Instant::now();
                let deadline = self.deadline(child, allowed);
                let heard = self.hear(child, insight, deadline);
                self.cpu = self.count_cpu(child);
                let used = self.cpu.filter(|_| self.terms.clock == ClockKind::Cpu);
                self.charge(used.unwrap_or_else(|| started.elapsed()), heard)
            }
            Err(silence) => self.charge(allowed, Err(silence)),
        };
        self.log += &child.take_log();
        child.check_memory()?;
        decided
    }

    /// Processor time since the last call. The kernel's figure for a running process lags a little: what is missing is counted with the
    /// next turn.
    fn count_cpu(&mut self, child: &Child) -> Option<Duration> {
        let total = child.cpu()?;
        Some(total.saturating_sub(std::mem::replace(&mut self.counted_cpu, total)))
    }

    /// Reads answers until one is a decision.
    fn hear(
        &mut self,
        child: &mut Child,
        insight: &mut Insight,
        deadline: Deadline,
    ) -> Result<Decided, Silence> {
        loop {
            let line = child.line(deadline)?;
            match self.manifest.wire.read(&line) {
                Err(wrong) => return Ok(Decided::Strike(malformed(&wrong, &line))),
                Ok(Answer::Info(new)) => add_insight(insight, new),
                // An answer to a turn that was given up came too late: that has cost a strike already.
                Ok(Answer::Act { n, .. }) if self.given_up.contains(&n) => {
                    self.given_up.retain(|&turn| turn != n);
                }
                Ok(Answer::Act { n, .. }) if n != self.n => {
                    let detail = format!("it answered turn {n}, but was asked for turn {}", self.n);
                    return Ok(Decided::Strike(Fault::new(FaultCode::Protocol, detail)));
                }
                Ok(Answer::Act { action, .. }) => return Ok(Decided::Action(action)),
                Ok(other) => {
                    let detail = format!("`{}` where `act` was expected", other.name());
                    return Ok(Decided::Strike(Fault::new(FaultCode::Protocol, detail)));
                }
            }
        }
    }

    /// Charges the bank for the time used.
    fn charge(&mut self, used: Duration, heard: Result<Decided, Silence>) -> Result<Decided, Fault> {
        let beyond = used.saturating_sub(self.terms.turn + self.terms.grace);
        let late = beyond > self.bank || matches!(heard, Err(Silence::Late));
        match heard {
            Err(Silence::Fault(fault)) => Err(fault),
            Ok(decided) if !late => {
                self.bank -= beyond;
                Ok(decided)
            }
            Ok(_) | Err(Silence::Late) => {
                let detail = format!(
                    "no answer to turn {} within {} ms, {} ms of grace and {} ms left in the bank",
                    self.n,
                    self.terms.turn.as_millis(),
                    self.terms.grace.as_millis(),
                    self.bank.as_millis()
                );
                self.bank = Duration::ZERO;
                Ok(Decided::Strike(Fault::new(FaultCode::Timeout, detail)))
            }
        }
    }

    /// Plays the agent's action, or another one in its place while it has strikes left.
    fn take(&mut self, decided: Decided, table: &mut dyn Table, legal: &[String]) -> Result<(), Fault> {
        let fault = match decided {
            Decided::Strike(fault) => fault,
            Decided::Action(action) => match table.act(&action) {
                Ok(()) => return Ok(()),
                Err(illegal) => Fault::new(FaultCode::Illegal, format!("`{action}`: {illegal}")),
            },
        };
        self.strikes += 1;
        self.given_up.push(self.n);
        if self.strikes >= self.terms.strikes {
            return Err(fault);
        }
        if table.idle().is_none_or(|idle| table.act(idle).is_err()) {
            table.act(&legal[0]).expect("a legal action is legal");
        }
        let message = Message::Fault { n: self.n, fault: &fault, strikes: self.strikes };
        self.say(&message);
        self.warnings.push(fault);
        Ok(())
    }

    /// Sends a message that needs no answer. Whether the agent reads it does not matter.
    fn say(&mut self, message: &Message<'_>) {
        let Some(child) = &mut self.child else { return };
        self.line.clear();
        self.manifest.wire.write(message, &mut self.line);
        let deadline = Deadline { wall: Instant::now() + FAREWELL, cpu: None };
        let _ = child.write(&self.line, deadline);
    }
}

impl Seated for ProcessAgent {
    fn begin(&mut self, _table: &dyn Table) -> Result<(), Fault> {
        if self.child.is_none() { self.start() } else { Ok(()) }
    }

    fn play(&mut self, table: &mut dyn Table, _clock: &Clock, insight: &mut Insight) -> Result<(), Fault> {
        self.begin(table)?;
        let legal = table.legal();
        self.n += 1;
        let mut child = self.child.take().expect("it was begun");
        let decided = self.ask(&mut child, table, &legal, insight);
        self.child = Some(child);
        let taken = decided.and_then(|decided| self.take(decided, table, &legal));
        if self.manifest.stateless || taken.is_err() {
            self.child = None;
        }
        taken
    }

    fn cpu(&self) -> Option<Duration> {
        self.cpu
    }

    fn take_log(&mut self) -> String {
        std::mem::take(&mut self.log)
    }

    fn take_warnings(&mut self) -> Vec<Fault> {
        std::mem::take(&mut self.warnings)
    }

    fn end(&mut self, end: &End) {
        let (result, reason) = (end.outcome.name(), &*end.reason);
        self.say(&Message::End { result, reason, turns: end.turns, scores: &end.scores });
        self.say(&Message::Quit);
        if let Some(mut child) = self.child.take() {
            child.leave(FAREWELL);
            self.log += &child.take_log();
        }
    }
}

fn malformed(wrong: &str, line: &str) -> Fault {
    let shown: String = line.chars().take(80).collect();
    Fault::new(FaultCode::Malformed, format!("`{shown}`: {wrong}"))
}

/// Runs the build step in the agent's folder, which is writable then.
pub fn build(manifest: &Manifest, confinement: Confinement) -> Result<(), Fault> {
    let Some(command) = &manifest.build else { return Ok(()) };
    let failed = |detail: String| Fault::new(FaultCode::Build, format!("`{}`: {detail}", command.join(" ")));
    let mut child = Child::start(&Order {
        command,
        folder: &manifest.folder,
        writes_folder: true,
        memory_mb: BUILD_MEMORY_MB,
        processes: BUILD_PROCESSES,
        confinement,
    })
    .map_err(|fault| failed(fault.detail))?;
    let deadline = Deadline { wall: Instant::now() + BUILD_TIME, cpu: None };
    match child.exit(deadline) {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => {
            let code = status.code().map_or("a signal".to_owned(), |code| format!("exit code {code}"));
            Err(failed(format!("it ended with {code}\n{}", child.take_log().trim_end())))
        }
        Err(Silence::Late) => Err(failed(format!("it took more than {} s", BUILD_TIME.as_secs()))),
        Err(Silence::Fault(fault)) => Err(failed(fault.detail)),
    }
}
