//! Shortest covering walks by dynamic programming along a frontier.
//!
//! A walk from a start that visits given cells is, up to the order of its steps, a connected multigraph in which the start
//! and the end have odd degree and all others even degree (Euler); a shortest one uses no step more than twice. So the
//! corridors are processed one after another, each with one of a few uses, and of all choices so far only what matters for
//! the rest is kept: for each crossroad of the *frontier* (seen, with corridors still to come) the parity of its degree and
//! the piece of the walk that it belongs to. Choices with the same key are merged into one node of a layer.

use damier_core::random::Rng;
use rustc_hash::FxHashMap;

use super::corridors::{Corridor, Corridors};
use crate::maze::Spot;

/// The maximum number of crossroads in a frontier: each takes four bits of a word.
const MAX_SLOTS: usize = 15;

/// The number of orders tried to find one with a narrow frontier.
const ORDERS_TRIED: usize = 400;

/// The number of keys processed between checks whether to give up.
const KEYS_PER_CHECK: usize = 1_024;

/// How one corridor is used by a walk, in numbers of steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Use {
    /// How often the whole corridor is walked: 0, 1 or 2 times.
    pub through: u8,
    /// The steps inwards from each end, if it is not walked through…
    pub inwards: [u32; 2],
    /// …and whether they are also walked back; if not, the walk ends there.
    pub back: [bool; 2],
    /// The number of wanted cells that are skipped.
    spared: u8,
}

impl Use {
    /// The number of steps in a corridor of this length.
    pub fn cost(&self, length: u32) -> u32 {
        let side = |end: usize| self.inwards[end] * (1 + u32::from(self.back[end]));
        u32::from(self.through) * length + side(0) + side(1)
    }

    fn touches(&self, end: usize) -> bool {
        self.through > 0 || self.inwards[end] > 0
    }

    fn is_odd(&self, end: usize) -> bool {
        self.through == 1 || (self.inwards[end] > 0 && !self.back[end])
    }

    /// Everything that matters for the rest of the walk.
    fn effect(&self) -> impl Ord + use<> {
        let ends = [0, 1].map(|end| (self.touches(end), self.is_odd(end)));
        (ends, self.through > 0, self.holds_the_end(), self.spared)
    }

    fn holds_the_end(&self) -> bool {
        (0..2).any(|end| self.inwards[end] > 0 && !self.back[end])
    }
}

/// The useful ways to use a corridor. Of those with the same effect only the cheapest one is listed or, if `slack` is given, up
/// to [`MAX_ALIKE`] that cost at most that much more. `wanted` tells which inner cells the walk must visit, by the steps from
/// the first end.
fn uses(corridor: &Corridor, wanted: impl Fn(usize) -> bool, spare: u8, slack: Option<u32>) -> Vec<Use> {
    let length = corridor.steps.len() as u32;
    let cells: Vec<u32> = (1..length).filter(|&place| wanted(place as usize)).collect();
    let whole = |through| Use { through, inwards: [0; 2], back: [true; 2], spared: 0 };
    let mut uses = vec![whole(1), whole(2)];
    for spared in 0..=cells.len().min(spare.into()) {
        for from_first in 0..=cells.len() - spared {
            let from_second = from_first + spared;
            let inwards = [
                from_first.checked_sub(1).map_or(0, |last| cells[last]),
                cells.get(from_second).map_or(0, |place| length - place),
            ];
            for back in [[true, true], [false, true], [true, false]] {
                if (0..2).all(|end| back[end] || inwards[end] > 0) {
                    uses.push(Use { through: 0, inwards, back, spared: spared as u8 });
                }
            }
        }
    }
    uses.sort_by_key(|used| (used.effect(), used.cost(length)));
    let alike = uses.chunk_by(|a, b| a.effect() == b.effect());
    let (most, slack) = slack.map_or((1, 0), |slack| (MAX_ALIKE, slack));
    let cheap = |alike: &[Use]| {
        let limit = alike[0].cost(length) + slack;
        alike.iter().copied().take(most).filter(move |used| used.cost(length) <= limit).collect::<Vec<_>>()
    };
    alike.flat_map(cheap).collect()
}

/// The maximum number of uses with the same effect that are kept per corridor.
const MAX_ALIKE: usize = 6;

