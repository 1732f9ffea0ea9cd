//! The static evaluation of a position for the side to move.
//!
//! The value is a sum over the five rows, the five columns and the two hands. Each row or column is looked up as a whole:
//! one number for each of its 32,768 possible contents, from the view of the side to move, in each of three classes (a line
//! at the edge, next to the edge, or through the centre). So mountains near the edge, the animals and the net force behind
//! them, gaps in a line, blocked animals and the tempo are all in the table, which is learnt from self-play
//! (`cargo run --release -p damier-siam --example tune`).
//!
//! A value of [`UNIT`] makes a win e times as likely as a loss.

use std::sync::{Arc, LazyLock};

use crate::board::{ANIMALS, Board, Side, WIDTH};
use crate::line::{LINES, Line, reversed, swapped};

/// The value that makes a win e times as likely as a loss.
pub const UNIT: i32 = 200;

/// Lines at the edge, next to it, through the centre.
pub const CLASSES: usize = 3;
/// The class of each row and each column.
pub static CLASS_OF: [usize; 2 * WIDTH] = [0, 1, 2, 1, 0, 0, 1, 2, 1, 0];
/// The number of pairs of animals in hand.
pub const HANDS: usize = (ANIMALS as usize + 1) * (ANIMALS as usize + 1);

/// A value in the table.
pub type Weight = i16;

/// The table of an evaluation.
#[derive(Clone)]
pub struct Evaluation {
    /// By class and line, for elephants and for rhinos to move.
    lines: Box<[[Weight; 2]; CLASSES * LINES]>,
    /// By the animals in the mover's and the opponent's hand.
    hands: [Weight; HANDS],
}

/// The index of a pair of hands.
#[inline]
pub fn hands_index(board: &Board, side: Side) -> usize {
    usize::from(board.hand(side)) * (usize::from(ANIMALS) + 1) + usize::from(board.hand(!side))
}

/// The lines that are not the mirror image of a smaller one, in order: those with a weight of their own.
pub fn canonical_lines() -> impl Iterator<Item = Line> {
    (0..LINES as Line).filter(|&line| line <= reversed(line))
}

impl Evaluation {
    /// The shipped evaluation.
    pub fn shipped() -> Arc<Self> {
        static SHIPPED: LazyLock<Arc<Evaluation>> = LazyLock::new(|| {
            let weights = include_bytes!("weights.bin");
            Arc::new(Evaluation::from_bytes(weights).expect("the shipped weights are complete"))
        });
        Arc::clone(&SHIPPED)
    }

    /// An evaluation from its weights: those of the canonical lines of each class, then those of the hands.
    pub fn new(weights: &[Weight]) -> Option<Self> {
        let canonical: Vec<Line> = canonical_lines().collect();
        if weights.len() != CLASSES * canonical.len() + HANDS {
            return None;
        }
        let mut lines: Box<[[Weight; 2]; CLASSES * LINES]> =
            vec![[0; 2]; CLASSES * LINES].into_boxed_slice().try_into().ok()?;
        let (line_weights, hand_weights) = weights.split_at(CLASSES * canonical.len());
        for (class, weights) in line_weights.chunks_exact(canonical.len()).enumerate() {
            for (&line, &weight) in canonical.iter().zip(weights) {
                for line in [line, reversed(line)] {
                    lines[class * LINES + usize::from(line)][Side::Elephants.index()] = weight;
                    lines[class * LINES + usize::from(swapped(line))][Side::Rhinos.index()] = weight;
                }
            }
        }
        Some(Self { lines, hands: hand_weights.try_into().ok()? })
    }

    /// An evaluation from bytes: the weights of [`new`](Self::new) in little-endian order.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let weights: Vec<Weight> =
            bytes.chunks_exact(2).map(|pair| Weight::from_le_bytes([pair[0], pair[1]])).collect();
        Self::new(&weights)
    }

    /// The value of a position for the side to move.
    #[inline]
    pub fn worth(&self, board: &Board) -> i32 {
        let side = board.side().index();
        let lines: i32 = board
            .lines()
            .iter()
            .zip(CLASS_OF)
            .map(|(&line, class)| i32::from(self.lines[class * LINES + usize::from(line) % LINES][side]))
            .sum();
        lines + i32::from(self.hands[hands_index(board, board.side())])
    }
}
