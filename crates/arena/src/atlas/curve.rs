//! The difficulty of the levels in their order.

use std::fmt::Write;

use crate::certs::{Entry, Finding};
use crate::report::page::escape;
use crate::report::plot::open;

const LEFT: f64 = 34.0;
const WIDTH: f64 = 960.0;
const HEIGHT: f64 = 180.0;
const TOP: f64 = 12.0;
/// The hardest difficulty.
const HARDEST: f64 = 10.0;

/// The levels on either side that a point of the mean takes in.
const SMOOTHING: usize = 7;

/// The levels that a point of the mean takes in.
pub const WINDOW: usize = 2 * SMOOTHING + 1;

/// A dot for each solved level, a mark at the bottom for each impossible one and at the top for each open one, and the mean
/// of the levels around.
pub fn svg(entries: &[Entry]) -> String {
    let step = WIDTH / entries.len().max(1) as f64;
    let place = |difficulty: f64| TOP + HEIGHT * (1.0 - difficulty / HARDEST);
    let mut svg = open(LEFT + WIDTH + 10.0, TOP + HEIGHT + 24.0);
    for tick in [0.0, 5.0, HARDEST] {
        let y = place(tick);
        let _ = write!(
            svg,
            "<line class=\"axis\" x1=\"{LEFT}\" y1=\"{y:.1}\" x2=\"{}\" y2=\"{y:.1}\"/>\
             <text class=\"soft\" x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{tick}</text>",
            LEFT + WIDTH,
            LEFT - 6.0,
            y + 4.0
        );
    }
    for (index, entry) in entries.iter().enumerate() {
        let Some(known) = &entry.certificate else { continue };
        let x = LEFT + step * (index as f64 + 0.5);
        let y = match known.finding {
            Finding::Solved => place(known.difficulty.unwrap_or_default()),
            Finding::Impossible => TOP + HEIGHT + 10.0,
            Finding::Open => TOP - 6.0,
        };
        let _ = write!(
            svg,
            "<a href=\"levels/{}.html\"><circle class=\"{}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"2.5\" fill=\"currentColor\">\
             <title>{}</title></circle></a>",
            index + 1,
            known.finding.name(),
            escape(&entry.level.name)
        );
    }
    let line: Vec<String> = means(entries)
        .map(|(index, mean)| format!("{:.1},{:.1}", LEFT + step * (index as f64 + 0.5), place(mean)))
        .collect();
    let _ = write!(
        svg,
        "<polyline fill=\"none\" stroke=\"currentColor\" stroke-opacity=\".5\" points=\"{}\"/>",
        line.join(" ")
    );
    svg + "</svg>"
}

/// The mean difficulty of the solved levels around each solved level.
fn means(entries: &[Entry]) -> impl Iterator<Item = (usize, f64)> {
    let solved: Vec<(usize, f64)> = entries
        .iter()
        .enumerate()
        .filter_map(|(index, entry)| Some((index, entry.certificate.as_ref()?.difficulty?)))
        .collect();
    (0..solved.len()).map(move |middle| {
        let around = &solved[middle.saturating_sub(SMOOTHING)..(middle + SMOOTHING + 1).min(solved.len())];
        let sum: f64 = around.iter().map(|&(_, difficulty)| difficulty).sum();
        (solved[middle].0, sum / around.len() as f64)
    })
}
