//! The proof that a map cannot be won: every position that can come about is looked at, whatever chance does.

use damier_core::random::Chance;

use super::reach::is_worth_trying;
use super::table::Table;
use crate::board::{Board, Ending, Exact, Word};
use crate::rules::{Action, Rules};

/// The result of an exhaustive search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exhausted {
    /// There is a win, if chance is kind.
    Winnable,
    /// There is none.
    Impossible {
        /// The positions that can come about.
        positions: u64,
    },
    /// There are too many positions.
    TooMany,
}

/// Chance that goes through all that can happen, one story after the other.
#[derive(Clone, Default)]
pub(crate) struct Stories {
    /// What was drawn in this story, and how many numbers there were to draw from.
    drawn: Vec<(u32, u32)>,
    next: usize,
}

impl Chance for Stories {
    fn below(&mut self, bound: u32) -> u32 {
        if self.next == self.drawn.len() {
            self.drawn.push((0, bound));
        }
        self.next += 1;
        self.drawn[self.next - 1].0
    }
}

impl Stories {
    /// Goes on to the next story, if there is one.
    pub(crate) fn advance(&mut self) -> bool {
        self.next = 0;
        while let Some((drawn, bound)) = self.drawn.pop() {
            if drawn + 1 < bound {
                self.drawn.push((drawn + 1, bound));
                return true;
            }
        }
        false
    }
}

/// Ticks between two questions whether to stop.
const STOP_PERIOD: u64 = 32;

/// Looks at every position after this one, at most so many.
pub(crate) fn exhaust<W: Word, const H: usize, const M: usize>(
    rules: &Rules,
    start: &Board<W, H, M>,
    most: usize,
    stop: &mut dyn FnMut(u64) -> bool,
) -> Exhausted {
    let mut seen = Table::new();
    seen.count(rules.board_hash(start));
    let mut waiting = vec![*start];
    let (mut positions, mut ticks) = (1u64, 0u64);
    let mut stories = Stories::default();
    while let Some(board) = waiting.pop() {
        // The picture of a cave does not show all that an action can do: what lies beyond an open edge, or above things that
        // fall up.
        let is_tried = |&action: &Action| W::Exact::IS_CAVE || is_worth_trying(&board, action);
        for action in Action::ALL.into_iter().filter(is_tried) {
            loop {
                let mut next = board;
                rules.tick_out_of_line(&mut next, action, &mut stories);
                match next.ending {
                    Some(Ending::Won) => return Exhausted::Winnable,
                    None if seen.count(rules.board_hash(&next)) == 0 => {
                        waiting.push(next);
                        positions += 1;
                    }
                    _ => {}
                }
                ticks += 1;
                if positions > most as u64 || (ticks.is_multiple_of(STOP_PERIOD) && stop(positions)) {
                    return Exhausted::TooMany;
                }
                if !stories.advance() {
                    break;
                }
            }
        }
    }
    Exhausted::Impossible { positions }
}
