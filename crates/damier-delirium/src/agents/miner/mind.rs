//! The miner's planner, for maps of either size, and its shield.

use std::sync::Arc;

use damier_core::grid::Cell;
use damier_core::random::Rng;

use crate::board::{Board, Ending, Word};
use crate::rules::{Action, Rules, State};
use crate::solve::exhaust::Stories;
use crate::solve::plan::{Plan, Planner};
use crate::solve::portfolio;
use crate::solve::reach::{Guessed, Position, survives};
use crate::solve::table::Table;

/// Ticks that the shield looks ahead.
const SHIELD: u32 = 14;

/// Stories of one tick that the shield looks at.
const MOST_STORIES: usize = 8;

/// Quarters of a tick that a plan may be longer to avoid one guess about chance.
const CAUTION: u32 = 32;

/// What a plan comes to if chance goes as guessed.
pub(super) struct Outcome {
    /// The hash of the position after each action.
    pub hashes: Vec<u64>,
    /// The miner's cell after each action.
    pub cells: Vec<Cell>,
    /// Does it win?
    pub wins: bool,
    /// Does the miner live to its end?
    pub lives: bool,
    /// The diamonds missing at its end.
    pub missing: u16,
}

pub(super) struct Mind {
    rules: Arc<Rules>,
    small: Option<Box<Planner<u64, 24, 104, Guessed>>>,
    large: Option<Box<Planner<u128, 128, 4096, Guessed>>>,
    doomed: Table,
    dice: Rng,
    /// The seed of the guess that the last plan was made with.
    guess: u64,
}

impl Mind {
    pub(super) fn new(rules: &Arc<Rules>, seed: u64) -> Self {
        let rules = Arc::clone(rules);
        Self { rules, small: None, large: None, doomed: Table::new(), dice: Rng::new(seed), guess: 0 }
    }

    /// A plan from a position, and the positions looked at. `stop` gets their number now and then.
    pub(super) fn plan(&mut self, state: &State, stop: &mut dyn FnMut(u64) -> bool) -> (Plan, u64) {
        self.guess = self.dice.next_u64();
        let luck = Guessed::new(Rng::new(self.guess));
        match state {
            State::Small(board) => {
                let planner = self.small.get_or_insert_with(|| Box::new(Planner::new()));
                seek(&self.rules, *board, luck, planner, stop)
            }
            State::Large(board) => {
                let planner = self.large.get_or_insert_with(|| Box::new(Planner::new()));
                seek(&self.rules, **board, luck, planner, stop)
            }
        }
    }

    /// Plays actions from a position as chance was guessed for the last plan.
    pub(super) fn foresee(&self, state: &State, actions: &[u8]) -> Outcome {
        let luck = Rng::new(self.guess);
        match state {
            State::Small(board) => foresee(&self.rules, state, *board, luck, actions),
            State::Large(board) => foresee(&self.rules, state, **board, luck, actions),
        }
    }

    /// In how many of the ways that chance can go does an action leave a line that survives?
    pub(super) fn safety(&mut self, state: &State, action: Action) -> f64 {
        match state {
            State::Small(board) => safety::<u64, 24, 104>(&self.rules, board, action, &mut self.doomed),
            State::Large(board) => safety(&self.rules, board.as_ref(), action, &mut self.doomed),
        }
    }
}

fn seek<W: Word, const H: usize, const M: usize>(
    rules: &Rules,
    board: Board<W, H, M>,
    luck: Guessed,
    planner: &mut Planner<W, H, M, Guessed>,
    stop: &mut dyn FnMut(u64) -> bool,
) -> (Plan, u64) {
    let before = planner.expanded();
    let mut stop = |states: u64| stop(states - before);
    let sought = portfolio(rules, &Position { board, luck }, planner, (0, 1), CAUTION, &mut stop);
    (sought.plan, sought.states)
}

fn foresee<W: Word, const H: usize, const M: usize>(
    rules: &Rules,
    state: &State,
    mut board: Board<W, H, M>,
    mut luck: Rng,
    actions: &[u8],
) -> Outcome {
    let mut outcome = Outcome { hashes: Vec::new(), cells: Vec::new(), wins: false, lives: true, missing: 0 };
    for &action in actions {
        rules.tick(&mut board, Action::ALL[usize::from(action)], &mut luck);
        outcome.hashes.push(rules.board_hash(&board));
        outcome.cells.push(rules.cell_of::<W>(state, board.miner()));
        if board.ending.is_some() {
            break;
        }
    }
    outcome.wins = board.ending == Some(Ending::Won);
    outcome.lives = board.ending.is_none() || outcome.wins;
    outcome.missing = board.missing;
    outcome
}

fn safety<W: Word, const H: usize, const M: usize>(
    rules: &Rules,
    board: &Board<W, H, M>,
    action: Action,
    doomed: &mut Table,
) -> f64 {
    let mut stories = Stories::default();
    let (mut lived, mut told) = (0, 0u32);
    loop {
        let mut next = *board;
        rules.tick(&mut next, action, &mut stories);
        doomed.clear();
        told += 1;
        lived += u32::from(survives(rules, &next, &Rng::new(u64::from(told)), SHIELD, doomed));
        if !stories.advance() || told as usize == MOST_STORIES {
            return f64::from(lived) / f64::from(told);
        }
    }
}
