//! The panel beside the board: how the game stands, and what the agent thinks.

use damier_core::game::{Outcome, Status};
use damier_core::insight::Insight;
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};

use super::board::mark_look;
use damier_host::contestant::Contestant;
use damier_host::session::Session;

const HEAD: Style = Style::new().add_modifier(Modifier::BOLD);
const DIM: Style = Style::new().fg(Color::DarkGray);
const GOOD: Style = Style::new().fg(Color::LightGreen).add_modifier(Modifier::BOLD);
const BAD: Style = Style::new().fg(Color::LightRed).add_modifier(Modifier::BOLD);

/// At most so many candidate actions are listed.
const MOST_SCORES: usize = 8;

/// How the game stands.
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
        lines.push(Line::styled("n plays again, Backspace goes back, w says why", DIM));
    }
    lines.extend(looking_back(session));
    if let Some(complaint) = &session.complaint {
        lines.push(Line::styled(complaint.clone(), BAD));
    }
    if session.is_thinking() {
        lines.push(Line::styled("thinking…", DIM));
    }
    lines
}

/// What is to be said of the game that was played, and of the decision that was taken next.
fn looking_back(session: &Session) -> Vec<Line<'static>> {
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
        lines.push(Line::styled("w goes to the next remark", DIM));
    }
    lines
}

/// What the agent shows of its thinking.
pub fn thinking(session: &Session) -> Vec<Line<'static>> {
    let mut lines = Vec::new();
    if let Some(action) = session.hint() {
        lines.push(Line::styled(format!("hint: {action}"), GOOD));
    }
    let Some(insight) = session.insight() else { return lines };
    if !insight.text.is_empty() {
        lines.push(Line::raw(insight.text.clone()));
    }
    for (action, score) in insight.scores.iter().take(MOST_SCORES) {
        lines.push(Line::raw(format!("{action:<10} {score:>10.2}")));
    }
    for (name, value) in &insight.counters {
        lines.push(Line::styled(format!("{name:<10} {value:>10}"), DIM));
    }
    lines.extend(legend(insight));
    lines
}

/// The colours in use and what they mean.
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
    reasons.into_iter().map(line).collect()
}
