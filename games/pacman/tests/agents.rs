//! The agents at the table: they win what they should win, within the rules and their budget.

mod common;

use std::sync::Arc;
use std::time::{Duration, Instant};

use damier_core::agent::{Budget, Turn};
use damier_core::game::{Game, GameOver, Outcome, Seat, Status};
use damier_core::insight::{Insight, reason};
use damier_core::random::Smallest;
use damier_kit::time::start_clock;
use damier_kit::{Kit, Levels};
use damier_pacman::Pacman;
use damier_pacman::rules::{RuleSet, Rules, State};

/// Plays a game between named agents; every action is checked. `see` gets what Pacman shows.
fn play(
    text: &str,
    rules: &str,
    agents: &[&str],
    budget: Budget,
    mut see: impl FnMut(&State, &Insight),
) -> (Option<GameOver>, State) {
    let rules = Arc::new(Pacman::open(text, rules).unwrap());
    let mut agents: Vec<_> = agents
        .iter()
        .enumerate()
        .map(|(seat, name)| Pacman::agent(&rules, name, seat, 7).expect("a known agent"))
        .collect();
    let (mut state, mut legal) = (rules.start(), Vec::new());
    while let Status::ToMove(seat) = rules.status(&state) {
        if state.figures.turn > 1_500 {
            return (None, state);
        }
        rules.legal(&state, &mut legal);
        let observation = rules.observe(&state, seat);
        let number = state.figures.turn;
        let clock = start_clock(budget);
        let turn = Turn { seat, number, observation: &observation, legal: &legal, clock: &clock };
        let mut insight = Insight::default();
        let action = agents[seat].act(&turn, &mut insight);
        if seat == 0 {
            see(&state, &insight);
        }
        rules.check(&state, action).unwrap();
        rules.apply(&mut state, action, &mut Smallest);
    }
    let Status::Over(outcome) = rules.status(&state) else { unreachable!() };
    (Some(outcome), state)
}

fn winner(over: Option<GameOver>) -> Option<Seat> {
    over.and_then(|over| (0..2).find(|&seat| over.outcome(seat) == Outcome::Win))
}

const MAZE: &str = damier_pacman::ORIGINAL_MAZE;

#[test]
fn best_beats_the_original_ghosts_and_the_simple_teams() {
    for team in ["original", "pincer", "guard"] {
        let (outcome, _) = play(MAZE, "report", &["best", team], Budget::default(), |_, _| ());
        assert_eq!(winner(outcome), Some(0), "against {team}");
    }
}

#[test]
fn best_beats_ghosts_that_it_does_not_know() {
    let (outcome, _) = play(MAZE, "report", &["best", "random"], Budget::default(), |_, _| ());
    assert_eq!(winner(outcome), Some(0));
}

#[test]
fn the_team_wins_when_there_are_no_potions() {
    let bare: String = MAZE.lines().skip(1).map(|row| row.replace('o', ".") + "\n").collect();
    for pacman in ["best", "baseline"] {
        let (outcome, _) = play(&bare, "report", &[pacman, "team"], Budget::default(), |_, _| ());
        assert_eq!(winner(outcome), Some(1), "against {pacman}");
    }
}

#[test]
fn every_agent_plays_every_seat_that_it_claims() {
    for agent in Pacman::INFO.agents {
        for &seat in agent.seats {
            let seats = if seat == 0 { [agent.name, "original"] } else { ["baseline", agent.name] };
            let budget = Budget { nodes: Some(200), time: None };
            play(MAZE, "report", &seats, budget, |_, _| ());
        }
    }
    let rules = Arc::new(common::original(RuleSet::Report));
    assert!(Pacman::agent(&rules, "nobody", 0, 1).is_none());
    assert!(Pacman::agent(&rules, "team", 0, 1).is_none());
}

#[test]
fn the_same_nodes_give_the_same_game() {
    let budget = Budget { nodes: Some(2_000), time: None };
    let game = || play(MAZE, "report", &["best", "ambush"], budget, |_, _| ()).1;
    assert_eq!(game(), game());
}

#[test]
fn a_short_time_is_kept() {
    let budget = Budget { nodes: None, time: Some(Duration::from_millis(2)) };
    let mut decisions = 0;
    let started = Instant::now();
    play(MAZE, "report", &["best", "pincer"], budget, |_, _| decisions += 1);
    // The insight of a decision is not limited, and the machine may be busy: so not 2 milliseconds, but no second either.
    assert!(started.elapsed() < decisions * Duration::from_millis(100));
}

#[test]
fn the_hunted_pacman_explains_himself() {
    let mut sentences = Vec::new();
    let see = |state: &State, insight: &Insight| {
        assert!(!insight.scores.is_empty());
        assert!(insight.scores.is_sorted_by(|a, b| a.1 >= b.1), "best first");
        let has = |why| insight.marks.iter().any(|mark| mark.why == why);
        assert!(has(reason::PATH) && has(reason::PREDICTED), "{insight:?}");
        assert!(state.figures.clock.is_some() || has(reason::DANGER));
        sentences.push(insight.text.clone());
    };
    play(MAZE, "report", &["best", "guard"], Budget { nodes: Some(3_000), time: None }, see);
    assert!(sentences.iter().any(|text| text.starts_with("these ghosts are `guard`")), "{sentences:?}");
}

#[test]
fn shipped_levels_open_under_every_rule_set() {
    for pack in Pacman::INFO.packs {
        for (name, text) in pack.levels {
            for rules in Pacman::INFO.rules {
                let game: Rules =
                    Pacman::open(text, rules.name).unwrap_or_else(|error| panic!("{name}: {error}"));
                assert_eq!(game.maze().ghosts().len(), 4, "{name}");
                let printed = Pacman::print(&game, "damier").unwrap();
                assert_eq!(&printed, text, "{name} is written as it is printed");
            }
        }
    }
}
