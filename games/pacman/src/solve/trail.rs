//! Search for a win of given length: a beam over partial walks that can still become a covering walk of that length.
//!
//! All covering walks of (nearly) the shortest length are known as a diagram ([`Covers`]). A partial walk is dropped as soon
//! as no cover contains its steps. So all that remain can still be short enough, and the beam prefers those with few loose
//! ends: a pellet left behind at a crossroad is in the covers, but the walk may never come back to it.

use damier_core::grid::Dir;
use damier_core::random::mix;
use damier_search::beam::{Judgement, Space};
use std::cell::RefCell;

use super::known::{KnownGhosts, Position};
use crate::bound::corridors::Corridors;
use crate::bound::covers::{Covers, Scratch};
use crate::maze::NOWHERE;
use crate::rules::{Ending, Rules};

/// The cost of a loose end.
const LOOSE_END: u32 = 30;

/// The cost of each turn above the shortest walk.
const EXCESS: u32 = 60;

/// The range of the random noise.
const NOISE: u32 = 200;

/// The position of a step: its corridor, and its number from the corridor's first end.
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    corridor: u16,
    step: u16,
}

/// The search space of walks that can become one of the covers.
pub(super) struct Trails<'a> {
    rules: &'a Rules,
    ghosts: &'a dyn KnownGhosts,
    covers: &'a Covers,
    /// By spot and direction.
    places: Vec<[Place; 4]>,
    /// Each corridor's first step and length; the steps of all corridors are numbered consecutively.
    ranges: Vec<(usize, usize)>,
    any_win: bool,
    salt: u64,
    scratch: RefCell<Scratch>,
}

impl<'a> Trails<'a> {
    /// The walks of these covers. `salt` varies the choice among walks that are almost equally good.
    pub fn new(
        rules: &'a Rules,
        ghosts: &'a dyn KnownGhosts,
        graph: &Corridors,
        covers: &'a Covers,
        any_win: bool,
        salt: u64,
    ) -> Self {
        let maze = rules.maze();
        let mut places = vec![[Place::default(); 4]; maze.floor()];
        let mut ranges = Vec::with_capacity(graph.corridors.len());
        let mut count = 0;
        for (corridor, way) in graph.corridors.iter().enumerate() {
            ranges.push((count, way.steps.len()));
            count += way.steps.len();
            for (step, &(spot, dir)) in way.steps.iter().enumerate() {
                let place = Place { corridor: corridor as u16, step: step as u16 };
                places[usize::from(spot)][dir.index()] = place;
                places[usize::from(maze.next(spot, dir))][dir.opposite().index()] = place;
            }
        }
        Self { rules, ghosts, covers, places, ranges, any_win, salt, scratch: RefCell::default() }
    }

    /// The total number of steps in all corridors.
    pub fn steps(&self) -> usize {
        self.ranges.last().map_or(0, |&(first, length)| first + length)
    }
}

/// A partial walk.
#[derive(Clone, Copy, Debug)]
pub(super) struct OnTrail<const N: usize> {
    position: Position<N>,
    /// The steps taken at least once, and those taken twice.
    taken: [[u64; N]; 2],
    /// The minimum number of turns by which the walk will exceed the shortest one.
    excess: u8,
}

impl<const N: usize> OnTrail<N> {
    /// The empty walk.
    pub fn new(position: Position<N>) -> Self {
        Self { position, taken: [[0; N]; 2], excess: 0 }
    }

    /// The steps taken in a corridor, one bit each.
    #[inline]
    fn taken_of(&self, (first, length): (usize, usize)) -> [u64; 2] {
        let (word, shift) = (first / 64, first % 64);
        self.taken.map(|set| {
            let low = set[word] >> shift;
            let high = if shift + length > 64 { set[word + 1] << (64 - shift) } else { 0 };
            (low | high) & (u64::MAX >> (64 - length))
        })
    }
}

/// [`Trails`] in mazes of at most `64 * N` floor cells and as many steps.
pub(super) struct Sized<'a, const N: usize>(pub Trails<'a>);

impl<const N: usize> Sized<'_, N> {
    /// Takes a step and returns by how much the walk now exceeds the shortest one; `None` if by too much.
    #[inline]
    fn take(&self, at: &mut OnTrail<N>, place: Place) -> Option<u8> {
        let corridor = usize::from(place.corridor);
        let range = self.0.ranges[corridor];
        let number = range.0 + usize::from(place.step);
        let (word, bit) = (number / 64, 1 << (number % 64));
        let again = at.taken[0][word] & bit != 0;
        let before = self.0.covers.fitting(corridor, at.taken_of(range));
        at.taken[usize::from(again)][word] |= bit;
        if self.0.covers.fitting(corridor, at.taken_of(range)) == before {
            return Some(at.excess);
        }
        let taken = |corridor: usize| at.taken_of(self.0.ranges[corridor]);
        self.0.covers.least_excess(taken, &mut self.0.scratch.borrow_mut())
    }

    /// A hash of the steps taken.
    #[inline]
    fn hash(at: &OnTrail<N>) -> u64 {
        at.taken.as_flattened().iter().fold(0, |hash, &word| mix(hash ^ word).wrapping_add(word))
    }
}

impl<const N: usize> Space for Sized<'_, N> {
    type State = OnTrail<N>;
    type Action = Dir;

    /// All open directions that have not been taken twice.
    fn actions(&self, at: &OnTrail<N>, actions: &mut Vec<Dir>) {
        let spot = at.position.figures.pacman;
        let next = self.0.rules.maze().place(spot).next;
        let may = |dir: &Dir| {
            let place = self.0.places[usize::from(spot)][dir.index()];
            let number = self.0.ranges[usize::from(place.corridor)].0 + usize::from(place.step);
            next[dir.index()] != NOWHERE && at.taken[1][number / 64] >> (number % 64) & 1 == 0
        };
        actions.extend(Dir::ALL.into_iter().filter(may));
    }

    fn step(&self, at: &mut OnTrail<N>, dir: Dir) -> Judgement {
        let place = self.0.places[usize::from(at.position.figures.pacman)][dir.index()];
        match at.position.turn(self.0.rules, self.0.ghosts, dir) {
            Some(Ending::Won) if self.0.any_win || at.position.figures.pellets_left == 0 => {
                return Judgement::Goal;
            }
            Some(_) => return Judgement::Dead,
            None => {}
        }
        let Some(excess) = self.take(at, place) else { return Judgement::Dead };
        at.excess = excess;
        let key = mix(Rules::figures_hash(&at.position.figures) ^ Self::hash(at));
        let cost = u32::from(at.position.loose_ends) * LOOSE_END
            + u32::from(excess) * EXCESS
            + mix(key ^ self.0.salt) as u32 % NOISE;
        Judgement::Open { key, cost }
    }
}
