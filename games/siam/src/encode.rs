//! Encoding for learners: actions, masks and planes.

use damier_core::Game;
use damier_core::encode::{Canvas, Encode, Plane};
use damier_core::game::Seat;
use damier_core::grid::Size;
use damier_core::random::Chance;

use crate::action::{MOVE_COUNT, Move};
use crate::board::{ANIMALS, Piece, Square, WIDTH, each};
use crate::moves::MoveList;
use crate::rules::{Rules, State};

/// Own and other are relative to the seat. The board is not rotated, so actions mean the same for both seats.
const PLANES: [Plane; 12] = [
    Plane::marks("mountain"),
    Plane::marks("own north"),
    Plane::marks("own east"),
    Plane::marks("own south"),
    Plane::marks("own west"),
    Plane::marks("other north"),
    Plane::marks("other east"),
    Plane::marks("other south"),
    Plane::marks("other west"),
    Plane::values("own hand", ANIMALS),
    Plane::values("other hand", ANIMALS),
    Plane::marks("to move"),
];
const MOUNTAIN: usize = 0;
const ANIMAL: [usize; 2] = [1, 5];
const HAND: [usize; 2] = [9, 10];
const TO_MOVE: usize = 11;

/// Marks a square, whose row is counted from the south.
#[inline]
fn mark(canvas: &mut Canvas<'_>, plane: usize, square: Square) {
    canvas.put(plane, square.column() as u16, (WIDTH - 1 - square.row()) as u16, 1);
}

impl Encode for Rules {
    fn action_count(&self) -> usize {
        MOVE_COUNT
    }

    #[inline]
    fn numbered(&self, number: usize) -> Move {
        Move::numbered(number)
    }

    #[inline]
    fn number(&self, action: Move) -> Option<usize> {
        action.number().map(usize::from)
    }

    #[inline]
    fn allows(&self, state: &State, action: Move) -> bool {
        state.ending.is_none() && action.number().is_some() && self.moves().allows(&state.board, action)
    }

    fn mask(&self, state: &State, mask: &mut [u8]) {
        mask.fill(0);
        if state.ending.is_none() {
            let mut moves = MoveList::new();
            self.moves().list(&state.board, &mut moves);
            for number in moves.iter().filter_map(|action| action.number()) {
                mask[usize::from(number)] = 1;
            }
        }
    }

    fn planes(&self) -> &'static [Plane] {
        &PLANES
    }

    fn extent(&self) -> Size {
        Size::new(WIDTH as u16, WIDTH as u16)
    }

    fn write(&self, state: &State, seat: Seat, canvas: &mut Canvas<'_>) {
        let board = &state.board;
        let own = self.side_of(seat);
        canvas.clear();
        for square in each(board.mountains()) {
            mark(canvas, MOUNTAIN, square);
        }
        for (index, side) in [own, !own].into_iter().enumerate() {
            for square in each(board.animals(side)) {
                if let Some(Piece::Animal(_, dir)) = board.piece(square) {
                    mark(canvas, ANIMAL[index] + dir.index(), square);
                }
            }
            canvas.fill(HAND[index], board.hand(side));
        }
        canvas.fill(TO_MOVE, u8::from(state.ending.is_none() && board.side() == own));
    }

    /// Rewrites all planes: a board is small, and copying the state with its history would cost more.
    #[inline]
    fn advance<C: Chance + ?Sized>(
        &self,
        state: &mut State,
        action: Move,
        chance: &mut C,
        seat: Seat,
        canvas: &mut Canvas<'_>,
    ) {
        self.apply(state, action, chance);
        self.write(state, seat, canvas);
    }
}
