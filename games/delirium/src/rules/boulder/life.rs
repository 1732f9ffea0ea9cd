//! Amoeba, slime and walls that grow.

use super::fate::{Fate, GROWTH};
use super::ground::{EAST, NORTH, SOUTH, WEST};
use super::{EDIBLE, Scan};
use crate::cave::{Amoeba, Magic, Place};
use crate::kind::Kind;

impl<F: Fate, const N: usize, const B: usize, const PLAIN: bool> Scan<'_, F, N, B, PLAIN> {
    /// A cell that has something to eat grows with luck, in one of four directions.
    pub(super) fn amoeba(&mut self, place: Place, kind: Kind) {
        let index = usize::from(kind == Kind::Amoeba2);
        match self.cave.amoeba[index] {
            Amoeba::TooBig => return self.place(place, self.ground.options.amoeba_big),
            Amoeba::Enclosed => return self.place(place, self.ground.options.amoeba_enclosed),
            Amoeba::Asleep | Amoeba::Awake => {}
        }
        let eats = self.edible(place);
        if eats == [false; 4] {
            return;
        }
        if kind == Kind::Amoeba2 {
            // Of the first kind it is known which cells have something to eat.
            self.cave.wake(place);
        }
        self.fed[index] = true;
        if let Some(way) = self.tries_to_grow(place, eats)
            && eats[way]
        {
            let to = self.beside(place, GROWTH[way]);
            self.cave.amoebas[index] += u16::from(self.ground.scans(to));
            self.put(to, kind);
            self.look_for_food(to);
        }
    }

    /// Cells of the fringe among these 64 try to grow, up to the first of which it is not known that it fails: which one is it?
    pub(super) fn grow_first_of(&mut self, first: Place, mut growing: u64) -> u32 {
        if self.failing == 0 {
            self.failing = self.fate.fails(self.ground, self.cave.amoeba_left == 0);
        }
        while self.failing > 0 && growing & (growing - 1) != 0 {
            self.failing -= 1;
            growing &= growing - 1;
        }
        let bit = growing.trailing_zeros();
        self.here = first | bit as usize;
        self.amoeba(self.here, Kind::Amoeba);
        bit
    }

    /// Where a cell of amoeba tries to grow, if it does.
    fn tries_to_grow(&mut self, place: Place, eats: [bool; 4]) -> Option<usize> {
        let fast = self.cave.amoeba_left == 0;
        if self.failing == 0 {
            self.failing = self.fate.fails(self.ground, fast);
        }
        if self.failing > 0 {
            self.failing -= 1;
            return None;
        }
        self.fate.grows(self.ground, place, fast, eats)
    }

    /// Which neighbours can be eaten, by [`GROWTH`].
    fn edible(&self, place: Place) -> [bool; 4] {
        GROWTH.map(|way| self.traits(self.beside(place, way)) & EDIBLE != 0)
    }

    /// Brings up to date whether a cell is amoeba that has something to eat.
    pub(super) fn look_for_food(&mut self, place: Place) {
        let eats = self.at(place) == Kind::Amoeba && self.edible(place) != [false; 4];
        self.cave.set_fringe(place, eats);
    }

    /// After a scan: amoeba that is too big or enclosed turns into something else in the next one.
    #[inline(never)]
    pub(super) fn judge_amoeba(&mut self) {
        let options = &self.ground.options;
        for index in 0..2 {
            if self.fed[index] {
                self.cave.amoeba[index] = Amoeba::Awake;
            }
            let before = self.cave.amoeba[index];
            if before == Amoeba::Awake {
                if u32::from(self.counted[index]) >= options.amoeba_size {
                    self.cave.amoeba[index] = Amoeba::TooBig;
                }
                if !self.fed[index] {
                    self.cave.amoeba[index] = Amoeba::Enclosed;
                }
            }
            if options.magic_stops_amoeba && self.cave.magic == Magic::Active {
                self.cave.amoeba[index] = Amoeba::Enclosed;
            }
            if before != self.cave.amoeba[index] {
                self.wake_amoeba();
            }
        }
        if self.cave.amoeba[0] == Amoeba::Awake {
            self.cave.amoeba_left = self.cave.amoeba_left.saturating_sub(1);
        }
    }

    #[cold]
    fn wake_amoeba(&mut self) {
        for place in 0..self.ground.cells() {
            if matches!(self.at(place), Kind::Amoeba | Kind::Amoeba2) {
                self.cave.wake(place);
            }
        }
    }

    /// Lets a thing that rests on it pass if the cell below is empty: a falling one appears there.
    pub(super) fn slime(&mut self, place: Place) {
        let down = self.down();
        let passable = match self.ground.options.slime_mask {
            Some(mask) if self.fate.is_predictable() => {
                // A number is drawn whether or not anything could pass.
                self.cave.wake(place);
                Some(next_c64(&mut self.cave.seed) & mask == 0)
            }
            _ => None,
        };
        let (above, below) = (self.beside(place, down + 4), self.beside(place, down));
        let falling = match self.at(above) {
            Kind::Rock => Kind::FallingRock,
            Kind::Diamond => Kind::FallingDiamond,
            _ => return,
        };
        if !self.is_free(below) {
            return;
        }
        self.cave.wake(place);
        if !self.is_done(above) && passable.unwrap_or_else(|| self.fate.passes(self.ground, below)) {
            self.put(below, falling);
            self.vacate(above);
        }
    }

    /// Grows into an empty cell to the left, else to the right; up, else down; or to all four sides.
    pub(super) fn growing_wall(&mut self, place: Place, kind: Kind) {
        let ways: &[_] = match kind {
            Kind::GrowingAcross => &[WEST, EAST],
            Kind::GrowingUp => &[NORTH, SOUTH],
            _ => &[WEST, EAST, NORTH, SOUTH],
        };
        for &way in ways {
            let to = self.beside(place, way);
            if self.is_free(to) {
                self.put(to, kind);
                if kind != Kind::Growing {
                    self.cave.wake(place);
                    break;
                }
            }
        }
    }
}

/// The next number of the C64's generator.
pub(crate) fn next_c64(seed: &mut [u8; 2]) -> u8 {
    let [a, b] = seed.map(u16::from);
    let first = (a & 1) << 7;
    let second = b >> 1 & 0x7f;
    let low = b + ((b & 1) << 7);
    let low = (low & 0xff) + (low >> 8) + 0x13;
    let high = a + (low >> 8) + first;
    let high = (high & 0xff) + (high >> 8) + second;
    *seed = [high as u8, low as u8];
    high as u8
}
