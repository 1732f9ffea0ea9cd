//! One tick of the course project's engine.
//!
//! A turn reads like the rule book: the miner, the monsters, rocks and diamonds from the bottom row up, deaths, explosions.
//! Everybody sees the map as it was at the start of the tick: a cell is free only if it was empty then and nobody has
//! claimed it since. So whoever moves appears in the new cell at once, and the old one is emptied only at the end.

use std::marker::PhantomData;

use arrayvec::ArrayVec;
use damier_core::grid::Dir;
use damier_core::random::Chance;

use super::{Action, Options, Slide};
use crate::board::{BLUE, Board, Ending, Explosion, Row, Spot, Word, column_of, delta, key, movable, row_of};
use crate::kind::Kind;

/// Plays one tick.
#[inline]
pub(super) fn tick<W: Word, const H: usize, const M: usize, C: Chance + ?Sized>(
    options: Options,
    board: &mut Board<W, H, M>,
    action: Action,
    chance: &mut C,
) {
    board.tick += 1;
    let awake = std::mem::replace(&mut board.awake, W::ZERO);
    let mut left = [W::ZERO; H];
    let step = miner(board, action, &mut left);
    if board.ending.is_some() {
        return;
    }
    monsters(options, board, &mut left);
    let mut crushing = Crushing::new();
    gravity(options, board, awake, &left, chance, &mut crushing);
    finish_step(board, &step);
    if board.explosions > 0 {
        board.burn();
    }
    deaths(options, board, &crushing);
}

/// The cells that were left or dug in this tick, row by row: empty, but closed to everybody until its end.
type Left<W, const H: usize> = [W; H];

/// What of the miner's action is done at the end of the tick.
enum Step {
    /// Nothing.
    Done,
    /// The miner takes the place of a diamond, which until then held up what lies on it.
    Gathered,
    /// The miner takes the place of the first of so many rocks, which until then held up what lies on them.
    Pushed(Dir, u16),
}

/// The miner enters empty, grass, diamond or the open exit, or pushes rocks left, right or up, or digs.
#[inline]
fn miner<W: Word, const H: usize, const M: usize>(
    board: &mut Board<W, H, M>,
    action: Action,
    left: &mut Left<W, H>,
) -> Step {
    let from = board.miner;
    let dir = match action {
        Action::Stay | Action::Look => return Step::Done,
        Action::Go(dir) => dir,
        Action::Dig(dir) => {
            dig(board, Board::<W, H, M>::beside(from, dir), left);
            return Step::Done;
        }
    };
    let to = from.wrapping_add(delta::<W>(dir));
    let mask = W::ONE << column_of::<W>(to);
    let step = match board.kind(to) {
        kind @ (Kind::Empty | Kind::Dirt) => {
            board.grass_hash ^= key(to, kind);
            let row = &mut board.rows[row_of::<W>(to)];
            row.a |= mask;
            row.b &= !mask;
            row.d |= mask;
            Step::Done
        }
        Kind::Diamond => {
            board.hash ^= key(to, Kind::Diamond);
            board.gathered += 1;
            board.missing = board.missing.saturating_sub(1);
            // Slippery as the diamond was, but it does not move any more.
            board.paint(to, Kind::Wall);
            Step::Gathered
        }
        Kind::Exit if board.missing == 0 => {
            board.put(to, Kind::Miner);
            board.ending = Some(Ending::Won);
            Step::Done
        }
        Kind::Rock if dir != Dir::South => match push(board, to, dir) {
            0 => return Step::Done,
            rocks => Step::Pushed(dir, rocks),
        },
        _ => return Step::Done,
    };
    board.miner = to;
    let row = &mut board.rows[row_of::<W>(from)];
    let mask = W::ONE << column_of::<W>(from);
    row.a &= !mask;
    row.d &= !mask;
    left[row_of::<W>(from)] |= mask;
    board.wake_around(from);
    step
}

/// Digs a cell, if there is grass.
fn dig<W: Word, const H: usize, const M: usize>(
    board: &mut Board<W, H, M>,
    spot: Spot,
    left: &mut Left<W, H>,
) {
    if board.kind(spot) == Kind::Dirt {
        board.put(spot, Kind::Empty);
        left[row_of::<W>(spot)] |= W::ONE << column_of::<W>(spot);
        board.wake_around(spot);
    }
}

