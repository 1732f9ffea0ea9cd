//! The page's own files, inside the program.

use std::borrow::Cow;

use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use rust_embed::RustEmbed;

use crate::body::Path;
use crate::error::ApiError;
use crate::secrets::hex;

/// The folder `page`: built in, or read from disk at each request by debug builds.
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

fn file(name: &str, headers: &HeaderMap) -> Response {
    // The page has no folders within it, so no name can lead out of it.
    let plain = !name.starts_with('.')
        && !name.ends_with(".d.ts")
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-_".contains(&byte));
    let Some(found) = Some(name).filter(|_| plain).and_then(Page::get) else {
        return ApiError::not_found("the page has no such file").into_response();
    };
    let tag = format!("\"{}\"", hex(&found.metadata.sha256_hash()[..12]));
    let known = headers.get(IF_NONE_MATCH).is_some_and(|theirs| theirs.as_bytes() == tag.as_bytes());
    // The browser keeps a file but asks each time whether it is still the same: a newer program means a newer page.
    let about = [(CONTENT_TYPE, kind(name).to_owned()), (CACHE_CONTROL, "no-cache".to_owned()), (ETAG, tag)];
    if known {
        return (StatusCode::NOT_MODIFIED, about).into_response();
    }
    let spoken = matches!(extension(name), "js" | "css");
    if let Some(text) = std::str::from_utf8(&found.data).ok().filter(|_| spoken) {
        return (about, without_comments(text)).into_response();
    }
    match found.data {
        Cow::Borrowed(bytes) => (about, bytes).into_response(),
        Cow::Owned(bytes) => (about, bytes).into_response(),
    }
}

/// The text without its indentation, its lines of comment and the types within its lines: browsers need none of them. Line ends stay, so
/// that errors name the right line. A line on which code follows another comment stays whole.
fn without_comments(text: &str) -> String {
    let mut within = false;
    let mut kept = String::with_capacity(text.len());
    for line in text.lines() {
        let bare = line.trim();
        let comment = within || bare.starts_with("//") || bare.starts_with("/*");
        let ends = bare.find("*/").map(|end| end + 2);
        within = (within || bare.starts_with("/*")) && ends.is_none();
        if !comment || ends.is_some_and(|end| end < bare.len() && !bare.starts_with("//")) {
            push_without_types(&mut kept, bare);
        }
        kept.push('\n');
    }
    kept
}

/// Adds a line without the types in it, which are comments of the form `/** @type {…} */`.
fn push_without_types(kept: &mut String, mut line: &str) {
    while let Some((before, (_, after))) =
        line.split_once("/** @").and_then(|(before, rest)| Some((before, rest.split_once("*/")?)))
    {
        kept.push_str(before);
        line = after.strip_prefix(' ').unwrap_or(after);
    }
    kept.push_str(line);
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

#[cfg(test)]
mod tests {
    use super::without_comments;

    #[test]
    fn lines_of_comment_are_blank_and_all_others_stay() {
        let text = "/** What it is.\n * @param {number} x\n */\nconst a = 1; // one\n  // why */ a\n  f('/*');\n\
            /* short */\n/** @type {A} */ (g());\n/* so */ h(/** @type {B} */(b));\n";
        let served = "\n\n\nconst a = 1; // one\n\nf('/*');\n\n(g());\n/* so */ h((b));\n";
        assert_eq!(without_comments(text), served);
    }
}
