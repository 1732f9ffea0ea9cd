//! The outer search: a beam over what is gathered next.
//!
//! Each step of a plan is an errand of the inner search: the next diamond, the next blue monster crushed, a wall blasted, the
//! exit, and where none of these leads on any monster killed. Of all positions after so many errands the most promising
//! ones are kept; at a dead end errands are taken back, and those beside them have their turn.

use damier_core::random::{Chance, Rng, mix};
use rustc_hash::{FxHashMap, FxHashSet};

use super::outlook::{Outlook, has_way_out};
use super::reach::{Arrival, Errand, Manner, Position, Reach};
use crate::board::{Board, Ending, Exact, Spot, Word};
use crate::rules::{Action, Rules};

/// Parameters of a pass of the outer search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pass {
    /// Positions kept after each errand.
    pub width: usize,
    /// Parameters of its inner searches.
    pub manner: Manner,
    /// Largest number of ticks by which a random penalty changes the order of positions.
    pub jitter: u32,
}

/// The first attempt at an errand has this part of its node budget.
const HURRY: u32 = 8;

impl Pass {
    /// The same pass with the node budget of a first attempt.
    fn in_a_hurry(&self) -> Self {
        Self { manner: Manner { nodes: self.manner.nodes / HURRY, ..self.manner }, ..*self }
    }

    /// The parameters of an errand: the last one gets a larger budget than each of those before.
    fn manner_of(&self, errand: Errand) -> Manner {
        match errand {
            Errand::Leave => {
                Manner { nodes: 4 * self.manner.nodes, visits: 4 * self.manner.visits, ..self.manner }
            }
            _ => self.manner,
        }
    }
}

/// Bytes that the positions of one pass may take.
const MEMORY: usize = 640 << 20;

/// A position between two errands.
struct Stop<W: Word, const H: usize, const M: usize> {
    position: Position<W, H, M>,
    parent: usize,
    actions: Vec<u8>,
    ticks: u32,
}

/// The best that a search found, as the numbers of actions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Plan {
    /// The actions.
    pub actions: Vec<u8>,
    /// Do they win the map?
    pub wins: bool,
    /// Diamonds that the plan leaves missing.
    pub missing: u32,
    /// What becomes of the way to the exit.
    pub way_out: WayOut,
}

/// What becomes of the way to the exit on a plan.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum WayOut {
    /// No rock or wall lies before the exit in the end.
    Free,
    /// Something lies there in the end, as in the beginning.
    #[default]
    Closed,
    /// Something lies there in the end, and nothing did in the beginning.
    Lost,
}

impl Plan {
    /// Takes another one if that comes farther.
    pub(crate) fn improve(&mut self, other: Self) {
        if other.rank() < self.rank() {
            *self = other;
        }
    }

    /// The less the better: whatever a plan gathers, it comes to little where it loses its way out, as if nothing were done.
    pub(crate) fn rank(&self) -> impl Ord + use<> {
        let leads_nowhere = self.way_out == WayOut::Lost || self.actions.is_empty();
        (!self.wins, leads_nowhere, self.missing)
    }
}

/// The outer search with its memory.
pub(crate) struct Planner<W: Word, const H: usize, const M: usize> {
    reach: Reach<W, H, M>,
}

impl<W: Word, const H: usize, const M: usize> Planner<W, H, M> {
    pub(crate) fn new() -> Self {
        Self { reach: Reach::new() }
    }

    /// Positions looked at so far.
    pub(crate) fn expanded(&self) -> u64 {
        self.reach.expanded
    }

    /// One pass of the beam: a plan that wins, or the one that came farthest. The seed is that of its jitter.
    pub(crate) fn pass(
        &mut self,
        rules: &Rules,
        start: &Position<W, H, M>,
        pass: &Pass,
        seed: u64,
        stop: &mut dyn FnMut(u64) -> bool,
    ) -> Plan {
        let first = Stop { position: start.clone(), parent: usize::MAX, actions: Vec::new(), ticks: 0 };
        let mut search = Search { stops: vec![first], best: 0, next: Vec::new(), dice: Rng::new(seed) };
        let mut beam = vec![0];
        // By errands carried out: what was found beside the beam.
        let mut beside: Vec<Vec<Promise>> = Vec::new();
        let mut retreats = 0;
        let room = MEMORY / size_of::<Stop<W, H, M>>();
        while beside.len() < MOST_ERRANDS && search.stops.len() < room {
            if let Some(last) = self.next_stops(rules, &mut search, beam, pass, stop) {
                return plan_of(rules, &search.stops, last);
            }
            beside.push(std::mem::take(&mut search.next));
            while beside.last().is_some_and(Vec::is_empty) {
                // A dead end. What led to it may have been decided long ago.
                beside.truncate(beside.len().saturating_sub(RETREAT << retreats));
                retreats += 1;
            }
            match beside.last_mut() {
                Some(next) if retreats <= MOST_RETREATS => beam = keep(next, &search.stops, pass.width),
                _ => break,
            }
        }
        plan_of(rules, &search.stops, search.best)
    }

