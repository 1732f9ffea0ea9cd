//! A course level: what never changes, and the enemies' ways on it.

use std::sync::OnceLock;

use super::{MOST_ENEMIES, State};
use crate::action::Action;

/// What a cell is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tile {
    /// `W`.
    Wall,
    /// `F`: can be dug.
    Floor,
    /// `L`.
    Ladder,
    /// `C`.
    Cable,
    /// `.`, also under runner, enemies and bonuses.
    Path,
    /// `X`.
    Exit,
}

/// Where an enemy goes, in the order in which it prefers equal ways.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Up a ladder.
    Up,
    /// Down a ladder.
    Down,
    /// Left.
    Left,
    /// Right.
    Right,
}

impl Way {
    const ALL: [Self; 4] = [Self::Up, Self::Down, Self::Left, Self::Right];

    /// The action of the same name.
    pub const fn action(self) -> Action {
        match self {
            Self::Up => Action::Up,
            Self::Down => Action::Down,
            Self::Left => Action::Left,
            Self::Right => Action::Right,
        }
    }
}

/// The trait of a cell where one falls.
const FALLS: u8 = 1 << 7;
/// A set of bonuses is a word of 128 bits.
const MOST_BONUSES: usize = 128;

/// A map as drawn. Cells are counted row by row from the top left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drawing {
    /// The number of columns.
    pub width: u16,
    /// The tiles, row by row.
    pub tiles: Vec<Tile>,
    /// The runner.
    pub runner: Option<u16>,
    /// The exit.
    pub exit: Option<u16>,
    /// The enemies, in reading order.
    pub enemies: Vec<u16>,
    /// The bonuses, in reading order.
    pub bonuses: Vec<u16>,
}

impl Drawing {
    /// Nothing is drawn yet.
    pub fn new(width: u16) -> Self {
        Self { width, tiles: Vec::new(), runner: None, exit: None, enemies: Vec::new(), bonuses: Vec::new() }
    }

    /// Draws the next cell.
    pub fn add(&mut self, character: char) -> Result<(), String> {
        let cell = self.tiles.len() as u16;
        let tile = match character {
            'W' => Tile::Wall,
            'F' => Tile::Floor,
            'L' => Tile::Ladder,
            'C' => Tile::Cable,
            'X' => Tile::Exit,
            '.' | 'B' | 'R' | 'E' => Tile::Path,
            _ => return Err(format!("`{character}` is not a part of a course map: W F L C . B R E X")),
        };
        match character {
            'R' if self.runner.replace(cell).is_some() => return Err("a second runner".to_owned()),
            'X' if self.exit.replace(cell).is_some() => return Err("a second exit".to_owned()),
            'E' if self.enemies.len() == MOST_ENEMIES => {
                return Err(format!("more than {MOST_ENEMIES} enemies"));
            }
            'E' => self.enemies.push(cell),
            'B' if self.bonuses.len() == MOST_BONUSES => {
                return Err(format!("more than {MOST_BONUSES} bonuses"));
            }
            'B' => self.bonuses.push(cell),
            _ => {}
        }
        self.tiles.push(tile);
        Ok(())
    }

    /// Is everything there?
    pub fn check(&self) -> Result<(), String> {
        match (self.runner, self.exit) {
            (None, _) => Err("there is no runner (R)".to_owned()),
            (_, None) => Err("there is no exit (X)".to_owned()),
            _ => Ok(()),
        }
    }
}

/// The enemies' shortest ways to one cell.
#[derive(Clone, Copy, Debug)]
pub struct Ways<'a>(&'a [Action]);

impl Ways<'_> {
    /// The first step from a cell; none if no way leads to the runner.
    #[inline]
    pub fn from(&self, cell: u16) -> Action {
        self.0[usize::from(cell)]
    }
}

