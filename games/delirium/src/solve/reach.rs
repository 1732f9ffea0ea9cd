//! The inner search: from one position to the next thing worth having, tick by exact tick.
//!
//! A best-first search in time and space. Its nodes are whole positions, so rocks fall and monsters walk in it as they
//! will; what it estimates is only how far the miner still has to go. Waiting is a step like any other. How often one
//! cell is visited while rocks, diamonds and grass lie the same way is limited, or the walks of the monsters would make
//! every wait a new position; only at a trap that is set does the miner wait as long as it takes.

use damier_core::grid::Dir;
use damier_core::random::{Chance, Rng, mix, zobrist};

use super::field::{Cells, FAR, Field, walk, walk_through_walls};
use super::lure::{self, Lure, Prey};
use super::outlook::{Outlook, diamonds, exits, openable};
use super::table::Table;
use crate::board::{Board, Ending, Exact, Word, column_of, row_of};
use crate::kind::Kind;
use crate::rules::{Action, Rules};

/// Chance as a planner draws it: the game's own stream where it is known, a guess where it is not.
#[derive(Clone)]
pub(crate) struct Luck {
    rng: Rng,
    /// How often it was drawn from. Where the stream is guessed, this is how often the plan so far hung on a guess.
    draws: u32,
}

impl Luck {
    pub(crate) fn new(rng: Rng) -> Self {
        Self { rng, draws: 0 }
    }

    pub(crate) fn draws(&self) -> u32 {
        self.draws
    }
}

impl Chance for Luck {
    #[inline]
    fn below(&mut self, bound: u32) -> u32 {
        self.draws += 1;
        self.rng.below(bound)
    }
}

/// Parameters of an inner search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Manner {
    /// Positions to expand at most.
    pub nodes: u32,
    /// Results to find at most.
    pub results: usize,
    /// Visits of one cell while all things lie the same way.
    pub visits: u32,
    /// The weight of the estimate, in quarters of a tick.
    pub weight: u32,
    /// Quarters of a tick that a guess about chance costs.
    pub caution: u32,
    /// Quarters of a tick that a cell costs for every 16 times that the search was there.
    pub restless: u32,
    /// Are several ways to the same explosion worth finding?
    pub alike: bool,
    /// How many times as much as an empty cell does one of grass count in the way of a thing that is pushed? Once or twice.
    pub grass: usize,
    /// Must an errand that begins with a free way to the exit also end with one?
    pub way_back: bool,
    /// Does the miner of a cave dig without moving, too? It seldom has to, and has half as many things to try without.
    pub digs: bool,
}

/// What the miner is after.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Errand {
    /// Diamonds.
    Gather,
    /// A blue monster under a falling thing.
    Crush,
    /// An explosion where a wall is in the way.
    Blast,
    /// Any monster under a falling thing.
    Hunt,
    /// A diamond made by a magic wall.
    Mill,
    /// The open exit.
    Leave,
}

impl Errand {
    /// Is something to fall on a monster or a magic wall?
    const fn is_of_force(self) -> bool {
        matches!(self, Self::Crush | Self::Blast | Self::Hunt | Self::Mill)
    }
}

/// A position with the chance to come.
#[derive(Clone)]
pub(crate) struct Position<W: Word, const H: usize, const M: usize> {
    pub board: Board<W, H, M>,
    pub luck: Luck,
}

#[derive(Clone)]
struct Node<W: Word, const H: usize, const M: usize> {
    position: Position<W, H, M>,
    parent: u32,
    ticks: u16,
    action: u8,
    /// How often the action is taken: pushes succeed with luck.
    times: u8,
}

/// Something found: the position, and the actions that lead to it.
pub(crate) struct Arrival<W: Word, const H: usize, const M: usize> {
    pub position: Position<W, H, M>,
    pub actions: Vec<u8>,
}

/// The memory of inner searches, kept from one to the next.
pub(crate) struct Reach<W: Word, const H: usize, const M: usize> {
    nodes: Vec<Node<W, H, M>>,
    seen: Table,
    visits: Table,
    doomed: Table,
    queue: Queue,
    field: Field,
    lure: Lure<W, H>,
    /// How often positions were expanded with the miner on a cell.
    trodden: Vec<u32>,
    /// Positions expanded in all searches.
    pub expanded: u64,
}

/// Bytes that the positions of one search may take.
const MEMORY: usize = 640 << 20;

/// Expansions by which the count that limits a search grows.
const STEP: u32 = 256;

/// The estimate up to which the miner waits for a monster as long as it takes.
const PATIENT: u32 = 28;

/// Positions that are expanded for further results in any case.
const FURTHER: u32 = 200;

