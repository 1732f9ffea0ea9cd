//! Grading reports: folders that `damier grade` has written into `reports` of the data folder. They are shown, never run.

use std::path::{Component, Path as FilePath};

use axum::Json;
use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use schemars::JsonSchema;
use serde::Serialize;
use utoipa::ToSchema;

use crate::body::Path;
use crate::error::{Answer, ApiError, Problem};
use crate::files;
use crate::server::Shared;

/// The page that a report begins with.
const FIRST_PAGE: &str = "index.html";
/// A report's page may show its own pictures and colours, and do nothing.
const HARMLESS: &str = "sandbox; default-src 'none'; style-src 'unsafe-inline' 'self'; img-src 'self' data:";

/// A report.
#[derive(Serialize, JsonSchema, ToSchema)]
#[schemars(rename = "GradingReport")]
pub struct Report {
    /// Its folder's name.
    name: String,
    /// What to open.
    url: String,
}

/// The grading reports of the data folder.
#[utoipa::path(get, path = "/api/reports", responses((status = 200, body = Vec<Report>)))]
pub async fn list(State(shared): State<Shared>) -> Answer<Json<Vec<Report>>> {
    let folder = shared.reports.clone();
    shared
        .aside(move || {
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
#[utoipa::path(get, path = "/reports/{name}/{file}", params(("name", description = "The report."), ("file", description = "The file.")),
    responses((status = 200, description = "The file, in a sandbox."), (status = 404, body = Problem)))]
pub async fn file(
    State(shared): State<Shared>,
    Path((name, file)): Path<(String, String)>,
) -> Answer<Response> {
    let folder = shared.reports.clone();
    shared
        .aside(move || {
            let nothing = || ApiError::not_found("no report has this file");
            if !is_inside(&name) || !is_inside(&file) {
                return Err(nothing());
            }
            // Links inside the folder may lead anywhere: only what really lies in it is shown.
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

/// Is it a path that goes down, and only down, through visible names?
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
