//! Checks an agent: plays a short game with it and explains every mistake to its author.
//!
//! The referee of a real game is lenient and continues. This listener is strict: it reports every mistake and what to do about it.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Result;
use damier_core::agent::Budget;
use damier_core::game::{Seat, Status};
use damier_core::insight::Insight;
use damier_kit::Info;
use damier_kit::fault::{Fault, FaultCode, Substituted};
use damier_kit::table::{OpenLevel, Table};
use damier_kit::time::start_clock;

use crate::manifest::Manifest;
use crate::process::child::{Child, Deadline, Silence};
use crate::process::in_short;
use crate::process::order::Order;
use crate::protocol::{Answer, Message, PROTO, Wire};
use damier_host::ENGINE;
use damier_host::contestant::Contestant;
use damier_host::terms::Terms;

/// How long the listener waits for unexpected messages.
const SURPLUS: Duration = Duration::from_millis(30);
/// Processor time that an interpreter takes to start.
const START_UP: Duration = Duration::from_millis(150);
/// Time an agent has to exit after `quit`.
const QUIT_GRACE: Duration = Duration::from_secs(2);

/// A mistake of an agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mistake {
    /// The build step fails.
    Build(String),
    /// The program does not exist or cannot be started.
    NotStarted(String),
    /// It ended instead of answering: the expected message, how it ended.
    Ended(&'static str, String),
    /// It did something that its confinement does not allow.
    Forbidden(String),
    /// It used too much memory.
    Memory(String),
    /// It wrote too much.
    Flood(String),
    /// It sent nothing where this message was expected.
    Silent(&'static str),
    /// It sent nothing where this message was expected, but was computing: its processor time in milliseconds.
    Computing(&'static str, u128),
    /// It sent text without a line end.
    NoLineEnd(String),
    /// An empty line.
    EmptyLine,
    /// A line meant for people, not a message.
    Chatter(String),
    /// A message of another wire: the line, its wire, the wire in `agent.toml`.
    OtherWire(String, Wire, Wire),
    /// JSON with single quotes, or another language's spelling of it.
    NotQuiteJson(String),
    /// A message that cannot be read: the line, and what is wrong with it.
    Unreadable(String, String),
    /// `action` or `move` instead of `a`.
    WrongKey(String),
    /// It speaks another version.
    Version(u32),
    /// Its name is empty.
    Nameless,
    /// Another message than expected: the one received, the one expected.
    OutOfOrder(&'static str, &'static str),
    /// It said `ready` before `start`.
    EarlyReady,
    /// It said `act` before `turn`.
    EarlyAct,
    /// It sent a message twice.
    Twice(&'static str),
    /// It answered another turn: the answered one, the current one.
    WrongTurn(u32, u32),
    /// Not an action of the game: the name, the legal ones.
    UnknownAction(String, String),
    /// A misspelt action: what it wrote, what it should write.
    Spelling(String, String),
    /// An action that the rules do not allow here.
    Illegal(String, String),
    /// It exceeded the time per turn, in milliseconds: the time, the limit.
    Slow(u128, u128),
    /// It had no answer of its own to some turns.
    NoAnswer(Substituted),
    /// It kept running after `quit`.
    Immortal,
}

impl Mistake {
    /// A short name, for programs.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Build(_) => "build",
            Self::NotStarted(_) => "not-started",
            Self::Ended(..) => "ended",
            Self::Forbidden(_) => "forbidden",
            Self::Memory(_) => "memory",
            Self::Flood(_) => "flood",
            Self::Silent(_) => "silent",
            Self::Computing(..) => "computing",
            Self::NoLineEnd(_) => "no-line-end",
            Self::EmptyLine => "empty-line",
            Self::Chatter(_) => "chatter",
            Self::OtherWire(..) => "other-wire",
            Self::NotQuiteJson(_) => "not-quite-json",
            Self::Unreadable(..) => "unreadable",
            Self::WrongKey(_) => "wrong-key",
            Self::Version(_) => "version",
            Self::Nameless => "nameless",
            Self::OutOfOrder(..) => "out-of-order",
            Self::EarlyReady => "early-ready",
            Self::EarlyAct => "early-act",
            Self::Twice(_) => "twice",
            Self::WrongTurn(..) => "wrong-turn",
            Self::UnknownAction(..) => "unknown-action",
            Self::Spelling(..) => "spelling",
            Self::Illegal(..) => "illegal",
            Self::Slow(..) => "slow",
            Self::NoAnswer(_) => "no-answer",
            Self::Immortal => "immortal",
        }
    }

    /// What to do about it.
    pub fn advice(&self) -> String {
        match self {
            Self::Build(_) => "Run the `build` command of agent.toml by hand in the agent's folder.".into(),
            Self::NotStarted(_) => {
                "Check `command` in agent.toml: the program must exist, and a script needs its interpreter in front \
                 (`python3 agent.py`)."
                    .into()
            }
            Self::Ended(..) => "Run the command by hand and type the messages of docs/agents.md, or read its log above.".into(),
            Self::Forbidden(_) => {
                "Agents may read their own folder and the system's libraries, write to the folder in $TMPDIR, and use no network. \
                 An agent that starts processes says how many in agent.toml: `processes = 4`."
                    .into()
            }
            Self::Memory(_) => "Use less memory, or ask your course about its memory limit.".into(),
            Self::Flood(_) => "Write short messages; debugging output belongs on standard error, which is limited too.".into(),
            Self::Silent(_) => {
                "If it prints an answer, the answer is stuck in a buffer: flush after every line (`print(…, flush=True)`, \
                 `fflush(stdout)`, `flush_output`)."
                    .into()
            }
            Self::Computing(..) => {
                "Look for an endless loop, or stop searching in time: `limits.turn_ms` in `start` is the time per turn."
                    .into()
            }
            Self::NoLineEnd(_) => "End every message with a newline.".into(),
            Self::EmptyLine => "Write one line per message and nothing in between.".into(),
            Self::Chatter(_) => {
                "Standard output is for messages only. Write debugging output to standard error (`print(…, file=sys.stderr)`, \
                 `fprintf(stderr, …)`): it is kept with the replay."
                    .into()
            }
            Self::OtherWire(_, spoken, _) => {
                let spoken = spoken.name();
                format!("Set `wire = \"{spoken}\"` in agent.toml, or answer in the wire that is set there.")
            }
            Self::NotQuiteJson(_) => {
                "JSON needs double quotes and the spellings true, false and null: let a library write it (`json.dumps`, `JSON.stringify`)."
                    .into()
            }
            Self::Unreadable(..) => "Compare it with the messages in docs/agents.md.".into(),
            Self::WrongKey(key) => format!("The key is `a`, not `{key}`: {{\"t\":\"act\",\"n\":1,\"a\":\"left\"}}."),
            Self::Version(_) => format!("Answer `hello` with \"proto\": {PROTO}."),
            Self::Nameless => "Give your agent a name: it appears in tables and replays.".into(),
            Self::OutOfOrder(_, expected) => format!("Answer with `{expected}`: see the example game in docs/agents.md."),
            Self::EarlyReady => "Say `ready` only after you have read `start`.".into(),
            Self::EarlyAct => "Wait for `turn` before every `act`: it carries your observation and the legal actions.".into(),
            Self::Twice(_) => "Answer each message once.".into(),
            Self::WrongTurn(..) => "Repeat the number `n` of the turn that you are answering.".into(),
            Self::UnknownAction(_, legal) => format!("Choose from `legal`: here that was {legal}."),
            Self::Spelling(_, right) => format!("Write exactly `{right}`, as in `legal`."),
            Self::Illegal(..) => "Choose from `legal`: it holds every action that the rules allow.".into(),
            Self::Slow(..) => "Answer in time: `limits.turn_ms` in `start` is the time per turn, `bank_ms` in `turn` the extra time left."
                .into(),
            Self::NoAnswer(_) => "Your code did not answer these turns. The end of the log below says more.".into(),
            Self::Immortal => "Exit when you read `quit`, or when standard input ends.".into(),
        }
    }
}

impl fmt::Display for Mistake {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Build(detail) => write!(out, "It cannot be built: {detail}"),
            Self::NotStarted(detail) => write!(out, "It cannot be started: {detail}."),
            Self::Ended(expected, how) => write!(out, "It should have said `{expected}`, but {how}."),
            Self::Forbidden(detail) => write!(out, "It did something that agents may not do: {detail}."),
            Self::Memory(detail) => write!(out, "It uses too much memory: {detail}."),
            Self::Flood(detail) => write!(out, "It writes too much: {detail}."),
            Self::Silent(expected) => write!(out, "It said nothing where `{expected}` was expected."),
            Self::Computing(expected, cpu) => write!(
                out,
                "It is still computing where `{expected}` was expected, after {cpu} ms of processor time."
            ),
            Self::NoLineEnd(text) => {
                write!(out, "It wrote `{text}` without a newline, so the message never ended.")
            }
            Self::EmptyLine => write!(out, "It wrote an empty line."),
            Self::Chatter(line) => {
                write!(out, "It wrote `{line}` to standard output, which is not a message.")
            }
            Self::OtherWire(line, spoken, set) => {
                let (spoken, set) = (spoken.name(), set.name());
                write!(out, "`{line}` is a message of the wire `{spoken}`, but agent.toml says `{set}`.")
            }
            Self::NotQuiteJson(line) => write!(out, "`{line}` looks like JSON but is not."),
            Self::Unreadable(line, wrong) => write!(out, "`{line}` cannot be read: {wrong}."),
            Self::WrongKey(key) => write!(out, "Its `act` has the action in `{key}`."),
            Self::Version(version) => {
                write!(out, "It speaks version {version} of the protocol; this is version {PROTO}.")
            }
            Self::Nameless => write!(out, "Its name in `hello` is empty."),
            Self::OutOfOrder(came, expected) => {
                write!(out, "It said `{came}` where `{expected}` was expected.")
            }
            Self::EarlyReady => write!(out, "It said `ready` before it got `start`."),
            Self::EarlyAct => write!(out, "It said `act` before it got `turn`."),
            Self::Twice(what) => write!(out, "It said `{what}` twice."),
            Self::WrongTurn(answered, asked) => {
                write!(out, "It answered turn {answered} when asked for turn {asked}.")
            }
            Self::UnknownAction(action, _) => write!(out, "The game has no action `{action}`."),
            Self::Spelling(action, right) => write!(out, "It wrote the action `{right}` as `{action}`."),
            Self::Illegal(action, why) => write!(out, "`{action}` was not legal: {why}."),
            Self::Slow(took, limit) => write!(out, "It took {took} ms for a turn of {limit} ms."),
            Self::NoAnswer(substituted) => write!(out, "{substituted}."),
            Self::Immortal => write!(out, "It kept running after `quit`."),
        }
    }
}