/// A chain of rocks moves if the cell behind it is empty: how many are there?
fn push<W: Word, const H: usize, const M: usize>(board: &mut Board<W, H, M>, first: Spot, dir: Dir) -> u16 {
    let mut end = first;
    let mut rocks = 0;
    while board.kind(end) == Kind::Rock {
        end = end.wrapping_add(delta::<W>(dir));
        rocks += 1;
    }
    if board.kind(end) != Kind::Empty {
        return 0;
    }
    board.hash ^= key(first, Kind::Rock) ^ key(end, Kind::Rock);
    // Nothing of the chain moves otherwise in this tick: its old cells stay slippery, the new one is claimed.
    let mut spot = first;
    while spot != end {
        board.paint(spot, Kind::Wall);
        spot = spot.wrapping_add(delta::<W>(dir));
    }
    board.paint(end, Kind::FallingRock);
    rocks
}

/// For a heading (0 none, then north, east, south, west) and the closed neighbours (a bit each: west, north, east, south),
/// at `heading * 16 + closed`: the new heading; 0 if all is closed. With a heading: left, straight, right, back. Without:
/// up, right, down, left.
const TURN: [u8; 128] = {
    let mut turn = [0; 128];
    let mut heading = 0;
    while heading < 5 {
        let mut closed = 0;
        while closed < 16 {
            let mut attempt = 4;
            while attempt > 0 {
                attempt -= 1;
                let dir = if heading == 0 { attempt } else { (heading - 1 + 3 + attempt) % 4 };
                if closed >> ((dir + 1) % 4) & 1 == 0 {
                    turn[heading * 16 + closed] = dir as u8 + 1;
                }
            }
            closed += 1;
        }
        heading += 1;
    }
    turn
};

/// What is added to a packed monster without its heading for the step that [`TURN`] says; 0 if it stays.
struct Steps<W>(PhantomData<W>);

impl<W: Word> Steps<W> {
    const TABLE: [u32; 128] = {
        let mut steps = [0; 128];
        let mut index = 0;
        while index < 128 {
            let heading = TURN[index] as usize;
            let step = W::STEPS[heading] as i16 as i32;
            steps[index] = (step << 5) as u32 + heading as u32;
            index += 1;
        }
        steps
    };
}

/// Each monster takes its step; blue ones only at their pace.
fn monsters<W: Word, const H: usize, const M: usize>(
    options: Options,
    board: &mut Board<W, H, M>,
    left: &mut Left<W, H>,
) {
    let resting = if board.tick.is_multiple_of(u32::from(options.blue_pace)) { 0 } else { BLUE };
    let Board { rows, beings, monsters, awake, .. } = board;
    let mut in_order = true;
    let mut last = W::Being::default();
    for being in &mut beings[..usize::from(*monsters)] {
        let number: u32 = (*being).into();
        if number & resting == 0 {
            let spot = (number >> 5) as Spot;
            let (x, y) = (column_of::<W>(spot), row_of::<W>(spot));
            let (closed, beside_things) = around(rows, left, x, y);
            let step = Steps::<W>::TABLE[((number & 7) << 4 | closed) as usize & 127];
            if step != 0 {
                let number = (number & !7).wrapping_add(step);
                *being = W::being(number);
                let from = W::ONE << x;
                rows[y].a &= !from;
                rows[y].c &= !from;
                left[y] |= from;
                let to = (number >> 5) as Spot;
                let mask = W::ONE << column_of::<W>(to);
                let row = &mut rows[row_of::<W>(to)];
                row.a |= mask;
                row.c |= if number & BLUE == 0 { W::ZERO } else { mask };
                if beside_things {
                    // What else comes to lie there in this tick has moved itself, and wakes its rows by that.
                    *awake |= movable(rows, spot);
                }
            }
        }
        in_order &= last <= *being;
        last = *being;
    }
    if !in_order {
        board.sort_walkers();
    }
}

