//! Grading reports: folders written by `damier grade` into `reports` of the data folder. They are shown without running scripts.

use std::path::{Component, Path as FilePath};

use axum::Json;
use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use schemars::JsonSchema;
use serde::Serialize;

use crate::body::Path;
use crate::error::{Answer, ApiError};
use crate::files;
use crate::server::Shared;

/// First page of a report.
const FIRST_PAGE: &str = "index.html";
/// Security policy of a report's pages: their own images and styles, but no scripts.
const HARMLESS: &str =
    "sandbox allow-downloads; default-src 'none'; style-src 'unsafe-inline' 'self'; img-src 'self' data:";

/// A report.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "GradingReport")]
pub struct Report {
    /// Its folder's name.
    name: String,
    /// The address of its first page.
    url: String,
}

/// The grading reports of the data folder.
pub async fn list(State(shared): State<Shared>) -> Answer<Json<Vec<Report>>> {
    let folder = shared.reports.clone();
    shared
        .run_blocking(move || {
            let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
            let mut names: Vec<String> = entries
                .filter(|entry| entry.path().join(FIRST_PAGE).is_file())
                .filter_map(|entry| entry.file_name().into_string().ok())
                .filter(|name| is_inside(name))
                .collect();
            names.sort();
            let report = |name: String| Report { url: format!("/reports/{name}/{FIRST_PAGE}"), name };
            Ok(Json(names.into_iter().map(report).collect()))
        })
        .await
}

/// A file of a report.
pub async fn file(
    State(shared): State<Shared>,
    Path((name, file)): Path<(String, String)>,
) -> Answer<Response> {
    let folder = shared.reports.clone();
    shared
        .run_blocking(move || {
            let nothing = || ApiError::not_found("no report has this file");
            if !is_inside(&name) || !is_inside(&file) {
                return Err(nothing());
            }
            // Symbolic links may lead anywhere: only files inside the folder are shown.
            let root = folder.canonicalize().map_err(|_| nothing())?;
            let path = root.join(&name).join(&file).canonicalize().map_err(|_| nothing())?;
            if !path.starts_with(&root) {
                return Err(nothing());
            }
            let bytes = std::fs::read(path).map_err(|_| nothing())?;
            let about = [
                (CONTENT_TYPE, files::kind(&file)),
                (CONTENT_SECURITY_POLICY, HARMLESS),
                (CACHE_CONTROL, "no-cache"),
            ];
            Ok((about, bytes).into_response())
        })
        .await
}

/// Is it a relative path without `..` and without hidden names?
fn is_inside(path: &str) -> bool {
    let visible = |part: Component<'_>| matches!(part, Component::Normal(name) if name.to_str().is_some_and(|name| !name.starts_with('.')));
    !path.is_empty() && !path.contains(['\\', '\0']) && FilePath::new(path).components().all(visible)
}

#[cfg(test)]
mod tests {
    use super::is_inside;

    #[test]
    fn paths_lead_down_only() {
        assert!(is_inside("spring/alice.html"));
        for trick in ["", "..", "../x", "a/../../x", "/etc/passwd", "a/.git/config", "a\\..\\b", ".", "a\0b"]
        {
            assert!(!is_inside(trick), "{trick}");
        }
    }
}
