//! What a position promises: can enough diamonds still be gathered and the exit be reached, and at what price?

use damier_core::random::{Chance, Largest, Smallest};

use super::field::Cells;
use crate::board::{Board, Row, Spot, Word, three_by_three};
use crate::kind::Kind;
use crate::rules::{Action, Rules};

/// The diamonds of a crushed blue monster.
const OF_A_BLUE_MONSTER: u32 = 9;

/// What can be counted on from a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Outlook {
    /// Diamonds still needed.
    pub missing: u32,
    /// Diamonds that no rock or wall lies before.
    pub easy: u32,
    /// Further diamonds, behind rocks.
    pub hard: u32,
    /// Further diamonds, behind walls that an explosion may open.
    pub walled: u32,
    /// Diamonds that blue monsters may become.
    pub blue: u32,
    /// Those of them that no wall lies before.
    pub blue_near: u32,
    /// Diamonds that may be made of rocks or amoeba, at most.
    pub made: u32,
    /// How many walls have to be blasted, one after the other, on the way to enough diamonds and the exit.
    pub walls: u32,
    /// No rock or wall lies before the exit.
    pub exit_easy: bool,
    /// No wall lies before the exit.
    pub exit_hard: bool,
    /// The exit can be reached if rocks and walls open that may.
    pub exit: bool,
}

/// The exits.
pub(crate) fn exits<W: Word>(row: &Row<W>) -> W {
    !row.a & row.b & row.c & !row.d
}

/// The diamonds.
pub(crate) fn diamonds<W: Word>(row: &Row<W>) -> W {
    row.a & row.b & row.d
}

/// Cells that the miner enters as they are, and those that free themselves: nothing, grass, diamonds, monsters,
/// explosions.
fn open<W: Word>(row: &Row<W>) -> W {
    let grass = !row.a & row.b & !row.c & !row.d;
    let blast = !row.a & row.b & row.c & row.d;
    row.free() | grass | blast | row.creatures() | diamonds(row)
}

/// All but the border, and all but walls where nothing can destroy them.
pub(crate) fn openable<W: Word>(row: &Row<W>, blasts: bool) -> W {
    let wall = row.a & !row.b & row.c & row.d;
    let border = !row.a & row.b & !row.c & row.d;
    if blasts { !border } else { !(border | wall) }
}

/// The most diamonds that blue monsters can become, in all and those that stand on `near` cells: of each, as many as an
/// explosion covers cells that are no border, at the best place that it can ever come to.
fn of_blue_monsters<W: Word, const H: usize, const M: usize>(
    board: &Board<W, H, M>,
    near: &Cells<W, H>,
) -> [u32; 2] {
    let no_border = Cells::of(board, |row| openable(row, true));
    let roomy = no_border.without_edges();
    let mut most = [0; 2];
    let mut known: Option<(Cells<W, H>, u32)> = None;
    for walker in board.walkers().filter(|walker| walker.blue) {
        let best = match &known {
            Some((den, best)) if den.has(walker.spot) => *best,
            _ => {
                let den = no_border.flood(walker.spot).within(&no_border);
                let covered =
                    |centre| three_by_three::<W>(centre).filter(|&spot| no_border.has(spot)).count() as u32;
                let best = if den.meets(&roomy) {
                    OF_A_BLUE_MONSTER
                } else {
                    den.spots().map(covered).max().unwrap_or(0)
                };
                known = Some((den, best));
                best
            }
        };
        most[0] += best;
        most[1] += if near.has(walker.spot) { best } else { 0 };
    }
    most
}

/// Can anything be blasted?
fn blasts<W: Word, const H: usize, const M: usize>(board: &Board<W, H, M>) -> bool {
    board.monsters > 0 || board.explosions > 0 || board.unstable
}

/// The diamonds and exits that the miner can never come to.
pub(crate) fn out_of_reach<W: Word, const H: usize, const M: usize>(
    board: &Board<W, H, M>,
) -> impl Iterator<Item = Spot> {
    let all = Cells::of(board, |row| openable(row, blasts(board))).flood(board.miner);
    Cells::of(board, |row| diamonds(row) | exits(row)).without(&all).spots()
}

/// How many walls have to open, one after the other, until what is reached is `enough`; without any, `reached` is.
fn walls_before<W: Word, const H: usize, const M: usize>(
    board: &Board<W, H, M>,
    mut reached: Cells<W, H>,
    enough: impl Fn(&Cells<W, H>) -> bool,
) -> u32 {
    let (no_walls, walls) =
        (Cells::of(board, |row| openable(row, false)), Cells::of(board, |row| openable(row, true)));
    let mut count = 0;
    while !enough(&reached) {
        count += 1;
        // A flood takes in the walls that end it.
        let open = no_walls.with(&walls.within(&reached));
        reached = open.flood(board.miner);
    }
    count
}

