//! A scene as a small picture: squares and dots, a path for each colour, a few kilobytes in all.

use std::collections::BTreeMap;
use std::fmt::Write;

use damier_core::grid::Dir;
use damier_kit::scene::{Scene, Sprite};

use crate::report::board::colour;

/// How a sprite fills its cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Shape {
    Shaded,
    Square,
    Dot,
}

/// A colour and a shape share a path.
type Ink = (Shape, &'static str);

fn ink(sprite: &Sprite) -> Option<Ink> {
    let look = sprite.unicode.trim();
    let solid = look.chars().all(|c| matches!(c, '█' | '▓' | '▒'));
    let shape = match look.chars().next()? {
        _ if sprite.faint => Shape::Shaded,
        '░' => Shape::Shaded,
        _ if solid => Shape::Square,
        _ => Shape::Dot,
    };
    Some((shape, colour(sprite.colour)))
}

/// The scene, a unit a cell.
pub fn svg(scene: &Scene) -> String {
    let (width, height) = (usize::from(scene.size.width), usize::from(scene.size.height));
    let mut inks: Vec<Option<Ink>> = scene.tiles.iter().map(ink).collect();
    for piece in &scene.pieces {
        inks[usize::from(piece.at.1) * width + usize::from(piece.at.0)] = ink(&piece.sprite);
    }
    let mut paths: BTreeMap<Ink, String> = BTreeMap::new();
    for (y, row) in inks.chunks(width).enumerate() {
        draw_row(row, y, &mut paths);
    }
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\"><rect width=\"{width}\" \
         height=\"{height}\" fill=\"#14181d\"/>"
    );
    for ((shape, fill), path) in paths {
        let opacity = if shape == Shape::Shaded { " opacity=\".45\"" } else { "" };
        let _ = write!(svg, "<path fill=\"{fill}\"{opacity} d=\"{path}\"/>");
    }
    draw_walls(scene, &mut svg);
    svg + "</svg>\n"
}

/// Adds a row to the paths: squares of one ink side by side are one stroke.
fn draw_row(row: &[Option<Ink>], y: usize, paths: &mut BTreeMap<Ink, String>) {
    let mut x = 0;
    for run in row.chunk_by(|one, other| one == other && !matches!(one, Some((Shape::Dot, _)))) {
        if let Some(ink) = run[0] {
            let path = paths.entry(ink).or_default();
            let _ = match ink.0 {
                Shape::Dot => write!(path, "M{x}.1 {y}.5a.4.4 0 1 0 .8 0a.4.4 0 1 0-.8 0"),
                _ => write!(path, "M{x} {y}h{0}v1h-{0}z", run.len()),
            };
        }
        x += run.len();
    }
}

/// Thin walls on the edges of cells.
fn draw_walls(scene: &Scene, svg: &mut String) {
    if scene.walls.is_empty() {
        return;
    }
    let _ = write!(svg, "<path stroke=\"#d7dde3\" stroke-width=\".14\" d=\"");
    for &((x, y), side) in &scene.walls {
        let _ = match side {
            Dir::North => write!(svg, "M{x} {y}h1"),
            Dir::East => write!(svg, "M{} {y}v1", x + 1),
            Dir::South => write!(svg, "M{x} {}h1", y + 1),
            Dir::West => write!(svg, "M{x} {y}v1"),
        };
    }
    svg.push_str("\"/>");
}

#[cfg(test)]
mod tests {
    use damier_core::grid::Size;
    use damier_kit::scene::{Colour, Piece};

    use super::*;

    #[test]
    fn like_cells_side_by_side_are_one_stroke() {
        let wall = Sprite::new("wall", "██", "##", Colour::Dim);
        let empty = Sprite::new("empty", "  ", "  ", Colour::Plain);
        let miner = Sprite::new("miner", "☺ ", "@ ", Colour::Yellow);
        let scene = Scene {
            size: Size::new(3, 2),
            tiles: vec![wall, wall, wall, wall, empty, wall],
            pieces: vec![Piece::new(0, (1, 1), miner)],
            walls: vec![((1, 1), Dir::South)],
            labels: Vec::new(),
        };
        let drawn = svg(&scene);
        assert!(drawn.contains("d=\"M0 0h3v1h-3zM0 1h1v1h-1zM2 1h1v1h-1z\""), "{drawn}");
        assert!(drawn.contains("M1.1 1.5a") && drawn.contains("M1 2h1"), "{drawn}");
    }
}
