//! The conversation with an agent process during a game: clocks, strikes, faults.

pub(crate) mod child;
#[cfg(target_os = "linux")]
mod gauge;
#[cfg(any(test, not(target_os = "linux")))]
mod group;
pub(crate) mod order;
mod output;
#[cfg(target_os = "linux")]
mod remove;
pub(crate) mod scratch;
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
use damier_kit::fault::{Fault, FaultCode, Leave};
use damier_kit::replay::End;
use damier_kit::table::{OpenLevel, Seated, Table};

use crate::manifest::Manifest;
use crate::protocol::{Answer, Message, PROTO, add_insight};
use child::{Child, Deadline, Silence};
use damier_host::ENGINE;
use damier_host::terms::{ClockKind, Confinement, Terms};
use order::Order;

/// Time an agent has to exit by itself after `quit`.
const QUIT_GRACE: Duration = Duration::from_millis(250);
/// Time limit of a build.
const BUILD_TIME: Duration = Duration::from_mins(2);
const BUILD_MEMORY_MB: u64 = 4096;
const BUILD_PROCESSES: u32 = 64;
/// Maximum insight that is kept, in bytes: per turn and per game.
const MAX_INSIGHT: usize = 64 << 10;
const MAX_GAME_INSIGHT: usize = 8 << 20;
/// Wall time limit under a processor clock: the processor time limit times this factor, plus this constant.
const CPU_CLOCK_WALL_FACTOR: u32 = 5;
const CPU_CLOCK_WALL_EXTRA: Duration = Duration::from_secs(1);
/// Maximum length of an agent's text in a fault or a reason, in characters.
const MAX_WORDS: usize = 300;

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
    /// Wall time of its turns so far.
    thought: Duration,
    strikes: u32,
    /// Turns that cost a strike and whose late answer may still arrive.
    given_up: Vec<u32>,
    cpu: Option<Duration>,
    /// Processor time of this process when it was last read.
    counted_cpu: Duration,
    log: String,
    warnings: Vec<Fault>,
    insight: InsightKept,
    line: Vec<u8>,
}

/// Amount of insight kept so far, in bytes.
#[derive(Default)]
struct InsightKept {
    turn: usize,
    game: usize,
    /// Has the log reported that some was dropped?
    reported: bool,
}

