//! Search for a win from any position: a beam over exact positions that prefers pellets in connected rows.

use damier_core::grid::Dir;
use damier_core::random::mix;
use damier_search::beam::{Judgement, Space};

use super::known::{KnownGhosts, Position};
use crate::maze::NOWHERE;
use crate::rules::{Ending, Rules};

/// The cost of a pellet left.
const PELLET: u32 = 20;

/// The cost of an end of a row of pellets: two of them mean one more detour.
const LOOSE_END: u32 = 10;

/// The cost of a potion eaten, so that one is taken only when it is needed or in the way.
const POTION: u32 = 20;

/// The cost of a step to the nearest pellet.
const STEP: u32 = 2;

/// The search space of all that Pacman can do against known ghosts.
pub(super) struct Feast<'a> {
    pub rules: &'a Rules,
    pub ghosts: &'a dyn KnownGhosts,
    /// Whether a win that leaves pellets under ghosts counts.
    pub any_win: bool,
    /// Varies the choice among positions that are almost equally good; 0 for no variation.
    pub salt: u64,
}

/// [`Feast`] in mazes of at most `64 * N` floor cells.
pub(super) struct Sized<'a, const N: usize> {
    feast: Feast<'a>,
    /// The potions at the start, one bit per spot, and their number.
    potions: [u64; N],
    all_potions: u32,
}

impl<'a, const N: usize> Sized<'a, N> {
    pub fn new(feast: Feast<'a>) -> Self {
        let mut potions = [0u64; N];
        for spot in feast.rules.maze().potions() {
            potions[usize::from(spot / 64)] |= 1 << (spot % 64);
        }
        let all_potions = potions.iter().map(|word| word.count_ones()).sum();
        Self { feast, potions, all_potions }
    }

    #[inline]
    fn potions_eaten(&self, position: &Position<N>) -> u32 {
        let left = self.potions.iter().zip(&position.pellets).map(|(all, left)| (all & left).count_ones());
        self.all_potions - left.sum::<u32>()
    }

    /// Steps from Pacman to the nearest pellet.
    #[inline]
    fn steps_to_pellet(&self, position: &Position<N>) -> u32 {
        let maze = self.feast.rules.maze();
        let mut known = [0u64; N];
        let mut queue = [0; QUEUE];
        queue[0] = position.figures.pacman;
        let (mut head, mut tail, mut steps) = (0, 1, 0);
        while head < tail {
            steps += 1;
            let nearer = tail;
            while head < nearer {
                let spot = queue[head % QUEUE];
                head += 1;
                for next in maze.place(spot).next {
                    if next == NOWHERE {
                        continue;
                    }
                    if position.has_pellet(next) {
                        return steps;
                    }
                    let (word, bit) = (&mut known[usize::from(next / 64)], 1 << (next % 64));
                    if *word & bit == 0 && tail - head < QUEUE {
                        *word |= bit;
                        queue[tail % QUEUE] = next;
                        tail += 1;
                    }
                }
            }
        }
        steps
    }
}

/// The capacity for cells at the same distance from Pacman. If a maze has more, the estimate is slightly too high.
const QUEUE: usize = 128;

impl<const N: usize> Space for Sized<'_, N> {
    type State = Position<N>;
    type Action = Dir;

    /// All open directions, and one towards a wall, to wait.
    fn actions(&self, position: &Position<N>, actions: &mut Vec<Dir>) {
        let next = self.feast.rules.maze().place(position.figures.pacman).next;
        actions.extend(Dir::ALL.into_iter().filter(|dir| next[dir.index()] != NOWHERE));
        actions.extend(Dir::ALL.into_iter().find(|dir| next[dir.index()] == NOWHERE));
    }

    #[inline]
    fn step(&self, position: &mut Position<N>, dir: Dir) -> Judgement {
        match position.turn(self.feast.rules, self.feast.ghosts, dir) {
            Some(Ending::Won) if self.feast.any_win || position.figures.pellets_left == 0 => Judgement::Goal,
            Some(_) => Judgement::Dead,
            None => {
                let key = Rules::figures_hash(&position.figures);
                let noise =
                    if self.feast.salt == 0 { 0 } else { mix(key ^ self.feast.salt) as u32 % LOOSE_END };
                let cost = u32::from(position.figures.pellets_left) * PELLET
                    + u32::from(position.loose_ends) * LOOSE_END
                    + self.steps_to_pellet(position) * STEP
                    + self.potions_eaten(position) * POTION
                    + noise;
                Judgement::Open { key, cost }
            }
        }
    }
}
