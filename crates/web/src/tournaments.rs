//! Tournaments: played in threads of their own, stored in the data folder, resumable after a restart.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path as FilePath, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use damier_arena::plan::{self, EventFile, Plan, Prepared, TournamentFile};
use damier_arena::schedule::{Format, Shard};
use damier_arena::standings::{Standings, schedule_of, standings};
use damier_arena::store::{Results, Store};
use damier_arena::tournament::{self, RunOptions};
use damier_core::agent::Budget;
use damier_host::games::Games;
use damier_host::terms::Terms;
use damier_host::{replays as replay_files, seeds};
use damier_kit::cancel::Cancel;
use damier_kit::time::cores;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tokio::sync::watch;
use tokio::time::sleep;

use crate::agents::is_plain;
use crate::body::{Body, Path, Query};
use crate::error::{Answer, ApiError};
use crate::server::Shared;
use crate::sockets::{Socket, Upgrade};
use crate::tables::{self, History, Selection, Tournament, TournamentInfo, TournamentState};
use crate::{games, levels, replays};

/// Maximum number of running tournaments.
const MAX_RUNNING: usize = 2;
/// Maximum number of games of a tournament.
const MAX_GAMES: usize = 10_000;
/// Maximum time of a decision, in milliseconds.
const MAX_THINK_MS: u64 = 10_000;
/// Minimum time between two messages about progress.
const UPDATE_INTERVAL: Duration = Duration::from_millis(700);

/// All tournaments.
pub struct Tournaments {
    folder: PathBuf,
    running: Mutex<BTreeMap<String, Arc<Running>>>,
    /// Cache of the last history of ratings, with the number of games it covers.
    histories: Mutex<BTreeMap<String, (usize, History)>>,
}

/// A tournament that is running, or has run since the server started.
struct Running {
    plan: Plan,
    results: Mutex<Results>,
    /// Why it failed, once it did.
    error: Mutex<Option<String>>,
    ended: Mutex<bool>,
    cancel: Cancel,
    changed: watch::Sender<u64>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A tournament to start.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NewTournament {
    /// Its name: letters, digits, hyphens and underscores.
    name: String,
    /// Its format: `round-robin`, `gauntlet` or `knockout`.
    #[serde(default)]
    #[schemars(with = "Option<String>")]
    format: Format,
    /// The agents: built-in and installed ones.
    agents: Vec<String>,
    /// The games.
    games: Vec<NewEvent>,
    /// The seeds, such as `1..4`; by default 1.
    seeds: Option<String>,
    /// Time for each decision, in milliseconds.
    think_ms: Option<u64>,
    /// Nodes for each decision of built-in agents.
    nodes: Option<u64>,
}

/// A started tournament.
#[derive(Serialize, JsonSchema)]
pub struct TournamentName {
    /// Its name.
    name: String,
}

/// A game of a tournament.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct NewEvent {
    /// The game.
    game: String,
    /// The rule set; by default the game's first one.
    rules: Option<String>,
    /// Shipped levels (`pack/name`, or `pack` for all of it) and generated ones (`generated/SEED`); by default the first one.
    #[serde(default)]
    levels: Vec<String>,
    /// The turn limit of a game.
    turns: Option<u32>,
    /// The agents; by default those of the tournament.
    agents: Option<Vec<String>>,
}

impl Tournaments {
    /// The tournaments of a data folder.
    pub fn new(data: &FilePath) -> Self {
        Self { folder: data.join("tournaments"), running: Mutex::default(), histories: Mutex::default() }
    }

    fn path(&self, name: &str) -> Answer<PathBuf> {
        if !is_plain(name) {
            return Err(ApiError::bad(
                "a tournament's name must have 1 to 60 letters, digits, hyphens or underscores",
            ));
        }
        Ok(self.folder.join(format!("{name}.db")))
    }

