//! A lower bound on the turns of a win: the length of the shortest walk over all pellets, ignoring the ghosts.
//!
//! Pacman needs at least as many turns as the shortest walk from his position that visits every pellet. A win under the rule
//! set `course` may leave a pellet under every ghost, so there the walk may skip as many cells as there are ghosts.
//!
//! The length is exact for every maze whose graph of crossroads has a narrow frontier (see [`frontier`]): the original
//! maze and most mazes up to about 30 columns. For others [`lower_bound`] falls back to a weaker bound.

pub mod corridors;
pub mod covers;
pub mod frontier;

use damier_search::bfs::Bfs;

use crate::maze::{Maze, Spot};
use corridors::Corridors;
use frontier::{CorridorOrder, Errand};

/// A lower bound on the turns of a win.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bound {
    /// No win takes fewer turns.
    pub turns: u32,
    /// Whether there is a walk of this length, ignoring the ghosts.
    pub exact: bool,
}

/// The exact bound is given up if a layer of the frontier has more nodes than this.
pub const MAX_NODES: usize = 60_000;

/// A lower bound on the turns that Pacman needs from `from` for an errand: to eat every wanted pellet but those spared.
pub fn lower_bound(maze: &Maze, from: Spot, errand: Errand<'_>) -> Bound {
    let graph = Corridors::around(maze, from);
    let plan = CorridorOrder::new(&graph, errand.give_up);
    match plan.and_then(|plan| plan.layers(errand, None, MAX_NODES)) {
        Some(layers) => Bound { turns: layers.shortest(), exact: true },
        None => Bound { turns: weak_bound(maze, from, errand), exact: false },
    }
}