/// What matters for the rest of the walk, of the choices made so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Key {
    /// Four bits per frontier slot: 0 if the walk does not touch the crossroad, else the number of its piece.
    pieces: u64,
    /// One bit per frontier slot: whether its degree is odd.
    odd: u16,
    /// The number of wanted cells skipped.
    spared: u8,
    /// Whether the end of the walk is placed.
    ended: bool,
    /// Whether the walk is complete, so that nothing may touch it any more.
    closed: bool,
}

impl Key {
    const START: Self = Self { pieces: 0, odd: 0, spared: 0, ended: false, closed: false };

    fn piece(self, slot: usize) -> u64 {
        self.pieces >> (4 * slot) & 15
    }

    fn set_piece(&mut self, slot: usize, piece: u64) {
        self.pieces = self.pieces & !(15 << (4 * slot)) | piece << (4 * slot);
    }

    fn touch(&mut self, slot: usize, slots: usize) {
        if self.piece(slot) == 0 {
            let fresh = (1..16).find(|&piece| (0..slots).all(|slot| self.piece(slot) != piece));
            self.set_piece(slot, fresh.expect("there are more numbers than slots"));
        }
    }

    fn join(&mut self, a: usize, b: usize, slots: usize) {
        let (kept, merged) = (self.piece(a), self.piece(b));
        for slot in 0..slots {
            if self.piece(slot) == merged {
                self.set_piece(slot, kept);
            }
        }
    }

    /// Numbers the pieces in the order of their first slots, so that equal situations have equal keys.
    fn renumber(&mut self, slots: usize) {
        let (mut names, mut count) = ([0; 16], 0);
        for slot in 0..slots {
            let piece = self.piece(slot) as usize;
            if piece != 0 {
                if names[piece] == 0 {
                    count += 1;
                    names[piece] = count;
                }
                self.set_piece(slot, names[piece]);
            }
        }
    }

    fn remove_slot(&mut self, slot: usize) {
        let below = (1 << (4 * slot)) - 1;
        self.pieces = self.pieces & below | self.pieces >> 4 & !below;
        let below = (1 << slot) - 1;
        self.odd = self.odd & below | self.odd >> 1 & !below;
    }
}

/// One stage: a corridor, and the crossroads whose last corridor it is.
struct Stage {
    corridor: usize,
    /// Frontier slots of the corridor's ends.
    slots: [usize; 2],
    /// Crossroads that enter the frontier at this stage, in the order of their slots, which are the last ones.
    entering: Vec<usize>,
    /// The slots to remove afterwards, largest first, with their crossroads.
    leaving: Vec<(usize, usize)>,
    /// The number of slots while the corridor is chosen.
    width: usize,
}

/// An edge from a node of one layer to a node of the next: a use of the stage's corridor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arc {
    /// The node in the layer before.
    pub from: u32,
    /// The node in the layer after.
    pub to: u32,
    /// The use, as its index in [`Layers::uses`] of the stage.
    pub used: u8,
    /// The number of steps.
    pub cost: u32,
}

/// All choices, merged by their keys.
#[derive(Clone, Debug, Default)]
pub struct Layers {
    /// The corridor of each stage.
    pub corridors: Vec<usize>,
    /// The uses of that corridor.
    pub uses: Vec<Vec<Use>>,
    /// The arcs from layer to layer, one list per stage; empty if not requested.
    pub arcs: Vec<Vec<Arc>>,
    /// The minimum cost of every node, by layer: there is one layer more than stages.
    pub costs: Vec<Vec<u32>>,
    /// The cheapest node of the last layer in which the walk is complete.
    pub complete: u32,
}

impl Layers {
    /// The length of a shortest walk.
    pub fn shortest(&self) -> u32 {
        self.costs[self.costs.len() - 1][self.complete as usize]
    }
}

/// The task of a walk: the cells to visit.
#[derive(Clone, Copy)]
pub struct Errand<'a> {
    /// The cells to visit.
    pub wanted: &'a dyn Fn(Spot) -> bool,
    /// How many of them may be skipped.
    pub spare: u8,
    /// Checked now and then: whether to give up.
    pub give_up: &'a dyn Fn() -> bool,
}

/// An order of the corridors with a narrow frontier.
pub struct CorridorOrder<'a> {
    graph: &'a Corridors,
    stages: Vec<Stage>,
}

