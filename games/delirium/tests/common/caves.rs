//! Random caves of Boulder Dash.

use damier_core::random::{Chance, Rng};
use damier_delirium::level::Level;

/// A random cave of Boulder Dash: all elements, all parameters.
pub fn random_cave(rng: &mut Rng, largest: (u32, u32)) -> Level {
    let (width, height) = (3 + rng.below(largest.0 - 2) as usize, 3 + rng.below(largest.1 - 2) as usize);
    let common = "_.drw#";
    let rare = "RBX&^>V(',)MasxveEHOfghIAJtu";
    let all = [common, rare].concat();
    let tastes: Vec<(char, u32)> = all
        .chars()
        .map(|char| {
            (
                char,
                if common.contains(char) {
                    rng.below(30)
                } else {
                    rng.below(6).saturating_sub(3) * rng.below(5)
                },
            )
        })
        .collect();
    let total: u32 = tastes.iter().map(|taste| taste.1).sum::<u32>().max(1);
    let closed = rng.below(3) > 0;
    let mut rows = vec![vec!['_'; width]; height];
    for (y, row) in rows.iter_mut().enumerate() {
        for (x, cell) in row.iter_mut().enumerate() {
            let mut draw = rng.below(total);
            for &(char, weight) in &tastes {
                if draw < weight {
                    *cell = char;
                    break;
                }
                draw -= weight;
            }
            if closed && (x == 0 || y == 0 || x + 1 == width || y + 1 == height) {
                *cell = '#';
            }
        }
    }
    let (x, y) = (1 + rng.below(width as u32 - 2) as usize, 1 + rng.below(height as u32 - 2) as usize);
    rows[y][x] = if rng.below(4) == 0 { 'I' } else { 'P' };
    let mut text = cave_headers(rng);
    for row in rows {
        text.extend(row);
        text.push('\n');
    }
    Level::parse(&text).unwrap()
}

fn cave_headers(rng: &mut Rng) -> String {
    let mut text = format!("; need: {}\n", 1 + rng.below(4));
    let mut maybe = |name: &str, values: &[&str]| {
        if rng.below(3) == 0 {
            let value = values[rng.below(values.len() as u32) as usize];
            text.extend(["; ", name, ": ", value, "\n"]);
        }
    };
    maybe("push", &["0", "125000", "300000", "1000000"]);
    maybe("lineshift", &["yes", "no"]);
    maybe("border-scan", &["yes", "no"]);
    maybe("birth", &["0", "1", "5"]);
    maybe("magic-time", &["0", "500", "2400"]);
    maybe("magic-stops-amoeba", &["yes", "no"]);
    maybe("amoeba-time", &["0", "600"]);
    maybe("amoeba-growth", &["0", "31250", "500000", "1000000"]);
    maybe("amoeba-fast", &["250000", "1000000"]);
    maybe("amoeba-size", &["0", "3", "12"]);
    maybe("amoeba-big", &["DIAMOND", "FIREFLYl", "BOULDERBIRTH1", "SPACE"]);
    maybe("amoeba-enclosed", &["SPACE", "DIAMONDBIRTH1", "BOULDER"]);
    maybe("slime", &["0", "250000", "700000"]);
    maybe("slime-mask", &["0", "1", "7"]);
    maybe("slime-seed", &["7", "40000"]);
    maybe("dig-leaves", &["SPACE", "EXPLOSION1"]);
    maybe("gravity", &["up", "left", "right"]);
    maybe("long-blasts", &["yes"]);
    maybe("red-blast", &["DIAMONDBIRTH1"]);
    maybe("blue-blast-kind", &["EXPLOSION1"]);
    maybe("blast-leaves", &["DIRT", "DIAMOND"]);
    text + "; edges: open\n"
}