/// Findings of a check.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Mistakes in the order they were found, each kind once.
    pub mistakes: Vec<Mistake>,
    /// Number of decisions it took.
    pub decisions: u32,
    /// The longest of them.
    pub slowest: Duration,
    /// Number of decisions that were substituted, because it said that it had no answer.
    pub substituted: Substituted,
    /// Why it gave up, if it did.
    pub resigned: Option<String>,
    /// Its log.
    pub log: String,
}

impl Report {
    fn add(&mut self, mistake: Mistake) {
        if self.mistakes.iter().all(|known| known.name() != mistake.name()) {
            self.mistakes.push(mistake);
        }
    }
}

/// Plays up to `decisions` decisions at a seat and reports the mistakes.
pub fn check(
    manifest: &Arc<Manifest>,
    game: &'static Info,
    open: &dyn OpenLevel,
    seat: Seat,
    decisions: u32,
    terms: &Terms,
) -> Result<Report> {
    let contestant = Contestant::Foreign(manifest.clone());
    contestant.check(game, open, seat)?;
    let mut report = Report::default();
    match contestant.prepare(terms) {
        Err(fault) if fault.is_of_machine() => return Err(fault.into()),
        Err(fault) => {
            report.add(Mistake::Build(fault.detail));
            return Ok(report);
        }
        Ok(()) => {}
    }
    let order = Order {
        command: &manifest.command,
        folder: &manifest.folder,
        writes_folder: false,
        memory_mb: terms.memory_mb,
        processes: manifest.processes.min(terms.processes),
        confinement: terms.confinement,
    };
    match Child::start(&order) {
        Err(fault) if fault.is_of_machine() => return Err(fault.into()),
        Err(fault) => report.add(Mistake::NotStarted(fault.detail)),
        Ok(child) => {
            let asked = (Instant::now(), child.cpu());
            let mut listener = Listener { child, manifest, terms, report, expected: "hello", asked };
            let stopped = listener.game(game, open, seat, decisions);
            if let Err(mistake) = stopped {
                listener.report.add(mistake);
            }
            if let Some(refused) = listener.child.refused() {
                listener.report.add(Mistake::Forbidden(format!("it {refused}, which was refused")));
            }
            listener.report.log += &listener.child.take_log();
            report = listener.report;
            if !report.substituted.is_none() {
                report.add(Mistake::NoAnswer(report.substituted.clone()));
            }
        }
    }
    Ok(report)
}

