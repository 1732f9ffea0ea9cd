//! The solver under Boulder Dash's rules, on small caves of which each needs one idea.

use std::sync::Arc;
use std::time::Duration;

use damier_core::game::{Game, Status, Verdict};
use damier_core::random::Rng;
use damier_delirium::Delirium;
use damier_kit::{Levels, Solvability, Solve, SolveOptions};

/// A push fails three times in four, and nothing else ever moves: trying again is the only way on.
const STUBBORN: &str = "; need: 1
########
#Pr__###
#ww_dX##
#ww_####
########
";

/// There is no diamond: the rock has to fall on the magic wall.
const MILL: &str = "; need: 1
; magic-time: 20000
#########
#P..r...#
#.......#
#..._...#
#.wwMwww#
#..._...#
#......X#
#########
";

/// There is no diamond: the amoeba fills its cavern and becomes two, and then the rock before them has to be undermined.
const ENCLOSED: &str = "; need: 2
; amoeba-growth: 250000
#########
#P.....X#
#.......#
#www....#
#wa.r...#
#www....#
#########
";

/// An exit in the border of a cave with open edges, behind border: nothing crosses the edges.
const SEALED: &str = "; need: 1
; edges: open
########
#P.d.#.#
#....#.X
########
";

fn solve(text: &str, seed: u64) -> (Solvability, Vec<String>) {
    let rules = Arc::new(Delirium::open(text, "boulder").unwrap());
    let mut chance = Rng::new(seed);
    let options =
        SolveOptions { time: Duration::from_secs(20), chance: chance.clone(), ..SolveOptions::default() };
    let solution = Delirium::solve(&rules, &rules.start(), &options, &|_| {});
    if solution.outcome == Solvability::Solved {
        let mut state = rules.start();
        for &action in &solution.plan {
            rules.apply(&mut state, action, &mut chance);
        }
        let won = matches!(rules.status(&state), Status::Over(over) if over.verdict == Verdict::Won(0));
        assert!(won, "{:?}", solution.plan);
    }
    (solution.outcome, solution.notes)
}

#[test]
fn pushes_are_tried_until_they_succeed() {
    for seed in 0..12 {
        assert_eq!(solve(STUBBORN, seed).0, Solvability::Solved, "seed {seed}");
    }
}

#[test]
fn magic_walls_are_fed() {
    assert_eq!(solve(MILL, 1).0, Solvability::Solved);
    let expired = MILL.replace('M', "w");
    assert_eq!(solve(&expired, 1).0, Solvability::Unsolvable);
}

#[test]
fn amoeba_is_waited_for() {
    assert_eq!(solve(ENCLOSED, 1).0, Solvability::Solved);
    let barren = ENCLOSED.replace("; need: 2", "; need: 2\n; amoeba-enclosed: BOULDER");
    assert_eq!(solve(&barren, 1).0, Solvability::Unsolvable);
}

#[test]
fn an_exit_in_the_border_opens_no_way_around_the_edges() {
    let (outcome, notes) = solve(SEALED, 1);
    assert_eq!(outcome, Solvability::Unsolvable);
    assert_eq!(notes, ["no way leads to the exit, whatever is dug, pushed or blasted"]);
    let around = SEALED.replace("#P.d.#.#", "_P.d.#._");
    assert_eq!(solve(&around, 1).0, Solvability::Solved);
}
