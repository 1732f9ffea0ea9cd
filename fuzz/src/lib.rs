//! The laws that every game must keep, whatever bytes it is fed.

use damier_core::game::{Game, Status};
use damier_kit::Kit;
use damier_core::random::Rng;

/// A text is refused with an error, or read as a level that every format it can be written in gives back: the same text again,
/// and the same start. (Names of levels belong to our own formats alone.)
pub fn levels_round_trip<K: Kit>(text: &str) {
    for rules in K::INFO.rules {
        let Ok(game) = K::open(text, rules.name) else { continue };
        assert!(K::print(&game, K::INFO.formats[0].name).is_ok(), "the game's own format holds every level");
        for format in K::INFO.formats {
            let Ok(printed) = K::print(&game, format.name) else { continue };
            let again = K::open(&printed, rules.name).unwrap_or_else(|error| panic!("{error} in\n{printed}"));
            assert_eq!(K::print(&again, format.name).as_ref(), Ok(&printed), "through {}", format.name);
            assert_eq!(again.hash(&again.start()), game.hash(&game.start()), "through {}", format.name);
        }
    }
}

/// The bytes choose a level's text (up to a zero byte) and then actions: legal actions are accepted, the others refused,
/// the hash tells states apart as equality does, and the game ends or goes on without a panic.
pub fn games_obey_the_rules<K: Kit>(data: &[u8], default_level: &str) {
    let cut = data.iter().position(|&byte| byte == 0).unwrap_or(0);
    let (text, choices) = data.split_at(cut);
    let text = str::from_utf8(text).unwrap_or_default();
    let text = if text.is_empty() { default_level } else { text };
    for rules in K::INFO.rules {
        if let Ok(game) = K::open(text, rules.name) {
            play(&game, choices);
        }
    }
}

fn play<G: Game>(game: &G, choices: &[u8]) {
    let mut chance = Rng::new(choices.len() as u64);
    let mut state = game.start();
    let mut legal = Vec::new();
    for &choice in choices {
        game.legal(&state, &mut legal);
        if matches!(game.status(&state), Status::Over(_)) {
            assert!(legal.is_empty(), "a game that is over has no legal action");
            return;
        }
        assert!(!legal.is_empty(), "whoever is to move can move");
        let action = legal[usize::from(choice) % legal.len()];
        game.check(&state, action).expect("a legal action is accepted");
        let name = game.action_name(action);
        assert_eq!(game.parse_action(&state, &name), Ok(action), "{name} names its action");
        let before = state.clone();
        game.apply(&mut state, action, &mut chance);
        if state == before {
            assert_eq!(game.hash(&state), game.hash(&before), "equal states have equal hashes");
        }
    }
}
