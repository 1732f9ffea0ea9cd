//! Test suites for grading: tests with levels, a goal and points.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use serde::Deserialize;

use damier_host::terms::Terms;
use damier_process::config::parse_toml;

/// A test suite.
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
/// name = "short plans"
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
    /// Its name.
    pub name: String,
    /// Description for the report.
    #[serde(default)]
    pub about: String,
    /// The game.
    pub game: String,
    /// Rule set; by default the game's first one.
    pub rules: Option<String>,
    /// The terms of all games.
    #[serde(default)]
    pub terms: Terms,
    /// The tests.
    pub tests: Vec<Test>,
}

/// A test: games and a goal, which is one of `wins`, `percent` and `mean_score`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Test {
    /// Its name.
    pub name: String,
    /// Levels as on the command line; by default the game's first one.
    #[serde(default)]
    pub levels: Vec<String>,
    /// Seeds, such as `1..5`; by default 1.
    pub seeds: Option<String>,
    /// Turn limit; by default the game's own.
    pub turns: Option<u32>,
    /// Opponent in a two-player game; every level and seed is played on both sides.
    pub against: Option<String>,
    /// Goal: number of wins; all games if no goal is given.
    pub wins: Option<usize>,
    /// Goal: share of the points in percent, a draw being half a win.
    pub percent: Option<f64>,
    /// Goal: mean score.
    pub mean_score: Option<f64>,
    /// A win counts only with at most this many percent more turns than the best known win.
    pub within: Option<f64>,
    /// Reference agent: its wins on the same level and seed are the best known.
    pub reference: Option<String>,
    /// Turns of the best known win, by level; the reference's win counts if it is shorter.
    #[serde(default)]
    pub best_known: BTreeMap<String, u32>,
    /// Points of the test.
    pub points: f64,
    /// Partial credit: does a result below the goal give a share of the points?
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
        ensure!(!self.tests.is_empty(), "a suite needs at least one test");
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
                "test `{name}`: give only one goal: `wins`, `percent` or `mean_score`"
            );
            ensure!(
                test.within.is_none() || (test.percent.is_none() && test.mean_score.is_none()),
                "test `{name}`: `within` can only be combined with `wins`"
            );
            ensure!(
                test.within.is_none() || test.reference.is_some() || !test.best_known.is_empty(),
                "test `{name}`: `within` needs a `reference` or `best_known`"
            );
            ensure!(
                test.against.is_none() || test.reference.is_none(),
                "test `{name}`: give either `against` or `reference`, not both"
            );
        }
        Ok(())
    }

    /// Total points of all tests.
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
        assert!(refusal("name = 'x'\ngame = 'y'\ntests = []").contains("at least one test"));
        assert!(refusal(&format!("{HEAD}wins = 3\npercent = 50.0")).contains("only one goal"));
        assert!(refusal(&format!("{HEAD}within = 20.0")).contains("needs a `reference`"));
        assert!(refusal(&format!("{HEAD}[[tests]]\nname = 't'\npoints = 2")).contains("two tests"));
        assert!(refusal(&HEAD.replace("points = 1", "points = -1")).contains("negative"));
    }
}
