//! Games that were played: brought along as a file, or taken home as one.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Request, State};
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use damier_core::agent::Budget;
use damier_host::contestant::Contestant;
use damier_host::replays;
use damier_host::session::{Session, Setup};
use damier_kit::replay::Replay;
use damier_kit::table::OpenLevel;

use crate::body;
use crate::body::Path;
use crate::error::{Answer, ApiError, Problem};
use crate::games;
use crate::levels;
use crate::room::Room;
use crate::server::Shared;
use crate::sessions::{self, Made};

/// A replay is no larger than this as it is sent, and than this when unpacked.
pub const LARGEST_SENT: usize = 8 << 20;
const LARGEST: u64 = 64 << 20;
/// Most decisions of a replay.
const MOST_DECISIONS: usize = 50_000;

/// Shows a game that was played: the body is a replay file, JSON lines or compressed by zstd.
#[utoipa::path(post, path = "/api/replays", request_body(content_type = "application/octet-stream", description = "The replay file."),
    responses((status = 200, description = "A session that shows the game.", body = Made), (status = 400, description = "It is no replay, or it does not follow from the rules.", body = Problem),
        (status = 413, description = "The file is too large.", body = Problem)))]
pub async fn upload(State(shared): State<Shared>, request: Request) -> Answer<Json<Made>> {
    let bytes = body::bytes(request, &shared).await?;
    let again = shared.clone();
    shared
        .aside(move || {
            let replay = replays::unpack_within("the file", &bytes, LARGEST)?;
            show(&again, &replay).map(Json)
        })
        .await
}

/// The game so far, as a compressed replay.
#[utoipa::path(get, path = "/api/sessions/{id}/replay", params(("id", description = "The session.")),
    responses((status = 200, description = "JSON lines, compressed by zstd.", content_type = "application/zstd"), (status = 404, body = Problem)))]
pub async fn of_session(State(shared): State<Shared>, Path(id): Path<String>) -> Answer<Response> {
    let room = shared.rooms.find(&id)?;
    shared.aside(move || Ok(download(replays::pack(&room.replay()?)?))).await
}

/// A compressed replay as a file to keep.
pub fn download(packed: Vec<u8>) -> Response {
    let about = [
        (CONTENT_TYPE, "application/zstd"),
        (CONTENT_DISPOSITION, "attachment; filename=\"game.jsonl.zst\""),
    ];
    (about, packed).into_response()
}

/// A room that shows a game that was played. Only what follows from the rules is shown.
pub fn show(shared: &Shared, replay: &Replay) -> Answer<Made> {
    let start = &replay.start;
    let game = games::find(shared, &start.game)?;
    levels::check_name(&start.level)?;
    levels::check_text(&start.text)?;
    start.agents.iter().try_for_each(|name| levels::check_name(name))?;
    if replay.moves.len() > MOST_DECISIONS {
        return Err(ApiError::bad(format!("a replay has at most {MOST_DECISIONS} decisions here")));
    }
    replay.verify(game).map_err(|error| ApiError::bad(error.to_string()))?;
    let open: Arc<dyn OpenLevel> = game.open(&start.text, &start.rules)?.into();
    if start.agents.len() != open.facts().seats.len() {
        return Err(ApiError::bad("the replay names a different number of players than its game has"));
    }
    let (id, key) = sessions::new_name()?;
    let room = Room::new((id.clone(), key.clone()), &shared.rooms, start.turn_limit, |executor| {
        let players = start.agents.iter().map(|name| Some(Contestant::BuiltIn(name.clone()))).collect();
        let setup = Setup {
            info: game.info(),
            open,
            level_name: start.level.clone(),
            seed: start.seed,
            players,
            budget: Budget::default(),
            executor,
        };
        Ok(Session::from_replay(setup, replay)?)
    })?;
    shared.rooms.add(room)?;
    Ok(Made { id, key })
}
