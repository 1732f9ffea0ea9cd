//! All covering walks of nearly the shortest length, and which of them a walk under way can still become.

use super::corridors::Corridors;
use super::frontier::{Arc, CorridorOrder, Errand, Layers, Use};

/// The longest corridor whose steps fit a word.
const MOST_STEPS: usize = 64;

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

/// A way between two nodes.
#[derive(Clone, Copy, Debug)]
struct Link {
    from: u32,
    to: u32,
    used: u8,
    /// Steps by which this choice exceeds the cheapest way to its node.
    excess: u8,
}

/// One corridor and the ways past it.
#[derive(Clone, Debug)]
struct Stage {
    corridor: usize,
    uses: Vec<Steps>,
    links: Vec<Link>,
    /// Nodes after it.
    nodes: usize,
}

impl Stage {
    /// The uses that take at least these steps once, and these twice, as a set.
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
    /// By corridor.
    stage_of: Vec<usize>,
}

impl Covers {
    /// All walks that do an errand without sparing anything; nothing if the maze is too wide, a corridor too long, or the
    /// time up.
    pub fn new(graph: &Corridors, errand: Errand<'_>, slack: u8, most_nodes: usize) -> Option<Self> {
        let lengths: Vec<usize> = graph.corridors.iter().map(|corridor| corridor.steps.len()).collect();
        if lengths.iter().any(|&length| length > MOST_STEPS) {
            return None;
        }
        let errand = Errand { spare: 0, ..errand };
        let layers =
            CorridorOrder::new(graph, errand.give_up)?.layers(errand, Some(slack.into()), most_nodes)?;
        let stages = prune(&layers, slack.into(), &lengths);
        let mut stage_of = vec![0; stages.len()];
        for (index, stage) in stages.iter().enumerate() {
            stage_of[stage.corridor] = index;
        }
        Some(Self { shortest: layers.shortest(), slack, stages, stage_of })
    }

    /// The number of ways in the diagram.
    pub fn size(&self) -> usize {
        self.stages.iter().map(|stage| stage.links.len()).sum()
    }

    /// The uses of a corridor that take at least these steps once, and these twice, as a set.
    #[inline]
    pub fn fitting(&self, corridor: usize, taken: [u64; 2]) -> u64 {
        self.stages[self.stage_of[corridor]].fitting(taken)
    }

    /// The steps by which a cover that takes at least the steps already taken must exceed the shortest one; nothing if it
    /// must by more than the slack. `taken(corridor)` gives the corridor's steps taken once, and those taken twice.
    pub fn least_excess(&self, taken: impl Fn(usize) -> [u64; 2], scratch: &mut Scratch) -> Option<u8> {
        let Scratch { now, next } = scratch;
        now.clear();
        now.push(0);
        for stage in &self.stages {
            let fitting = stage.fitting(taken(stage.corridor));
            next.clear();
            next.resize(stage.nodes, NO_WAY);
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

/// The excess of what cannot be reached.
const NO_WAY: u8 = u8::MAX;

/// Buffers of [`Covers::least_excess`].
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    now: Vec<u8>,
    next: Vec<u8>,
}

/// Keeps what lies on a path of at most `slack` more steps than the shortest.
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
    number_anew(layers, &kept, lengths)
}

/// The stages of the arcs that were kept, with their nodes and uses numbered from 0.
fn number_anew(layers: &Layers, kept: &[Vec<Arc>], lengths: &[usize]) -> Vec<Stage> {
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

/// Numbers for things in the order in which they are asked for.
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
