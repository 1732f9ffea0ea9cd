//! The laws that every game keeps.

use damier_siam::{Level, Rules, Siam, State};

/// The start of the game: far from any proof.
const START: &str = "...../...../.MMM./...../..... E 0";

damier_kit::conformance!(
    Siam.busy("official", START)
        .busy("course", START)
        .busy("official-total", START)
        .busy("course-total", START)
        .rebuild(rebuild)
);

/// The board read again from its notation, with a key of its own.
fn rebuild(rules: &Rules, state: &State) -> State {
    let text = format!("; animals: {}\n{}", rules.level().animals, state.board);
    let mut again = state.clone();
    again.board = Level::parse(&text).unwrap().board;
    again
}
