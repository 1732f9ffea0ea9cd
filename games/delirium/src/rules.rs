//! The rules: rule sets and their options, actions, states, and the step from one state to the next.
//!
//! One tick of each rule set stands in a file of its own: `course` and `boulder`. Both work on a
//! [`Board`], of one of two sizes behind one [`State`].

#![expect(
    clippy::inline_always,
    reason = "a tick inside the loop of its caller, where the board and often the action are known, is a tenth faster"
)]

mod boulder;
mod course;

use std::ops::RangeInclusive;

use damier_core::game::{Facts, Game, GameOver, Illegal, Seat, Status, Verdict};
use damier_core::grid::{Cell, Dir, Size};
use damier_core::level::LevelError;
use damier_core::random::Chance;

use crate::board::{Board, Ending, Explosion, Spot, Walker, Word, column_of, row_of};
use crate::kind::Kind;
use crate::level::{Level, Map};
use crate::observe::Observation;

/// The largest half-size of a view.
pub const MAX_VIEW: u8 = 15;

/// The rule set: the course project's engine or Boulder Dash.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RuleSet {
    /// The course project's engine.
    Course,
    /// Boulder Dash.
    Boulder,
}

impl RuleSet {
    /// The rule set of this name.
    pub fn parse(name: &str) -> Option<Self> {
        match name {
            "course" => Some(Self::Course),
            "boulder" => Some(Self::Boulder),
            _ => None,
        }
    }
}

/// The side to which a thing slides where both are free.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Slide {
    /// Drawn by chance: `below(2)` of 0 is left, of 1 right.
    Random,
    /// To the left.
    Left,
    /// To the right.
    Right,
}

impl Slide {
    /// The side of this name.
    pub fn parse(name: &str) -> Option<Self> {
        match name {
            "random" => Some(Self::Random),
            "left" => Some(Self::Left),
            "right" => Some(Self::Right),
            _ => None,
        }
    }
}

/// Rule options: the rule set, and what a level's headers may change of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// The rule set.
    pub set: RuleSet,
    /// Header `slide`: `random`, `left` or `right`.
    pub slide: Slide,
    /// Header `blast`: the ticks after which an explosion is over, 1 to 7.
    pub blast_ticks: u8,
    /// Header `blue-blast`: the ticks after which a blue monster's explosion becomes diamonds, 1 to 7.
    pub blue_blast_ticks: u8,
    /// Header `blue-pace`: blue monsters move in every tick whose number is a multiple of it, 1 to 8.
    pub blue_pace: u8,
    /// Header `view`: half the size of what the miner sees, as in `5x3`; `0x0` is the whole map.
    pub view: (u8, u8),
}

impl Options {
    /// The defaults of a rule set.
    pub const fn of(set: RuleSet) -> Self {
        match set {
            RuleSet::Course => Self {
                set,
                slide: Slide::Random,
                blast_ticks: 2,
                blue_blast_ticks: 1,
                blue_pace: 2,
                view: (0, 0),
            },
            RuleSet::Boulder => Self {
                set,
                slide: Slide::Left,
                blast_ticks: 5,
                blue_blast_ticks: 5,
                blue_pace: 1,
                view: (0, 0),
            },
        }
    }

    /// The defaults of a rule set with the changes that the headers of a level's first map make.
    pub fn read(set: RuleSet, map: &Map) -> Result<Self, LevelError> {
        let mut options = Self::of(set);
        for header in &OPTION_HEADERS {
            if let Some(text) = map.header(header.name) {
                (header.set)(&mut options, text).ok_or_else(|| {
                    LevelError::whole(format!("`{}: {text}`: expected {}", header.name, header.expected))
                })?;
            }
        }
        Ok(options)
    }

    /// The phase of the blue monsters' pace.
    fn phase(self, tick: u32) -> u32 {
        tick % u32::from(self.blue_pace)
    }
}