/// The dearest cost that is told apart.
const LAST_BUCKET: usize = (1 << 13) - 1;

/// Nodes by their cost; of equal ones, the last one first.
struct Queue {
    buckets: Vec<Vec<u32>>,
    lowest: usize,
    highest: usize,
}

impl Queue {
    fn new() -> Self {
        Self { buckets: vec![Vec::new(); LAST_BUCKET + 1], lowest: LAST_BUCKET, highest: 0 }
    }

    fn clear(&mut self) {
        for bucket in &mut self.buckets[..=self.highest] {
            bucket.clear();
        }
        (self.lowest, self.highest) = (LAST_BUCKET, 0);
    }

    #[inline]
    fn push(&mut self, cost: u32, node: u32) {
        let bucket = (cost as usize).min(LAST_BUCKET);
        self.buckets[bucket].push(node);
        self.lowest = self.lowest.min(bucket);
        self.highest = self.highest.max(bucket);
    }

    #[inline]
    fn pop(&mut self) -> Option<(u32, u32)> {
        while self.lowest <= self.highest {
            if let Some(node) = self.buckets[self.lowest].pop() {
                return Some((self.lowest as u32, node));
            }
            self.lowest += 1;
        }
        None
    }
}

impl<W: Word, const H: usize, const M: usize> Reach<W, H, M> {
    pub(crate) fn new() -> Self {
        Self {
            nodes: Vec::new(),
            seen: Table::new(),
            visits: Table::new(),
            doomed: Table::new(),
            queue: Queue::new(),
            field: Field::new(),
            lure: Lure::new(),
            trodden: vec![0; H << W::LOG],
            expanded: 0,
        }
    }

    /// Searches from a position. `stop` is asked now and then, and ends the search at once.
    pub(crate) fn search(
        &mut self,
        rules: &Rules,
        start: &Position<W, H, M>,
        errand: Errand,
        manner: &Manner,
        stop: &mut dyn FnMut(u64) -> bool,
    ) -> Vec<Arrival<W, H, M>> {
        let mut found = Vec::new();
        self.nodes.clear();
        self.seen.clear();
        self.visits.clear();
        self.queue.clear();
        self.lure.clear();
        self.trodden.fill(0);
        let mut targets = Targets::new(&start.board, errand, manner);
        if errand == Errand::Blast {
            targets.walls = walls_in_the_way(&start.board);
            targets.prey.zone = targets.walls.thickened();
        }
        if errand == Errand::Mill {
            targets.prey.fixed = Some(mills(rules, &start.board));
        }
        self.aim(&start.board, &targets);
        self.nodes.push(Node { position: start.clone(), parent: u32::MAX, ticks: 0, action: 0, times: 0 });
        self.seen.count(rules.board_hash(&start.board));
        let cost = self.cost(0, manner, &targets);
        self.queue.push(cost, 0);
        let mut expanded = 0u32;
        let hopeless =
            errand.is_of_force() && self.lure.estimate(&start.board, &targets.prey) == lure::HOPELESS;
        let mut most = if hopeless { manner.nodes / 2 } else { manner.nodes };
        while let Some((cost, node)) = self.queue.pop() {
            let now = self.cost(node as usize, manner, &targets);
            if now > cost && (cost as usize) < LAST_BUCKET {
                // Its goal is taken by now.
                self.queue.push(now, node);
                continue;
            }
            expanded += 1;
            let room = self.nodes.len() < MEMORY / size_of::<Node<W, H, M>>();
            if expanded > most || !room || self.is_stopped(expanded, stop) {
                break;
            }
            let before = found.len();
            self.trodden[usize::from(self.nodes[node as usize].position.board.miner)] += 1;
            self.expand(rules, node, manner, &mut targets, &mut found);
            if found.len() > before {
                // What is still to be found may be out of reach: not all is worth as much trouble as the first.
                most = manner.nodes.min(2 * expanded + FURTHER);
            }
            if found.len() >= manner.results || targets.won {
                break;
            }
        }
        self.expanded += u64::from(expanded);
        found
    }

    /// Asks `stop`, if it is time to, after so many expansions of this search.
    ///
    /// The count that it gets grows only in steps of 256, so that a limit in positions ends a search at the same point on
    /// boards of either size. On large ones, of which an expansion takes a millisecond, the clock is asked every time.
    fn is_stopped(&self, expanded: u32, stop: &mut dyn FnMut(u64) -> bool) -> bool {
        let period = if Board::<W, H, M>::IS_LARGE { 1 } else { STEP };
        expanded.is_multiple_of(period) && stop(self.expanded + u64::from(expanded / STEP * STEP))
    }