/// A course level made ready to be played.
#[derive(Debug)]
pub struct Map {
    width: u16,
    /// How far each action goes, by its code.
    strides: [i16; 7],
    tiles: Vec<Tile>,
    /// For each cell, the bit of its bonus.
    bonus_bits: Vec<u128>,
    bonuses: Vec<u16>,
    runner: u16,
    enemies: Vec<u16>,
    exit: u16,
    respawns: Vec<u16>,
    /// For each cell: the actions that are legal as long as no hole is open, a bit each by their codes, and [`FALLS`].
    traits: Vec<u8>,
    /// For each cell of the runner, once it is asked for: the way of an enemy at each cell.
    ways: Vec<OnceLock<Box<[Action]>>>,
}

impl Map {
    /// Makes a checked drawing ready to be played.
    pub fn new(drawing: &Drawing) -> Self {
        let Drawing { width, ref tiles, runner, exit, ref enemies, ref bonuses } = *drawing;
        let mut bonus_bits = vec![0; tiles.len()];
        for (number, &cell) in bonuses.iter().enumerate() {
            bonus_bits[usize::from(cell)] = 1 << number;
        }
        let below = |cell: usize| tiles.get(cell + usize::from(width));
        let respawns = (0..tiles.len())
            .filter(|&cell| tiles[cell] == Tile::Path && below(cell) == Some(&Tile::Floor))
            .map(|cell| cell as u16)
            .collect();
        let mut map = Self {
            width,
            strides: [0, -(width as i16), width as i16, -1, 1, 0, 0],
            tiles: tiles.clone(),
            bonus_bits,
            bonuses: bonuses.clone(),
            runner: runner.expect("a checked drawing has a runner"),
            enemies: enemies.iter().rev().copied().collect(),
            exit: exit.expect("a checked drawing has an exit"),
            respawns,
            traits: Vec::new(),
            ways: (0..tiles.len()).map(|_| OnceLock::new()).collect(),
        };
        map.traits = (0..tiles.len() as u16).map(|cell| map.find_traits(cell)).collect();
        map
    }

    fn find_traits(&self, cell: u16) -> u8 {
        if !self.is_inside(cell) {
            return 1 << Action::None.code();
        }
        let state = State { runner: cell, ..State::new(self) };
        let legal = Action::ALL.into_iter().filter(|&action| state.refusal(self, action).is_none());
        let legal: u8 = legal.map(|action| 1 << action.code()).sum();
        let open_below = matches!(self.tile(self.below(cell)), Tile::Path | Tile::Cable);
        if open_below && !self.hangs(cell) { legal | FALLS } else { legal }
    }

    /// Is this action legal here as long as no hole is open?
    #[inline]
    pub fn allows(&self, cell: u16, action: Action) -> bool {
        self.traits[usize::from(cell)] >> action.code() & 1 == 1
    }

    /// The actions but digging that are legal here as long as no hole is open, a bit each by their codes.
    #[inline]
    pub fn walks(&self, cell: u16) -> u8 {
        self.traits[usize::from(cell)] & 0b1_1111
    }

    /// Does a runner or enemy fall from here, even if no hole is open?
    #[inline]
    pub fn drops(&self, cell: u16) -> bool {
        self.traits[usize::from(cell)] & FALLS != 0
    }

    /// The number of columns.
    pub fn width(&self) -> u16 {
        self.width
    }

    /// The number of rows.
    pub fn height(&self) -> u16 {
        self.tiles.len() as u16 / self.width
    }

    /// The cells of the bonuses, by their numbers.
    pub fn bonuses(&self) -> &[u16] {
        &self.bonuses
    }

    /// Column and row of a cell.
    pub fn point(&self, cell: u16) -> (u16, u16) {
        (cell % self.width, cell / self.width)
    }

    /// What a cell is.
    #[inline]
    pub fn tile(&self, cell: u16) -> Tile {
        self.tiles[usize::from(cell)]
    }

    /// Is it wall or floor?
    #[inline]
    pub fn is_closed(&self, cell: u16) -> bool {
        matches!(self.tile(cell), Tile::Wall | Tile::Floor)
    }

    /// The cell above.
    #[inline]
    pub fn above(&self, cell: u16) -> u16 {
        cell.saturating_sub(self.width)
    }

