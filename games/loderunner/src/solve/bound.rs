//! Ticks that every plan takes, proven, and levels that no plan wins.
//!
//! In a tick the runner moves by at most 8 units sideways and 9 up or down, pulls to the middle of a cell included. A way that
//! crosses several columns in one direction crosses each but the first and the last whole; where it turns back, it may do so
//! right behind the border. That gives a lower bound in ticks for every way between two cells, one of columns and one of rows,
//! and so does their mean. The shortest order of the gold under such a bound is a bound for the level.
//!
//! A guard that stops a dig lets the runner start from the middle of its cell at once, which saves a tick a cell. And a guard
//! may bring gold: only what no guard can reach must be fetched where it lies.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::tours::Order;
use super::ways::{Ways, is_diggable, steps_from};
use crate::classic::State;
use crate::classic::board::{Base, Board, Cell, MOST_ROWS, Rows};

/// What a unit sideways and a unit up or down count, in parts of a tick: sideways alone, both, up and down alone.
const METRICS: [(u32, u32); 3] = [(18, 0), (9, 8), (0, 16)];
/// The parts of a tick.
const PARTS: u32 = 144;

/// Half a cell.
const HALF: (u32, u32) = (20, 22);
/// Units across a cell and down a cell.
const WHOLE: (u32, u32) = (40, 44);
/// The same where guards may stop digs: a tick less of either.
const WHOLE_WITH_GUARDS: (u32, u32) = (32, 35);

/// More than any cost. A sum over a few hundred legs is still a number.
const IMPOSSIBLE: u32 = 1 << 24;

/// Directions that a way came in, in columns and rows: none yet, towards lower numbers, towards higher ones.
const DIRECTIONS: usize = 3;

/// The least number of ticks that a plan takes; nothing if no plan wins.
pub(crate) fn least_ticks(board: &Board, ways: &Ways) -> Option<u32> {
    let start = State::new(board);
    let needed = needed_gold(board, ways, &start);
    let reachable = |&gold: &Cell| ways.is_in_reach(start.runner.cell, gold);
    if !ways.top_is_in_reach(start.runner.cell) || !needed.iter().all(reachable) {
        return None;
    }
    let (before, after) = (Maze::new(board, false), Maze::new(board, true));
    let bounds = METRICS.map(|metric| shortest_order(&before, &after, metric, start.runner.cell, &needed));
    let longest = bounds.into_iter().max().expect("there are metrics");
    (longest < IMPOSSIBLE).then(|| longest.div_ceil(PARTS))
}

/// The gold that the runner must fetch where it lies: no guard can.
fn needed_gold(board: &Board, ways: &Ways, start: &State) -> Vec<Cell> {
    let reach = guards_reach(board, ways, start);
    start.gold().filter(|gold| reach[gold.row()] & gold.bit() == 0).collect()
}

/// The cells that a guard may get to, and perhaps more.
fn guards_reach(board: &Board, ways: &Ways, start: &State) -> Rows {
    let mut reach = [0; MOST_ROWS];
    if start.guards().is_empty() {
        return reach;
    }
    let mut open: Vec<Cell> = start.guards().iter().map(|guard| guard.body.cell).collect();
    let extent = board.extent();
    if extent.cells().any(|cell| board.tile(cell) == Base::Brick && is_diggable(board, cell)) {
        let returns = |cell: &Cell| cell.y > 0 && matches!(board.tile(*cell), Base::Empty | Base::Hidden);
        let gone = |cell: Cell| !start.has_gold(cell) || ways.is_in_reach(start.runner.cell, cell);
        open.extend(extent.cells().filter(|&cell| returns(&cell) && gone(cell)));
    }
    while let Some(cell) = open.pop() {
        if reach[cell.row()] & cell.bit() == 0 {
            reach[cell.row()] |= cell.bit();
            open.extend(guard_steps(board, cell));
        }
    }
    reach
}

