//! Beam search: expands all states of one depth together and keeps the most promising ones.

/// A space of states for [`Beam`].
pub trait Space {
    /// A state. Its `clone_from` should allocate nothing.
    type State: Clone;
    /// What leads from one state to the next.
    type Action: Copy;

    /// Pushes the actions worth trying in `state` onto `actions`, which is empty.
    fn actions(&self, state: &Self::State, actions: &mut Vec<Self::Action>);

    /// Applies an action and judges the state it leads to. It must be deterministic.
    fn step(&self, state: &mut Self::State, action: Self::Action) -> Judgement;
}

/// What a step leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// The end of a plan.
    Goal,
    /// A dead end, not expanded.
    Dead,
    /// A state to expand.
    Open {
        /// 64-bit hash: states with equal keys are taken for the same state.
        key: u64,
        /// Estimated distance from a goal, to compare with states of the same depth.
        cost: u32,
    },
}

/// Limits of a beam search.
#[derive(Clone, Copy, Debug)]
pub struct BeamLimits {
    /// States kept at every depth.
    pub width: usize,
    /// Maximum length of a plan.
    pub depth: usize,
    /// Maximum number of steps.
    pub nodes: u64,
}

/// Why a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The plan reaches a goal. No kept line reaches one with fewer actions.
    Goal,
    /// Every line ended without a goal and no state was pruned: there is no goal.
    Exhausted,
    /// Every kept line ended without a goal; a pruned one may reach it.
    Lost,
    /// A limit was reached, or the caller stopped it.
    Stopped,
}

/// What a search found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found<A> {
    /// Why it ended.
    pub end: End,
    /// The actions to the goal, or to the best state of the last depth that had any.
    pub plan: Vec<A>,
    /// Steps taken.
    pub nodes: u64,
}

struct Candidate<A> {
    cost: u32,
    key: u64,
    parent: u32,
    action: A,
}

/// Beam search with its buffers.
///
/// A state seen before, at the same or a smaller depth, is not expanded again. Ties in cost are broken by the smaller key,
/// so the same search always gives the same plan.
///
/// ```
/// use damier_search::beam::{Beam, End, Judgement, BeamLimits, Space};
///
/// /// From 1 to a number by doubling and adding three.
/// struct Sums(u64);
///
/// impl Space for Sums {
///     type State = u64;
///     type Action = char;
///     fn actions(&self, _: &u64, actions: &mut Vec<char>) {
///         actions.extend(['d', '3']);
///     }
///     fn step(&self, state: &mut u64, action: char) -> Judgement {
///         *state = if action == 'd' { *state * 2 } else { *state + 3 };
///         match state.cmp(&&mut { self.0 }) {
///             std::cmp::Ordering::Less => Judgement::Open { key: *state, cost: (self.0 - *state) as u32 },
///             std::cmp::Ordering::Equal => Judgement::Goal,
///             std::cmp::Ordering::Greater => Judgement::Dead,
///         }
///     }
/// }
///
/// let limits = BeamLimits { width: 10, depth: 20, nodes: 1000 };
/// let found = Beam::new().search(&Sums(22), &1, &limits, || false);
/// assert_eq!((found.end, found.plan), (End::Goal, vec!['3', 'd', '3', 'd'])); // 4, 8, 11, 22
/// assert_eq!(Beam::new().search(&Sums(6), &1, &limits, || false).end, End::Exhausted);
/// ```
pub struct Beam<S: Space> {
    current: Vec<S::State>,
    next: Vec<S::State>,
    candidates: Vec<Candidate<S::Action>>,
    actions: Vec<S::Action>,
    /// How each kept state of every depth was reached: the index of its parent entry, and the action.
    trail: Vec<(u32, Option<S::Action>)>,
    seen: Seen,
}

/// Steps between two calls of `stop`.
const STEPS_PER_POLL: u64 = 1024;

impl<S: Space> Default for Beam<S> {
    fn default() -> Self {
        Self {
            current: Vec::new(),
            next: Vec::new(),
            candidates: Vec::new(),
            actions: Vec::new(),
            trail: Vec::new(),
            seen: Seen::default(),
        }
    }
}

impl<S: Space> Beam<S> {
    /// Empty buffers.
    pub fn new() -> Self {
        Self::default()
    }