impl Outlook {
    pub(crate) fn of<W: Word, const H: usize, const M: usize>(board: &Board<W, H, M>) -> Self {
        let goals = Cells::of(board, diamonds);
        let exits = Cells::of(board, exits);
        let easy = Cells::of(board, open).flood(board.miner);
        let hard = Cells::of(board, |row| openable(row, false)).flood(board.miner);
        let all =
            if blasts(board) { Cells::of(board, |row| openable(row, true)).flood(board.miner) } else { hard };
        // An explosion that will leave diamonds is as good as them.
        let to_come = board.explosions().filter(|it| it.diamonds).flat_map(|it| three_by_three::<W>(it.spot));
        let to_come = to_come.filter(|&spot| board.kind(spot) == Kind::Blast).count() as u32;
        let [easy_count, hard_count, count] = [&easy, &hard, &all].map(|cells| goals.shared(cells));
        let [blue, blue_near] = of_blue_monsters(board, &hard);
        let missing = u32::from(board.missing);
        let enough = missing.min(count);
        let walls = if blasts(board) && exits.shared(&all) > 0 {
            walls_before(board, hard, |reached| exits.shared(reached) > 0 && goals.shared(reached) >= enough)
        } else {
            0
        };
        Self {
            missing,
            easy: easy_count + to_come,
            hard: hard_count - easy_count,
            walled: count - hard_count,
            blue,
            blue_near,
            walls,
            made: board.makeable + if board.open_edges { u32::from(u16::MAX) } else { 0 },
            exit_easy: exits.shared(&easy) > 0,
            exit_hard: exits.shared(&hard) > 0,
            exit: exits.shared(&all) > 0 || board.open_edges,
        }
    }

    /// Nothing can help any more.
    pub(crate) fn is_lost(&self) -> bool {
        !self.exit || self.missing > self.most()
    }

    /// The most diamonds that can still be gathered.
    fn most(&self) -> u32 {
        self.easy + self.hard + self.walled + self.blue + self.made
    }

    /// The proof that nothing can help any more, if there is one, as a sentence.
    pub(crate) fn why_lost(&self) -> Option<String> {
        if !self.exit {
            return Some("no way leads to the exit, whatever is dug, pushed or blasted".into());
        }
        let most = self.most();
        (self.missing > most).then(|| {
            format!("{} diamonds are needed, and at most {most} can ever be reached or made", self.missing)
        })
    }

    /// What a level's author should know.
    pub(crate) fn remarks(&self, diamonds: u32) -> Vec<String> {
        let mut remarks = Vec::new();
        let within_reach = self.easy + self.hard + self.walled;
        if within_reach < diamonds {
            let sealed = diamonds - within_reach;
            remarks.push(format!("{sealed} of {diamonds} diamonds lie where nobody can ever get"));
        }
        if self.walled > 0 {
            remarks.push(format!("{} diamonds lie behind walls that have to be blasted", self.walled));
        }
        if self.exit && !self.exit_hard {
            remarks.push("the exit is sealed by walls: one has to be blasted".into());
        }
        if self.needs_blue() {
            let short = self.missing - within_reach;
            remarks.push(format!("{short} diamonds have to be made of blue monsters"));
        }
        remarks
    }

    /// Blue monsters have to be crushed.
    pub(crate) fn needs_blue(&self) -> bool {
        self.missing > self.easy + self.hard + self.walled
    }

    /// Walls have to be blasted.
    pub(crate) fn needs_blast(&self) -> bool {
        self.walls > 0 || self.needs_far_blue()
    }

    /// Walls have to be blasted to come to blue monsters.
    pub(crate) fn needs_far_blue(&self) -> bool {
        self.blue > self.blue_near && self.missing > self.easy + self.hard + self.walled + self.blue_near
    }

    /// An estimate of the ticks still needed.
    pub(crate) fn ticks(&self) -> u32 {
        let easy = self.missing.min(self.easy);
        let hard = (self.missing - easy).min(self.hard);
        let walled = (self.missing - easy - hard).min(self.walled);
        let blue = self.missing - easy - hard - walled;
        let exit = if self.exit_easy { 0 } else { 50 };
        8 * easy + 25 * hard + 30 * walled + 30 * blue + exit + 100 * self.walls
    }
}

/// The ticks after which things are taken to have come to rest.
const REST: u32 = 24;

/// Is the way to the exit free of rocks and walls, and still so when everything that is about to fall has fallen?
pub(crate) fn has_way_out<W: Word, const H: usize, const M: usize>(
    rules: &Rules,
    board: &Board<W, H, M>,
) -> bool {
    Outlook::of(board).exit_easy
        && Outlook::of(&at_rest(rules, *board, &mut Smallest)).exit_easy
        && Outlook::of(&at_rest(rules, *board, &mut Largest)).exit_easy
}

/// The position when things have come to rest, the miner staying where it is, as long as it can.
fn at_rest<W: Word, const H: usize, const M: usize>(
    rules: &Rules,
    mut board: Board<W, H, M>,
    chance: &mut dyn Chance,
) -> Board<W, H, M> {
    for _ in 0..REST {
        let mut next = board;
        rules.tick_out_of_line(&mut next, Action::Stay, chance);
        if next.ending.is_some() {
            break;
        }
        board = next;
        if board.awake == W::ZERO {
            break;
        }
    }
    board
}
