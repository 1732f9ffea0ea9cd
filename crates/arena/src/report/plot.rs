//! Charts, as SVG.

use std::fmt::Write;

use super::page::{escape, points};

const BAR_COLOURS: [&str; 8] =
    ["#3a7ca5", "#5aa469", "#d99b3f", "#b5607a", "#7a6cc0", "#4fa3a1", "#a3794f", "#8a94a0"];

/// One stacked bar.
pub struct Bar<'a> {
    /// Label.
    pub name: &'a str,
    /// Link of the label.
    pub link: String,
    /// Its parts.
    pub parts: Vec<f64>,
}

/// Horizontal stacked bars with a scale from 0 to `max` and a legend.
pub fn bars(bars: &[Bar<'_>], max: f64, legend: &[&str]) -> String {
    const LEFT: f64 = 170.0;
    const WIDTH: f64 = 640.0;
    const ROW: f64 = 24.0;
    let scale = WIDTH / max.max(f64::MIN_POSITIVE);
    let height = bars.len() as f64 * ROW + 30.0;
    let mut svg = open(LEFT + WIDTH + 70.0, height);
    for tick in 0..=4 {
        let value = max * f64::from(tick) / 4.0;
        let x = LEFT + value * scale;
        let (bottom, label) = (height - 24.0, points(value));
        let _ = write!(
            svg,
            "<line class=\"axis\" x1=\"{x:.1}\" y1=\"0\" x2=\"{x:.1}\" y2=\"{bottom}\"/>\
             <text class=\"soft\" x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{label}</text>",
            height - 8.0
        );
    }
    for (row, bar) in bars.iter().enumerate() {
        let y = row as f64 * ROW;
        let _ = write!(
            svg,
            "<a href=\"{}\"><text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text></a>",
            escape(&bar.link),
            LEFT - 10.0,
            y + 16.0,
            escape(&shortened(bar.name, 22))
        );
        let mut x = LEFT;
        for (index, part) in bar.parts.iter().enumerate() {
            let width = part * scale;
            let name = legend.get(index).copied().unwrap_or_default();
            let _ = write!(
                svg,
                "<rect x=\"{x:.1}\" y=\"{}\" width=\"{width:.1}\" height=\"{}\" fill=\"{}\"><title>{}: {}</title></rect>",
                y + 3.0,
                ROW - 7.0,
                colour(index),
                escape(name),
                points(*part)
            );
            x += width;
        }
        let total: f64 = bar.parts.iter().sum();
        let _ = write!(svg, "<text x=\"{:.1}\" y=\"{}\">{}</text>", x + 6.0, y + 16.0, points(total));
    }
    svg += "</svg>";
    svg + &legend_of(legend)
}

fn legend_of(names: &[&str]) -> String {
    let mut text = String::from("<p class=\"soft\">");
    for (index, name) in names.iter().enumerate() {
        let _ =
            write!(text, "<span style=\"color:{}\">&#9632;</span> {} &nbsp; ", colour(index), escape(name));
    }
    text + "</p>"
}

fn colour(index: usize) -> &'static str {
    BAR_COLOURS[index % BAR_COLOURS.len()]
}

/// Histogram of values from 0 to `max`, in ten bins.
pub fn histogram(values: &[f64], max: f64) -> String {
    const BINS: usize = 10;
    const WIDTH: f64 = 44.0;
    const HEIGHT: f64 = 110.0;
    let mut counts = [0_usize; BINS];
    for value in values {
        let bin = (value / max.max(f64::MIN_POSITIVE) * BINS as f64) as usize;
        counts[bin.min(BINS - 1)] += 1;
    }
    let tallest = counts.iter().copied().max().unwrap_or(0).max(1) as f64;
    let mut svg = open(BINS as f64 * WIDTH + 40.0, HEIGHT + 40.0);
    for (bin, &count) in counts.iter().enumerate() {
        let (x, height) = (10.0 + bin as f64 * WIDTH, HEIGHT * count as f64 / tallest);
        let y = 16.0 + HEIGHT - height;
        let _ = write!(
            svg,
            "<rect x=\"{}\" y=\"{y:.1}\" width=\"{}\" height=\"{height:.1}\" fill=\"{}\"/>",
            x + 2.0,
            WIDTH - 4.0,
            colour(0)
        );
        if count > 0 {
            let _ = write!(
                svg,
                "<text x=\"{}\" y=\"{:.1}\" text-anchor=\"middle\">{count}</text>",
                x + WIDTH / 2.0,
                y - 4.0
            );
        }
    }
    for edge in [0, 5, 10] {
        let _ = write!(
            svg,
            "<text class=\"soft\" x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
            10.0 + f64::from(edge) * WIDTH,
            HEIGHT + 34.0,
            points(max * f64::from(edge) / 10.0)
        );
    }
    svg + "</svg>"
}

/// One game of a [`turns_chart`].
pub struct TurnsOfGame<'a> {
    /// Label.
    pub name: String,
    /// Turns it took; `None` if it was not won.
    pub turns: Option<u32>,
    /// Turns of the best known win.
    pub best: u32,
    /// CSS class of its colour.
    pub class: &'a str,
}

/// Turns of each win (a dot) compared with the best known win (a ring).
pub fn turns_chart(games: &[TurnsOfGame<'_>]) -> String {
    const LEFT: f64 = 44.0;
    const STEP: f64 = 26.0;
    const HEIGHT: f64 = 150.0;
    let longest =
        games.iter().flat_map(|game| [game.turns.unwrap_or(0), game.best]).max().unwrap_or(1).max(1);
    let scale = HEIGHT / f64::from(longest);
    let place = |turns: u32| 10.0 + HEIGHT - f64::from(turns) * scale;
    let mut svg = open(LEFT + STEP * games.len() as f64 + 10.0, HEIGHT + 24.0);
    for tick in [0, longest / 2, longest] {
        let y = place(tick);
        let _ = write!(
            svg,
            "<line class=\"axis\" x1=\"{LEFT}\" y1=\"{y:.1}\" x2=\"{}\" y2=\"{y:.1}\"/>\
             <text class=\"soft\" x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{tick}</text>",
            LEFT + STEP * games.len() as f64,
            LEFT - 6.0,
            y + 4.0
        );
    }
    for (index, game) in games.iter().enumerate() {
        let x = LEFT + STEP * (index as f64 + 0.5);
        let said = game.turns.map_or("not won".to_owned(), |turns| format!("{turns} turns"));
        let _ = write!(svg, "<g><title>{}: {said}, best known {}</title>", escape(&game.name), game.best);
        let _ = write!(
            svg,
            "<circle cx=\"{x:.1}\" cy=\"{:.1}\" r=\"5\" fill=\"none\" stroke=\"currentColor\" stroke-opacity=\".45\"/>",
            place(game.best)
        );
        if let Some(turns) = game.turns {
            let _ = write!(
                svg,
                "<circle class=\"{}\" cx=\"{x:.1}\" cy=\"{:.1}\" r=\"4\" fill=\"currentColor\"/>",
                game.class,
                place(turns)
            );
        }
        svg += "</g>";
    }
    svg + "</svg><p class=\"soft\">Turns of each win (dots) and of the best known win (rings).</p>"
}

pub fn open(width: f64, height: f64) -> String {
    format!(
        "<svg viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" height=\"{height:.0}\" role=\"img\">"
    )
}

fn shortened(text: &str, max: usize) -> String {
    if text.chars().count() <= max {
        return text.to_owned();
    }
    text.chars().take(max - 1).chain(['…']).collect()
}