/// A level header that sets a rule option.
pub(crate) struct OptionHeader {
    /// Its name.
    pub name: &'static str,
    /// What it may be set to, for error messages.
    expected: &'static str,
    /// Sets the option, unless the text is none of what is expected.
    set: fn(&mut Options, &str) -> Option<()>,
}

/// The headers of all rule options.
pub(crate) const OPTION_HEADERS: [OptionHeader; 5] = [
    OptionHeader {
        name: "slide",
        expected: "random, left or right",
        set: |options, text| Slide::parse(text).map(|slide| options.slide = slide),
    },
    OptionHeader {
        name: "blast",
        expected: "a number from 1 to 7",
        set: |options, text| number(text, 1..=7).map(|ticks| options.blast_ticks = ticks),
    },
    OptionHeader {
        name: "blue-blast",
        expected: "a number from 1 to 7",
        set: |options, text| number(text, 1..=7).map(|ticks| options.blue_blast_ticks = ticks),
    },
    OptionHeader {
        name: "blue-pace",
        expected: "a number from 1 to 8",
        set: |options, text| number(text, 1..=8).map(|pace| options.blue_pace = pace),
    },
    OptionHeader {
        name: "view",
        expected: "two numbers up to 15 as in 5x3",
        set: |options, text| view(text).map(|view| options.view = view),
    },
];

fn number(text: &str, range: RangeInclusive<u8>) -> Option<u8> {
    text.parse().ok().filter(|number| range.contains(number))
}

fn view(text: &str) -> Option<(u8, u8)> {
    let (x, y) = text.split_once('x')?;
    let half = |text: &str| text.trim().parse().ok().filter(|&half| half <= MAX_VIEW);
    let (x, y) = (half(x)?, half(y)?);
    // One half-size of nothing alone would be a line of cells; the course knows only both or none.
    ((x == 0) == (y == 0)).then_some((x, y))
}

/// What the miner can do in a tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// Nothing.
    Stay,
    /// A step, which digs, gathers, pushes or leaves; nothing if the way is closed.
    Go(Dir),
    /// Digs the neighbouring cell without moving.
    Dig(Dir),
    /// Sees one cell further to all sides; the world waits.
    Look,
}

impl Action {
    /// The actions that are legal in every running game, in the order of their numbers in the course environment: 0 to 8.
    pub const ALL: [Self; 9] = [
        Self::Stay,
        Self::Go(Dir::East),
        Self::Go(Dir::North),
        Self::Go(Dir::West),
        Self::Go(Dir::South),
        Self::Dig(Dir::East),
        Self::Dig(Dir::North),
        Self::Dig(Dir::West),
        Self::Dig(Dir::South),
    ];

    /// The number of [`Look`](Action::Look) in the course environment.
    pub const LOOK: u32 = 100_000;

    /// Its number in the course environment.
    pub fn number(self) -> u32 {
        Self::ALL.iter().position(|&action| action == self).map_or(Self::LOOK, |number| number as u32)
    }

    /// The action of this number in the course environment.
    pub fn numbered(number: u32) -> Option<Self> {
        if number == Self::LOOK { Some(Self::Look) } else { Self::ALL.get(number as usize).copied() }
    }

    /// `stay`, `right`, …, `dig-right`, …, `look`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Stay => "stay",
            Self::Go(dir) => dir.arrow_name(),
            Self::Dig(Dir::North) => "dig-up",
            Self::Dig(Dir::East) => "dig-right",
            Self::Dig(Dir::South) => "dig-down",
            Self::Dig(Dir::West) => "dig-left",
            Self::Look => "look",
        }
    }

    /// The action of this name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().chain([Self::Look]).find(|action| action.name() == name)
    }
}

/// The rows of a small board.
pub(crate) const SMALL_ROWS: usize = 24;

/// The monsters and explosions that a small board has room for.
pub(crate) const SMALL_BEINGS: usize = 96;

/// The rows of a large board.
pub(crate) const LARGE_ROWS: usize = 128;