impl<'a> CorridorOrder<'a> {
    /// Plans the stages; `None` if the frontier would be too wide. `hurry` ends the search for a better order early.
    pub fn new(graph: &'a Corridors, hurry: &dyn Fn() -> bool) -> Option<Self> {
        let mut rng = Rng::new(0);
        let firsts = (0..graph.crossroads.len()).cycle().take(ORDERS_TRIED.max(graph.crossroads.len()));
        firsts
            .enumerate()
            .take_while(|&(tried, _)| tried == 0 || !hurry())
            .map(|(_, first)| stages(graph, &crossroad_order(graph, first, &mut rng)))
            .min_by_key(|stages| stages.iter().map(|stage| 3u64.pow(stage.width.min(30) as u32)).sum::<u64>())
            .filter(|stages| stages.iter().all(|stage| stage.width <= MAX_SLOTS))
            .map(|stages| Self { graph, stages })
    }

    /// Merges all walks for the errand, with the arcs of those that exceed the shortest by up to `slack` steps if `slack`
    /// is given. `None` if a layer would have more than `max_nodes`, if it is time to give up, or if there is no walk.
    pub fn layers(&self, errand: Errand<'_>, slack: Option<u32>, max_nodes: usize) -> Option<Layers> {
        let mut layers = Layers { costs: vec![vec![0]], ..Layers::default() };
        let mut keys = vec![Key::START];
        for stage in &self.stages {
            let corridor = &self.graph.corridors[stage.corridor];
            let wanted = |place: usize| (errand.wanted)(corridor.steps[place].0);
            layers.corridors.push(stage.corridor);
            layers.uses.push(uses(corridor, wanted, errand.spare, slack));
            layers.arcs.push(Vec::new());
            keys = self.next_layer(stage, &keys, &mut layers, errand, slack.is_some())?;
            if keys.len() > max_nodes {
                return None;
            }
        }
        let costs = &layers.costs[layers.costs.len() - 1];
        let complete = (0..keys.len()).filter(|&node| keys[node].closed).min_by_key(|&node| costs[node])?;
        layers.complete = complete as u32;
        Some(layers)
    }

    /// The keys after a stage; `None` if it is time to give up.
    fn next_layer(
        &self,
        stage: &Stage,
        keys: &[Key],
        layers: &mut Layers,
        errand: Errand<'_>,
        keep_arcs: bool,
    ) -> Option<Vec<Key>> {
        let length = self.graph.corridors[stage.corridor].steps.len() as u32;
        let is_wanted = |&(_, crossroad): &(usize, usize)| (errand.wanted)(self.graph.crossroads[crossroad]);
        let leaving_wanted: Vec<bool> = stage.leaving.iter().map(is_wanted).collect();
        let (mut next, mut costs) = (Vec::new(), Vec::<u32>::new());
        let mut known: FxHashMap<Key, u32> = FxHashMap::default();
        let arcs = layers.arcs.last_mut().expect("the stage has begun");
        let uses = layers.uses.last().expect("the stage has begun");
        let before = layers.costs.last().expect("there is a first layer");
        for (from, (&key, &cost)) in keys.iter().zip(before).enumerate() {
            if from.is_multiple_of(KEYS_PER_CHECK) && (errand.give_up)() {
                return None;
            }
            let Some(entered) = enter(key, stage) else { continue };
            for (index, used) in uses.iter().enumerate() {
                let Some(key) = apply(entered, used, stage, &leaving_wanted, errand.spare) else { continue };
                let step_cost = used.cost(length);
                let to = *known.entry(key).or_insert(next.len() as u32);
                if to as usize == next.len() {
                    next.push(key);
                    costs.push(u32::MAX);
                }
                let least = &mut costs[to as usize];
                *least = (*least).min(cost + step_cost);
                if keep_arcs {
                    arcs.push(Arc { from: from as u32, to, used: index as u8, cost: step_cost });
                }
            }
        }
        layers.costs.push(costs);
        Some(next)
    }
}

/// The key after the new crossroads of a stage have entered. The walk starts at crossroad 0 and has an odd end there.
fn enter(mut key: Key, stage: &Stage) -> Option<Key> {
    if let Some(index) = stage.entering.iter().position(|&crossroad| crossroad == 0) {
        if key.closed {
            return None;
        }
        let slot = stage.width - stage.entering.len() + index;
        key.touch(slot, stage.width);
        key.odd |= 1 << slot;
    }
    Some(key)
}