    /// Searches from `start`, which is not a goal itself. `stop` is polled regularly.
    pub fn search(
        &mut self,
        space: &S,
        start: &S::State,
        limits: &BeamLimits,
        mut stop: impl FnMut() -> bool,
    ) -> Found<S::Action> {
        self.begin(start, limits.width);
        let mut nodes = 0;
        let mut complete = true;
        // The first trail entry of the current depth; the states of a depth and their entries are in the same order.
        let mut base = 0;
        for _ in 0..limits.depth {
            match self.expand(space, base, &mut nodes, limits.nodes, &mut stop) {
                Expansion::Goal(parent, action) => {
                    let mut plan = self.plan_to(parent);
                    plan.push(action);
                    return Found { end: End::Goal, plan, nodes };
                }
                Expansion::Stopped => return self.finish(End::Stopped, base, nodes),
                Expansion::Whole if self.candidates.is_empty() => {
                    let end = if complete { End::Exhausted } else { End::Lost };
                    return self.finish(end, base, nodes);
                }
                Expansion::Whole => {}
            }
            complete &= self.candidates.len() <= limits.width;
            match self.advance(space, base, limits.width, &mut stop) {
                Some(next) => base = next,
                None => return self.finish(End::Stopped, base, nodes),
            }
        }
        self.finish(End::Stopped, base, nodes)
    }

    fn begin(&mut self, start: &S::State, width: usize) {
        self.seen.clear(width);
        self.current.clear();
        self.current.push(start.clone());
        self.trail.clear();
        self.trail.push((u32::MAX, None));
    }

    /// Takes every action in every current state.
    fn expand(
        &mut self,
        space: &S,
        base: usize,
        nodes: &mut u64,
        max_nodes: u64,
        stop: &mut impl FnMut() -> bool,
    ) -> Expansion<S::Action> {
        self.candidates.clear();
        let Some(mut state) = self.current.first().cloned() else { return Expansion::Whole };
        for (index, parent) in self.current.iter().enumerate() {
            self.actions.clear();
            space.actions(parent, &mut self.actions);
            let parent_entry = (base + index) as u32;
            for &action in &self.actions {
                if *nodes >= max_nodes || (nodes.is_multiple_of(STEPS_PER_POLL) && stop()) {
                    return Expansion::Stopped;
                }
                *nodes += 1;
                state.clone_from(parent);
                match space.step(&mut state, action) {
                    Judgement::Goal => return Expansion::Goal(parent_entry, action),
                    Judgement::Dead => {}
                    Judgement::Open { key, cost } => {
                        if self.seen.insert(key) {
                            self.candidates.push(Candidate { cost, key, parent: parent_entry, action });
                        }
                    }
                }
            }
        }
        Expansion::Whole
    }

    /// Keeps the best candidates as the states of the next depth, best first in the trail, whose first entry it returns;
    /// `None` if the caller stops it.
    fn advance(
        &mut self,
        space: &S,
        base: usize,
        width: usize,
        stop: &mut impl FnMut() -> bool,
    ) -> Option<usize> {
        let order = |candidate: &Candidate<S::Action>| (candidate.cost, candidate.key);
        if self.candidates.len() > width {
            self.candidates.select_nth_unstable_by_key(width, order);
            self.candidates.truncate(width);
        }
        if let Some(best) = (0..self.candidates.len()).min_by_key(|&index| order(&self.candidates[index])) {
            self.candidates.swap(0, best);
        }
        let next_base = self.trail.len();
        self.next.truncate(self.candidates.len());
        for (index, candidate) in self.candidates.iter().enumerate() {
            if index % STEPS_PER_POLL as usize == STEPS_PER_POLL as usize - 1 && stop() {
                return None;
            }
            let parent = &self.current[candidate.parent as usize - base];
            match self.next.get_mut(index) {
                Some(state) => state.clone_from(parent),
                None => self.next.push(parent.clone()),
            }
            space.step(&mut self.next[index], candidate.action);
            self.trail.push((candidate.parent, Some(candidate.action)));
        }
        std::mem::swap(&mut self.current, &mut self.next);
        Some(next_base)
    }

    fn finish(&self, end: End, base: usize, nodes: u64) -> Found<S::Action> {
        Found { end, plan: self.plan_to(base as u32), nodes }
    }

    fn plan_to(&self, mut entry: u32) -> Vec<S::Action> {
        let mut plan = Vec::new();
        while let Some(&(parent, Some(action))) = self.trail.get(entry as usize) {
            plan.push(action);
            entry = parent;
        }
        plan.reverse();
        plan
    }
}

enum Expansion<A> {
    Whole,
    Stopped,
    /// The parent's trail entry and the action that reaches the goal.
    Goal(u32, A),
}