    /// Stops all tournaments, at the end of their running games.
    pub fn stop_all(&self) {
        lock(&self.running).values().for_each(|running| running.cancel.cancel());
    }

    fn find_running(&self, name: &str) -> Option<Arc<Running>> {
        lock(&self.running).get(name).cloned()
    }

    fn is_played(&self, name: &str) -> bool {
        self.find_running(name).is_some_and(|running| !*lock(&running.ended))
    }

    /// Plan, results and state.
    fn read(&self, name: &str) -> Answer<(Plan, Results, TournamentState, Option<String>)> {
        let path = self.path(name)?;
        if let Some(running) = self.find_running(name) {
            let results = lock(&running.results).clone();
            let error = lock(&running.error).clone();
            let state = match (&error, *lock(&running.ended)) {
                (_, false) => TournamentState::Running,
                (Some(_), true) => TournamentState::Failed,
                (None, true) => idle_state(&running.plan, &results),
            };
            return Ok((running.plan.clone(), results, state, error));
        }
        if !path.is_file() {
            return Err(ApiError::not_found("there is no tournament of this name"));
        }
        let store = Store::open(&path).map_err(|error| without_path(&error, &self.folder))?;
        let read = || anyhow::Ok((store.plan()?, store.results()?));
        let (plan, results) = read().map_err(|error| without_path(&error, &self.folder))?;
        let state = idle_state(&plan, &results);
        Ok((plan, results, state, None))
    }

    fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let mut names: Vec<String> = entries
            .filter_map(|entry| entry.file_name().into_string().ok())
            .filter_map(|file| file.strip_suffix(".db").map(str::to_owned))
            .filter(|name| is_plain(name))
            .collect();
        names.sort();
        names
    }

    /// The tournament's entry in the list.
    fn entry(&self, name: String) -> TournamentInfo {
        match self.read(&name) {
            Ok((plan, results, state, error)) => {
                let Standings { played, scheduled, .. } = standings(&plan, &results);
                let agents = plan.agents.into_iter().map(|agent| agent.name).collect();
                let games = plan.events.into_iter().map(|event| event.game).collect();
                let format = Some(plan.format);
                TournamentInfo { name, state, error, played, scheduled, format, agents, games }
            }
            Err(error) => TournamentInfo {
                name,
                state: TournamentState::Failed,
                error: Some(error.sentence().to_owned()),
                played: 0,
                scheduled: 0,
                format: None,
                agents: Vec::new(),
                games: Vec::new(),
            },
        }
    }

    fn describe(&self, name: &str, selection: &Selection) -> Answer<Tournament> {
        let (plan, results, state, error) = self.read(name)?;
        let known = lock(&self.histories).get(name).filter(|(of, _)| *of == results.len()).cloned();
        let history = known.map_or_else(|| tables::history(&plan, &results), |(_, history)| history);
        lock(&self.histories).insert(name.to_owned(), (results.len(), history.clone()));
        let described = tables::describe(&plan, &results, history, selection, (state, error));
        Ok(Tournament { name: name.to_owned(), ..described })
    }

    /// Plays the missing games, in a thread of its own.
    fn start(&self, name: &str, prepared: Prepared, resume: bool) -> Answer<()> {
        let path = self.path(name)?;
        let mut all = lock(&self.running);
        if all.get(name).is_some_and(|running| !*lock(&running.ended)) {
            return Err(ApiError::new(StatusCode::CONFLICT, "this tournament is already running"));
        }
        if all.values().filter(|running| !*lock(&running.ended)).count() >= MAX_RUNNING {
            return Err(ApiError::busy(format!("{MAX_RUNNING} tournaments are running; stop one or wait")));
        }
        if path.exists() && !resume {
            return Err(ApiError::new(StatusCode::CONFLICT, "a tournament of this name already exists"));
        }
        let store = Store::for_plan(&path, &prepared.plan, resume);
        let mut store = store.map_err(|error| without_path(&error, &self.folder))?;
        let results = store.results().map_err(|error| without_path(&error, &self.folder))?;
        let running = Arc::new(Running {
            plan: prepared.plan.clone(),
            results: Mutex::new(results.clone()),
            error: Mutex::default(),
            ended: Mutex::default(),
            cancel: Cancel::default(),
            changed: watch::Sender::new(0),
        });
        all.insert(name.to_owned(), Arc::clone(&running));
        drop(all);
        let playing = move || {
            let played = catch_unwind(AssertUnwindSafe(|| running.play(&prepared, results, &mut store)));
            let error = match played {
                Ok(result) => result.err().map(|error| format!("{error:#}")),
                Err(_) => Some("internal error while an agent was playing: please report it".to_owned()),
            };
            *lock(&running.error) = error;
            // The store must be closed before the tournament is announced as resumable.
            drop(store);
            *lock(&running.ended) = true;
            running.changed.send_modify(|count| *count += 1);
        };
        let started = std::thread::Builder::new().name("tournament".to_owned()).spawn(playing);
        started.map(|_| ()).map_err(|error| ApiError::busy(format!("cannot start a thread: {error}")))
    }
}

