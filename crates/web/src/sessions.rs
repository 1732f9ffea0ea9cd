//! Sessions: games that are played or watched, each in its room.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use damier_core::agent::Budget;
use damier_host::session::{PERSON, Session, Setup, Work};
use damier_host::terms::Terms;
use damier_kit::message::SessionInfo;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::body::{Body, Path, Query};
use crate::error::{Answer, ApiError};
use crate::games;
use crate::levels::{self, LevelChoice};
use crate::live::Key;
use crate::queue::Queue;
use crate::replays::MAX_DECISIONS;
use crate::room::{Room, Summary};
use crate::secrets::secret;
use crate::server::Shared;

/// Maximum number of rooms.
const MAX_ROOMS: usize = 512;
/// Maximum total memory of all games, in bytes, and the assumed size of a new game.
const MAX_BYTES: usize = 512 << 20;
const NEW_GAME: usize = 256 << 10;
/// Assumed size of a decision of a game that is continued, in bytes.
const BYTES_PER_MOVE: usize = 1 << 10;
/// How long an empty room is kept, in case its page is reloaded. A game in which a person has moved is kept longer.
const GRACE: Duration = Duration::from_mins(5);
const PLAYED_GRACE: Duration = Duration::from_hours(12);
/// Maximum time of one decision.
const MAX_DECISION_TIME: Duration = Duration::from_secs(10);
/// Maximum number of nodes of one decision.
const MAX_NODES: u64 = 20_000_000;

/// Memory use, in bytes, above which the agents that have been idle longest are dropped.
const MEMORY_TARGET: usize = 160 << 20;

/// All rooms, and the queue in which their agents think.
pub struct Rooms {
    queue: Queue,
    rooms: Mutex<BTreeMap<String, Arc<Room>>>,
}

impl Rooms {
    /// No rooms yet.
    pub fn new(queue: Queue) -> Self {
        Self { queue, rooms: Mutex::default() }
    }

    /// Queues an agent's work.
    pub fn think(&self, work: Work) {
        self.queue.push(work);
    }

    /// Drops idle agents if all of them together use too much memory: some have tables of many megabytes, and there may be a hundred of
    /// them, although only one per core thinks at a time.
    pub fn save_memory(&self) {
        if memory_in_use() < MEMORY_TARGET {
            return;
        }
        let mut rooms: Vec<(Instant, Arc<Room>)> =
            self.lock().values().map(|room| (room.last_decision(), Arc::clone(room))).collect();
        rooms.sort_by_key(|(decided, _)| *decided);
        for (_, room) in rooms {
            room.drop_idle_agents();
            if memory_in_use() < MEMORY_TARGET {
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
                "this session does not exist; a session is removed a few minutes after its last viewer has left",
            )
        })
    }

    /// Adds a room. If there are too many, or they are too large, the rooms that were left first are removed.
    pub fn add(&self, room: Arc<Room>) -> Answer<()> {
        let mut rooms = self.lock();
        let total = |rooms: &BTreeMap<_, Arc<Room>>| rooms.values().map(|room| room.bytes).sum::<usize>();
        while rooms.len() >= MAX_ROOMS || total(&rooms) + room.bytes > MAX_BYTES {
            let left = rooms.values().filter_map(|room| Some((room.summary().left?, room.id.clone())));
            let (_, id) =
                left.min().ok_or_else(|| ApiError::busy("too many games are running; try again later"))?;
            rooms.remove(&id);
        }
        rooms.insert(room.id.clone(), room);
        Ok(())
    }

    /// Removes abandoned rooms, and sends the number of viewers to the others.
    pub fn cleanup(&self) {
        let rooms: Vec<Arc<Room>> = self.lock().values().cloned().collect();
        let now = Instant::now();
        for room in rooms {
            let Summary { info, left } = room.summary();
            let is_played = info.turns > 0 && info.seats.iter().any(|seat| seat == PERSON);
            let grace = if is_played { PLAYED_GRACE } else { GRACE };
            if left.is_some_and(|left| now.duration_since(left) > grace) {
                self.lock().remove(&room.id);
            } else {
                room.send_watcher_count();
            }
        }
    }
}

