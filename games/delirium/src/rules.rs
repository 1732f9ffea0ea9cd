//! The rules: rule sets and their options (`options`), actions (`action`), states, and the step from one state to the next.
//!
//! One tick of each rule set stands in a file of its own: `course` and `boulder`. Both work on a
//! [`Board`], of one of two sizes behind one [`State`].

#![expect(
    clippy::inline_always,
    reason = "a tick inside the loop of its caller, where the board and often the action are known, is a tenth faster"
)]

mod action;
pub(crate) mod boulder;
mod copy;
mod course;
mod options;

use damier_core::game::{Facts, Game, GameOver, Illegal, Seat, Status, Verdict};
use damier_core::grid::{Cell, Dir, Size};
use damier_core::level::LevelError;
use damier_core::random::Chance;

use crate::board::{Board, Ending, Exact, Explosion, Spot, Walker, Word, column_of, row_of};
use crate::cave::{Cave, Place};
use crate::kind::Kind;
use crate::level::{Level, Map};
use crate::observe::Observation;
pub use action::Action;
use boulder::fate::Dice;
pub use boulder::ground::Ground;
pub(crate) use boulder::options::CAVE_HEADERS;
pub use boulder::options::CaveOptions;
pub(crate) use options::OPTION_HEADERS;
pub use options::{MAX_VIEW, Options, RuleSet, Slide};

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

/// The cells of a small cave.
pub(crate) const SMALL_CELLS: usize = 1_024;

/// The cells of a large cave.
pub(crate) const LARGE_CELLS: usize = 16_384;

/// The cave of up to 64 by 24 cells, 1,024 in all.
pub type SmallCave = Cave<SMALL_CELLS, { SMALL_CELLS / 64 }>;

/// The cave of all larger maps.
pub type LargeCave = Cave<LARGE_CELLS, { LARGE_CELLS / 64 }>;

/// The complete game state: a board under the course's rules, a cave under Boulder Dash's, of one of two sizes.
#[derive(PartialEq, Eq, Debug)]
#[expect(clippy::large_enum_variant, reason = "the small ones are the usual ones, and are copied in place")]
pub enum State {
    /// A map of up to 64 by 24 cells with up to 95 monsters.
    Small(SmallBoard),
    /// Any other map.
    Large(Box<LargeBoard>),
    /// A cave of the usual size.
    Cave(SmallCave),
    /// Any other cave.
    LargeCave(Box<LargeCave>),
}

/// Does the same with the board or cave of either size.
macro_rules! with {
    ($state:expr, $board:ident => $body:expr) => {
        match $state {
            State::Small($board) => $body,
            State::Large($board) => $body,
            State::Cave($board) => $body,
            State::LargeCave($board) => $body,
        }
    };
    ($state:expr, $board:ident => $body:expr, $cave:ident => $other:expr) => {
        match $state {
            State::Small($board) => $body,
            State::Large($board) => $body,
            State::Cave($cave) => $other,
            State::LargeCave($cave) => $other,
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
        }, cave => {
            (cave.tick, cave.missing, cave.gathered, cave.view) = (tick, missing, gathered, view);
            cave.open &= missing == 0;
            cave.open |= missing == 0 && gathered > 0;
        });
    }

    /// How many monsters live.
    pub fn monster_count(&self) -> usize {
        with!(self, board => board.monsters.into())
    }
}

