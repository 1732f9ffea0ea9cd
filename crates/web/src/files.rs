//! The page's files, embedded in the program: its own, and those of the games.

use std::borrow::Cow;

use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use damier_core::random::hash_bytes;
use rust_embed::RustEmbed;

use crate::body::Path;
use crate::error::{Answer, ApiError};
use crate::games;
use crate::secrets::hex;
use crate::server::Shared;

/// The folder `page`: embedded, or read from disk at each request in debug builds.
#[derive(RustEmbed)]
#[folder = "page"]
struct Page;

/// `GET /`.
pub async fn index(headers: HeaderMap) -> Response {
    file("index.html", &headers)
}

/// `GET /page/{name}`.
pub async fn page(Path(name): Path<String>, headers: HeaderMap) -> Response {
    file(&name, &headers)
}

/// `GET /page/games/{game}/{name}`: a file of a game.
pub async fn game_page(
    State(shared): State<Shared>,
    Path((game, name)): Path<(String, String)>,
    headers: HeaderMap,
) -> Answer<Response> {
    let files = games::find(&shared, &game)?.info().page;
    let (name, text) = files.iter().find(|(known, _)| *known == name).ok_or_else(no_such_file)?;
    let tag = format!("\"{:016x}\"", hash_bytes(text.as_bytes()));
    Ok(respond(name, Cow::Borrowed(text.as_bytes()), tag, &headers))
}

fn no_such_file() -> ApiError {
    ApiError::not_found("the page has no file of this name")
}

fn file(name: &str, headers: &HeaderMap) -> Response {
    // The page has no subfolders, so no name can lead out of it.
    let plain = !name.starts_with('.')
        && !name.ends_with(".d.ts")
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-_".contains(&byte));
    let Some(found) = Some(name).filter(|_| plain).and_then(Page::get) else {
        return no_such_file().into_response();
    };
    let tag = format!("\"{}\"", hex(&found.metadata.sha256_hash()[..12]));
    respond(name, found.data, tag, headers)
}

/// The file, unless the browser has this version in its cache.
fn respond(name: &str, data: Cow<'static, [u8]>, tag: String, headers: &HeaderMap) -> Response {
    let known = headers.get(IF_NONE_MATCH).is_some_and(|theirs| theirs.as_bytes() == tag.as_bytes());
    // The browser must revalidate cached files each time: a newer program has a newer page.
    let about = [(CONTENT_TYPE, kind(name).to_owned()), (CACHE_CONTROL, "no-cache".to_owned()), (ETAG, tag)];
    if known {
        return (StatusCode::NOT_MODIFIED, about).into_response();
    }
    match data {
        Cow::Borrowed(bytes) => (about, bytes).into_response(),
        Cow::Owned(bytes) => (about, bytes).into_response(),
    }
}

fn extension(name: &str) -> &str {
    name.rsplit_once('.').map_or("", |(_, extension)| extension)
}

/// The media type of a file by its name.
pub fn kind(name: &str) -> &'static str {
    match extension(name) {
        "html" => "text/html; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "json" => "application/json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "webmanifest" => "application/manifest+json",
        "woff2" => "font/woff2",
        "csv" => "text/csv; charset=utf-8",
        "txt" | "md" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}