/// The memory use of this process, in bytes; 0 if the system does not report it.
#[cfg(unix)]
fn memory_in_use() -> usize {
    let pages = std::fs::read_to_string("/proc/self/statm").ok();
    let resident = pages.and_then(|pages| pages.split(' ').nth(1)?.parse::<usize>().ok());
    resident.unwrap_or(0) * rustix::param::page_size()
}

/// 0: this system is not asked.
#[cfg(not(unix))]
fn memory_in_use() -> usize {
    0
}

/// The name and the key of a new session.
pub fn new_name() -> Answer<(String, String)> {
    Ok((secret::<8>()?, secret::<16>()?))
}

/// A game to start.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NewSession {
    /// The game.
    game: String,
    /// The rule set; by default the game's first one.
    rules: Option<String>,
    /// The level; by default the game's first one.
    #[serde(default)]
    level: LevelChoice,
    /// The seed of the game's chance; by default 1.
    seed: Option<u64>,
    /// Player at each seat: `human`, or an agent's name.
    seats: Vec<String>,
    /// Time for each decision of an agent, in milliseconds.
    think_ms: Option<u64>,
    /// Nodes for each decision of an agent.
    nodes: Option<u64>,
    /// Actions of all seats taken so far: an interrupted game continues after them.
    #[serde(default)]
    moves: Vec<String>,
}

/// A new session.
#[derive(Serialize, JsonSchema)]
pub struct Ticket {
    /// Its name in addresses, which is enough to watch.
    pub id: String,
    /// The key that allows acting.
    pub key: String,
}

/// Starts a game.
pub async fn create(State(shared): State<Shared>, Body(request): Body<NewSession>) -> Answer<Json<Ticket>> {
    let again = shared.clone();
    shared.run_blocking(move || begin(&again, &request)).await
}

fn begin(shared: &Shared, request: &NewSession) -> Answer<Json<Ticket>> {
    let game = games::find(shared, &request.game)?;
    let info = game.info();
    let rules = games::rules(info, request.rules.as_deref())?;
    let (level_name, open) = levels::open_choice(shared, game, rules, &request.level)?;
    let names = open.facts().seats;
    if request.seats.len() != names.len() {
        return Err(ApiError::bad(format!(
            "this game has {} seats ({}), but the request has {}",
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
    let time = request.think_ms.map(|time| Duration::from_millis(time).min(MAX_DECISION_TIME));
    let budget = Budget { time, nodes: request.nodes.map(|nodes| nodes.min(MAX_NODES)) };
    let seed = request.seed.unwrap_or(1);
    if request.moves.len() > MAX_DECISIONS {
        return Err(ApiError::bad(format!("a game has at most {MAX_DECISIONS} decisions here")));
    }
    let bytes = NEW_GAME.max(request.moves.len() * BYTES_PER_MOVE);
    let (id, key) = new_name()?;
    let room = Room::new((id.clone(), key.clone()), &shared.rooms, info.turn_limit, bytes, |executor| {
        let setup =
            Setup { info, open, level_name, seed, players, terms: Terms::of_budget(budget), executor };
        let mut session = Session::with_lazy_agents(setup);
        session.catch_up(&request.moves)?;
        Ok(session)
    })?;
    shared.rooms.add(room)?;
    Ok(Json(Ticket { id, key }))
}

/// The running games.
pub async fn list(State(shared): State<Shared>) -> Json<Vec<SessionInfo>> {
    let rooms: Vec<Arc<Room>> = shared.rooms.lock().values().cloned().collect();
    Json(rooms.iter().map(|room| room.summary().info).collect())
}

/// Ends a session.
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
