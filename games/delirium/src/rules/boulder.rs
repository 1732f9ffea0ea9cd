//! One tick of Boulder Dash.
//!
//! The map is scanned from the top left to the bottom right and changed in place; what has moved is not scanned again. So
//! whatever stands further up acts on what it sees before those further down have moved.
//!
//! Only rows in which something has changed since it was last looked at, or holds a creature, are scanned.

use damier_core::grid::Dir;
use damier_core::random::Chance;

use super::{Action, Options, RuleSet, Slide};
use crate::board::{Board, Ending, Explosion, Spot, Walker, Word, column_of, delta, row_of};
use crate::kind::Kind;

/// A push succeeds once in so many ticks.
const PUSH: u32 = 8;

/// The heading that a monster begins with: none in the course's engine; fireflies look left, butterflies down.
pub(super) fn first_heading(options: Options, kind: Kind) -> Option<Dir> {
    match (options.set, kind) {
        (RuleSet::Course, _) => None,
        (RuleSet::Boulder, Kind::Blue) => Some(Dir::South),
        (RuleSet::Boulder, _) => Some(Dir::West),
    }
}

/// Plays one tick.
pub(super) fn tick<W: Word, const H: usize, const M: usize>(
    options: Options,
    board: &mut Board<W, H, M>,
    action: Action,
    chance: &mut dyn Chance,
) {
    board.tick += 1;
    if board.explosions > 0 {
        board.burn();
    }
    let mut scan = Scan { options, action, chance, awake: board.awake, done: W::ZERO, done_below: W::ZERO };
    board.awake = W::ZERO;
    for y in 1..H - 1 {
        scan.row(board, y);
        if board.ending.is_some() {
            break;
        }
    }
    board.sort_walkers();
}

/// One scan of the map.
struct Scan<'a, W> {
    options: Options,
    action: Action,
    chance: &'a mut dyn Chance,
    /// The rows whose things may move: more than those awake at the start, for the scan itself changes the map.
    awake: W,
    /// The columns of this row, and of the next one, that hold something which has had its turn.
    done: W,
    done_below: W,
}