/// The neighbours of a cell that are not free, a bit each: west, north, east, south. And is there a thing above or beside
/// it?
#[inline]
fn around<W: Word, const H: usize>(rows: &[Row<W>; H], left: &Left<W, H>, x: u32, y: usize) -> (u32, bool) {
    // One check instead of three.
    assert!(y.wrapping_sub(1) < H - 2, "no creature stands on the board's edge");
    let three = |bits: W| (bits >> (x - 1)).low64() as u32;
    let closed = |y: usize| three(rows[y].a | rows[y].b | left[y]);
    let things = three(rows[y - 1].things() | rows[y].things());
    (closed(y) & 0b101 | closed(y - 1) & 0b10 | (closed(y + 1) & 0b10) << 2, things & 0b111 != 0)
}

/// Per row in which something fell towards a creature: the columns.
type Crushing<W, const H: usize> = ArrayVec<(usize, W), H>;

/// A row as it was at the start of the tick, less what is claimed.
struct Before<W> {
    y: usize,
    free: W,
    slippery: W,
}

/// Rocks and diamonds, bottom row first: each falls if the cell below is free, or slides off something slippery if the
/// side and the diagonal below are free.
#[inline]
fn gravity<W: Word, const H: usize, const M: usize, C: Chance + ?Sized>(
    options: Options,
    board: &mut Board<W, H, M>,
    mut rows: W,
    left: &Left<W, H>,
    chance: &mut C,
    crushing: &mut Crushing<W, H>,
) {
    let mut before = Before { y: H, free: W::ZERO, slippery: W::ZERO };
    while rows != W::ZERO {
        let y = rows.highest() as usize;
        rows &= !(W::ONE << y as u32);
        let own = board.rows[y];
        let loose = own.loose();
        if loose == W::ZERO {
            continue;
        }
        if before.y != y + 1 {
            let below = &board.rows[y + 1];
            before = Before { y: y + 1, free: below.free() & !left[y + 1], slippery: below.slippery() };
        }
        let falls = loose & before.free;
        let free = own.free() & !left[y];
        let slides = loose & !before.free & before.slippery;
        let to_left = slides & free << 1 & before.free << 1;
        let to_right = slides & free >> 1 & before.free >> 1;
        if falls | to_left | to_right == W::ZERO {
            continue;
        }
        before = Before { y, free, slippery: own.slippery() };
        if falls != W::ZERO {
            fall(board, y, falls, crushing);
        }
        if to_left | to_right != W::ZERO {
            slide(options, board, y, [to_left, to_right], &mut before.free, chance);
        }
        board.wake_rows_near(y);
    }
}

/// Moves things of a row one row down.
#[inline]
fn fall<W: Word, const H: usize, const M: usize>(
    board: &mut Board<W, H, M>,
    y: usize,
    falls: W,
    crushing: &mut Crushing<W, H>,
) {
    let own = board.rows[y];
    let mut rest = falls;
    while rest != W::ZERO {
        let x = rest.lowest();
        rest &= !(W::ONE << x);
        let (kind, spot) = (own.kind(x), Board::<W, H, M>::spot(x as u16, y as u16));
        board.hash ^= key(spot, kind) ^ key(spot + (1 << W::LOG), kind);
    }
    let below = &mut board.rows[y + 1];
    below.a |= falls;
    below.b |= falls;
    below.d |= falls & own.d;
    board.rows[y].clear(falls);
    // The board's last row is border, so there is a row below the one that things fall to.
    let mut creatures = board.rows[y + 2].creatures();
    if row_of::<W>(board.miner) == y + 2 {
        creatures |= W::ONE << column_of::<W>(board.miner);
    }
    if creatures & falls != W::ZERO {
        crushing.push((y + 2, falls));
    }
}

