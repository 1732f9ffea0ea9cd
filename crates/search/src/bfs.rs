//! Breadth-first search over nodes numbered from 0.

/// Distance of a node that no start reaches.
pub const UNREACHED: u32 = u32::MAX;

/// Distances from the nearest start, with the buffers that compute them.
///
/// ```
/// use damier_search::bfs::Bfs;
///
/// // A row of five rooms with a door missing between rooms 3 and 4.
/// let mut bfs = Bfs::new();
/// bfs.search(5, [1], |room, rooms| match room {
///     0 => rooms.push(1),
///     1 | 2 => rooms.extend([room - 1, room + 1]),
///     3 => rooms.push(2),
///     _ => {}
/// });
/// assert_eq!(bfs.distance(3), Some(2));
/// assert_eq!(bfs.distance(4), None);
/// assert_eq!(bfs.path_to(3), [1, 2, 3]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Bfs {
    distances: Vec<u32>,
    parents: Vec<u32>,
    queue: Vec<usize>,
    successors: Vec<usize>,
}

impl Bfs {
    /// Empty buffers.
    pub fn new() -> Self {
        Self::default()
    }

    /// Computes the distance of each of `nodes` nodes from the nearest of `starts`. `successors` pushes the nodes one
    /// step away.
    pub fn search(
        &mut self,
        nodes: usize,
        starts: impl IntoIterator<Item = usize>,
        mut successors: impl FnMut(usize, &mut Vec<usize>),
    ) {
        self.distances.clear();
        self.distances.resize(nodes, UNREACHED);
        self.parents.clear();
        self.parents.resize(nodes, UNREACHED);
        self.queue.clear();
        for start in starts {
            if self.distances[start] == UNREACHED {
                self.distances[start] = 0;
                self.queue.push(start);
            }
        }
        let mut head = 0;
        while let Some(&node) = self.queue.get(head) {
            head += 1;
            self.successors.clear();
            successors(node, &mut self.successors);
            for &next in &self.successors {
                if self.distances[next] == UNREACHED {
                    self.distances[next] = self.distances[node] + 1;
                    self.parents[next] = node as u32;
                    self.queue.push(next);
                }
            }
        }
    }

    /// The distance of a node, if it was reached.
    pub fn distance(&self, node: usize) -> Option<u32> {
        Some(self.distances[node]).filter(|&distance| distance != UNREACHED)
    }

    /// All distances by node, [`UNREACHED`] where there is none.
    pub fn distances(&self) -> &[u32] {
        &self.distances
    }

    /// The reached nodes, nearest first.
    pub fn reached(&self) -> &[usize] {
        &self.queue
    }

    /// A shortest path from a start to `node`, both included; empty if it was not reached.
    pub fn path_to(&self, node: usize) -> Vec<usize> {
        let Some(length) = self.distance(node) else { return Vec::new() };
        let mut path = Vec::with_capacity(length as usize + 1);
        path.push(node);
        while self.parents[path[path.len() - 1]] != UNREACHED {
            path.push(self.parents[path[path.len() - 1]] as usize);
        }
        path.reverse();
        path
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::{any, prop_assert, prop_assert_eq, proptest};

    /// Distances by relaxing every edge until nothing changes.
    fn relaxed(nodes: usize, starts: &[usize], edges: &[(usize, usize)]) -> Vec<u32> {
        let mut distances = vec![UNREACHED; nodes];
        for &start in starts {
            distances[start] = 0;
        }
        for _ in 0..nodes {
            for &(from, to) in edges {
                distances[to] = distances[to].min(distances[from].saturating_add(1));
            }
        }
        distances
    }

    proptest! {
        #[test]
        fn distances_are_those_of_relaxation(
            nodes in 1usize..20,
            raw in proptest::collection::vec((any::<usize>(), any::<usize>()), 0..50),
            first in any::<usize>(),
            second in any::<usize>(),
        ) {
            let edges: Vec<_> = raw.into_iter().map(|(a, b)| (a % nodes, b % nodes)).collect();
            let starts = [first % nodes, second % nodes];
            let mut bfs = Bfs::new();
            bfs.search(nodes, starts, |node, out| {
                out.extend(edges.iter().filter(|edge| edge.0 == node).map(|edge| edge.1));
            });
            prop_assert_eq!(bfs.distances(), relaxed(nodes, &starts, &edges));
            for node in 0..nodes {
                let path = bfs.path_to(node);
                prop_assert_eq!(bfs.distance(node), path.len().checked_sub(1).map(|steps| steps as u32));
                prop_assert!(path.windows(2).all(|step| edges.contains(&(step[0], step[1]))));
                prop_assert!(path.first().is_none_or(|start| starts.contains(start)));
            }
        }
    }
}
