//! The monsters of the course project's engine.
//!
//! A monster with a heading tries left, straight, right, back; without one up, right, down, left. All that a step changes
//! is looked up in a table by the heading and the four neighbours, so that no branch depends on where a monster goes.

use std::marker::PhantomData;

use super::{Left, Options};
use crate::board::{BLUE, Board, Row, Spot, Walker, Word, column_of, movable, row_of};
use crate::kind::Kind;

/// Each monster takes its step; blue ones only at their pace.
#[inline(always)]
pub(super) fn walk<W: Word, const H: usize, const M: usize>(
    options: Options,
    board: &mut Board<W, H, M>,
    left: &mut Left<W, H>,
) {
    let resting = if board.tick.is_multiple_of(u32::from(options.blue_pace)) { 0 } else { BLUE };
    let Board { rows, beings, monsters, .. } = board;
    let beings = &mut beings[..usize::from(*monsters)];
    let mut wakes = W::ZERO;
    // The order of the spots is restored on the way: the greatest monster so far is held back, all others are stored. That
    // is one pass of a bubble sort, and nearly always enough.
    let (mut greatest, mut stored, mut disorder) = (W::Being::default(), W::Being::default(), 0);
    for index in 0..beings.len() {
        let mut being = beings[index];
        let number: u32 = being.into();
        if number & resting == 0 {
            let (after, woken) = step(number, rows, left);
            being = W::being(after);
            wakes |= woken;
        }
        let lesser = greatest.min(being);
        greatest = greatest.max(being);
        disorder += u32::from(lesser < stored);
        stored = lesser;
        if index > 0 {
            beings[index - 1] = lesser;
        }
    }
    if let Some(last) = beings.last_mut() {
        *last = greatest;
    }
    if disorder != 0 {
        board.sort_walkers();
    }
    if wakes != W::ZERO {
        wake_behind(board);
    }
}

/// A monster's step, if one is possible: the monster afterwards, and the things that may lose their hold by it.
#[inline(always)]
fn step<W: Word, const H: usize>(number: u32, rows: &mut [Row<W>; H], left: &mut Left<W, H>) -> (u32, W) {
    let spot = (number >> 5) as Spot;
    let (x, y) = (column_of::<W>(spot), row_of::<W>(spot));
    // One check instead of many.
    assert!(y.wrapping_sub(1) < H - 2, "no creature stands on the board's edge");
    let Some(rows) = rows[y - 1..].first_chunk_mut::<3>() else { unreachable!() };
    let Some(left) = left[y - 1..].first_chunk_mut::<3>() else { unreachable!() };
    let here = |bits: u64| W::from_low(bits) << (x - 1);
    let mut turn = Turn::of::<W>(number, around(rows.each_ref().map(Row::free).map(W::not), x));
    let wakes = rows[0].things() & here(turn.wakes[0]) | rows[1].things() & here(turn.wakes[1]);
    if ((left[0] | left[1] | left[2]) >> (x - 1)).low64() & 0b111 != 0 {
        turn = turn_among(rows, left, number, x);
    }
    // All three rows are written: where is known early, so that the processor need not wait with the next monster.
    rows[0].a |= here(turn.changes[0]);
    rows[1].a = rows[1].a ^ here(turn.changes[1]);
    rows[2].a |= here(turn.changes[2]);
    left[1] |= here(turn.changes[1]);
    if number & BLUE != 0 {
        rows[0].c |= here(turn.changes[0]);
        rows[1].c = rows[1].c ^ here(turn.changes[1]);
        rows[2].c |= here(turn.changes[2]);
    }
    (number.wrapping_add(turn.added), wakes)
}

/// The turn of a monster near a cell that somebody has left in this tick: rare, so nobody looks for it before.
#[cold]
#[inline(never)]
fn turn_among<W: Word>(rows: &[Row<W>; 3], left: &[W; 3], number: u32, x: u32) -> &'static Turn {
    let closed = [0, 1, 2].map(|row| !rows[row].free() | left[row]);
    Turn::of::<W>(number, around(closed, x))
}

/// Of three rows, the bits around a column of the middle one: west, north, east, south.
#[inline]
fn around<W: Word>(rows: [W; 3], x: u32) -> u32 {
    let [north, own, south] = rows.map(|row| (row >> (x - 1)).low64() as u32);
    own & 0b101 | north & 0b10 | (south & 0b10) << 2
}

/// Wakes the things that lose their hold by what monsters have left.
#[inline(never)]
fn wake_behind<W: Word, const H: usize, const M: usize>(board: &mut Board<W, H, M>) {
    for index in 0..usize::from(board.monsters) {
        let walker = Walker::unpack::<W>(board.beings[index]);
        let Some(heading) = walker.heading else { continue };
        let behind = Board::<W, H, M>::beside(walker.spot, heading.opposite());
        if board.kind(behind) == Kind::Empty {
            board.awake |= movable(&board.rows, behind);
        }
    }
}

/// What a monster's step changes. Of three rows, the one above the monster's, its own and the one below, bits stand for
/// three columns from the one before the monster's on.
#[derive(Clone, Copy)]
struct Turn {
    /// The monster's bits that change in the three rows.
    changes: [u64; 3],
    /// The things that the step may set in motion, in the row above and in its own.
    wakes: [u64; 2],
    /// What is added to the packed monster.
    added: u32,
}

impl Turn {
    /// No step.
    const NONE: Self = Self { changes: [0; 3], wakes: [0; 2], added: 0 };

    /// The turn of a packed monster between the closed neighbours, a bit each: west, north, east, south.
    #[inline]
    fn of<W: Word>(number: u32, closed: u32) -> &'static Self {
        &Turns::<W>::TABLE[(closed << 3 | number & 7) as usize & 127]
    }

    /// The turn of a monster with a heading: 0 none, then north, east, south, west.
    const fn new<W: Word>(heading: usize, closed: usize) -> Self {
        let mut attempt = 0;
        while attempt < 4 {
            let dir = if heading == 0 { attempt } else { (heading - 1 + 3 + attempt) % 4 };
            if closed >> ((dir + 1) % 4) & 1 == 0 {
                let step = W::STEPS[dir + 1] as i16 as i32;
                return Self {
                    changes: [[0b010, 0b010, 0], [0, 0b110, 0], [0, 0b010, 0b010], [0, 0b011, 0]][dir],
                    wakes: woken(closed),
                    added: ((step << 5) + dir as i32 + 1 - heading as i32) as u32,
                };
            }
            attempt += 1;
        }
        Self::NONE
    }
}

/// The things that a cell between closed neighbours may set in motion when it becomes free: the one above falls, those
/// beside that one slide if the cell above is open, those beside the cell itself if the one below is.
///
/// A neighbour that is closed now and leaves in the same tick, but later, sees this cell open then.
const fn woken(closed: usize) -> [u64; 2] {
    let above = if closed & 0b10 == 0 { 0b101 } else { 0b010 };
    let own = if closed & 0b1000 == 0 { 0b101 } else { 0 };
    [above, own]
}

/// The turns of all headings, 0 to 4 of 8, between all closed neighbours.
struct Turns<W>(PhantomData<W>);

impl<W: Word> Turns<W> {
    const TABLE: [Turn; 128] = {
        let mut turns = [Turn::NONE; 128];
        let mut index = 0;
        while index < 128 {
            if index % 8 < 5 {
                turns[index] = Turn::new::<W>(index % 8, index / 8);
            }
            index += 1;
        }
        turns
    };
}