/// The monsters and explosions that a large board has room for.
pub(crate) const LARGE_BEINGS: usize = 4_096;

/// The board of maps up to 64 by 24: less than a kilobyte.
pub type SmallBoard = Board<u64, SMALL_ROWS, SMALL_BEINGS>;

/// The board of all larger maps.
pub type LargeBoard = Board<u128, LARGE_ROWS, LARGE_BEINGS>;

/// The complete game state, on a board of one of two sizes.
#[derive(Clone, PartialEq, Eq, Debug)]
#[expect(clippy::large_enum_variant, reason = "the small board is the usual one, and is copied in place")]
pub enum State {
    /// A map of up to 64 by 24 cells with up to 95 monsters.
    Small(SmallBoard),
    /// Any other map.
    Large(Box<LargeBoard>),
}

/// Does the same with the board of either size.
macro_rules! with {
    ($state:expr, $board:ident => $body:expr) => {
        match $state {
            State::Small($board) => $body,
            State::Large($board) => $body,
        }
    };
}

impl State {
    /// Ticks played on all maps.
    pub fn tick(&self) -> u32 {
        with!(self, board => board.tick)
    }

    /// Diamonds gathered on this map.
    pub fn gathered(&self) -> u16 {
        with!(self, board => board.gathered)
    }

    /// Diamonds still needed before the exit opens.
    pub fn missing(&self) -> u16 {
        with!(self, board => board.missing)
    }

    /// Is the exit open?
    pub fn is_open(&self) -> bool {
        self.missing() == 0
    }

    /// How the game ended.
    pub fn ending(&self) -> Option<Ending> {
        with!(self, board => board.ending)
    }

    /// The number of the map in a sequence, from 0.
    pub fn stage(&self) -> usize {
        with!(self, board => board.stage.into())
    }

    /// Half the size of what the miner sees; `(0, 0)` is the whole map.
    pub fn view(&self) -> (u8, u8) {
        with!(self, board => board.view)
    }

    /// Sets what an observation tells besides the cells: for an agent's own picture of the world.
    pub(crate) fn set_counters(&mut self, tick: u32, missing: u16, gathered: u16, view: (u8, u8)) {
        with!(self, board => {
            (board.tick, board.missing, board.gathered, board.view) = (tick, missing, gathered, view);
        });
    }

    /// How many monsters live.
    pub fn monster_count(&self) -> usize {
        with!(self, board => board.monsters.into())
    }
}

/// A monster of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Monster {
    /// Where it is.
    pub cell: Cell,
    /// Is it blue?
    pub blue: bool,
    /// Where it walks; nowhere before its first step.
    pub heading: Option<Dir>,
}

/// One map made ready to be played.
#[derive(Clone, Debug)]
struct Stage {
    size: Size,
    /// The border that the board has and the map has not: 0 or 1.
    ring: u16,
    start: State,
}

/// The rules on one level: immutable and shared.
#[derive(Clone, Debug)]
pub struct Rules {
    level: Level,
    options: Options,
    stages: Vec<Stage>,
}

impl Rules {
    /// The rules on a level, with the options that its headers set.
    pub fn new(level: Level, set: RuleSet) -> Result<Self, LevelError> {
        let options = Options::read(set, level.first())?;
        Ok(Self::with_options(level, options))
    }

    /// The rules on a level with given options.
    pub fn with_options(level: Level, options: Options) -> Self {
        let small = level.maps().iter().all(fits_small);
        let stages = level.maps().iter().zip(0..).map(|(map, number)| {
            let ring = u16::from(!map.is_closed());
            let start = if small {
                State::Small(set_up(map, ring, number, options))
            } else {
                State::Large(Box::new(set_up(map, ring, number, options)))
            };
            Stage { size: map.size(), ring, start }
        });
        Self { stages: stages.collect(), level, options }
    }

    /// The level.
    pub fn level(&self) -> &Level {
        &self.level
    }

