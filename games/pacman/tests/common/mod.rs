//! Mazes and games for the tests.
#![allow(dead_code, reason = "each test file uses a part")]

use damier_core::grid::{Cell, Dir, Size};
use damier_core::random::{Chance, Rng};
use damier_pacman::level::Level;
use damier_pacman::rules::{RuleSet, Rules};

/// A random maze with walls, open rooms, dead ends, tunnels and up to four ghosts. Every pellet can be reached.
pub fn random_maze(seed: u64) -> String {
    let mut rng = Rng::new(seed);
    let size = Size::new(3 + rng.below(9) as u16, 3 + rng.below(9) as u16);
    let walls = rng.below(60);
    let mut drawing: Vec<char> =
        size.cells().map(|_| if rng.below(100) < walls { '#' } else { ' ' }).collect();
    let pacman = Cell(rng.below(size.area() as u32) as u16);
    drawing[pacman.index()] = 'P';
    let reached = reached(&drawing, size, pacman);
    for &cell in &reached[1..] {
        drawing[cell.index()] = ['.', '.', '.', 'o', ' '][rng.below(5) as usize];
    }
    // A pellet is needed, or there is no game.
    if let Some(cell) = reached.get(1) {
        drawing[cell.index()] = '.';
    }
    let ghosts = rng.below(5) as usize;
    let mut floor: Vec<usize> =
        (0..size.area()).filter(|&cell| drawing[cell] != '#' && drawing[cell] != 'P').collect();
    rng.shuffle(&mut floor);
    let spared = reached.get(1).map(|cell| cell.index());
    for (number, cell) in floor.into_iter().filter(|&cell| Some(cell) != spared).take(ghosts).enumerate() {
        drawing[cell] = char::from(b'1' + number as u8);
    }
    let rows: Vec<String> =
        drawing.chunks(usize::from(size.width)).map(|row| row.iter().collect::<String>()).collect();
    rows.join("\n") + "\n"
}

fn reached(drawing: &[char], size: Size, from: Cell) -> Vec<Cell> {
    let mut reached = vec![from];
    let mut next = 0;
    while next < reached.len() {
        for dir in Dir::ALL {
            let cell = size.step_around(reached[next], dir);
            if drawing[cell.index()] != '#' && !reached.contains(&cell) {
                reached.push(cell);
            }
        }
        next += 1;
    }
    reached
}

/// The rules on a random maze; nothing if it is no level (its rows may be blank, or hold no pellet).
pub fn random_rules(seed: u64, set: RuleSet) -> Option<Rules> {
    Level::parse(&random_maze(seed)).ok().map(|level| Rules::new(level, set))
}

/// The rules on the maze of the course.
pub fn original(set: RuleSet) -> Rules {
    Rules::new(Level::parse(damier_pacman::ORIGINAL_MAZE).expect("the shipped maze"), set)
}
