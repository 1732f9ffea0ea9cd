//! Laws about legal actions, names of actions, clones and hashes.

use std::collections::HashMap;
use std::sync::Arc;

use damier_core::game::{Game, Status};
use damier_core::random::Rng;

use super::Profile;
use super::cases::{ACTIONS, Case, Position};
use crate::kit::{ActionOf, Kit, StateOf};

/// `legal` lists exactly the actions that `check` accepts, each once.
///
/// The actions tried in every position are those of the profile, those with a key, and all that are legal anywhere in the
/// games played on the level.
pub fn legal_actions_are_those_that_check_accepts<K: Kit>(profile: &Profile<K>) {
    for case in Case::<K>::all() {
        let mut tried = profile.actions.to_vec();
        case.walk(|position| {
            let keys = key_names::<K>().filter_map(|name| position.parse(&name));
            for action in keys.chain(position.legal.iter().copied()) {
                if !tried.contains(&action) {
                    tried.push(action);
                }
            }
        });
        case.walk(|position| check_actions(position, &tried));
    }
}

/// In this position, `check` accepts exactly the legal ones of these actions, and a refused one changes nothing.
pub fn check_actions<K: Kit>(position: &Position<'_, K>, tried: &[ActionOf<K>]) {
    let game = &position.case.game;
    for (index, action) in position.legal.iter().enumerate() {
        let name = game.action_name(*action);
        assert!(!position.legal[..index].contains(action), "{position}: `{name}` is listed twice as legal");
        if let Err(illegal) = game.check(position.state, *action) {
            panic!("{position}: `{name}` is listed as legal but refused: {illegal}");
        }
    }
    for &action in tried.iter().filter(|action| !position.legal.contains(action)) {
        let mut state = position.state.clone();
        let name = game.action_name(action);
        let played = game.play(&mut state, action, &mut position.chance.clone());
        assert!(played.is_err(), "{position}: `{name}` is accepted but not listed as legal");
        assert!(state == *position.state, "{position}: `{name}` is refused but changes the state");
    }
}

/// The names of the actions that have a key in one of the game's styles.
fn key_names<K: Kit>() -> impl Iterator<Item = String> {
    K::INFO.styles.iter().flat_map(|style| {
        let pieces = style.pieces.iter().map(|piece| format!("{} ", piece.action));
        let pieces: Vec<String> = pieces.chain([String::new()]).collect();
        pieces
            .into_iter()
            .flat_map(|piece| style.keys.iter().map(move |key| format!("{piece}{}", key.action)))
    })
}

impl<K: Kit> Position<'_, K> {
    fn parse(&self, name: &str) -> Option<ActionOf<K>> {
        self.case.game.parse_action(self.state, name).ok()
    }
}

/// Action names round-trip. They contain no comma, because sequences of names are separated by commas.
pub fn action_names_round_trip<K: Kit>(_: &Profile<K>) {
    for case in Case::<K>::all_shipped() {
        case.walk(check_names);
    }
}

/// In this position, every legal action has a unique name, and unknown names are refused.
pub fn check_names<K: Kit>(position: &Position<'_, K>) {
    for &action in position.legal {
        let name = position.case.game.action_name(action);
        assert_eq!(position.parse(&name), Some(action), "{position}: `{name}` names another action");
        assert!(!name.is_empty() && !name.contains(','), "{position}: `{name}` cannot stand in a list");
    }
    for name in ["", "no such action"] {
        assert_eq!(position.parse(name), None, "{position}: `{name}` is taken for an action");
    }
}

/// A clone equals its original, and playing with the clone does not change the original.
pub fn clones_are_equal_and_independent<K: Kit>(_: &Profile<K>) {
    for case in Case::<K>::all_shipped() {
        case.walk(|position| {
            let before = format!("{:?}", position.state);
            assert!(position.state.clone() == *position.state, "{position}: a clone differs");
            for &action in position.legal {
                position.after(action);
            }
            assert_eq!(format!("{:?}", position.state), before, "{position}: a clone is not independent");
        });
    }
}

/// States that are equal have equal hashes, whatever actions led to them.
pub fn equal_states_have_equal_hashes<K: Kit>(_: &Profile<K>) {
    for case in Case::<K>::all_shipped() {
        let mut known: HashMap<String, Vec<(StateOf<K>, u64)>> = HashMap::new();
        let mut compare = |position: &Position<'_, K>, state: StateOf<K>| {
            let hash = case.game.hash(&state);
            // Only states with equal observations can be equal.
            let looks = serde_json::to_string(&case.game.observe(&state, 0)).unwrap_or_default();
            let alike = known.entry(looks).or_default();
            match alike.iter().find(|(other, _)| *other == state) {
                Some((_, other)) => {
                    assert_eq!(hash, *other, "{position}: equal states, different hashes: {state:?}");
                }
                None => alike.push((state, hash)),
            }
        };
        case.walk(|position| {
            compare(position, position.state.clone());
            for &action in position.legal {
                compare(position, position.after(action));
            }
        });
    }
}

/// An incrementally updated hash equals the hash from scratch: of the state rebuilt by the profile, of the state read from
/// its notation, and of the same game played on the reopened level.
pub fn hashes_equal_hashes_from_scratch<K: Kit>(profile: &Profile<K>) {
    for case in Case::<K>::all_shipped() {
        case.walk(|position| {
            let (game, state) = (&case.game, position.state);
            let hash = game.hash(state);
            if let Some(rebuild) = profile.rebuild {
                let again = rebuild(game, state);
                assert!(again == *state, "{position}: the rebuilt state differs:\n{again:?}\n{state:?}");
                assert_eq!(game.hash(&again), hash, "{position}: the hash from scratch differs");
            }
            // A notation describes where the pieces are, not how the game ended.
            if let Status::ToMove(_) = game.status(state)
                && let Some(notation) = K::notation(game, state)
            {
                let read = K::open(&notation, case.rules)
                    .unwrap_or_else(|error| panic!("{position}: its notation `{notation}`: {error}"));
                assert_eq!(read.hash(&read.start()), hash, "{position}: the hash of `{notation}` differs");
            }
        });
        assert_same_game_when_opened_again(&case);
    }
}

fn assert_same_game_when_opened_again<K: Kit>(case: &Case<K>) {
    let reopened = Case::<K>::open(case.rules, case.level.clone(), &case.text)
        .unwrap_or_else(|| panic!("{case}: the level opens once but not twice"));
    assert!(!Arc::ptr_eq(&reopened.game, &case.game));
    let (game, mut state, mut chance) = (&reopened.game, reopened.game.start(), Rng::new(1));
    let mut replayed = 0;
    case.walk_once(1, ACTIONS, |position| {
        if let Some(&action) = position.played.get(replayed) {
            game.apply(&mut state, action, &mut chance);
            replayed += 1;
        }
        assert_eq!(
            game.hash(&state),
            case.game.hash(position.state),
            "{position}: another hash when opened again"
        );
    });
}
