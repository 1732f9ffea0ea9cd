//! One tick of the course project's engine.
//!
//! A turn reads like the rule book: the miner, the monsters, rocks and diamonds from the bottom row up, deaths, explosions.
//! Everybody sees the map as it was at the start of the tick: a cell is free only if it was empty then and nobody has
//! claimed it since. So whoever moves appears in the new cell at once, and the old one is emptied only at the end.

#![expect(
    clippy::inline_always,
    reason = "one tick is one function: calls between its parts cost a twentieth of it"
)]

mod monsters;

use arrayvec::ArrayVec;
use damier_core::grid::Dir;
use damier_core::random::Chance;

use super::{Action, Options, Slide};
use crate::board::{
    Board, Ending, Explosion, Row, Spot, Word, column_of, delta, key, movable, row_of, three_rows,
};
use crate::kind::Kind;

/// Plays one tick.
#[inline(always)]
pub(super) fn tick<W: Word, const H: usize, const M: usize, C: Chance + ?Sized>(
    options: Options,
    board: &mut Board<W, H, M>,
    action: Action,
    chance: &mut C,
) {
    board.tick += 1;
    let awake = std::mem::replace(&mut board.awake, W::ZERO);
    let mut left = [W::ZERO; H];
    let step = miner(board, action);
    if board.ending.is_some() {
        leave(board, &step);
        return;
    }
    monsters::walk(options, board, &mut left);
    let mut crushing = Crushing::new();
    gravity(options, board, awake, &left, chance, &mut crushing);
    leave(board, &step);
    finish_step(board, step);
    if board.explosions > 0 {
        board.burn();
    }
    deaths(options, board, &crushing);
}

/// Where the monsters stood that have had their turn, row by row: closed to everybody until the end of the tick.
type Left<W, const H: usize> = [W; H];

/// What of the miner's action is done at the end of the tick.
#[derive(Clone, Copy)]
struct Step {
    /// Where the miner was.
    from: Spot,
    /// Has it moved? 0 or 1.
    moved: u64,
    deed: Deed,
}

impl Step {
    /// The miner stays where it is.
    fn none(from: Spot) -> Self {
        Self { from, moved: 0, deed: Deed::None }
    }
}

/// What the miner has done besides walking.
#[derive(Clone, Copy)]
enum Deed {
    /// Nothing.
    None,
    /// It has dug this cell, which is closed until then.
    Dug(Spot),
    /// It takes the place of a diamond, which until then held up what lies on it.
    Gathered,
    /// It takes the place of the first of so many rocks, which until then held up what lies on them.
    Pushed(Dir, u16),
}

/// The miner enters empty, grass, diamond or the open exit, or pushes rocks left, right or up, or digs.
#[inline(always)]
fn miner<W: Word, const H: usize, const M: usize>(board: &mut Board<W, H, M>, action: Action) -> Step {
    let from = board.miner;
    let dir = match action {
        Action::Stay | Action::Look => return Step::none(from),
        Action::Go(dir) => dir,
        Action::Dig(dir) => {
            let deed = dig(board, Board::<W, H, M>::beside(from, dir));
            return Step { deed, ..Step::none(from) };
        }
    };
    let to = from.wrapping_add(delta::<W>(dir));
    let x = column_of::<W>(to);
    let row = &mut board.rows[row_of::<W>(to)];
    let bit = |plane: W| (plane >> x).low64() & 1;
    // Things, exits and explosions.
    if bit(row.b & (row.a | row.c)) != 0 {
        return enter(board, dir, to);
    }
    // Empty or grass, or closed: nothing tells which it will be, so there is no branch to guess wrong.
    let open = bit(!(row.a | row.c | row.d));
    let grass = bit(row.b) & open;
    board.grass_hash ^= key(to, Kind::Dirt) & grass.wrapping_neg();
    let mask = W::from_low(open) << x;
    row.a |= mask;
    row.b &= !mask;
    row.d |= mask;
    board.miner = from.wrapping_add(delta::<W>(dir) & (open as Spot).wrapping_neg());
    Step { moved: open, ..Step::none(from) }
}

