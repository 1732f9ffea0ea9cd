//! A second, slow and literal implementation of the rules, written from the rule book alone: the oracle of the fast one.

pub mod boulder;
pub mod course;

use damier_core::grid::{Cell, Dir};
use damier_core::random::Rng;
use damier_delirium::kind::Kind;
use damier_delirium::level::Level;
use damier_delirium::rules::{Rules, State};

/// A monster of the oracle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Beast {
    pub at: (usize, usize),
    pub blue: bool,
    pub heading: Option<Dir>,
}

/// A map of the oracle: a cell has a kind, and a burning cell its clock and what it leaves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct World {
    pub rows: Vec<Vec<Kind>>,
    pub fire: Vec<Vec<Option<(u8, Kind)>>>,
    pub beasts: Vec<Beast>,
    pub miner: (usize, usize),
    pub gathered: usize,
    pub need: usize,
    pub ticks: u32,
    pub over: Option<&'static str>,
}

impl World {
    /// `headed`: fireflies begin to the left, butterflies downwards.
    pub fn new(level: &Level, headed: bool) -> Self {
        let map = level.first();
        let size = map.size();
        let rows: Vec<Vec<Kind>> = map.cells().chunks(size.width.into()).map(<[Kind]>::to_vec).collect();
        let all = || {
            let rows = &rows;
            (0..rows.len()).flat_map(move |y| (0..rows[y].len()).map(move |x| (x, y)))
        };
        let beasts = all()
            .filter(|&(x, y)| rows[y][x].is_monster())
            .map(|(x, y)| {
                let blue = rows[y][x] == Kind::Blue;
                let heading = headed.then_some(if blue { Dir::South } else { Dir::West });
                Beast { at: (x, y), blue, heading }
            })
            .collect();
        let miner = all().find(|&(x, y)| rows[y][x] == Kind::Miner).unwrap();
        Self {
            fire: rows.iter().map(|row| vec![None; row.len()]).collect(),
            beasts,
            miner,
            gathered: 0,
            need: map.need().into(),
            ticks: 0,
            over: None,
            rows,
        }
    }

    /// What is at a place; outside there is border.
    pub fn at(&self, x: isize, y: isize) -> Kind {
        let row = usize::try_from(y).ok().and_then(|y| self.rows.get(y));
        let kind = row.and_then(|row| row.get(usize::try_from(x).ok()?));
        kind.copied().unwrap_or(Kind::Border)
    }

    pub fn all(&self) -> Vec<(usize, usize)> {
        (0..self.rows.len()).flat_map(|y| (0..self.rows[y].len()).map(move |x| (x, y))).collect()
    }
}

/// The place beside another one, which may be outside.
pub fn beside((x, y): (usize, usize), dir: Dir) -> (isize, isize) {
    let (dx, dy) = dir.delta();
    (x as isize + dx as isize, y as isize + dy as isize)
}

/// Compares everything that both know.
pub fn assert_same(rules: &Rules, state: &State, world: &World, what: &str) {
    let size = rules.size(state);
    let shown = |kinds: &mut dyn Iterator<Item = Kind>| {
        let text: Vec<char> = kinds.map(Kind::char).collect();
        text.chunks(size.width.into())
            .map(|row| row.iter().collect::<String>())
            .collect::<Vec<_>>()
            .join("\n")
    };
    let ours = shown(&mut rules.kinds(state).into_iter());
    let theirs = shown(&mut world.rows.iter().flatten().copied());
    assert_eq!(ours, theirs, "{what}: the maps differ\nours\n{ours}\nthe oracle's\n{theirs}");
    for cell in size.cells() {
        let (x, y) = size.xy(cell);
        let kind = world.rows[usize::from(y)][usize::from(x)];
        assert_eq!(rules.kind(state, cell), kind, "{what}: at {x},{y}");
    }
    let monsters = rules.monsters(state);
    let beasts: Vec<_> = world.beasts.iter().map(|it| (it.at, it.blue, it.heading)).collect();
    let at = |cell: Cell| (usize::from(size.xy(cell).0), usize::from(size.xy(cell).1));
    let walkers: Vec<_> = monsters.iter().map(|it| (at(it.cell), it.blue, it.heading)).collect();
    assert_eq!(walkers, beasts, "{what}: the monsters differ");
    assert_eq!(usize::from(state.gathered()), world.gathered, "{what}: diamonds");
    assert_eq!(at(rules.miner(state)), world.miner, "{what}: the miner");
    let ending = match damier_core::game::Game::status(rules, state) {
        damier_core::game::Status::ToMove(_) => None,
        damier_core::game::Status::Over(outcome) => Some(outcome.reason),
    };
    assert_eq!(ending, world.over, "{what}: the end");
}

/// A random map of all elements, closed by border or not.
pub fn random_level(rng: &mut Rng, largest: (u32, u32)) -> Level {
    use damier_core::random::Chance;
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