/// A weak bound: the steps to the nearest pellet, and one turn for each further one.
fn weak_bound(maze: &Maze, from: Spot, errand: Errand<'_>) -> u32 {
    let mut bfs = Bfs::new();
    bfs.search(maze.floor(), [from.into()], |spot, out| {
        out.extend(maze.neighbours(spot as Spot).map(|(_, next)| usize::from(next)));
    });
    let pellets: Vec<usize> =
        bfs.reached().iter().copied().filter(|&spot| (errand.wanted)(spot as Spot)).collect();
    let needed = pellets.len().saturating_sub(errand.spare.into());
    match pellets.first() {
        Some(&nearest) if needed > 0 => bfs.distances()[nearest].saturating_sub(1) + needed as u32,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::level::Level;
    use proptest::prelude::{any, prop_assert, prop_assert_eq, proptest};

    const ORIGINAL: &str = include_str!("../levels/original.txt");

    fn maze(text: &str) -> Maze {
        Maze::new(Level::parse(text).unwrap())
    }

    fn bound(maze: &Maze, spare: u8) -> Bound {
        lower_bound(maze, maze.pacman(), Errand { wanted: &has_pellet(maze), spare, give_up: &|| false })
    }

    fn has_pellet(maze: &Maze) -> impl Fn(Spot) -> bool {
        |spot| maze.pellets()[usize::from(spot) / 64] >> (spot % 64) & 1 == 1
    }

    #[test]
    fn the_original_maze_needs_212_turns_and_204_with_four_pellets_spared() {
        let maze = maze(ORIGINAL);
        assert_eq!(bound(&maze, 0), Bound { turns: 212, exact: true });
        assert_eq!(bound(&maze, 4), Bound { turns: 204, exact: true });
    }

    #[test]
    fn small_walks_are_known() {
        let length = |text: &str, spare| bound(&maze(text), spare).turns;
        assert_eq!(length("#####\n#P..#\n#####\n", 0), 2);
        assert_eq!(length("#####\n#P..#\n#####\n", 1), 1);
        assert_eq!(length("#####\n#P..#\n#####\n", 2), 0);
        assert_eq!(length("#####\n#.P.#\n#####\n", 0), 3);
        assert_eq!(length("#####\n#P..#\n#.#.#\n#...#\n#####\n", 0), 7);
    }

    /// A shortest walk, by breadth-first search over (place, cells visited): its spots.
    fn shortest_walk(maze: &Maze, spare: u8) -> Vec<Spot> {
        let (floor, wanted) = (maze.floor(), maze.pellets()[0] as usize);
        let mut bfs = Bfs::new();
        let start = usize::from(maze.pacman());
        bfs.search(floor << floor, [start << floor | 1 << start], |state, out| {
            let (at, visited) = (state >> floor, state & ((1 << floor) - 1));
            for (_, next) in maze.neighbours(at as Spot) {
                out.push(usize::from(next) << floor | visited | 1 << next);
            }
        });
        let is_enough = |state: usize| (wanted & !state).count_ones() <= spare.into();
        let done =
            bfs.reached().iter().find(|&&state| is_enough(state)).expect("every pellet can be reached");
        bfs.path_to(*done).into_iter().map(|state| (state >> floor) as Spot).collect()
    }

    /// A maze of five columns and four rows whose edges wrap, if these walls and gaps make a level of at most 13 cells.
    fn small_maze(walls: &[bool], gaps: &[u8]) -> Option<Maze> {
        let sign = |index: usize| match index {
            7 => 'P',
            _ if walls[index] => '#',
            _ if gaps[index] == 0 => ' ',
            _ => '.',
        };
        let rows: Vec<String> =
            (0..4).map(|row| (0..5).map(|column| sign(5 * row + column)).collect()).collect();
        Level::parse(&rows.join("\n")).ok().map(Maze::new).filter(|maze| maze.floor() <= 13)
    }

    proptest! {
        #[test]
        fn the_bound_is_the_shortest_walk(
            walls in proptest::collection::vec(any::<bool>(), 20),
            gaps in proptest::collection::vec(0u8..8, 20),
            spare in 0u8..4,
        ) {
            let Some(maze) = small_maze(&walls, &gaps) else { return Ok(()) };
            let turns = shortest_walk(&maze, spare).len() as u32 - 1;
            prop_assert_eq!(bound(&maze, spare), Bound { turns, exact: true });
            let errand = Errand { wanted: &has_pellet(&maze), spare, give_up: &|| false };
            prop_assert!(weak_bound(&maze, maze.pacman(), errand) <= turns);
        }

        /// Whatever part of a shortest walk has been taken, it can still become a shortest walk.
        #[test]
        fn shortest_walks_stay_open_to_their_end(
            walls in proptest::collection::vec(any::<bool>(), 20),
            gaps in proptest::collection::vec(0u8..8, 20),
            slack in 0u8..3,
        ) {
            let Some(maze) = small_maze(&walls, &gaps) else { return Ok(()) };
            let graph = Corridors::around(&maze, maze.pacman());
            let errand = Errand { wanted: &has_pellet(&maze), spare: 0, give_up: &|| false };
            let covers = covers::Covers::new(&graph, errand, slack, MAX_NODES).unwrap();
            let walk = shortest_walk(&maze, 0);
            prop_assert_eq!(covers.shortest as usize, walk.len() - 1);
            let mut taken = vec![[0u64; 2]; graph.corridors.len()];
            for step in walk.windows(2) {
                take_step(&maze, &graph, &mut taken, step[0], step[1]);
                let excess = covers.least_excess(|corridor| taken[corridor], &mut covers::Scratch::default());
                prop_assert_eq!(excess, Some(0));
            }
        }
    }

    /// Marks the step between two neighbours, in any corridor that has it and not yet twice.
    fn take_step(maze: &Maze, graph: &Corridors, taken: &mut [[u64; 2]], from: Spot, to: Spot) {
        for (corridor, sets) in graph.corridors.iter().zip(taken) {
            for (number, &(spot, dir)) in corridor.steps.iter().enumerate() {
                let ends = (spot, maze.next(spot, dir));
                let bit = 1 << number;
                if (ends == (from, to) || ends == (to, from)) && sets[1] & bit == 0 {
                    sets[usize::from(sets[0] & bit != 0)] |= bit;
                    return;
                }
            }
        }
        panic!("the graph has every step");
    }
}
