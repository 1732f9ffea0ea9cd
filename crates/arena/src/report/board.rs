//! Drawing of a position, as SVG.

use std::fmt::Write;

use damier_core::grid::Dir;
use damier_kit::scene::{Colour, Scene, Sprite};

use super::page::escape;

const CELL: f64 = 15.0;

/// The board on a dark background, as in a terminal.
pub fn svg(scene: &Scene) -> String {
    let (width, height) = (usize::from(scene.size.width), usize::from(scene.size.height));
    let (right, bottom) = (width as f64 * CELL, height as f64 * CELL);
    let mut svg = format!(
        "<svg viewBox=\"-2 -2 {} {}\" width=\"{}\" role=\"img\"><rect x=\"-2\" y=\"-2\" width=\"100%\" height=\"100%\" \
         fill=\"#14181d\" rx=\"4\"/>",
        right + 4.0,
        bottom + 4.0,
        (right + 4.0).min(460.0)
    );
    for (index, tile) in scene.tiles.iter().enumerate() {
        put(&mut svg, index % width, index / width, tile);
    }
    for piece in &scene.pieces {
        put(&mut svg, usize::from(piece.at.0), usize::from(piece.at.1), &piece.sprite);
    }
    for (at, side) in &scene.walls {
        let (x, y) = (f64::from(at.0) * CELL, f64::from(at.1) * CELL);
        let (x1, y1, x2, y2) = match side {
            Dir::North => (x, y, x + CELL, y),
            Dir::East => (x + CELL, y, x + CELL, y + CELL),
            Dir::South => (x, y + CELL, x + CELL, y + CELL),
            Dir::West => (x, y, x, y + CELL),
        };
        let _ = write!(
            svg,
            "<line x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\" stroke=\"#d7dde3\" stroke-width=\"2\"/>"
        );
    }
    svg + "</svg>"
}

fn put(svg: &mut String, column: usize, row: usize, sprite: &Sprite) {
    let look = sprite.unicode.trim();
    if look.is_empty() {
        return;
    }
    let (x, y) = (column as f64 * CELL, row as f64 * CELL);
    let fill = colour(sprite.colour);
    if look.chars().all(|c| c == '█' || c == '▓' || c == '▒') {
        let _ = write!(svg, "<rect x=\"{x}\" y=\"{y}\" width=\"{CELL}\" height=\"{CELL}\" fill=\"{fill}\"/>");
        return;
    }
    let size = if look.chars().count() > 1 { 9.0 } else { 12.0 };
    let _ = write!(
        svg,
        "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\" style=\"font:{size}px monospace;fill:{fill}\">{}</text>",
        x + CELL / 2.0,
        y + CELL * 0.76,
        escape(look)
    );
}

/// The colour on a dark ground.
pub fn colour(colour: Colour) -> &'static str {
    match colour {
        Colour::Plain => "#d7dde3",
        Colour::Dim => "#6a737d",
        Colour::White => "#ffffff",
        Colour::Red => "#f0776a",
        Colour::Orange => "#f0a35e",
        Colour::Yellow => "#f2d45c",
        Colour::Green => "#6fcf8a",
        Colour::Cyan => "#6fd3d8",
        Colour::Blue => "#6fa8f5",
        Colour::Navy => "#4a64b8",
        Colour::Purple => "#b58af0",
        Colour::Pink => "#f29ac4",
        Colour::Brown => "#b08968",
    }
}
