//! A way on for Pacman among ghosts whose moves are foretold: a beam over exact positions, a limited number of turns
//! ahead. Positions are kept for what is eaten, for how tidy the rest is, and for the potions still there.

use damier_core::agent::Clock;
use damier_core::grid::Dir;
use damier_core::random::mix;
use damier_search::beam::{Beam, BeamLimits, End, Judgement, Space};

use crate::maze::{Maze, NOWHERE, Spot, WORDS};
use crate::rules::{Action, Ending, Figures, Rules, State};
use crate::solve::known::{KnownGhosts, take_turn};

/// Steps tried from a position, on average.
const BRANCHING: u64 = 3;

/// The cost of a pellet left.
const PELLET: u32 = 40;
/// The cost of an end of a row of pellets: somebody must come back for it.
const LOOSE_END: i32 = 20;
/// The cost of a step to the nearest pellet.
const STEP: u32 = 8;
/// A pursuit this long is no threat.
const LONG: u32 = 50;
/// Costs differ by less than this at random, so that equal positions do not crowd out all others.
const NOISE: u32 = 10;

/// What a search is after, and how much it may look at.
#[derive(Clone, Copy, Debug)]
pub struct Aims {
    /// The positions that it looks at, if the clock allows as many.
    pub nodes: u64,
    /// The turns that it looks ahead.
    pub depth: usize,
    /// The cost of a potion eaten.
    pub potion: u32,
    /// The cost of a turn less until the best pair of ghosts could catch him.
    pub threat: u32,
    /// Another number breaks ties between positions differently.
    pub salt: u64,
}

/// What the search found.
#[derive(Clone, Debug, Default)]
pub struct Escape {
    /// The steps, the next one last.
    pub steps: Vec<Dir>,
    /// Do they win?
    pub wins: bool,
    /// Is Pacman alive at their end?
    pub survives: bool,
    /// Positions looked at.
    pub nodes: u64,
}

/// Looks for a way on within the budget. There is always a first step.
pub fn search(rules: &Rules, ghosts: &dyn KnownGhosts, state: &State, aims: &Aims, clock: &Clock) -> Escape {
    let mut escape = match rules.maze().floor() {
        0..=256 => beam::<4>(rules, ghosts, state, aims, clock),
        257..=1024 => beam::<16>(rules, ghosts, state, aims, clock),
        _ => beam::<WORDS>(rules, ghosts, state, aims, clock),
    };
    if escape.steps.is_empty() {
        escape.steps.push(least_bad(rules, ghosts, state));
    }
    escape
}

fn beam<const N: usize>(
    rules: &Rules,
    ghosts: &dyn KnownGhosts,
    state: &State,
    aims: &Aims,
    clock: &Clock,
) -> Escape {
    let nodes = clock.budget().nodes.unwrap_or(u64::MAX).min(aims.nodes).max(BRANCHING);
    let width = (nodes / (aims.depth as u64 * BRANCHING)).max(1) as usize;
    let flight = Flight::<N>::new(rules, ghosts, *aims);
    let start = flight.position(state);
    let limits = BeamLimits { width, depth: aims.depth, nodes };
    let mut found = Beam::new().search(&flight, &start, &limits, || clock.expired());
    found.plan.reverse();
    Escape {
        wins: found.end == End::Goal,
        survives: matches!(found.end, End::Goal | End::Stopped),
        steps: found.plan,
        nodes: found.nodes,
    }
}

/// A direction that does not kill at once, if there is one; else one that leads somewhere.
fn least_bad(rules: &Rules, ghosts: &dyn KnownGhosts, state: &State) -> Dir {
    let survives = |dir: &Dir| {
        let mut next = *state;
        take_turn(rules, ghosts, &mut next, *dir);
        next.figures.ending != Some(Ending::Dead)
    };
    let open = |dir: &Dir| rules.maze().next(state.figures.pacman, *dir) != NOWHERE;
    let mut all = Dir::ALL.into_iter();
    Dir::ALL.into_iter().find(survives).or_else(|| all.find(open)).unwrap_or(Dir::North)
}

/// The space of positions of a Pacman in flight.
struct Flight<'a, const N: usize> {
    rules: &'a Rules,
    ghosts: &'a dyn KnownGhosts,
    aims: Aims,
    potions: [u64; N],
}

#[derive(Clone, Copy)]
struct Position<const N: usize> {
    figures: Figures,
    pellets: [u64; N],
    /// The sum of [`looseness`] over the pellets.
    loose_ends: i32,
}

/// How far a pellet with so many pellets beside it is from the middle of a row.
fn looseness(beside: usize) -> i32 {
    2 - beside.min(2) as i32
}

impl<const N: usize> Position<N> {
    fn has_pellet(&self, spot: Spot) -> bool {
        self.pellets[usize::from(spot / 64)] >> (spot % 64) & 1 == 1
    }