/// The miner goes towards a diamond, a rock or an exit, which it may enter or not.
#[inline(always)]
fn enter<W: Word, const H: usize, const M: usize>(board: &mut Board<W, H, M>, dir: Dir, to: Spot) -> Step {
    let from = board.miner;
    let deed = match board.kind(to) {
        Kind::Diamond => {
            board.hash ^= key(to, Kind::Diamond);
            board.gathered += 1;
            board.missing = board.missing.saturating_sub(1);
            // Slippery as the diamond was, but it does not move any more.
            board.paint(to, Kind::Wall);
            Deed::Gathered
        }
        Kind::Exit if board.missing == 0 => {
            board.put(to, Kind::Miner);
            board.ending = Some(Ending::Won);
            Deed::None
        }
        Kind::Rock if dir != Dir::South => match push(board, to, dir) {
            0 => return Step::none(from),
            rocks => Deed::Pushed(dir, rocks),
        },
        _ => return Step::none(from),
    };
    board.miner = to;
    Step { from, moved: 1, deed }
}

/// The miner leaves the cell where it was, if it has moved: at the end of the tick, for until then the cell is closed.
#[inline(always)]
fn leave<W: Word, const H: usize, const M: usize>(board: &mut Board<W, H, M>, step: &Step) {
    let y = row_of::<W>(step.from);
    let mask = W::from_low(step.moved) << column_of::<W>(step.from);
    board.rows[y].a = board.rows[y].a ^ mask;
    board.rows[y].d = board.rows[y].d ^ mask;
}

/// Digs a cell, if there is grass, which is closed until the end of the tick.
fn dig<W: Word, const H: usize, const M: usize>(board: &Board<W, H, M>, spot: Spot) -> Deed {
    if board.kind(spot) == Kind::Dirt { Deed::Dug(spot) } else { Deed::None }
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
#[inline(always)]
fn gravity<W: Word, const H: usize, const M: usize, C: Chance + ?Sized>(
    options: Options,
    board: &mut Board<W, H, M>,
    mut rows: W,
    left: &Left<W, H>,
    chance: &mut C,
    crushing: &mut Crushing<W, H>,
) {
    let mut moved = W::ZERO;
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
        moved |= W::ONE << y as u32;
    }
    // A move can set in motion what has moved, and what lies beside it and above.
    if moved != W::ZERO {
        board.awake |= restless(&board.rows, moved << 1 | moved | moved >> 1);
    }
}

/// Those of the given rows, as bits, in which something can fall or slide.
fn restless<W: Word, const H: usize>(board: &[Row<W>; H], mut rows: W) -> W {
    let mut restless = W::ZERO;
    while rows != W::ZERO {
        let y = rows.highest();
        rows &= !(W::ONE << y);
        let [own, below] = [&board[y as usize], &board[y as usize + 1]];
        let open = own.free() & below.free();
        let moves = own.loose() & (below.free() | below.slippery() & (open << 1 | open >> 1));
        restless |= W::from_low(u64::from(moves != W::ZERO)) << y;
    }
    restless
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

/// What the miner has left or dug is free.
#[inline(always)]
fn finish_step<W: Word, const H: usize, const M: usize>(board: &mut Board<W, H, M>, step: Step) {
    if !matches!(step.deed, Deed::None) {
        finish_deed(board, step.deed);
    }
    // One branch for both questions, for nothing tells whether the miner has moved.
    if board.things_near(step.from) & step.moved.wrapping_neg() != 0 {
        board.awake |= movable(&board.rows, step.from);
    }
}

/// The miner appears where something else held up what lies on it, and pushed rocks where they are now; what it has dug is
/// free.
#[inline(never)]
fn finish_deed<W: Word, const H: usize, const M: usize>(board: &mut Board<W, H, M>, deed: Deed) {
    match deed {
        Deed::None => {}
        Deed::Dug(spot) => {
            board.put(spot, Kind::Empty);
            board.wake_around(spot);
        }
        Deed::Gathered => board.paint(board.miner, Kind::Miner),
        Deed::Pushed(dir, rocks) => {
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
#[inline(always)]
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
#[inline(always)]
fn touched<W: Word, const H: usize, const M: usize>(board: &Board<W, H, M>) -> bool {
    if board.monsters == 0 {
        return false;
    }
    let (rows, x) = three_rows(&board.rows, board.miner);
    let [above, own, below] = rows.each_ref().map(Row::monsters);
    let near = |bits: W| (bits >> (x - 1)).low64();
    near(above | below) & 0b010 | near(own) & 0b101 != 0
}