impl Running {
    fn play(&self, prepared: &Prepared, mut results: Results, store: &mut Store) -> anyhow::Result<()> {
        // One core is left for playing and watching.
        let options = RunOptions { shard: Shard::WHOLE, at_once: (cores() - 1).max(1), cut_hangs: false };
        let missed = tournament::play(prepared, &mut results, Some(store), options, &mut |_, results| {
            let mut known = lock(&self.results);
            for (number, record) in results {
                known.entry(*number).or_insert_with(|| record.clone());
            }
            drop(known);
            self.changed.send_modify(|count| *count += 1);
            if self.cancel.is_cancelled() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        missed.check("resume the tournament to play the missing games")
    }
}

/// The state of a tournament that is not running.
fn idle_state(plan: &Plan, results: &Results) -> TournamentState {
    let missing = schedule_of(plan, results).fixtures.iter().any(|game| !results.contains_key(&game.number));
    if missing { TournamentState::Stopped } else { TournamentState::Done }
}

/// The error without the path of the data folder, which clients must not see.
fn without_path(error: &anyhow::Error, folder: &FilePath) -> ApiError {
    let text = format!("{error:#}").replace(&format!("{}/", folder.display()), "");
    ApiError::new(StatusCode::CONFLICT, text)
}

/// Checks that games, levels and agents are known names, not paths, and prepares the tournament.
fn prepare(shared: &Shared, name: &str, file: &TournamentFile) -> Answer<Prepared> {
    for event in &file.games {
        let game = games::find(shared, &event.game)?;
        for level in &event.levels {
            levels::check_name(level)?;
            levels::check_shipped(game, level)?;
        }
        for agent in event.agents.as_ref().unwrap_or(&file.agents) {
            shared.agents.find(game.info(), agent)?;
        }
    }
    let prepared = plan::prepare(shared.games, file, shared.agents.folder())?;
    let games: usize = schedule_of(&prepared.plan, &Results::new()).fixtures.len();
    if games > MAX_GAMES {
        return Err(ApiError::bad(format!(
            "{name} would have {games} games; at most {MAX_GAMES} are allowed"
        )));
    }
    Ok(prepared)
}

fn check_size(games: Games, file: &TournamentFile) -> Answer<()> {
    let count = |text: &str| seeds::parse(text).map(|seeds| seeds.len()).map_err(ApiError::bad);
    let seeds = file.seeds.as_deref().map_or(Ok(1), count)?;
    let generated = file
        .games
        .iter()
        .flat_map(|event| &event.levels)
        .filter_map(|level| level.strip_prefix("generated/"));
    let mut levels = 0;
    for range in generated {
        levels += count(range)?;
    }
    let shipped: usize =
        games.iter().flat_map(|game| game.info().packs).map(|pack| pack.levels.len()).max().unwrap_or(1);
    if seeds > MAX_GAMES || levels > 200 || file.games.len() > 20 || file.agents.len() > 50 {
        return Err(ApiError::bad(format!(
            "a tournament can have at most 20 games, 50 agents, 200 generated levels and {MAX_GAMES} seeds; packs have up to {shipped} levels"
        )));
    }
    Ok(())
}

/// The tournaments of the data folder.
pub async fn list(State(shared): State<Shared>) -> Answer<Json<Vec<TournamentInfo>>> {
    let again = shared.clone();
    shared
        .run_blocking(move || {
            let names = again.tournaments.names().into_iter();
            Ok(Json(names.map(|name| again.tournaments.entry(name)).collect()))
        })
        .await
}

/// Starts a tournament.
pub async fn create(
    State(shared): State<Shared>,
    Body(request): Body<NewTournament>,
) -> Answer<Json<TournamentName>> {
    let again = shared.clone();
    shared
        .run_blocking(move || {
            let name = request.name.clone();
            again.tournaments.path(&name)?;
            let file = file_of(request);
            check_size(again.games, &file)?;
            again.tournaments.start(&name, prepare(&again, &name, &file)?, false)?;
            Ok(Json(TournamentName { name }))
        })
        .await
}

fn file_of(request: NewTournament) -> TournamentFile {
    let NewTournament { name, format, agents, games, seeds, think_ms, nodes } = request;
    let time = think_ms.map(|time| Duration::from_millis(time.clamp(1, MAX_THINK_MS)));
    let event = |event: NewEvent| EventFile {
        name: None,
        game: event.game,
        rules: event.rules,
        levels: event.levels,
        seeds: None,
        turns: event.turns,
        agents: event.agents,
    };
    TournamentFile {
        name: Some(name),
        format,
        agents,
        seeds,
        terms: Terms::of_budget(Budget { time, nodes }),
        games: with_unique_names(games.into_iter().map(event).collect()),
    }
}

/// Gives events of the same game different names, which distinguish their tables.
fn with_unique_names(mut events: Vec<EventFile>) -> Vec<EventFile> {
    for index in 0..events.len() {
        let same = events[..index].iter().filter(|other| other.game == events[index].game).count();
        if same > 0 {
            events[index].name = Some(format!("{} {}", events[index].game, same + 1));
        }
    }
    events
}

/// A tournament: plan, state, tables, ratings, games.
pub async fn get(
    State(shared): State<Shared>,
    Path(name): Path<String>,
    Query(selection): Query<Selection>,
) -> Answer<Json<Tournament>> {
    let again = shared.clone();
    shared.run_blocking(move || again.tournaments.describe(&name, &selection).map(Json)).await
}

/// Stops a tournament at the end of its running games; it can be resumed.
pub async fn stop(State(shared): State<Shared>, Path(name): Path<String>) -> Answer<StatusCode> {
    let path = shared.tournaments.path(&name)?;
    match shared.tournaments.find_running(&name) {
        Some(running) => running.cancel.cancel(),
        None if path.is_file() => {}
        None => return Err(ApiError::not_found("there is no tournament of this name")),
    }
    Ok(StatusCode::NO_CONTENT)
}

/// Resumes a stopped tournament.
pub async fn resume(State(shared): State<Shared>, Path(name): Path<String>) -> Answer<Json<TournamentName>> {
    let again = shared.clone();
    shared
        .run_blocking(move || {
            if again.tournaments.is_played(&name) {
                return Err(ApiError::new(StatusCode::CONFLICT, "this tournament is already running"));
            }
            let (plan, ..) = again.tournaments.read(&name)?;
            let prepared = prepare(&again, &name, &file_of_plan(&plan))?;
            again.tournaments.start(&name, prepared, true)?;
            Ok(Json(TournamentName { name }))
        })
        .await
}

/// A file that gives this plan, with every default spelled out.
fn file_of_plan(plan: &Plan) -> TournamentFile {
    let seeds = |seeds: &[u64]| seeds.iter().map(u64::to_string).collect::<Vec<_>>().join(",");
    let event = |event: &plan::Event| EventFile {
        name: Some(event.name.clone()),
        game: event.game.clone(),
        rules: Some(event.rules.clone()),
        levels: event.levels.iter().map(|level| level.name.clone()).collect(),
        seeds: Some(seeds(&event.seeds)),
        turns: Some(event.turns),
        agents: Some(event.agents.iter().map(|&agent| plan.agents[agent].agent.clone()).collect()),
    };
    TournamentFile {
        name: Some(plan.name.clone()),
        format: plan.format,
        agents: Vec::new(),
        seeds: None,
        terms: plan.terms.clone(),
        games: plan.events.iter().map(event).collect(),
    }
}

/// Query parameters of a replay.
#[derive(Deserialize)]
pub struct ReplayQuery {
    /// `file` returns the file; otherwise a session shows it.
    r#as: Option<String>,
}

/// A game of a tournament, shown in a session, or as a file.
pub async fn replay(
    State(shared): State<Shared>,
    Path((name, number)): Path<(String, usize)>,
    Query(ReplayQuery { r#as }): Query<ReplayQuery>,
) -> Answer<Response> {
    let path = shared.tournaments.path(&name)?;
    if !path.is_file() {
        return Err(ApiError::not_found("there is no tournament of this name"));
    }
    let again = shared.clone();
    shared
        .run_blocking(move || {
            let packed = Store::open(&path).and_then(|store| store.packed_replay(number));
            let packed =
                packed.map_err(|_| ApiError::not_found("this tournament has no replay of this game"))?;
            if r#as.as_deref() == Some("file") {
                return Ok(replays::download(packed));
            }
            let replay = replay_files::unpack("the replay", &packed)?;
            Ok(Json(replays::show(&again, &replay)?).into_response())
        })
        .await
}

/// A tournament, live, over a WebSocket.
pub async fn live(
    State(shared): State<Shared>,
    Path(name): Path<String>,
    Query(selection): Query<Selection>,
    upgrade: Upgrade,
) -> Answer<Response> {
    if !shared.tournaments.path(&name)?.is_file() {
        return Err(ApiError::not_found("there is no tournament of this name"));
    }
    let sockets = shared.sockets.clone();
    sockets.open(upgrade, async move |socket| follow(shared, name, selection, socket).await)
}

/// Message to a client that follows a tournament.
#[derive(Serialize, JsonSchema)]
#[serde(tag = "t", rename_all = "lowercase")]
pub enum TournamentMessage {
    /// The current state.
    Progress(Tournament),
}

async fn follow(shared: Shared, name: String, selection: Selection, mut socket: Socket) {
    loop {
        let running = shared.tournaments.find_running(&name).filter(|running| !*lock(&running.ended));
        let mut changes = running.as_ref().map(|running| running.changed.subscribe());
        let (again, of, selected) = (shared.clone(), name.clone(), selection.clone());
        let described = shared.run_blocking(move || again.tournaments.describe(&of, &selected)).await;
        let Ok(tournament) = described else { return };
        if !socket.send_json(&TournamentMessage::Progress(tournament)).await {
            return;
        }
        let news = async {
            match &mut changes {
                Some(changes) => {
                    let _ = changes.changed().await;
                    sleep(UPDATE_INTERVAL).await;
                }
                // It may be resumed later.
                None => loop {
                    sleep(UPDATE_INTERVAL).await;
                    if shared.tournaments.is_played(&name) {
                        break;
                    }
                },
            }
        };
        tokio::pin!(news);
        loop {
            tokio::select! {
                () = &mut news => break,
                text = socket.receive() => if text.is_none() { return },
            }
        }
    }
}
