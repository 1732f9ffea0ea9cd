//! The rule set `classic`: the game of 1983, tick by tick, to the unit.
//!
//! A cell is 40 units wide and 44 tall; runner and guards stand at a cell with an offset from its centre. The board has two
//! layers: *base*, what the level is made of, and *now*, what reads there at the moment (runner and guards read as
//! themselves, gold and hidden ladders as empty, an open hole as empty).

pub mod board;
mod guards;
mod runner;
mod timers;

use damier_core::random::{Chance, mix};

use crate::action::Action;
use board::{Base, Board, Cell, Extent, Layer, MOST_COLUMNS, MOST_ROWS, Now, Rows};
use timers::Queue;

/// A step sideways.
const STEP_X: i8 = 8;
/// A step up or down.
const STEP_Y: i8 = 9;
/// Beyond this an entity is in the next cell.
const HALF_WIDTH: i8 = 20;
/// Beyond this an entity is in the next cell.
const HALF_HEIGHT: i8 = 22;
pub(crate) const WIDTH: i8 = 40;
pub(crate) const HEIGHT: i8 = 44;

/// How long a guard is expected to carry its gold: the middle of what can be drawn.
const USUAL_CARRY: i8 = 25;

/// No level has more guards.
pub const MOST_GUARDS: usize = 5;
/// A dig takes 12 ticks and a hole fills after 187, so there are never more.
const MOST_HOLES: usize = 18;

/// The versions of the rules that recordings were made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// Guards climb out sooner, and keep their gold while they fall into a hole.
    Three,
    /// The newest.
    Four,
}

/// Where an entity is: a cell and the offset from its centre.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Body {
    /// The cell.
    pub cell: Cell,
    /// Units to the right of the centre.
    pub xo: i8,
    /// Units below the centre.
    pub yo: i8,
}

impl Body {
    const fn at(cell: Cell) -> Self {
        Self { cell, xo: 0, yo: 0 }
    }

    fn word(self) -> u64 {
        self.cell.word() | u64::from(self.xo as u8) << 16 | u64::from(self.yo as u8) << 24
    }

    fn pull_to_column(&mut self) {
        self.xo -= self.xo.clamp(-STEP_X, STEP_X);
    }

    fn pull_to_row(&mut self) {
        self.yo -= self.yo.clamp(-STEP_Y, STEP_Y);
    }

    /// Near enough to pick up what lies in the cell.
    fn reaches(self, ladder_below: bool) -> bool {
        (self.xo == 0 && (0..11).contains(&self.yo))
            || (self.yo == 0 && (0..10).contains(&self.xo))
            || (ladder_below && self.yo < 11)
    }
}

/// What a guard is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Doing {
    /// On its feet, or falling.
    Moving,
    /// In a hole.
    Trapped,
    /// On its way out of the hole at this cell.
    Climbing(Cell),
    /// Coming back after a hole filled.
    Respawning,
    /// Off the board after a hole filled: no cell is free for its return yet.
    Away,
}

impl Doing {
    fn word(self) -> u64 {
        match self {
            Self::Moving => 0,
            Self::Trapped => 1,
            Self::Respawning => 2,
            Self::Climbing(hole) => 3 | hole.word() << 3,
            Self::Away => 4,
        }
    }
}

/// A guard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Guard {
    /// Where it is.
    pub body: Body,
    /// What it is about.
    pub doing: Doing,
    /// Above 0 it carries gold, and drops it when the count is down; below 0 it takes none yet.
    pub carry: i8,
}

/// A dig under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Dig {
    /// The brick.
    pub brick: Cell,
    /// Ticks since it began.
    pub frame: u8,
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ending {
    /// At the top with all gold.
    Won,
    /// A guard got the runner.
    Caught,
    /// A hole closed over the runner.
    Buried,
}

