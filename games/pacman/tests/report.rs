//! The rule set `report`, rule by rule, on small mazes.

use damier_core::game::{Game, Status, Verdict};
use damier_core::random::Smallest;
use damier_pacman::level::Level;
use damier_pacman::rules::{Action, RuleSet, Rules, State};

fn rules(drawing: &str) -> Rules {
    Rules::new(Level::parse(drawing).unwrap(), RuleSet::Report)
}

fn play(rules: &Rules, actions: &str) -> State {
    let mut state = rules.start();
    for name in actions.split(' ') {
        let action = Action::parse(name).unwrap();
        if !rules.quits(&state, action) {
            rules.check(&state, action).unwrap();
        }
        rules.apply(&mut state, action, &mut Smallest);
    }
    state
}

const CORRIDOR: &str = "
#########
#Po o.1 #
#########
";

#[test]
fn a_touched_ghost_gives_ten_points_and_goes_home() {
    let rules = rules(CORRIDOR);
    let state = play(&rules, "left right left right stay right");
    assert_eq!(state.figures.score, 2 + 10, "two potions and a ghost");
    assert_eq!(state.figures.ghosts[0].spot, rules.maze().ghosts()[0]);
    assert_eq!(state.figures.ending, None);
}

#[test]
fn a_ghost_that_runs_into_him_is_touched_as_well() {
    let rules = rules(CORRIDOR);
    let state = play(&rules, "left right left right left");
    assert_eq!(state.figures.score, 1 + 10, "a potion and a ghost");
    assert_eq!(state.figures.ghosts[0].spot, rules.maze().ghosts()[0]);
}

#[test]
fn a_second_potion_starts_the_clock_again() {
    let rules = rules(CORRIDOR);
    assert_eq!(play(&rules, "stay right").figures.clock, Some(30));
    assert_eq!(play(&rules, "stay right stay right").figures.clock, Some(29));
    assert_eq!(play(&rules, "stay right stay right stay right").figures.clock, Some(30));
}

#[test]
fn the_clock_runs_at_a_wall_too() {
    let rules = rules(CORRIDOR);
    assert_eq!(play(&rules, "stay right stay up stay up").figures.clock, Some(28));
}

#[test]
fn a_pellet_under_a_ghost_is_still_to_eat() {
    let drawing = "#####\n#P.1#\n#####\n";
    let report = rules(drawing);
    let state = play(&report, "left up");
    assert_eq!(report.status(&state), Status::ToMove(1), "the ghost is on the last pellet");
    let course = Rules::new(Level::parse(drawing).unwrap(), RuleSet::Course);
    let mut state = course.start();
    course.apply(&mut state, Action::Wait, &mut Smallest);
    assert!(matches!(course.status(&state), Status::Over(_)));
}

#[test]
fn the_ghosts_win_when_he_is_caught_or_leaves() {
    let rules = rules(CORRIDOR);
    let over = |actions| match rules.status(&play(&rules, actions)) {
        Status::Over(outcome) => (outcome.verdict, outcome.reason),
        Status::ToMove(seat) => panic!("seat {seat} is to move"),
    };
    assert_eq!(over("stay quit"), (Verdict::Won(1), "left the game"));
    let bare = "\n#####\n#P.1#\n#####\n";
    let rules = Rules::new(Level::parse(bare).unwrap(), RuleSet::Report);
    let state = play(&rules, "left right");
    let Status::Over(outcome) = rules.status(&state) else { panic!("he walked into the ghost") };
    assert_eq!((outcome.verdict, outcome.reason), (Verdict::Won(1), "caught by a ghost"));
}

#[test]
fn a_ghost_may_go_round_the_board_but_not_onto_another() {
    let rules = rules("#####\n1.P.2\n#####\n");
    let state = rules.start();
    let error = rules.check(&state, Action::parse("left").unwrap()).unwrap_err();
    assert_eq!(error.to_string(), "left: another ghost blocks ghost 1");
    let error = rules.check(&state, Action::parse("up").unwrap()).unwrap_err();
    assert_eq!(error.to_string(), "up: there is a wall beside ghost 1");
    let error = rules.check(&state, Action::Quit).unwrap_err();
    assert_eq!(error.to_string(), "quit: only Pacman can do that, but a ghost is to move");
    let state = play(&rules, "right right");
    assert_eq!(state.figures.ghosts[1].spot, rules.maze().spot_at((0, 1)).unwrap());
}

#[test]
fn a_home_that_is_taken_sends_the_ghost_to_the_next_free_one() {
    // Ghost 1 leaves home, ghost 2 takes it, and ghost 1 runs into Pacman, who has drunk.
    let rules = rules("########\n#Po.. 12\n########\n");
    let state = play(&rules, "left left right left stay right left");
    let ghosts = state.figures.ghosts.map(|ghost| ghost.spot);
    assert_eq!(state.figures.score, 2 + 10);
    assert_eq!(ghosts[..2], [rules.maze().ghosts()[1], rules.maze().ghosts()[0]]);
}
