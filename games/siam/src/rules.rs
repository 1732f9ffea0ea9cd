//! The rules of the game.

use damier_core::game::{Facts, Game, GameOver, Illegal, Seat, Status, Verdict};
use damier_core::random::{Chance, mix};

use crate::action::Move;
use crate::board::{Board, Side};
use crate::check;
use crate::level::Level;
use crate::line::Reading;
use crate::moves::{MoveList, MoveRules};
use crate::observe::Observation;
use crate::past::Past;

/// A rule set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RuleSet {
    /// Pushes are computed piece by piece; 13 and 53 are closed in the first four plies.
    Official,
    /// Pushes are computed piece by piece; all squares are open.
    Course,
    /// Only the sums over the whole line count; 13 and 53 are closed in the first four plies.
    OfficialTotal,
    /// Only the sums over the whole line count; all squares are open.
    CourseTotal,
}

impl RuleSet {
    /// All rule sets, the default one first.
    pub const ALL: [Self; 4] = [Self::Official, Self::Course, Self::OfficialTotal, Self::CourseTotal];

    /// The name, as typed in a command.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Official => "official",
            Self::Course => "course",
            Self::OfficialTotal => "official-total",
            Self::CourseTotal => "course-total",
        }
    }

    /// The rule set of this name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|set| set.name() == name)
    }

    /// The rules of legal moves.
    pub fn moves(self) -> MoveRules {
        let reading = match self {
            Self::Official | Self::Course => Reading::Running,
            Self::OfficialTotal | Self::CourseTotal => Reading::Total,
        };
        MoveRules::new(reading, matches!(self, Self::Official | Self::OfficialTotal))
    }
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// A mountain left the board.
    Won(Side),
    /// The same board with the same side to move for the third time.
    Repetition,
    /// The level's ply limit was reached.
    PlyCap,
}

/// A position with its history.
///
/// Every move can be undone by later ones, so any position may be repeated: the state stores all moves since the start.
/// Planners work on the [`Board`], which is small.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// The position.
    pub board: Board,
    /// How the game ended, if it is over.
    pub ending: Option<Ending>,
    past: Past,
}

impl State {
    fn new(board: Board) -> Self {
        Self { board, ending: None, past: Past::new(board) }
    }

    /// The plies played since the start of the game.
    pub fn played(&self) -> u16 {
        self.past.len()
    }

    /// The keys of the positions before this one, from the start of the game.
    pub fn past(&self) -> Vec<u64> {
        self.past.boards().map(|board| board.key()).collect()
    }

    /// How often this position has occurred, including now.
    pub fn occurrences(&self) -> usize {
        1 + self.past.boards().filter(|board| board.key() == self.board.key()).count()
    }

    /// Whether this position has occurred three times.
    #[inline]
    fn is_third_repetition(&self) -> bool {
        self.past.may_contain_twice(self.board.key()) && self.occurrences() >= 3
    }
}

/// The rules of a game that starts with a level's position.
///
/// Seat 0 is the side to move in the level: the elephants in a full game, the solver's side in a puzzle.
#[derive(Clone)]
pub struct Rules {
    level: Level,
    set: RuleSet,
    moves: MoveRules,
}

impl Rules {
    /// The rules of a level under a rule set.
    pub fn new(level: Level, set: RuleSet) -> Self {
        Self { level, set, moves: set.moves() }
    }

    /// The level.
    pub fn level(&self) -> &Level {
        &self.level
    }

    /// The rule set.
    pub fn set(&self) -> RuleSet {
        self.set
    }

    /// The rules of legal moves.
    pub fn moves(&self) -> &MoveRules {
        &self.moves
    }

    /// The side of a seat.
    pub fn side_of(&self, seat: Seat) -> Side {
        let first = self.level.board.side();
        if seat == 0 { first } else { !first }
    }

    /// The seat of a side.
    pub fn seat_of(&self, side: Side) -> Seat {
        usize::from(side != self.level.board.side())
    }
}

impl Game for Rules {
    type State = State;
    type Action = Move;
    type Observation = Observation;

    fn facts(&self) -> Facts {
        let seats: &[&str] = match self.level.board.side() {
            Side::Elephants => &["elephants", "rhinos"],
            Side::Rhinos => &["rhinos", "elephants"],
        };
        Facts { seats, chance: false, perfect_information: true }
    }

    fn start(&self) -> State {
        State::new(self.level.board)
    }

    fn status(&self, state: &State) -> Status {
        let (verdict, reason) = match state.ending {
            None => return Status::ToMove(self.seat_of(state.board.side())),
            Some(Ending::Won(side)) => (Verdict::Won(self.seat_of(side)), "a mountain left the board"),
            Some(Ending::Repetition) => (Verdict::Draw, "third repetition"),
            Some(Ending::PlyCap) => (Verdict::Draw, "ply cap"),
        };
        Status::Over(GameOver { verdict, reason })
    }

    /// The legal moves in the order of [`Move::rank`].
    fn legal(&self, state: &State, actions: &mut Vec<Move>) {
        actions.clear();
        if state.ending.is_none() {
            let mut moves = MoveList::new();
            self.moves.list(&state.board, &mut moves);
            actions.extend_from_slice(&moves);
            actions.sort_unstable_by_key(|action| action.rank());
        }
    }

    fn check(&self, state: &State, action: Move) -> Result<(), Illegal> {
        match state.ending {
            None => check::check(&self.moves, &state.board, action),
            Some(_) => Err(Illegal("the game is over".into())),
        }
    }

    fn apply<C: Chance + ?Sized>(&self, state: &mut State, action: Move, _chance: &mut C) {
        state.past.push(state.board.key(), action);
        let winner = state.board.play(action);
        state.ending = match winner {
            Some(side) => Some(Ending::Won(side)),
            None if state.is_third_repetition() => Some(Ending::Repetition),
            None => (state.played() >= self.level.cap).then_some(Ending::PlyCap),
        };
    }

    fn hash(&self, state: &State) -> u64 {
        let ending = match state.ending {
            None => 0,
            Some(Ending::Won(side)) => 1 + side.index() as u64,
            Some(Ending::Repetition) => 3,
            Some(Ending::PlyCap) => 4,
        };
        mix(state.board.key() ^ mix(u64::from(state.board.ply()) << 3 | ending))
    }

    /// 1 for a win, -1 for a loss, 0 otherwise.
    fn score(&self, state: &State, seat: Seat) -> i64 {
        match state.ending {
            Some(Ending::Won(side)) if self.seat_of(side) == seat => 1,
            Some(Ending::Won(_)) => -1,
            _ => 0,
        }
    }

    fn observe(&self, state: &State, _seat: Seat) -> Observation {
        Observation::new(state)
    }

    fn action_name(&self, action: Move) -> String {
        action.to_string()
    }

    fn parse_action(&self, _state: &State, name: &str) -> Result<Move, Illegal> {
        Move::parse(name)
    }
}
