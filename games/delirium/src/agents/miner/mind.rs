//! The miner's foresight: waiting, planning, playing a plan on in thought, and the shield, for maps of either size.

use std::sync::Arc;

use damier_core::grid::Cell;
use damier_core::random::Rng;

use crate::board::{Board, Ending, Word};
use crate::picture::{LargePicture, SmallPicture};
use crate::rules::{Action, Rules, State, pictured};
use crate::solve::Sought;
use crate::solve::exhaust::Stories;
use crate::solve::reach::{Luck, survives};
use crate::solve::table::Table;

use super::thinker::{Grant, Job, Spawn, Thinker};

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

/// Waiting for a plan: the actions meanwhile, and the position in which they end.
pub(super) struct Wait {
    pub actions: Vec<u8>,
    state: State,
    luck: Luck,
}

/// The miner's thoughts.
pub(super) struct Mind {
    rules: Arc<Rules>,
    thinker: Thinker,
    doomed: Table,
    dice: Rng,
    /// The seed of the guess that the last plan was made with.
    guess: u64,
}

impl Mind {
    pub(super) fn new(rules: &Arc<Rules>, seed: u64, spawn: Spawn) -> Self {
        let thinker = Thinker::new(rules, spawn);
        Self { rules: Arc::clone(rules), thinker, doomed: Table::new(), dice: Rng::new(seed), guess: 0 }
    }

    /// Stays alive for so many ticks, or for as many as can be, with a new guess about chance.
    pub(super) fn wait(&mut self, state: &State, ticks: usize) -> Wait {
        self.guess = self.dice.next_u64();
        let luck = Luck::new(Rng::new(self.guess));
        let doomed = &mut self.doomed;
        match state {
            State::Small(board) => {
                let (actions, board, luck) = stay_alive(&self.rules, *board, luck, ticks, doomed);
                Wait { actions, state: State::Small(board), luck }
            }
            State::Large(board) => {
                let (actions, board, luck) = stay_alive(&self.rules, **board, luck, ticks, doomed);
                Wait { actions, state: State::Large(Box::new(board)), luck }
            }
            State::Cave(cave) => {
                let picture = SmallPicture::of_cave(self.rules.ground(state.stage()), cave);
                let (actions, board, luck) = stay_alive(&self.rules, picture, luck, ticks, doomed);
                Wait { actions, state: State::Cave(board.exact), luck }
            }
            State::LargeCave(cave) => {
                let picture = LargePicture::of_cave(self.rules.ground(state.stage()), cave);
                let (actions, board, luck) = stay_alive(&self.rules, picture, luck, ticks, doomed);
                Wait { actions, state: State::LargeCave(Box::new(board.exact)), luck }
            }
        }
    }

    /// Begins to look for a plan that leads on from the end of a wait: `most` positions, from a pass of the portfolio on.
    pub(super) fn begin(&mut self, wait: Wait, first_pass: usize, most: u64) {
        let Wait { state, luck, .. } = wait;
        self.thinker.begin(Job { state, luck, caution: CAUTION, first_pass, most });
    }

    /// Goes on with it: what was found, once that is known.
    pub(super) fn go_on(&mut self, grant: Grant) -> Option<Sought> {
        self.thinker.go_on(grant)
    }

    /// Plays actions from a position as chance was guessed for the last plan.
    pub(super) fn foresee(&self, state: &State, actions: &[u8]) -> Outcome {
        let luck = Rng::new(self.guess);
        pictured!(&self.rules, state, board => foresee(&self.rules, state, board, luck, actions))
    }

    /// In how many of the ways that chance can go does an action leave a line that survives?
    pub(super) fn safety(&mut self, state: &State, action: Action) -> f64 {
        pictured!(&self.rules, state, board => safety(&self.rules, &board, action, &mut self.doomed))
    }
}

/// The most patient line of so many ticks that the miner survives: staying where it can.
fn stay_alive<W: Word, const H: usize, const M: usize>(
    rules: &Rules,
    mut board: Board<W, H, M>,
    mut luck: Luck,
    ticks: usize,
    doomed: &mut Table,
) -> (Vec<u8>, Board<W, H, M>, Luck) {
    let mut actions = Vec::new();
    while actions.len() < ticks {
        let safe = Action::ALL.iter().zip(0..).find_map(|(&action, number)| {
            let (mut next, mut chance) = (board, luck.clone());
            rules.tick_out_of_line(&mut next, action, &mut chance);
            doomed.clear();
            survives(rules, &next, &chance, SHIELD, doomed).then_some((number, next, chance))
        });
        let Some((number, next, chance)) = safe else { break };
        if next.ending.is_some() {
            break;
        }
        actions.push(number);
        (board, luck) = (next, chance);
    }
    (actions, board, luck)
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
        rules.tick_out_of_line(&mut board, Action::ALL[usize::from(action)], &mut luck);
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
        rules.tick_out_of_line(&mut next, action, &mut stories);
        doomed.clear();
        told += 1;
        lived += u32::from(survives(rules, &next, &Luck::new(Rng::new(u64::from(told))), SHIELD, doomed));
        if !stories.advance() || told as usize == MOST_STORIES {
            return f64::from(lived) / f64::from(told);
        }
    }
}
