//! The game by numbers: actions, masks and planes.

use damier_core::encode::{Canvas, Encode, Plane};
use damier_core::game::Seat;
use damier_core::grid::Size;

use crate::board::{Row, Walker, column_of, row_of};
use crate::kind::Kind;
use crate::level::Map;
use crate::observe::in_view;
use crate::rules::{Action, MAX_VIEW, Rules, SmallBoard, State};

/// What observations tell of a cell is its code; the usual codes have a plane each.
const PLANES: [Plane; 12] = [
    Plane::marks("grass"),
    Plane::marks("diamond"),
    Plane::marks("rock"),
    Plane::marks("border"),
    Plane::marks("wall"),
    Plane::marks("exit"),
    Plane::marks("miner"),
    Plane::marks("blue monster"),
    Plane::marks("red monster"),
    Plane::values("other code", u8::MAX),
    Plane::marks("out of view"),
    Plane::values("diamonds missing", u8::MAX),
];
const BORDER: usize = 3;
const OTHER: usize = 9;
const OUT_OF_VIEW: usize = 10;
const MISSING: usize = 11;

/// The plane that shows a code, and its value there; none for an empty cell.
#[inline]
fn plane_of(code: u8) -> Option<(usize, u8)> {
    Some(match code {
        0 => return None,
        1 => (0, 1),
        2 => (1, 1),
        3 => (2, 1),
        4 => (BORDER, 1),
        6 => (4, 1),
        21 => (5, 1),
        22 => (6, 1),
        24 => (7, 1),
        25 => (8, 1),
        other => (OTHER, other),
    })
}

fn missing(state: &State) -> u8 {
    state.missing().min(u8::MAX.into()) as u8
}

/// The cells of a row that differ.
#[inline]
fn changed(before: &Row<u64>, after: &Row<u64>) -> u64 {
    let Row { a, b, c, d } = *before;
    (a ^ after.a) | (b ^ after.b) | (c ^ after.c) | (d ^ after.d)
}

/// Shows a change of a cell: what it was is taken away, what it is now put there.
#[inline]
fn change(canvas: &mut Canvas<'_>, (x, y): (u16, u16), before: Kind, after: Kind) {
    if let Some((plane, _)) = plane_of(before.code()) {
        canvas.put(plane, x, y, 0);
    }
    if let Some((plane, value)) = plane_of(after.code()) {
        canvas.put(plane, x, y, value);
    }
}

/// The planes of a board show every monster as a red one.
fn colour(walker: Walker) -> Kind {
    if walker.blue { Kind::Blue } else { Kind::Red }
}

/// Compares two boards whole rows at a time.
fn update_small(before: &SmallBoard, after: &SmallBoard, ring: u16, canvas: &mut Canvas<'_>) {
    let place = |x: u32, y: usize| (x as u16 - ring, y as u16 - ring);
    for walker in before.walkers() {
        let at = place(column_of::<u64>(walker.spot), row_of::<u64>(walker.spot));
        change(canvas, at, colour(walker), Kind::Red);
    }
    for (y, (old, new)) in before.rows.iter().zip(&after.rows).enumerate() {
        let mut cells = changed(old, new);
        while cells != 0 {
            let x = cells.trailing_zeros();
            change(canvas, place(x, y), old.kind(x), new.kind(x));
            cells &= cells - 1;
        }
    }
    for walker in after.walkers() {
        let at = place(column_of::<u64>(walker.spot), row_of::<u64>(walker.spot));
        change(canvas, at, Kind::Red, colour(walker));
    }
}

impl Encode for Rules {
    fn action_count(&self) -> usize {
        Action::ALL.len() + 1
    }

    #[inline]
    fn numbered(&self, number: usize) -> Action {
        Action::ALL.get(number).copied().unwrap_or(Action::Look)
    }

    fn number(&self, action: Action) -> Option<usize> {
        Some(Action::ALL.iter().position(|&other| other == action).unwrap_or(Action::ALL.len()))
    }

    #[inline]
    fn allows(&self, state: &State, action: Action) -> bool {
        let (x, y) = state.view();
        state.ending().is_none() && (action != Action::Look || (1..MAX_VIEW).contains(&x.min(y)))
    }

    fn mask(&self, state: &State, mask: &mut [u8]) {
        mask.fill(u8::from(state.ending().is_none()));
        if let Some(look) = mask.last_mut() {
            *look = u8::from(self.allows(state, Action::Look));
        }
    }

    fn planes(&self) -> &'static [Plane] {
        &PLANES
    }

    fn extent(&self) -> Size {
        let sizes = || self.level().maps().iter().map(Map::size);
        let side = |side: fn(Size) -> u16| sizes().map(side).max().unwrap_or(1);
        Size::new(side(|size| size.width), side(|size| size.height))
    }

    fn write(&self, state: &State, _: Seat, canvas: &mut Canvas<'_>) {
        let size = self.size(state);
        let (columns, rows) = in_view(self, state);
        canvas.clear();
        canvas.fill_outside(BORDER, size, 1);
        for cell in size.cells() {
            let (x, y) = size.xy(cell);
            if !columns.contains(&x) || !rows.contains(&y) {
                canvas.put(OUT_OF_VIEW, x, y, 1);
            } else if let Some((plane, value)) = plane_of(self.kind(state, cell).code()) {
                canvas.put(plane, x, y, value);
            }
        }
        canvas.fill(MISSING, missing(state));
    }

    #[inline]
    fn update(&self, before: &State, after: &State, seat: Seat, canvas: &mut Canvas<'_>) {
        match (before, after) {
            (State::Small(old), State::Small(new)) if old.stage == new.stage && new.view == (0, 0) => {
                // The border that the board has and the map has not.
                let (column, _) = self.size(after).xy(self.miner(after));
                let ring = column_of::<u64>(new.miner()) as u16 - column;
                update_small(old, new, ring, canvas);
                if old.missing != new.missing {
                    canvas.fill(MISSING, missing(after));
                }
            }
            _ => self.write(after, seat, canvas),
        }
    }
}