/// A position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    /// Gold in the base layer, by rows.
    gold: Rows,
    /// The same by columns.
    gold_columns: [u32; MOST_COLUMNS],
    /// Cells that now read as a guard.
    guard_marks: Rows,
    /// Bricks that now read empty.
    open: Rows,
    /// The size of the board.
    extent: Extent,
    /// The runner.
    pub runner: Body,
    runner_marked: bool,
    /// Was the runner's last step a fall?
    runner_falls: bool,
    /// Are hidden ladders ladders by now?
    revealed: bool,
    /// Gold that is not yet the runner's, on the board or carried.
    gold_left: u16,
    guards: [Guard; MOST_GUARDS],
    guard_count: u8,
    /// Whose turn to move came last.
    guard_turn: u8,
    /// The place in the cycle of guard moves.
    cycle: u8,
    /// The dig under way.
    pub dig: Option<Dig>,
    holes: Queue<Cell, MOST_HOLES>,
    trapped: Queue<u8, MOST_GUARDS>,
    respawning: Queue<u8, MOST_GUARDS>,
    /// The columns left in the bag from which respawns draw, refilled when it is empty.
    bag: u64,
    /// Guards for whose return no cell is free.
    away: u8,
    /// How it ended, if it did.
    pub ending: Option<Ending>,
}

/// What a tick may leave to chance.
pub trait Fate {
    /// How long a guard carries the gold it has just taken: 12 to 37.
    fn carry(&mut self) -> i8;
    /// A column for a guard that comes back, one of those whose bit is set.
    fn column(&mut self, bag: u64) -> u8;
    /// The cell where a guard comes back, if it was recorded.
    fn recorded_cell(&mut self) -> Option<Cell> {
        None
    }
}

/// Chance decides, evenly.
pub struct ByChance<'a, C: ?Sized>(pub &'a mut C);

impl<C: Chance + ?Sized> Fate for ByChance<'_, C> {
    fn carry(&mut self) -> i8 {
        12 + self.0.below(26) as i8
    }

    fn column(&mut self, mut bag: u64) -> u8 {
        for _ in 0..self.0.below(bag.count_ones()) {
            bag &= bag - 1;
        }
        bag.trailing_zeros() as u8
    }
}

/// How many guard moves a tick has, by the number of guards, in a cycle of six.
const MOVES: [[u8; 6]; MOST_GUARDS + 1] = [
    [0, 0, 0, 0, 0, 0],
    [0, 1, 0, 1, 0, 1],
    [1, 1, 1, 1, 1, 1],
    [1, 2, 1, 1, 2, 1],
    [1, 2, 2, 1, 2, 2],
    [2, 2, 2, 2, 2, 2],
];

impl State {
    /// The start on a board.
    pub fn new(board: &Board) -> Self {
        let mut guard_marks = [0; MOST_ROWS];
        let nobody = Guard { body: Body::at(Cell { x: 0, y: 0 }), doing: Doing::Moving, carry: 0 };
        let mut guards = [nobody; MOST_GUARDS];
        let drawing = board.drawing();
        for (guard, &cell) in guards.iter_mut().zip(&drawing.guards) {
            guard.body = Body::at(cell);
            guard_marks[cell.row()] |= cell.bit();
        }
        let mut state = Self {
            gold: [0; MOST_ROWS],
            gold_columns: [0; MOST_COLUMNS],
            guard_marks,
            open: [0; MOST_ROWS],
            extent: drawing.extent,
            runner: Body::at(drawing.runner),
            runner_marked: true,
            runner_falls: false,
            revealed: false,
            gold_left: drawing.gold.iter().map(|row| row.count_ones() as u16).sum(),
            guards,
            guard_count: drawing.guards.len() as u8,
            guard_turn: 0,
            cycle: 0,
            dig: None,
            holes: Queue::new(),
            trapped: Queue::new(),
            respawning: Queue::new(),
            bag: drawing.extent.all_columns(),
            away: 0,
            ending: None,
        };
        board::marked(&drawing.gold).for_each(|cell| state.put_gold(cell));
        state.revealed = state.gold_left == 0;
        state.find_win();
        state
    }

    /// The size of the board.
    pub fn extent(&self) -> Extent {
        self.extent
    }

    /// The guards.
    pub fn guards(&self) -> &[Guard] {
        &self.guards[..usize::from(self.guard_count)]
    }

    /// Gold that is not yet the runner's, on the board or carried.
    pub fn gold_left(&self) -> u16 {
        self.gold_left
    }

    /// Does gold lie in this cell?
    pub fn has_gold(&self, cell: Cell) -> bool {
        self.gold[cell.row()] & cell.bit() != 0
    }

    fn put_gold(&mut self, cell: Cell) {
        self.gold[cell.row()] |= cell.bit();
        self.gold_columns[cell.column()] |= 1 << cell.y;
    }

