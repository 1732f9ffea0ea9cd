//! `/api/jobs`: searches that take a while, one at a time for each socket. A new one takes the place of the one before, and all end
//! when nobody waits for them any more.

use std::time::{Duration, Instant};

use axum::extract::State;
use axum::response::Response;
use damier_core::game::{Game, Status};
use damier_core::grid::{Cell, Size};
use damier_host::measure::{Stopwatch, milliseconds};
use damier_host::solving;
use damier_kit::cancel::Cancel;
use damier_kit::table::{AnyGame, OpenLevel};
use damier_kit::time::cores;
use damier_kit::{Solvability, SolveOptions};
use damier_ricochet::rules::{Action, RicochetGame};
use damier_ricochet::solve::{Limits, Outcome, Solutions, solve_all};
use damier_ricochet::{difficulty, reach};
use damier_siam::analyze::{self, analyze};
use damier_siam::board::Side;
use damier_siam::engine::Thought;
use damier_siam::level::Level;
use damier_siam::rules::RuleSet;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::mpsc;

use crate::error::{Answer, ApiError, Problem};
use crate::games;
use crate::levels;
use crate::server::Shared;
use crate::sockets::{self, Socket, Upgrade};

/// A search takes no longer than this, and this if nobody says.
const LONGEST: Duration = Duration::from_mins(1);
const USUAL: Duration = Duration::from_secs(5);
/// So many shortest solutions are listed.
const LISTED: usize = 200;
/// What a search for all shortest solutions may keep in memory.
const MEMORY: usize = 200 << 20;
/// So many lines of an analysis.
const MOST_LINES: usize = 10;
/// News of a search come at most so often.
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
fn start(shared: &Shared, job: Job, cancel: Cancel) -> mpsc::Receiver<Value> {
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
        let stumbled = || ApiError::internal("the search stumbled; that is a mistake of the program");
        let message = match searching.await.map_err(|_| stumbled()).flatten() {
            Ok(mut answer) => {
                answer["t"] = "answer".into();
                answer["id"] = id.into();
                answer
            }
            Err(refusal) => {
                let Problem { error, line, column } = refusal.into_problem();
                json!({"t": "error", "id": id, "error": error, "line": line, "column": column})
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
    news: &'a mpsc::Sender<Value>,
}

impl Desk<'_> {
    fn search(&self, shared: &Shared, job: &Job) -> Answer<Value> {
        if self.cancel.is_cancelled() {
            return Err(ApiError::bad("nobody waits for this any more"));
        }
        let game = games::find(shared, &job.game)?;
        let rules = games::rules(game.info(), job.rules.as_deref())?;
        let open = levels::open_text(game, rules, &job.text)?;
        let time = job.time_ms.map_or(USUAL, Duration::from_millis).min(LONGEST);
        let seed = job.seed.unwrap_or(1);
        let limits = SolveOptions {
            time,
            threads: cores(),
            chance: open.chance(seed, 0),
            cancel: self.cancel.clone(),
        };
        match (job.kind, game.info().name) {
            (Kind::Check, _) => Ok(self.check(open.as_ref(), &limits)),
            (Kind::Solve, _) => self.solve(game, open.as_ref(), seed, &limits),
            (Kind::Answers, "ricochet") => self.answers(open.as_ref(), time),
            (Kind::Analyze, "siam") => self.analyze(open.as_ref(), rules, job.lines.unwrap_or(1), time),
            (Kind::Answers, other) => {
                Err(ApiError::bad(format!("{other} has no list of all shortest solutions")))
            }
            (Kind::Analyze, other) => Err(ApiError::bad(format!("{other} has no analysis of positions"))),
        }
    }

    fn progress(&self, text: &str) {
        // News that nobody fetched in time are old news.
        let _ = self.news.try_send(json!({"t": "progress", "id": self.id, "text": text}));
    }

    fn check(&self, open: &dyn OpenLevel, limits: &SolveOptions) -> Value {
        let report = open.check(limits, &|text| self.progress(text));
        let mut answer = json!(report);
        answer["ms"] = milliseconds(self.started.elapsed()).into();
        answer
    }

    fn solve(
        &self,
        game: &dyn AnyGame,
        open: &dyn OpenLevel,
        seed: u64,
        limits: &SolveOptions,
    ) -> Answer<Value> {
        let stopwatch = Stopwatch::start();
        let answer = open.solve(limits, &|text| self.progress(text));
        let effort = stopwatch.read();
        if answer.solution.outcome == Solvability::Solved {
            solving::verify_plan(game.info(), open, seed, &answer.solution.plan)?;
        }
        let mut message = solving::solution_json(seed, "", open, &answer, &effort);
        message["notes"] = json!(answer.solution.notes);
        Ok(message)
    }

    /// All shortest solutions of a mission, and what helps a person to see them.
    fn answers(&self, open: &dyn OpenLevel, time: Duration) -> Answer<Value> {
        let text = open.print("json")?;
        let must = open.rules() == "ricochet";
        let level = damier_ricochet::level::Level::parse(&text)?.with_must_ricochet(must);
        let game = RicochetGame::new(level);
        let state = game.start();
        let limits = Limits {
            time: Some(time),
            memory: MEMORY,
            threads: cores(),
            cancel: self.cancel.clone(),
            ..Limits::default()
        };
        let (answer, solutions) = solve_all(&game, &state, &limits, LISTED);
        let names = |plan: &[Action]| plan.iter().map(ToString::to_string).collect::<Vec<_>>();
        let size = game.level().board().size();
        let reach: serde_json::Map<String, Value> = state
            .present()
            .map(|robot| {
                let moves = reach::distances(&game, &state, robot);
                let cells = moves.iter().enumerate().filter_map(|(cell, moves)| {
                    let (x, y) = place(size, Cell(cell as u16));
                    Some((x, y, (*moves)?))
                });
                (robot.name().to_owned(), json!(cells.collect::<Vec<_>>()))
            })
            .collect();
        let corridors: Vec<Value> = reach::corridors(&game, &state)
            .iter()
            .map(|corridor| {
                let cells: Vec<_> = corridor.cells.iter().map(|&cell| place(size, cell)).collect();
                let missing = corridor.missing.map(|cell| place(size, cell));
                json!({"dir": corridor.dir, "cells": cells, "missing": missing})
            })
            .collect();
        let outcome = match answer.outcome {
            Outcome::Solved => "solved",
            Outcome::Unsolvable => "unsolvable",
            Outcome::TooLong | Outcome::OutOfTime | Outcome::OutOfMemory => "unknown",
        };
        let listed = solutions.as_ref().map_or(&[][..], |found: &Solutions| &found.listed);
        Ok(json!({
            "outcome": outcome,
            "moves": answer.plan.as_ref().map(Vec::len),
            "plan": answer.plan.as_deref().map(names),
            "lower_bound": answer.lower_bound,
            "count": solutions.as_ref().map(|found| found.count),
            "solutions": listed.iter().map(|plan| names(plan)).collect::<Vec<_>>(),
            "simplest": solutions.as_ref().map(|found| names(&found.simplest)),
            "difficulty": solutions.as_ref().map(|found| difficulty::rating(&answer, found)),
            "reach": reach,
            "corridors": corridors,
            "positions": answer.positions,
            "ms": milliseconds(self.started.elapsed()),
        }))
    }

    /// The best lines of a SIAM position; each new one is told at once.
    fn analyze(&self, open: &dyn OpenLevel, rules: &str, lines: usize, time: Duration) -> Answer<Value> {
        if matches!(open.table(0, 0).status(), Status::Over(_)) {
            return Err(ApiError::bad("the game is over in this position"));
        }
        let set = RuleSet::named(rules).ok_or_else(|| ApiError::bad("there is no such rule set"))?;
        let moves = set.moves();
        let board = Level::parse(&open.print("damier")?)?.board;
        let names =
            |side| moves.winning_moves(&board, side).iter().map(ToString::to_string).collect::<Vec<_>>();
        let threats = json!({"E": names(Side::BOTH[0]), "R": names(Side::BOTH[1])});
        let limits = analyze::Limits {
            time: Some(time),
            threads: cores(),
            lines: lines.clamp(1, MOST_LINES),
            cancel: self.cancel.clone(),
            ..analyze::Limits::default()
        };
        let mut told: Option<Instant> = None;
        let mut longest: Vec<String> = Vec::new();
        let analysis = analyze(&moves, &board, &limits, &mut |thought: &Thought| {
            let line: Vec<String> = thought.line.iter().map(ToString::to_string).collect();
            longest.clone_from(&line);
            if told.is_some_and(|told| told.elapsed() < NEWS) {
                return;
            }
            told = Some(Instant::now());
            let _ = self.news.try_send(json!({
                "t": "partial", "id": self.id, "position": board.to_string(), "best": line.first(), "score": thought.score.0,
                "text": analyze::score_text(thought.score, board.side()), "depth": thought.depth, "nodes": thought.nodes,
                "line": line, "lines": [{"score": thought.score.0, "line": line}], "threats": threats,
                "ms": milliseconds(self.started.elapsed()),
            }));
        });
        let mut answer = analysis.to_json();
        answer["text"] = analysis.verdict().into();
        // The last depth may end with the first move of its line alone; how it would go on was seen before.
        if answer["line"] == json!(longest.get(..1)) {
            answer["line"] = json!(longest);
            if let Some(best) = answer.get_mut("lines").and_then(|lines| lines.get_mut(0)) {
                best["line"] = json!(longest);
            }
        }
        if answer.get("lines").is_none() {
            answer["lines"] = json!([{"score": answer["score"], "line": answer["line"]}]);
        }
        Ok(answer)
    }
}

fn place(size: Size, cell: Cell) -> (u16, u16) {
    (cell.0 % size.width, cell.0 / size.width)
}
