//! `/api/jobs`: long searches, one at a time per socket. A new one cancels the previous one, and so does closing the socket.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::State;
use axum::response::Response;
use damier_host::measure::milliseconds;
use damier_host::solving::{self, SolutionMessage};
use damier_kit::time::cores;
use damier_kit::{
    Analysis, AnalysisMessage, AnalyzeOptions, Answers, AnyGame, Cancel, OpenLevel, Report, SolveOptions,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tokio::sync::{OwnedSemaphorePermit, mpsc};

use crate::error::{Answer, ApiError, Problem};
use crate::games;
use crate::server::Shared;
use crate::slots::{ATTEMPT, Slot};
use crate::sockets::{self, Socket, Upgrade};

/// Maximum time limit of a search, and the default one.
const MAX_TIME: Duration = Duration::from_mins(1);
const DEFAULT_TIME: Duration = Duration::from_secs(5);
/// Maximum number of shortest solutions listed.
const MAX_SOLUTIONS: usize = 200;
/// Maximum number of lines of an analysis.
const MAX_LINES: usize = 10;
/// Minimum time between two snapshots of an analysis.
const SNAPSHOT_INTERVAL: Duration = Duration::from_millis(100);

/// Request of the page.
#[derive(Deserialize)]
#[serde(tag = "t", rename_all = "snake_case")]
enum Request {
    Job(Job),
    Stop,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Kind {
    Check,
    Solve,
    Answers,
    Analyze,
}

#[derive(Deserialize)]
struct Job {
    id: u64,
    kind: Kind,
    game: String,
    rules: Option<String>,
    text: String,
    seed: Option<u64>,
    time_ms: Option<u64>,
    lines: Option<usize>,
}

/// Message to the page about a search.
#[derive(Serialize, JsonSchema)]
#[serde(tag = "t", rename_all = "snake_case")]
pub enum JobMessage {
    /// A short sentence about its progress.
    Progress { id: u64, text: String },
    /// A snapshot of an analysis.
    Partial {
        id: u64,
        #[serde(flatten)]
        analysis: AnalyzeAnswer,
    },
    /// The result.
    Answer {
        id: u64,
        #[serde(flatten)]
        answer: JobAnswer,
    },
    /// Why there is no result.
    Error { id: u64, error: String, line: Option<usize>, column: Option<usize> },
}

/// The result of a search, by its kind.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
pub enum JobAnswer {
    Check(CheckAnswer),
    Solve(SolveAnswer),
    Answers(AnswersAnswer),
    Analyze(AnalyzeAnswer),
}

/// A level's check.
#[derive(Serialize, JsonSchema)]
pub struct CheckAnswer {
    #[serde(flatten)]
    report: Report,
    /// Wall time in milliseconds.
    ms: f64,
}

/// A solver's answer.
#[derive(Serialize, JsonSchema)]
pub struct SolveAnswer {
    #[serde(flatten)]
    solution: SolutionMessage,
    /// Notes for people, as sentences.
    notes: Vec<String>,
}

/// All shortest solutions.
#[derive(Serialize, JsonSchema)]
pub struct AnswersAnswer {
    #[serde(flatten)]
    answers: Answers<String>,
    /// Wall time in milliseconds.
    ms: f64,
}

/// An analysis or a snapshot of one.
#[derive(Serialize, JsonSchema)]
pub struct AnalyzeAnswer {
    #[serde(flatten)]
    analysis: AnalysisMessage,
    /// What the score means, as a sentence.
    text: String,
}

impl AnalyzeAnswer {
    fn new(analysis: &Analysis<String>) -> Self {
        Self { analysis: analysis.message(), text: analysis.verdict().to_owned() }
    }
}

/// Cancels a running search when dropped.
struct CancelOnDrop(Cancel);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

/// Searches, over a WebSocket: check, solve, all shortest solutions, analysis.
pub async fn jobs(State(shared): State<Shared>, upgrade: Upgrade) -> Answer<Response> {
    let sockets = shared.sockets.clone();
    sockets.open(upgrade, async move |socket| serve(shared, socket).await)
}

async fn serve(shared: Shared, mut socket: Socket) {
    let (_, mut messages) = mpsc::channel(1);
    let mut current: Option<CancelOnDrop> = None;
    loop {
        tokio::select! {
            Some(message) = messages.recv(), if current.is_some() => {
                if !socket.send_json(&message).await {
                    return;
                }
            }
            text = socket.receive() => {
                let Some(text) = text else { return };
                match sockets::parse(&text) {
                    Err(complaint) => if !socket.send_json(&complaint).await { return },
                    Ok(Request::Stop) => current = None,
                    Ok(Request::Job(job)) => {
                        let cancel = Cancel::default();
                        current = Some(CancelOnDrop(cancel.clone()));
                        messages = start(&shared, job, cancel);
                    }
                }
                socket.throttle().await;
            }
        }
    }
}

/// Starts a search, whose messages come through the channel.
fn start(shared: &Shared, job: Job, cancel: Cancel) -> mpsc::Receiver<JobMessage> {
    let (sender, messages) = mpsc::channel(16);
    let shared = shared.clone();
    tokio::spawn(async move {
        let id = job.id;
        let searching = find(&shared, Arc::new(job), &cancel, &sender);
        // If the client is gone, this stops waiting; a running search sees the cancellation flag.
        let message = tokio::select! {
            found = searching => match found {
                Ok(answer) => JobMessage::Answer { id, answer },
                Err(refusal) => {
                    let Problem { error, line, column } = refusal.into_problem();
                    JobMessage::Error { id, error, line, column }
                }
            },
            () = sender.closed() => return,
        };
        // The channel is closed if the client is gone.
        let _ = sender.send(message).await;
    });
    messages
}

/// Searches when a slot is free. If none is, makes a short attempt first.
async fn find(
    shared: &Shared,
    job: Arc<Job>,
    cancel: &Cancel,
    messages: &mpsc::Sender<JobMessage>,
) -> Answer<JobAnswer> {
    let time = job.time_ms.map_or(DEFAULT_TIME, Duration::from_millis).min(MAX_TIME);
    let begin =
        |time, slot| search(shared.clone(), Arc::clone(&job), time, cancel.clone(), messages.clone(), slot);
    let gone = || ApiError::busy("the server is shutting down");
    if let Some(slot) = shared.searches.try_acquire() {
        return begin(time, Held::Slot(slot)).await;
    }
    if !matches!(job.kind, Kind::Analyze) && time > ATTEMPT {
        let slot = shared.searches.attempt().await.ok_or_else(gone)?;
        let started = Instant::now();
        let answer = begin(ATTEMPT, Held::Attempt(slot)).await;
        // It ended before its time limit: more time would change nothing.
        if answer.is_err() || started.elapsed() < ATTEMPT {
            return answer;
        }
    }
    let slot = shared.searches.acquire(time).await.ok_or_else(gone)?;
    begin(time, Held::Slot(slot)).await
}

/// Held by a search while it runs.
enum Held {
    Slot(#[expect(dead_code, reason = "held until it is dropped")] Slot),
    Attempt(#[expect(dead_code, reason = "held until it is dropped")] OwnedSemaphorePermit),
}

async fn search(
    shared: Shared,
    job: Arc<Job>,
    time: Duration,
    cancel: Cancel,
    messages: mpsc::Sender<JobMessage>,
    held: Held,
) -> Answer<JobAnswer> {
    let searching = tokio::task::spawn_blocking(move || {
        let _held = held;
        let search = Search { id: job.id, started: Instant::now(), cancel, messages: &messages };
        search.search(&shared, &job, time)
    });
    let panicked = |_| ApiError::internal("internal error in the search: please report it");
    searching.await.map_err(panicked).flatten()
}

/// One running search.
struct Search<'a> {
    id: u64,
    started: Instant,
    cancel: Cancel,
    messages: &'a mpsc::Sender<JobMessage>,
}

impl Search<'_> {
    fn search(&self, shared: &Shared, job: &Job, time: Duration) -> Answer<JobAnswer> {
        if self.cancel.is_cancelled() {
            return Err(ApiError::bad("the search was cancelled"));
        }
        let game = games::find(shared, &job.game)?;
        let rules = games::rules(game.info(), job.rules.as_deref())?;
        let open = shared.levels.open(game, rules, &job.text)?;
        let seed = job.seed.unwrap_or(1);
        let options = SolveOptions {
            time,
            threads: cores(),
            chance: open.chance(seed, 0),
            cancel: self.cancel.clone(),
            ..SolveOptions::default()
        };
        match job.kind {
            Kind::Check => Ok(JobAnswer::Check(self.check(open.as_ref(), &options))),
            Kind::Solve => self.solve(open.as_ref(), seed, &options).map(JobAnswer::Solve),
            Kind::Answers => self.answers(game, open.as_ref(), &options).map(JobAnswer::Answers),
            Kind::Analyze => {
                let lines = job.lines.unwrap_or(1).clamp(1, MAX_LINES);
                self.analyze(game, open.as_ref(), lines, time).map(JobAnswer::Analyze)
            }
        }
    }

    fn progress(&self, text: &str) {
        // Progress messages are dropped while the channel is full.
        let _ = self.messages.try_send(JobMessage::Progress { id: self.id, text: text.to_owned() });
    }

    fn check(&self, open: &dyn OpenLevel, options: &SolveOptions) -> CheckAnswer {
        let report = open.check(options, &|text| self.progress(text));
        CheckAnswer { report, ms: milliseconds(self.started.elapsed()) }
    }

    fn solve(&self, open: &dyn OpenLevel, seed: u64, options: &SolveOptions) -> Answer<SolveAnswer> {
        let table = open.table(seed, 0);
        let progress = |text: &str| self.progress(text);
        let (answer, effort) = solving::solve(open, table.as_ref(), seed, options, &progress)?;
        let solution = SolutionMessage::new("", open, seed, &answer, &effort);
        Ok(SolveAnswer { solution, notes: answer.solution.notes })
    }

    fn answers(
        &self,
        game: &dyn AnyGame,
        open: &dyn OpenLevel,
        options: &SolveOptions,
    ) -> Answer<AnswersAnswer> {
        let name = game.info().name;
        let answers = open.answers(options, MAX_SOLUTIONS).ok_or_else(|| {
            ApiError::bad(format!("{name} does not support listing all shortest solutions"))
        })?;
        Ok(AnswersAnswer { answers, ms: milliseconds(self.started.elapsed()) })
    }

    /// Analyzes a position and sends snapshots meanwhile.
    fn analyze(
        &self,
        game: &dyn AnyGame,
        open: &dyn OpenLevel,
        lines: usize,
        time: Duration,
    ) -> Answer<AnalyzeAnswer> {
        let options = AnalyzeOptions {
            time: Some(time),
            threads: cores(),
            lines,
            cancel: self.cancel.clone(),
            ..AnalyzeOptions::default()
        };
        let mut sent: Option<Instant> = None;
        let analysis = solving::analyze(game.info(), open, &options, &mut |partial| {
            if sent.is_none_or(|sent| sent.elapsed() >= SNAPSHOT_INTERVAL) {
                sent = Some(Instant::now());
                let analysis = AnalyzeAnswer::new(partial);
                let _ = self.messages.try_send(JobMessage::Partial { id: self.id, analysis });
            }
        })?;
        Ok(AnalyzeAnswer::new(&analysis))
    }
}
