//! The rules of the game.

use std::sync::Arc;

use damier_core::game::{Facts, Game, GameOver, Illegal, Seat, Status, Verdict};
use damier_core::grid::{Cell, Dir};
use damier_core::random::{Chance, mix, zobrist};

use crate::level::Level;
use crate::observe::Observation;
use crate::robot::{MAX_ROBOTS, Robot};
use crate::slides::Slides;

/// A rule set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RuleSet {
    /// Any path to the target counts.
    Standard,
    /// The active robot must turn at least once before it reaches the target.
    Ricochet,
}

impl RuleSet {
    /// All rule sets, the default one first.
    pub const ALL: [Self; 2] = [Self::Standard, Self::Ricochet];

    /// The name, as typed in a command.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Standard => "standard",
            Self::Ricochet => "ricochet",
        }
    }

    /// The rule set of this name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|set| set.name() == name)
    }
}

/// A robot slides in a direction until a wall or another robot stops it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Action {
    /// The robot that moves.
    pub robot: Robot,
    /// The direction.
    pub dir: Dir,
}

impl Action {
    /// All actions of all five robots.
    pub fn all() -> impl Iterator<Item = Self> {
        Robot::ALL.into_iter().flat_map(|robot| Dir::ALL.into_iter().map(move |dir| Self { robot, dir }))
    }

    /// The action of this name: `red north`, or `RN` for short.
    pub fn parse(name: &str) -> Option<Self> {
        let name = name.trim();
        let (robot, dir) = match name.split_once(char::is_whitespace) {
            Some((robot, dir)) => (robot, dir.trim()),
            None if name.len() == 2 && name.is_ascii() => name.split_at(1),
            None => return None,
        };
        let named = |candidate: &Dir| {
            candidate.name().eq_ignore_ascii_case(dir) || candidate.name()[..1].eq_ignore_ascii_case(dir)
        };
        Some(Self { robot: Robot::parse(robot)?, dir: Dir::ALL.into_iter().find(named)? })
    }
}

impl std::fmt::Display for Action {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.robot.name(), self.dir.name())
    }
}

/// The history of a robot that matters for the rule "the active robot must ricochet".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Course {
    /// It has not moved.
    Still,
    /// It has only moved in this direction and back.
    Straight(Dir),
    /// It has turned, so it may finish on the target.
    Turned,
}

impl Course {
    /// The course after a slide that started in this direction and may have turned at a diagonal.
    #[inline]
    pub fn after(self, dir: Dir, turned: bool) -> Self {
        match self {
            _ if turned => Self::Turned,
            Self::Still => Self::Straight(dir),
            Self::Straight(before) if before == dir || before == dir.opposite() => self,
            Self::Straight(_) | Self::Turned => Self::Turned,
        }
    }

    const fn number(self) -> u64 {
        match self {
            Self::Still => 0,
            Self::Straight(dir) => 1 + dir as u64,
            Self::Turned => 5,
        }
    }
}

/// A state: the positions of the robots.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// Each robot's cell, by [`Robot::index`]; [`State::ABSENT`] for a robot that is not on the board.
    pub robots: [Cell; MAX_ROBOTS],
    /// Each robot's course; all [`Course::Still`] unless robots must ricochet.
    pub courses: [Course; MAX_ROBOTS],
    /// The number of moves made so far.
    pub moves: u32,
}

impl State {
    /// The cell of a robot that is not on the board.
    pub const ABSENT: Cell = Cell(u16::MAX);

    /// The robot on a cell.
    #[inline]
    pub fn robot_on(&self, cell: Cell) -> Option<Robot> {
        Robot::ALL.into_iter().find(|robot| self.robots[robot.index()] == cell)
    }

    /// The cell of a robot, if it is on the board.
    pub fn cell_of(&self, robot: Robot) -> Option<Cell> {
        Some(self.robots[robot.index()]).filter(|&cell| cell != Self::ABSENT)
    }

    /// The robots on the board.
    pub fn present(&self) -> impl Iterator<Item = Robot> + '_ {
        Robot::ALL.into_iter().filter(|robot| self.robots[robot.index()] != Self::ABSENT)
    }
}

/// The rules on one level, with tables of slides.
#[derive(Clone, Debug)]
pub struct Rules {
    level: Arc<Level>,
    slides: Slides,
}

impl Rules {
    /// The rules on a checked level.
    pub fn new(level: Level) -> Self {
        let slides = Slides::new(level.board());
        Self { level: Arc::new(level), slides }
    }

    /// The level.
    pub fn level(&self) -> &Level {
        &self.level
    }

    /// The slides of the board.
    pub const fn slides(&self) -> &Slides {
        &self.slides
    }

