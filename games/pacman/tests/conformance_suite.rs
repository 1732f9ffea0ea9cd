//! The laws that every game keeps.

use damier_core::game::Game;
use damier_kit::conformance::Hop;
use damier_pacman::Pacman;
use damier_pacman::rules::{Action, RuleSet, Rules, State};

const METROPOLIS: &str = include_str!("../levels/damier/metropolis.txt");

damier_kit::conformance!(
    Pacman
        .actions(&Action::ALL)
        .busy("course", METROPOLIS)
        .busy("report", METROPOLIS)
        .families(&[&["pacman", "dead"], &["ghost", "fleeing ghost"]])
        .hops(may_hop)
        .rebuild(rebuild)
);

/// One cell, through a tunnel too; under `report` a ghost that Pacman touches goes home.
fn may_hop(hop: &Hop<'_, Pacman>) -> bool {
    let maze = hop.game.maze();
    let home = hop.game.set() == RuleSet::Report
        && hop.to.sprite.name != "pacman"
        && maze.ghosts().iter().any(|&home| maze.point(home) == hop.to.at);
    hop.cells_around() <= 1 || home
}

/// An observation holds the whole state, but no hash.
fn rebuild(rules: &Rules, state: &State) -> State {
    rules.observe(state, 0).state(rules.maze()).unwrap()
}