/// Keys seen so far, in a table of fixed size where a new key replaces an old one. A key may be forgotten, which only
/// costs time, but an unseen key is never taken for a seen one (except 0).
#[derive(Default)]
struct Seen {
    keys: Vec<u64>,
}

impl Seen {
    /// Empties the table and gives it room for several depths of a beam.
    fn clear(&mut self, width: usize) {
        let slots = width.saturating_mul(32).clamp(1 << 12, 1 << 22).next_power_of_two();
        self.keys.clear();
        self.keys.resize(slots, 0);
    }

    /// Was the key new?
    #[inline]
    fn insert(&mut self, key: u64) -> bool {
        let slot = key as usize & (self.keys.len() - 1);
        std::mem::replace(&mut self.keys[slot], key) != key
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::{any, prop_assert, prop_assert_eq, proptest};

    /// A random directed graph; the state is the node.
    struct Graph {
        edges: Vec<(usize, usize)>,
        goal: usize,
        dead: usize,
        costs: Vec<u32>,
    }

    impl Space for Graph {
        type State = usize;
        type Action = usize;

        fn actions(&self, state: &usize, actions: &mut Vec<usize>) {
            actions.extend(self.edges.iter().filter(|edge| edge.0 == *state).map(|edge| edge.1));
        }

        fn step(&self, state: &mut usize, action: usize) -> Judgement {
            *state = action;
            match action {
                _ if action == self.goal => Judgement::Goal,
                _ if action == self.dead => Judgement::Dead,
                _ => Judgement::Open { key: 1 + action as u64, cost: self.costs[action] },
            }
        }
    }

    fn shortest(graph: &Graph, nodes: usize, start: usize) -> Option<u32> {
        let mut bfs = crate::bfs::Bfs::new();
        bfs.search(nodes, [start], |node, out| {
            if node != graph.dead && (node != graph.goal || node == start) {
                graph.actions(&node, out);
            }
        });
        // The start itself is never a goal: what counts is coming back to it.
        if start == graph.goal { None } else { bfs.distance(graph.goal) }
    }

    proptest! {
        /// A beam wide enough to keep everything is a breadth-first search: it finds a shortest plan or proves that there
        /// is none. A narrow one finds only real plans.
        #[test]
        fn a_wide_beam_is_exact_and_a_narrow_one_honest(
            nodes in 3usize..20,
            raw in proptest::collection::vec((any::<usize>(), any::<usize>()), 0..60),
            costs in proptest::collection::vec(any::<u32>(), 20),
            width in 1usize..4,
        ) {
            let edges: Vec<_> = raw.into_iter().map(|(a, b)| (a % nodes, b % nodes)).collect();
            let graph = Graph { edges, goal: 1, dead: 2, costs };
            let shortest = shortest(&graph, nodes, 0);
            let mut beam = Beam::new();
            let wide = beam.search(&graph, &0, &BeamLimits { width: 100, depth: 100, nodes: 100_000 }, || false);
            prop_assert_eq!(wide.end, if shortest.is_some() { End::Goal } else { End::Exhausted });
            prop_assert!(shortest.is_none_or(|length| wide.plan.len() as u32 == length));
            let limits = BeamLimits { width, depth: 100, nodes: 100_000 };
            let narrow = beam.search(&graph, &0, &limits, || false);
            prop_assert!(narrow.end != End::Exhausted || shortest.is_none());
            let mut at = 0;
            for &to in &narrow.plan {
                prop_assert!(graph.edges.contains(&(at, to)));
                at = to;
            }
            prop_assert_eq!(narrow.end == End::Goal, at == graph.goal);
            prop_assert_eq!(beam.search(&graph, &0, &limits, || false), narrow);
        }
    }

    #[test]
    fn limits_and_the_caller_stop_it() {
        let chain = Graph {
            edges: (3..1003).map(|node| (node, node + 1)).collect(),
            goal: 1,
            dead: 2,
            costs: vec![0; 2000],
        };
        let mut beam = Beam::new();
        let deep = BeamLimits { width: 5, depth: 100, nodes: u64::MAX };
        let found = beam.search(&chain, &3, &deep, || false);
        assert_eq!((found.end, found.plan.len(), found.nodes), (End::Stopped, 100, 100));
        let few = BeamLimits { width: 5, depth: 1000, nodes: 7 };
        assert_eq!(beam.search(&chain, &3, &few, || false).nodes, 7);
        let stopped = beam.search(&chain, &3, &deep, || true);
        assert_eq!((stopped.end, stopped.plan.len()), (End::Stopped, 0));
    }
}
