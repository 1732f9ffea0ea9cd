//! A*: a cheapest path, guided by an admissible estimate.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::hash::Hash;

use rustc_hash::FxHashMap;

/// A path from a start to a goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path<N> {
    /// The sum of its steps' costs.
    pub cost: u32,
    /// Its nodes, start and goal included.
    pub nodes: Vec<N>,
}

#[derive(Clone, Copy, Debug)]
struct Entry<N> {
    node: N,
    cost: u32,
    parent: u32,
}

/// A* with its buffers.
///
/// The path is a cheapest one if `estimate` is admissible (never exceeds the remaining cost); it need not be consistent. An
/// estimate of 0 everywhere gives Dijkstra's algorithm. Ties are broken in a fixed order: deepest first, then latest first.
///
/// ```
/// use damier_search::astar::AStar;
///
/// // A knight goes from one corner of the chess board to the opposite one.
/// let jumps = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
/// let path = AStar::new()
///     .search(
///         (0i8, 0i8),
///         |square| square == (7, 7),
///         |(x, y)| (7 - x).abs().max((7 - y).abs()).unsigned_abs().div_ceil(2).into(),
///         |(x, y), out| {
///             let squares = jumps.map(|(dx, dy)| (x + dx, y + dy)).into_iter();
///             out.extend(squares.filter(|&(x, y)| (0..8).contains(&x) && (0..8).contains(&y)).map(|to| (to, 1)));
///         },
///     )
///     .unwrap();
/// assert_eq!(path.cost, 6);
/// assert_eq!(path.nodes.len(), 7);
/// ```
#[derive(Clone, Debug)]
pub struct AStar<N> {
    /// Every path to a node that was the cheapest known when it was found.
    entries: Vec<Entry<N>>,
    /// Cheapest known cost of each node.
    costs: FxHashMap<N, u32>,
    /// Estimated total, then deepest, then latest entry first.
    open: BinaryHeap<(Reverse<u32>, u32, u32)>,
    successors: Vec<(N, u32)>,
    expanded: u64,
}

impl<N> Default for AStar<N> {
    fn default() -> Self {
        Self {
            entries: Vec::new(),
            costs: FxHashMap::default(),
            open: BinaryHeap::new(),
            successors: Vec::new(),
            expanded: 0,
        }
    }
}

impl<N: Copy + Eq + Hash> AStar<N> {
    /// Empty buffers.
    pub fn new() -> Self {
        Self::default()
    }

    /// A cheapest path from `start` to a goal, or `None` if no goal is reachable. `successors` pushes the nodes one step
    /// away with the cost of that step.
    pub fn search(
        &mut self,
        start: N,
        mut is_goal: impl FnMut(N) -> bool,
        mut estimate: impl FnMut(N) -> u32,
        mut successors: impl FnMut(N, &mut Vec<(N, u32)>),
    ) -> Option<Path<N>> {
        self.entries.clear();
        self.costs.clear();
        self.open.clear();
        self.expanded = 0;
        self.reach(Entry { node: start, cost: 0, parent: u32::MAX }, &mut estimate);
        while let Some((_, _, index)) = self.open.pop() {
            let Entry { node, cost, .. } = self.entries[index as usize];
            if is_goal(node) {
                return Some(Path { cost, nodes: self.trail(index) });
            }
            if self.costs[&node] < cost {
                continue;
            }
            self.expanded += 1;
            let mut next = std::mem::take(&mut self.successors);
            next.clear();
            successors(node, &mut next);
            for &(node, step) in &next {
                self.reach(Entry { node, cost: cost.saturating_add(step), parent: index }, &mut estimate);
            }
            self.successors = next;
        }
        None
    }

    /// Number of nodes expanded by the last search.
    pub fn expanded(&self) -> u64 {
        self.expanded
    }

    fn reach(&mut self, entry: Entry<N>, estimate: &mut impl FnMut(N) -> u32) {
        let known = self.costs.entry(entry.node).or_insert(u32::MAX);
        if entry.cost < *known {
            *known = entry.cost;
            let total = entry.cost.saturating_add(estimate(entry.node));
            self.open.push((Reverse(total), entry.cost, self.entries.len() as u32));
            self.entries.push(entry);
        }
    }

    fn trail(&self, mut index: u32) -> Vec<N> {
        let mut nodes = Vec::new();
        while let Some(entry) = self.entries.get(index as usize) {
            nodes.push(entry.node);
            index = entry.parent;
        }
        nodes.reverse();
        nodes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::{any, prop_assert, prop_assert_eq, proptest};

    /// The cost from every node to `goal`, by relaxing every edge until nothing changes.
    fn rests(nodes: usize, goal: usize, edges: &[(usize, usize, u32)]) -> Vec<u32> {
        let mut rests = vec![u32::MAX; nodes];
        rests[goal] = 0;
        for _ in 0..nodes {
            for &(from, to, cost) in edges {
                rests[from] = rests[from].min(rests[to].saturating_add(cost));
            }
        }
        rests
    }

    proptest! {
        /// With any admissible estimate, consistent or not, the path exists and has the relaxed cost.
        #[test]
        fn paths_are_cheapest(
            nodes in 1usize..15,
            raw in proptest::collection::vec((any::<usize>(), any::<usize>(), 0u32..9), 0..50),
            ends in any::<(usize, usize)>(),
            parts in proptest::collection::vec(0u32..=4, 15),
        ) {
            let edges: Vec<_> = raw.into_iter().map(|(a, b, cost)| (a % nodes, b % nodes, cost)).collect();
            let (start, goal) = (ends.0 % nodes, ends.1 % nodes);
            let rests = rests(nodes, goal, &edges);
            let mut astar = AStar::new();
            let path = astar.search(
                start,
                |node| node == goal,
                |node| if rests[node] == u32::MAX { 7 } else { rests[node] * parts[node] / 4 },
                |node, out| out.extend(edges.iter().filter(|edge| edge.0 == node).map(|edge| (edge.1, edge.2))),
            );
            prop_assert_eq!(path.as_ref().map_or(u32::MAX, |path| path.cost), rests[start]);
            if let Some(path) = path {
                prop_assert_eq!((path.nodes[0], path.nodes[path.nodes.len() - 1]), (start, goal));
                let cheapest = |from, to| {
                    edges.iter().filter(|edge| (edge.0, edge.1) == (from, to)).map(|edge| edge.2).min()
                };
                let steps: Option<u32> = path.nodes.windows(2).map(|step| cheapest(step[0], step[1])).sum();
                prop_assert_eq!(steps, Some(path.cost));
            }
            prop_assert!(astar.expanded() <= 50 * nodes as u64 + 1);
        }
    }
}
