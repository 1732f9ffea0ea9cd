//! The laws that every game keeps.

use damier_delirium::{Action, Delirium};
use damier_kit::conformance::Hop;

/// A diamond in a box that only a monster could blow up, and the only monster is walled in: no search comes to an end.
const SEALED: &str = "; need: 3
####################
#P.................#
#..d....r...r......#
#.......d..........#
#...r.......r..www.#
#..............wdw.#
#....r...r.....www.#
#.....r......r.....#
#..###.............#
#..#R#...........X.#
#..###.............#
####################
";

damier_kit::conformance!(
    Delirium
        .actions(&Action::ALL)
        .busy("course", SEALED)
        .busy("boulder", SEALED)
        .families(&[&["miner", "dead"]])
        .hops(may_hop)
);

/// One cell per tick.
fn may_hop(hop: &Hop<'_, Delirium>) -> bool {
    hop.cells() <= 1
}
