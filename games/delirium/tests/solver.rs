//! The solver, the checker, our miner and the review, on small maps of which each needs one idea.

use std::sync::Arc;
use std::time::Duration;

use damier_core::agent::{Budget, Turn};
use damier_core::game::{Game, Status, Verdict};
use damier_core::insight::Insight;
use damier_core::insight::{Mark, reason};
use damier_core::random::Rng;
use damier_delirium::Delirium;
use damier_delirium::review::review;
use damier_delirium::rules::{Action, Rules, State};
use damier_kit::review::{Moment, Played, kind};
use damier_kit::time::start_clock;
use damier_kit::{Kit, Levels, Solution, Solvability, Solve, SolveOptions};

/// The rock has to be pushed over the hole and left there: pushed on, it would lie before the diamond for ever.
const PUSH: &str = "; need: 1
##########
#P_r___dX#
####_#####
####_#####
##########
";

/// The diamonds have to be made of the blue monster, below the rock.
const BLUE: &str = "; need: 3
##########
#P..r....#
#........#
#..._____#
#....B...#
#.......X#
##########
";

/// The diamond lies behind a wall that only the red monster's explosion can open.
const WALL: &str = "; need: 1
############
#P......r..#
#..........#
#..._____ww#
#...R....wd#
#X......www#
############
";

/// Two walls lie one behind the other, and each takes a monster of its own.
const TWO_WALLS: &str = "; need: 1
######################
#P......r..w....r..w.#
#..........w.......w.#
#..._______w_______wd#
#...R......w...R...w.#
#X.........w.......w.#
######################
";

/// The blue monster is behind a wall: it takes the red one to come to it.
const WALLED_BLUE: &str = "; need: 9
##################
#P....r......r...#
#................#
#.._______wwwwww.#
#..R......w.._Bw.#
#.........w..__w.#
#X........wwwwww.#
##################
";

/// The only rock lies far from the blue monster: it has to be carried through a tunnel.
const FAR_ROCK: &str = "; need: 6
######################
#P.r.................#
#....................#
#....................#
#....................#
#..................B.#
#..................__#
#X...................#
######################
";

/// A rock is about to fall on the miner, and there is nothing to win.
const OVERHEAD: &str = "; need: 1
#########
####r####
####_####
#___P___#
#########
#d_____X#
#########
";

/// A cave that is larger than what the miner sees.
const DARK: &str = "; need: 2
; view: 2x2
####################
#P.....##......#..d#
#..##..##..##....#.#
#..##......##..#...#
#...d..##......#.X.#
####################
";

fn open(text: &str) -> Arc<Rules> {
    Arc::new(Delirium::open(text, "course").expect("a level"))
}

fn options() -> SolveOptions {
    SolveOptions { time: Duration::from_secs(20), chance: Rng::new(3), ..SolveOptions::default() }
}

fn solve(text: &str) -> Solution<Action> {
    let rules = open(text);
    Delirium::solve(&rules, &rules.start(), &options(), &|_| {})
}

fn wins(rules: &Rules, state: &State) -> bool {
    matches!(rules.status(state), Status::Over(outcome) if outcome.verdict == Verdict::Won(0))
}

/// The state after a plan, with the chance that it is for.
fn replay(text: &str, plan: &[Action]) -> State {
    let rules = open(text);
    let (mut state, mut chance) = (rules.start(), options().chance);
    for &action in plan {
        rules.apply(&mut state, action, &mut chance);
    }
    state
}

fn assert_solved(text: &str) {
    let solution = solve(text);
    assert_eq!(solution.outcome, Solvability::Solved, "{:?}", solution.notes);
    assert!(wins(&open(text), &replay(text, &solution.plan)));
}

#[test]
fn what_is_sealed_is_marked() {
    let sealed = "; need: 1\n########\n#P.d.###\n#....#d#\n#..X.###\n########\n";
    let report = Delirium::check(&open(sealed), &options(), &|_| {});
    assert_eq!(report.solvable, Solvability::Solved);
    assert_eq!(report.marks, [Mark::new((6, 2), reason::UNREACHABLE)]);
    assert!(Delirium::check(&open(PUSH), &options(), &|_| {}).marks.is_empty());
}

#[test]
fn a_rock_is_pushed_out_of_the_way() {
    assert_solved(PUSH);
}

#[test]
fn a_blue_monster_is_turned_into_diamonds() {
    assert_solved(BLUE);
}

#[test]
fn a_wall_is_blasted_with_a_red_monster() {
    assert_solved(WALL);
}

#[test]
fn walls_one_behind_the_other_are_blasted_one_after_the_other() {
    assert_solved(TWO_WALLS);
}

#[test]
fn a_wall_is_blasted_to_come_to_a_blue_monster() {
    assert_solved(WALLED_BLUE);
}

#[test]
fn a_rock_is_carried_far_without_much_ado() {
    assert_solved(FAR_ROCK);
    let positions = solve(FAR_ROCK).states;
    assert!(positions < 5_000, "{positions} positions: the estimate does not lead there");
}

#[test]
fn a_sequence_of_maps_is_solved_in_one_plan() {
    let sequence = format!("{PUSH}; next\n{BLUE}");
    assert_solved(&sequence);
}

#[test]
fn too_few_diamonds_are_a_proof() {
    let solution = solve("; need: 2\n######\n#P.dX#\n######\n");
    assert_eq!(solution.outcome, Solvability::Unsolvable);
    assert_eq!(solution.notes, ["2 diamonds are needed, and at most 1 can ever be reached or made"]);
}