/// Where a guard may step, if every brick that can be dug is open. It climbs ladders, and out of holes.
fn guard_steps(board: &Board, cell: Cell) -> impl Iterator<Item = Cell> {
    let open = |next: &Cell| match board.tile(*next) {
        Base::Solid => false,
        Base::Brick => is_diggable(board, *next),
        _ => true,
    };
    let extent = board.extent();
    let climbs = matches!(board.tile(cell), Base::Ladder | Base::Brick);
    let walked = [cell.left(), extent.right(cell), cell.above().filter(|_| climbs)].into_iter().flatten();
    let walked = walked.filter(|&next| board.tile(next) != Base::Trap);
    walked.chain(extent.below(cell)).filter(open)
}

/// The cost of the shortest order of gold, from the start to the top.
fn shortest_order(before: &Maze, after: &Maze, metric: (u32, u32), start: Cell, gold: &[Cell]) -> u32 {
    let top = |costs: &[u32]| {
        let row = &costs[..usize::from(after.columns)];
        row.iter().copied().min().expect("a row has cells")
    };
    if gold.is_empty() {
        return top(&after.costs_from(start, (0, 0), metric));
    }
    let to_gold = |costs: Vec<u32>| gold.iter().map(move |&cell| costs[before.index(cell)]);
    let first: Vec<u32> = to_gold(before.costs_from(start, (0, 0), metric)).collect();
    let legs = |&cell: &Cell| before.costs_from(cell, before.slack(cell), metric);
    let between = gold.iter().map(legs).flat_map(to_gold).collect();
    let out = gold.iter().map(|&cell| top(&after.costs_from(cell, after.slack(cell), metric))).collect();
    Order::new(between, out).shortest(&first)
}

/// A board as far as ways on it are concerned.
struct Maze {
    columns: u8,
    steps: Vec<[Option<Cell>; 4]>,
    /// Cells with a ladder below: what lies there is taken from anywhere in the cell.
    above_ladder: Rows,
    whole: (u32, u32),
}

impl Maze {
    fn new(board: &Board, revealed: bool) -> Self {
        let extent = board.extent();
        let steps = |cell: Cell| steps_from(board, revealed, cell).map(|step| step.map(|(to, _)| to));
        let mut above_ladder = [0; MOST_ROWS];
        for ladder in extent.cells().filter(|&cell| board.tile(cell) == Base::Ladder) {
            if let Some(above) = ladder.above() {
                above_ladder[above.row()] |= above.bit();
            }
        }
        let guarded = !board.drawing().guards.is_empty();
        Self {
            columns: extent.columns,
            steps: extent.cells().map(steps).collect(),
            above_ladder,
            whole: if guarded { WHOLE_WITH_GUARDS } else { WHOLE },
        }
    }

    fn index(&self, cell: Cell) -> usize {
        cell.row() * usize::from(self.columns) + cell.column()
    }

    /// How far from the middle of a cell the runner may be when it takes the gold there, at most.
    fn slack(&self, cell: Cell) -> (u32, u32) {
        if self.above_ladder[cell.row()] & cell.bit() != 0 { HALF } else { (9, 10) }
    }

    /// The least cost from somewhere near the middle of a cell into each cell.
    fn costs_from(&self, from: Cell, slack: (u32, u32), metric: (u32, u32)) -> Vec<u32> {
        let mut costs = vec![IMPOSSIBLE; self.steps.len() * DIRECTIONS * DIRECTIONS];
        let mut queue = BinaryHeap::from([(Reverse(0), from, (0, 0))]);
        let number =
            |cell: Cell, (x, y): (usize, usize)| (self.index(cell) * DIRECTIONS + x) * DIRECTIONS + y;
        costs[number(from, (0, 0))] = 0;
        // The first border in a direction is half a cell away, the next one a whole cell, and one that was just crossed nothing.
        let units = |old: usize, new: usize, half: u32, whole: u32| match old {
            0 => half,
            old if old == new => whole,
            _ => 0,
        };
        while let Some((Reverse(cost), cell, (x, y))) = queue.pop() {
            if cost > costs[number(cell, (x, y))] {
                continue;
            }
            for to in self.steps[self.index(cell)].into_iter().flatten() {
                let (ways, step) = if to.y == cell.y {
                    let new = 1 + usize::from(to.x > cell.x);
                    ((new, y), metric.0 * units(x, new, HALF.0 - slack.0, self.whole.0))
                } else {
                    let new = 1 + usize::from(to.y > cell.y);
                    ((x, new), metric.1 * units(y, new, HALF.1 - slack.1, self.whole.1))
                };
                if cost + step < costs[number(to, ways)] {
                    costs[number(to, ways)] = cost + step;
                    queue.push((Reverse(cost + step), to, ways));
                }
            }
        }
        let best = |ways: &[u32]| ways.iter().copied().min().expect("a cell has directions");
        costs.chunks(DIRECTIONS * DIRECTIONS).map(best).collect()
    }
}

