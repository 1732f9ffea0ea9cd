//! Plans for Pacman against predictable ghosts: a beam search over exact positions, a limited number of turns ahead.
//! Positions are rated by the pellets left, by how scattered these are, and by the potions left.

use damier_core::agent::Clock;
use damier_core::grid::Dir;
use damier_core::random::mix;
use damier_search::beam::{Beam, BeamLimits, End, Judgement, Space};

use crate::maze::{Maze, NOWHERE, Spot, WORDS};
use crate::rules::{Action, Ending, Figures, Rules, State};
use crate::solve::known::{KnownGhosts, Position, safe_direction};

/// The average number of steps tried from a position.
const BRANCHING: u64 = 3;

/// The cost of a pellet left.
const PELLET: u32 = 40;
/// The cost of an end of a row of pellets: Pacman has to come back for it.
const LOOSE_END: u32 = 20;
/// The cost of a step to the nearest pellet.
const STEP: u32 = 8;
/// Pursuits of at least this many turns are no threat.
const LONG: u32 = 50;
/// The range of random noise on costs, which keeps equal positions from crowding out all others.
const NOISE: u32 = 10;

/// The weights and limits of a search.
#[derive(Clone, Copy, Debug)]
pub struct Aims {
    /// The maximum number of positions, if the clock allows as many.
    pub nodes: u64,
    /// The number of turns to look ahead.
    pub depth: usize,
    /// The cost of a potion eaten.
    pub potion: u32,
    /// The cost of each turn by which the best pair of ghosts could catch Pacman sooner.
    pub threat: u32,
    /// The seed of the noise that breaks ties.
    pub salt: u64,
}

/// The result of a search.
#[derive(Clone, Debug, Default)]
pub struct Escape {
    /// The steps, the next one last.
    pub steps: Vec<Dir>,
    /// Whether they win.
    pub wins: bool,
    /// Whether Pacman is alive at the end.
    pub survives: bool,
    /// The number of positions searched.
    pub nodes: u64,
}

/// Searches for a plan within the budget. There is always a first step.
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
    let start = Position::new(rules.maze(), state);
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

/// A direction that Pacman survives, if there is one; else one without a wall.
fn least_bad(rules: &Rules, ghosts: &dyn KnownGhosts, state: &State) -> Dir {
    let open = |dir: &Dir| rules.maze().next(state.figures.pacman, *dir) != NOWHERE;
    let safe = safe_direction(rules, ghosts, state);
    safe.or_else(|| Dir::ALL.into_iter().find(open)).unwrap_or(Dir::North)
}

/// The search space of positions.
struct Flight<'a, const N: usize> {
    rules: &'a Rules,
    ghosts: &'a dyn KnownGhosts,
    aims: Aims,
    potions: [u64; N],
}

/// Steps from Pacman to the nearest pellet.
fn steps_to_pellet<const N: usize>(maze: &Maze, position: &Position<N>) -> u32 {
    let pacman = position.figures.pacman;
    if position.pellets_beside(maze, pacman) > 0 {
        return 1;
    }
    let mut nearest = u16::MAX;
    for (index, &word) in position.pellets.iter().enumerate() {
        let mut word = word;
        while word != 0 {
            let spot = (index * 64) as Spot + word.trailing_zeros() as Spot;
            nearest = nearest.min(maze.distances().between(pacman, spot));
            word &= word - 1;
        }
    }
    nearest.into()
}

impl<'a, const N: usize> Flight<'a, N> {
    fn new(rules: &'a Rules, ghosts: &'a dyn KnownGhosts, aims: Aims) -> Self {
        let mut potions = [0; N];
        for spot in rules.maze().potions() {
            potions[usize::from(spot / 64)] |= 1 << (spot % 64);
        }
        Self { rules, ghosts, aims, potions }
    }

    /// By how many turns the best pair of ghosts could catch him sooner than [`LONG`]; 0 if that has no weight.
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
            + u32::from(position.loose_ends) * LOOSE_END
            + steps_to_pellet(self.rules.maze(), position) * STEP
            + eaten * self.aims.potion
            + self.threat(&position.figures) * self.aims.threat
            + mix(key ^ self.aims.salt) as u32 % NOISE
    }
}

impl<const N: usize> Space for Flight<'_, N> {
    type State = Position<N>;
    type Action = Dir;

    /// All open directions, and one towards a wall, to wait.
    fn actions(&self, position: &Position<N>, actions: &mut Vec<Dir>) {
        let next = self.rules.maze().place(position.figures.pacman).next;
        let wall = Dir::ALL.into_iter().find(|dir| next[dir.index()] == NOWHERE);
        actions.extend(Dir::ALL.into_iter().filter(|dir| next[dir.index()] != NOWHERE).chain(wall));
    }

    fn step(&self, position: &mut Position<N>, dir: Dir) -> Judgement {
        let before = position.figures.pellets_left;
        self.rules.pacman_phase(&mut position.figures, &mut position.pellets, Action::Go(dir));
        if position.figures.pellets_left < before {
            position.update_loose_ends(self.rules.maze());
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
