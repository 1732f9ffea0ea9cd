//! Rocks and diamonds, explosions.

use super::fate::Fate;
use super::ground::Way;
use super::{BRITTLE, LASTING, SLOPED, Scan, TRAITS};
use crate::board::Ending;
use crate::cave::{BOOMS, Magic, Place};
use crate::kind::Kind;

impl<F: Fate, const N: usize, const B: usize, const PLAIN: bool> Scan<'_, F, N, B, PLAIN> {
    /// A thing at rest falls, or rolls off something slippery, to the left first. Otherwise it sleeps.
    #[inline(always)]
    pub(super) fn rest(&mut self, place: Place, resting: Kind, falling: Kind) {
        let down = self.down();
        let below = self.beside(place, down);
        if self.is_free(below) {
            self.shift(place, below, resting, falling);
        } else if self.traits(below) & SLOPED != 0 && !self.is_done(below) {
            self.roll(place, down, resting, falling);
        } else if self.is_done(below) {
            // It may roll off in the next frame.
            self.cave.wake(place);
        }
    }

    /// Rolls to a side where the cell and the one below are free: did it?
    #[inline(always)]
    fn roll(&mut self, place: Place, down: Way, now: Kind, falling: Kind) -> bool {
        for (side, under) in [(down + 2, down + 1), (down + 6, down + 7)] {
            let to = self.beside(place, side);
            if self.is_free(to) && self.is_free(self.beside(place, under)) {
                self.shift(place, to, now, falling);
                return true;
            }
        }
        false
    }

    /// A thing in flight falls on, is turned by a magic wall, sets off what it hits, rolls off, or comes to rest.
    #[inline(always)]
    pub(super) fn fly(&mut self, place: Place, falling: Kind, resting: Kind) {
        let down = self.down();
        let below = self.beside(place, down);
        let hit = self.at(below);
        if hit == Kind::Empty {
            return self.shift(place, below, falling, falling);
        }
        if hit == Kind::Magic {
            let made = if falling == Kind::FallingRock { Kind::FallingDiamond } else { Kind::FallingRock };
            return self.fall_through(place, below, down, made);
        }
        let untouched = !self.is_done(below);
        if TRAITS[hit as usize] & BRITTLE != 0 && untouched {
            if hit == Kind::Miner {
                self.death = Ending::Crushed;
            }
            return self.explode(below);
        }
        if TRAITS[hit as usize] & SLOPED != 0 && untouched && self.roll(place, down, falling, falling) {
            return;
        }
        self.settle(place, resting);
    }

    /// A thing comes to rest.
    fn settle(&mut self, place: Place, resting: Kind) {
        self.put(place, resting);
        self.wake_pile(place);
    }

    /// What falls on a magic wall is gone; below it something else appears while the wall is active.
    #[cold]
    fn fall_through(&mut self, place: Place, wall: Place, down: Way, made: Kind) {
        if self.cave.magic == Magic::Dormant {
            self.cave.magic = Magic::Active;
        }
        let below = self.beside(wall, down);
        if self.cave.magic == Magic::Active && self.is_free(below) {
            self.put(below, made);
        }
        self.vacate(place);
    }

    /// An explosion around a creature. The reds' and blues' are as the cave says.
    #[cold]
    pub(super) fn explode(&mut self, centre: Place) {
        let options = &self.ground.options;
        let blast = match self.at(centre) {
            kind if kind.is_blue() => options.blue_blast,
            kind if kind.is_monster() => options.red_blast,
            _ => Kind::Blast1,
        };
        self.remember(centre, blast == Kind::Spark1);
        for way in 0..8 {
            let place = self.beside(centre, way);
            self.blow_up(place, blast);
        }
        self.blow_up(centre, blast);
    }

    fn blow_up(&mut self, place: Place, blast: Kind) {
        let kind = self.at(place);
        if TRAITS[kind as usize] & LASTING == 0 {
            self.hurt |= kind == Kind::Doll;
            self.place(place, blast);
        }
    }

    /// Keeps the centre of an explosion for planners.
    fn remember(&mut self, centre: Place, diamonds: bool) {
        self.cave.booms.copy_within(..BOOMS - 1, 1);
        self.cave.booms[0] = (2 * centre as u16 + u16::from(diamonds), self.cave.tick as u16);
    }

    /// An explosion goes on, or ends.
    pub(super) fn burn(&mut self, place: Place, kind: Kind) {
        let options = &self.ground.options;
        let next = match kind {
            Kind::Blast1 => Kind::Blast2,
            Kind::Blast2 => Kind::Blast3,
            Kind::Blast3 => Kind::Blast4,
            Kind::Blast4 => Kind::Blast5,
            Kind::Spark1 => Kind::Spark2,
            Kind::Spark2 => Kind::Spark3,
            Kind::Spark3 => Kind::Spark4,
            Kind::Spark4 => Kind::Spark5,
            Kind::Rubble1 => Kind::Rubble2,
            Kind::Rubble2 => Kind::Rubble3,
            Kind::Rubble3 => Kind::Rubble4,
            Kind::Bomb1 => Kind::Bomb2,
            Kind::Bomb2 => Kind::Bomb3,
            Kind::Bomb3 => Kind::Bomb4,
            Kind::Nitro1 => Kind::Nitro2,
            Kind::Nitro2 => Kind::Nitro3,
            Kind::Nitro3 => Kind::Nitro4,
            Kind::Spark5 => return self.place(place, options.spark_leaves),
            Kind::Rubble4 => return self.place(place, Kind::Rock),
            Kind::Bomb4 => return self.place(place, options.bomb_leaves),
            Kind::Nitro4 => return self.place(place, options.nitro_leaves),
            _ => return self.place(place, options.blast_leaves),
        };
        self.put(place, next);
    }
}
