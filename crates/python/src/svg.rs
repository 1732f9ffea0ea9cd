//! Scenes as SVG for notebooks, and as text for terminals.

use std::fmt::Write;

use damier_core::grid::Dir;
use damier_kit::scene::{Colour, Piece, Scene, Sprite};

/// The side of a cell in pixels.
const CELL: u32 = 20;

fn hex(colour: Colour) -> &'static str {
    match colour {
        Colour::Plain => "#d8d8d8",
        Colour::Dim => "#6b6b6b",
        Colour::White => "#ffffff",
        Colour::Red => "#e5484d",
        Colour::Orange => "#f58c2b",
        Colour::Yellow => "#f5d90a",
        Colour::Green => "#46a758",
        Colour::Cyan => "#2ebde5",
        Colour::Blue => "#3b82f6",
        Colour::Navy => "#1f3a8a",
        Colour::Purple => "#8e4ec6",
        Colour::Pink => "#f687b3",
        Colour::Brown => "#8b5e34",
    }
}

/// Draws a scene as SVG.
pub fn draw(scene: &Scene) -> String {
    let (width, height) = (u32::from(scene.size.width) * CELL, u32::from(scene.size.height) * CELL);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\">\
         <rect width=\"100%\" height=\"100%\" fill=\"#16161a\"/>"
    );
    for (cell, sprite) in scene.size.cells().zip(&scene.tiles) {
        let (x, y) = scene.size.xy(cell);
        tile(&mut svg, (f64::from(x), f64::from(y)), sprite);
    }
    for piece in &scene.pieces {
        let Piece { at: (x, y), shift: (right, down), sprite, .. } = piece;
        let at = (f64::from(*x) + f64::from(*right) / 100.0, f64::from(*y) + f64::from(*down) / 100.0);
        figure(&mut svg, at, sprite);
    }
    for &((x, y), dir) in &scene.walls {
        wall(&mut svg, (u32::from(x) * CELL, u32::from(y) * CELL), dir);
    }
    svg.push_str("</svg>");
    svg
}

fn pixels((x, y): (f64, f64)) -> (f64, f64) {
    (x * f64::from(CELL), y * f64::from(CELL))
}

/// Draws a tile: block characters as a square, others as a letter.
fn tile(svg: &mut String, at: (f64, f64), sprite: &Sprite) {
    let text = sprite.unicode.trim();
    if text.is_empty() {
        return;
    }
    let (x, y) = pixels(at);
    let (colour, opacity) = (hex(sprite.colour), if sprite.faint { 0.35 } else { 1.0 });
    if text.chars().all(|character| ('\u{2580}'..='\u{259f}').contains(&character)) {
        // Writing to a string cannot fail.
        let _ = write!(
            svg,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{CELL}\" height=\"{CELL}\" fill=\"{colour}\" opacity=\"{opacity}\"/>"
        );
    } else {
        letter(svg, (x, y), text, colour, opacity);
    }
}

fn letter(svg: &mut String, (x, y): (f64, f64), text: &str, colour: &str, opacity: f64) {
    let (x, y) = (x + f64::from(CELL) / 2.0, y + f64::from(CELL) / 2.0);
    let _ = write!(
        svg,
        "<text x=\"{x}\" y=\"{y}\" fill=\"{colour}\" opacity=\"{opacity}\" font-size=\"14\" text-anchor=\"middle\" \
         dominant-baseline=\"central\" font-family=\"monospace\">{}</text>",
        escaped(text)
    );
}

/// Draws a piece: a disc with a dot in the direction it faces, or else with its letter.
fn figure(svg: &mut String, at: (f64, f64), sprite: &Sprite) {
    let (x, y) = pixels(at);
    let (middle, colour) = (f64::from(CELL) / 2.0, hex(sprite.colour));
    let (cx, cy) = (x + middle, y + middle);
    let _ = write!(svg, "<circle cx=\"{cx}\" cy=\"{cy}\" r=\"8.5\" fill=\"{colour}\"/>");
    if let Some(dir) = sprite.facing {
        let (dx, dy) = dir.delta();
        let (x, y) = (cx + 6.0 * f64::from(dx), cy + 6.0 * f64::from(dy));
        let _ = write!(svg, "<circle cx=\"{x}\" cy=\"{y}\" r=\"2.5\" fill=\"#16161a\"/>");
    } else {
        letter(svg, (x, y), sprite.ascii.trim(), "#16161a", 1.0);
    }
}

fn wall(svg: &mut String, (x, y): (u32, u32), dir: Dir) {
    let (right, bottom) = (x + CELL, y + CELL);
    let (x1, y1, x2, y2) = match dir {
        Dir::North => (x, y, right, y),
        Dir::East => (right, y, right, bottom),
        Dir::South => (x, bottom, right, bottom),
        Dir::West => (x, y, x, bottom),
    };
    let _ = write!(
        svg,
        "<line x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\" stroke=\"#f5f5f5\" stroke-width=\"2.5\"/>"
    );
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// The scene as text, two characters per cell, with its labels below.
pub fn text(scene: &Scene) -> String {
    let mut cells: Vec<&str> = scene.tiles.iter().map(|sprite| sprite.ascii).collect();
    for piece in &scene.pieces {
        cells[scene.size.cell(piece.at.0, piece.at.1).index()] = piece.sprite.ascii;
    }
    let rows = cells.chunks(scene.size.width.into()).map(|row| row.concat().trim_end().to_owned());
    let labels = scene.labels.iter().map(|(name, value)| format!("{name}: {value}"));
    rows.chain([labels.collect::<Vec<_>>().join(", ")]).collect::<Vec<_>>().join("\n")
}