/// Slides things of a row sideways, from the left to the right.
fn slide<W: Word, const H: usize, const M: usize, C: Chance + ?Sized>(
    options: Options,
    board: &mut Board<W, H, M>,
    y: usize,
    [to_left, to_right]: [W; 2],
    free: &mut W,
    chance: &mut C,
) {
    let mut rest = to_left | to_right;
    while rest != W::ZERO {
        let x = rest.lowest();
        let mask = W::ONE << x;
        rest &= !mask;
        let left = to_left & mask & *free << 1 != W::ZERO;
        let right = to_right & mask & *free >> 1 != W::ZERO;
        let goes_left = match (left, right) {
            (false, false) => continue,
            (true, true) => match options.slide {
                Slide::Random => chance.below(2) == 0,
                Slide::Left => true,
                Slide::Right => false,
            },
            _ => left,
        };
        let to = if goes_left { x - 1 } else { x + 1 };
        *free &= !(W::ONE << to);
        let kind = board.rows[y].kind(x);
        let spot = |x: u32| Board::<W, H, M>::spot(x as u16, y as u16);
        board.hash ^= key(spot(x), kind) ^ key(spot(to), kind);
        board.rows[y].clear(mask);
        board.rows[y].add(W::ONE << to, kind);
    }
}

/// The miner appears where something else held up what lies on it, and pushed rocks where they are now.
#[inline]
fn finish_step<W: Word, const H: usize, const M: usize>(board: &mut Board<W, H, M>, step: &Step) {
    match *step {
        Step::Done => {}
        Step::Gathered => board.paint(board.miner, Kind::Miner),
        Step::Pushed(dir, rocks) => {
            let mut spot = board.miner;
            board.paint(spot, Kind::Miner);
            for _ in 0..rocks {
                spot = spot.wrapping_add(delta::<W>(dir));
                board.paint(spot, Kind::Rock);
                board.wake_rows_near(row_of::<W>(spot));
            }
        }
    }
}

/// What fell and now stands right above a creature crushes it; a monster beside the miner kills. Each death is an
/// explosion, in the order of their cells.
#[inline]
fn deaths<W: Word, const H: usize, const M: usize>(
    options: Options,
    board: &mut Board<W, H, M>,
    crushing: &Crushing<W, H>,
) {
    let miner_dies = touched(board) || crushes_miner(board, crushing);
    if miner_dies || !crushing.is_empty() {
        die(options, board, crushing, miner_dies);
    }
}

#[cold]
#[inline(never)]
fn die<W: Word, const H: usize, const M: usize>(
    options: Options,
    board: &mut Board<W, H, M>,
    crushing: &Crushing<W, H>,
    miner_dies: bool,
) {
    let mut victims = ArrayVec::<Explosion, M>::new();
    for &(y, falls) in crushing.iter().rev() {
        let mut hit = board.rows[y].creatures() & falls;
        while hit != W::ZERO {
            let x = hit.lowest();
            hit &= !(W::ONE << x);
            let spot = Board::<W, H, M>::spot(x as u16, y as u16);
            if spot == board.miner {
                board.ending = Some(Ending::Crushed);
            } else if let Some(blue) = board.take_walker(spot) {
                let ticks = if blue { options.blue_blast_ticks } else { options.blast_ticks };
                victims.push(Explosion { spot, diamonds: blue, ticks });
            }
        }
    }
    if miner_dies {
        board.ending.get_or_insert(Ending::Caught);
        victims.push(Explosion { spot: board.miner, diamonds: false, ticks: options.blast_ticks });
    }
    for explosion in victims {
        board.explode(explosion);
    }
}

fn crushes_miner<W: Word, const H: usize, const M: usize>(
    board: &Board<W, H, M>,
    crushing: &Crushing<W, H>,
) -> bool {
    let (y, mask) = (row_of::<W>(board.miner), W::ONE << column_of::<W>(board.miner));
    crushing.iter().any(|&(row, falls)| row == y && falls & mask != W::ZERO)
}

/// Is a monster right beside the miner?
#[inline]
fn touched<W: Word, const H: usize, const M: usize>(board: &Board<W, H, M>) -> bool {
    if board.monsters == 0 {
        return false;
    }
    let (y, x) = (row_of::<W>(board.miner), column_of::<W>(board.miner) - 1);
    let (above, own, below) = (&board.rows[y - 1], &board.rows[y], &board.rows[y + 1]);
    let (middle, sides) = (W::ONE << 1, W::ONE | W::ONE << 2);
    // Walls and creatures first: mostly there are none.
    let near = ((above.a & !above.b | below.a & !below.b) >> x) & middle | ((own.a & !own.b) >> x) & sides;
    near != W::ZERO
        && ((above.monsters() | below.monsters()) >> x) & middle | (own.monsters() >> x) & sides != W::ZERO
}