    fn pellets_beside(&self, maze: &Maze, spot: Spot) -> usize {
        maze.neighbours(spot).filter(|&(_, next)| self.has_pellet(next)).count()
    }

    /// Keeps the sum of loose ends up to date when the pellet of a spot has been eaten.
    fn tidy(&mut self, maze: &Maze, spot: Spot) {
        self.loose_ends -= looseness(self.pellets_beside(maze, spot));
        for (_, next) in maze.neighbours(spot) {
            if self.has_pellet(next) {
                let beside = self.pellets_beside(maze, next);
                self.loose_ends += looseness(beside) - looseness(beside + 1);
            }
        }
    }

    /// Steps from Pacman to the nearest pellet.
    fn steps_to_pellet(&self, maze: &Maze) -> u32 {
        let pacman = self.figures.pacman;
        if self.pellets_beside(maze, pacman) > 0 {
            return 1;
        }
        let mut nearest = u16::MAX;
        for (index, &word) in self.pellets.iter().enumerate() {
            let mut word = word;
            while word != 0 {
                let spot = (index * 64) as Spot + word.trailing_zeros() as Spot;
                nearest = nearest.min(maze.distances().between(pacman, spot));
                word &= word - 1;
            }
        }
        nearest.into()
    }
}

impl<'a, const N: usize> Flight<'a, N> {
    fn new(rules: &'a Rules, ghosts: &'a dyn KnownGhosts, aims: Aims) -> Self {
        let mut potions = [0; N];
        for spot in rules.maze().potions() {
            potions[usize::from(spot / 64)] |= 1 << (spot % 64);
        }
        Self { rules, ghosts, aims, potions }
    }

    fn position(&self, state: &State) -> Position<N> {
        let maze = self.rules.maze();
        let mut pellets = [0; N];
        pellets.copy_from_slice(&state.pellets[..N]);
        let mut position = Position { figures: state.figures, pellets, loose_ends: 0 };
        let left = (0..maze.floor() as Spot).filter(|&spot| position.has_pellet(spot));
        position.loose_ends = left.map(|spot| looseness(position.pellets_beside(maze, spot))).sum();
        position
    }

    /// By how many turns the best pair of ghosts could catch him sooner than [`LONG`], if somebody cares.
    fn threat(&self, figures: &Figures) -> u32 {
        if self.aims.threat == 0 {
            return 0;
        }
        let Some(pursuit) = self.rules.maze().pursuit() else { return 0 };
        let ghosts = &figures.ghosts[..self.rules.maze().ghosts().len()];
        let pairs = ghosts
            .iter()
            .enumerate()
            .flat_map(|(n, a)| ghosts[n + 1..].iter().map(move |b| (a.spot, b.spot)));
        let caught = pairs.filter_map(|(a, b)| pursuit.caught_in(figures.pacman, a, b)).min();
        let protected = figures.clock.map_or(0, |clock| u32::from(clock) + 1);
        LONG.saturating_sub(caught.map_or(LONG, u32::from) + protected)
    }

    fn cost(&self, position: &Position<N>, key: u64) -> u32 {
        let eaten: u32 =
            self.potions.iter().zip(&position.pellets).map(|(all, left)| (all & !left).count_ones()).sum();
        u32::from(position.figures.pellets_left) * PELLET
            + (position.loose_ends * LOOSE_END) as u32
            + position.steps_to_pellet(self.rules.maze()) * STEP
            + eaten * self.aims.potion
            + self.threat(&position.figures) * self.aims.threat
            + mix(key ^ self.aims.salt) as u32 % NOISE
    }
}

impl<const N: usize> Space for Flight<'_, N> {
    type State = Position<N>;
    type Action = Dir;

    /// Every way, and one wall to wait at.
    fn actions(&self, position: &Position<N>, actions: &mut Vec<Dir>) {
        let next = self.rules.maze().place(position.figures.pacman).next;
        let wall = Dir::ALL.into_iter().find(|dir| next[dir.index()] == NOWHERE);
        actions.extend(Dir::ALL.into_iter().filter(|dir| next[dir.index()] != NOWHERE).chain(wall));
    }

    fn step(&self, position: &mut Position<N>, dir: Dir) -> Judgement {
        let before = position.figures.pellets_left;
        self.rules.pacman_phase(&mut position.figures, &mut position.pellets, Action::Go(dir));
        if position.figures.pellets_left < before {
            position.tidy(self.rules.maze(), position.figures.pacman);
        }
        if position.figures.ending.is_none() {
            self.rules.begin_turn(&mut position.figures);
            self.ghosts.play(self.rules, &mut position.figures, &position.pellets);
        }
        match position.figures.ending {
            Some(Ending::Won) => Judgement::Goal,
            Some(_) => Judgement::Dead,
            None => {
                let key = Rules::figures_hash(&position.figures);
                Judgement::Open { key, cost: self.cost(position, key) }
            }
        }
    }
}
