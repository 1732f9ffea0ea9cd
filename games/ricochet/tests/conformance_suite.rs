//! The laws that every game keeps.

use damier_kit::conformance::Hop;
use damier_ricochet::Ricochet;

/// A board of 32 by 32 without inner walls, its target in the middle: no search comes to an end.
const OPEN_FIELD: &str = include_str!("fixtures/open-field.json");

damier_kit::conformance!(Ricochet.busy("standard", OPEN_FIELD).busy("ricochet", OPEN_FIELD).hops(slides));

/// Robots slide along a row or a column.
fn slides(hop: &Hop<'_, Ricochet>) -> bool {
    let (dx, dy) = hop.delta();
    dx == 0 || dy == 0
}
