//! All covering walks of nearly the shortest length, and which of them a partial walk can still become.

use super::corridors::Corridors;
use super::frontier::{Arc, CorridorOrder, Errand, Layers, Use};

/// The length of the longest corridor whose steps fit in a word.
const MAX_STEPS: usize = 64;

/// A use of a corridor as sets of its steps, one bit per step from the first end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Steps {
    /// Taken at least once.
    once: u64,
    /// Taken twice.
    twice: u64,
}

impl Steps {
    fn of(used: &Use, length: usize) -> Self {
        let low = |count: u32| if count == 0 { 0 } else { u64::MAX >> (64 - count) };
        let sides = [low(used.inwards[0]), low(used.inwards[1]) << (length as u32 - used.inwards[1]).min(63)];
        let back = |end: usize| if used.back[end] { sides[end] } else { 0 };
        let all = |times: u8| if used.through >= times { low(length as u32) } else { 0 };
        Self { once: sides[0] | sides[1] | all(1), twice: back(0) | back(1) | all(2) }
    }
}

/// An edge between two nodes of adjacent layers.
#[derive(Clone, Copy, Debug)]
struct Link {
    from: u32,
    to: u32,
    used: u8,
    /// The steps by which this choice exceeds the cheapest path to its node.
    excess: u8,
}

/// One corridor with the edges that choose a use of it.
#[derive(Clone, Debug)]
struct Stage {
    corridor: usize,
    uses: Vec<Steps>,
    links: Vec<Link>,
    /// The number of nodes after it.
    nodes: usize,
}

impl Stage {
    /// The set of uses that take at least these steps once, and these twice.
    #[inline]
    fn fitting(&self, [once, twice]: [u64; 2]) -> u64 {
        let fits = |used: &Steps| once & !used.once == 0 && twice & !used.twice == 0;
        self.uses.iter().enumerate().fold(0, |set, (index, used)| set | u64::from(fits(used)) << index)
    }
}

/// The covering walks that exceed the shortest by at most `slack` steps, as a diagram: every path through its stages is one
/// of them (up to the order of the steps).
#[derive(Clone, Debug)]
pub struct Covers {
    /// The length of a shortest one.
    pub shortest: u32,
    slack: u8,
    stages: Vec<Stage>,
    /// The stage of each corridor.
    stage_of: Vec<usize>,
}

impl Covers {
    /// All walks for an errand that spare nothing; `None` if the maze is too wide, a corridor too long, or the time is up.
    pub fn new(graph: &Corridors, errand: Errand<'_>, slack: u8, max_nodes: usize) -> Option<Self> {
        let lengths: Vec<usize> = graph.corridors.iter().map(|corridor| corridor.steps.len()).collect();
        if lengths.iter().any(|&length| length > MAX_STEPS) {
            return None;
        }
        let errand = Errand { spare: 0, ..errand };
        let layers =
            CorridorOrder::new(graph, errand.give_up)?.layers(errand, Some(slack.into()), max_nodes)?;
        let stages = prune(&layers, slack.into(), &lengths);
        let mut stage_of = vec![0; stages.len()];
        for (index, stage) in stages.iter().enumerate() {
            stage_of[stage.corridor] = index;
        }
        Some(Self { shortest: layers.shortest(), slack, stages, stage_of })
    }

    /// The number of edges in the diagram.
    pub fn size(&self) -> usize {
        self.stages.iter().map(|stage| stage.links.len()).sum()
    }

    /// The set of a corridor's uses that take at least these steps once, and these twice.
    #[inline]
    pub fn fitting(&self, corridor: usize, taken: [u64; 2]) -> u64 {
        self.stages[self.stage_of[corridor]].fitting(taken)
    }

    /// The minimum number of steps by which a cover that includes the steps already taken exceeds the shortest one; `None`
    /// if that is more than the slack. `taken(corridor)` returns the corridor's steps taken once, and those taken twice.
    pub fn least_excess(&self, taken: impl Fn(usize) -> [u64; 2], scratch: &mut Scratch) -> Option<u8> {
        let Scratch { now, next } = scratch;
        now.clear();
        now.push(0);
        for stage in &self.stages {
            let fitting = stage.fitting(taken(stage.corridor));
            next.clear();
            next.resize(stage.nodes, UNREACHABLE);
            for link in &stage.links {
                if fitting >> link.used & 1 == 1 {
                    let to = &mut next[link.to as usize];
                    *to = (*to).min(now[link.from as usize].saturating_add(link.excess));
                }
            }
            std::mem::swap(now, next);
        }
        now.first().copied().filter(|&excess| excess <= self.slack)
    }
}

/// The excess of an unreachable node.
const UNREACHABLE: u8 = u8::MAX;

/// Buffers of [`Covers::least_excess`].
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    now: Vec<u8>,
    next: Vec<u8>,
}

/// Keeps the arcs on paths that exceed the shortest by at most `slack` steps.
fn prune(layers: &Layers, slack: u32, lengths: &[usize]) -> Vec<Stage> {
    let last = layers.costs.len() - 1;
    let mut rests = vec![u32::MAX; layers.costs[last].len()];
    rests[layers.complete as usize] = 0;
    let limit = layers.shortest() + slack;
    let mut kept: Vec<Vec<Arc>> = Vec::new();
    for stage in (0..last).rev() {
        let before = &layers.costs[stage];
        let mut earlier = vec![u32::MAX; before.len()];
        let mut arcs = Vec::new();
        for arc in &layers.arcs[stage] {
            let rest = rests[arc.to as usize].saturating_add(arc.cost);
            if before[arc.from as usize].saturating_add(rest) <= limit {
                earlier[arc.from as usize] = earlier[arc.from as usize].min(rest);
                arcs.push(*arc);
            }
        }
        kept.push(arcs);
        rests = earlier;
    }
    kept.reverse();
    renumber(layers, &kept, lengths)
}

/// The stages of the kept arcs, with their nodes and uses numbered from 0.
fn renumber(layers: &Layers, kept: &[Vec<Arc>], lengths: &[usize]) -> Vec<Stage> {
    let mut nodes_before = Numbers::new(1);
    nodes_before.of(0);
    let mut stages = Vec::with_capacity(kept.len());
    for (index, arcs) in kept.iter().enumerate() {
        let (before, after) = (&layers.costs[index], &layers.costs[index + 1]);
        let mut nodes = Numbers::new(after.len());
        let mut uses = Numbers::new(layers.uses[index].len());
        let link = |arc: &Arc| Link {
            from: nodes_before.of(arc.from as usize),
            to: nodes.of(arc.to as usize),
            used: uses.of(arc.used.into()) as u8,
            excess: (before[arc.from as usize] + arc.cost - after[arc.to as usize]) as u8,
        };
        let links = arcs.iter().map(link).collect();
        let corridor = layers.corridors[index];
        let steps = |&used: &usize| Steps::of(&layers.uses[index][used], lengths[corridor]);
        let uses = uses.named.iter().map(steps).collect();
        stages.push(Stage { corridor, uses, links, nodes: nodes.named.len() });
        nodes_before = nodes;
    }
    stages
}

/// Assigns numbers to things in order of first use.
struct Numbers {
    numbers: Vec<Option<u32>>,
    named: Vec<usize>,
}

impl Numbers {
    fn new(things: usize) -> Self {
        Self { numbers: vec![None; things], named: Vec::new() }
    }

    fn of(&mut self, thing: usize) -> u32 {
        *self.numbers[thing].get_or_insert_with(|| {
            self.named.push(thing);
            self.named.len() as u32 - 1
        })
    }
}
