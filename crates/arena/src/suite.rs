//! What a teacher asks of agents: tests, each with its levels, its goal and its points.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use serde::Deserialize;

use crate::plan::Conditions;
use damier_process::config::parse_toml;

/// An assignment.
///
/// ```toml
/// name = "Rasende Roboter"
/// game = "ricochet"
///
/// [terms]
/// turn_ms = 1000
/// clock = "cpu"
///
/// [[tests]]
/// name = "short ways"
/// levels = ["missions"]
/// wins = 8                     # games that must be won; all of them if not given
/// within = 20                  # a win counts only with at most 20 % more turns than the best known
/// reference = "best"           # whose games are the best known
/// points = 40
/// partial = true               # fewer wins give fewer points instead of none
/// ```
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Suite {
    /// What it is called.
    pub name: String,
    /// What is asked for, for the report.
    #[serde(default)]
    pub about: String,
    /// The game.
    pub game: String,
    /// The rule set; the game's first one if not given.
    pub rules: Option<String>,
    /// The terms of all games.
    #[serde(default)]
    pub terms: Conditions,
    /// The tests.
    pub tests: Vec<Test>,
}

/// A test: some games and what has to come out of them. The goal is one of `wins`, `percent` and `mean_score`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Test {
    /// What it is called.
    pub name: String,
    /// Levels as on the command line; the game's first one if none is given.
    #[serde(default)]
    pub levels: Vec<String>,
    /// The seeds, such as `1..5`; 1 if not given.
    pub seeds: Option<String>,
    /// A game ends undecided after so many turns; the game's own limit if not given.
    pub turns: Option<u32>,
    /// The opponent, in a game for two; every level and seed is played on both sides.
    pub against: Option<String>,
    /// Goal: so many games must be won; all of them if no goal is given.
    pub wins: Option<usize>,
    /// Goal: this share of the points, a draw being half a win.
    pub percent: Option<f64>,
    /// Goal: this mean score.
    pub mean_score: Option<f64>,
    /// A win counts only with at most this many percent more turns than the best known.
    pub within: Option<f64>,
    /// An agent whose wins on the same level with the same seed are the best known.
    pub reference: Option<String>,
    /// The turns of the best win known, by level; the fewer of these and the reference's count.
    #[serde(default)]
    pub best_known: BTreeMap<String, u32>,
    /// What the test is worth.
    pub points: f64,
    /// Do fewer wins, or a lower share or score, give fewer points instead of none?
    #[serde(default)]
    pub partial: bool,
}

impl Suite {
    /// Reads a suite's file.
    pub fn read(path: &Path) -> Result<Self> {
        let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
        Self::parse(path, &text)
    }

    /// Reads a suite's text; errors name `path`.
    pub fn parse(path: &Path, text: &str) -> Result<Self> {
        let suite: Self = parse_toml(path, text)?;
        suite.check().with_context(|| path.display().to_string())?;
        Ok(suite)
    }

    fn check(&self) -> Result<()> {
        ensure!(!self.tests.is_empty(), "a suite needs a test at least");
        for (index, test) in self.tests.iter().enumerate() {
            let name = &test.name;
            let twice = self.tests[..index].iter().any(|other| other.name == *name);
            ensure!(!twice, "two tests are called `{name}`");
            ensure!(
                test.points.is_finite() && test.points >= 0.0,
                "test `{name}`: points must not be negative"
            );
            let goals = [test.wins.is_some(), test.percent.is_some(), test.mean_score.is_some()];
            ensure!(
                goals.into_iter().filter(|given| *given).count() <= 1,
                "test `{name}`: give one goal of wins, percent and mean_score"
            );
            ensure!(
                test.within.is_none() || (test.percent.is_none() && test.mean_score.is_none()),
                "test `{name}`: within goes with wins"
            );
            ensure!(
                test.within.is_none() || test.reference.is_some() || !test.best_known.is_empty(),
                "test `{name}`: within needs a reference or best_known"
            );
            ensure!(
                test.against.is_none() || test.reference.is_none(),
                "test `{name}`: a reference plays alone, not against anybody"
            );
        }
        Ok(())
    }

    /// All points.
    pub fn points(&self) -> f64 {
        self.tests.iter().map(|test| test.points).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(text: &str) -> String {
        format!("{:#}", Suite::parse(Path::new("x.toml"), text).unwrap_err())
    }

    const HEAD: &str = "name = 'x'\ngame = 'siam'\n[[tests]]\nname = 't'\npoints = 1\n";

    #[test]
    fn a_suite_is_read() {
        let suite =
            Suite::parse(Path::new("x.toml"), &format!("{HEAD}wins = 3\nagainst = 'original'")).unwrap();
        assert_eq!((suite.tests[0].wins, suite.points()), (Some(3), 1.0));
    }

    #[test]
    fn mistakes_are_named_with_their_line() {
        assert!(refusal(&format!("{HEAD}win = 3")).starts_with("x.toml:6: unknown field `win`"));
        assert!(refusal("name = 'x'").contains("missing field `game`"));
        assert!(refusal("name = 'x'\ngame = 'y'\ntests = []").contains("needs a test"));
        assert!(refusal(&format!("{HEAD}wins = 3\npercent = 50.0")).contains("one goal"));
        assert!(refusal(&format!("{HEAD}within = 20.0")).contains("needs a reference"));
        assert!(refusal(&format!("{HEAD}[[tests]]\nname = 't'\npoints = 2")).contains("two tests"));
        assert!(refusal(&HEAD.replace("points = 1", "points = -1")).contains("negative"));
    }
}