    /// The cell where a robot stops, and whether it turned at a diagonal; `None` if it does not move.
    #[inline]
    pub fn slide(&self, state: &State, action: Action) -> Option<(Cell, bool)> {
        let from = state.cell_of(action.robot)?;
        let path = self.slides.path(action.robot, from, action.dir);
        // Diagonals may lead a slide across its own start, which is empty then.
        let free = path.free(|cell| cell != from && state.robots.contains(&cell));
        free.checked_sub(1).map(|last| (path.cells[last], free > path.straight))
    }

    /// Whether this action moves its robot. Checks only the adjacent cell, not the whole slide.
    #[inline]
    pub fn can_move(&self, state: &State, action: Action) -> bool {
        let Some(from) = state.cell_of(action.robot) else { return false };
        let first = self.slides.path(action.robot, from, action.dir).cells.first();
        first.is_some_and(|cell| !state.robots.contains(cell))
    }

    /// Whether this robot has fulfilled the mission.
    #[inline]
    fn has_arrived(&self, state: &State, robot: Robot) -> bool {
        state.robots[robot.index()] == self.level.target()
            && (!self.level.must_ricochet() || state.courses[robot.index()] == Course::Turned)
    }

    /// Whether the mission is fulfilled.
    #[inline]
    pub fn is_solved(&self, state: &State) -> bool {
        match self.level.target_robot() {
            Some(robot) => self.has_arrived(state, robot),
            None => Robot::ALL.into_iter().any(|robot| self.has_arrived(state, robot)),
        }
    }

    /// The actions that move a robot.
    pub fn moves<'a>(&'a self, state: &'a State) -> impl Iterator<Item = Action> + 'a {
        Action::all().filter(|&action| self.can_move(state, action))
    }

    /// Makes a move; does nothing if the robot cannot move.
    #[inline]
    pub fn make_move(&self, state: &mut State, action: Action) {
        let Some((stop, turned)) = self.slide(state, action) else { return };
        let robot = action.robot.index();
        state.robots[robot] = stop;
        state.moves += 1;
        if self.level.must_ricochet() {
            state.courses[robot] = state.courses[robot].after(action.dir, turned);
        }
    }
}

impl Game for Rules {
    type State = State;
    type Action = Action;
    type Observation = Observation;

    fn facts(&self) -> Facts {
        Facts { seats: &["player"], chance: false, perfect_information: true }
    }

    fn start(&self) -> State {
        let mut robots = [State::ABSENT; MAX_ROBOTS];
        for (robot, cell) in self.level.robots() {
            robots[robot.index()] = cell;
        }
        State { robots, courses: [Course::Still; MAX_ROBOTS], moves: 0 }
    }

    fn status(&self, state: &State) -> Status {
        if self.is_solved(state) {
            return Status::Over(GameOver { verdict: Verdict::Won(0), reason: "target reached" });
        }
        if self.moves(state).next().is_none() {
            return Status::Over(GameOver { verdict: Verdict::Lost, reason: "no robot can move" });
        }
        Status::ToMove(0)
    }

    fn legal(&self, state: &State, actions: &mut Vec<Action>) {
        actions.clear();
        if !self.is_solved(state) {
            actions.extend(self.moves(state));
        }
    }

    fn check(&self, state: &State, action: Action) -> Result<(), Illegal> {
        if self.is_solved(state) {
            return Err(Illegal("the target is reached: the mission is over".into()));
        }
        let name = action.robot.name();
        let Some(from) = state.cell_of(action.robot) else {
            return Err(Illegal(format!("the {name} robot is not on this board")));
        };
        if self.can_move(state, action) {
            return Ok(());
        }
        let next = self.slides.path(action.robot, from, action.dir).cells.first();
        let obstacle = next.map_or("a wall", |_| "another robot");
        Err(Illegal(format!("the {name} robot cannot go {}: {obstacle} is in the way", action.dir.name())))
    }

    fn apply<C: Chance + ?Sized>(&self, state: &mut State, action: Action, _chance: &mut C) {
        self.make_move(state, action);
    }

    fn hash(&self, state: &State) -> u64 {
        let robots = Robot::ALL.into_iter().fold(0, |hash, robot| {
            let (cell, course) = (state.robots[robot.index()], state.courses[robot.index()]);
            hash ^ zobrist(robot as u64, u64::from(cell.0) * 8 + course.number())
        });
        robots ^ mix(u64::from(state.moves) + 1)
    }

    fn score(&self, state: &State, _seat: Seat) -> i64 {
        -i64::from(state.moves)
    }

    fn observe(&self, state: &State, _seat: Seat) -> Observation {
        Observation { level: Arc::clone(&self.level), state: state.clone() }
    }

    fn action_name(&self, action: Action) -> String {
        action.to_string()
    }

    fn parse_action(&self, _state: &State, name: &str) -> Result<Action, Illegal> {
        Action::parse(name).ok_or_else(|| {
            Illegal(format!(
                "`{name}` is not a move: a move is a robot and a direction, such as `red north` or `RN`"
            ))
        })
    }
}
