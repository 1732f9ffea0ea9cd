//! `/api/jobs`: long searches, one at a time for each socket. A new one cancels the one before; closing the socket cancels all.

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
use tokio::sync::mpsc;

use crate::error::{Answer, ApiError, Problem};
use crate::games;
use crate::server::Shared;
use crate::sockets::{self, Socket, Upgrade};

/// The longest time of a search, and the default one.
const LONGEST: Duration = Duration::from_mins(1);
const USUAL: Duration = Duration::from_secs(5);
/// Shortest solutions that are listed.
const LISTED: usize = 200;
/// Lines of an analysis.
const MOST_LINES: usize = 10;
/// The shortest pause between two snapshots of an analysis.
const NEWS: Duration = Duration::from_millis(100);

/// What the page asks for.
#[derive(Deserialize)]
#[serde(tag = "t", rename_all = "snake_case")]
enum Word {
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

/// What the page hears of a search.
#[derive(Serialize, JsonSchema)]
#[serde(tag = "t", rename_all = "snake_case")]
pub enum JobMessage {
    /// A short sentence on the way.
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
    /// The search could not be done.
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
    /// What a person should know of it, as sentences.
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

/// An analysis, finished or not.
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

/// A search under way: it stops when this is dropped.
struct UnderWay(Cancel);

impl Drop for UnderWay {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

/// Searches, over a WebSocket: check, solve, all shortest solutions, analysis.
#[utoipa::path(get, path = "/api/jobs", responses((status = 101, description = "A WebSocket.")))]
pub async fn jobs(State(shared): State<Shared>, upgrade: Upgrade) -> Answer<Response> {
    let sockets = shared.sockets.clone();
    sockets.open(upgrade, async move |socket| serve(shared, socket).await)
}

async fn serve(shared: Shared, mut socket: Socket) {
    let (_, mut news) = mpsc::channel(1);
    let mut under_way: Option<UnderWay> = None;
    loop {
        tokio::select! {
            Some(message) = news.recv(), if under_way.is_some() => {
                if !socket.say_json(&message).await {
                    return;
                }
            }
            word = socket.hear() => {
                let Some(word) = word else { return };
                match sockets::parse(&word) {
                    Err(complaint) => if !socket.say_json(&complaint).await { return },
                    Ok(Word::Stop) => under_way = None,
                    Ok(Word::Job(job)) => {
                        let cancel = Cancel::default();
                        under_way = Some(UnderWay(cancel.clone()));
                        news = start(&shared, job, cancel);
                    }
                }
                socket.calm().await;
            }
        }
    }
}

/// Starts a search; its news come through the channel.
fn start(shared: &Shared, job: Job, cancel: Cancel) -> mpsc::Receiver<JobMessage> {
    let (sender, news) = mpsc::channel(16);
    let shared = shared.clone();
    tokio::spawn(async move {
        let id = job.id;
        let there = shared.clone();
        let Ok(_place) = there.searches.acquire().await else { return };
        let told = sender.clone();
        let searching = tokio::task::spawn_blocking(move || {
            let desk = Desk { id: job.id, started: Instant::now(), cancel, news: &told };
            desk.search(&shared, &job)
        });
        let panicked = |_| ApiError::internal("internal error in the search: please report it");
        let message = match searching.await.map_err(panicked).flatten() {
            Ok(answer) => JobMessage::Answer { id, answer },
            Err(refusal) => {
                let Problem { error, line, column } = refusal.into_problem();
                JobMessage::Error { id, error, line, column }
            }
        };
        // Nobody waits for it any more if the channel is closed.
        let _ = sender.send(message).await;
    });
    news
}

/// Where one search is done.
struct Desk<'a> {
    id: u64,
    started: Instant,
    cancel: Cancel,
    news: &'a mpsc::Sender<JobMessage>,
}

impl Desk<'_> {
    fn search(&self, shared: &Shared, job: &Job) -> Answer<JobAnswer> {
        if self.cancel.is_cancelled() {
            return Err(ApiError::bad("the search was cancelled"));
        }
        let game = games::find(shared, &job.game)?;
        let rules = games::rules(game.info(), job.rules.as_deref())?;
        let open = shared.levels.open(game, rules, &job.text)?;
        let time = job.time_ms.map_or(USUAL, Duration::from_millis).min(LONGEST);
        let seed = job.seed.unwrap_or(1);
        let options = SolveOptions {
            time,
            threads: cores(),
            chance: open.chance(seed, 0),
            cancel: self.cancel.clone(),
        };
        match job.kind {
            Kind::Check => Ok(JobAnswer::Check(self.check(open.as_ref(), &options))),
            Kind::Solve => self.solve(game, open.as_ref(), seed, &options).map(JobAnswer::Solve),
            Kind::Answers => self.answers(game, open.as_ref(), &options).map(JobAnswer::Answers),
            Kind::Analyze => {
                let lines = job.lines.unwrap_or(1).clamp(1, MOST_LINES);
                self.analyze(game, open.as_ref(), lines, time).map(JobAnswer::Analyze)
            }
        }
    }

    fn progress(&self, text: &str) {
        // News that nobody fetched in time are old news.
        let _ = self.news.try_send(JobMessage::Progress { id: self.id, text: text.to_owned() });
    }

    fn check(&self, open: &dyn OpenLevel, options: &SolveOptions) -> CheckAnswer {
        let report = open.check(options, &|text| self.progress(text));
        CheckAnswer { report, ms: milliseconds(self.started.elapsed()) }
    }

    fn solve(
        &self,
        game: &dyn AnyGame,
        open: &dyn OpenLevel,
        seed: u64,
        options: &SolveOptions,
    ) -> Answer<SolveAnswer> {
        let (answer, effort) = solving::solve(game.info(), open, seed, options, &|text| self.progress(text))?;
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
        let answers = open
            .answers(options, LISTED)
            .ok_or_else(|| ApiError::bad(format!("{name} has no list of all shortest solutions")))?;
        Ok(AnswersAnswer { answers, ms: milliseconds(self.started.elapsed()) })
    }

    /// The best lines of a position; snapshots are sent on the way.
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
        let mut told: Option<Instant> = None;
        let analysis = solving::analyze(game.info(), open, &options, &mut |partial| {
            if told.is_none_or(|told| told.elapsed() >= NEWS) {
                told = Some(Instant::now());
                let analysis = AnalyzeAnswer::new(partial);
                let _ = self.news.try_send(JobMessage::Partial { id: self.id, analysis });
            }
        })?;
        Ok(AnalyzeAnswer::new(&analysis))
    }
}