#[cfg(test)]
mod tests {
    use damier_core::random::{Chance, Rng};

    use super::*;
    use crate::action::Action;
    use crate::classic::{Body, ByChance, Version};
    use crate::level::Level;
    use crate::rules::{Ground, RuleSet, Rules};

    /// A level without gold, so that its hidden ladders show at once.
    fn any_level(draw: &mut Rng, guards: usize) -> Rules {
        let parts: Vec<char> = "        ######HHHHH---@XS".chars().collect();
        let mut cells: Vec<char> = (0..28 * 16).map(|_| *draw.choose(&parts).unwrap()).collect();
        for body in 0..=guards {
            cells[draw.below(28 * 16) as usize] = if body < guards { '0' } else { '&' };
        }
        let rows: Vec<String> = cells.chunks(28).map(|row| row.iter().collect()).collect();
        Rules::new(Level::parse(&rows.join("\n"), RuleSet::Classic).unwrap())
    }

    /// Where the runner is tick by tick with random keys.
    fn random_run(board: &Board, draw: &mut Rng) -> Vec<Body> {
        let mut state = State::new(board);
        let mut run = vec![state.runner];
        while state.ending.is_none() && run.len() < 1_200 {
            let key = Action::ALL[draw.below(7) as usize];
            for _ in 0..=draw.below(25) {
                state.tick(board, Version::Four, key, &mut ByChance(draw));
                run.push(state.runner);
            }
        }
        run
    }

    #[test]
    fn no_run_is_quicker_than_the_bound_of_its_ways() {
        let mut draw = Rng::new(5);
        for game in 0..150 {
            let rules = any_level(&mut draw, game % 4);
            let Ground::Classic(board) = rules.ground() else { unreachable!("a classic level") };
            let run = random_run(board, &mut draw);
            let maze = Maze::new(board, true);
            for (tick, body) in run.iter().enumerate().step_by(30) {
                let slack = (body.xo.unsigned_abs().into(), body.yo.unsigned_abs().into());
                for metric in METRICS {
                    let costs = maze.costs_from(body.cell, slack, metric);
                    for (later, other) in run.iter().enumerate().skip(tick) {
                        let ticks = costs[maze.index(other.cell)].div_ceil(PARTS);
                        assert!(
                            ticks as usize <= later - tick,
                            "game {game}: {body:?} to {other:?} in {metric:?}"
                        );
                    }
                }
            }
        }
    }

    fn bound(text: &str) -> Option<u32> {
        let rules = Rules::new(Level::parse(text, RuleSet::Classic).unwrap());
        let Ground::Classic(board) = rules.ground() else { unreachable!("a classic level") };
        least_ticks(board, &Ways::new(board))
    }

    #[test]
    fn gold_at_both_ends_is_a_tour() {
        let level = |guard: &str| {
            let middle = format!("$            &      {guard}     $S");
            let above = format!("{}S\n", " ".repeat(27)).repeat(14);
            bound(&format!("{above}{middle}\n{}", "#".repeat(28))).unwrap()
        };
        // 13 columns to the left, 26 to the right and 14 rows up: a walk takes 65, 130 and 69 ticks.
        assert!((185..=195).contains(&level(" ")), "{}", level(" "));
        // A guard may bring both pieces.
        assert!(level("0") < 100, "{}", level("0"));
    }

    #[test]
    fn orders_that_cannot_be_are_a_proof() {
        // Two pits without a way out: either gold can be fetched, but not both.
        let pits = |wall: &str| {
            let shaft = format!("@@@@@ @@@@@ @@@{wall}\n").repeat(12);
            let bottom = format!("@@@@@$@@@@@$@@@{wall}\n");
            format!("{}\n      &        S\n{shaft}{bottom}{}", " ".repeat(15) + "S", "@".repeat(28))
        };
        assert_eq!(bound(&pits("S")), None);
    }
}
