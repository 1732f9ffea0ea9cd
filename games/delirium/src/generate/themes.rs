//! Themes: kinds of caves that the generator proposes. Whether one can be won is found out later.

use damier_core::grid::Size;
use damier_core::random::{Chance, Rng};

use crate::kind::Kind;

/// A kind of cave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Theme {
    /// Wide empty caverns in grass.
    Caverns,
    /// Galleries between slippery walls.
    Tunnels,
    /// Grass full of rocks.
    Rocks,
    /// Walled rooms with monsters in them.
    Dens,
}

/// A map under construction.
struct Canvas<'a> {
    size: Size,
    cells: Vec<Kind>,
    rng: &'a mut Rng,
    /// From 0, easy, to 1, hard.
    hardness: f64,
}

impl Theme {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Caverns, Self::Tunnels, Self::Rocks, Self::Dens];

    /// Its name in a level's header.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Caverns => "caverns",
            Self::Tunnels => "tunnels",
            Self::Rocks => "rocks",
            Self::Dens => "dens",
        }
    }

    /// Draws a map of this kind, with border, miner and exit. `hardness` is from 0 to 1.
    pub fn propose(self, rng: &mut Rng, size: Size, hardness: f64) -> Vec<Kind> {
        let mut canvas = Canvas { size, cells: vec![Kind::Dirt; size.area()], rng, hardness };
        match self {
            Self::Caverns => canvas.caverns(),
            Self::Tunnels => canvas.tunnels(),
            Self::Rocks => canvas.sprinkle(9.0 + 14.0 * hardness, 5.0, 4.0),
            Self::Dens => canvas.dens(),
        }
        canvas.finish()
    }
}

