//! The rules of both rule sets as one game: [`course`] in rounds, [`classic`] in ticks.

use damier_core::game::{Facts, Game, GameOver, Illegal, Seat, Status, Verdict};
use damier_core::grid::Size;
use damier_core::random::Chance;

use crate::action::Action;
use crate::classic::board::{Board, Extent};
use crate::classic::{self, ByChance, Version};
use crate::course;
use crate::course::map::Map;
use crate::level::{Drawing, Level};
use crate::observe::Observation;

/// A rule set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RuleSet {
    /// The rounds of the ENSSAT project.
    Course,
    /// The game of 1983.
    Classic,
}

impl RuleSet {
    /// The rule set of this name.
    pub fn parse(name: &str) -> Option<Self> {
        match name {
            "course" => Some(Self::Course),
            "classic" => Some(Self::Classic),
            _ => None,
        }
    }
}

/// The level prepared for its rule set.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "one a game")]
pub enum Ground {
    /// A map of the course.
    Course(Map),
    /// A board of 1983.
    Classic(Board),
}

/// The rules on one level.
#[derive(Debug)]
pub struct Rules {
    level: Level,
    ground: Ground,
}

/// The state of a game under either rule set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::large_enum_variant, reason = "both are plain values that are copied in place")]
pub enum State {
    /// Of the course.
    Course(course::State),
    /// Of 1983.
    Classic(classic::State),
}

impl Rules {
    /// The rules that a level was made for.
    pub fn new(level: Level) -> Self {
        let ground = match level.drawing() {
            Drawing::Course(drawing) => Ground::Course(Map::new(drawing)),
            Drawing::Classic(drawing) => Ground::Classic(Board::new(drawing.clone())),
        };
        Self { level, ground }
    }

    /// The level.
    pub fn level(&self) -> &Level {
        &self.level
    }

    /// Where the game is played.
    pub fn ground(&self) -> &Ground {
        &self.ground
    }

    /// The rule set.
    pub fn set(&self) -> RuleSet {
        match self.ground {
            Ground::Course(_) => RuleSet::Course,
            Ground::Classic(_) => RuleSet::Classic,
        }
    }

    /// Columns and rows.
    pub fn size(&self) -> Size {
        match &self.ground {
            Ground::Course(map) => Size::new(map.width(), map.height()),
            Ground::Classic(board) => {
                let Extent { columns, rows } = board.extent();
                Size::new(columns.into(), rows.into())
            }
        }
    }
}

/// The two never mix: a state is made by the rules of its own set.
#[cold]
fn mixed_up() -> ! {
    panic!("a state of one rule set under the rules of the other")
}

impl Game for Rules {
    type State = State;
    type Action = Action;
    type Observation = Observation;

    fn facts(&self) -> Facts {
        Facts { seats: &["runner"], chance: true, perfect_information: false }
    }

    fn start(&self) -> State {
        match &self.ground {
            Ground::Course(map) => State::Course(course::State::new(map)),
            Ground::Classic(board) => State::Classic(classic::State::new(board)),
        }
    }

    fn status(&self, state: &State) -> Status {
        let (won, reason) = match state {
            State::Course(state) => match state.ending {
                None => return Status::ToMove(0),
                Some(course::Ending::Won) => (true, "exit reached"),
                Some(course::Ending::Caught) => (false, "caught by an enemy"),
                Some(course::Ending::InHole) => (false, "fell into a hole"),
            },
            State::Classic(state) => match state.ending {
                None => return Status::ToMove(0),
                Some(classic::Ending::Won) => (true, "top reached with all gold"),
                Some(classic::Ending::Caught) => (false, "caught by a guard"),
                Some(classic::Ending::Buried) => (false, "buried in a hole"),
            },
        };
        Status::Over(GameOver { verdict: if won { Verdict::Won(0) } else { Verdict::Lost }, reason })
    }

    fn legal(&self, state: &State, actions: &mut Vec<Action>) {
        actions.clear();
        actions.extend(Action::ALL.into_iter().filter(|&action| self.check(state, action).is_ok()));
    }

    fn check(&self, state: &State, action: Action) -> Result<(), Illegal> {
        if matches!(self.status(state), Status::Over(_)) {
            return Err(Illegal("the game is over".into()));
        }
        match (&self.ground, state) {
            (Ground::Course(map), State::Course(state)) => state
                .check(map, action)
                .map_err(|refusal| Illegal(format!("{}: {}", action.name(), refusal.text()))),
            _ => Ok(()),
        }
    }

    fn apply<C: Chance + ?Sized>(&self, state: &mut State, action: Action, chance: &mut C) {
        match (&self.ground, state) {
            (Ground::Course(map), State::Course(state)) => state.round(map, action, chance),
            (Ground::Classic(board), State::Classic(state)) => {
                state.tick(board, Version::Four, action, &mut ByChance(chance));
            }
            _ => mixed_up(),
        }
    }

    fn hash(&self, state: &State) -> u64 {
        match state {
            State::Course(state) => state.hash(),
            State::Classic(state) => state.hash(),
        }
    }

    fn score(&self, state: &State, _: Seat) -> i64 {
        match (&self.ground, state) {
            (Ground::Course(map), State::Course(state)) => {
                (map.all_bonuses().count_ones() - state.bonuses.count_ones()).into()
            }
            (Ground::Classic(board), State::Classic(state)) => {
                let all: u32 = board.drawing().gold.iter().map(|row| row.count_ones()).sum();
                i64::from(all) - i64::from(state.gold_left())
            }
            _ => mixed_up(),
        }
    }

    fn observe(&self, state: &State, _: Seat) -> Observation {
        match (&self.ground, state) {
            (Ground::Course(map), State::Course(state)) => Observation::course(map, state),
            (Ground::Classic(board), State::Classic(state)) => Observation::classic(board, state),
            _ => mixed_up(),
        }
    }

    fn action_name(&self, action: Action) -> String {
        action.name().to_owned()
    }

    fn parse_action(&self, _: &State, name: &str) -> Result<Action, Illegal> {
        Action::parse(name).ok_or_else(|| {
            let names: Vec<&str> = Action::ALL.into_iter().map(Action::name).collect();
            Illegal(format!("`{name}` is not an action: {}", names.join(", ")))
        })
    }
}
