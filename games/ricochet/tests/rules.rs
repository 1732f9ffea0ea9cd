//! Laws that hold on every path.

use damier_core::game::Game;
use damier_core::grid::Size;
use damier_core::random::{Chance, Rng, Smallest};
use damier_ricochet::generate::{MissionRequest, random_mission};
use damier_ricochet::level::Level;
use damier_ricochet::robot::Robot;
use damier_ricochet::rules::{Action, Rules};
use proptest::prelude::{ProptestConfig, prop_assert, prop_assert_eq, proptest};

fn game(drawing: &str) -> Rules {
    Rules::new(Level::parse(drawing).unwrap())
}

/// Plays actions by their short names and tells where the red robot is then.
fn red_after(drawing: &str, actions: &str) -> (u16, u16) {
    let game = game(drawing);
    let mut state = game.start();
    for name in actions.split_whitespace() {
        let action = Action::parse(name).unwrap();
        game.check(&state, action).unwrap();
        game.make_move(&mut state, action);
    }
    game.level().board().size().xy(state.robots[Robot::Red.index()])
}

#[test]
fn walls_and_robots_stop_a_slide() {
    let board =
        "+---+---+---+---+\n| R     |     * |\n+   +   +   +   +\n|     G       B |\n+---+---+---+---+\n";
    assert_eq!(red_after(board, "RE"), (1, 0));
    assert_eq!(red_after(board, "GE RS RE"), (1, 1), "green stands before blue, red before green");
}

#[test]
fn diagonals_turn_all_but_their_own_colour() {
    let board = |slope: &str| {
        format!(
            "+---+---+---+\n|     *     |\n+   +   +   +\n| R   {slope}  G |\n+   +   +   +\n|           |\n+---+---+---+\n"
        )
    };
    assert_eq!(red_after(&board("/ "), "RE"), (1, 0));
    assert_eq!(red_after(&board("\\ "), "RE"), (1, 2));
    assert_eq!(red_after(&board("/r"), "RE"), (1, 1), "red passes and green stops it");
    assert_eq!(red_after(&board("/g"), "RE"), (1, 0));
}

#[test]
fn a_robot_that_must_ricochet_has_to_turn() {
    let board = "; ricochet: yes\n+---+---+\n| R   r |\n+   +   +\n|       |\n+---+---+\n";
    let game = game(board);
    let mut state = game.start();
    let mut play = |name: &str| {
        game.make_move(&mut state, Action::parse(name).unwrap());
        game.is_solved(&state)
    };
    assert!(!play("RE"), "straight to the target does not count");
    assert!(!play("RW"), "nor does going back");
    assert!(!play("RS") && !play("RE"));
    assert!(play("RN"), "now it has turned");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn random_play_obeys_the_laws(seed: u64, robots in 1usize..=5, must_ricochet: bool, wide in 4u16..20) {
        let mut rng = Rng::new(seed);
        let request = MissionRequest { size: Size::new(wide, 9), robots, must_ricochet, ..MissionRequest::default() };
        let game = Rules::new(random_mission(&mut rng, &request));
        let mut state = game.start();
        let mut legal = Vec::new();
        for _ in 0..30 {
            game.legal(&state, &mut legal);
            for action in Action::all() {
                prop_assert_eq!(legal.contains(&action), game.check(&state, action).is_ok());
                prop_assert_eq!(game.parse_action(&state, &game.action_name(action)), Ok(action));
            }
            if legal.is_empty() {
                break;
            }
            let before = state.clone();
            let action = legal[rng.below(legal.len() as u32) as usize];
            game.apply(&mut state, action, &mut Smallest);
            prop_assert_eq!(state.moves, before.moves + 1);
            prop_assert!(game.hash(&state) != game.hash(&before));
            prop_assert_eq!(game.hash(&state), game.hash(&state.clone()));
            for robot in state.present() {
                let cell = state.robots[robot.index()];
                prop_assert!(!game.level().board().is_closed(cell));
                prop_assert_eq!(state.robot_on(cell), Some(robot), "no two robots on one cell");
                prop_assert_eq!(cell == before.robots[robot.index()], robot != action.robot);
            }
        }
    }
}
