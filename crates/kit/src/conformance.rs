//! The conformance suite: laws that every game obeys, run by each game's tests with one line.
//!
//! ```ignore
//! // games/NAME/tests/conformance_suite.rs
//! damier_kit::conformance!(Pacman.busy("course", HARD_MAZE).busy("report", HARD_MAZE));
//! ```
//!
//! Every law is a function of this module and becomes a test of the same name. A failing law names the game, rule set,
//! level, seed and the actions that lead to the failure.
//!
//! | file | laws about |
//! | --- | --- |
//! | `rules` | legal actions, names of actions, clones, hashes |
//! | `encodings` | masks, action numbers, planes |
//! | `levels` | formats and generators |
//! | `games` | replays, seeds |
//! | `solvers` | plans, deadlines, cancellation |
//! | `pictures` | scenes and the ids of their pieces |

mod cases;
mod encodings;
mod games;
mod levels;
mod pictures;
mod rules;
mod solvers;

use crate::kit::{ActionOf, Kit, StateOf};

pub use cases::{Case, Position, walk_by};
pub use encodings::{
    check_mask, masks_mark_the_legal_actions, planes_show_what_is_seen, updated_planes_equal_written_ones,
};
pub use games::{equal_seeds_give_equal_games, replays_verify};
pub use levels::{
    formats_round_trip, generators_give_checked_levels, level_round_trips, shipped_levels_can_be_painted,
    shipped_levels_open,
};
pub use pictures::{Hop, pieces_keep_their_ids, scenes_fit_their_boards};
pub use rules::{
    action_names_round_trip, check_actions, check_names, clones_are_equal_and_independent,
    equal_states_have_equal_hashes, hashes_equal_hashes_from_scratch,
    legal_actions_are_those_that_check_accepts,
};
pub use solvers::{
    solvers_go_on_from_any_position, solvers_obey_cancellation, solvers_obey_deadlines, solvers_plans_win,
};

/// Rebuilds a state from scratch, without anything that was updated incrementally.
type Rebuild<K> = fn(&<K as crate::Levels>::Game, &StateOf<K>) -> StateOf<K>;

/// What the suite needs to know about a game beyond its [`Kit`].
pub struct Profile<K: Kit> {
    game: K,
    actions: &'static [ActionOf<K>],
    busy: Vec<(&'static str, &'static str)>,
    families: &'static [&'static [&'static str]],
    may_hop: fn(&Hop<'_, K>) -> bool,
    rebuild: Option<Rebuild<K>>,
}

impl<K: Kit> Profile<K> {
    /// A game whose pieces move one cell per action.
    pub fn new(game: K) -> Self {
        let may_hop = |hop: &Hop<'_, K>| hop.cells() <= 1;
        Self { game, actions: &[], busy: Vec::new(), families: &[], may_hop, rebuild: None }
    }

    /// Actions to try in every state, legal or not, besides those that are legal somewhere on the level.
    pub fn actions(self, actions: &'static [ActionOf<K>]) -> Self {
        Self { actions, ..self }
    }

    /// A level that keeps the solver and the checker of a rule set busy for at least a second. Every rule set needs one.
    pub fn busy(mut self, rules: &'static str, text: &'static str) -> Self {
        self.busy.push((rules, text));
        self
    }

    /// Names of sprites that the same piece may have at different times: a ghost and a fleeing ghost.
    pub fn families(self, families: &'static [&'static [&'static str]]) -> Self {
        Self { families, ..self }
    }

    /// The moves that one action may cause, where pieces move further than one cell.
    pub fn hops(self, may_hop: fn(&Hop<'_, K>) -> bool) -> Self {
        Self { may_hop, ..self }
    }

    /// Rebuilds a state from scratch, for games that update hashes incrementally.
    pub fn rebuild(self, rebuild: Rebuild<K>) -> Self {
        Self { rebuild: Some(rebuild), ..self }
    }
}

/// Runs the conformance suite, one test per law: `conformance!(Game)`, followed by the methods of its [`Profile`] if it needs
/// one.
#[macro_export]
macro_rules! conformance {
    (@tests $($law:ident)*) => {
        $(
            #[test]
            fn $law() {
                $crate::conformance::$law(&profile());
            }
        )*
    };
    ($game:ident $($options:tt)*) => {
        fn profile() -> $crate::conformance::Profile<$game> {
            $crate::conformance::Profile::new($game) $($options)*
        }

        $crate::conformance! { @tests
            legal_actions_are_those_that_check_accepts
            action_names_round_trip
            clones_are_equal_and_independent
            equal_states_have_equal_hashes
            hashes_equal_hashes_from_scratch
            masks_mark_the_legal_actions
            updated_planes_equal_written_ones
            planes_show_what_is_seen
            shipped_levels_open
            shipped_levels_can_be_painted
            formats_round_trip
            generators_give_checked_levels
            replays_verify
            equal_seeds_give_equal_games
            solvers_plans_win
            solvers_go_on_from_any_position
            solvers_obey_deadlines
            solvers_obey_cancellation
            scenes_fit_their_boards
            pieces_keep_their_ids
        }
    };
}
