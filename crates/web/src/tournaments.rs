//! Tournaments: played in threads of their own, kept in the data folder, resumed after a restart.

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
use damier_arena::tournament::{self, Manner};
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
use utoipa::ToSchema;

use crate::agents::is_plain;
use crate::body::{Body, Path, Query};
use crate::error::{Answer, ApiError, Problem};
use crate::server::Shared;
use crate::sockets::{Socket, Upgrade};
use crate::tables::{self, History, Selection, Tournament, TournamentInfo, TournamentState};
use crate::{games, levels, replays};

/// Most tournaments at once.
const MOST_RUNNING: usize = 2;
/// Most games of a tournament.
const MOST_GAMES: usize = 10_000;
/// A decision takes at most so long.
const LONGEST_THOUGHT: u64 = 10_000;
/// The page hears of progress at most so often.
const NEWS: Duration = Duration::from_millis(700);

/// All tournaments.
pub struct Tournaments {
    folder: PathBuf,
    running: Mutex<BTreeMap<String, Arc<Running>>>,
    /// The last history of ratings that was worked out, with the number of games it is of.
    histories: Mutex<BTreeMap<String, (usize, History)>>,
}

/// A tournament that is played, or was since the server started.
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

/// A tournament to begin.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewTournament {
    /// What it is called: letters, digits, hyphens and underscores.
    name: String,
    /// Who meets whom: `round-robin`, `gauntlet` or `knockout`.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    format: Format,
    /// The agents: those of the games, and installed ones.
    agents: Vec<String>,
    /// The games.
    games: Vec<NewEvent>,
    /// The seeds, such as `1..4`; 1 if not given.
    seeds: Option<String>,
    /// Time for each decision, in milliseconds.
    think_ms: Option<u64>,
    /// Nodes for each decision of the games' own agents.
    nodes: Option<u64>,
}

/// A tournament that was started.
#[derive(Serialize, JsonSchema, ToSchema)]
pub struct TournamentName {
    /// Its name.
    name: String,
}

/// A game of a tournament.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct NewEvent {
    /// The game.
    game: String,
    /// The rule set; the game's first one if not given.
    rules: Option<String>,
    /// Shipped levels (`pack/name`, or `pack` for all of it) and generated ones (`generated/SEED`); the first one if not given.
    #[serde(default)]
    levels: Vec<String>,
    /// The turn limit of a game.
    turns: Option<u32>,
    /// The agents; those of the tournament if not given.
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
                "a tournament's name has at most 60 letters, digits, hyphens and underscores",
            ));
        }
        Ok(self.folder.join(format!("{name}.db")))
    }

    /// Ends all that are played, at the end of the games under way.
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
                (None, true) => rest_state(&running.plan, &results),
            };
            return Ok((running.plan.clone(), results, state, error));
        }
        if !path.is_file() {
            return Err(ApiError::not_found("there is no tournament of this name"));
        }
        let store = Store::open(&path).map_err(|error| without_path(&error, &self.folder))?;
        let read = || anyhow::Ok((store.plan()?, store.results()?));
        let (plan, results) = read().map_err(|error| without_path(&error, &self.folder))?;
        let state = rest_state(&plan, &results);
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

    /// Plays what is missing, in a thread of its own.
    fn start(&self, name: &str, prepared: Prepared, resume: bool) -> Answer<()> {
        let path = self.path(name)?;
        let mut all = lock(&self.running);
        if all.get(name).is_some_and(|running| !*lock(&running.ended)) {
            return Err(ApiError::new(StatusCode::CONFLICT, "this tournament is already running"));
        }
        if all.values().filter(|running| !*lock(&running.ended)).count() >= MOST_RUNNING {
            return Err(ApiError::busy(format!("{MOST_RUNNING} tournaments are running; stop one or wait")));
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
            // The store is closed before anybody is told that the tournament can be resumed.
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
        // A core is left to those who play and watch.
        let manner = Manner { shard: Shard::WHOLE, at_once: (cores() - 1).max(1) };
        tournament::play(prepared, &mut results, Some(store), manner, &mut |_, results| {
            let mut known = lock(&self.results);
            for (number, record) in results {
                known.entry(*number).or_insert_with(|| record.clone());
            }
            drop(known);
            self.changed.send_modify(|count| *count += 1);
            if self.cancel.is_cancelled() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })
    }
}

