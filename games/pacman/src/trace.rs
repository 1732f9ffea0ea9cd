//! States as JSON, phase by phase, for conformance tests.

use damier_core::game::Illegal;
use serde_json::{Value, json};

use crate::observe::SeenStatus;
use crate::rules::{Action, Rules, State};

/// The phase of a turn that has just been played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// The board was set up.
    Init,
    /// The ghosts have moved.
    Ghosts,
    /// Pacman has moved.
    Pacman,
}

impl Phase {
    fn name(self) -> &'static str {
        match self {
            Self::Init => "init",
            Self::Ghosts => "ghosts",
            Self::Pacman => "pacman",
        }
    }
}

/// Parses a sequence of actions: comma-separated names (`up,left`), or one key of the original program per character
/// (`zqsd`), where any unknown character is a key that does nothing.
///
/// ```
/// use damier_core::grid::Dir;
/// use damier_pacman::rules::Action::{Go, Quit, Wait};
/// use damier_pacman::trace::actions;
/// assert_eq!(actions("up,left"), [Go(Dir::North), Go(Dir::West)]);
/// assert_eq!(actions("zx,a"), [Go(Dir::North), Wait, Wait, Quit]);
/// ```
pub fn actions(text: &str) -> Vec<Action> {
    names(text).unwrap_or_else(|| text.chars().map(Action::of_key).collect())
}

fn names(text: &str) -> Option<Vec<Action>> {
    text.split(',').map(|name| Action::parse(name.trim())).collect()
}

/// Plays Pacman's actions against the original ghosts and reports the state after each phase, until the game is over.
pub fn trace(rules: &Rules, text: &str, line: &mut dyn FnMut(Value)) -> Result<(), Illegal> {
    let mut state = rules.set_up();
    line(state_json(rules, &state, Phase::Init));
    let mut actions = actions(text).into_iter();
    loop {
        rules.begin_turn(&mut state.figures);
        rules.original_ghost_phase(&mut state.figures);
        line(state_json(rules, &state, Phase::Ghosts));
        if state.figures.ending.is_some() {
            return Ok(());
        }
        let Some(action) = actions.next() else { return Ok(()) };
        if action == Action::Stay {
            return Err(Illegal("stay: only a ghost can stay, but these are Pacman's actions".into()));
        }
        rules.pacman_phase(&mut state.figures, &mut state.pellets, action);
        line(state_json(rules, &state, Phase::Pacman));
        if state.figures.ending.is_some() {
            return Ok(());
        }
    }
}

/// A state as JSON.
pub fn state_json(rules: &Rules, state: &State, phase: Phase) -> Value {
    let (maze, figures) = (rules.maze(), &state.figures);
    let ghosts: Vec<Value> = figures.ghosts[..maze.ghosts().len()]
        .iter()
        .map(|ghost| {
            let (x, y) = maze.point(ghost.spot);
            json!([x, y, ghost.dir.index()])
        })
        .collect();
    json!({
        "turn": figures.turn,
        "phase": phase.name(),
        "pacman": maze.point(figures.pacman),
        "dir": figures.dir.index(),
        "ghosts": ghosts,
        "score": figures.score,
        "potion": figures.clock,
        "visited": maze.floor() - usize::from(figures.pellets_left),
        "status": SeenStatus::of(figures).name(),
    })
}