struct Listener<'a> {
    child: Child,
    manifest: &'a Manifest,
    terms: &'a Terms,
    report: Report,
    /// The message it should send next.
    expected: &'static str,
    /// Time of the last message to it, and the processor time it had used by then.
    asked: (Instant, Option<Duration>),
}

/// Result of a step; an error is a mistake after which the check cannot continue.
type Step<T> = Result<T, Mistake>;

impl Listener<'_> {
    fn game(&mut self, game: &'static Info, open: &dyn OpenLevel, seat: Seat, decisions: u32) -> Step<()> {
        self.introduce(game, open, seat)?;
        let mut table = open.table(1, 0);
        let mut others: Vec<_> =
            (0..open.facts().seats.len()).map(|seat| open.agent("random", seat, 1)).collect();
        let mut n = 0;
        while let Status::ToMove(mover) = table.status() {
            if n == decisions || self.report.resigned.is_some() {
                break;
            }
            if mover == seat {
                n += 1;
                self.turn(table.as_mut(), seat, n)?;
            } else if let Some(other) = &mut others[mover] {
                let clock = start_clock(Budget::default());
                let _ = other.play(table.as_mut(), &clock, &mut Insight::unwanted());
            } else {
                break;
            }
        }
        self.farewell(table.as_ref());
        Ok(())
    }

    fn introduce(&mut self, game: &'static Info, open: &dyn OpenLevel, seat: Seat) -> Step<()> {
        let deadline = Deadline { wall: Instant::now() + self.terms.init, cpu: None };
        self.say(&Message::Hello { engine: ENGINE, game: game.name, rules: open.rules() }, deadline)?;
        match self.hear("hello", deadline)? {
            Answer::Hello { proto, .. } if proto != PROTO => return Err(Mistake::Version(proto)),
            Answer::Hello { name, .. } if name.trim().is_empty() => self.report.add(Mistake::Nameless),
            _ => {}
        }
        self.surplus(&Mistake::EarlyReady);
        let text = open.print(game.formats[0].name).unwrap_or_default();
        let level: Vec<&str> = text.lines().collect();
        let players = open.facts().seats.len();
        let start = Message::Start { id: "check", player: seat, players, terms: self.terms, level: &level };
        self.say(&start, deadline)?;
        // An agent that said it too early does not say it again.
        if self.report.mistakes.contains(&Mistake::EarlyReady) {
            return Ok(());
        }
        self.hear("ready", deadline)?;
        self.surplus(&Mistake::EarlyAct);
        Ok(())
    }

    fn turn(&mut self, table: &mut dyn Table, seat: Seat, n: u32) -> Step<()> {
        let legal = table.legal();
        let allowed = self.terms.turn + self.terms.grace + self.terms.bank;
        let deadline = Deadline { wall: Instant::now() + allowed, cpu: None };
        let bank_ms = self.terms.bank.as_millis() as u64;
        let observation = table.observe(seat);
        self.say(&Message::Turn { n, bank_ms, legal: &legal, observation: &observation }, deadline)?;
        let started = Instant::now();
        let answer = self.hear("act", deadline)?;
        let took = started.elapsed();
        self.report.decisions += 1;
        self.report.slowest = self.report.slowest.max(took);
        if took > self.terms.turn + self.terms.grace {
            self.report.add(Mistake::Slow(took.as_millis(), self.terms.turn.as_millis()));
        }
        if let Some(answered) = answer.turn().filter(|&answered| answered != n) {
            self.report.add(Mistake::WrongTurn(answered, n));
        }
        let twice = Mistake::Twice("act");
        if n == 1 || self.report.mistakes.contains(&twice) {
            self.surplus(&twice);
        }
        let mut faults = Vec::new();
        match answer {
            Answer::Act { action, .. } => self.take(table, &legal, &action),
            Answer::Resign { reason, .. } => self.report.resigned = Some(in_short(&reason)),
            Answer::Fault { detail, .. } => {
                faults.push(Fault::new(FaultCode::NoAnswer, in_short(&detail)));
                let idled = table.idle().is_some_and(|idle| table.act(idle).is_ok());
                if !idled {
                    let _ = table.act(&legal[0]);
                }
            }
            Answer::Hello { .. } | Answer::Ready | Answer::Info(_) => {}
        }
        self.report.substituted.add(&faults);
        Ok(())
    }

    /// Plays the action, or the first legal one if it is illegal.
    fn take(&mut self, table: &mut dyn Table, legal: &[String], action: &str) {
        if legal.iter().any(|known| known == action) && table.act(action).is_ok() {
            return;
        }
        let same = |known: &&String| normalized(known) == normalized(action);
        let mistake = match (legal.iter().find(same), table.act(action)) {
            (Some(right), _) => Mistake::Spelling(shown(action), right.clone()),
            // The rules accept more spellings than they write: a real game would accept it too.
            (None, Ok(())) => return,
            (None, Err(illegal)) if known_action(table, action) => {
                Mistake::Illegal(shown(action), illegal.to_string())
            }
            (None, Err(_)) => {
                let few: Vec<&str> = legal.iter().take(6).map(String::as_str).collect();
                let more = if legal.len() > few.len() { ", …" } else { "" };
                Mistake::UnknownAction(shown(action), format!("{}{more}", few.join(", ")))
            }
        };
        self.report.add(mistake);
        if !matches!(table.status(), Status::Over(_)) {
            let _ = table.act(&legal[0]);
        }
    }

    fn farewell(&mut self, table: &dyn Table) {
        let deadline = Deadline { wall: Instant::now() + QUIT_GRACE, cpu: None };
        let scores = [table.score(0)];
        let end =
            Message::End { result: "limit", reason: "check over", turns: table.turns(), scores: &scores };
        let _ = self.say(&end, deadline);
        let _ = self.say(&Message::Quit, deadline);
        if let Err(Silence::Late) = self.child.exit(deadline) {
            self.report.add(Mistake::Immortal);
        }
    }

    fn say(&mut self, message: &Message<'_>, deadline: Deadline) -> Step<()> {
        let mut line = Vec::new();
        self.manifest.wire.write(message, &mut line);
        self.child.begin_question();
        self.asked = (Instant::now(), self.child.cpu());
        self.child.write(&line, deadline).map_err(|silence| self.silence(silence))
    }

    /// Waits for the expected message. Recoverable mistakes are reported; others end the check.
    fn hear(&mut self, expected: &'static str, deadline: Deadline) -> Step<Answer> {
        self.expected = expected;
        loop {
            let line = self.child.line(deadline).map_err(|silence| self.silence(silence))?;
            let mistake = match self.manifest.wire.read(&line) {
                Ok(answer) if answer.name() == expected => return Ok(answer),
                Ok(answer @ (Answer::Fault { .. } | Answer::Resign { .. })) if expected == "act" => {
                    return Ok(answer);
                }
                Ok(Answer::Info(_)) => continue,
                Ok(answer) if expected == "ready" && answer.name() == "act" => return Err(Mistake::EarlyAct),
                Ok(answer) if expected == "hello" && answer.name() == "ready" => {
                    return Err(Mistake::EarlyReady);
                }
                Ok(answer) if expected != "hello" && answer.name() == "hello" => Mistake::Twice("hello"),
                Ok(answer) if expected == "act" && answer.name() == "ready" => Mistake::Twice("ready"),
                Ok(answer) => return Err(Mistake::OutOfOrder(answer.name(), expected)),
                Err(wrong) => self.explain(&line, wrong),
            };
            let is_recoverable =
                matches!(mistake, Mistake::EmptyLine | Mistake::Chatter(_) | Mistake::Twice(_));
            if !is_recoverable {
                return Err(mistake);
            }
            self.report.add(mistake);
        }
    }

    /// Reports unexpected messages.
    fn surplus(&mut self, act_or_ready: &Mistake) {
        let deadline = Deadline { wall: Instant::now() + SURPLUS, cpu: None };
        while let Ok(line) = self.child.line(deadline) {
            let mistake = match self.manifest.wire.read(&line) {
                Ok(Answer::Info(_)) => continue,
                Ok(answer) if answer.name() == self.expected => Mistake::Twice(answer.name()),
                Ok(Answer::Act { .. } | Answer::Ready) => act_or_ready.clone(),
                Ok(answer) => Mistake::Twice(answer.name()),
                Err(wrong) => self.explain(&line, wrong),
            };
            self.report.add(mistake);
        }
    }

    fn silence(&mut self, silence: Silence) -> Mistake {
        match silence {
            Silence::Late => match self.child.unfinished() {
                text if text.is_empty() => self.computing().unwrap_or(Mistake::Silent(self.expected)),
                text => Mistake::NoLineEnd(shown(&text)),
            },
            Silence::Fault(Fault { code, detail }) => match code {
                FaultCode::Forbidden => Mistake::Forbidden(detail),
                FaultCode::Memory => Mistake::Memory(detail),
                FaultCode::Output => Mistake::Flood(detail),
                _ => Mistake::Ended(self.expected, detail),
            },
        }
    }

    /// The mistake of still computing, if it has used more processor time since the last message than a waiting program does.
    fn computing(&self) -> Option<Mistake> {
        let (asked, before) = self.asked;
        let used = self.child.cpu()?.saturating_sub(before?);
        // On a busy machine, a process that computes all the time gets only a fraction of the processor.
        let computes = used > START_UP && used > asked.elapsed() / 40;
        computes.then_some(Mistake::Computing(self.expected, used.as_millis()))
    }

    /// Explains why a line cannot be read, by what its author probably meant.
    fn explain(&self, line: &str, wrong: String) -> Mistake {
        let trimmed = line.trim();
        if trimmed.is_empty() {
            return Mistake::EmptyLine;
        }
        let wire = self.manifest.wire;
        let others = [Wire::Json, Wire::Text, Wire::Term].into_iter().filter(|other| *other != wire);
        if let Some(spoken) = others.into_iter().find(|other| other.read(trimmed).is_ok()) {
            return Mistake::OtherWire(shown(line), spoken, wire);
        }
        if wire == Wire::Json {
            if let Ok(serde_json::Value::Object(map)) = serde_json::from_str(trimmed) {
                let keys: BTreeSet<&str> = map.keys().map(String::as_str).collect();
                let act =
                    map.get("t").and_then(serde_json::Value::as_str) == Some("act") && !keys.contains("a");
                let key = ["action", "move", "act"].into_iter().find(|key| act && keys.contains(key));
                return key.map_or_else(
                    || Mistake::Unreadable(shown(line), wrong),
                    |key| Mistake::WrongKey(key.to_owned()),
                );
            }
            if trimmed.starts_with('{') {
                return if trimmed.contains('\'') || trimmed.contains("True") || trimmed.contains("None") {
                    Mistake::NotQuiteJson(shown(line))
                } else {
                    Mistake::Unreadable(shown(line), wrong)
                };
            }
            return Mistake::Chatter(shown(line));
        }
        let first = trimmed.split([' ', '(']).next().unwrap_or_default();
        if ["hello", "ready", "act", "fault", "resign", "info", "cell", "score"].contains(&first) {
            Mistake::Unreadable(shown(line), wrong)
        } else {
            Mistake::Chatter(shown(line))
        }
    }
}

/// Does the game have an action of this name, legal here or not? If so, the rules refuse it with another message than an impossible name.
fn known_action(table: &dyn Table, action: &str) -> bool {
    let refusal = |name: &str| table.copy().act(name).err().map(|illegal| illegal.0.replace(name, ""));
    refusal(action) != refusal("no-such-action")
}

/// A name reduced to lower-case letters and digits, to compare spellings.
fn normalized(name: &str) -> String {
    name.chars().filter(|character| character.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// A line shortened for quoting.
fn shown(line: &str) -> String {
    let mut shown: String = line.trim().chars().take(80).collect();
    if line.trim().chars().count() > 80 {
        shown.push('…');
    }
    shown
}