    fn aim(&mut self, board: &Board<W, H, M>, targets: &Targets<W, H>) {
        if targets.errand.is_of_force() {
            return;
        }
        let goals = || targets.cells.spots().map(|spot| (spot, 0));
        self.field.spread(board, goals(), walk);
        if self.field.at(board.miner) == FAR {
            self.field.spread(board, goals(), walk_through_walls);
        }
    }

    /// Ticks and guesses so far, and the weighted estimate of what is to come.
    #[inline]
    fn cost(&mut self, node: usize, manner: &Manner, targets: &Targets<W, H>) -> u32 {
        let Node { position: Position { board, luck }, ticks, .. } = &self.nodes[node];
        let estimate = if targets.errand.is_of_force() {
            self.lure.estimate(board, &targets.prey)
        } else {
            u32::from(self.field.at(board.miner).min(1_000))
        };
        let trodden = self.trodden[usize::from(board.miner)] / 16;
        4 * u32::from(*ticks)
            + manner.weight * estimate
            + manner.caution * luck.draws()
            + manner.restless * trodden
    }

    fn expand(
        &mut self,
        rules: &Rules,
        node: u32,
        manner: &Manner,
        targets: &mut Targets<W, H>,
        found: &mut Vec<Arrival<W, H, M>>,
    ) {
        let begun = self.nodes[node as usize].ticks;
        let patient = targets.errand.is_of_force()
            && self.lure.estimate(&self.nodes[node as usize].position.board, &targets.prey) <= PATIENT;
        for (number, &action) in Action::ALL.iter().enumerate() {
            let skipped = W::Exact::IS_CAVE && !manner.digs && matches!(action, Action::Dig(_));
            if skipped || !is_worth_trying(&self.nodes[node as usize].position.board, action) {
                continue;
            }
            // Played in its place in the arena, which is given back if nothing comes of it: a position is large.
            let child = self.nodes.len();
            self.nodes.extend_from_within(node as usize..=node as usize);
            let Node { position: Position { board, luck }, .. } = &mut self.nodes[child];
            let times = act(rules, board, action, luck);
            let dead = board.ending.is_some_and(|ending| ending != Ending::Won);
            if dead
                || self.seen.count(rules.board_hash(board)) > 0
                || (self.visits.count(layout(board)) >= manner.visits && !(patient && action == Action::Stay))
            {
                self.nodes.pop();
                continue;
            }
            let made = &mut self.nodes[child];
            (made.parent, made.action, made.times) = (node, number as u8, times);
            made.ticks = begun.saturating_add(times.into());
            if targets.reached(&made.position.board) {
                self.arrive(rules, child, targets, found);
            } else {
                let cost = self.cost(child, manner, targets);
                self.queue.push(cost, child as u32);
            }
        }
    }

    /// Keeps what was found, if the miner can live with it, and looks no more for the same.
    fn arrive(
        &mut self,
        rules: &Rules,
        node: usize,
        targets: &mut Targets<W, H>,
        found: &mut Vec<Arrival<W, H, M>>,
    ) {
        let position = &self.nodes[node].position;
        self.doomed.clear();
        let outlook = Outlook::of(&position.board);
        let good = targets.won || !outlook.is_lost() && (outlook.exit_easy || !targets.way_back);
        if good && survives(rules, &position.board, &position.luck, 10, &mut self.doomed) {
            targets.take(&position.board);
            found.push(Arrival { position: position.clone(), actions: self.actions(node) });
            let start = self.nodes[0].position.board;
            self.aim(&start, targets);
        }
    }

    /// The actions from the start to a node.
    fn actions(&self, node: usize) -> Vec<u8> {
        let mut actions = Vec::new();
        let mut node = &self.nodes[node];
        while node.parent != u32::MAX {
            actions.extend(std::iter::repeat_n(node.action, node.times.into()));
            node = &self.nodes[node.parent as usize];
        }
        actions.reverse();
        actions
    }
}

/// The most attempts to push a rock that are made one after the other.
const MOST_PUSHES: u8 = 24;

/// Takes an action; a push, which succeeds with luck, again and again until something else happens. How often?
#[inline]
fn act<W: Word, const H: usize, const M: usize>(
    rules: &Rules,
    board: &mut Board<W, H, M>,
    action: Action,
    luck: &mut Luck,
) -> u8 {
    let before = board.miner;
    let pushed = |board: &Board<W, H, M>| match action {
        Action::Go(dir) if W::Exact::IS_CAVE => {
            board.ending.is_none() && board.miner == before && is_pushed(board, dir)
        }
        _ => false,
    };
    let mut times = 1;
    let pushes = pushed(board);
    rules.tick(board, action, luck);
    while pushes && times < MOST_PUSHES && pushed(board) {
        rules.tick(board, action, luck);
        times += 1;
    }
    times
}

