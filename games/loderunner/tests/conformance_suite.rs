//! The laws that every game keeps.

use damier_kit::conformance::Hop;
use damier_loderunner::LodeRunner;
use damier_loderunner::action::Action;
use damier_loderunner::rules::State;

/// Gold that only a guard could bring that comes back beside it, and never will: no search comes to an end.
const OUT_OF_REACH: &str = "
S
S
S
S
S
S
S
S
S
S
S
S
S
S  @@@@  0
S &@$ @
############################
";

damier_kit::conformance!(
    LodeRunner
        .actions(&Action::ALL)
        .busy("course", include_str!("../levels/hard/twelve-hours.txt"))
        .busy("classic", OUT_OF_REACH)
        .families(&[&["runner", "dead"], &["guard", "guard with gold", "trapped guard", "respawning guard"],])
        .hops(may_hop)
);

/// Under `course` falls last until the ground, and an enemy comes back anywhere when a hole closes over it. Under `classic` a
/// guard comes back at the top.
fn may_hop(hop: &Hop<'_, LodeRunner>) -> bool {
    let (dx, dy) = hop.delta();
    let is_guard = hop.from.sprite.name.contains("guard");
    match hop.before {
        State::Course(before) => {
            let comes_back = is_guard && before.holes().iter().any(|hole| hole.delay == 1);
            (dx.abs() <= 1 && dy >= -1) || comes_back
        }
        State::Classic(_) => hop.cells() <= 1 || (is_guard && hop.to.sprite.name == "respawning guard"),
    }
}
