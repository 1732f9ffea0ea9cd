//! A table of all pursuits of Pacman by two ghosts, without potions: how many turns they need from every position.
//!
//! The ghosts may go anywhere, turn back or stay, and move one after the other, as under the rule set `report`. The table
//! is computed by retrograde analysis from the positions in which Pacman is caught, for all his cells at once: a set of
//! cells is a bit set.

use crate::maze::{Maze, Spot};

/// The maximum number of floor cells: the size of the table in bytes is the cube of it.
pub const MAX_FLOOR: usize = 256;

/// Marks positions in which Pacman is never caught.
const NEVER: u8 = u8::MAX;

/// A set of spots.
type Spots = [u64; MAX_FLOOR / 64];

/// The table of one maze.
#[derive(Clone, Debug)]
pub struct Pursuit {
    floor: usize,
    /// By first ghost, second ghost and Pacman, with Pacman to move: the turn in which he is caught at the latest.
    turns: Box<[u8]>,
}

impl Pursuit {
    /// Solves a maze, unless it is too large.
    pub fn of(maze: &Maze) -> Option<Self> {
        if maze.floor() > MAX_FLOOR {
            return None;
        }
        let mut work = Work::new(maze);
        let mut turns = vec![NEVER; maze.floor().pow(3)].into_boxed_slice();
        // A pair of ghosts that needs 255 turns or more counts as one that never succeeds.
        for turn in 1..NEVER {
            if !work.pacman_loses(turn, &mut turns) {
                break;
            }
            work.ghosts_win();
        }
        Some(Self { floor: maze.floor(), turns })
    }

    /// The turn in which these two ghosts catch Pacman at the latest, with Pacman to move; `first` moves first. 1 is the
    /// next turn. `None` if he can escape for ever.
    #[inline]
    pub fn caught_in(&self, pacman: Spot, first: Spot, second: Spot) -> Option<u8> {
        let row = (usize::from(first) * self.floor + usize::from(second)) * self.floor;
        Some(self.turns[row + usize::from(pacman)]).filter(|&turns| turns != NEVER)
    }
}

/// The growing sets of lost positions.
struct Work {
    floor: usize,
    /// All spots.
    all: Spots,
    /// The spots from which Pacman, or a ghost, can reach each spot. Pacman can only stay by running against a wall.
    pacman_from: Vec<Spots>,
    ghost_from: Vec<Vec<Spot>>,
    /// By pair of ghosts: the spots where Pacman is lost with the ghosts to move, and with him to move.
    lost_before_ghosts: Vec<Spots>,
    lost_before_pacman: Vec<Spots>,
    /// The pairs whose sets have grown.
    grown: Vec<usize>,
    is_grown: Vec<bool>,
}

impl Work {
    fn new(maze: &Maze) -> Self {
        let floor = maze.floor();
        let spots = || 0..floor as Spot;
        let mut all = Spots::default();
        spots().for_each(|spot| insert(&mut all, spot));
        let pairs = spots().flat_map(|first| spots().map(move |second| (first, second)));
        let is_grown: Vec<bool> = pairs.map(|(first, second)| first != second).collect();
        Self {
            floor,
            all,
            pacman_from: spots().map(|spot| pacman_from(maze, spot)).collect(),
            ghost_from: spots()
                .map(|spot| {
                    std::iter::once(spot).chain(maze.neighbours(spot).map(|(_, next)| next)).collect()
                })
                .collect(),
            lost_before_ghosts: vec![Spots::default(); floor * floor],
            lost_before_pacman: vec![Spots::default(); floor * floor],
            grown: (0..floor * floor).filter(|&pair| is_grown[pair]).collect(),
            is_grown,
        }
    }