    /// The options.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The map that a state is on.
    pub fn map(&self, state: &State) -> &Map {
        &self.level.maps()[state.stage()]
    }

    /// Columns and rows of the map that a state is on.
    pub fn size(&self, state: &State) -> Size {
        self.stages[state.stage()].size
    }

    /// The first state of a map of a sequence.
    pub fn start_of(&self, stage: usize) -> State {
        self.stages[stage].start.clone()
    }

    /// What a cell holds, with explosions and things in flight told apart.
    pub fn kind(&self, state: &State, cell: Cell) -> Kind {
        let stage = &self.stages[state.stage()];
        let (x, y) = stage.size.xy(cell);
        with!(state, board => {
            let spot = spot_on(board, x + stage.ring, y + stage.ring);
            match board.kind(spot) {
                Kind::Red if board.is_blue(spot) => Kind::Blue,
                kind => kind,
            }
        })
    }

    /// What all cells hold, row by row.
    pub fn kinds(&self, state: &State) -> Vec<Kind> {
        self.size(state).cells().map(|cell| self.kind(state, cell)).collect()
    }

    /// Where the miner is.
    pub fn miner(&self, state: &State) -> Cell {
        with!(state, board => self.cell(state, on_board(board, board.miner)))
    }

    /// The monsters, in the order in which they move.
    pub fn monsters(&self, state: &State) -> Vec<Monster> {
        let monster = |(at, walker): ((u16, u16), Walker)| Monster {
            cell: self.cell(state, at),
            blue: walker.blue,
            heading: walker.heading,
        };
        with!(state, board => board.walkers().map(|it| (on_board(board, it.spot), it)).map(monster).collect())
    }

    /// The explosions under way, the oldest first: centre, whether it leaves diamonds, and the ticks that it lasts.
    pub fn explosions(&self, state: &State) -> Vec<(Cell, bool, u8)> {
        let told = |(at, it): ((u16, u16), Explosion)| (self.cell(state, at), it.diamonds, it.ticks);
        with!(state, board => board.explosions().map(|it| (on_board(board, it.spot), it)).map(told).collect())
    }

    /// The cell of the map at a spot of a board of a state.
    pub(crate) fn cell_of<W: Word>(&self, state: &State, spot: Spot) -> Cell {
        self.cell(state, (column_of::<W>(spot) as u16, row_of::<W>(spot) as u16))
    }

    fn cell(&self, state: &State, (x, y): (u16, u16)) -> Cell {
        let stage = &self.stages[state.stage()];
        stage.size.cell(x - stage.ring, y - stage.ring)
    }

    /// Plays one tick on a board, without a look at what comes after the map: the step of a search that knows its board.
    ///
    /// Only the course's tick on a small board is compiled into its caller, where it is a tenth faster. The others exist once
    /// for all kinds of chance, which saves a quarter of this crate's compile time.
    #[inline(always)]
    pub fn tick<W: Word, const H: usize, const M: usize, C: Chance + ?Sized>(
        &self,
        board: &mut Board<W, H, M>,
        action: Action,
        mut chance: &mut C,
    ) {
        if self.options.set == RuleSet::Course && const { !Board::<W, H, M>::IS_LARGE } {
            course::tick(self.options, board, action, chance);
        } else {
            self.tick_out_of_line(board, action, &mut chance);
        }
    }

    /// As [`tick`](Self::tick), for callers that are not the inner loop of a search.
    #[inline(never)]
    pub(crate) fn tick_out_of_line<W: Word, const H: usize, const M: usize>(
        &self,
        board: &mut Board<W, H, M>,
        action: Action,
        chance: &mut dyn Chance,
    ) {
        match self.options.set {
            RuleSet::Course => course::tick(self.options, board, action, chance),
            RuleSet::Boulder => boulder::tick(self.options, board, action, chance),
        }
    }

