//! The page for the teacher, with everybody's points.

use std::fmt::Write;

use super::page::{escape, page, points, shade};
use super::plot::{Bar, bars, histogram};
use crate::grade::Mark;
use crate::suite::Suite;

/// With more candidates than this, the page also shows a histogram.
const FEW: usize = 5;

pub fn page_of(suite: &Suite, marks: &[Mark], folders: &[String]) -> String {
    let most = suite.points();
    let mut ranked: Vec<(&Mark, &String)> = marks.iter().zip(folders).collect();
    ranked.sort_by(|(a, _), (b, _)| b.points.total_cmp(&a.points));
    let all: Vec<f64> = marks.iter().map(|mark| mark.points).collect();
    let mean = all.iter().sum::<f64>() / all.len().max(1) as f64;
    let games: usize = marks.iter().flat_map(|mark| &mark.tests).map(|test| test.games.len()).sum();
    let mut body =
        format!("<h1>{}</h1>\n<p class=\"soft\">{}</p>\n", escape(&suite.name), escape(&suite.about));
    body += "<div class=\"tiles\">";
    for (value, name) in [
        (marks.len().to_string(), "agents"),
        (suite.tests.len().to_string(), "tests"),
        (games.to_string(), "games"),
        (format!("{} / {}", points((mean * 100.0).round() / 100.0), points(most)), "mean points"),
        (marks.iter().filter(|mark| mark.passed()).count().to_string(), "passed everything"),
    ] {
        let _ = write!(body, "<div class=\"tile\"><b>{value}</b><span>{name}</span></div>");
    }
    body += "</div>\n";
    let legend: Vec<&str> = suite.tests.iter().map(|test| &*test.name).collect();
    let drawn: Vec<Bar<'_>> = ranked
        .iter()
        .map(|(mark, folder)| Bar {
            name: &mark.agent,
            link: format!("{folder}/index.html"),
            parts: mark.tests.iter().map(|test| test.points).collect(),
        })
        .collect();
    let _ = writeln!(body, "<div class=\"card\"><h2>Points</h2>{}</div>", bars(&drawn, most, &legend));
    if marks.len() > FEW {
        let drawn = histogram(&all, most);
        let _ = writeln!(body, "<div class=\"card\"><h2>Distribution of points</h2>{drawn}</div>");
    }
    body += &table(suite, &ranked);
    body += "<p class=\"soft\">The same as data: <a href=\"results.json\">results.json</a>, \
        <a href=\"results.csv\">results.csv</a>, <a href=\"junit.xml\">junit.xml</a>.</p>\n";
    page(&suite.name, &body)
}

fn table(suite: &Suite, ranked: &[(&Mark, &String)]) -> String {
    let mut table = String::from("<div class=\"card\"><h2>Tests</h2><table><tr><th>agent</th>");
    for test in &suite.tests {
        let _ = write!(table, "<th>{} ({})</th>", escape(&test.name), points(test.points));
    }
    table += "<th class=\"number\">points</th><th>verdict</th></tr>\n";
    for (mark, folder) in ranked {
        let link = format!("{folder}/index.html");
        let _ = write!(table, "<tr><td><a href=\"{}\">{}</a></td>", escape(&link), escape(&mark.agent));
        for test in &mark.tests {
            let share =
                if test.passed { 1.0 } else { (test.points / test.of.max(f64::MIN_POSITIVE)).min(0.99) };
            let _ = write!(
                table,
                "<td class=\"cell s{}\" title=\"{}\">{}</td>",
                shade(share),
                escape(&test.summary),
                points(test.points)
            );
        }
        let phrase = mark.verdict.phrase();
        let class = if mark.passed() { "passed" } else { "failed" };
        let _ = write!(
            table,
            "<td class=\"number\"><b>{}</b></td><td><span class=\"{class}\">{}</span>",
            points(mark.points),
            escape(&phrase)
        );
        // Only the first line; the author's page has the rest.
        if let Some(line) = mark.cause().lines().next() {
            let _ = write!(table, "<br><span class=\"soft\">{}</span>", escape(line));
        }
        table += "</td></tr>\n";
    }
    table + "</table></div>\n"
}
