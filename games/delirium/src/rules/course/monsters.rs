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
    let resting = if is_multiple(board.tick, options.blue_pace) { 0 } else { BLUE };
    let Board { rows, beings, monsters, .. } = board;
    let beings = &mut beings[..usize::from(*monsters)];
    let mut wakes = 0;
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
    if wakes != 0 {
        wake_behind(board);
    }
}

/// Is the number of a tick a multiple of a pace, which is at least 1? Without a division, for which all would wait.
#[inline]
fn is_multiple(tick: u32, pace: u8) -> bool {
    let reciprocal = RECIPROCALS[usize::from(pace)];
    u64::from(tick).wrapping_mul(reciprocal) <= reciprocal.wrapping_sub(1)
}

/// Of each pace the part of 2^64, rounded up. A number of 32 bits is a multiple of the pace if and only if its product with
/// that, modulo 2^64, is less (Lemire, Kaser and Kurz, Faster remainder by direct computation).
static RECIPROCALS: [u64; 256] = {
    let mut reciprocals = [0; 256];
    let mut pace = 2;
    while pace < 256 {
        reciprocals[pace] = u64::MAX / pace as u64 + 1;
        pace += 1;
    }
    reciprocals
};

/// A monster's step, if one is possible: the monster afterwards, and the things that may lose their hold by it.
#[inline(always)]
fn step<W: Word, const H: usize>(number: u32, rows: &mut [Row<W>; H], left: &mut Left<W, H>) -> (u32, u8) {
    let spot = (number >> 5) as Spot;
    let (x, y) = (column_of::<W>(spot), row_of::<W>(spot));
    // One check instead of many.
    assert!(y.wrapping_sub(1) < H - 2, "no creature stands on the board's edge");
    let Some(rows) = rows[y - 1..].first_chunk_mut::<3>() else { unreachable!() };
    let Some(left) = left[y - 1..].first_chunk_mut::<2>() else { unreachable!() };
    let here = |bits: u64| W::from_low(bits) << (x - 1);
    // No monster has left the row below in this tick: they move row by row.
    let closed = [!rows[0].free() | left[0], !rows[1].free() | left[1], !rows[2].free()];
    left[1] |= here(0b010);
    let turn = Turn::of::<W>(number, around(closed, x));
    let things = |row: usize| (rows[row].things() >> (x - 1)).low64() as u8;
    let wakes = things(0) & turn.wakes[0] | things(1) & turn.wakes[1];
    // All three rows are written: where is known early, so that the processor need not wait with the next monster.
    rows[0].a |= here(turn.changes[0]);
    rows[1].a = rows[1].a ^ here(turn.changes[1]);
    rows[2].a |= here(turn.changes[2]);
    (number.wrapping_add_signed(turn.added.into()), wakes)
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
    wakes: [u8; 2],
    /// What is added to the packed monster.
    added: i16,
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
                let step = W::STEPS[dir + 1] as i16;
                return Self {
                    changes: [[0b010, 0b010, 0], [0, 0b110, 0], [0, 0b010, 0b010], [0, 0b011, 0]][dir],
                    wakes: woken(closed as u8),
                    added: (step << 5) + dir as i16 + 1 - heading as i16,
                };
            }
            attempt += 1;
        }
        Self::NONE
    }
}

/// The things that a cell between closed neighbours may set in motion when it becomes free: the one above falls; those
/// beside that one slide past the cell if they lie on something; those beside the cell slide into it if the one below is
/// open.
///
/// Of two cells, one above the other, that become free in the same tick, the upper one sees the lower one closed. But what
/// slides into the upper one lies beside it, on something beside the lower one, and so the lower one finds it.
const fn woken(closed: u8) -> [u8; 2] {
    let own = if closed & 0b1000 == 0 { closed & 0b101 } else { 0 };
    [closed & 0b101 | 0b010, own]
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

#[cfg(test)]
mod tests {
    use super::is_multiple;

    #[test]
    fn multiples_are_found_without_a_division() {
        let ticks = (0..2_000).chain(u32::MAX - 2_000..=u32::MAX);
        for (tick, pace) in ticks.flat_map(|tick| (1..=u8::MAX).map(move |pace| (tick, pace))) {
            assert_eq!(is_multiple(tick, pace), tick.is_multiple_of(pace.into()), "{tick} by {pace}");
        }
    }
}