/// Would a step in this direction push a rock of a cave, with luck?
#[inline]
fn is_pushed<W: Word, const H: usize, const M: usize>(board: &Board<W, H, M>, dir: Dir) -> bool {
    let rock = Board::<W, H, M>::beside(board.miner, dir);
    matches!(dir, Dir::East | Dir::West)
        && board.kind(rock) == Kind::Rock
        && board.kind(Board::<W, H, M>::beside(rock, dir)) == Kind::Empty
}

/// The magic walls of a cave.
fn mills<W: Word, const H: usize, const M: usize>(rules: &Rules, board: &Board<W, H, M>) -> Cells<W, H> {
    let mills =
        if W::Exact::IS_CAVE { board.exact.mills(rules.ground(board.stage.into())) } else { Vec::new() };
    Cells::at(mills.into_iter().map(|(x, y)| Board::<W, H, M>::spot(x, y)))
}

/// The walls between the miner and what lies behind walls and is needed, diamonds, blue monsters or the exit: of several
/// walls one after the other, those that come first.
fn walls_in_the_way<W: Word, const H: usize, const M: usize>(board: &Board<W, H, M>) -> Cells<W, H> {
    let open = Cells::of(board, |row| openable(row, false));
    let walls = Cells::of(board, |row| openable(row, true)).without(&open);
    let near = open.flood(board.miner);
    let outlook = Outlook::of(board);
    let needs_diamonds = outlook.missing > outlook.easy + outlook.hard && outlook.walled > 0;
    let mut far = Cells::of(board, if needs_diamonds { diamonds } else { exits });
    if outlook.needs_far_blue() {
        far = far.with(&lure::monsters(board, true));
    }
    far = far.without(&near);
    loop {
        far.fill(&open);
        let wider = far.grown_into(&walls);
        let between = wider.within(&walls).within(&near);
        if between.meets(&near) || wider.0 == far.0 {
            return between;
        }
        far = wider;
    }
}

/// The miner's cell and how rocks, diamonds and walls lie. Grass and monsters do not matter to it: as many ways as lead to
/// a cell, as many patterns of grass are dug.
#[inline]
fn layout<W: Word, const H: usize, const M: usize>(board: &Board<W, H, M>) -> u64 {
    mix(board.hash ^ u64::from(board.miner))
}

/// Does an action do anything here? Staying does.
#[inline]
pub(crate) fn is_worth_trying<W: Word, const H: usize, const M: usize>(
    board: &Board<W, H, M>,
    action: Action,
) -> bool {
    let beside = |dir| board.kind(Board::<W, H, M>::beside(board.miner, dir));
    match action {
        Action::Stay => true,
        Action::Go(dir) => match beside(dir) {
            Kind::Empty | Kind::Dirt | Kind::Diamond | Kind::FallingDiamond => true,
            Kind::Rock if W::Exact::IS_CAVE => is_pushed(board, dir),
            Kind::Rock => dir != Dir::South,
            Kind::Exit => board.missing == 0,
            // The picture of a cave with open edges has border there.
            Kind::Border => board.open_edges,
            _ => false,
        },
        Action::Dig(dir) => beside(dir) == Kind::Dirt,
        Action::Look => false,
    }
}

/// Is there a line of so many ticks that the miner survives? Depth first, so that a quiet place answers at once.
pub(crate) fn survives<W: Word, const H: usize, const M: usize>(
    rules: &Rules,
    board: &Board<W, H, M>,
    luck: &Luck,
    ticks: u32,
    doomed: &mut Table,
) -> bool {
    match board.ending {
        Some(ending) => return ending == Ending::Won,
        None if ticks == 0 => return true,
        None => {}
    }
    let here = rules.board_hash(board) ^ zobrist(TICKS, ticks.into());
    doomed.count(here) == 0
        && Action::ALL.iter().any(|&action| {
            is_worth_trying(board, action) && {
                let (mut next, mut luck) = (*board, luck.clone());
                rules.tick(&mut next, action, &mut luck);
                survives(rules, &next, &luck, ticks - 1, doomed)
            }
        })
}

/// The stream of keys of the ticks to survive.
const TICKS: u64 = 0x736f_6c76_6500_0001;