    /// Carries out the next errand from every stop of the beam. Returns the stop with which the pass ends, if it does.
    fn next_stops(
        &mut self,
        rules: &Rules,
        search: &mut Search<W, H, M>,
        mut beam: Vec<usize>,
        pass: &Pass,
        stop: &mut dyn FnMut(u64) -> bool,
    ) -> Option<usize> {
        // First with little trouble; with all of it only where that leads to too few positions; if there is no going on at
        // all, monsters may be in the way.
        let half = pass.width.div_ceil(2);
        let first = beam.first().copied();
        for (pass, hunt, enough) in [(pass.in_a_hurry(), false, half), (*pass, false, half), (*pass, true, 1)]
        {
            if search.next.len() >= enough {
                break;
            }
            let mut without = Vec::new();
            for from in beam {
                let found = search.next.len();
                if let Some(last) = self.go_on(rules, search, from, &pass, hunt, stop) {
                    return Some(last);
                }
                if search.next.len() == found {
                    without.push(from);
                }
            }
            beam = without;
        }
        // A wait takes as long as many positions: only the most promising one gets it.
        if let Some(first) = first
            && let Some(later) = wait_for_amoeba(rules, &search.stops[first].position)
        {
            search.arrive(first, later, pass);
        }
        None
    }

    /// All errands from one stop, or the hunt. Returns the stop with which the pass ends, if it does.
    fn go_on(
        &mut self,
        rules: &Rules,
        search: &mut Search<W, H, M>,
        from: usize,
        pass: &Pass,
        hunt: bool,
        stop: &mut dyn FnMut(u64) -> bool,
    ) -> Option<usize> {
        for errand in errands_of(&search.stops[from].position.board, hunt) {
            let start = &search.stops[from].position;
            for arrival in self.reach.search(rules, start, errand, &pass.manner_of(errand), stop) {
                let won = arrival.position.board.ending == Some(Ending::Won);
                search.arrive(from, arrival, pass);
                if won {
                    return Some(search.stops.len() - 1);
                }
            }
            if stop(self.reach.expanded) {
                return Some(search.best);
            }
        }
        None
    }
}

/// What a stop promises, the less the better, and its number.
type Promise = (u32, usize);

/// The most errands of a plan.
const MOST_ERRANDS: usize = 400;

/// Errands taken back at the first dead end of a pass; at each further one twice as many.
const RETREAT: usize = 4;

/// Dead ends from which a pass comes back.
const MOST_RETREATS: u32 = 5;

/// A pass under way.
struct Search<W: Word, const H: usize, const M: usize> {
    stops: Vec<Stop<W, H, M>>,
    /// The stop that came farthest.
    best: usize,
    /// What the stops after the next errand promise, and their numbers.
    next: Vec<Promise>,
    dice: Rng,
}

impl<W: Word, const H: usize, const M: usize> Search<W, H, M> {
    /// Notes where an errand from a stop has led.
    fn arrive(&mut self, from: usize, arrival: Arrival<W, H, M>, pass: &Pass) {
        let Arrival { position, actions } = arrival;
        let ticks = self.stops[from].ticks + actions.len() as u32;
        let jitter = if pass.jitter > 0 { self.dice.below(pass.jitter) } else { 0 };
        let guesses = pass.manner.caution * position.luck.draws() / 4;
        if position.board.missing < self.stops[self.best].position.board.missing {
            self.best = self.stops.len();
        }
        let promise = ticks + Outlook::of(&position.board).ticks() + jitter + guesses;
        self.next.push((promise, self.stops.len()));
        self.stops.push(Stop { position, parent: from, actions, ticks });
    }
}

/// The longest time that the miner waits for amoeba to turn into something else.
const LONGEST_WAIT: usize = 1_000;