/// Result of a question.
enum Decided {
    Action(String),
    /// A fault that costs a strike.
    Strike(Fault),
    /// It reports that it has no answer.
    NoAnswer(Fault),
    /// It gives up, for this reason.
    Resign(String),
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
            thought: Duration::ZERO,
            strikes: 0,
            given_up: Vec::new(),
            cpu: None,
            counted_cpu: Duration::ZERO,
            log: String::new(),
            warnings: Vec::new(),
            insight: InsightKept::default(),
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
        // A stateless agent's later starts are part of its turns.
        self.counted_cpu = if self.n == 0 { child.cpu().unwrap_or_default() } else { Duration::ZERO };
        if introduced.is_ok() {
            self.pause_between_turns(&child);
            self.child = Some(child);
        }
        introduced
    }

    /// Starts the process if it is not running. Returns the start-up time that counts as part of the turn.
    fn start_for_turn(&mut self) -> Result<Duration, Fault> {
        if self.child.is_some() {
            return Ok(Duration::ZERO);
        }
        let started = Instant::now();
        self.start()?;
        Ok(if self.n == 0 { Duration::ZERO } else { started.elapsed() })
    }

    /// Suspends it while it is not to move, so that it does not take processor time from its opponent.
    fn pause_between_turns(&self, child: &Child) {
        if self.seats > 1 {
            child.pause();
        }
    }

    fn introduce(&mut self, child: &mut Child) -> Result<(), Fault> {
        let mut deadline = self.deadline(child, self.terms.init);
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
        // A stall of the referee does not count.
        deadline.wall += child.stalled();
        let level: Vec<&str> = self.level.lines().collect();
        let (id, player, players) = (&*self.id, self.seat, self.seats);
        let start = Message::Start { id, player, players, terms: &self.terms, level: &level };
        self.exchange(child, &start, deadline, "ready").map_err(|silence| late(silence, "ready"))?;
        Ok(())
    }

    /// Sends a message and waits for an answer of this kind.
    fn exchange(
        &self,
        child: &mut Child,
        message: &Message<'_>,
        deadline: Deadline,
        wanted: &str,
    ) -> Result<Answer, Silence> {
        let mut line = Vec::new();
        self.manifest.wire.write(message, &mut line);
        child.begin_question();
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
        let (wall, cpu) = match self.terms.clock {
            ClockKind::Wall => (time, None),
            ClockKind::Cpu => (
                time * CPU_CLOCK_WALL_FACTOR + CPU_CLOCK_WALL_EXTRA,
                child.cpu().map(|used| used.max(self.counted_cpu) + time),
            ),
        };
        Deadline { wall: Instant::now() + wall.min(self.terms.game.saturating_sub(self.thought)), cpu }
    }

    /// Asks for a decision. An error loses the game. `start` is the time of the turn that has already passed.
    fn ask(
        &mut self,
        child: &mut Child,
        start: Duration,
        table: &dyn Table,
        legal: &[String],
        insight: &mut Insight,
    ) -> Result<Decided, Fault> {
        self.line.clear();
        self.insight.turn = 0;
        let observation = table.observe(self.seat);
        let bank_ms = self.bank.as_millis() as u64;
        let turn = Message::Turn { n: self.n, bank_ms, legal, observation: &observation };
        self.manifest.wire.write(&turn, &mut self.line);
        let allowed = (self.terms.turn + self.terms.grace + self.bank).saturating_sub(start);
        child.begin_question();
        // Its time runs from the first byte of the question, so that reading slowly gains no time.
        let started = Instant::now();
        let deadline = self.deadline(child, allowed);
        let heard = match child.write(&self.line, deadline) {
            Ok(()) => self.hear(child, insight, deadline),
            Err(silence) => Err(silence),
        };
        self.cpu = self.count_cpu(child);
        let passed = start + started.elapsed().saturating_sub(child.stalled());
        self.thought += passed;
        let used = self.cpu.filter(|_| self.terms.clock == ClockKind::Cpu);
        let decided = self.charge(used.unwrap_or(passed), heard);
        self.log += &child.take_log();
        child.check_memory()?;
        self.check_game_time()?;
        decided
    }

    /// Checks that it has time left in this game.
    fn check_game_time(&self) -> Result<(), Fault> {
        if self.thought < self.terms.game {
            return Ok(());
        }
        let detail = format!("its turns took more than {} s of this game", self.terms.game.as_secs());
        Err(Fault::new(FaultCode::Timeout, detail))
    }

    /// Processor time since the last call. The kernel's figure for a running process lags a little; the rest is counted with the next
    /// turn.
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
                Ok(Answer::Info(new)) => self.keep_insight(insight, new),
                Ok(answer) => match answer.turn() {
                    // A late answer to an earlier turn, which has already cost a strike.
                    Some(n) if self.given_up.contains(&n) => self.given_up.retain(|&turn| turn != n),
                    _ => return Ok(self.judge(answer)),
                },
            }
        }
    }

    /// Interprets an answer to the current turn.
    fn judge(&self, answer: Answer) -> Decided {
        let wrong = |detail| Decided::Strike(Fault::new(FaultCode::Protocol, detail));
        match (answer.turn(), answer) {
            (Some(n), _) if n != self.n => {
                wrong(format!("it answered turn {n}, but was asked for turn {}", self.n))
            }
            (_, Answer::Act { action, .. }) => Decided::Action(action),
            (_, Answer::Fault { detail, .. }) => {
                Decided::NoAnswer(Fault::new(FaultCode::NoAnswer, in_short(&detail)))
            }
            (_, Answer::Resign { reason, .. }) => Decided::Resign(in_short(&reason)),
            (_, other) => wrong(format!("`{}` where `act` was expected", other.name())),
        }
    }

    /// Adds its insight, up to what a replay can hold.
    fn keep_insight(&mut self, insight: &mut Insight, new: Insight) {
        if !insight.wanted() {
            return;
        }
        let size = size_of_insight(&new);
        let room = MAX_INSIGHT
            .saturating_sub(self.insight.turn)
            .min(MAX_GAME_INSIGHT.saturating_sub(self.insight.game));
        if size <= room {
            self.insight.turn += size;
            self.insight.game += size;
            add_insight(insight, new);
        } else if !self.insight.reported {
            self.insight.reported = true;
            self.log += "[damier] its `info` messages exceed what a replay keeps: the rest is dropped\n";
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
    fn take(&mut self, decided: Decided, table: &mut dyn Table, legal: &[String]) -> Result<(), Leave> {
        let (fault, admitted) = match decided {
            Decided::Resign(reason) => return Err(Leave::Resign(reason)),
            Decided::NoAnswer(fault) => (fault, true),
            Decided::Strike(fault) => (fault, false),
            Decided::Action(action) => match table.act(&action) {
                Ok(()) => return Ok(()),
                Err(illegal) => (Fault::new(FaultCode::Illegal, format!("`{action}`: {illegal}")), false),
            },
        };
        self.given_up.push(self.n);
        let idled = |table: &mut dyn Table| table.idle().is_some_and(|idle| table.act(idle).is_ok());
        // In the courses' own programs an agent without an answer stays where it is, and loses only its turn.
        if !(admitted && idled(table)) {
            self.strikes += 1;
            if self.strikes >= self.terms.strikes {
                return Err(fault.into());
            }
            if !idled(table) {
                table.act(&legal[0]).expect("a legal action is legal");
            }
        }
        let message = Message::Fault { n: self.n, fault: &fault, strikes: self.strikes };
        self.say(&message);
        self.warnings.push(fault);
        Ok(())
    }

    /// Sends a message that needs no answer, whether the agent reads it or not.
    fn say(&mut self, message: &Message<'_>) {
        let Some(child) = &mut self.child else { return };
        self.line.clear();
        self.manifest.wire.write(message, &mut self.line);
        let deadline = Deadline { wall: Instant::now() + QUIT_GRACE, cpu: None };
        let _ = child.write(&self.line, deadline);
    }
}

impl Seated for ProcessAgent {
    fn begin(&mut self, _table: &dyn Table) -> Result<(), Fault> {
        if self.child.is_none() { self.start() } else { Ok(()) }
    }

    fn play(&mut self, table: &mut dyn Table, _clock: &Clock, insight: &mut Insight) -> Result<(), Leave> {
        let start = self.start_for_turn()?;
        let legal = table.legal();
        self.n += 1;
        let mut child = self.child.take().expect("it was begun");
        child.resume();
        let decided = self.ask(&mut child, start, table, &legal, insight);
        self.pause_between_turns(&child);
        self.child = Some(child);
        let taken = decided.map_err(Leave::Fault).and_then(|decided| self.take(decided, table, &legal));
        // An agent that resigned still gets the `end` message and exits by itself.
        if self.manifest.stateless || matches!(taken, Err(Leave::Fault(_))) {
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
            child.resume();
            child.leave(QUIT_GRACE);
            self.log += &child.take_log();
        }
    }
}

/// An agent's text on one line, truncated.
pub(crate) fn in_short(words: &str) -> String {
    let plain = |character: char| if character.is_control() { ' ' } else { character };
    words.trim().chars().map(plain).take(MAX_WORDS).collect()
}

/// Approximate size in a replay, in bytes.
fn size_of_insight(insight: &Insight) -> usize {
    const NUMBERS: usize = 16;
    insight.text.len()
        + insight.marks.iter().map(|mark| mark.why.len() + NUMBERS).sum::<usize>()
        + insight.scores.iter().map(|(action, _)| action.len() + NUMBERS).sum::<usize>()
        + insight.counters.iter().map(|(name, _)| name.len() + NUMBERS).sum::<usize>()
}

fn malformed(wrong: &str, line: &str) -> Fault {
    let shown: String = line.chars().take(80).collect();
    Fault::new(FaultCode::Malformed, format!("`{shown}`: {wrong}"))
}

/// Runs the build step in the agent's folder, which is writable meanwhile.
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
    .map_err(|fault| if fault.is_of_machine() { fault } else { failed(fault.detail) })?;
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
