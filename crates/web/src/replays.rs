//! Replays: uploaded and shown, or downloaded.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Request, State};
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use damier_host::contestant::Contestant;
use damier_host::replays;
use damier_host::session::{Session, Setup};
use damier_host::terms::Terms;
use damier_kit::replay::Replay;
use damier_kit::table::OpenLevel;

use crate::body;
use crate::body::Path;
use crate::error::{Answer, ApiError};
use crate::games;
use crate::levels;
use crate::room::Room;
use crate::server::Shared;
use crate::sessions::{self, Ticket};

/// Maximum size of a replay, uploaded and unpacked, in bytes.
pub const MAX_UPLOAD: usize = 8 << 20;
const MAX_UNPACKED: u64 = 16 << 20;
/// Approximate ratio of a replay's memory use to the size of its text.
const MEMORY_FACTOR: usize = 4;
/// Maximum number of decisions in a game that is shown or continued.
pub const MAX_DECISIONS: usize = 50_000;

/// Shows a replay: the body is a replay file, JSON lines or compressed by zstd.
pub async fn upload(State(shared): State<Shared>, request: Request) -> Answer<Json<Ticket>> {
    let bytes = body::bytes(request, &shared).await?;
    let again = shared.clone();
    shared
        .run_blocking(move || {
            let replay = replays::unpack_within("the file", &bytes, MAX_UNPACKED)?;
            show(&again, &replay).map(Json)
        })
        .await
}

/// The game so far, as a compressed replay.
pub async fn of_session(State(shared): State<Shared>, Path(id): Path<String>) -> Answer<Response> {
    let room = shared.rooms.find(&id)?;
    shared.run_blocking(move || Ok(download(replays::pack(&room.replay()?)?))).await
}

/// A compressed replay as a download.
pub fn download(packed: Vec<u8>) -> Response {
    let about = [
        (CONTENT_TYPE, "application/zstd"),
        (CONTENT_DISPOSITION, "attachment; filename=\"game.jsonl.zst\""),
    ];
    (about, packed).into_response()
}

/// Creates a room that shows a replay, after verifying it.
pub fn show(shared: &Shared, replay: &Replay) -> Answer<Ticket> {
    let start = &replay.start;
    let game = games::find(shared, &start.game)?;
    levels::check_name(&start.level)?;
    levels::check_text(&start.text)?;
    start.agents.iter().try_for_each(|name| levels::check_name(name))?;
    if replay.moves.len() > MAX_DECISIONS {
        return Err(ApiError::bad(format!("a replay has at most {MAX_DECISIONS} decisions here")));
    }
    replay.verify(game).map_err(|error| ApiError::bad(error.to_string()))?;
    let open: Arc<dyn OpenLevel> = game.open(&start.text, &start.rules)?.into();
    if start.agents.len() != open.facts().seats.len() {
        return Err(ApiError::bad("the number of players in the replay is not that of its game"));
    }
    let (id, key) = sessions::new_name()?;
    let bytes = replay.to_json_lines().len() * MEMORY_FACTOR;
    let room = Room::new((id.clone(), key.clone()), &shared.rooms, start.turn_limit, bytes, |executor| {
        let players = start.agents.iter().map(|name| Some(Contestant::built_in(name))).collect();
        let setup = Setup {
            info: game.info(),
            open,
            level_name: start.level.clone(),
            seed: start.seed,
            players,
            terms: Terms::default(),
            executor,
        };
        Ok(Session::from_replay(setup, replay)?)
    })?;
    shared.rooms.add(room)?;
    Ok(Ticket { id, key })
}
