//! Sessions: games that are played or looked at, each in its room.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use damier_core::agent::Budget;
use damier_host::session::{PERSON, Session, Setup, Work};
use damier_kit::message::SessionInfo;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::body::{Body, Path, Query};
use crate::error::{Answer, ApiError, Problem};
use crate::games;
use crate::levels::{self, LevelChoice};
use crate::live::Key;
use crate::queue::Queue;
use crate::room::Room;
use crate::secrets::secret;
use crate::server::Shared;

/// Most rooms at once.
const MOST_ROOMS: usize = 512;
/// How long an empty room stays: time to load the page again.
const GRACE: Duration = Duration::from_mins(5);
/// The longest time of one decision.
const LONGEST_THOUGHT: Duration = Duration::from_secs(10);
/// Most nodes of one decision.
const MOST_NODES: u64 = 20_000_000;

/// With more than this in memory, the agents that have been idle longest free theirs.
const ENOUGH_MEMORY: usize = 160 << 20;

/// All rooms, and where their agents think.
pub struct Rooms {
    queue: Queue,
    rooms: Mutex<BTreeMap<String, Arc<Room>>>,
}

impl Rooms {
    /// No rooms yet.
    pub fn new(queue: Queue) -> Self {
        Self { queue, rooms: Mutex::default() }
    }

    /// Has something thought out.
    pub fn think(&self, work: Work) {
        self.queue.push(work);
    }