/// The state of a tournament that is not running.
fn rest_state(plan: &Plan, results: &Results) -> TournamentState {
    let missing = schedule_of(plan, results).fixtures.iter().any(|game| !results.contains_key(&game.number));
    if missing { TournamentState::Stopped } else { TournamentState::Done }
}

/// The error without the path of the data folder, which clients need not know.
fn without_path(error: &anyhow::Error, folder: &FilePath) -> ApiError {
    let text = format!("{error:#}").replace(&format!("{}/", folder.display()), "");
    ApiError::new(StatusCode::CONFLICT, text)
}

/// Checks that everything is named by what is known here, and plans it.
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
    if games > MOST_GAMES {
        return Err(ApiError::bad(format!(
            "{name} would have {games} games; at most {MOST_GAMES} are allowed"
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
    if seeds > MOST_GAMES || levels > 200 || file.games.len() > 20 || file.agents.len() > 50 {
        return Err(ApiError::bad(format!(
            "a tournament has at most 20 games, 50 agents, 200 generated levels and {MOST_GAMES} seeds here; packs hold up to {shipped} levels"
        )));
    }
    Ok(())
}

/// The tournaments of the data folder.
#[utoipa::path(get, path = "/api/tournaments", responses((status = 200, description = "Name, state, played, scheduled, format, agents, games.", body = Vec<Object>)))]
pub async fn list(State(shared): State<Shared>) -> Answer<Json<Vec<TournamentInfo>>> {
    let again = shared.clone();
    shared
        .aside(move || {
            let names = again.tournaments.names().into_iter();
            Ok(Json(names.map(|name| again.tournaments.entry(name)).collect()))
        })
        .await
}

/// Begins a tournament.
#[utoipa::path(post, path = "/api/tournaments", request_body = NewTournament,
    responses((status = 200, description = "Its name.", body = TournamentName), (status = 400, description = "Something in it does not exist.", body = Problem),
        (status = 409, description = "There is one of this name.", body = Problem), (status = 503, description = "Too many are being played.", body = Problem)))]
pub async fn create(
    State(shared): State<Shared>,
    Body(request): Body<NewTournament>,
) -> Answer<Json<TournamentName>> {
    let again = shared.clone();
    shared
        .aside(move || {
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
    let time = think_ms.map(|time| Duration::from_millis(time.clamp(1, LONGEST_THOUGHT)));
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
        games: named_apart(games.into_iter().map(event).collect()),
    }
}

/// Events of the same game get different names: tables are told apart by them.
fn named_apart(mut events: Vec<EventFile>) -> Vec<EventFile> {
    for index in 0..events.len() {
        let same = events[..index].iter().filter(|other| other.game == events[index].game).count();
        if same > 0 {
            events[index].name = Some(format!("{} {}", events[index].game, same + 1));
        }
    }
    events
}

/// A tournament: plan, state, tables, ratings, games.
#[utoipa::path(get, path = "/api/tournaments/{name}", params(("name", description = "The tournament."),
    ("from" = Option<usize>, Query, description = "The first game that is listed."), ("count" = Option<usize>, Query, description = "How many games, at most 200."),
    ("agent" = Option<String>, Query, description = "Only games of this agent."), ("event" = Option<String>, Query, description = "Only games of this event.")),
    responses((status = 200, description = "All that is known.", body = Object), (status = 404, body = Problem)))]
pub async fn get(
    State(shared): State<Shared>,
    Path(name): Path<String>,
    Query(selection): Query<Selection>,
) -> Answer<Json<Tournament>> {
    let again = shared.clone();
    shared.aside(move || again.tournaments.describe(&name, &selection).map(Json)).await
}