    /// The cell below.
    #[inline]
    pub fn below(&self, cell: u16) -> u16 {
        cell + self.width
    }

    /// Does a runner or enemy hang from a cable here?
    #[inline]
    pub fn hangs(&self, cell: u16) -> bool {
        self.tile(self.above(cell)) == Tile::Cable
    }

    /// The bit of the bonus that lies here at the start; nothing if there is none.
    #[inline]
    pub fn bonus(&self, cell: u16) -> u128 {
        self.bonus_bits[usize::from(cell)]
    }

    /// The bits of all bonuses.
    pub fn all_bonuses(&self) -> u128 {
        self.bonuses.iter().map(|&cell| self.bonus(cell)).sum()
    }

    /// Where the runner begins.
    pub fn runner(&self) -> u16 {
        self.runner
    }

    /// Where the enemies begin, in the order in which they move.
    pub fn enemies(&self) -> &[u16] {
        &self.enemies
    }

    /// The exit.
    pub fn exit(&self) -> u16 {
        self.exit
    }

    /// The cells where an enemy may come back.
    pub fn respawns(&self) -> &[u16] {
        &self.respawns
    }

    /// The cell next to this one.
    #[inline]
    pub fn step(&self, cell: u16, way: Way) -> u16 {
        self.after(cell, way.action())
    }

    /// The cell after an action, before any fall.
    #[inline]
    pub fn after(&self, cell: u16, action: Action) -> u16 {
        cell.wrapping_add_signed(self.strides[action as usize])
    }

    /// The enemies' shortest ways to the runner.
    #[inline]
    pub fn ways_to(&self, runner: u16) -> Ways<'_> {
        Ways(self.ways[usize::from(runner)].get_or_init(|| self.find_ways(runner)))
    }

    /// May an enemy at this cell go this way? Enemies know the map as it is drawn: holes are floor to them.
    fn may_go(&self, cell: u16, way: Way) -> bool {
        if self.is_closed(cell) || self.is_closed(self.step(cell, way)) {
            return false;
        }
        let below = self.tile(self.below(cell));
        match way {
            Way::Up => self.tile(cell) == Tile::Ladder,
            Way::Down => below == Tile::Ladder,
            Way::Left | Way::Right => self.hangs(cell) || matches!(below, Tile::Floor | Tile::Ladder),
        }
    }

    fn find_ways(&self, runner: u16) -> Box<[Action]> {
        let mut distance = vec![u32::MAX; self.tiles.len()];
        distance[usize::from(runner)] = 0;
        let mut queue = std::collections::VecDeque::from([runner]);
        while let Some(cell) = queue.pop_front() {
            for (from, way) in self.neighbours(cell) {
                if distance[usize::from(from)] == u32::MAX && self.may_go(from, way) {
                    distance[usize::from(from)] = distance[usize::from(cell)] + 1;
                    queue.push_back(from);
                }
            }
        }
        let first_way = |cell: u16| {
            let here = distance[usize::from(cell)];
            let nearer = |way: &Way| {
                self.may_go(cell, *way)
                    && distance[usize::from(self.step(cell, *way))].wrapping_add(1) == here
            };
            let reached = here != u32::MAX && here > 0;
            Way::ALL.iter().find(|way| reached && nearer(way)).map_or(Action::None, |way| way.action())
        };
        (0..self.tiles.len() as u16)
            .map(|cell| if self.is_inside(cell) { first_way(cell) } else { Action::None })
            .collect()
    }

    /// The cells from which one step might lead here.
    fn neighbours(&self, cell: u16) -> impl Iterator<Item = (u16, Way)> + '_ {
        let from = [
            (cell + self.width, Way::Up),
            (cell.wrapping_sub(self.width), Way::Down),
            (cell + 1, Way::Left),
            (cell.wrapping_sub(1), Way::Right),
        ];
        from.into_iter().filter(|&(from, _)| self.is_inside(from))
    }

    fn is_inside(&self, cell: u16) -> bool {
        let (x, y) = self.point(cell);
        x > 0 && x + 1 < self.width && y > 0 && y + 1 < self.height()
    }
}
