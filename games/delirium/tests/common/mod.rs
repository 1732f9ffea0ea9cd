//! A second, slow and literal implementation of the rules, written from the rule book alone: the oracle of the fast one.

pub mod boulder;
pub mod course;

use damier_core::grid::{Cell, Dir};
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
    pub fn new(level: &Level) -> Self {
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
                Beast { at: (x, y), blue, heading: None }
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