/// Does the same with a board of any kind that shows a state: the state's own, or the picture of its cave.
macro_rules! pictured {
    ($rules:expr, $state:expr, $board:ident => $body:expr) => {{
        let rules: &$crate::rules::Rules = $rules;
        match $state {
            $crate::rules::State::Small($board) => {
                let $board = *$board;
                $body
            }
            $crate::rules::State::Large($board) => {
                let $board = **$board;
                $body
            }
            $crate::rules::State::Cave(cave) => {
                let $board = $crate::picture::SmallPicture::of_cave(rules.ground(cave.stage.into()), cave);
                $body
            }
            $crate::rules::State::LargeCave(cave) => {
                let $board = $crate::picture::LargePicture::of_cave(rules.ground(cave.stage.into()), cave);
                $body
            }
        }
    }};
}
pub(crate) use pictured;

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
    /// What of a cave never changes.
    ground: Option<Box<Ground>>,
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
        match set {
            RuleSet::Course => {
                level.maps().iter().try_for_each(check_course)?;
                Ok(Self::with_options(level, options))
            }
            RuleSet::Boulder => Self::boulder(level, options),
        }
    }

    /// The course's rules on a level with given options.
    pub fn with_options(level: Level, options: Options) -> Self {
        let small = level.maps().iter().all(fits_small);
        let stages = level.maps().iter().zip(0..).map(|(map, number)| {
            let ring = u16::from(!map.is_closed());
            let start = if small {
                State::Small(set_up(map, ring, number, options))
            } else {
                State::Large(Box::new(set_up(map, ring, number, options)))
            };
            Stage { size: map.size(), ring, start, ground: None }
        });
        Self { stages: stages.collect(), level, options }
    }

    fn boulder(level: Level, options: Options) -> Result<Self, LevelError> {
        let grounds = level.maps().iter().map(|map| Ok(Box::new(Ground::new(map, CaveOptions::read(map)?))));
        let grounds = grounds.collect::<Result<Vec<_>, LevelError>>()?;
        let small = level.maps().iter().zip(&grounds).all(|(map, ground)| cave_fits_small(map, ground));
        let stages = level.maps().iter().zip(grounds).zip(0..).map(|((map, ground), number)| {
            let mut start = if small {
                State::Cave(ground.set_up(map, number))
            } else {
                State::LargeCave(Box::new(ground.set_up(map, number)))
            };
            with!(&mut start, it => it.view = options.view);
            Stage { size: map.size(), ring: ground.ring, start, ground: Some(ground) }
        });
        Ok(Self { stages: stages.collect(), level, options })
    }

    /// What of the cave never changes that a state is in. Only caves have one.
    pub(crate) fn ground(&self, stage: usize) -> &Ground {
        self.stages[stage].ground.as_deref().expect("caves are played under Boulder Dash's rules")
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

    /// A state of a cave of any size, for recordings.
    pub(crate) fn state_of<const N: usize, const B: usize>(&self, cave: &Cave<N, B>) -> State {
        fn copy<const N: usize, const B: usize, const O: usize, const C: usize>(
            cave: &Cave<N, B>,
            to: &mut Cave<O, C>,
            cells: usize,
        ) {
            to.cells[..cells].copy_from_slice(&cave.cells[..cells]);
            (to.tick, to.gathered, to.missing, to.ending) =
                (cave.tick, cave.gathered, cave.missing, cave.ending);
            (to.magic, to.amoeba, to.open) = (cave.magic, cave.amoeba, cave.open);
        }
        let ground = self.ground(0);
        let mut state = self.start();
        match &mut state {
            State::Cave(to) => {
                copy(cave, to, ground.cells());
                ground.take_stock(to);
            }
            State::LargeCave(to) => {
                copy(cave, to, ground.cells());
                ground.take_stock(to);
            }
            _ => {}
        }
        state
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
        }, cave => cave.at(self.ground(state.stage()).place(x, y)))
    }

    /// What all cells hold, row by row.
    pub fn kinds(&self, state: &State) -> Vec<Kind> {
        self.size(state).cells().map(|cell| self.kind(state, cell)).collect()
    }

    /// Where the miner is.
    pub fn miner(&self, state: &State) -> Cell {
        with!(state,
            board => self.cell(state, on_board(board, board.miner)),
            cave => self.cell_at(state, cave.miner.into()))
    }

    /// The monsters, in the order in which they move.
    pub fn monsters(&self, state: &State) -> Vec<Monster> {
        let monster = |(at, walker): ((u16, u16), Walker)| Monster {
            cell: self.cell(state, at),
            blue: walker.blue,
            heading: walker.heading,
        };
        with!(state,
            board => board.walkers().map(|it| (on_board(board, it.spot), it)).map(monster).collect(),
            cave => self.size(state).cells().filter_map(|cell| {
                let kind = self.kind(state, cell);
                debug_assert!(usize::from(cave.monsters) <= cave.cells.len());
                kind.is_monster().then(|| Monster { cell, blue: kind.is_blue(), heading: kind.heading() })
            }).collect())
    }

    /// The explosions under way, the oldest first: centre, whether it leaves diamonds, and the ticks that it lasts.
    pub fn explosions(&self, state: &State) -> Vec<(Cell, bool, u8)> {
        let told = |(at, it): ((u16, u16), Explosion)| (self.cell(state, at), it.diamonds, it.ticks);
        with!(state,
            board => board.explosions().map(|it| (on_board(board, it.spot), it)).map(told).collect(),
            cave => cave.explosions().map(|(at, diamonds, ticks)| (self.cell_at(state, at), diamonds, ticks)).collect())
    }

    /// The cell of the map at a spot of a board of a state.
    pub(crate) fn cell_of<W: Word>(&self, state: &State, spot: Spot) -> Cell {
        self.cell(state, (column_of::<W>(spot) as u16, row_of::<W>(spot) as u16))
    }

    /// The cell of the map at a place of a cave.
    fn cell_at(&self, state: &State, place: Place) -> Cell {
        let (x, y) = self.ground(state.stage()).xy(place);
        self.size(state).cell(x, y)
    }

    fn cell(&self, state: &State, (x, y): (u16, u16)) -> Cell {
        let stage = &self.stages[state.stage()];
        let margin = stage.ring + stage.ground.as_ref().map_or(0, |ground| ground.margin);
        stage.size.cell(x - margin, y - margin)
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
            RuleSet::Boulder => W::Exact::play(board, self.ground(board.stage.into()), action, chance),
        }
    }

    /// Plays one frame of a cave.
    #[inline(always)]
    fn frame<const N: usize, const B: usize, C: Chance + ?Sized>(
        &self,
        cave: &mut Cave<N, B>,
        action: Action,
        chance: &mut C,
    ) {
        if action == Action::Look {
            cave.view = wider(cave.view);
        } else if cave.ending.is_none() {
            boulder::frame(self.ground(cave.stage.into()), cave, action.into(), &mut Dice::new(chance));
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
            board.view = wider(board.view);
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
        match self.options.set {
            RuleSet::Course => board.full_hash(self.options.phase(board.tick)),
            RuleSet::Boulder => board.exact.hash(),
        }
    }

    /// Replaces what the cells of a state hold, for agents that imagine what they cannot see.
    ///
    /// `kinds` are the cells of the map, row by row; `heading` says where a monster walks. Explosions are dropped: a burning
    /// cell burns for good.
    pub fn redraw(&self, state: &State, kinds: &[Kind], heading: impl Fn(Cell) -> Option<Dir>) -> State {
        let stage = &self.stages[state.stage()];
        let mut state = state.clone();
        with!(&mut state,
            board => fill(board, stage.size, stage.ring, kinds, heading),
            cave => self.ground(usize::from(cave.stage)).refill(cave, stage.size, kinds, heading));
        state
    }

    /// Computes the hash of a state from scratch, to test the one that is updated step by step.
    pub fn hash_from_scratch(&self, state: &State) -> u64 {
        let mut state = state.clone();
        with!(&mut state,
            board => board.hash_anew(),
            cave => cave.hash_anew(self.ground(usize::from(cave.stage)).cells()));
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

/// A view that sees one cell further to all sides.
fn wider((x, y): (u8, u8)) -> (u8, u8) {
    ((x + 1).min(MAX_VIEW), (y + 1).min(MAX_VIEW))
}

/// The course's engine has one miner, and not all elements.
fn check_course(map: &Map) -> Result<(), LevelError> {
    if let Some(kind) = map.cells().iter().find(|kind| kind.in_course().is_none()) {
        return Err(LevelError::whole(format!(
            "the course's engine has no {}: play it with --rules boulder",
            kind.name()
        )));
    }
    let miners = map.cells().iter().filter(|kind| kind.is_miner()).count();
    if miners > 1 {
        return Err(LevelError::whole(format!("there are {miners} miners, the course's engine has one")));
    }
    Ok(())
}

fn cave_fits_small(map: &Map, ground: &Ground) -> bool {
    let margin = 2 * ground.margin;
    let monsters = map.cells().iter().filter(|kind| kind.is_monster()).count();
    ground.size.width + margin <= 64
        && usize::from(ground.size.height + margin) <= SMALL_ROWS
        && ground.cells() <= SMALL_CELLS
        && monsters + crate::cave::BOOMS < SMALL_BEINGS
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
    let kinds: Vec<Kind> = map.cells().iter().map(|kind| kind.in_course().unwrap_or(Kind::Border)).collect();
    fill(&mut board, map.size(), ring, &kinds, |cell| map.heading(cell));
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
            Some(Ending::Late) => (Verdict::Lost, "time is up"),
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
            State::Cave(cave) => {
                self.frame(cave, action, chance);
                cave.ending
            }
            State::LargeCave(cave) => {
                self.frame(cave, action, chance);
                cave.ending
            }
        };
        if ending == Some(Ending::Won) {
            self.next_stage(state);
        } else if let Some(limit) = self.options.time_limit
            && ending.is_none()
            && state.tick() >= limit.get()
        {
            with!(state, board => board.ending = Some(Ending::Late));
        }
    }

    fn hash(&self, state: &State) -> u64 {
        with!(state, board => self.board_hash(board), cave => cave.full_hash())
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
