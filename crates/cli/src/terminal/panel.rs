//! The panel beside the board: state of the game, and insight into the agent's decision.

use damier_core::game::{Outcome, Status};
use damier_core::insight::{Insight, Mark};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};

use super::board::mark_look;
use damier_host::contestant::Contestant;
use damier_host::session::Session;
use damier_kit::log;

const HEAD: Style = Style::new().add_modifier(Modifier::BOLD);
const DIM: Style = Style::new().fg(Color::DarkGray);
const GOOD: Style = Style::new().fg(Color::LightGreen).add_modifier(Modifier::BOLD);
const BAD: Style = Style::new().fg(Color::LightRed).add_modifier(Modifier::BOLD);

/// Maximum number of lines of a turn's log.
const MAX_LOG_LINES: usize = 6;

/// Maximum number of candidate actions listed.
const MAX_SCORES: usize = 8;

/// State of the game.
pub fn standing(session: &Session) -> Vec<Line<'static>> {
    let setup = session.setup();
    let table = session.table();
    let mut lines = vec![
        Line::styled(setup.info.title, HEAD),
        Line::styled(format!("{} · {} · seed {}", setup.level_name, setup.open.rules(), setup.seed), DIM),
    ];
    for (seat, name) in setup.open.facts().seats.iter().enumerate() {
        let player = setup.players.get(seat).and_then(Option::as_ref).map_or("you", Contestant::name);
        lines.push(Line::styled(format!("{name}: {player}"), DIM));
    }
    lines.push(Line::default());
    for (label, value) in table.draw().labels {
        lines.push(Line::from(vec![Span::raw(format!("{label:<13} ")), Span::styled(value, HEAD)]));
    }
    if let Some(decision) = session.last_decision() {
        let who = setup.open.facts().seats[decision.seat];
        lines.push(Line::styled(format!("{:<14}{who} {}", "last", decision.action), DIM));
    }
    lines.push(Line::default());
    if let Status::Over(over) = table.status() {
        lines.push(match over.outcome(0) {
            Outcome::Win => Line::styled(format!("WON: {}", over.reason), GOOD),
            Outcome::Draw => Line::styled(format!("DRAW: {}", over.reason), HEAD),
            _ => Line::styled(format!("LOST: {}", over.reason), BAD),
        });
        lines.push(Line::styled("n new game, Backspace undo, w review", DIM));
    }
    for (seat, substituted) in session.substituted_at(session.position().0).iter().enumerate() {
        let name = setup.open.facts().seats[seat];
        lines.extend(substituted.sentence().map(|sentence| Line::styled(format!("{name}: {sentence}"), BAD)));
    }
    lines.extend(review_lines(session));
    if let Some(complaint) = &session.complaint {
        lines.push(Line::styled(complaint.clone(), BAD));
    }
    if session.is_thinking() {
        lines.push(Line::styled("thinking…", DIM));
    }
    lines
}

/// The review of the game, and its remark on the next decision.
fn review_lines(session: &Session) -> Vec<Line<'static>> {
    let Some(review) = session.review() else { return Vec::new() };
    let mut lines = vec![Line::styled(review.text.clone(), HEAD)];
    if let Some(remark) = session.remark() {
        lines.push(Line::styled(format!("{} {}: {}", remark.number, remark.action, remark.kind), BAD));
        lines.push(Line::raw(remark.text.clone()));
        if !remark.instead.is_empty() {
            lines.push(Line::styled(format!("better: {}", remark.instead.join(", ")), GOOD));
        }
    }
    if review.remarks.len() > 1 {
        lines.push(Line::styled("w next remark", DIM));
    }
    lines
}

/// Hint, faults, log and insight of the agent.
pub fn thinking(session: &Session) -> Vec<Line<'static>> {
    let mut lines = Vec::new();
    if let Some(action) = session.hint() {
        lines.push(Line::styled(format!("hint: {action}"), GOOD));
    }
    lines.extend(faults_and_log(session));
    let Some(insight) = session.insight() else { return lines };
    if !insight.text.is_empty() {
        lines.push(Line::raw(insight.text.clone()));
    }
    for (action, score) in insight.scores.iter().take(MAX_SCORES) {
        lines.push(Line::raw(format!("{action:<10} {score:>10.2}")));
    }
    for (name, value) in &insight.counters {
        lines.push(Line::styled(format!("{name:<10} {value:>10}"), DIM));
    }
    lines.extend(legend(insight));
    lines
}

/// Faults of the last decision, and the end of its log.
fn faults_and_log(session: &Session) -> Vec<Line<'static>> {
    let Some(decision) = session.last_decision() else { return Vec::new() };
    let faults = decision.warnings.iter().map(|fault| Line::styled(fault.to_string(), BAD));
    let log = log::tail(&decision.log, MAX_LOG_LINES)
        .into_iter()
        .map(|line| Line::styled(format!("│ {line}"), DIM));
    faults.chain(log).collect()
}

/// The meaning of the colours in use, and the labels of cells.
fn legend(insight: &Insight) -> Vec<Line<'static>> {
    let mut reasons: Vec<&str> = Vec::new();
    for mark in &insight.marks {
        if !reasons.contains(&&*mark.why) {
            reasons.push(&mark.why);
        }
    }
    let line = |why: &str| {
        let (colour, sign) = mark_look(why);
        Line::from(vec![
            Span::styled(format!(" {sign}"), Style::new().bg(colour)),
            Span::raw(format!(" {why}")),
        ])
    };
    let label = |mark: &Mark| {
        let label = mark.label.as_deref()?;
        Some(Line::styled(format!("   {},{} {label}", mark.at.0, mark.at.1), DIM))
    };
    reasons.into_iter().map(line).chain(insight.marks.iter().filter_map(label)).collect()
}
