//! Errors of the API: a status and one clear sentence.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use damier_core::level::LevelError;
use schemars::JsonSchema;
use serde::Serialize;

/// Description of an error.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Problem {
    /// One sentence.
    pub error: String,
    /// The faulty line of the level, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// The column in that line, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<usize>,
}

impl From<&LevelError> for Problem {
    fn from(error: &LevelError) -> Self {
        let counted = |number: usize| (number > 0).then_some(number);
        Self { error: error.message.clone(), line: counted(error.line), column: counted(error.column) }
    }
}

/// An error response.
#[derive(Clone, Debug)]
pub struct ApiError {
    status: StatusCode,
    problem: Problem,
}

/// Result of a handler.
pub type Answer<T> = Result<T, ApiError>;

impl ApiError {
    /// An error with a sentence.
    pub fn new(status: StatusCode, error: impl Into<String>) -> Self {
        Self { status, problem: Problem { error: error.into(), line: None, column: None } }
    }

    /// The request is invalid.
    pub fn bad(error: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, error)
    }

    /// There is nothing of this name.
    pub fn not_found(error: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, error)
    }

    /// An internal error.
    pub fn internal(error: impl Into<String>) -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, error)
    }

    /// The server is at one of its limits.
    pub fn busy(error: impl Into<String>) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, error)
    }

    /// The description of the error.
    pub fn into_problem(self) -> Problem {
        self.problem
    }

    /// Is the token missing or wrong?
    pub fn is_unauthorized(&self) -> bool {
        self.status == StatusCode::UNAUTHORIZED
    }

    /// The sentence.
    pub fn sentence(&self) -> &str {
        &self.problem.error
    }
}

impl From<LevelError> for ApiError {
    fn from(error: LevelError) -> Self {
        Self { status: StatusCode::UNPROCESSABLE_ENTITY, problem: Problem::from(&error) }
    }
}

impl From<anyhow::Error> for ApiError {
    fn from(error: anyhow::Error) -> Self {
        Self::bad(format!("{error:#}"))
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        (self.status, Json(self.problem)).into_response()
    }
}
