//! The page for an agent's author, with every game, its outcome and its replay.

use std::collections::HashSet;
use std::fmt::Write;

use anyhow::Result;

use super::page::{escape, page, points};
use super::plot::{TurnsOfGame, turns_chart};
use super::{board, log_of, replay_path, unreadable};
use crate::grade::{Examination, GameMark, Mark, TestMark};
use crate::store::Store;
use crate::verdict::VerdictKind;
use damier_core::game::Outcome;
use damier_kit::log;
use damier_kit::replay::Replay;
use damier_kit::table::Table;

/// Number of final positions drawn per test.
const BOARDS: usize = 3;
/// Number of lines shown from the end of a log, where the cause usually is.
const LOG: usize = 40;

/// The page; `replays` are the numbers of the games whose replay was written.
pub fn page_of(
    examination: &Examination,
    mark: &Mark,
    log: &str,
    store: &Store,
    replays: &HashSet<usize>,
) -> String {
    let suite = &examination.suite;
    let mut body = format!(
        "<p class=\"soft\"><a href=\"../index.html\">{}</a></p>\n<h1>{}</h1>\n",
        escape(&suite.name),
        escape(&mark.agent)
    );
    let games: Vec<&GameMark> = mark.tests.iter().flat_map(|test| &test.games).collect();
    let won = games.iter().filter(|game| game.outcome == Outcome::Win).count();
    let passed = mark.tests.iter().filter(|test| test.passed).count();
    let warnings: u32 = games.iter().map(|game| game.faults_and_warnings()).sum();
    body += "<div class=\"tiles\">";
    for (value, name) in [
        (format!("{} / {}", points(mark.points), points(mark.of)), "points"),
        (format!("{passed} / {}", mark.tests.len()), "tests passed"),
        (format!("{won} / {}", games.len()), "games won"),
        (warnings.to_string(), "faults and warnings"),
    ] {
        let _ = write!(body, "<div class=\"tile\"><b>{value}</b><span>{name}</span></div>");
    }
    body += "</div>\n";
    let problem = !matches!(mark.verdict.kind, VerdictKind::Passed | VerdictKind::PlaysBadly);
    if problem || !mark.substituted.is_none() {
        let _ = write!(
            body,
            "<div class=\"card\"><h2 class=\"failed\">{}</h2><pre>{}</pre>",
            escape(&capital(&mark.verdict.phrase())),
            escape(&mark.cause())
        );
        if !log.is_empty() {
            let _ = write!(body, "<p>The end of its log:</p><pre>{}</pre>", escape(log));
        }
        body += "</div>\n";
    }
    for test in mark.tests.iter().filter(|test| !test.games.is_empty()) {
        body += &test_card(examination, test, store, replays);
    }
    body += "<p class=\"soft\"><code>damier replay FILE</code> shows a replay step by step; \
        <code>damier review FILE</code> says which action lost the game.</p>\n";
    page(&format!("{}: {}", mark.agent, suite.name), &body)
}

fn capital(phrase: &str) -> String {
    let mut characters = phrase.chars();
    characters.next().map_or_else(String::new, |first| first.to_uppercase().chain(characters).collect())
}

fn test_card(examination: &Examination, test: &TestMark, store: &Store, replays: &HashSet<usize>) -> String {
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
    let drawn: Vec<TurnsOfGame<'_>> = test
        .games
        .iter()
        .filter_map(|game| {
            Some(TurnsOfGame {
                name: format!("{}, seed {}", game.level, game.seed),
                turns: (game.outcome == Outcome::Win).then_some(game.turns),
                best: game.best_known?,
                class: if game.counts { "passed" } else { "failed" },
            })
        })
        .collect();
    if drawn.len() > 1 {
        card += &turns_chart(&drawn);
    }
    card += &table(test, replays);
    card += &logs(test, store);
    card += &boards(examination, test, store);
    card + "</div>\n"
}

fn table(test: &TestMark, replays: &HashSet<usize>) -> String {
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
        // If all answers were substituted, the reason is already this sentence.
        let warned = game.substituted.sentence().filter(|sentence| *sentence != game.reason);
        let warned = warned.map_or_else(String::new, |sentence| format!(" ({})", escape(&sentence)));
        let replay = if replays.contains(&game.number) {
            format!("<a href=\"{}\">{}</a>", escape(&replay_path(game)), game.number)
        } else {
            format!("{}: missing", game.number)
        };
        let _ = writeln!(
            table,
            "<td class=\"number\">{}</td><td class=\"number\">{:.1}</td><td>{}{warned}</td><td>{replay}</td></tr>",
            game.score,
            game.longest_ms,
            escape(&game.reason),
        );
    }
    table + "</table>\n"
}

/// The logs of games with faults or substituted answers.
fn logs(test: &TestMark, store: &Store) -> String {
    let mut text = String::new();
    for game in test.games.iter().filter(|game| game.faults_and_warnings() > 0) {
        let log = log_of(game, store);
        if !log.trim().is_empty() {
            let tail = log::tail(&log, LOG).join("\n");
            let _ = write!(
                text,
                "<details><summary>log of game {}</summary><pre>{}</pre></details>",
                game.number,
                escape(&tail)
            );
        }
    }
    text
}

/// The final positions of the first games that were not won.
fn boards(examination: &Examination, test: &TestMark, store: &Store) -> String {
    let event = examination.suite.tests.iter().position(|other| other.name == test.name);
    let Some(event) = event else { return String::new() };
    let levels = &examination.prepared.plan.events[event].levels;
    let mut figures = String::new();
    // A game without a turn has nothing to show.
    let lost = test.games.iter().filter(|game| game.outcome != Outcome::Win && game.turns > 0);
    for game in lost.take(BOARDS) {
        let Some(level) = levels.iter().position(|level| level.name == game.level) else { continue };
        let mut table = examination.prepared.events[event].levels[level].table(game.seed, 0);
        let drawn = match play_again(table.as_mut(), store.replay(game.number)) {
            Ok(()) => board::svg(&table.draw()),
            Err(error) => format!("<p class=\"failed\">{}</p>", escape(&unreadable(&error))),
        };
        let _ = write!(
            figures,
            "<figure>{drawn}<figcaption>the end of game {} on {}: {}</figcaption></figure>",
            game.number,
            escape(&game.level),
            escape(&game.reason)
        );
    }
    if figures.is_empty() { figures } else { format!("<div class=\"boards\">{figures}</div>") }
}

/// Replays a recorded game to its end.
fn play_again(table: &mut dyn Table, replay: Result<Replay>) -> Result<()> {
    for step in replay?.moves {
        table.act_or_quit(&step.action)?;
    }
    Ok(())
}
