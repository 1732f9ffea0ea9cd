//! Verdict on a graded agent in one phrase: it does not build, crashes, hangs, its answers were substituted, or it plays badly.

use std::fmt;

use damier_kit::fault::{Fault, FaultCode};
use serde::Serialize;

use crate::grade::GameMark;

/// The kinds of verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum VerdictKind {
    /// Its build step fails, or its `agent.toml` cannot be used.
    DoesNotBuild,
    /// Its process ended, or lost the game by a fault that allows no strike.
    Crashes,
    /// It did not answer in time.
    Hangs,
    /// The referee answered for it: it had no answer, or an illegal or unreadable one.
    NotYours,
    /// It played by itself and missed a goal.
    PlaysBadly,
    /// It reached all goals.
    Passed,
}

impl VerdictKind {
    /// The name for programs, as in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Self::DoesNotBuild => "does-not-build",
            Self::Crashes => "crashes",
            Self::Hangs => "hangs",
            Self::NotYours => "not-yours",
            Self::PlaysBadly => "plays-badly",
            Self::Passed => "passed",
        }
    }

    /// The phrase for people.
    pub const fn phrase(self) -> &'static str {
        match self {
            Self::DoesNotBuild => "does not build",
            Self::Crashes => "crashes",
            Self::Hangs => "hangs",
            Self::NotYours => "answers were not yours",
            Self::PlaysBadly => "plays badly",
            Self::Passed => "passed",
        }
    }

    /// Is this the verdict that follows from a fault?
    pub fn is_of(self, fault: &Fault) -> bool {
        Self::of(fault.code) == Some(self)
    }

    /// The verdict that follows from a fault; `None` for a failure of the machine.
    const fn of(code: FaultCode) -> Option<Self> {
        Some(match code {
            FaultCode::Build => Self::DoesNotBuild,
            FaultCode::Crash | FaultCode::Memory | FaultCode::Output | FaultCode::Forbidden => Self::Crashes,
            FaultCode::Timeout => Self::Hangs,
            FaultCode::Illegal | FaultCode::Malformed | FaultCode::Protocol | FaultCode::NoAnswer => {
                Self::NotYours
            }
            FaultCode::Machine => return None,
        })
    }
}

/// A verdict on several games.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Verdict {
    /// Its kind.
    pub kind: VerdictKind,
    /// Number of games with this problem.
    pub games: usize,
    /// Number of games.
    pub of: usize,
    /// The cause in the first of these games.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub detail: String,
    /// Number of the first of these games.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first: Option<usize>,
}

impl Verdict {
    /// An agent that could not play at all.
    pub fn refused(detail: &str) -> Self {
        let kind = VerdictKind::DoesNotBuild;
        Self { kind, games: 0, of: 0, detail: detail.to_owned(), first: None }
    }

    /// The most frequent problem of these games; without one, whether all goals were reached.
    pub fn on<'a>(games: impl Iterator<Item = &'a GameMark> + Clone, passed: bool) -> Self {
        let of = games.clone().count();
        let problems = games.filter_map(|game| Some((game.number, problem(game)?)));
        let mut found: Vec<Self> = Vec::new();
        for (number, (kind, detail)) in problems {
            match found.iter_mut().find(|verdict| verdict.kind == kind) {
                Some(verdict) => verdict.games += 1,
                None => found.push(Self { kind, games: 1, of, detail, first: Some(number) }),
            }
        }
        let none = || {
            let kind = if passed { VerdictKind::Passed } else { VerdictKind::PlaysBadly };
            Self { kind, games: of, of, detail: String::new(), first: None }
        };
        // Among equally frequent problems the first one, because it may have caused the others.
        found.into_iter().rev().max_by_key(|verdict| verdict.games).filter(|_| !passed).unwrap_or_else(none)
    }

    /// The phrase and how often it is true: `crashes in 3 of 25 games`.
    pub fn phrase(&self) -> String {
        let phrase = self.kind.phrase();
        if self.games == self.of {
            phrase.to_owned()
        } else {
            format!("{phrase} in {} of {} games", self.games, self.of)
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.phrase())?;
        if self.detail.is_empty() { Ok(()) } else { write!(out, ": {}", self.detail) }
    }
}

/// The problem of a game, other than bad play, and its cause.
fn problem(game: &GameMark) -> Option<(VerdictKind, String)> {
    let substituted = &game.substituted;
    // A few substituted answers are not the main problem of a game.
    let mostly = 2 * substituted.count >= substituted.answers.max(1);
    let fault = substituted.why.as_ref().filter(|_| mostly).or(game.fault.as_ref())?;
    Some((VerdictKind::of(fault.code)?, fault.detail.clone()))
}
