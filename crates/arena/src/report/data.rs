//! The report in formats for other programs.

use std::fmt::Write;

use anyhow::Result;
use damier_kit::printable::printable;
use serde_json::json;

use super::page::{escape, points};
use crate::grade::{GameMark, Mark};
use crate::suite::Suite;
use crate::verdict::Verdict;

/// The whole report as JSON.
pub fn json(suite: &Suite, marks: &[Mark]) -> Result<String> {
    let all = json!({"suite": suite.name, "game": suite.game, "points": suite.points(), "agents": marks});
    Ok(serde_json::to_string_pretty(&all)? + "\n")
}

/// One line for each agent and test.
pub fn csv(marks: &[Mark]) -> String {
    let mut text = String::from(
        "agent,test,passed,points,of,games,won,counted,faults_and_warnings,summary,verdict,explanation\n",
    );
    for mark in marks {
        for test in &mark.tests {
            let won = test.games.iter().filter(|game| game.outcome.name() == "win").count();
            let counted = test.games.iter().filter(|game| game.counts).count();
            let faults: u32 = test.games.iter().map(GameMark::faults_and_warnings).sum();
            let _ = writeln!(
                text,
                "{},{},{},{},{},{},{won},{counted},{faults},{},{},{}",
                csv_field(&mark.agent),
                csv_field(&test.name),
                test.passed,
                points(test.points),
                points(test.of),
                test.games.len(),
                csv_field(mark.refused.as_deref().unwrap_or(&test.summary)),
                mark.verdict.kind.phrase(),
                csv_field(&mark.explanation())
            );
        }
    }
    text
}

/// Quotes a field where needed. Text that a spreadsheet would take for a formula is prefixed with `'`, and terminal control
/// characters are replaced.
pub fn csv_field(text: &str) -> String {
    let prefix = if text.starts_with(['=', '+', '-', '@', '\t', '\r']) { "'" } else { "" };
    let safe = format!("{prefix}{}", printable(text));
    if safe.contains([',', '"', '\n']) { format!("\"{}\"", safe.replace('"', "\"\"")) } else { safe }
}

/// One suite for each agent, one case for each test.
pub fn junit(suite: &Suite, marks: &[Mark], logs: &[String]) -> String {
    let tests: usize = marks.iter().map(|mark| mark.tests.len()).sum();
    let failures: usize = marks.iter().flat_map(|mark| &mark.tests).filter(|test| !test.passed).count();
    let mut xml = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"{}\" tests=\"{tests}\" failures=\"{failures}\">\n",
        escape(&suite.name)
    );
    for (mark, log) in marks.iter().zip(logs) {
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
            let verdict = match &mark.refused {
                Some(_) => mark.verdict.clone(),
                None => Verdict::on(test.games.iter(), test.passed),
            };
            let why = format!("{}: {}", verdict.phrase(), mark.refused.as_deref().unwrap_or(&test.summary));
            let games: Vec<String> = test.games.iter().filter(|game| !game.counts).map(game_line).collect();
            let _ = writeln!(
                xml,
                "><failure type=\"{}\" message=\"{}\">{}</failure></testcase>",
                verdict.kind.name(),
                escape(&why),
                escape(&games.join("\n"))
            );
        }
        if !mark.passed() {
            let _ = writeln!(
                xml,
                "    <system-out>{}</system-out>\n    <system-err>{}</system-err>",
                escape(&mark.explanation()),
                escape(log)
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

/// The `results.json` of Gradescope's autograder.
pub fn gradescope(mark: &Mark, log: &str) -> Result<String> {
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
    let mut output = format!("{} of {} points", points(mark.points), points(mark.of));
    if !mark.passed() || !mark.substituted.is_none() {
        let _ = write!(output, "\n{}", mark.explanation());
    }
    if !log.is_empty() {
        let _ = write!(output, "\nThe end of its log:\n{log}");
    }
    let all = json!({"score": mark.points, "output": output, "visibility": "visible", "tests": tests,
        "extra_data": {"verdict": mark.verdict, "substituted": mark.substituted}});
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
        assert_eq!(csv_field("\t=1+1"), "'\t=1+1");
        assert_eq!(csv_field("\r=1+1\u{1b}"), "'\u{FFFD}=1+1\u{FFFD}");
    }
}
