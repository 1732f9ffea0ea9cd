//! The API's routes with their description, which is served as `/api/openapi.json`.

use axum::extract::DefaultBodyLimit;
use serde_json::Value;
use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::server::{self, Shared};
use crate::{agents, games, jobs, levels, live, replays, reports, rounds, sessions, tournaments};

/// What is said of the API as a whole.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "Damier",
        description = "Classic grid games: play, watch, solve, edit and compete. The page uses this API and nothing else. \
            What goes through WebSockets is described in docs/page.md. Every refusal is a `Problem`: one sentence, and the place \
            in the level if one is at fault.",
    ),
    paths(reports::file)
)]
struct Described;

/// The messages of the sockets, which the description of an API has no place for.
const SOCKETS: &str = include_str!("sockets.json");

/// The description, with the messages of the sockets under `x-sockets`.
pub fn with_sockets(description: &utoipa::openapi::OpenApi) -> Value {
    let mut description = serde_json::to_value(description).expect("a description is plain data");
    description["x-sockets"] = serde_json::from_str(SOCKETS).expect("the file is JSON");
    description
}

/// The routes of the API.
pub fn routes() -> OpenApiRouter<Shared> {
    let uploads = OpenApiRouter::new()
        .routes(routes!(replays::upload))
        .layer(DefaultBodyLimit::max(replays::LARGEST_SENT));
    OpenApiRouter::with_openapi(Described::openapi())
        .routes(routes!(games::list))
        .routes(routes!(games::level))
        .routes(routes!(levels::open))
        .routes(routes!(levels::convert))
        .routes(routes!(levels::generate))
        .routes(routes!(sessions::list, sessions::create))
        .routes(routes!(sessions::remove))
        .routes(routes!(live::live))
        .routes(routes!(replays::of_session))
        .merge(uploads)
        .routes(routes!(jobs::jobs))
        .routes(routes!(rounds::rounds))
        .routes(routes!(agents::list, agents::create))
        .routes(routes!(tournaments::list, tournaments::create))
        .routes(routes!(tournaments::get, tournaments::stop))
        .routes(routes!(tournaments::resume))
        .routes(routes!(tournaments::live))
        .routes(routes!(tournaments::replay))
        .routes(routes!(reports::list))
        .routes(routes!(server::version))
}
