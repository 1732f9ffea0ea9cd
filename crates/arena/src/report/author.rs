//! The page for an agent's author: every game, why it was not won, and where its replay is.

use std::fmt::Write;

use anyhow::Result;

use super::page::{escape, page, points};
use super::plot::{Way, ways};
use super::{board, replay_path};
use crate::grade::{Examination, GameMark, Mark, TestMark};
use crate::store::Store;
use damier_core::game::Outcome;

/// So many final positions of a test are drawn.
const BOARDS: usize = 3;
/// So much of a log is shown: its end, where the cause is.
const LOG: usize = 2000;

pub fn page_of(examination: &Examination, mark: &Mark, store: &Store) -> Result<String> {
    let suite = &examination.suite;
    let mut body = format!(
        "<p class=\"soft\"><a href=\"../index.html\">{}</a></p>\n<h1>{}</h1>\n",
        escape(&suite.name),
        escape(&mark.agent)
    );
    let games: Vec<&GameMark> = mark.tests.iter().flat_map(|test| &test.games).collect();
    let won = games.iter().filter(|game| game.outcome == Outcome::Win).count();
    let passed = mark.tests.iter().filter(|test| test.passed).count();
    let strikes: u32 = games.iter().map(|game| game.strikes).sum();
    body += "<div class=\"tiles\">";
    for (value, name) in [
        (format!("{} / {}", points(mark.points), points(mark.of)), "points"),
        (format!("{passed} / {}", mark.tests.len()), "tests passed"),
        (format!("{won} / {}", games.len()), "games won"),
        (strikes.to_string(), "warnings"),
    ] {
        let _ = write!(body, "<div class=\"tile\"><b>{value}</b><span>{name}</span></div>");
    }
    body += "</div>\n";
    if let Some(reason) = &mark.refused {
        let _ = writeln!(
            body,
            "<div class=\"card\"><h2 class=\"failed\">It could not play</h2><pre>{}</pre></div>",
            escape(reason)
        );
    }
    for test in mark.tests.iter().filter(|test| !test.games.is_empty()) {
        body += &test_card(examination, test, store)?;
    }
    body += "<p class=\"soft\">A replay is shown step by step by <code>damier replay FILE</code>; \
        <code>damier review FILE</code> says which action lost the game.</p>\n";
    Ok(page(&format!("{}: {}", mark.agent, suite.name), &body))
}

fn test_card(examination: &Examination, test: &TestMark, store: &Store) -> Result<String> {
    let (class, word) = if test.passed { ("passed", "passed") } else { ("failed", "not passed") };
    let share = (test.points / test.of.max(f64::MIN_POSITIVE)).clamp(0.0, 1.0);
    let part = if test.passed { "" } else { " class=\"part\"" };
    let mut card = format!(
        "<div class=\"card\"><div class=\"head\"><h2>{} <span class=\"{class}\">{word}</span></h2><b>{} / {}</b></div>\
         <div class=\"track\"><i{part} style=\"width:{:.1}%\"></i></div><p>{}.</p>\n",
        escape(&test.name),
        points(test.points),
        points(test.of),
        share * 100.0,
        escape(&test.summary)
    );
    let drawn: Vec<Way<'_>> = test
        .games
        .iter()
        .filter_map(|game| {
            Some(Way {
                name: format!("{}, seed {}", game.level, game.seed),
                turns: (game.outcome == Outcome::Win).then_some(game.turns),
                best: game.best_known?,
                class: if game.counts { "passed" } else { "failed" },
            })
        })
        .collect();
    if drawn.len() > 1 {
        card += &ways(&drawn);
    }
    card += &table(test);
    card += &logs(test, store)?;
    card += &boards(examination, test, store)?;
    Ok(card + "</div>\n")
}

fn table(test: &TestMark) -> String {
    let with_best = test.games.iter().any(|game| game.best_known.is_some());
    let two = test.games.iter().any(|game| game.seat > 0);
    let mut table = String::from("<table><tr><th>level</th><th class=\"number\">seed</th>");
    if two {
        table += "<th class=\"number\">seat</th>";
    }
    table += "<th>outcome</th><th class=\"number\">turns</th>";
    if with_best {
        table += "<th class=\"number\">best known</th>";
    }
    table += "<th class=\"number\">score</th><th class=\"number\">longest ms</th><th>why</th><th>replay</th></tr>\n";
    for game in &test.games {
        let mark = if game.counts { "&#10003;" } else { "" };
        let _ = write!(table, "<tr><td>{}</td><td class=\"number\">{}</td>", escape(&game.level), game.seed);
        if two {
            let _ = write!(table, "<td class=\"number\">{}</td>", game.seat);
        }
        let _ = write!(
            table,
            "<td class=\"{0}\">{0} {mark}</td><td class=\"number\">{1}</td>",
            game.outcome.name(),
            game.turns
        );
        if with_best {
            let best = game.best_known.map_or("-".to_owned(), |best| best.to_string());
            let _ = write!(table, "<td class=\"number\">{best}</td>");
        }
        let warned = if game.strikes > 0 { format!(" ({} warnings)", game.strikes) } else { String::new() };
        let _ = writeln!(
            table,
            "<td class=\"number\">{}</td><td class=\"number\">{:.1}</td><td>{}{warned}</td><td><a href=\"{}\">{}</a></td></tr>",
            game.score,
            game.longest_ms,
            escape(&game.reason),
            escape(&replay_path(game)),
            game.number
        );
    }
    table + "</table>\n"
}

/// What agents wrote before a fault ended their game.
fn logs(test: &TestMark, store: &Store) -> Result<String> {
    let mut text = String::new();
    for game in test.games.iter().filter(|game| game.outcome == Outcome::Loss) {
        let replay = store.replay(game.number)?;
        let Some(end) =
            replay.end.filter(|end| end.fault.as_ref().is_some_and(|(seat, _)| *seat == game.seat))
        else {
            continue;
        };
        let earlier: String =
            replay.moves.iter().filter(|it| it.seat == game.seat).map(|it| &*it.log).collect();
        let log = earlier + &end.log;
        if !log.trim().is_empty() {
            let skipped = log.chars().count().saturating_sub(LOG);
            let tail: String = log.chars().skip(skipped).collect();
            let _ = write!(
                text,
                "<details><summary>what it wrote in game {}</summary><pre>{}</pre></details>",
                game.number,
                escape(&tail)
            );
        }
    }
    Ok(text)
}

/// The final positions of the first games that were not won.
fn boards(examination: &Examination, test: &TestMark, store: &Store) -> Result<String> {
    let event = examination.suite.tests.iter().position(|other| other.name == test.name);
    let Some(event) = event else { return Ok(String::new()) };
    let levels = &examination.prepared.plan.events[event].levels;
    let mut figures = String::new();
    for game in test.games.iter().filter(|game| game.outcome != Outcome::Win).take(BOARDS) {
        let Some(level) = levels.iter().position(|level| level.name == game.level) else { continue };
        let mut table = examination.prepared.events[event].levels[level].table(game.seed, 0);
        for step in store.replay(game.number)?.moves {
            table.act_or_leave(&step.action)?;
        }
        let _ = write!(
            figures,
            "<figure>{}<figcaption>the end of game {} on {}: {}</figcaption></figure>",
            board::svg(&table.draw()),
            game.number,
            escape(&game.level),
            escape(&game.reason)
        );
    }
    Ok(if figures.is_empty() { figures } else { format!("<div class=\"boards\">{figures}</div>") })
}