impl Canvas<'_> {
    fn inner(&self) -> impl Iterator<Item = (u16, u16)> + use<> {
        let Size { width, height } = self.size;
        (1..height - 1).flat_map(move |y| (1..width - 1).map(move |x| (x, y)))
    }

    fn at(&mut self, x: u16, y: u16) -> &mut Kind {
        &mut self.cells[self.size.cell(x, y).index()]
    }

    fn percent(&mut self, share: f64) -> bool {
        f64::from(self.rng.below(10_000)) < share * 100.0
    }

    /// Rocks, diamonds and empty cells in grass, each so many of a hundred.
    fn sprinkle(&mut self, rocks: f64, diamonds: f64, empty: f64) {
        for (x, y) in self.inner() {
            if *self.at(x, y) != Kind::Dirt {
                continue;
            }
            *self.at(x, y) = if self.percent(rocks) {
                Kind::Rock
            } else if self.percent(diamonds) {
                Kind::Diamond
            } else if self.percent(empty) {
                Kind::Empty
            } else {
                Kind::Dirt
            };
        }
    }

    /// Blobs: noise, smoothed by the majority of the neighbours.
    fn caverns(&mut self) {
        let mut open: Vec<bool> = (0..self.size.area()).map(|_| self.percent(44.0)).collect();
        for _ in 0..3 {
            let before = open.clone();
            for (x, y) in self.inner() {
                let near = (y - 1..=y + 1).flat_map(|y| (x - 1..=x + 1).map(move |x| (x, y)));
                let count = near.filter(|&(x, y)| before[self.size.cell(x, y).index()]).count();
                open[self.size.cell(x, y).index()] = count >= 5;
            }
        }
        self.sprinkle(7.0 + 8.0 * self.hardness, 7.0, 0.0);
        for (x, y) in self.inner() {
            if open[self.size.cell(x, y).index()] {
                *self.at(x, y) = Kind::Empty;
            }
        }
        let monsters = (self.hardness * 5.0) as u32;
        self.monsters_in_the_open(monsters);
    }

    /// Walls across the map with a few gaps, every few rows.
    fn tunnels(&mut self) {
        let Size { width, height } = self.size;
        self.sprinkle(5.0 + 9.0 * self.hardness, 7.0, 6.0);
        for y in (3..height - 2).step_by(4) {
            for x in 1..width - 1 {
                *self.at(x, y) = Kind::Wall;
            }
            for _ in 0..2 + self.rng.below(2) {
                let x = 1 + self.rng.below(u32::from(width) - 2) as u16;
                *self.at(x, y) = Kind::Dirt;
            }
        }
        for _ in 0..(self.hardness * 4.0) as u32 {
            let row = 4 * self.rng.below(u32::from(height - 3) / 4) as u16 + 1;
            let (length, y) = (4 + self.rng.below(5) as u16, row + self.rng.below(2) as u16);
            if width > length + 3 && y < height - 1 {
                let x = 1 + self.rng.below(u32::from(width - length - 2)) as u16;
                for x in x..x + length {
                    *self.at(x, y) = Kind::Empty;
                }
                *self.at(x + length / 2, y) = self.monster();
            }
        }
    }

    /// Rooms of brick with diamonds, a monster and a door of grass.
    fn dens(&mut self) {
        let Size { width, height } = self.size;
        self.sprinkle(6.0 + 8.0 * self.hardness, 3.5, 3.0);
        for _ in 0..1 + (self.hardness * 4.0) as u32 + self.size.area() as u32 / 600 {
            let (w, h) = (4 + self.rng.below(3) as u16, 3 + self.rng.below(2) as u16);
            if width < w + 4 || height < h + 4 {
                continue;
            }
            let x = 1 + self.rng.below(u32::from(width - w - 3)) as u16;
            let y = 1 + self.rng.below(u32::from(height - h - 3)) as u16;
            self.den((x, y), (w, h));
        }
    }

    fn den(&mut self, (left, top): (u16, u16), (w, h): (u16, u16)) {
        for y in top..top + h + 2 {
            for x in left..left + w + 2 {
                let wall = x == left || y == top || x == left + w + 1 || y == top + h + 1;
                *self.at(x, y) = if wall { Kind::Wall } else { Kind::Empty };
            }
        }
        for _ in 0..2 {
            let x = left + 1 + self.rng.below(w.into()) as u16;
            *self.at(x, top + h) = Kind::Diamond;
        }
        let (x, y) = (left + 1 + self.rng.below(w.into()) as u16, top + 1);
        *self.at(x, y) = self.monster();
        let door = left + 1 + self.rng.below(w.into()) as u16;
        let wall = if self.rng.below(2) == 0 { top } else { top + h + 1 };
        *self.at(door, wall) = Kind::Dirt;
    }

    fn monster(&mut self) -> Kind {
        if self.rng.below(3) == 0 { Kind::Blue } else { Kind::Red }
    }

    fn monsters_in_the_open(&mut self, count: u32) {
        let open: Vec<(u16, u16)> = self.inner().filter(|&(x, y)| *self.at(x, y) == Kind::Empty).collect();
        for _ in 0..count {
            if let Some(&(x, y)) = self.rng.choose(&open) {
                *self.at(x, y) = self.monster();
            }
        }
    }

    /// The border, the miner on the left with nothing above, and the exit on the right.
    fn finish(mut self) -> Vec<Kind> {
        let Size { width, height } = self.size;
        for cell in self.size.cells() {
            let (x, y) = self.size.xy(cell);
            if x == 0 || y == 0 || x + 1 == width || y + 1 == height {
                self.cells[cell.index()] = Kind::Border;
            }
        }
        let third = u32::from(width) / 3;
        let rows = u32::from(height) - 3;
        let (mx, my) = (1 + self.rng.below(third) as u16, 2 + self.rng.below(rows) as u16);
        for y in my - 1..=(my + 1).min(height - 2) {
            for x in (mx - 1).max(1)..=mx + 1 {
                *self.at(x, y) = Kind::Dirt;
            }
        }
        *self.at(mx, my) = Kind::Miner;
        let ex = width - 2 - self.rng.below(third) as u16;
        let ey = 1 + self.rng.below(u32::from(height) - 2) as u16;
        *self.at(ex, ey) = Kind::Exit;
        self.cells
    }
}
