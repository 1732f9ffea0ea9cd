//! The miner and the monsters.

use super::fate::Fate;
use super::ground::{NORTH, Way};
use super::{Scan, TOUCHY, TRAITS};
use crate::board::Ending;
use crate::cave::Place;
use crate::kind::Kind;

/// Where a monster heads, by the last two bits of its kind: left, up, right, down.
const HEADINGS: [Way; 4] = [6, 0, 2, 4];

impl<F: Fate, const N: usize, const B: usize, const PLAIN: bool> Scan<'_, F, N, B, PLAIN> {
    /// Walks, digs, gathers, leaves, or pushes a resting rock sideways with luck. Digging leaves the miner where it is.
    #[inline(always)]
    pub(super) fn miner(&mut self, place: Place) {
        self.cave.wake(place);
        self.fate.see();
        if self.cave.doomed {
            self.death = Ending::Blasted;
            return self.explode(place);
        }
        let Some(way) = self.deed.way else { return };
        let to = self.beside(place, way);
        match self.at(to) {
            Kind::Empty | Kind::Dirt | Kind::DiamondKey => self.enter(place, to),
            Kind::Diamond if !self.is_done(to) => {
                self.gather();
                self.enter(place, to);
            }
            Kind::Rock if !self.is_done(to) => self.push(place, to, way),
            Kind::OpenExit | Kind::OpenHiddenExit => {
                self.left = true;
                self.enter(place, to);
            }
            Kind::Sweet => {
                self.cave.strong = true;
                self.enter(place, to);
            }
            _ => {}
        }
    }

    /// Goes to a cell, or clears it and stays.
    #[inline(always)]
    fn enter(&mut self, from: Place, to: Place) {
        if self.deed.digs {
            return self.place(to, self.ground.options.dig_leaves);
        }
        self.put(to, Kind::Miner);
        self.cave.active[from >> 6 & (B - 1)] &= !(1 << (from & 63));
        self.cave.miner = to as u16;
        self.vacate(from);
    }

    #[cold]
    fn gather(&mut self) {
        self.cave.gathered += 1;
        self.cave.missing = self.cave.missing.saturating_sub(1);
        if self.cave.missing == 0 && !self.cave.open {
            self.open_exit();
        }
    }

    /// Every exit opens when the scan comes to it.
    pub(super) fn open_exit(&mut self) {
        self.cave.open = true;
        self.skip_nothing();
        for place in 0..self.ground.cells() {
            if matches!(self.at(place), Kind::Exit | Kind::HiddenExit) {
                self.cave.wake(place);
            }
        }
    }

    #[cold]
    fn push(&mut self, place: Place, rock: Place, way: Way) {
        let across = (way ^ self.ground.options.gravity) & 3 == 2;
        let behind = self.beside(rock, way);
        if !across || !self.is_free(behind) || !(self.cave.strong || self.fate.pushes(self.ground, behind)) {
            return;
        }
        self.put(behind, Kind::Rock);
        self.wake_pile(behind);
        if self.deed.digs {
            self.vacate(rock);
        } else {
            self.enter(place, rock);
        }
    }

    /// A firefly turns left where it can, a butterfly right; else it goes straight on; else it turns the other way. Beside
    /// the miner or amoeba it explodes.
    #[inline(always)]
    pub(super) fn monster(&mut self, place: Place, kind: Kind) {
        let beside = HEADINGS.map(|way| self.beside(place, way));
        let touched = beside.into_iter().fold(0, |traits, place| traits | self.traits(place));
        if touched & TOUCHY != 0
            && let Some(touched) = self.touched_by(place)
        {
            return self.touch(place, touched);
        }
        let free = (0..4).fold(0, |free, index| free | usize::from(self.is_free(beside[index])) << index);
        let step = usize::from(STEPS[kind as usize & 7][free & 15]);
        let turned = FLIES[step & 7];
        if step & STAYS == 0 {
            self.shift(place, beside[step & 3], kind, turned);
        } else {
            self.put(place, turned);
        }
    }

    /// What a monster explodes beside.
    #[cold]
    fn touched_by(&self, place: Place) -> Option<Kind> {
        [NORTH, 2, 4, 6].into_iter().find_map(|way| {
            let beside = self.beside(place, way);
            let touched = self.at(beside);
            let touches =
                TRAITS[touched as usize] & TOUCHY != 0 && (touched == Kind::Miner || !self.is_done(beside));
            touches.then_some(touched)
        })
    }

    #[cold]
    fn touch(&mut self, place: Place, touched: Kind) {
        match touched {
            Kind::Miner => self.death = Ending::Caught,
            Kind::Doll => self.hurt = true,
            _ => {}
        }
        self.explode(place);
    }

    pub(super) fn be_born(&mut self, place: Place, next: Kind) {
        self.fate.see();
        self.put(place, next);
    }

    /// The miner is born in every second frame, where there are several inboxes in turn.
    pub(super) fn inbox(&mut self, place: Place) {
        self.cave.wake(place);
        self.fate.see();
        if self.cave.birth_left == 0 && !self.inbox_waits {
            self.put(place, Kind::Birth1);
        }
        self.inbox_waits = !self.inbox_waits;
    }
}

/// The bit of a step that says that the monster only turns.
const STAYS: usize = 8;

/// What a monster does, by the last three bits of its kind and a bit for every free cell on its left, above, on its right and
/// below: the last three bits of its kind afterwards, whose last two say where it goes, unless it stays.
const STEPS: [[u8; 16]; 8] = {
    let mut steps = [[0; 16]; 8];
    let mut monster = 0;
    while monster < 8 {
        let (colour, heading) = (monster & 4, monster & 3);
        let turn = if colour == 0 { 3 } else { 1 };
        let (first, last) = ((heading + turn) & 3, (heading + 4 - turn) & 3);
        let mut free = 0;
        while free < 16 {
            steps[monster as usize][free] = if free >> first & 1 != 0 {
                colour | first
            } else if free >> heading & 1 != 0 {
                monster
            } else {
                colour | last | STAYS as u8
            };
            free += 1;
        }
        monster += 1;
    }
    steps
};

/// The monsters by the last three bits of their kind.
const FLIES: [Kind; 8] = [
    Kind::RedLeft,
    Kind::RedUp,
    Kind::RedRight,
    Kind::RedDown,
    Kind::BlueLeft,
    Kind::BlueUp,
    Kind::BlueRight,
    Kind::BlueDown,
];