/// Where diamonds are missing and there is amoeba: the position after it has turned into something else, if the miner
/// lives that long where it is. Enclosed in a cavern of its own it becomes diamonds.
fn wait_for_amoeba<W: Word, const H: usize, const M: usize>(
    rules: &Rules,
    start: &Position<W, H, M>,
) -> Option<Arrival<W, H, M>> {
    let is_there = |board: &Board<W, H, M>| board.exact.has_amoeba();
    if !is_there(&start.board) || !Outlook::of(&start.board).needs_blue() {
        return None;
    }
    let mut position = start.clone();
    for ticks in 1..=LONGEST_WAIT {
        rules.tick_out_of_line(&mut position.board, Action::Stay, &mut position.luck);
        if position.board.ending.is_some() {
            return None;
        }
        if !is_there(&position.board) {
            let good = !Outlook::of(&position.board).is_lost();
            return good.then(|| Arrival { position, actions: vec![STAY; ticks] });
        }
    }
    None
}

/// The number of [`Action::Stay`].
const STAY: u8 = 0;

/// What to try from a position.
fn errands_of<W: Word, const H: usize, const M: usize>(
    board: &Board<W, H, M>,
    hunt: bool,
) -> impl Iterator<Item = Errand> + use<W, H, M> {
    let outlook = Outlook::of(board);
    let diamonds = outlook.easy + outlook.hard + outlook.walled > 0;
    let wanted = [
        (Errand::Leave, !hunt && board.missing == 0),
        (Errand::Gather, !hunt && board.missing > 0 && diamonds),
        (Errand::Crush, !hunt && outlook.needs_blue()),
        (Errand::Mill, !hunt && outlook.needs_blue() && outlook.made > 0),
        (Errand::Blast, !hunt && outlook.needs_blast()),
        (Errand::Hunt, hunt && board.monsters > 0),
    ];
    wanted.into_iter().filter_map(|(errand, wanted)| wanted.then_some(errand))
}

/// The part of the beam in which rocks and walls may lie the same way: where nine diamonds are gathered one by one, the
/// ways that led to them would be forgotten before the next decision that counts.
const KINDRED: usize = 4;

/// Takes out the most promising positions, no two alike but for their monsters.
fn keep<W: Word, const H: usize, const M: usize>(
    next: &mut Vec<Promise>,
    stops: &[Stop<W, H, M>],
    width: usize,
) -> Vec<usize> {
    next.sort_unstable();
    let mut alike: FxHashSet<(u64, Spot)> = FxHashSet::default();
    let mut kindred: FxHashMap<u64, usize> = FxHashMap::default();
    let mut kept = Vec::new();
    next.retain(|&(_, stop)| {
        if kept.len() == width {
            return true;
        }
        let board = &stops[stop].position.board;
        if !alike.insert((board.hash, board.miner)) {
            return false;
        }
        let kin = kindred.entry(rocks_and_walls(board)).or_default();
        *kin += 1;
        let full = *kin > width.div_ceil(KINDRED);
        if !full {
            kept.push(stop);
        }
        full
    });
    kept
}

/// A hash of how rocks and walls lie.
fn rocks_and_walls<W: Word, const H: usize, const M: usize>(board: &Board<W, H, M>) -> u64 {
    board.rows.iter().fold(0, |hash, row| {
        let cells = row.things() & !row.d | row.slippery() & !row.things();
        mix(hash ^ cells.low64() ^ ((cells >> 32) >> 32).low64().rotate_left(32))
    })
}

fn plan_of<W: Word, const H: usize, const M: usize>(
    rules: &Rules,
    stops: &[Stop<W, H, M>],
    last: usize,
) -> Plan {
    let [first, board] = [0, last].map(|stop| &stops[stop].position.board);
    let mut parts = Vec::new();
    let mut stop = last;
    while stop != usize::MAX {
        parts.push(&stops[stop].actions);
        stop = stops[stop].parent;
    }
    let wins = board.ending == Some(Ending::Won);
    let way_out = if wins || has_way_out(rules, board) {
        WayOut::Free
    } else if Outlook::of(first).exit_easy {
        WayOut::Lost
    } else {
        WayOut::Closed
    };
    Plan {
        actions: parts.into_iter().rev().flatten().copied().collect(),
        wins,
        missing: board.missing.into(),
        way_out,
    }
}