#[test]
fn a_blue_monster_counts_for_what_its_explosion_can_cover() {
    // At best it is crushed right below the gallery: three cells there, its own, and one below.
    let solution = solve("; need: 6\n#######\n#P..rX#\n####.##\n####_##\n####B##\n#######\n");
    assert_eq!(solution.outcome, Solvability::Unsolvable);
    assert_eq!(solution.notes, ["6 diamonds are needed, and at most 5 can ever be reached or made"]);
}

#[test]
fn a_sealed_exit_is_a_proof() {
    let rules = open("; need: 1\n########\n#P.d_#X#\n########\n");
    let report = Delirium::check(&rules, &options(), &|_| {});
    assert_eq!(report.solvable, Solvability::Unsolvable);
    assert_eq!(report.par, None);
    assert!(report.notes.iter().any(|note| note.contains("no way leads to the exit")), "{:?}", report.notes);
}

#[test]
fn looking_at_everything_is_a_proof() {
    let solution = solve("; need: 1\n#######\n#P_rdX#\n#######\n");
    assert_eq!(solution.outcome, Solvability::Unsolvable);
    assert!(solution.notes[0].contains("positions that can come about"), "{:?}", solution.notes);
}

#[test]
fn the_checker_tells_what_a_level_asks_for() {
    let report = Delirium::check(&open(BLUE), &options(), &|_| {});
    assert_eq!(report.solvable, Solvability::Solved);
    assert!(report.par.is_some_and(|par| par > 10));
    assert_eq!(report.notes, ["3 diamonds have to be made of blue monsters"]);
    let walls = Delirium::check(&open(WALL), &options(), &|_| {});
    assert_eq!(walls.notes, ["1 diamonds lie behind walls that have to be blasted"]);
    let trivial = Delirium::check(&open("; need: 1\n######\n#P.dX#\n######\n"), &options(), &|_| {});
    assert_eq!((trivial.par, trivial.difficulty), (Some(3), Some(0.0)));
    assert!(walls.difficulty > trivial.difficulty, "{:?}", walls.difficulty);
}

#[test]
fn the_same_question_has_the_same_answer() {
    for text in [PUSH, BLUE, WALL] {
        assert_eq!(solve(text), solve(text));
    }
}

/// Plays a game of our miner, at most so many ticks.
fn play(text: &str, seed: u64, ticks: u32) -> (Arc<Rules>, State, Vec<Action>) {
    let rules = open(text);
    let mut miner = Delirium::agent(&rules, "best", 0, seed).expect("our miner");
    let (mut state, mut chance) = (rules.start(), Rng::new(seed));
    let (mut legal, mut actions) = (Vec::new(), Vec::new());
    for number in 1..=ticks {
        if matches!(rules.status(&state), Status::Over(_)) {
            break;
        }
        rules.legal(&state, &mut legal);
        let clock = start_clock(Budget { time: None, nodes: Some(60_000) });
        let observation = rules.observe(&state, 0);
        let turn = Turn { seat: 0, number, observation: &observation, legal: &legal, clock: &clock };
        let mut insight = Insight::default();
        let action = miner.act(&turn, &mut insight);
        assert!(!insight.text.is_empty());
        assert!(legal.contains(&action));
        rules.apply(&mut state, action, &mut chance);
        actions.push(action);
    }
    (rules, state, actions)
}

#[test]
fn our_miner_wins_without_knowing_chance() {
    for text in [PUSH, BLUE, WALL] {
        for seed in 1..=3 {
            let (rules, state, _) = play(text, seed, 600);
            assert!(wins(&rules, &state), "seed {seed}: {state:?}");
        }
    }
}

#[test]
fn our_miner_finds_what_it_cannot_see() {
    let (rules, state, actions) = play(DARK, 1, 400);
    assert!(wins(&rules, &state), "{state:?}");
    assert!(actions.contains(&Action::Look), "the first diamond is out of view");
}

#[test]
fn our_miner_decides_the_same_every_time() {
    assert_eq!(play(BLUE, 5, 600).2, play(BLUE, 5, 600).2);
}

#[test]
fn the_shield_steps_aside_without_a_plan() {
    let (rules, state, actions) = play(OVERHEAD, 1, 30);
    assert!(matches!(rules.status(&state), Status::ToMove(_)), "dead after {actions:?}");
    assert_ne!(actions[0], Action::Stay);
}

#[test]
fn the_review_names_the_fatal_action_and_what_would_have_saved() {
    let rules = open(OVERHEAD);
    let (state, mut chance) = (rules.start(), Rng::new(1));
    let moment = Moment { state: state.clone(), chance: chance.clone(), seat: 0, action: Action::Stay };
    let mut end = state;
    rules.apply(&mut end, Action::Stay, &mut chance);
    let played = Played { moments: vec![moment], end };
    let clock = start_clock(Budget { time: Some(Duration::from_secs(5)), nodes: None });
    let review = review(&rules, &played, &clock, &|_| {}).expect("the game is lost");
    let [fatal] = &review.remarks[..] else { panic!("{review:?}") };
    assert_eq!((fatal.number, fatal.action.as_str(), fatal.kind.as_ref()), (1, "stay", kind::LIFE_LOST));
    // Up is the flaw that the course's students found: who steps under a falling rock stops it.
    assert_eq!(fatal.instead, ["right", "up", "left"]);
    assert!(review.text.starts_with("crushed"), "{}", review.text);
}