    fn take_gold(&mut self, cell: Cell) {
        self.gold[cell.row()] &= !cell.bit();
        self.gold_columns[cell.column()] &= !(1 << cell.y);
    }

    #[inline]
    fn layer<'a>(&self, board: &'a Board) -> &'a Layer {
        board.layer(self.revealed)
    }

    /// What the level is made of here.
    #[inline]
    pub fn base(&self, board: &Board, cell: Cell) -> Base {
        match self.layer(board).tile(cell) {
            Base::Empty if self.has_gold(cell) => Base::Gold,
            base => base,
        }
    }

    /// What reads here at the moment.
    #[inline]
    pub fn now(&self, board: &Board, cell: Cell) -> Now {
        if self.guard_marks[cell.row()] & cell.bit() != 0 {
            return Now::Guard;
        }
        if cell == self.runner.cell && self.runner_marked {
            return Now::Runner;
        }
        self.tile_now(board, cell)
    }

    /// What reads here at the moment, runner and guards aside.
    #[inline]
    pub fn tile_now(&self, board: &Board, cell: Cell) -> Now {
        match self.layer(board).tile(cell) {
            Base::Brick if self.open[cell.row()] & cell.bit() != 0 => Now::Empty,
            Base::Brick => Now::Brick,
            Base::Solid => Now::Solid,
            Base::Ladder => Now::Ladder,
            Base::Bar => Now::Bar,
            Base::Trap => Now::Trap,
            Base::Empty | Base::Gold | Base::Hidden => Now::Empty,
        }
    }

    /// One tick with a key down. True if the runner looked at the key.
    pub fn tick(&mut self, board: &Board, version: Version, key: Action, fate: &mut impl Fate) -> bool {
        let looked = if self.dig_goes_on(board) {
            self.go_on_digging();
            false
        } else {
            self.move_runner(board, key)
        };
        if self.ending.is_none() {
            self.move_guards(board, version, fate);
        }
        self.pass_time(board, fate);
        self.find_win();
        looked
    }

    fn find_win(&mut self) {
        if self.ending.is_none() && self.gold_left == 0 && self.runner.cell.y == 0 && self.runner.yo == 0 {
            self.ending = Some(Ending::Won);
        }
    }

    fn die(&mut self, how: Ending) {
        self.ending.get_or_insert(how);
    }

    /// An entity leaves a cell: it reads as its base again, but for bricks (open holes), which read empty.
    fn leave(&mut self, board: &Board, cell: Cell) {
        self.unmark(cell);
        if board.is_brick(cell) {
            self.open[cell.row()] |= cell.bit();
        }
    }

    /// The first guard at a cell.
    fn guard_at(&self, cell: Cell) -> Option<usize> {
        self.guards().iter().position(|guard| guard.body.cell == cell && guard.doing != Doing::Away)
    }

    /// The mark of whoever is in a cell is overwritten: the cell reads as its tile until their next turn.
    fn unmark(&mut self, cell: Cell) {
        self.guard_marks[cell.row()] &= !cell.bit();
        if cell == self.runner.cell {
            self.runner_marked = false;
        }
    }

    /// Gold leaves the game: the runner took it, or a guard lost it for good. The last one shows the hidden ladders.
    fn collect(&mut self, board: &Board) {
        self.gold_left -= 1;
        if self.gold_left > 0 {
            return;
        }
        self.revealed = true;
        for (marks, hidden) in self.guard_marks.iter_mut().zip(&board.hidden) {
            *marks &= !hidden;
        }
        if board.hidden[self.runner.cell.row()] & self.runner.cell.bit() != 0 {
            self.runner_marked = false;
        }
    }

    /// The holes that are open, with the ticks that each has left, the oldest first.
    pub fn holes(&self) -> impl Iterator<Item = (Cell, u8)> + '_ {
        self.holes.iter()
    }

    /// The guards in holes, with the ticks until each begins to climb out, the longest trapped first.
    pub fn trapped(&self) -> impl Iterator<Item = (u8, u8)> + '_ {
        self.trapped.iter()
    }

    /// The guards on their way back, with the ticks until each is there, in the order in which they were buried.
    pub fn respawning(&self) -> impl Iterator<Item = (u8, u8)> + '_ {
        self.respawning.iter()
    }

    /// The guard that moved last, and the place in the cycle of guard moves.
    pub fn turn(&self) -> (u8, u8) {
        (self.guard_turn, self.cycle)
    }

    /// Was the runner's last step a fall?
    pub fn runner_falls(&self) -> bool {
        self.runner_falls
    }

    /// Does the runner hang in the air, so that keys do not matter?
    pub fn is_falling(&self, board: &Board) -> bool {
        self.falls(board, self.runner)
    }

    /// Is the brick here an open hole?
    pub fn is_open(&self, cell: Cell) -> bool {
        self.open[cell.row()] & cell.bit() != 0
    }

    /// The bricks of a row that are open holes.
    pub fn open_row(&self, y: u8) -> u64 {
        self.open[usize::from(y)]
    }

    /// Are the hidden ladders in sight?
    pub fn shows_hidden(&self) -> bool {
        self.revealed
    }

    /// The state as it can be seen: how long guards carry their gold and which columns are in the bag is not.
    pub fn seen(&self) -> Self {
        let mut seen = Self { bag: self.extent.all_columns(), ..*self };
        for guard in &mut seen.guards {
            if guard.carry > 0 {
                guard.carry = USUAL_CARRY;
            }
        }
        seen
    }

    /// The cells where gold lies, row by row.
    pub fn gold(&self) -> impl Iterator<Item = Cell> + '_ {
        board::marked(self.rows(&self.gold))
    }

    /// A hash of the gold that lies on the board.
    pub fn gold_hash(&self) -> u64 {
        self.rows(&self.gold).iter().fold(u64::from(self.gold_left), |hash, &row| {
            (hash ^ row).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29)
        })
    }

    /// A hash of the cells that everybody is in, the gold and the holes.
    pub fn coarse_hash(&self) -> u64 {
        let mut hash = self.gold_hash() ^ mix(self.runner.cell.word());
        for guard in self.guards() {
            hash = (hash ^ guard.body.cell.word()).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29);
        }
        for &row in self.rows(&self.open) {
            hash = (hash ^ row).wrapping_mul(0xD1B5_4A32_D192_ED03).rotate_left(31);
        }
        mix(hash)
    }

    /// A hash of everything that matters for the future.
    pub fn hash(&self) -> u64 {
        let mut hash = 0u64;
        let mut add = |word: u64| hash = mix(hash.rotate_left(17) ^ word);
        // Half rows, so that boards of up to 32 columns need one half only.
        for half in (0..self.extent.columns).step_by(32) {
            for y in 0..usize::from(self.extent.rows) {
                let part = |rows: &Rows| rows[y] >> half & u64::from(u32::MAX);
                add(part(&self.gold) << 32 | part(&self.guard_marks));
                add(part(&self.open));
            }
        }
        add(self.runner.word()
            | u64::from(self.runner_marked) << 32
            | u64::from(self.runner_falls) << 33
            | u64::from(self.revealed) << 34
            | u64::from(self.guard_turn) << 40
            | u64::from(self.cycle) << 44
            | self.ending.map_or(0, |ending| ending as u64 + 1) << 48);
        add(u64::from(self.gold_left) | self.bag << 32);
        if self.extent.columns > 32 {
            add(self.bag >> 32);
        }
        add(self.dig.map_or(0, |dig| 1 | dig.brick.word() << 8 | u64::from(dig.frame) << 32));
        for guard in self.guards() {
            add(guard.body.word() | guard.doing.word() << 32 | u64::from(guard.carry as u8) << 56);
        }
        self.holes.iter().for_each(|(cell, ticks)| add(cell.word() << 8 | u64::from(ticks)));
        self.trapped.iter().for_each(|(id, ticks)| add(1 << 32 | u64::from(id) << 8 | u64::from(ticks)));
        self.respawning.iter().for_each(|(id, ticks)| add(2 << 32 | u64::from(id) << 8 | u64::from(ticks)));
        hash
    }

    fn base_below_is_ladder(&self, board: &Board, cell: Cell) -> bool {
        self.extent.below(cell).is_some_and(|below| self.base(board, below) == Base::Ladder)
    }

    /// The rows that the board has.
    fn rows<'a>(&self, rows: &'a Rows) -> &'a [u64] {
        &rows[..usize::from(self.extent.rows)]
    }
}