/// The key after using the corridor of a stage; `None` if this cannot become a walk.
fn apply(mut key: Key, used: &Use, stage: &Stage, leaving_wanted: &[bool], spare: u8) -> Option<Key> {
    key.spared += used.spared;
    if key.spared > spare {
        return None;
    }
    for end in 0..2 {
        if used.touches(end) {
            if key.closed {
                return None;
            }
            key.touch(stage.slots[end], stage.width);
            key.odd ^= u16::from(used.is_odd(end)) << stage.slots[end];
        }
    }
    if used.through > 0 {
        key.join(stage.slots[0], stage.slots[1], stage.width);
    }
    if used.holds_the_end() {
        if key.ended {
            return None;
        }
        key.ended = true;
    }
    let mut width = stage.width;
    for (&(slot, _), &wanted) in stage.leaving.iter().zip(leaving_wanted) {
        leave(&mut key, slot, width, wanted, spare)?;
        width -= 1;
    }
    key.renumber(width);
    Some(key)
}

/// Removes a crossroad from the frontier: nothing will touch it any more.
fn leave(key: &mut Key, slot: usize, width: usize, wanted: bool, spare: u8) -> Option<()> {
    let piece = key.piece(slot);
    if piece == 0 {
        key.spared += u8::from(wanted);
        if key.spared > spare {
            return None;
        }
    } else {
        if key.odd >> slot & 1 == 1 {
            if key.ended {
                return None;
            }
            key.ended = true;
        }
        if (0..width).all(|other| other == slot || key.piece(other) != piece) {
            // The piece is finished: it must be the whole walk.
            if (0..width).any(|other| other != slot && key.piece(other) != 0) {
                return None;
            }
            key.closed = true;
        }
    }
    key.remove_slot(slot);
    Some(())
}

/// An order in which to finish the crossroads, starting with `first`, that greedily keeps the frontier narrow; ties are
/// broken at random.
fn crossroad_order(graph: &Corridors, first: usize, rng: &mut Rng) -> Vec<usize> {
    let count = graph.crossroads.len();
    let mut neighbours = vec![Vec::new(); count];
    for corridor in &graph.corridors {
        let [a, b] = corridor.ends;
        neighbours[a].push(b);
        neighbours[b].push(a);
    }
    for list in &mut neighbours {
        list.sort_unstable();
        list.dedup();
    }
    let (mut met, mut done) = (vec![false; count], vec![false; count]);
    let mut order = Vec::with_capacity(count);
    let mut next = Some(first);
    while let Some(crossroad) = next {
        done[crossroad] = true;
        met[crossroad] = true;
        for &neighbour in &neighbours[crossroad] {
            met[neighbour] = true;
        }
        order.push(crossroad);
        let newly_met = |crossroad: usize| neighbours[crossroad].iter().filter(|&&other| !met[other]).count();
        let frontier = (0..count).filter(|&crossroad| met[crossroad] && !done[crossroad]);
        next = frontier.min_by_key(|&crossroad| (newly_met(crossroad), rng.next_u64()));
    }
    order
}

/// The stages that finish the crossroads in this order.
fn stages(graph: &Corridors, order: &[usize]) -> Vec<Stage> {
    let mut rank = vec![0; order.len()];
    for (place, &crossroad) in order.iter().enumerate() {
        rank[crossroad] = place;
    }
    // A corridor is processed with the end that is finished first; those to crossroads seen earlier come first.
    let mut corridors: Vec<usize> = (0..graph.corridors.len()).collect();
    corridors.sort_by_key(|&corridor| {
        let [a, b] = graph.corridors[corridor].ends.map(|end| rank[end]);
        (a.min(b), a.max(b))
    });
    let mut remaining = vec![0; order.len()];
    for corridor in &graph.corridors {
        for end in corridor.ends {
            remaining[end] += 1;
        }
    }
    let mut frontier: Vec<usize> = Vec::new();
    corridors.into_iter().map(|corridor| stage(graph, corridor, &mut frontier, &mut remaining)).collect()
}

fn stage(graph: &Corridors, corridor: usize, frontier: &mut Vec<usize>, remaining: &mut [usize]) -> Stage {
    let ends = graph.corridors[corridor].ends;
    let mut entering = Vec::new();
    for end in ends {
        if !frontier.contains(&end) {
            frontier.push(end);
            entering.push(end);
        }
        remaining[end] -= 1;
    }
    let slot_of = |end: usize| frontier.iter().position(|&met| met == end).expect("it has just entered");
    let slots = ends.map(slot_of);
    let width = frontier.len();
    let mut leaving: Vec<(usize, usize)> =
        frontier.iter().copied().enumerate().filter(|&(_, crossroad)| remaining[crossroad] == 0).collect();
    leaving.reverse();
    frontier.retain(|&crossroad| remaining[crossroad] > 0);
    Stage { corridor, slots, entering, leaving, width }
}