/// What a search still looks for.
struct Targets<W, const H: usize> {
    errand: Errand,
    cells: Cells<W, H>,
    gathered: u16,
    /// The diamonds that there are or were.
    diamonds: u32,
    blues: usize,
    won: bool,
    prey: Prey<W, H>,
    walls: Cells<W, H>,
    /// The centres of explosions that are known.
    centres: Cells<W, H>,
    /// Are those that are found not to be known thereafter?
    alike: bool,
    /// Must the way to the exit stay free?
    way_back: bool,
}

impl<W: Word, const H: usize> Targets<W, H> {
    fn new<const M: usize>(board: &Board<W, H, M>, errand: Errand, manner: &Manner) -> Self {
        let cells = match errand {
            Errand::Leave => Cells::of(board, exits),
            _ => Cells::of(board, diamonds),
        };
        let prey = Prey {
            blue: errand == Errand::Crush,
            fixed: None,
            zone: Cells([!W::ZERO; H]),
            grass: manner.grass,
        };
        let walls = Cells([W::ZERO; H]);
        Self {
            errand,
            cells,
            gathered: board.gathered,
            diamonds: diamonds_made(board),
            blues: blues(board),
            won: false,
            prey,
            walls,
            centres: centres(board),
            alike: manner.alike,
            way_back: manner.way_back && Outlook::of(board).exit_easy,
        }
    }

    /// Has a position something that the first one had not?
    #[inline]
    fn reached<const M: usize>(&mut self, board: &Board<W, H, M>) -> bool {
        self.won |= board.ending == Some(Ending::Won);
        self.won
            || match self.errand {
                Errand::Gather => board.gathered > self.gathered,
                Errand::Crush => self.has_exploded(board) && blues(board) < self.blues,
                Errand::Blast => self.has_exploded(board) && self.has_opened(board),
                Errand::Hunt => self.has_exploded(board),
                Errand::Mill => diamonds_made(board) > self.diamonds,
                Errand::Leave => false,
            }
    }

    /// Is there an explosion where none is known?
    fn has_exploded<const M: usize>(&self, board: &Board<W, H, M>) -> bool {
        board.explosions().any(|explosion| !self.centres.has(explosion.spot))
    }

    /// Is one of the walls in the way gone?
    fn has_opened<const M: usize>(&self, board: &Board<W, H, M>) -> bool {
        self.walls.spots().any(|spot| board.kind(spot) != Kind::Wall)
    }

    /// Leaves out what was reached.
    fn take<const M: usize>(&mut self, board: &Board<W, H, M>) {
        if self.errand == Errand::Gather && board.gathered > self.gathered {
            let (y, x) = (row_of::<W>(board.miner), column_of::<W>(board.miner));
            self.cells.0[y] &= !(W::ONE << x);
        }
        if !self.alike {
            self.centres = self.centres.with(&centres(board));
        }
    }
}

/// The centres of the explosions.
fn centres<W: Word, const H: usize, const M: usize>(board: &Board<W, H, M>) -> Cells<W, H> {
    Cells::at(board.explosions().map(|explosion| explosion.spot))
}

/// The diamonds on the board and those gathered.
fn diamonds_made<W: Word, const H: usize, const M: usize>(board: &Board<W, H, M>) -> u32 {
    let all = Cells::of(board, diamonds);
    all.shared(&all) + u32::from(board.gathered)
}

/// How many blue monsters live.
pub(crate) fn blues<W: Word, const H: usize, const M: usize>(board: &Board<W, H, M>) -> usize {
    board.walkers().filter(|walker| walker.blue).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::level::Level;
    use crate::rules::{RuleSet, State};
    use damier_core::game::Game;

    /// On the shortest way to the diamond the rock falls through the hole behind the miner, and lies in the way back. It
    /// falls a row lower if the grass there is dug first.
    const HOLE: &str = "; need: 1
##########
#........#
#...r....#
#.......d#
#www.wwww#
#...P...X#
#........#
##########
";

    #[test]
    fn the_way_back_is_kept_free_where_it_has_to_be() {
        let rules = Rules::new(Level::parse(HOLE).unwrap(), RuleSet::Course).unwrap();
        let State::Small(board) = rules.start() else { panic!("the map is small") };
        let start = Position { board, luck: Luck::new(Rng::new(1)) };
        for way_back in [false, true] {
            let manner = Manner {
                nodes: 6_000,
                results: 1,
                visits: 40,
                weight: 4,
                caution: 0,
                restless: 8,
                alike: false,
                grass: 1,
                way_back,
                digs: true,
            };
            let found = Reach::new().search(&rules, &start, Errand::Gather, &manner, &mut |_| false);
            assert_eq!(found.len(), 1);
            assert_eq!(Outlook::of(&found[0].position.board).exit_easy, way_back);
        }
    }
}