/// Stops a tournament at the end of the games under way; it can be resumed.
#[utoipa::path(delete, path = "/api/tournaments/{name}", params(("name", description = "The tournament.")),
    responses((status = 204, description = "It stops."), (status = 404, body = Problem)))]
pub async fn stop(State(shared): State<Shared>, Path(name): Path<String>) -> Answer<StatusCode> {
    let path = shared.tournaments.path(&name)?;
    match shared.tournaments.find_running(&name) {
        Some(running) => running.cancel.cancel(),
        None if path.is_file() => {}
        None => return Err(ApiError::not_found("there is no tournament of this name")),
    }
    Ok(StatusCode::NO_CONTENT)
}

/// Resumes a tournament that was stopped.
#[utoipa::path(post, path = "/api/tournaments/{name}/resume", params(("name", description = "The tournament.")),
    responses((status = 200, description = "Its name.", body = TournamentName), (status = 404, body = Problem), (status = 409, description = "It is being played, or made by another version.", body = Problem)))]
pub async fn resume(State(shared): State<Shared>, Path(name): Path<String>) -> Answer<Json<TournamentName>> {
    let again = shared.clone();
    shared
        .aside(move || {
            if again.tournaments.is_played(&name) {
                return Err(ApiError::new(StatusCode::CONFLICT, "this tournament is already running"));
            }
            let (plan, ..) = again.tournaments.read(&name)?;
            let prepared = prepare(&again, &name, &file_again(&plan))?;
            again.tournaments.start(&name, prepared, true)?;
            Ok(Json(TournamentName { name }))
        })
        .await
}

/// The file that a plan came from, with every name spelled out.
fn file_again(plan: &Plan) -> TournamentFile {
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

/// How a replay is wanted.
#[derive(Deserialize)]
pub struct Wanted {
    /// `file` gives the file; otherwise a session shows it.
    r#as: Option<String>,
}

/// A game of a tournament, shown in a session, or as a file.
#[utoipa::path(get, path = "/api/tournaments/{name}/games/{number}/replay", params(("name", description = "The tournament."), ("number", description = "The game."),
    ("as" = Option<String>, Query, description = "`file` gives the compressed replay.")),
    responses((status = 200, description = "A session that shows the game.", body = crate::sessions::Made), (status = 404, body = Problem)))]
pub async fn replay(
    State(shared): State<Shared>,
    Path((name, number)): Path<(String, usize)>,
    Query(Wanted { r#as }): Query<Wanted>,
) -> Answer<Response> {
    let path = shared.tournaments.path(&name)?;
    if !path.is_file() {
        return Err(ApiError::not_found("there is no tournament of this name"));
    }
    let again = shared.clone();
    shared
        .aside(move || {
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
#[utoipa::path(get, path = "/api/tournaments/{name}/live", params(("name", description = "The tournament.")),
    responses((status = 101, description = "A WebSocket."), (status = 404, body = Problem)))]
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

/// What a client that follows a tournament gets.
#[derive(Serialize, JsonSchema)]
#[serde(tag = "t", rename_all = "lowercase")]
pub enum TournamentMessage {
    /// All that is known now.
    Progress(Tournament),
}

async fn follow(shared: Shared, name: String, selection: Selection, mut socket: Socket) {
    loop {
        let running = shared.tournaments.find_running(&name).filter(|running| !*lock(&running.ended));
        let mut told = running.as_ref().map(|running| running.changed.subscribe());
        let (again, of, selected) = (shared.clone(), name.clone(), selection.clone());
        let described = shared.aside(move || again.tournaments.describe(&of, &selected)).await;
        let Ok(tournament) = described else { return };
        if !socket.say_json(&TournamentMessage::Progress(tournament)).await {
            return;
        }
        let news = async {
            match &mut told {
                Some(told) => {
                    let _ = told.changed().await;
                    sleep(NEWS).await;
                }
                // It may be resumed.
                None => loop {
                    sleep(NEWS).await;
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
                word = socket.hear() => if word.is_none() { return },
            }
        }
    }
}