    /// Finds new positions in which Pacman is to move and lost: he is on a ghost, or every step leads to a ghost or to a
    /// lost position. Stores the turn for them, and returns whether there are any.
    fn pacman_loses(&mut self, turn: u8, turns: &mut [u8]) -> bool {
        let mut grown = Vec::new();
        for pair in std::mem::take(&mut self.grown) {
            self.is_grown[pair] = false;
            let mut lost = self.lost_before_ghosts[pair];
            let ghosts = [(pair / self.floor) as Spot, (pair % self.floor) as Spot];
            for ghost in ghosts {
                insert(&mut lost, ghost);
            }
            let mut saved = Spots::default();
            each(&minus(&self.all, &lost), |refuge| {
                unite(&mut saved, &self.pacman_from[usize::from(refuge)]);
            });
            for ghost in ghosts {
                remove(&mut saved, ghost);
            }
            let new = minus(&minus(&self.all, &saved), &self.lost_before_pacman[pair]);
            if new != Spots::default() {
                each(&new, |pacman| turns[pair * self.floor + usize::from(pacman)] = turn);
                unite(&mut self.lost_before_pacman[pair], &new);
                grown.push(pair);
            }
        }
        self.grown = grown;
        !self.grown.is_empty()
    }

    /// Finds positions in which the ghosts are to move and win: a step of the first and then of the second leads to a
    /// position in which Pacman is lost. A ghost never enters the cell of the other.
    fn ghosts_win(&mut self) {
        for after in std::mem::take(&mut self.grown) {
            let lost = self.lost_before_pacman[after];
            let (first_to, second_to) = (after / self.floor, after % self.floor);
            for &first in &self.ghost_from[first_to] {
                for &second in &self.ghost_from[second_to] {
                    let before = usize::from(first) * self.floor + usize::from(second);
                    if first == second || usize::from(second) == first_to {
                        continue;
                    }
                    let known = &mut self.lost_before_ghosts[before];
                    if minus(&lost, known) != Spots::default() {
                        unite(known, &lost);
                        if !std::mem::replace(&mut self.is_grown[before], true) {
                            self.grown.push(before);
                        }
                    }
                }
            }
        }
    }
}

fn pacman_from(maze: &Maze, spot: Spot) -> Spots {
    let mut from = Spots::default();
    maze.neighbours(spot).for_each(|(_, next)| insert(&mut from, next));
    if maze.neighbours(spot).count() < 4 {
        insert(&mut from, spot);
    }
    from
}

fn insert(set: &mut Spots, spot: Spot) {
    set[usize::from(spot / 64)] |= 1 << (spot % 64);
}

fn remove(set: &mut Spots, spot: Spot) {
    set[usize::from(spot / 64)] &= !(1 << (spot % 64));
}

fn unite(set: &mut Spots, other: &Spots) {
    set.iter_mut().zip(other).for_each(|(word, other)| *word |= other);
}

fn minus(set: &Spots, other: &Spots) -> Spots {
    std::array::from_fn(|word| set[word] & !other[word])
}

fn each(set: &Spots, mut visit: impl FnMut(Spot)) {
    for (index, &word) in set.iter().enumerate() {
        let mut word = word;
        while word != 0 {
            visit((index * 64) as Spot + word.trailing_zeros() as Spot);
            word &= word - 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::level::Level;

    /// On the maze of the course two ghosts catch Pacman from everywhere, within 46 turns.
    #[test]
    fn two_ghosts_catch_pacman_on_the_maze_of_the_course() {
        let maze = Maze::new(Level::parse(crate::ORIGINAL_MAZE).unwrap());
        let pursuit = Pursuit::of(&maze).unwrap();
        let spots = || 0..maze.floor() as Spot;
        let pairs = spots().flat_map(|first| spots().map(move |second| (first, second)));
        let worst = pairs
            .filter(|(first, second)| first != second)
            .flat_map(|(first, second)| spots().map(move |pacman| (pacman, first, second)))
            .map(|(pacman, first, second)| pursuit.caught_in(pacman, first, second))
            .max_by_key(|turns| turns.unwrap_or(NEVER));
        assert_eq!(worst, Some(Some(46)));
    }

    /// Two ghosts at the ends of a corridor: he is caught when they meet him. In a ring one of them would not be enough.
    #[test]
    fn a_corridor_is_a_trap() {
        let maze = Maze::new(Level::parse("#######\n#1.P.2#\n#######\n").unwrap());
        let pursuit = Pursuit::of(&maze).unwrap();
        assert_eq!(pursuit.caught_in(2, 1, 3), Some(2));
        assert_eq!(pursuit.caught_in(2, 0, 4), Some(3));
        assert_eq!(pursuit.caught_in(0, 1, 2), Some(2));
    }
}