    /// Lets agents free their memory if all of them together use too much: some have tables of many megabytes, and there may be a
    /// hundred of them, of which only as many think at once as there are cores.
    pub fn save_memory(&self) {
        if memory_in_use() < ENOUGH_MEMORY {
            return;
        }
        let mut rooms: Vec<(Instant, Arc<Room>)> =
            self.lock().values().map(|room| (room.last_decision(), Arc::clone(room))).collect();
        rooms.sort_by_key(|(decided, _)| *decided);
        for (_, room) in rooms {
            room.rest_agents();
            if memory_in_use() < ENOUGH_MEMORY {
                return;
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Arc<Room>>> {
        self.rooms.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The room of this name.
    pub fn find(&self, id: &str) -> Answer<Arc<Room>> {
        let room = self.lock().get(id).cloned();
        room.ok_or_else(|| {
            ApiError::not_found(
                "this session does not exist; sessions are removed a few minutes after everybody has left",
            )
        })
    }

    /// Adds a room; if there are too many, the one that was left first makes way for it.
    pub fn add(&self, room: Arc<Room>) -> Answer<()> {
        let mut rooms = self.lock();
        if rooms.len() >= MOST_ROOMS {
            let left = rooms.values().filter_map(|room| Some((room.summary().left?, room.id.clone())));
            let (_, id) =
                left.min().ok_or_else(|| ApiError::busy("too many games are running; try again later"))?;
            rooms.remove(&id);
        }
        rooms.insert(room.id.clone(), room);
        Ok(())
    }

    /// Removes rooms that everybody left, and tells the viewers of the others how many they are.
    pub fn tidy(&self) {
        let rooms: Vec<Arc<Room>> = self.lock().values().cloned().collect();
        let now = Instant::now();
        for room in rooms {
            if room.summary().left.is_some_and(|left| now.duration_since(left) > GRACE) {
                self.lock().remove(&room.id);
            } else {
                room.tell_watchers();
            }
        }
    }
}

/// The memory that this process holds, in bytes; nothing where the system does not say.
#[cfg(unix)]
fn memory_in_use() -> usize {
    let pages = std::fs::read_to_string("/proc/self/statm").ok();
    let resident = pages.and_then(|pages| pages.split(' ').nth(1)?.parse::<usize>().ok());
    resident.unwrap_or(0) * rustix::param::page_size()
}

/// Nothing: this system is not asked.
#[cfg(not(unix))]
fn memory_in_use() -> usize {
    0
}

/// The name and the key of a new session.
pub fn new_name() -> Answer<(String, String)> {
    Ok((secret::<8>()?, secret::<16>()?))
}

/// A game to begin.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewSession {
    /// The game.
    game: String,
    /// The rule set; the game's first one if not given.
    rules: Option<String>,
    /// The level; the game's first one if not given.
    #[serde(default)]
    level: LevelChoice,
    /// The seed of the game's chance; 1 if not given.
    seed: Option<u64>,
    /// Who sits where: `human`, or an agent's name.
    seats: Vec<String>,
    /// Time for each decision of an agent, in milliseconds.
    think_ms: Option<u64>,
    /// Nodes for each decision of an agent.
    nodes: Option<u64>,
}

/// A session that was made.
#[derive(Serialize, JsonSchema, ToSchema)]
#[schemars(rename = "Ticket")]
pub struct Made {
    /// Its name in addresses: enough to watch.
    pub id: String,
    /// The key that lets one act.
    pub key: String,
}

/// Begins a game.
#[utoipa::path(post, path = "/api/sessions", request_body = NewSession,
    responses((status = 200, body = Made), (status = 400, description = "There is no such rule set or agent.", body = Problem),
        (status = 404, description = "There is no such game or level.", body = Problem), (status = 422, description = "The level is malformed.", body = Problem),
        (status = 503, description = "Too many games are under way.", body = Problem)))]
pub async fn create(State(shared): State<Shared>, Body(request): Body<NewSession>) -> Answer<Json<Made>> {
    let again = shared.clone();
    shared.aside(move || begin(&again, &request)).await
}

fn begin(shared: &Shared, request: &NewSession) -> Answer<Json<Made>> {
    let game = games::find(shared, &request.game)?;
    let info = game.info();
    let rules = games::rules(info, request.rules.as_deref())?;
    let (level_name, open) = levels::open_choice(shared, game, rules, &request.level)?;
    let names = open.facts().seats;
    if request.seats.len() != names.len() {
        return Err(ApiError::bad(format!(
            "this game has {} seats ({}), the request names {}",
            names.len(),
            names.join(", "),
            request.seats.len()
        )));
    }
    let mut players = Vec::new();
    for (seat, name) in request.seats.iter().enumerate() {
        players.push(if name == PERSON {
            None
        } else {
            let agent = shared.agents.find(info, name)?;
            shared.agents.check(&agent, info, open.as_ref(), seat)?;
            Some(agent)
        });
    }
    let time = request.think_ms.map(|time| Duration::from_millis(time).min(LONGEST_THOUGHT));
    let budget = Budget { time, nodes: request.nodes.map(|nodes| nodes.min(MOST_NODES)) };
    let seed = request.seed.unwrap_or(1);
    let (id, key) = new_name()?;
    let room = Room::new((id.clone(), key.clone()), &shared.rooms, info.turn_limit, |executor| {
        let setup = Setup { info, open, level_name, seed, players, budget, executor };
        Ok(Session::with_lazy_agents(setup))
    })?;
    shared.rooms.add(room)?;
    Ok(Json(Made { id, key }))
}

/// The games under way.
#[utoipa::path(get, path = "/api/sessions", responses((status = 200, description = "The sessions: id, game, rules, level, seats, record, turns, watchers.", body = Vec<Object>)))]
pub async fn list(State(shared): State<Shared>) -> Json<Vec<SessionInfo>> {
    let rooms: Vec<Arc<Room>> = shared.rooms.lock().values().cloned().collect();
    Json(rooms.iter().map(|room| room.summary().info).collect())
}

/// Ends a session.
#[utoipa::path(delete, path = "/api/sessions/{id}", params(("id", description = "The session."), ("key", Query, description = "Its key.")),
    responses((status = 204, description = "It is gone."), (status = 403, description = "The key is not the session's.", body = Problem), (status = 404, body = Problem)))]
pub async fn remove(
    State(shared): State<Shared>,
    Path(id): Path<String>,
    Query(Key { key }): Query<Key>,
) -> Answer<StatusCode> {
    let room = shared.rooms.find(&id)?;
    if !key.is_some_and(|key| room.is_key(&key)) {
        return Err(ApiError::new(StatusCode::FORBIDDEN, "ending a session needs its key"));
    }
    shared.rooms.lock().remove(&id);
    Ok(StatusCode::NO_CONTENT)
}
