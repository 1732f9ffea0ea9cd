//! The maze as a graph of crossroads joined by corridors.

use damier_core::grid::Dir;

use crate::maze::{Maze, Spot};

/// A corridor between two crossroads, or from one to itself, without a crossroad inside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Corridor {
    /// The crossroads at its ends, as numbers in [`Corridors::crossroads`].
    pub ends: [usize; 2],
    /// The steps from the first end to the second one, each as its start and direction.
    pub steps: Vec<(Spot, Dir)>,
}

impl Corridor {
    /// The cells between its ends, from the first end to the second one.
    pub fn inside(&self) -> impl Iterator<Item = Spot> {
        self.steps[1..].iter().map(|step| step.0)
    }
}

/// The part of the maze reachable from a spot, as crossroads and corridors.
#[derive(Clone, Debug)]
pub struct Corridors {
    /// The start, and all spots where a walk has a choice or must turn around.
    pub crossroads: Vec<Spot>,
    /// The corridors between them, each once.
    pub corridors: Vec<Corridor>,
}

impl Corridors {
    /// The graph around `from`, which is always the first crossroad.
    pub fn around(maze: &Maze, from: Spot) -> Self {
        let mut numbers = vec![usize::MAX; maze.floor()];
        numbers[usize::from(from)] = 0;
        let mut graph = Self { crossroads: vec![from], corridors: Vec::new() };
        let mut explored = 0;
        while let Some(&crossroad) = graph.crossroads.get(explored) {
            for (dir, _) in maze.neighbours(crossroad) {
                let steps = walk_corridor(maze, crossroad, dir, from);
                let (last, last_dir) = steps[steps.len() - 1];
                let far = maze.next(last, last_dir);
                if numbers[usize::from(far)] == usize::MAX {
                    numbers[usize::from(far)] = graph.crossroads.len();
                    graph.crossroads.push(far);
                }
                // Every corridor is found from both sides, but added only from the one with the smaller first step.
                let name = |spot: Spot, dir: Dir| (numbers[usize::from(spot)], dir);
                if name(crossroad, dir) < name(far, last_dir.opposite()) {
                    let ends = [explored, numbers[usize::from(far)]];
                    graph.corridors.push(Corridor { ends, steps });
                }
            }
            explored += 1;
        }
        graph
    }
}

/// The steps from a crossroad to the next one.
fn walk_corridor(maze: &Maze, crossroad: Spot, dir: Dir, from: Spot) -> Vec<(Spot, Dir)> {
    let mut steps = vec![(crossroad, dir)];
    loop {
        let (spot, dir) = steps[steps.len() - 1];
        let here = maze.next(spot, dir);
        if here == from || maze.neighbours(here).count() != 2 {
            return steps;
        }
        let (onward, _) = maze
            .neighbours(here)
            .find(|&(next, _)| next != dir.opposite())
            .expect("a corridor cell has a second neighbour");
        steps.push((here, onward));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::level::Level;

    fn corridors(text: &str) -> Corridors {
        let maze = Maze::new(Level::parse(text).unwrap());
        Corridors::around(&maze, maze.pacman())
    }

    #[test]
    fn a_ring_is_one_corridor_from_its_start_to_itself() {
        let graph = corridors("#####\n#P..#\n#.#.#\n#...#\n#####\n");
        assert_eq!(graph.crossroads.len(), 1);
        assert_eq!(graph.corridors.len(), 1);
        assert_eq!(graph.corridors[0].ends, [0, 0]);
        assert_eq!(graph.corridors[0].inside().count(), 7);
    }

    #[test]
    fn dead_ends_and_neighbouring_crossroads_are_found() {
        // P, the crossing, and the ends of its three other arms.
        let graph = corridors("#####\n##.##\n#P..#\n##.##\n#####\n");
        assert_eq!(graph.crossroads.len(), 5);
        assert_eq!(graph.corridors.len(), 4);
        assert!(graph.corridors.iter().all(|corridor| corridor.inside().count() == 0));
    }

    #[test]
    fn a_tunnel_joins_both_sides() {
        let graph = corridors("#####\n#...#\n.P#..\n#...#\n#####\n");
        let cells: usize = graph.corridors.iter().map(|corridor| corridor.inside().count()).sum();
        assert_eq!(graph.crossroads.len() + cells, 10);
    }
}