    /// As [`apply`](Game::apply), for callers that are not the inner loop of a search.
    #[inline(never)]
    pub(crate) fn apply_out_of_line(&self, state: &mut State, action: Action, chance: &mut dyn Chance) {
        self.apply(state, action, chance);
    }

    #[inline(always)]
    fn turn<W: Word, const H: usize, const M: usize, C: Chance + ?Sized>(
        &self,
        board: &mut Board<W, H, M>,
        action: Action,
        chance: &mut C,
    ) {
        if action == Action::Look {
            let further = |half: u8| (half + 1).min(MAX_VIEW);
            board.view = (further(board.view.0), further(board.view.1));
        } else if board.ending.is_none() {
            self.tick(board, action, chance);
        }
    }

    /// Apart from the small board's, so that its larger stack frame is no burden there.
    #[inline(never)]
    fn turn_on_large(&self, board: &mut LargeBoard, action: Action, chance: &mut dyn Chance) {
        self.turn(board, action, chance);
    }

    /// The hash of a board under these rules, as of the state that holds it.
    pub fn board_hash<W: Word, const H: usize, const M: usize>(&self, board: &Board<W, H, M>) -> u64 {
        board.full_hash(self.options.phase(board.tick))
    }

    /// Replaces what the cells of a state hold, for agents that imagine what they cannot see.
    ///
    /// `kinds` are the cells of the map, row by row; `heading` says where a monster walks. Explosions are dropped: a burning
    /// cell burns for good.
    pub fn redraw(&self, state: &State, kinds: &[Kind], heading: impl Fn(Cell) -> Option<Dir>) -> State {
        let stage = &self.stages[state.stage()];
        let mut state = state.clone();
        with!(&mut state, board => fill(board, stage.size, stage.ring, kinds, heading));
        state
    }

    /// Computes the hash of a state from scratch, to test the one that is updated step by step.
    pub fn hash_from_scratch(&self, state: &State) -> u64 {
        let mut state = state.clone();
        with!(&mut state, board => board.hash_anew());
        self.hash(&state)
    }

    /// After a map that is not the last, the next one begins. Ticks and view go on.
    #[cold]
    fn next_stage(&self, state: &mut State) {
        if let Some(next) = self.stages.get(state.stage() + 1) {
            let (tick, view) = (state.tick(), state.view());
            *state = next.start.clone();
            with!(state, board => (board.tick, board.view) = (tick, view));
        }
    }
}

fn spot_on<W: Word, const H: usize, const M: usize>(_: &Board<W, H, M>, x: u16, y: u16) -> Spot {
    Board::<W, H, M>::spot(x, y)
}

/// Column and row on the board.
fn on_board<W: Word, const H: usize, const M: usize>(_: &Board<W, H, M>, spot: Spot) -> (u16, u16) {
    (column_of::<W>(spot) as u16, row_of::<W>(spot) as u16)
}

fn fits_small(map: &Map) -> bool {
    let Size { width, height } = map.size();
    let ring = 2 * u16::from(!map.is_closed());
    let monsters = map.cells().iter().filter(|kind| kind.is_monster()).count();
    // One more explosion than monsters: the miner's.
    width + ring <= 64 && usize::from(height + ring) <= SMALL_ROWS && monsters < SMALL_BEINGS
}

fn set_up<W: Word, const H: usize, const M: usize>(
    map: &Map,
    ring: u16,
    stage: u8,
    options: Options,
) -> Board<W, H, M> {
    let mut board = Board::closed();
    let heading = |cell| map.heading(cell).or_else(|| boulder::first_heading(options, map.kind(cell)));
    fill(&mut board, map.size(), ring, map.cells(), heading);
    board.missing = map.need();
    board.stage = stage;
    board.view = options.view;
    board
}