impl<W: Word> Scan<'_, W> {
    fn row<const H: usize, const M: usize>(&mut self, board: &mut Board<W, H, M>, y: usize) {
        (self.done, self.done_below) = (self.done_below, W::ZERO);
        let mut passed = W::ZERO;
        loop {
            let row = &board.rows[y];
            let things = if self.awake & W::ONE << y as u32 == W::ZERO { W::ZERO } else { row.things() };
            let waiting = (row.creatures() | things) & !self.done & !passed;
            if waiting == W::ZERO || board.ending.is_some() {
                return;
            }
            let x = waiting.lowest();
            // Everything up to here has been looked at, whatever comes to stand there.
            let here = W::ONE << x;
            passed = passed | here | !(!W::ZERO << x);
            self.one(board, Board::<W, H, M>::spot(x as u16, y as u16));
        }
    }

    fn one<const H: usize, const M: usize>(&mut self, board: &mut Board<W, H, M>, spot: Spot) {
        match board.kind(spot) {
            Kind::Miner => self.miner(board, spot),
            Kind::Red | Kind::Blue => self.monster(board, spot),
            kind => self.thing(board, spot, kind),
        }
    }

    /// Moves something and remembers that it has had its turn.
    fn shift<const H: usize, const M: usize>(
        &mut self,
        board: &mut Board<W, H, M>,
        from: Spot,
        to: Spot,
        kind: Kind,
    ) {
        self.change(board, from, Kind::Empty);
        self.change(board, to, kind);
        let mask = W::ONE << column_of::<W>(to);
        if row_of::<W>(to) > row_of::<W>(from) {
            self.done_below |= mask;
        } else if row_of::<W>(to) == row_of::<W>(from) {
            self.done |= mask;
        }
    }

    /// A cell that becomes free may set things in motion; a thing that comes to a cell may move on.
    fn change<const H: usize, const M: usize>(&mut self, board: &mut Board<W, H, M>, spot: Spot, kind: Kind) {
        board.put(spot, kind);
        if kind == Kind::Empty {
            board.wake_around(spot);
        } else if kind.is_loose() {
            board.wake_rows_near(row_of::<W>(spot));
        }
        self.awake |= board.awake;
    }

    /// Walks, digs, gathers, leaves, or pushes a resting rock sideways with luck. Digging leaves the miner where it is.
    fn miner<const H: usize, const M: usize>(&mut self, board: &mut Board<W, H, M>, from: Spot) {
        let (dir, walks) = match self.action {
            Action::Stay | Action::Look => return,
            Action::Go(dir) => (dir, true),
            Action::Dig(dir) => (dir, false),
        };
        let to = from.wrapping_add(delta::<W>(dir));
        match board.kind(to) {
            Kind::Empty | Kind::Dirt => {}
            Kind::Diamond | Kind::FallingDiamond => {
                board.gathered += 1;
                board.missing = board.missing.saturating_sub(1);
            }
            Kind::Exit if walks && board.missing == 0 => board.ending = Some(Ending::Won),
            Kind::Rock if walks && matches!(dir, Dir::East | Dir::West) => {
                let behind = to.wrapping_add(delta::<W>(dir));
                if board.kind(behind) != Kind::Empty || self.chance.below(PUSH) != 0 {
                    return;
                }
                self.shift(board, to, behind, Kind::Rock);
            }
            _ => return,
        }
        if walks {
            self.shift(board, from, to, Kind::Miner);
            board.miner = to;
        } else {
            self.change(board, to, Kind::Empty);
        }
    }

    /// A firefly turns left where it can, a butterfly right; else it goes straight on; else it turns the other way.
    /// Beside the miner it explodes.
    fn monster<const H: usize, const M: usize>(&mut self, board: &mut Board<W, H, M>, spot: Spot) {
        let Some(index) = board.walkers().position(|walker| walker.spot == spot) else { return };
        let walker = Walker::unpack::<W>(board.beings[index]);
        if walker.blue && !board.tick.is_multiple_of(u32::from(self.options.blue_pace)) {
            return;
        }
        let beside = |dir| spot.wrapping_add(delta::<W>(dir));
        if Dir::ALL.into_iter().any(|dir| beside(dir) == board.miner) {
            board.ending = Some(Ending::Caught);
            self.explode(board, spot);
            return;
        }
        let heading = walker.heading.unwrap_or(Dir::West);
        let (first, other) =
            if walker.blue { (heading.right(), heading.left()) } else { (heading.left(), heading.right()) };
        let free = |dir: &Dir| board.kind(beside(*dir)) == Kind::Empty;
        let step = [first, heading].into_iter().find(free);
        let walker =
            Walker { spot: step.map_or(spot, beside), heading: Some(step.unwrap_or(other)), ..walker };
        board.beings[index] = walker.pack::<W>();
        if step.is_some() {
            self.shift(board, spot, walker.spot, Kind::Red);
        }
    }

    /// A rock or diamond falls, crushes what it hits in flight, rolls off something slippery, or comes to rest.
    fn thing<const H: usize, const M: usize>(&mut self, board: &mut Board<W, H, M>, spot: Spot, kind: Kind) {
        let flying = matches!(kind, Kind::FallingRock | Kind::FallingDiamond);
        let in_flight = if kind.at_rest() == Kind::Rock { Kind::FallingRock } else { Kind::FallingDiamond };
        let below = spot.wrapping_add(delta::<W>(Dir::South));
        match board.kind(below) {
            Kind::Empty => return self.shift(board, spot, below, in_flight),
            Kind::Miner if flying => {
                board.ending = Some(Ending::Crushed);
                return self.explode(board, below);
            }
            Kind::Red | Kind::Blue if flying => return self.explode(board, below),
            Kind::Rock | Kind::Diamond | Kind::Wall => {
                if let Some(to) = self.roll(board, spot) {
                    return self.shift(board, spot, to, in_flight);
                }
            }
            _ => {}
        }
        if flying {
            self.change(board, spot, kind.at_rest());
        }
    }

    /// Where a thing rolls: to the left if it can, else to the right, unless the options say otherwise.
    fn roll<const H: usize, const M: usize>(&mut self, board: &Board<W, H, M>, spot: Spot) -> Option<Spot> {
        let below = delta::<W>(Dir::South);
        let open = |dir| {
            let side = spot.wrapping_add(delta::<W>(dir));
            let free = |spot| board.kind(spot) == Kind::Empty;
            (free(side) && free(side.wrapping_add(below))).then_some(side)
        };
        let (left, right) = (open(Dir::West), open(Dir::East));
        match self.options.slide {
            Slide::Random if left.is_some() && right.is_some() => {
                if self.chance.below(2) == 0 {
                    left
                } else {
                    right
                }
            }
            Slide::Right => right.or(left),
            _ => left.or(right),
        }
    }

    /// An explosion around a creature.
    fn explode<const H: usize, const M: usize>(&mut self, board: &mut Board<W, H, M>, centre: Spot) {
        let diamonds = board.is_blue(centre);
        let ticks = if diamonds { self.options.blue_blast_ticks } else { self.options.blast_ticks };
        board.explode(Explosion { spot: centre, diamonds, ticks });
        board.wake_rows_near(row_of::<W>(centre));
        self.awake |= board.awake;
    }
}
