//! Random levels.

use damier_core::random::{Chance, Rng};
use damier_delirium::level::Level;

/// A random map of all elements, closed by border or not.
pub fn random_level(rng: &mut Rng, largest: (u32, u32)) -> Level {
    let (width, height) = (3 + rng.below(largest.0 - 2) as usize, 3 + rng.below(largest.1 - 2) as usize);
    // Each map has its own taste, so that quiet, crowded, open and filled ones all occur.
    let tastes: Vec<(char, u32)> = "_.drw#RBX"
        .chars()
        .map(|char| (char, if "RBX#".contains(char) { rng.below(4) } else { rng.below(30) }))
        .collect();
    let total: u32 = tastes.iter().map(|taste| taste.1).sum::<u32>().max(1);
    let closed = rng.below(4) > 0;
    let mut rows = vec![vec!['_'; width]; height];
    for (y, row) in rows.iter_mut().enumerate() {
        for (x, cell) in row.iter_mut().enumerate() {
            let mut draw = rng.below(total);
            let taste = tastes.iter().find(|taste| {
                let hit = draw < taste.1;
                draw = draw.wrapping_sub(taste.1);
                hit
            });
            *cell = taste.map_or('_', |taste| taste.0);
            if closed && (x == 0 || y == 0 || x + 1 == width || y + 1 == height) {
                *cell = '#';
            }
        }
    }
    let inside =
        |rng: &mut Rng| (1 + rng.below(width as u32 - 2) as usize, 1 + rng.below(height as u32 - 2) as usize);
    let (exit, miner) = (inside(rng), inside(rng));
    if exit == miner {
        return random_level(rng, largest);
    }
    rows[exit.1][exit.0] = 'X';
    rows[miner.1][miner.0] = 'P';
    let mut text = format!("; need: {}\n", rng.below(4));
    if rng.below(3) == 0 {
        let (pace, blast, blue) = (1 + rng.below(3), 1 + rng.below(4), 1 + rng.below(4));
        text = format!("{text}; blue-pace: {pace}\n; blast: {blast}\n; blue-blast: {blue}\n");
    }
    if rng.below(3) == 0 {
        text += ["; slide: left\n", "; slide: right\n"][rng.below(2) as usize];
    }
    for row in rows {
        text.extend(row);
        text.push('\n');
    }
    Level::parse(&text).unwrap()
}
