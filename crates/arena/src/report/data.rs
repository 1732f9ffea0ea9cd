//! The report for other programs.

use std::fmt::Write;

use anyhow::Result;
use serde_json::json;

use super::page::{escape, points};
use crate::grade::{GameMark, Mark};
use crate::suite::Suite;

/// Everything.
pub fn json(suite: &Suite, marks: &[Mark]) -> Result<String> {
    let all = json!({"suite": suite.name, "game": suite.game, "points": suite.points(), "agents": marks});
    Ok(serde_json::to_string_pretty(&all)? + "\n")
}

/// One line for each agent and test.
pub fn csv(marks: &[Mark]) -> String {
    let mut text =
        String::from("agent,test,passed,points,of,games,won,counted,faults_and_warnings,summary\n");
    for mark in marks {
        for test in &mark.tests {
            let won = test.games.iter().filter(|game| game.outcome.name() == "win").count();
            let counted = test.games.iter().filter(|game| game.counts).count();
            let strikes: u32 = test.games.iter().map(|game| game.strikes).sum();
            let _ = writeln!(
                text,
                "{},{},{},{},{},{},{won},{counted},{strikes},{}",
                csv_field(&mark.agent),
                csv_field(&test.name),
                test.passed,
                points(test.points),
                points(test.of),
                test.games.len(),
                csv_field(mark.refused.as_deref().unwrap_or(&test.summary))
            );
        }
    }
    text
}

/// In quotes where a comma, a quote or a line break would end the field. What a spreadsheet would take for a formula is kept
/// from being one.
fn csv_field(text: &str) -> String {
    let tamed = if text.starts_with(['=', '+', '-', '@']) { format!("'{text}") } else { text.to_owned() };
    if tamed.contains([',', '"', '\n', '\r']) { format!("\"{}\"", tamed.replace('"', "\"\"")) } else { tamed }
}

/// One suite for each agent, one case for each test.
pub fn junit(suite: &Suite, marks: &[Mark]) -> String {
    let tests: usize = marks.iter().map(|mark| mark.tests.len()).sum();
    let failures: usize = marks.iter().flat_map(|mark| &mark.tests).filter(|test| !test.passed).count();
    let mut xml = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"{}\" tests=\"{tests}\" failures=\"{failures}\">\n",
        escape(&suite.name)
    );
    for mark in marks {
        let failed = mark.tests.iter().filter(|test| !test.passed).count();
        let _ = writeln!(
            xml,
            "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{failed}\">",
            escape(&mark.agent),
            mark.tests.len()
        );
        for test in &mark.tests {
            let seconds: f64 = test.games.iter().map(|game| game.longest_ms / 1000.0).sum();
            let _ = write!(
                xml,
                "    <testcase classname=\"{}\" name=\"{}\" time=\"{seconds:.3}\"",
                escape(&mark.agent),
                escape(&test.name)
            );
            if test.passed {
                xml += "/>\n";
                continue;
            }
            let why = mark.refused.as_deref().unwrap_or(&test.summary);
            let games: Vec<String> = test.games.iter().filter(|game| !game.counts).map(game_line).collect();
            let _ = writeln!(
                xml,
                "><failure message=\"{}\">{}</failure></testcase>",
                escape(why),
                escape(&games.join("\n"))
            );
        }
        xml += "  </testsuite>\n";
    }
    xml + "</testsuites>\n"
}

fn game_line(game: &GameMark) -> String {
    format!(
        "game {} on {}, seed {}: {} ({})",
        game.number,
        game.level,
        game.seed,
        game.outcome.name(),
        game.reason
    )
}

/// What Gradescope's autograder reads as `results.json`.
pub fn gradescope(mark: &Mark) -> Result<String> {
    let tests: Vec<_> = mark
        .tests
        .iter()
        .map(|test| {
            let lines: Vec<String> = test.games.iter().map(game_line).collect();
            json!({"name": test.name, "score": test.points, "max_score": test.of,
                "status": if test.passed { "passed" } else { "failed" },
                "output": format!("{}\n{}", test.summary, lines.join("\n"))})
        })
        .collect();
    let output = mark
        .refused
        .clone()
        .unwrap_or_else(|| format!("{} of {} points", points(mark.points), points(mark.of)));
    let all = json!({"score": mark.points, "output": output, "visibility": "visible", "tests": tests});
    Ok(serde_json::to_string_pretty(&all)? + "\n")
}

#[cfg(test)]
mod tests {
    use super::csv_field;

    #[test]
    fn fields_stay_fields() {
        assert_eq!(csv_field("plain"), "plain");
        assert_eq!(csv_field("a,\"b\""), "\"a,\"\"b\"\"\"");
        assert_eq!(csv_field("=1+1"), "'=1+1");
    }
}