/// Fills the inside of a board.
fn fill<W: Word, const H: usize, const M: usize>(
    board: &mut Board<W, H, M>,
    size: Size,
    ring: u16,
    kinds: &[Kind],
    heading: impl Fn(Cell) -> Option<Dir>,
) {
    (board.monsters, board.explosions) = (0, 0);
    board.wake_all();
    for (cell, &kind) in size.cells().zip(kinds) {
        let (x, y) = size.xy(cell);
        let spot = spot_on(board, x + ring, y + ring);
        board.put(spot, if kind == Kind::Blue { Kind::Red } else { kind });
        match kind {
            Kind::Miner => board.miner = spot,
            Kind::Red | Kind::Blue if usize::from(board.monsters) + 1 < M => {
                board.add_walker(Walker { spot, blue: kind == Kind::Blue, heading: heading(cell) });
            }
            _ => {}
        }
    }
}

impl Game for Rules {
    type State = State;
    type Action = Action;
    type Observation = Observation;

    fn facts(&self) -> Facts {
        let chance = match self.options.set {
            RuleSet::Course => self.options.slide == Slide::Random,
            RuleSet::Boulder => true,
        };
        Facts { seats: &["miner"], chance, perfect_information: self.options.view == (0, 0) }
    }

    fn start(&self) -> State {
        self.start_of(0)
    }

    fn status(&self, state: &State) -> Status {
        let (verdict, reason) = match state.ending() {
            None => return Status::ToMove(0),
            Some(Ending::Won) => (Verdict::Won(0), "exit reached"),
            Some(Ending::Crushed) => (Verdict::Lost, "crushed"),
            Some(Ending::Caught) => (Verdict::Lost, "caught by a monster"),
            Some(Ending::Blasted) => (Verdict::Lost, "killed by an explosion"),
        };
        Status::Over(GameOver { verdict, reason })
    }

    /// Every action is legal in every state; towards a closed cell it is as good as staying.
    fn legal(&self, state: &State, actions: &mut Vec<Action>) {
        actions.clear();
        if state.ending().is_none() {
            actions.extend(Action::ALL);
            if self.check(state, Action::Look).is_ok() {
                actions.push(Action::Look);
            }
        }
    }

    fn check(&self, state: &State, action: Action) -> Result<(), Illegal> {
        if state.ending().is_some() {
            return Err(Illegal("the game is over".into()));
        }
        match (action, state.view()) {
            (Action::Look, (0, 0)) => Err(Illegal("look: the whole map is in view".into())),
            (Action::Look, (x, y)) if x.min(y) >= MAX_VIEW => {
                Err(Illegal(format!("look: nobody sees further than {MAX_VIEW} cells")))
            }
            _ => Ok(()),
        }
    }

    #[inline(always)]
    fn apply<C: Chance + ?Sized>(&self, state: &mut State, action: Action, mut chance: &mut C) {
        let ending = match state {
            State::Small(board) => {
                self.turn(board, action, chance);
                board.ending
            }
            State::Large(board) => {
                self.turn_on_large(board, action, &mut chance);
                board.ending
            }
        };
        if ending == Some(Ending::Won) {
            self.next_stage(state);
        }
    }

    fn hash(&self, state: &State) -> u64 {
        with!(state, board => self.board_hash(board))
    }

    /// The diamonds gathered on this map and needed on those before.
    fn score(&self, state: &State, _seat: Seat) -> i64 {
        let before: i64 = self.level.maps()[..state.stage()].iter().map(|map| i64::from(map.need())).sum();
        before + i64::from(state.gathered())
    }

    fn observe(&self, state: &State, _seat: Seat) -> Observation {
        Observation::of(self, state)
    }

    fn action_name(&self, action: Action) -> String {
        action.name().to_owned()
    }

    fn parse_action(&self, _state: &State, name: &str) -> Result<Action, Illegal> {
        let by_number = || name.parse().ok().and_then(Action::numbered);
        Action::parse(name).or_else(by_number).ok_or_else(|| {
            Illegal(format!(
                "`{name}` is not an action: they are stay, right, up, left, down, dig-right, dig-up, dig-left, dig-down \
                 and look, or their numbers 0 to 8 and 100000"
            ))
        })
    }
}
