//! The sixth game keeps the laws of all games.

use damier_kit::conformance::Hop;
use damier_tug::Tug;
use damier_tug::rules::Pull;

/// Too long to be won within the solver's longest plan.
const LONG: &str =
    "<................................................o................................................>";

damier_kit::conformance!(Tug.actions(&[Pull::Gently, Pull::Hard]).busy("slippery", LONG).hops(may_hop));

/// A hard pull moves the token two cells.
fn may_hop(hop: &Hop<'_, Tug>) -> bool {
    hop.cells() <= 2
}
