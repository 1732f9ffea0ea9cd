//! The distances between all floor cells in steps, also across the edges of the board.

use crate::maze::{Maze, Spot};

/// The distance to a spot that cannot be reached.
pub const UNREACHABLE: u16 = u16::MAX;

/// Distances in steps between all spots.
#[derive(Clone, Debug)]
pub struct Distances {
    floor: usize,
    steps: Box<[u16]>,
}

impl Distances {
    /// Computes all distances of a maze.
    pub fn of(maze: &Maze) -> Self {
        let floor = maze.floor();
        let mut steps = vec![UNREACHABLE; floor * floor].into_boxed_slice();
        let mut queue: Vec<Spot> = Vec::with_capacity(floor);
        for (from, row) in steps.chunks_exact_mut(floor).enumerate() {
            row[from] = 0;
            queue.clear();
            queue.push(from as Spot);
            let mut head = 0;
            while head < queue.len() {
                let spot = queue[head];
                head += 1;
                for (_, next) in maze.neighbours(spot) {
                    if row[usize::from(next)] == UNREACHABLE {
                        row[usize::from(next)] = row[usize::from(spot)] + 1;
                        queue.push(next);
                    }
                }
            }
        }
        Self { floor, steps }
    }

    /// Steps from one spot to another, or [`UNREACHABLE`].
    #[inline]
    pub fn between(&self, from: Spot, to: Spot) -> u16 {
        self.steps[usize::from(from) * self.floor + usize::from(to)]
    }
}
