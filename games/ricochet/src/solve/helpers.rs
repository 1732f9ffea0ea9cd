//! Arrangements of the helpers, and their packing into a key.

use damier_core::grid::{Cell, Dir};

use crate::robot::MAX_ROBOTS;
use crate::rules::Course;

/// An arrangement of the helpers and the course of the active robot, packed.
pub type Key = u64;

/// The cells of the helpers: all robots but the active one.
pub type Helpers<const H: usize> = [Cell; H];

/// The number of bits per cell in a key: boards have at most 1024 cells.
const CELL_BITS: u32 = 10;
/// The position of the active robot's course in a key.
const COURSE_SHIFT: u32 = CELL_BITS * (MAX_ROBOTS as u32 - 1);

/// Packs an arrangement and the course of the active robot. Interchangeable helpers are sorted by cell.
#[inline]
pub fn pack<const H: usize>(mut helpers: Helpers<H>, alike: bool, course: Course) -> Key {
    if alike {
        for last in 1..H {
            for index in (0..last).rev() {
                let (a, b) = (helpers[index], helpers[index + 1]);
                helpers[index] = a.min(b);
                helpers[index + 1] = a.max(b);
            }
        }
    }
    let cells = helpers.iter().rev().fold(0, |key, cell| key << CELL_BITS | Key::from(cell.0));
    cells | course_number(course) << COURSE_SHIFT
}

/// The cells of the helpers.
#[inline]
pub fn unpack<const H: usize>(key: Key) -> Helpers<H> {
    std::array::from_fn(|index| Cell((key >> (index as u32 * CELL_BITS)) as u16 & ((1 << CELL_BITS) - 1)))
}

/// The course of the active robot. Only the axis of a straight course matters, so only that is stored.
#[inline]
pub const fn course(key: Key) -> Course {
    match key >> COURSE_SHIFT {
        0 => Course::Turned,
        1 => Course::Still,
        2 => Course::Straight(Dir::North),
        _ => Course::Straight(Dir::East),
    }
}

const fn course_number(course: Course) -> Key {
    match course {
        Course::Turned => 0,
        Course::Still => 1,
        Course::Straight(Dir::North | Dir::South) => 2,
        Course::Straight(Dir::East | Dir::West) => 3,
    }
}
